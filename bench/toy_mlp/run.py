#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times workload (i) in graphc and PyTorch, interleaved, and prints medians: of
graphc processor time at each level, with tiny kernels called as one and not.

  bench/toy_mlp/run.py [--build build] [--rounds 5] [--levels x86-64-v3,native] [--torch-python python3]
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
parser.add_argument("--levels", default="x86-64-v3,native")
parser.add_argument("--torch-python", default="python3", help="a Python that has torch")
args = parser.parse_args()


def number(*command):
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


with tempfile.TemporaryDirectory() as folder:
    libraries = {}
    for level in args.levels.split(","):
        for merge in ("on", "off"):
            library = os.path.join(folder, f"{level}-{merge}.so")
            subprocess.run([os.path.join(args.build, "bin/graphc"), os.path.join(here, "toy_mlp.mlir"), "-o", library,
                            "-O3", "--cpu=" + level, "--merge-tiny=" + merge], check=True)
            libraries[f"graphc {level}" + (", --merge-tiny=off" if merge == "off" else "")] = library
    ours = {name: [] for name in libraries}
    torchs = []
    for _ in range(args.rounds):
        for name, library in libraries.items():
            ours[name].append(number(os.path.join(args.build, "bin/bench-toy-mlp"), library))
        try:
            torchs.append(number(args.torch_python, os.path.join(here, "torch_toy_mlp.py")))
        except subprocess.CalledProcessError:
            pass
for name, times in ours.items():
    print(f"{name:<36} {statistics.median(times):9.3f} us/step  (rounds: {', '.join(f'{t:.3f}' for t in times)})")
if torchs:
    print(f"{'PyTorch':<36} {statistics.median(torchs):9.3f} us/step  (rounds: {', '.join(f'{t:.1f}' for t in torchs)})")
    best = min(statistics.median(times) for times in ours.values())
    print(f"{'ratio':<36} {statistics.median(torchs) / best:9.1f}")
else:
    print("PyTorch is not here: skipped")
