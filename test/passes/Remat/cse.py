# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CSE after every pass finds nothing to undo: the plan is the same, entry for
# entry, and it saves what it should.
#
# RUN: %python %s %S/Inputs
import re
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import models  # noqa: E402

BEFORE = ["import", "train-step", "autodiff", "promote-state", "canonicalize", "cse"]
AFTER = ["fuse", "lower-kernel", "expand-math", "plan"]


def plan(text, passes):
    command = ["graph-opt"] + ["--" + name for name in passes] + ["--plan-report", "-o", "/dev/null"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(done.stderr)
    found = re.search(r"@step: (\d+) entries \((\d+) launches.* arena (\d+) bytes", done.stderr)
    return tuple(int(word) for word in found.groups())


def after_each(passes):
    return [name for one in passes for name in (one, "cse")]


text = models.transformer(layers=4, width=64, heads=4, time=64, batch=4, vocabulary=64)
without = plan(text, BEFORE + AFTER)
for rung in (1, 3, 6):
    remat = [f"remat=rung={rung}"]
    once = plan(text, BEFORE + remat + AFTER)
    always = plan(text, after_each(BEFORE + remat + AFTER))
    print(rung, without, once, always)
    assert once == always, rung
    assert once[1] > without[1] and once[2] < without[2], rung
assert once[2] * 2 < without[2], "most of the arena was for activations"
