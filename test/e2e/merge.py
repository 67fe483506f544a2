# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run
# Whether tiny kernels in a row are called as one changes no bit of the state
# after ten training steps, at any CPU level.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %S/Inputs
import json
import os
import sys

inputs = sys.argv[1]
sys.path.insert(0, inputs)
from training import must, write  # noqa: E402

# A recurrent step, whose loops' bodies are merged, forward and backward.
with open("loop.mlir", "w") as file:
    file.write("""
graph.variable @w : tensor<7x5xf32> = #graph.uniform<-0.5, 0.5> trainable
graph.variable @u : tensor<7x7xf32> = #graph.uniform<-0.5, 0.5> trainable
graph.variable @b : tensor<7xf32> = #graph.uniform<-0.5, 0.5> trainable
func.func @loss(%x: tensor<2x5xf32>, %y: tensor<2x7xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<7x5xf32>
  %u = graph.get @u : tensor<7x7xf32>
  %b = graph.get @b : tensor<7xf32>
  %start = graph.constant dense<0.0> : tensor<2x7xf32>
  %end = graph.for %i = 6 carry(%h = %start) : tensor<2x7xf32> {
    %p = graph.linear %x, %w, %b : tensor<2x5xf32>, tensor<7x5xf32>, tensor<7xf32> -> tensor<2x7xf32>
    %q = graph.linear %h, %u : tensor<2x7xf32>, tensor<7x7xf32> -> tensor<2x7xf32>
    %s = graph.add %p, %q : tensor<2x7xf32>
    %t = graph.tanh %s : tensor<2x7xf32>
    graph.yield %t : tensor<2x7xf32>
  }
  %l = graph.mse_loss %end, %y : tensor<2x7xf32>, tensor<2x7xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.01>)
""")
models = {
    "loop.mlir": [write("lx.npy", "<f4", "4,5"), write("ly.npy", "<f4", "4,7")],
    os.path.join(inputs, "mlp.mlir"): [write("mx.npy", "<f4", "4,2"), write("my.npy", "<i8", "4")],
}
for model, data in models.items():
    for level in ("x86-64-v2", "x86-64-v3", "native"):
        states, bundles = {}, {}
        for merge in ("off", "on"):
            must("graphc", model, "-o", "model.so", "--merge-tiny=" + merge, "--cpu=" + level, "--report=json", "--report-file=report.json")
            with open("report.json") as file:
                bundles[merge] = next(f for f in json.load(file)["functions"] if f["name"] == "step")["bundles"]
            must("graph-run", "model.so", "--train=step", "--data=" + ",".join(data), "--epochs=10", "--save-state=state.safetensors")
            with open("state.safetensors", "rb") as file:
                states[merge] = file.read()
        print(model, level, bundles)
        if states["on"] != states["off"]:
            sys.exit(f"{model}: --merge-tiny=on gives another state at {level}")
        # What is compared differs, or this compares nothing.
        if bundles["off"] or not bundles["on"]:
            sys.exit(f"{model}: no bundles to compare")
