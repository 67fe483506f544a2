# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""op_coverage.py ROOT: prints each place that lacks an op it should have."""
import glob
import os
import re
import sys

root = sys.argv[1]
for folder in ("tools/dev", "test/conformance/Inputs"):
    sys.path.insert(0, os.path.join(root, folder))
from conformance import FAMILIES  # noqa: E402
from gen_ops_doc import load  # noqa: E402

# What is no computation of its own: functions, state, regions.
STRUCTURE = {"checkpoint", "fused", "get", "grad", "is_training", "set", "train", "value_and_grad", "variable", "yield"}
# Compared in tests of their own.
ELSEWHERE = {
    "interpreter": STRUCTURE,
    "conformance": STRUCTURE | {
        "custom",  # test/e2e/custom.test
        "custom_vjp",
        "for",  # test/unit/Conformance, test/passes/Plan/loops.mlir and graph-random
        "random_uniform",  # test/conformance/draws.test
    },
    "random graphs": STRUCTURE | {"custom", "custom_vjp"},  # They name functions.
    "constraints": {("custom_vjp", "C2")},  # test/e2e/custom.test
}  # fmt: skip


def text(pattern):
    paths = sorted(glob.glob(os.path.join(root, pattern)))
    return "\n".join(open(path, encoding="utf-8").read() for path in paths)


page, interpreter, drawn = text("docs/ops.md"), text("lib/Interpreter/*.cpp"), text("tools/graph-random/*.cpp")
compared = {op for family in FAMILIES.values() for function in family()
            for op in re.findall(r"graph\.(\w+)", function.text())}  # fmt: skip
invalid = text("test/dialects/Graph/*-invalid.mlir")
ops = constraints = 0
holes = []
for name, record in load().items():
    if not isinstance(record, dict) or "Graph_Op" not in record.get("!superclasses", []):
        continue
    ops += 1
    op, cpp = record["opName"], name.removeprefix("Graph_")
    places = [
        ("no section in docs/ops.md", f"### graph.{op}\n" in page),
        ("not in lib/Interpreter", op in ELSEWHERE["interpreter"] or re.search(rf"\b{cpp}\b", interpreter)),
        ("not in test/conformance/Inputs/conformance.py", op in ELSEWHERE["conformance"] | compared),
        ("not drawn by tools/graph-random",
         op in ELSEWHERE["random graphs"] or re.search(rf"\b(entry|unary|binary)<{cpp}>", drawn)),
    ]
    for number in re.findall(r"\((C\d+)\)", record["description"]):
        constraints += 1
        wanted = f"@{op}_{number.lower()}"
        places.append((f"no test/dialects/Graph/*-invalid.mlir has {wanted}",
                       (op, number) in ELSEWHERE["constraints"] or re.search(rf"{wanted}(?![0-9])", invalid)))
    holes += [f"graph.{op}: {what}" for what, is_there in places if not is_there]
print("\n".join(holes + [f"{ops} ops, {constraints} constraints, {len(holes)} holes"]))
sys.exit(1 if holes else 0)
