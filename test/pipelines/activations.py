# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A function that is only evaluated saves no activations: its arena is the same
# at any depth, with a training step beside it or without. That step's arena
# grows by at least one activation for each layer.
#
# RUN: %python %s
import re
import subprocess
import sys

ACTIVATION = 64 * 64 * 4


def model(layers, train):
    t, s = "tensor<64x64xf32>", "tensor<f32>"
    lines = []
    for i in range(layers):
        lines.append(f"graph.variable @w{i} : {t} = #graph.zeros trainable")
    for name, result in [("forward", t), ("loss", s)]:
        lines.append(f"func.func @{name}(%a0: {t}) -> {result} {{")
        for i in range(layers):
            lines.append(f"%w{i} = graph.get @w{i} : {t}")
            lines.append(f"%h{i} = graph.linear %a{i}, %w{i} : {t}, {t} -> {t}")
            lines.append(f"%a{i + 1} = graph.tanh %h{i} : {t}")
        last = f"%a{layers}"
        if name == "loss":
            lines.append(f"%l = graph.reduce_mean {last} axes = [0, 1] : {t} -> {s}")
            last = "%l"
        lines.append(f"return {last} : {result}\n}}")
    if train:
        lines.append("graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.1>)")
    return "\n".join(lines)


def arenas(layers, train):
    command = ["graph-opt", "--import", "--graphc-pipeline", "--plan-report"]
    done = subprocess.run(
        command, input=model(layers, train), capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(done.stderr)
    found = re.findall(r"@(\w+): .*?arena (\d+) bytes", done.stderr)
    return {name: int(size) for name, size in found}


shallow, deep, alone = arenas(3, True), arenas(12, True), arenas(12, False)
print(shallow, deep, alone, sep="\n")
assert set(deep) == {"forward", "loss", "step"} and set(alone) == {"forward", "loss"}
for function in ["forward", "loss"]:
    assert shallow[function] == deep[function] == alone[function], function
    # What a layer reads, what it makes, and the weights in the order it wants.
    assert ACTIVATION <= alone[function] <= 3 * ACTIVATION, function
assert deep["step"] >= shallow["step"] + 9 * ACTIVATION
