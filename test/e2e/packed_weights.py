# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run
# Whether weights are stored in panels changes no bit of what a model computes or
# saves, with any optimizer, level and number of threads; each reads what the other
# has saved. The report says which weights are in panels.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
from training import NPY, must


def read(name):
    with open(name, "rb") as file:
        return file.read()


def write(name, descr, shape, classes=0):
    count = 1
    for size in shape:
        count *= size
    values = [i * 7 % classes for i in range(count)] if classes else [i * 7919 % 2003 / 1001.5 - 1 for i in range(count)]
    must(sys.executable, NPY, "write", name, descr, ",".join(map(str, shape)), *map(str, values))
    return name


def mlp(optimizer, f, rows=33, clauses=""):
    """160 and 144 columns: panels of 32 and of 16; the last layer is x w, not x w^T."""
    return f"""
module @mlp {{
  graph.variable @w1 : tensor<160x128x{f}> = #graph.uniform<-0.08, 0.08> trainable
  graph.variable @b1 : tensor<160x{f}> = #graph.zeros trainable
  graph.variable @w2 : tensor<144x160x{f}> = #graph.uniform<-0.08, 0.08> trainable
  graph.variable @w3 : tensor<144x128x{f}> = #graph.uniform<-0.08, 0.08> trainable
  graph.variable @small : tensor<128x10x{f}> = #graph.uniform<-0.08, 0.08> trainable
  func.func @forward(%x: tensor<{rows}x128x{f}>) -> tensor<{rows}x10x{f}> {{
    %w1 = graph.get @w1 : tensor<160x128x{f}>
    %b1 = graph.get @b1 : tensor<160x{f}>
    %w2 = graph.get @w2 : tensor<144x160x{f}>
    %w3 = graph.get @w3 : tensor<144x128x{f}>
    %small = graph.get @small : tensor<128x10x{f}>
    %h = graph.linear %x, %w1, %b1 : tensor<{rows}x128x{f}>, tensor<160x128x{f}>, tensor<160x{f}> -> tensor<{rows}x160x{f}>
    %a = graph.relu %h : tensor<{rows}x160x{f}>
    %h2 = graph.linear %a, %w2 : tensor<{rows}x160x{f}>, tensor<144x160x{f}> -> tensor<{rows}x144x{f}>
    %a2 = graph.tanh %h2 : tensor<{rows}x144x{f}>
    %h3 = graph.dot_general %a2, %w3 batching = [] x [] contracting = [1] x [0] : tensor<{rows}x144x{f}>, tensor<144x128x{f}> -> tensor<{rows}x128x{f}>
    %a3 = graph.add %h3, %x : tensor<{rows}x128x{f}>
    %y = graph.dot_general %a3, %small batching = [] x [] contracting = [1] x [0] : tensor<{rows}x128x{f}>, tensor<128x10x{f}> -> tensor<{rows}x10x{f}>
    return %y : tensor<{rows}x10x{f}>
  }}
  func.func private @loss(%x: tensor<{rows}x128x{f}>, %t: tensor<{rows}xi64>) -> tensor<{f}> {{
    %y = func.call @forward(%x) : (tensor<{rows}x128x{f}>) -> tensor<{rows}x10x{f}>
    %l = graph.cross_entropy %y, %t : tensor<{rows}x10x{f}>, tensor<{rows}xi64> -> tensor<{f}>
    return %l : tensor<{f}>
  }}
  graph.train @step loss(@loss) optimizer(#graph.{optimizer}) {clauses}
}}
"""


# An embedding that is the output layer too, of a size that no width divides.
TIED = """
module @tied {
  graph.variable @table : tensor<1003x64xf32> = #graph.normal<0.0, 0.1, zero_row = 5> trainable
  graph.variable @w : tensor<256x64xf32> = #graph.uniform<-0.1, 0.1> trainable
  graph.variable @v : tensor<64x256xf32> = #graph.uniform<-0.1, 0.1> trainable
  func.func @forward(%ids: tensor<2x17xi64>) -> tensor<2x17x1003xf32> {
    %table = graph.get @table : tensor<1003x64xf32>
    %w = graph.get @w : tensor<256x64xf32>
    %v = graph.get @v : tensor<64x256xf32>
    %x = graph.embedding %table, %ids : tensor<1003x64xf32>, tensor<2x17xi64> -> tensor<2x17x64xf32>
    %h = graph.linear %x, %w : tensor<2x17x64xf32>, tensor<256x64xf32> -> tensor<2x17x256xf32>
    %a = graph.gelu %h : tensor<2x17x256xf32>
    %d = graph.linear %a, %v : tensor<2x17x256xf32>, tensor<64x256xf32> -> tensor<2x17x64xf32>
    %s = graph.add %x, %d : tensor<2x17x64xf32>
    %y = graph.linear %s, %table : tensor<2x17x64xf32>, tensor<1003x64xf32> -> tensor<2x17x1003xf32>
    return %y : tensor<2x17x1003xf32>
  }
  TRAIN
}
"""


