# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""op_coverage.py ROOT GRAPH-RANDOM: prints each place that lacks an op it should
have, and each exception that is none."""
import glob
import os
import re
import subprocess
import sys

root, graph_random = sys.argv[1:3]
for folder in ("tools/dev", "test/conformance/Inputs"):
    sys.path.insert(0, os.path.join(root, folder))
from conformance import FAMILIES  # noqa: E402
from gen_ops_doc import load  # noqa: E402

# What test/conformance does not compare: where the compiled op is, and what is there.
ELSEWHERE = {
    "checkpoint": ("test/e2e/custom.test", "graph.checkpoint"),
    "custom": ("test/e2e/custom.test", "graph.custom "),
    "custom_vjp": ("test/e2e/custom.test", "graph.custom_vjp"),
    "for": ("test/e2e/Inputs/hazards.mlir", "graph.for"),
    "precision": ("test/e2e/amp-region.py", "graph.precision f32"),
    "fused": ("test/conformance/Inputs/regions.py", "which fuses\nnothing"),
    "get": ("test/e2e/Inputs/hazards.mlir", "graph.get"),
    "grad": ("test/e2e/Inputs/mlp.mlir", "graph.grad"),
    "is_training": ("test/unit/Conformance/DecomposeTest.cpp", "graph.is_training"),
    "recompute_barrier": ("test/passes/Remat/example.mlir", "graph.recompute_barrier"),
    "set": ("test/e2e/Inputs/hazards.mlir", "graph.set"),
    "train": ("test/e2e/Inputs/mlp.mlir", "graph.train"),
    "value_and_grad": ("test/e2e/custom.test", "graph.value_and_grad"),
    "variable": ("test/e2e/Inputs/mlp.mlir", "graph.variable"),
    "yield": ("test/e2e/Inputs/hazards.mlir", "graph.yield"),
}
# No computation of its own, or it names a function.
NOT_DRAWN = {"checkpoint", "custom", "custom_vjp", "fused", "get", "grad", "is_training", "precision", "recompute_barrier", "set", "train", "value_and_grad",
             "variable", "yield"}  # fmt: skip
INVALID_ELSEWHERE = {("custom_vjp", "C2"): ("test/e2e/custom.test", "it may depend on nothing but its arguments")}


def text(pattern):
    paths = sorted(glob.glob(os.path.join(root, pattern)))
    return "\n".join(open(path, encoding="utf-8").read() for path in paths)


def is_there(where):
    path, words = where
    return words in text(path)


def compared_ops():
    """Those on which a result depends, of a family that a test runs."""
    tests, found = text("test/conformance/*.test"), set()
    for name, family in FAMILIES.items():
        if not re.search(rf"conformance.py %t [a-z_ ]*\b{name}\b", tests):
            continue
        for function in family():
            needed = {result[0].split("#")[0] for result in function.results}
            for line in reversed(function.lines):
                value, op, operands = re.match(r" *(%\w+)(?::\d+)? = graph\.(\w+)(.*)", line).groups()
                if value in needed:
                    found.add(op)
                    needed.update(re.findall(r"%\w+", operands))
    return found


def breaks(wanted):
    """Whether an invalid module with a function of that name expects an error."""
    return any(re.search(rf"{wanted}(?![0-9])", part) and "expected-error" in part for part in invalid)


page, compared = text("docs/ops.md"), compared_ops()
drawn = subprocess.run([graph_random, "--graphs=0", "--min-count=0", "--print-counts"], capture_output=True, text=True,
                       check=True).stdout  # fmt: skip
invalid = re.split(r"^// -----$", text("test/dialects/Graph/*-invalid.mlir"), flags=re.M)
ops = constraints = 0
holes = []
for name, record in load().items():
    if not isinstance(record, dict) or "Graph_Op" not in record.get("!superclasses", []):
        continue
    ops += 1
    op = record["opName"]
    is_drawn = re.search(rf"^graph\.{op} ", drawn, re.M) is not None
    places = [
        ("no section in docs/ops.md", f"### graph.{op}\n" in page),
        ("not in test/conformance/Inputs/conformance.py", op in compared or op in ELSEWHERE),
        ("compared by test/conformance after all", op not in compared or op not in ELSEWHERE),
        (f"not in {ELSEWHERE.get(op, [''])[0]}", op not in ELSEWHERE or is_there(ELSEWHERE[op])),
        ("not drawn by tools/graph-random", is_drawn or op in NOT_DRAWN),
        ("drawn by tools/graph-random after all", not is_drawn or op not in NOT_DRAWN),
    ]
    for number in re.findall(r"\((C\d+)\)", record["description"]):
        constraints += 1
        wanted, other = f"@{op}_{number.lower()}", INVALID_ELSEWHERE.get((op, number))
        places.append((f"no test/dialects/Graph/*-invalid.mlir has {wanted}", is_there(other) if other else breaks(wanted)))
    holes += [f"graph.{op}: {what}" for what, is_right in places if not is_right]
print("\n".join(holes + [f"{ops} ops, {constraints} constraints, {len(holes)} holes"]))
sys.exit(1 if holes else 0)
