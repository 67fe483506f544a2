# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The workloads in PyTorch, over a dictionary of tensors by the names of the state dictionary."""
import torch
import torch.nn.functional as F

from common import TRANSFORMERS


def mlp(p, x):
    for layer in ("0", "2"):
        x = F.relu(F.linear(x, p[layer + ".weight"], p[layer + ".bias"]))
    return F.linear(x, p["4.weight"], p["4.bias"])


def gpt(p, tokens, heads, layers):
    count, time = tokens.shape
    x = F.embedding(tokens, p["wte"]) + p["wpe"][:time]
    width = x.shape[-1]

    def dense(x, name):
        return F.linear(x, p[name + ".weight"], p[name + ".bias"])

    def norm(x, name):
        return F.layer_norm(x, (width,), p[name + ".weight"], p[name + ".bias"])

    for layer in range(layers):
        at = f"blocks.{layer}."
        parts = dense(norm(x, at + "ln1"), at + "qkv").split(width, -1)
        q, k, v = (part.view(count, time, heads, width // heads).transpose(1, 2) for part in parts)
        mixed = attention(q, k, v).transpose(1, 2).reshape(count, time, width)
        x = x + dense(mixed, at + "out")
        x = x + dense(F.gelu(dense(norm(x, at + "ln2"), at + "up"), approximate="tanh"), at + "down")
    return F.linear(norm(x, "norm"), p["wte"])


def attention(q, k, v):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    time = q.shape[-2]
    future = torch.ones(time, time, dtype=torch.bool).triu(1)
    scores = (q @ k.transpose(-2, -1)) * q.shape[-1] ** -0.5
    return F.softmax(scores.masked_fill(future, float("-inf")), -1) @ v


def resnet(p, x):
    def conv(x, name, stride):
        weight = p[name + ".weight"]
        return F.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2)

    def norm(x, name):
        p[name + ".num_batches_tracked"].add_(1)
        return F.batch_norm(x, p[name + ".running_mean"], p[name + ".running_var"], p[name + ".weight"],
                            p[name + ".bias"], training=True)

    x = F.relu(norm(conv(x, "0.0", 1), "0.1"))
    for block, stride in enumerate((1, 1, 2, 1, 2, 1)):
        at = f"1.{block}."
        y = F.relu(norm(conv(x, at + "conv1", stride), at + "bn1"))
        y = norm(conv(y, at + "conv2", 1), at + "bn2")
        if at + "shortcut.0.weight" in p:
            x = norm(conv(x, at + "shortcut.0", stride), at + "shortcut.1")
        x = F.relu(x + y)
    return F.linear(x.mean((2, 3)), p["4.weight"], p["4.bias"])


def loss_of(workload):
    """A function of parameters and inputs that returns the loss; the logits for a forward pass."""
    if workload == "i":
        return lambda p, x, y: F.mse_loss(mlp(p, x), y)
    if workload == "ii":
        return lambda p, x, y: F.cross_entropy(mlp(p, x), y)
    if workload == "iv":
        return lambda p, x, y: F.cross_entropy(resnet(p, x), y)
    sizes = TRANSFORMERS[workload]
    if workload == "v":
        return lambda p, x: gpt(p, x, **sizes)
    return lambda p, x, y: F.cross_entropy(gpt(p, x, **sizes).flatten(0, 1), y.flatten())


def optimizer_of(workload, parameters, fused):
    # 1.13 has no fused updates on CPUs, and its foreach ones are slower there than its loop.
    how = {"fused": True} if fused else {"foreach": False}
    if workload in ("iii", "x"):
        return torch.optim.AdamW(parameters, lr=3e-4, weight_decay=0.1, **how)
    if workload == "iv":
        return torch.optim.SGD(parameters, lr=0.1, momentum=0.9, **how)
    return torch.optim.SGD(parameters, lr=0.01, **how)
