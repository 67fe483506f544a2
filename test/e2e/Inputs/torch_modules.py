# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares each module of the tracer with PyTorch's, in f64, from the same random
state: results, gradients by inputs and by parameters, and buffers after a call.

  torch_modules.py <build folder> <folder>

Exits with 1 if a tensor is off by more than 1e-9 of its largest element.
"""

import os
import sys

import numpy
import torch
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from torch_peer import Model, distance, run, state  # noqa: E402

build, folder = sys.argv[1:3]
programs = os.path.join(build, "bin")
LIMIT = 1e-9
rng = numpy.random.default_rng(11)


def normal(*shape):
    return rng.normal(size=shape)


def recurrent(net):
    """All results of an LSTM or a GRU, from given states or none."""
    def forward(x, *states):
        y, last = net(x, states if len(states) == 2 else states[0] if states else None)
        return [y, *last] if isinstance(last, tuple) else [y, last]
    return forward


def masked(net):
    return lambda x, mask, padding: net(x, x, x, key_padding_mask=padding, attn_mask=mask, need_weights=False)[0]


def causal(net):
    mask = torch.ones(5, 5, dtype=torch.bool).triu(1)
    return lambda x: net(x, x, x, attn_mask=mask, need_weights=False)[0]


def deep(kind):
    return kind(3, 4, num_layers=2, bidirectional=True)


def flat(kind):
    return kind(3, 4, batch_first=True, bias=False)


class RMSNorm(nn.Module):
    """torch.nn.RMSNorm by its formula: PyTorch before 2.4 has none."""

    def __init__(self, shape, eps=None, affine=True):
        super().__init__()
        self.eps, self.dims = eps, tuple(range(-len(shape), 0))
        self.weight = nn.Parameter(torch.ones(shape)) if affine else None

    def forward(self, x):
        eps = torch.finfo(x.dtype).eps if self.eps is None else self.eps
        y = x / torch.sqrt((x * x).mean(self.dims, keepdim=True) + eps)
        return y if self.weight is None else y * self.weight


ATTENTION = {"bias": False, "batch_first": True}
padding = numpy.zeros((2, 5), bool)
padding[0, 3:] = padding[1, 1] = True

# Module, inputs, and how it is called if not with these.
CASES = {
    "conv1d": (nn.Conv1d(4, 6, 3, 2, 1, 2, 2), [normal(3, 4, 11)]),
    "conv2d": (nn.Conv2d(4, 6, (3, 2), (2, 1), (1, 2), (1, 2), 2), [normal(2, 4, 9, 8)]),
    "conv2d_depthwise": (nn.Conv2d(4, 8, 3, padding=1, groups=4, bias=False), [normal(2, 4, 5, 6)]),
    "conv2d_one": (nn.Conv2d(5, 7, 1, 2), [normal(2, 5, 5, 4)]),
    "conv3d": (nn.Conv3d(2, 4, (2, 3, 2), (1, 2, 1), (1, 0, 2), (2, 1, 1), 2), [normal(2, 2, 5, 6, 4)]),
    "conv_transpose1d": (nn.ConvTranspose1d(4, 6, 3, 2, 1, 1, 2, True, 2), [normal(3, 4, 5)]),
    "conv_transpose2d": (nn.ConvTranspose2d(4, 6, (3, 2), (2, 3), (1, 0), (1, 2), 2, True, (1, 2)),
                         [normal(2, 4, 4, 3)]),
    "conv_transpose3d": (nn.ConvTranspose3d(2, 4, 2, (1, 2, 1), 1, 0, 2, False, (2, 1, 1)), [normal(2, 2, 4, 3, 4)]),
    "max_pool1d": (nn.MaxPool1d(3, 2, 1, 2), [normal(2, 3, 12)]),
    "max_pool2d": (nn.MaxPool2d((3, 2), (2, 1), (1, 0)), [normal(2, 3, 8, 7)]),
    "max_pool3d": (nn.MaxPool3d(2, (2, 1, 2), (1, 0, 1)), [normal(2, 2, 5, 4, 6)]),
    "avg_pool1d": (nn.AvgPool1d(3, 2, 1), [normal(2, 3, 10)]),
    "avg_pool2d": (nn.AvgPool2d((3, 2), (2, 1), (1, 1), count_include_pad=False), [normal(2, 3, 8, 7)]),
    "avg_pool3d": (nn.AvgPool3d(2), [normal(2, 2, 4, 5, 6)]),
    "adaptive_avg_pool2d": (nn.AdaptiveAvgPool2d((2, 3)), [normal(2, 3, 4, 6)]),
    "adaptive_max_pool2d": (nn.AdaptiveMaxPool2d((2, 1)), [normal(2, 3, 4, 6)]),
    "batch_norm1d": (nn.BatchNorm1d(3), [normal(6, 3)]),
    "batch_norm1d_long": (nn.BatchNorm1d(3, 1e-3, 0.3), [normal(4, 3, 5)]),
    "batch_norm2d": (nn.BatchNorm2d(3), [normal(4, 3, 2, 5)]),
    "batch_norm2d_eval": (nn.BatchNorm2d(3).eval(), [normal(4, 3, 2, 5)]),
    "batch_norm2d_plain": (nn.BatchNorm2d(3, affine=False, track_running_stats=False), [normal(4, 3, 2, 5)]),
    "batch_norm3d": (nn.BatchNorm3d(2), [normal(2, 2, 3, 2, 2)]),
    "group_norm": (nn.GroupNorm(2, 6), [normal(3, 6, 4)]),
    "layer_norm": (nn.LayerNorm((3, 4)), [normal(5, 3, 4)]),
    "layer_norm_plain": (nn.LayerNorm(4, 1e-3, False), [normal(5, 4)]),
    "rms_norm": (RMSNorm((3, 4)), [normal(5, 3, 4)]),
    "rms_norm_plain": (RMSNorm((4,), 1e-3, False), [normal(5, 4)]),
    "embedding": (nn.Embedding(7, 4), [rng.integers(0, 7, (5, 6))]),
    "embedding_padded": (nn.Embedding(7, 4, 2), [rng.integers(0, 7, (5, 6))]),
    "lstm": (deep(nn.LSTM), [normal(5, 2, 3), normal(4, 2, 4), normal(4, 2, 4)], recurrent),
    "lstm_flat": (flat(nn.LSTM), [normal(2, 5, 3)], recurrent),
    "gru": (deep(nn.GRU), [normal(5, 2, 3), normal(4, 2, 4)], recurrent),
    "gru_flat": (flat(nn.GRU), [normal(2, 5, 3)], recurrent),
    "attention": (nn.MultiheadAttention(8, 2), [normal(3, 2, 8), normal(5, 2, 8), normal(5, 2, 8)],
                  lambda net: lambda q, k, v: net(q, k, v, need_weights=False)[0]),
    "attention_masked": (nn.MultiheadAttention(8, 2, **ATTENTION), [normal(2, 5, 8), normal(5, 5), padding], masked),
    "attention_causal": (nn.MultiheadAttention(8, 4, **ATTENTION), [normal(2, 5, 8)], causal),
    "encoder": (nn.TransformerEncoderLayer(8, 2, 12, 0), [normal(3, 4, 8)]),
    "encoder_norm_first": (nn.TransformerEncoderLayer(8, 2, 12, 0, "gelu", batch_first=True, norm_first=True),
                           [normal(3, 4, 8)]),
}


def random_state(start):
    """Values that show a weight of 1 or a bias of 0 left out."""
    for name, array in start.items():
        if array.dtype == numpy.float64:
            start[name] = rng.normal(size=array.shape) * 0.5
        if name.endswith("running_var"):
            start[name] = rng.uniform(0.5, 2, array.shape)
        if name == "embedding_padded.weight":
            start[name][2] = 0
    return start


def compare(model, name, start, net, inputs, adapt=None):
    net.double()
    own = {key: torch.from_numpy(start[f"{name}.{key}"].copy()) for key in net.state_dict()}
    given = {key for key in start if key.startswith(name + ".")}
    assert given == {f"{name}.{key}" for key in own}, (given, list(own))
    net.load_state_dict(own)
    arguments = [torch.from_numpy(x).requires_grad_(x.dtype == numpy.float64) for x in inputs]
    results = (adapt(net) if adapt else net)(*arguments)
    results = results if isinstance(results, list) else [results]
    loss = sum(torch.sin(3 * y).sum() for y in results)
    loss.backward()
    expected = {"loss": loss}
    expected.update((f"result {k}", y) for k, y in enumerate(results))
    forward = len(expected)
    expected.update((f"input {k}", x.grad) for k, x in enumerate(arguments) if x.requires_grad)
    expected.update((key, p.grad) for key, p in net.named_parameters())

    for key, array in start.items():
        model.set(key, array)
    empty = [numpy.empty(tensor.shape) for tensor in expected.values()]
    got = model.run(name + ".grad", inputs, empty)
    for key, array in start.items():
        model.set(key, array)
    again = model.run(name, inputs, [numpy.empty_like(array) for array in got[:forward]])
    assert all(numpy.array_equal(a, b) for a, b in zip(got, again)), "the two functions differ"
    off = []
    for (key, tensor), array in zip(expected.items(), got):
        tensor = tensor.detach().numpy()
        if key.endswith("in_proj_bias"):  # The keys' has no gradient but rounding.
            middle = slice(len(array) // 3, 2 * len(array) // 3)
            assert max(abs(array[middle]).max(), abs(tensor[middle]).max()) < 1e-12
            array, tensor = numpy.delete(array, middle), numpy.delete(tensor, middle)
        assert tensor.any(), key + " is 0"
        off.append((distance(array, tensor), key))
    for key, buffer in net.named_buffers():
        off.append((distance(model.get(f"{name}.{key}", buffer.numpy()), buffer.numpy()), key))
    most, place = max(off)
    ok = most < LIMIT
    print(f"{name}: {'ok' if ok else 'DIFFERS'}, {len(off)} tensors, largest difference {most:.1e} ({place})")
    return ok


run(folder, os.path.join(programs, "test", "trace-modules"), "modules.so")
run(folder, os.path.join(programs, "graph-run"), "modules.so", "--save-state=start.safetensors")
first = random_state(state(os.path.join(folder, "start.safetensors")))
own = Model(os.path.join(build, "lib", "libgraphc.so"), os.path.join(folder, "modules.so"))
outcomes = [compare(own, name, first, *case) for name, case in CASES.items()]
print(f"{len(outcomes)} modules, {outcomes.count(False)} failures")
sys.exit(not all(outcomes))
