#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""extremes.py FOLDER: the largest and smallest of rows of zeros of both signs, NaN of both signs and infinities, one of them at
each place of a row; compiled for every level of this machine, against what Python finds. NaN wins, and -0 is below 0."""

import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "conformance", "Inputs"))
import harness  # noqa: E402

LENGTHS = (3, 9, 10, 64, 130, 150)
NAN = struct.unpack("<f", struct.pack("<I", 0x7FC00000))[0]
PAIRS = [(0.0, -0.0), (-0.0, 0.0), (0.0, -1.0), (-0.0, -1.0), (-0.0, 1.0), (0.0, 1.0), (0.0, 0.0), (-0.0, -0.0)]
PAIRS += [(one, other) for one in (NAN, -NAN) for other in (0.0, 1.0, -1.0, math.inf, -math.inf)]
PAIRS += [(math.inf, -math.inf), (-math.inf, math.inf), (-math.inf, -math.inf), (1.0, -2.0), (-2.0, 1.0)]


def rows(length):
    """Of each pair the first at one place, and the second at all others."""
    return [[one if k == place else other for k in range(length)] for one, other in PAIRS for place in range(length)]


def expected(row, name):
    if any(x != x for x in row):
        return NAN
    key = lambda x: (x, math.copysign(1, x))  # noqa: E731
    return max(row, key=key) if name == "max" else min(row, key=key)


def main():
    os.chdir(sys.argv[1])
    checked = failures = 0
    for dtype, letter in (("f32", "f"), ("f64", "d")):
        text = ""
        for length in LENGTHS:
            count = len(PAIRS) * length
            tensor, result = f"tensor<{count}x{length}x{dtype}>", f"tensor<{count}x{dtype}>"
            flat = [x for row in rows(length) for x in row]
            harness.write_npy(f"{dtype}-{length}.npy", (count, length), dtype, struct.pack(f"<{len(flat)}{letter}", *flat))
            for name in ("max", "min"):
                text += (f"func.func @{name}{length}(%x: {tensor}) -> {result} {{\n%y = graph.reduce_{name} %x axes = [1] : "
                         f"{tensor} -> {result}\nreturn %y : {result}\n}}\n")  # fmt: skip
        with open(dtype + ".mlir", "w") as file:
            file.write(text)
        for level in harness.levels():
            harness.run(["graphc", dtype + ".mlir", "--cpu=" + level, "-o", "model.so"])
            for length in LENGTHS:
                for name in ("max", "min"):
                    harness.run(["graph-run", "model.so", f"--function={name}{length}", f"--input={dtype}-{length}.npy",
                                 "--output=y.npy"])  # fmt: skip
                    wanted = [expected(row, name) for row in rows(length)]
                    got = harness.read_npy("y.npy", dtype)
                    checked += len(wanted)
                    failures += sum(not harness.same(g, w, dtype) for g, w in zip(got, wanted, strict=True))
    print(f"{checked} rows, {failures} failures")


if __name__ == "__main__":
    main()
