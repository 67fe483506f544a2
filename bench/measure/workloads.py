# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The workloads: what program traces them, what they compute, and how much of it there is.

A FLOP is a multiplication or an addition of a matrix product or convolution, padded taps included; everything else
is left out, for every implementation alike. A gradient costs as much as the forward product, twice: by the input
and by the weight. Attention counts the whole square, also where half of it is masked.
"""
from dataclasses import dataclass


def product(m, n, k):
    return 2 * m * n * k


def mlp_flops(batch, sizes):
    forward = [product(batch, n, k) for k, n in zip(sizes, sizes[1:])]
    return 3 * sum(forward) - forward[0]  # Nobody asks for the gradient by x.


def gpt_forward_flops(tokens, time, width, layers, vocabulary):
    weights = layers * 12 * width * width + vocabulary * width
    return product(tokens, weights, 1) + layers * 2 * product(tokens, time, width)


def resnet_flops(batch):
    layers = [(32, 3, 16, 3)]  # Side of the result, channels in and out, side of the kernel.
    for side, channels_in, channels in ((32, 16, 16), (32, 16, 16), (16, 16, 32), (16, 32, 32), (8, 32, 64), (8, 64, 64)):
        layers += [(side, channels_in, channels, 3), (side, channels, channels, 3)]
        if channels_in != channels:
            layers.append((side, channels_in, channels, 1))
    forward = [product(batch * side * side, out, into * kernel * kernel) for side, into, out, kernel in layers]
    return 3 * (sum(forward) + product(batch, 10, 64)) - forward[0]


@dataclass(frozen=True)
class Workload:
    id: str
    program: str  # bench/workloads/<program>.cpp
    function: str
    limit: int  # Of the integers among the inputs: classes or tokens.
    flops: int
    moved_words: int  # Words that a step must read or write for each parameter.
    text: str

    @property
    def is_forward(self):
        return self.function == "forward"


# A step of SGD reads and writes each parameter, momentum also its buffer, AdamW two.
WORKLOADS = {w.id: w for w in (
    Workload("i", "toy_mlp", "step", 10, mlp_flops(2, (2, 30, 20, 2)), 2, "MLP 2-30-20-2, batch 2, SGD step"),
    Workload("ii", "mnist_mlp", "step", 10, mlp_flops(64, (784, 512, 512, 10)), 2,
             "MLP 784-512-512-10, batch 64, SGD step"),
    Workload("iii", "gpt_small", "step", 4096, 3 * gpt_forward_flops(8 * 128, 128, 256, 4, 4096), 6,
             "GPT 4 layers, width 256, 8 x 128 tokens, AdamW step"),
    Workload("iv", "resnet", "step", 10, resnet_flops(32), 4, "ResNet 16-32-64, 32 images, SGD momentum step"),
    Workload("v", "gpt2_forward", "forward", 50257, gpt_forward_flops(128, 128, 768, 12, 50257), 1,
             "GPT-2 124M, 128 tokens, forward"),
    Workload("x", "gpt2_train", "step", 50257, 3 * gpt_forward_flops(128, 128, 768, 12, 50257), 6,
             "GPT-2 124M, 128 tokens, AdamW step"),
)}


def limit_ms(workload, parameters, limits):
    """The least a step can take: its FLOPs at the peak or its parameters at the best stream, whichever is longer."""
    if not limits or not limits["fma_gflops"]:
        return None
    return max(workload.flops / limits["fma_gflops"] / 1e6,
               4 * workload.moved_words * parameters / limits["best_stream_gbs"] / 1e6)
