# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model's text to the tile level as the CUDA target wants it."""
import subprocess

# What lib/Target/Cuda/MapThreads.h says of vectors; every loop is worth threads.
LOWER = ["--lower-kernel=vector-bits=2048 parallel-flops=0 parallel-bytes=0", "--expand-math"]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def lower(model, output):
    fused = output + ".fused"
    run(["graphc", model, "--emit=mlir", "--stop-after=fuse", "-o", fused])
    run(["graph-opt", fused, *LOWER, "-o", output])
