# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run
# 100 steps, save, load, 100 steps are 200 steps, bit for bit; also with 1 thread or
# 3, and with or without shared kernels.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %S/Inputs
import os
import sys

inputs = sys.argv[1]
sys.path.insert(0, inputs)
from training import must, write  # noqa: E402

# One epoch is 10 steps.
data = "--data=" + ",".join([write("x.npy", "<f4", "80,8"), write("y.npy", "<i8", "80")])


def train(epochs, *options):
    must("graph-run", "model.so", "--train=step", data, "--batch=8", f"--epochs={epochs}", *options)


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


results = set()
for amp in ("bf16", "f16"):
    must("graphc", os.path.join(inputs, "amp.mlir"), "--amp=" + amp, "-o", "model.so")
    train(20, "--save-state=all.safetensors")
    train(10, "--save-state=half.safetensors")
    train(10, "--load-state=half.safetensors", "--save-state=both.safetensors")
    if bytes_of("both.safetensors") != bytes_of("all.safetensors"):
        sys.exit(f"{amp}: the state after 100 and 100 steps is not that after 200")
    if bytes_of("half.safetensors") == bytes_of("all.safetensors"):
        sys.exit(f"{amp}: 100 steps change nothing")
    train(20, "--threads=3", "--save-state=threads.safetensors")
    if bytes_of("threads.safetensors") != bytes_of("all.safetensors"):
        sys.exit(f"{amp}: 3 threads give another state")
    must("graphc", os.path.join(inputs, "amp.mlir"), "--amp=" + amp, "--fuse=off", "-o", "model.so")
    train(20, "--save-state=unfused.safetensors")
    if bytes_of("unfused.safetensors") != bytes_of("all.safetensors"):
        sys.exit(f"{amp}: shared kernels change the state")
    results.add(bytes_of("all.safetensors"))
assert len(results) == 2
print("ok")
