# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The workloads in JAX, over a dictionary of arrays. Weights are as bench-worker wrote them; convolutions run NHWC."""
import jax
import jax.numpy as jnp
from jax import lax

from common import TRANSFORMERS


def mlp(p, x):
    for layer in ("0", "2"):
        x = jax.nn.relu(x @ p[layer + ".weight"].T + p[layer + ".bias"])
    return x @ p["4.weight"].T + p["4.bias"]


def cross_entropy(logits, labels):
    chosen = jnp.take_along_axis(logits, labels[:, None], axis=1)[:, 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=1) - chosen)


def gpt(p, tokens, heads, layers):
    count, time = tokens.shape
    x = p["wte"][tokens] + p["wpe"][:time]
    width = x.shape[-1]
    past = jnp.tril(jnp.ones((time, time), bool))

    def dense(x, name):
        return x @ p[name + ".weight"].T + p[name + ".bias"]

    def norm(x, name):
        mean = x.mean(-1, keepdims=True)
        variance = jnp.square(x - mean).mean(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(variance + 1e-5) * p[name + ".weight"] + p[name + ".bias"]

    for layer in range(layers):
        at = f"blocks.{layer}."
        q, k, v = (part.reshape(count, time, heads, width // heads)
                   for part in jnp.split(dense(norm(x, at + "ln1"), at + "qkv"), 3, axis=-1))
        scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * (width // heads) ** -0.5
        weights = jax.nn.softmax(jnp.where(past, scores, -jnp.inf), axis=-1)
        mixed = jnp.einsum("nhqk,nkhd->nqhd", weights, v).reshape(count, time, width)
        x = x + dense(mixed, at + "out")
        x = x + dense(jax.nn.gelu(dense(norm(x, at + "ln2"), at + "up"), approximate=True), at + "down")
    return norm(x, "norm") @ p["wte"].T


def resnet(p, x):
    """`x` is NHWC, convolutions' weights HWIO. Running statistics are left out: a step does less than the others'."""
    def conv(x, name, stride):
        weight = p[name + ".weight"]
        pad = (weight.shape[0] // 2,) * 2
        return lax.conv_general_dilated(x, weight, (stride, stride), (pad, pad),
                                        dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def norm(x, name):
        mean = x.mean((0, 1, 2))
        variance = jnp.square(x - mean).mean((0, 1, 2))
        return (x - mean) * lax.rsqrt(variance + 1e-5) * p[name + ".weight"] + p[name + ".bias"]

    x = jax.nn.relu(norm(conv(x, "0.0", 1), "0.1"))
    for block, stride in enumerate((1, 1, 2, 1, 2, 1)):
        at = f"1.{block}."
        y = jax.nn.relu(norm(conv(x, at + "conv1", stride), at + "bn1"))
        y = norm(conv(y, at + "conv2", 1), at + "bn2")
        if at + "shortcut.0.weight" in p:
            x = norm(conv(x, at + "shortcut.0", stride), at + "shortcut.1")
        x = jax.nn.relu(x + y)
    return x.mean((1, 2)) @ p["4.weight"].T + p["4.bias"]


def loss_of(workload):
    if workload == "i":
        return lambda p, x, y: jnp.mean(jnp.square(mlp(p, x) - y))
    if workload == "ii":
        return lambda p, x, y: cross_entropy(mlp(p, x), y)
    if workload == "iv":
        return lambda p, x, y: cross_entropy(resnet(p, x), y)
    sizes = TRANSFORMERS[workload]
    if workload == "v":
        return lambda p, x: gpt(p, x, **sizes)

    def loss(p, x, y):
        logits = gpt(p, x, **sizes)
        return cross_entropy(logits.reshape(-1, logits.shape[-1]), y.reshape(-1))
    return loss


def adamw(p, g, state, lr=3e-4, decay=0.1, beta1=0.9, beta2=0.999, eps=1e-8):
    count = state["count"] + 1
    first = jax.tree.map(lambda m, g: beta1 * m + (1 - beta1) * g, state["first"], g)
    second = jax.tree.map(lambda v, g: beta2 * v + (1 - beta2) * g * g, state["second"], g)
    bias1, bias2 = 1 - beta1 ** count, 1 - beta2 ** count
    p = jax.tree.map(lambda p, m, v: p * (1 - lr * decay) - lr / bias1 * m / (jnp.sqrt(v / bias2) + eps),
                     p, first, second)
    return p, {"count": count, "first": first, "second": second}


def momentum(p, g, state, lr=0.1):
    # From zeros, the first step's buffer is the gradient, as in PyTorch.
    state = jax.tree.map(lambda b, g: 0.9 * b + g, state, g)
    return jax.tree.map(lambda p, b: p - lr * b, p, state), state


def sgd(p, g, state, lr=0.01):
    return jax.tree.map(lambda p, g: p - lr * g, p, g), state


def optimizer_of(workload, p):
    """The update and what it starts from."""
    def zeros():
        return jax.tree.map(jnp.zeros_like, p)

    if workload in ("iii", "x"):
        return adamw, {"count": jnp.zeros((), jnp.float32), "first": zeros(), "second": zeros()}
    if workload == "iv":
        return momentum, zeros()
    return sgd, {}
