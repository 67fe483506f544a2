# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: torch
# RUN: %python %s %source_root/passes/Amp/autocast.csv
"""The table holds every op of PyTorch's autocast lists, in the class of its list.

The lists are the macros in PyTorch's own header. An op that they do not name is in
the table as one that is on no list.
"""
import csv
import os
import re
import sys

import torch

CLASSES = {"LOWER_PRECISION_FP": "low", "FP32": "wide", "FP32_SET_OPT_DTYPE": "wide", "PROMOTE": "widest"}

header = os.path.join(os.path.dirname(torch.__file__), "include", "ATen", "autocast_mode.h")
with open(header, encoding="utf-8") as file:
    text = file.read().replace("\\\n", " ")
wanted = {}
for name, kind in CLASSES.items():
    macro = re.search(rf"#define AT_FORALL_{name}\(_\)(.*)\n", text)
    assert macro, f"{header} has no list {name}"
    for op in re.findall(r"_\((\w+)", macro[1]):
        wanted[op] = (kind, name.lower())
assert len(wanted) > 80, len(wanted)

with open(sys.argv[1], encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
have = {row["torch"]: (row["class"], row["list"]) for row in rows if row["list"] in {n.lower() for n in CLASSES}}
missing = sorted(set(wanted) - set(have))
extra = sorted(set(have) - set(wanted))
different = sorted(op for op in wanted if op in have and have[op] != wanted[op])
for row in rows:
    if row["list"] in ("none", "type promotion", "gradient") and row["torch"] in wanted:
        different.append(row["torch"])
assert not missing and not different, (missing, different)
# An older PyTorch may lack ops; a newer one may add some, which is an error above.
print(len(wanted), "ops of PyTorch", torch.__version__, "; only in the table:", extra)
