#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times workload (i) in graphc and PyTorch, interleaved, and prints medians.

  bench/toy_mlp/run.py [--build build] [--rounds 5] [--torch-python python3]
"""
import argparse
import os
import statistics
import subprocess
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("--build", default=os.path.join(here, "..", "..", "build"))
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--torch-python", default="python3", help="a Python that has torch")
args = parser.parse_args()


def number(*command):
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


with tempfile.TemporaryDirectory() as folder:
    library = os.path.join(folder, "toy_mlp.so")
    subprocess.run([os.path.join(args.build, "bin/graphc"), os.path.join(here, "toy_mlp.mlir"), "-o", library,
                    "-O3"], check=True)
    ours, torchs = [], []
    for _ in range(args.rounds):
        ours.append(number(os.path.join(args.build, "bin/bench-toy-mlp"), library))
        try:
            torchs.append(number(args.torch_python, os.path.join(here, "torch_toy_mlp.py")))
        except subprocess.CalledProcessError:
            pass
print(f"graphc   {statistics.median(ours):9.3f} us/step  (rounds: {', '.join(f'{t:.3f}' for t in ours)})")
if torchs:
    print(f"PyTorch  {statistics.median(torchs):9.3f} us/step  (rounds: {', '.join(f'{t:.1f}' for t in torchs)})")
    print(f"ratio    {statistics.median(torchs) / statistics.median(ours):9.1f}")
else:
    print("PyTorch is not here: skipped")
