# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run
# An overflow in the second of two micro-batches: the statistics that the first has
# set stay as they were too, and all else but the scale and the counters.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %S/Inputs
import os
import sys

inputs = sys.argv[1]
sys.path.insert(0, inputs)
from compare_state import read  # noqa: E402
from training import NPY, must, write  # noqa: E402

with open(os.path.join(inputs, "amp.mlir"), encoding="utf-8") as file:
    text = file.read()
assert "clip_norm(1.0)" in text
with open("model.mlir", "w", encoding="utf-8") as file:
    file.write(text.replace("clip_norm(1.0)", "accumulate(2)"))
x, y = write("x.npy", "<f4", "16,8"), write("y.npy", "<i8", "16")
values = [i * 7919 % 2003 / 1001.5 - 1 for i in range(128)]
values[100] = 1e9
must(sys.executable, NPY, "write", "inf.npy", "<f4", "16,8", *map(str, values))
must("graphc", "model.mlir", "--amp=f16", "-o", "model.so")
states = []
for k, data in enumerate((x, x, "inf.npy", x)):
    load = [f"--load-state={k - 1}.safetensors"] if k else []
    must("graph-run", "model.so", "--function=step", "--input=" + data, "--input=" + y, *load, f"--save-state={k}.safetensors")
    states.append(read(f"{k}.safetensors"))


def changed(k):
    return {name for name in states[k] if states[k][name] != states[k + 1][name]}


counters = {"graphc.rng_key", "step.attempts", "step.good_steps", "step.loss_scale"}
assert changed(1) == counters, changed(1)
assert {"fc1.weight", "norm.running_mean", "norm.batches", "step.step"} <= changed(0) & changed(2), (changed(0), changed(2))
assert states[0]["norm.batches"][2] == (2,) and states[3]["norm.batches"][2] == (6,)
