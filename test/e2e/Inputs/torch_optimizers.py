# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains one network with graphc and with PyTorch, from the same weights on the
same batches in f64, with each optimizer, parameter group and way of clipping.

  torch_optimizers.py <graphc> <graph-run> <npy.py> <folder>

Prints a line for each and exits with 1 if a parameter differs by more than 1e-9.
"""

import os
import subprocess
import sys

import numpy
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from compare_state import read  # noqa: E402

graphc, graph_run, folder = sys.argv[1:4]
STEPS, BATCH = 20, 8

MODEL = """
graph.variable @a.weight : tensor<7x5xf64> = #graph.uniform<-0.4, 0.4> trainable
graph.variable @a.bias : tensor<7xf64> = #graph.uniform<-0.4, 0.4> trainable
graph.variable @b.weight : tensor<3x7xf64> = #graph.uniform<-0.3, 0.3> trainable
graph.variable @b.bias : tensor<3xf64> = #graph.uniform<-0.3, 0.3> trainable
func.func @loss(%x: tensor<8x5xf64>, %y: tensor<8xi64>) -> tensor<f64> {
  %aw = graph.get @a.weight : tensor<7x5xf64>
  %ab = graph.get @a.bias : tensor<7xf64>
  %bw = graph.get @b.weight : tensor<3x7xf64>
  %bb = graph.get @b.bias : tensor<3xf64>
  %h = graph.linear %x, %aw, %ab : tensor<8x5xf64>, tensor<7x5xf64>, tensor<7xf64> -> tensor<8x7xf64>
  %t = graph.tanh %h : tensor<8x7xf64>
  %z = graph.linear %t, %bw, %bb : tensor<8x7xf64>, tensor<3x7xf64>, tensor<3xf64> -> tensor<8x3xf64>
  %l = graph.cross_entropy %z, %y : tensor<8x3xf64>, tensor<8xi64> -> tensor<f64>
  return %l : tensor<f64>
}
"""
NAMES = ["a.weight", "a.bias", "b.weight", "b.bias"]
BIASES = "[@a.bias, @b.bias]"


def split(weights, biases):
    """Two groups of parameters with options of their own."""
    return lambda p: [{"params": [p["a.weight"], p["b.weight"]], **weights},
                      {"params": [p["a.bias"], p["b.bias"]], **biases}]


everything = split({}, {})
CASES = {
    "sgd": ("optimizer(#graph.sgd<lr = 0.1, momentum = 0.9, nesterov = true>)",
            everything, lambda g: torch.optim.SGD(g, lr=0.1, momentum=0.9, nesterov=True), None),
    "adam": ("optimizer(#graph.adam<lr = 0.01>)", everything, lambda g: torch.optim.Adam(g, lr=0.01), None),
    "adam_l2": ("optimizer(#graph.adam<lr = 0.01, beta1 = 0.8, beta2 = 0.95, eps = 0.001, weight_decay = 0.1>)",
                everything,
                lambda g: torch.optim.Adam(g, lr=0.01, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1), None),
    "amsgrad": ("optimizer(#graph.adam<lr = 0.05, beta2 = 0.5, amsgrad = true>)", everything,
                lambda g: torch.optim.Adam(g, lr=0.05, betas=(0.9, 0.5), amsgrad=True), None),
    "adamw": ("optimizer(#graph.adamw<lr = 0.01>)", everything, lambda g: torch.optim.AdamW(g, lr=0.01), None),
    "groups": (f"optimizer(#graph.adamw<lr = 0.01, weight_decay = 0.2>) "
               f"groups([#graph.param_group<{BIASES}, #graph.adamw<lr = 0.03, weight_decay = 0.0>>])",
               split({}, {"lr": 0.03, "weight_decay": 0.0}),
               lambda g: torch.optim.AdamW(g, lr=0.01, weight_decay=0.2), None),
    "clip_norm": ("optimizer(#graph.sgd<lr = 0.5>) clip_norm(0.1)", everything,
                  lambda g: torch.optim.SGD(g, lr=0.5), lambda p: torch.nn.utils.clip_grad_norm_(p, 0.1)),
    "clip_norm_unmet": ("optimizer(#graph.sgd<lr = 0.5>) clip_norm(100.0)", everything,
                        lambda g: torch.optim.SGD(g, lr=0.5), lambda p: torch.nn.utils.clip_grad_norm_(p, 100.0)),
    "clip_value": ("optimizer(#graph.sgd<lr = 0.5>) clip_value(0.01)", everything,
                   lambda g: torch.optim.SGD(g, lr=0.5), lambda p: torch.nn.utils.clip_grad_value_(p, 0.01)),
}


def run(*command):
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=300)


def parameters(path):
    return {name: numpy.array(values).reshape(shape)
            for name, (_, shape, values) in read(os.path.join(folder, path)).items() if name in NAMES}


rng = numpy.random.default_rng(5)
x = rng.normal(size=(STEPS * BATCH, 5))
y = rng.integers(0, 3, size=STEPS * BATCH)
numpy.save(os.path.join(folder, "x.npy"), x)
numpy.save(os.path.join(folder, "y.npy"), y)
failures = 0
moved = {}
for name, (text, groups, make, clip) in CASES.items():
    with open(os.path.join(folder, name + ".mlir"), "w") as file:
        file.write(MODEL + f"graph.train @step loss(@loss) {text}\n")
    run(graphc, name + ".mlir", "-o", name + ".so")
    run(graph_run, name + ".so", "--save-state=start.safetensors")
    run(graph_run, name + ".so", "--train=step", "--data=x.npy,y.npy", "--save-state=end.safetensors")
    torches = {n: torch.tensor(v, dtype=torch.float64, requires_grad=True)
               for n, v in parameters("start.safetensors").items()}
    optimizer = make(groups(torches))
    for step in range(STEPS):
        batch = slice(step * BATCH, (step + 1) * BATCH)
        p = torches
        h = torch.tanh(torch.tensor(x[batch]) @ p["a.weight"].T + p["a.bias"])
        loss = torch.nn.functional.cross_entropy(h @ p["b.weight"].T + p["b.bias"], torch.tensor(y[batch]))
        optimizer.zero_grad()
        loss.backward()
        if clip:
            clip(list(torches.values()))
        optimizer.step()
    got = parameters("end.safetensors")
    error = max(numpy.abs(got[n] - torches[n].detach().numpy()).max() for n in NAMES)
    moved[name] = numpy.concatenate([got[n].ravel() for n in NAMES])
    ok = error < 1e-9
    failures += not ok
    print(f"{name}: {'ok' if ok else 'DIFFERS'}, largest difference {error:.1e}")
# Each case differs from the others, or it shows nothing.
distances = [numpy.abs(moved[a] - moved[b]).max() for a in moved for b in moved if a < b]
assert min(distances) > 1e-6, distances
print(f"{len(CASES)} cases, {failures} failures")
sys.exit(failures != 0)