TRAIN = """
  func.func private @loss(%ids: tensor<2x17xi64>, %next: tensor<2x17xi64>) -> tensor<f32> {
    %y = func.call @forward(%ids) : (tensor<2x17xi64>) -> tensor<2x17x1003xf32>
    %logits = graph.reshape %y : tensor<2x17x1003xf32> -> tensor<34x1003xf32>
    %labels = graph.reshape %next : tensor<2x17xi64> -> tensor<34xi64>
    %l = graph.cross_entropy %logits, %labels : tensor<34x1003xf32>, tensor<34xi64> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.adamw<lr = 0.01>) CLAUSES
"""


def compile(text, packs, *options):
    with open("model.mlir", "w") as file:
        file.write(text)
    name = "packed.so" if packs else "rows.so"
    must("graphc", "model.mlir", "-o", name, f"--pack-weights={'on' if packs else 'off'}",
         "--report=json", "--report-file=report.json", *options)  # fmt: skip
    with open("report.json") as file:
        panels = [layout["variable"] for layout in json.load(file)["layouts"]]
    return name, panels


def check(what, text, expected, function, inputs, data, options=(), threads=(1, 3)):
    models = [compile(text, packs, *options) for packs in (False, True)]
    # What is compared differs.
    if models[0][1] or models[1][1] != expected:
        sys.exit(f"{what}: in panels are {models[0][1]} and {models[1][1]}, not {expected}")
    states, outputs = set(), set()
    saved = None
    for model, _ in models:
        for count in threads:
            run = ["graph-run", model, f"--threads={count}"]
            if data:
                must(*run, "--train=step", "--data=" + ",".join(data), "--epochs=3", "--save-state=trained")
            else:
                must(*run, "--save-state=trained")
            states.add(read("trained"))
            # From the first model's state, whoever saved it.
            if saved is None:
                saved = "saved"
                with open(saved, "wb") as file:
                    file.write(read("trained"))
            must(*run, "--load-state=saved", f"--function={function}", *("--input=" + i for i in inputs),
                 "--output=y.npy", "--save-state=again")  # fmt: skip
            outputs.add(read("y.npy"))
            states.add(read("again"))
    shown = {must("graph-run", model, "--load-state=saved", f"--print-variable={expected[0]}", "--full") for model, _ in models}
    if len(states) != 1 or len(outputs) != 1 or len(shown) != 1:
        sys.exit(f"{what}: {len(states)} states, {len(outputs)} outputs, {len(shown)} values of @{expected[0]}")
    print(what, "ok")


x, x11, x64 = write("x.npy", "<f4", (33, 128)), write("x11.npy", "<f4", (11, 128)), write("x64.npy", "<f8", (33, 128))
t, ids, next = write("t.npy", "<i8", (33,), 10), write("ids.npy", "<i8", (2, 17), 1003), write("next.npy", "<i8", (2, 17), 999)
optimizers = {
    "sgd<lr = 0.1>": [],
    "sgd<lr = 0.1, momentum = 0.9, nesterov = true>": ["momentum_buffer"],
    "adam<lr = 0.01, amsgrad = true, weight_decay = 0.1>": ["exp_avg", "exp_avg_sq", "max_exp_avg_sq"],
    "adamw<lr = 0.01>": ["exp_avg", "exp_avg_sq"],
}
levels = ["--cpu=x86-64-v3"]
if "avx512f" in read("/proc/cpuinfo").decode():
    levels += ["--cpu=x86-64-v4", "--cpu=x86-64-v4,x86-64-v3"]
for optimizer, slots in optimizers.items():
    expected = ["w1", "w2", "w3"] + [f"step.{w}.{slot}" for w in ("w1", "w2", "w3") for slot in slots]
    for level in levels:
        check(f"{optimizer} {level}", mlp(optimizer, "f32"), expected, "forward", [x], [x, t], [level])
check("f64", mlp("adamw<lr = 0.01>", "f64"), expected, "forward", [x64], [x64, t])
for fuse in ("off", "max-groups=9"):
    check(f"--fuse={fuse}", mlp("adamw<lr = 0.01>", "f32"), expected, "forward", [x], [x, t], [f"--fuse={fuse}"])
check("--batch", mlp("sgd<lr = 0.1>", "f32"), ["w1", "w2", "w3"], "forward", [x], [x, t], ["--batch=33,7"])
# A gradient that is read twice, or summed over a loop, is in rows: panels along them.
check("clip_norm", mlp("sgd<lr = 0.1>", "f32", clauses="clip_norm(0.5)"), ["w2", "w3"], "forward", [x], [x, t])
check("accumulate", mlp("sgd<lr = 0.1>", "f32", 11, "accumulate(3)"), ["w2", "w3"], "forward", [x11], [x, t])
for level in levels:
    check(f"tied {level}", TIED.replace("TRAIN", ""), ["table", "w", "v"], "forward", [ids], [], [level])
slots = ["exp_avg", "exp_avg_sq"]
expected = ["table", "w", "v"] + [f"step.{w}.{slot}" for w in ("table", "w", "v") for slot in slots]
for clauses in ("", "clip_norm(0.5)"):
    text = TIED.replace("TRAIN", TRAIN.replace("CLAUSES", clauses))
    for level in levels:
        check(f"tied step {clauses} {level}", text, expected, "forward", [ids], [ids, next], [level])
