# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds a report to what else is known: report.py <report.json> <model.so> <plan report>"""
import json
import os
import re
import sys

report = json.load(open(sys.argv[1]))
phases = [phase["name"] for phase in report["phases"]]
assert phases == ["import", "autodiff", "fuse", "plan", "kernels", "tables", "link"], phases
assert report["target"] == {"triple": "x86_64-linux-gnu", "cpu": ["x86-64-v3"], "math": "own"}, report["target"]
assert all(phase["seconds"] > 0 for phase in report["phases"])
names = [item["name"] for item in report["passes"]]
for name in ("train-step", "autodiff", "canonicalize", "cse", "fuse", "lower-kernel", "plan"):
    assert name in names, name
for phase in report["phases"]:
    inside = sum(item["seconds"] for item in report["passes"] if item["phase"] == phase["name"])
    assert inside <= phase["seconds"], phase
assert report["output_bytes"] == os.path.getsize(sys.argv[2])

# The plan report counts in another way.
plan = open(sys.argv[3]).read()
state = report["state"]
assert f"variables of {state['parameter_bytes'] + state['other_bytes']} bytes" in plan
functions = {function["name"]: function for function in report["functions"]}
for name, entries, launches, arena in re.findall(r"@(\w+): (\d+) entries \((\d+) launches.* arena (\d+) bytes", plan):
    function = functions.pop(name)
    assert function["entries"] == int(entries), name
    assert function["launches"] == int(launches), name
    assert function["arena_bytes"] == int(arena), name
    assert function["launches"] == sum(kernel["launches"].get(name, 0) for kernel in report["kernels"])
    # relu's and tanh's results, and the logits, are what the gradients need.
    kept = function["activation_bytes"]
    assert (kept >= 4 * 4 * (30 + 20)) if function["kind"] != "plain" else kept == 0, kept
    assert kept <= function["arena_bytes"]
    # The update reads them; a gradient function returns them.
    gradients = function["gradient_bytes"]
    assert (gradients > 0) if function["kind"] == "train" else gradients == 0, (name, gradients)
    assert gradients <= function["arena_bytes"]
    assert function["workspace_bytes"] <= function["arena_bytes"]
assert not functions
# 2-30-20-2: weights and biases.
assert state["parameter_bytes"] == 4 * (60 + 30 + 600 + 20 + 40 + 2)
