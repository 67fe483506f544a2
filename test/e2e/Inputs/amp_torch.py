# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients in mixed precision, ours and those of torch.autocast on the CPU, held
against f64.

  amp_torch.py FOLDER

Prints for each model and type the relative error of each gradient, ours and
PyTorch's, and exits with 1 if one of ours is more than twice as far off.
"""
import json
import struct
import subprocess
import sys

import numpy
import torch
import torch.nn.functional as F
from torch_peer import run, state

folder = sys.argv[1]
torch.manual_seed(1)
SLACK = 2.0


def write_state(path, tensors):
    header, data = {}, b""
    for name, value in tensors.items():
        array = value.detach().float().numpy()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    with open(f"{folder}/{path}", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def t(*shape):
    return "tensor<" + "x".join(map(str, shape + ("f32",))) + ">"


def module(params, inputs, body, wrt):
    lines = [f"graph.variable @{n} : {t(*v.shape)} = #graph.zeros trainable" for n, v in params.items()]
    arguments = ", ".join(f"%{n}: " + (f"tensor<{'x'.join(map(str, v.shape))}xi64>" if v.dtype == torch.int64 else t(*v.shape))
                          for n, v in inputs.items())
    lines.append(f"func.func @loss({arguments}) -> tensor<f32> {{")
    lines += [f"  %{n} = graph.get @{n} : {t(*v.shape)}" for n, v in params.items()]
    lines += ["  " + line for line in body] + ["  return %l : tensor<f32>", "}"]
    lines.append(f"graph.grad @grads of @loss wrt({', '.join('@' + n for n in wrt)}) {{mode = #graph<mode train>}}")
    return "\n".join(lines) + "\n"


def mlp():
    p = {"w1": torch.randn(64, 32) * 0.2, "b1": torch.randn(64) * 0.1, "w2": torch.randn(10, 64) * 0.2}
    x = {"x": torch.randn(48, 32), "y": torch.randint(0, 10, (48,))}

    def loss(p, x):
        return F.cross_entropy(F.linear(F.gelu(F.linear(x["x"], p["w1"], p["b1"])), p["w2"]), x["y"])

    text = [f"%h = graph.linear %x, %w1, %b1 : {t(48, 32)}, {t(64, 32)}, {t(64)} -> {t(48, 64)}",
            f"%a = graph.gelu %h : {t(48, 64)}",
            f"%o = graph.linear %a, %w2 : {t(48, 64)}, {t(10, 64)} -> {t(48, 10)}",
            f"%l = graph.cross_entropy %o, %y : {t(48, 10)}, tensor<48xi64> -> tensor<f32>"]
    return p, x, loss, text


def cnn():
    p = {"k1": torch.randn(8, 3, 3, 3) * 0.3, "g": torch.rand(8) + 0.5, "b": torch.randn(8) * 0.1,
         "k2": torch.randn(16, 8, 3, 3) * 0.1, "w": torch.randn(5, 64) * 0.2}
    x = {"x": torch.randn(12, 3, 8, 8), "y": torch.randint(0, 5, (12,))}

    def loss(p, x):
        h = F.conv2d(x["x"], p["k1"], padding=1)
        h = F.batch_norm(h, torch.zeros(8, dtype=p["g"].dtype), torch.ones(8, dtype=p["g"].dtype), p["g"], p["b"], training=True)
        h = F.max_pool2d(F.relu(h), 2)
        h = F.avg_pool2d(F.relu(F.conv2d(h, p["k2"], padding=1)), 2)
        return F.cross_entropy(F.linear(h.flatten(1), p["w"]), x["y"])

    window = "kernel = [2, 2] strides = [2, 2] low = [0, 0] high = [0, 0] dilation = [1, 1]"
    conv = "strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1"
    text = [f"%c1 = graph.conv %x, %k1 {conv} : {t(12, 3, 8, 8)}, {t(8, 3, 3, 3)} -> {t(12, 8, 8, 8)}",
            f"%rm = graph.constant dense<0.0> : {t(8)}", f"%rv = graph.constant dense<1.0> : {t(8)}",
            f"%n, %nm, %nv = graph.batch_norm %c1, %rm, %rv, %g, %b momentum = 0.1 eps = 1.0e-5 : {t(12, 8, 8, 8)}, {t(8)}, {t(8)}, {t(8)}, {t(8)}",
            f"%a1 = graph.relu %n : {t(12, 8, 8, 8)}",
            f"%p1 = graph.max_pool %a1 {window} : {t(12, 8, 8, 8)} -> {t(12, 8, 4, 4)}",
            f"%c2 = graph.conv %p1, %k2 {conv} : {t(12, 8, 4, 4)}, {t(16, 8, 3, 3)} -> {t(12, 16, 4, 4)}",
            f"%a2 = graph.relu %c2 : {t(12, 16, 4, 4)}",
            f"%p2 = graph.avg_pool %a2 {window} : {t(12, 16, 4, 4)} -> {t(12, 16, 2, 2)}",
            f"%f = graph.reshape %p2 : {t(12, 16, 2, 2)} -> {t(12, 64)}",
            f"%o = graph.linear %f, %w : {t(12, 64)}, {t(5, 64)} -> {t(12, 5)}",
            f"%l = graph.cross_entropy %o, %y : {t(12, 5)}, tensor<12xi64> -> tensor<f32>"]
    return p, x, loss, text


def block():
    d, n, heads = 32, 16, 4
    p = {"g1": torch.rand(d) + 0.5, "h1": torch.randn(d) * 0.1, "q": torch.randn(d, d) * 0.2, "k": torch.randn(d, d) * 0.2,
         "v": torch.randn(d, d) * 0.2, "o": torch.randn(d, d) * 0.2, "g2": torch.rand(d) + 0.5, "h2": torch.randn(d) * 0.1,
         "u": torch.randn(4 * d, d) * 0.2, "w": torch.randn(d, 4 * d) * 0.1}
    x = {"x": torch.randn(3, n, d), "y": torch.randn(3, n, d)}

    def loss(p, x):
        z = F.layer_norm(x["x"], (d,), p["g1"], p["h1"])
        q, k, v = (F.linear(z, p[i]).view(3, n, heads, d // heads).transpose(1, 2) for i in "qkv")
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(3, n, d)
        r = x["x"] + F.linear(a, p["o"])
        z = F.layer_norm(r, (d,), p["g2"], p["h2"])
        return F.mse_loss(r + F.linear(F.gelu(F.linear(z, p["u"])), p["w"]), x["y"])

    full, split, moved = t(3, n, d), t(3, n, heads, d // heads), t(3, heads, n, d // heads)
    text = [f"%z1 = graph.layer_norm %x, %g1, %h1 normalized_rank = 1 eps = 1.0e-5 : {full}, {t(d)}, {t(d)}"]
    for i in "qkv":
        text += [f"%{i}0 = graph.linear %z1, %{i} : {full}, {t(d, d)} -> {full}",
                 f"%{i}1 = graph.reshape %{i}0 : {full} -> {split}",
                 f"%{i}2 = graph.transpose %{i}1 permutation = [0, 2, 1, 3] : {split} -> {moved}"]
    text += [f"%a0 = graph.attention %q2, %k2, %v2 causal : {moved}, {moved}, {moved} -> {moved}",
             f"%a1 = graph.transpose %a0 permutation = [0, 2, 1, 3] : {moved} -> {split}",
             f"%a2 = graph.reshape %a1 : {split} -> {full}",
             f"%a3 = graph.linear %a2, %o : {full}, {t(d, d)} -> {full}", f"%r = graph.add %x, %a3 : {full}",
             f"%z2 = graph.layer_norm %r, %g2, %h2 normalized_rank = 1 eps = 1.0e-5 : {full}, {t(d)}, {t(d)}",
             f"%m0 = graph.linear %z2, %u : {full}, {t(4 * d, d)} -> {t(3, n, 4 * d)}",
             f"%m1 = graph.gelu %m0 : {t(3, n, 4 * d)}",
             f"%m2 = graph.linear %m1, %w : {t(3, n, 4 * d)}, {t(d, 4 * d)} -> {full}",
             f"%s = graph.add %r, %m2 : {full}", f"%l = graph.mse_loss %s, %y : {full}, {full} -> tensor<f32>"]
    return p, x, loss, text


def gradients(params, inputs, loss, dtype=None):
    """Of f64 parameters, or of f32 ones under autocast."""
    wide = torch.float32 if dtype else torch.float64
    p = {n: v.to(wide, copy=True).requires_grad_() for n, v in params.items()}
    x = {n: v if v.dtype == torch.int64 else v.to(wide) for n, v in inputs.items()}
    with torch.autocast("cpu", dtype=dtype or torch.bfloat16, enabled=dtype is not None):
        value = loss(p, x)
    value.backward()
    return {n: v.grad.double().numpy() for n, v in p.items()}


failures = comparisons = 0
for make in (mlp, cnn, block):
    params, inputs, loss, body = make()
    with open(f"{folder}/model.mlir", "w") as file:
        file.write(module(params, inputs, body, params))
    write_state("params.safetensors", params)
    arguments = []
    for name, value in inputs.items():
        numpy.save(f"{folder}/{name}.npy", value.numpy())
        arguments.append(f"--input={name}.npy")
    exact = gradients(params, inputs, loss)
    for name, dtype in (("bf16", torch.bfloat16), ("f16", torch.float16)):
        peer = gradients(params, inputs, loss, dtype)
        run(folder, "graphc", "model.mlir", "--amp=" + name, "-o", "model.so")
        run(folder, "graph-run", "model.so", "--load-state=params.safetensors", *arguments, "--dump-grads=grads.safetensors")
        ours = state(f"{folder}/grads.safetensors")
        for key, want in exact.items():
            mine = next(v for n, v in ours.items() if n.endswith(key))
            def error(got):
                return float(numpy.linalg.norm(got - want) / numpy.linalg.norm(want))
            comparisons += 1
            line = f"{make.__name__} {name} {key}: {error(mine):.2e}, PyTorch {error(peer[key]):.2e}"
            # The floor: where PyTorch's own list for the CPU leaves an op in f32.
            floor = 2e-3 if name == "bf16" else 3e-4
            # Zero would be f32: nothing was rounded at all.
            if not 1e-6 < error(mine) <= max(SLACK * error(peer[key]), floor):
                failures += 1
                line += "  WRONG"
            print(line)
print(comparisons, "comparisons,", failures, "failures")
sys.exit(failures > 0)
