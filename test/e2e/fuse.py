# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run
# Whether ops share kernels, and how many, changes no bit of the state after ten
# training steps; sharing does leave fewer launches, and takes no more memory.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %S/Inputs
import json
import os
import sys

inputs = sys.argv[1]
sys.path.insert(0, inputs)
from training import must, write  # noqa: E402


models = {
    "block": [write("bx.npy", "<f4", "4,32,64"), write("by.npy", "<f4", "4,32,64")],
    "lookup": [write("ids.npy", "<i8", "16,32"), write("next.npy", "<i8", "16,32")],
    "mlp": [write("mx.npy", "<f4", "4,2"), write("my.npy", "<i8", "4")],
}
for model, data in models.items():
    states, launches, arenas = {}, {}, {}
    for fuse in ("off", "on", "max-groups=7", "max-ops=6", "max-buffers=5"):
        must("graphc", os.path.join(inputs, model + ".mlir"), "-o", "model.so", "--fuse=" + fuse, "--report=json", "--report-file=report.json")
        with open("report.json") as file:
            step = next(f for f in json.load(file)["functions"] if f["name"] == "step")
        launches[fuse], arenas[fuse] = step["launches"], step["live_bytes"]
        must("graph-run", "model.so", "--train=step", "--data=" + ",".join(data), "--epochs=10", "--save-state=state.safetensors")
        with open("state.safetensors", "rb") as file:
            states[fuse] = file.read()
    print(model, launches, arenas)
    for fuse in states:
        if states[fuse] != states["off"]:
            sys.exit(f"{model}: --fuse={fuse} gives another state")
        if arenas[fuse] > arenas["off"]:
            sys.exit(f"{model}: --fuse={fuse} takes more memory")
    # What is compared differs, or this compares nothing.
    if not launches["on"] < launches["max-groups=7"] < launches["off"]:
        sys.exit(f"{model}: the same launches")
    if not launches["on"] <= launches["max-ops=6"] < launches["off"]:
        sys.exit(f"{model}: the same launches with max-ops")
