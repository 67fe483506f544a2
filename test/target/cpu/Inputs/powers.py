#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""powers.py FOLDER: exp of numbers whose results are all there are, zero, denormal, normal and infinite; compiled for every
level of this machine, which must give the same bits."""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "conformance", "Inputs"))
import harness  # noqa: E402

COUNT = 4096
RANGES = {"f32": (-105, -87, 90), "f64": (-747, -707, 711)}


def draw(dtype):
    """A third of them where results are denormal, as many where they overflow."""
    low, tiny, high = RANGES[dtype]
    number = random.Random(1).uniform
    values = [number(*((low, tiny), (high - 2, high), (low, high))[k % 3]) for k in range(COUNT - 5)]
    return values + [float("nan"), float("inf"), float("-inf"), 0.0, -0.0]


def main():
    os.chdir(sys.argv[1])
    for dtype in RANGES:
        tensor = f"tensor<{COUNT}x{dtype}>"
        with open(dtype + ".mlir", "w") as file:
            file.write(f"func.func @run(%x: {tensor}) -> {tensor} {{\n%y = graph.exp %x : {tensor}\nreturn %y : {tensor}\n}}\n")
        letter = harness.FORMATS[dtype][0]
        harness.write_npy("x.npy", (COUNT,), dtype, harness.struct.pack(f"<{COUNT}{letter}", *draw(dtype)))
        results = set()
        levels = harness.levels()
        for level in levels:
            harness.run(["graphc", dtype + ".mlir", "--cpu=" + level, "-o", "model.so"])
            harness.run(["graph-run", "model.so", "--function=run", "--input=x.npy", "--output=y.npy"])
            results.add(repr([float("nan") if y != y else y for y in harness.read_npy("y.npy", dtype)]))
        print(f"{dtype}: {len(levels)} levels, {len(results)} results")


if __name__ == "__main__":
    main()
