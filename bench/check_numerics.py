#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --check-numerics costs: times steps with and without it, interleaved.

  bench/check_numerics.py [--build build] [--rounds 5] [--threads 1] model.mlir:step library.so:step ...

Prints the median milliseconds a step of each and their ratio. A library is what graphc made, or an example's --keep.
"""
import argparse
import os
import re
import statistics
import subprocess
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("--build", default=os.path.join(here, "..", "build"))
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("models", nargs="*", default=[os.path.join(here, "toy_mlp", "toy_mlp.mlir") + ":step"])
args = parser.parse_args()


def median_ms(library, function, *flags):
    out = subprocess.run([os.path.join(args.build, "bin/graph-run"), library, f"--function={function}", "--bench",
                          f"--threads={args.threads}", *flags], check=True, capture_output=True, text=True).stdout
    return float(re.search(r"median ([\d.]+) ms", out).group(1))


for model in args.models:
    path, function = model.rsplit(":", 1)
    with tempfile.TemporaryDirectory() as folder:
        library = path
        if not path.endswith(".so"):
            library = os.path.join(folder, "model.so")
            subprocess.run([os.path.join(args.build, "bin/graphc"), path, "-o", library], check=True)
        plain, checked = [], []
        for _ in range(args.rounds):
            plain.append(median_ms(library, function))
            checked.append(median_ms(library, function, "--check-numerics"))
    a, b = statistics.median(plain), statistics.median(checked)
    print(f"{os.path.basename(path)} @{function}: {a:.6f} ms, with --check-numerics {b:.6f} ms, ratio {b / a:.2f}")
