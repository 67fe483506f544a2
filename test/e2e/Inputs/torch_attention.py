# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares attention and its gradients with PyTorch's, computed in f64.

  torch_attention.py <build folder> <folder>

Prints for each type how far the worst tensor is off, of its largest element or of 1: some gradients are 0 but for
rounding. Compiled without fusion, all bits are the same. Exits with 1 otherwise.
"""

import itertools
import os
import random
import sys

import numpy
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from torch_peer import Model, distance, run  # noqa: E402

build, folder = sys.argv[1:3]
graphc = os.path.join(build, "bin", "graphc")
# Of f16 and bf16 the weights' gradient comes from a result that was rounded.
LIMITS = {"f64": 1e-13, "f32": 1e-5, "f16": 2e-3, "bf16": 2e-2}
EDGES = [1, 2, 63, 64, 65, 127, 129]
rng = numpy.random.default_rng(5)


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{size}x" for size in shape) + dtype + ">"


class Case:
    """Query [*lead, heads, rows, depth], key and value [*lead, key_heads, keys, ...].

    `views`: heads come after rows, and there is more beside each row, as in a product that gives query, key and value.
    """

    def __init__(self, dtype, rows, keys, lead=(), heads=2, key_heads=1, depth=8, width=8, causal=False, scale=None,
                 mask=None, mask_type="i1", views=False):
        self.dtype, self.causal, self.scale, self.views = dtype, causal, scale, views
        self.group = heads // key_heads
        q, k = [*lead, heads, rows, depth], [*lead, key_heads, keys, depth]
        v, y = [*lead, key_heads, keys, width], [*lead, heads, rows, width]
        self.shapes = [q, k, v, y] + ([mask] if mask else [])
        self.types = [dtype] * 4 + ([dtype if mask_type != "i1" else "i1"] if mask else [])
        # What files of bf16 and f16 hold goes in and out as f32.
        self.outside = dtype if dtype in ("f32", "f64") else "f32"
        self.given = [self.outer_shape(k) for k in range(len(self.shapes))]
        self.arrays = [self.draw(shape, t) for shape, t in zip(self.given, self.types)]

    def outer_shape(self, k):
        shape = list(self.shapes[k])
        if self.views and k < 4:
            shape[-3], shape[-2] = shape[-2], shape[-3]
            shape[-1] += 3 * (k < 3)
        return shape

    def inner(self, k, array):
        """The operand that argument `k` holds."""
        if not self.views or k > 3:
            return array
        return array[..., 2 : 2 + self.shapes[k][-1]].transpose(-3, -2) if k < 3 else array.transpose(-3, -2)

    def draw(self, shape, dtype):
        if dtype == "i1":
            return rng.random(shape) < 0.7
        array = torch.from_numpy(rng.normal(size=shape))
        if dtype in ("f16", "bf16"):
            array = array.to({"f16": torch.float16, "bf16": torch.bfloat16}[dtype]).to(torch.float32)
        return array.numpy().astype(numpy.float64 if dtype == "f64" else numpy.float32)

    @property
    def wanted(self):
        """Numbers of the arguments with a gradient."""
        return [0, 1, 2] + [4] * (len(self.types) == 5 and self.types[4] != "i1")

    def text(self, name):
        inner, outer = self.dtype, self.outside
        given = [tensor(s, t if t == "i1" else outer) for s, t in zip(self.given, self.types)]
        types = [tensor(s, t) for s, t in zip(self.shapes, self.types)]
        lines = [f"func.func @{name}_loss({', '.join(f'%in{k}: {t}' for k, t in enumerate(given))})"
                 f" -> (tensor<{outer}>, {given[3]}) {{"]
        last = len(self.shapes[0]) - 1
        swap = f"permutation = {[*range(last - 2), last - 1, last - 2, last]}"
        for k in (k for k in range(len(given)) if k != 3):
            shape, dtype = self.given[k], self.types[k]
            a = tensor(shape, dtype)
            cast = f"graph.cast %in{k} : {given[k]} -> {a}" if a != given[k] else f"graph.reshape %in{k} : {a} -> {a}"
            lines.append(f"  %{'b' if self.views and k < 3 else 'a'}{k} = {cast}")
            if not self.views or k > 2:
                continue
            starts, limits = [0] * last + [2], shape[:-1] + [2 + self.shapes[k][-1]]
            lines += [f"  %c{k} = graph.slice %b{k} starts = {starts} limits = {limits} strides = {[1] * (last + 1)} :"
                      f" {a} -> {tensor(limits[:-1] + [limits[-1] - 2], dtype)}",
                      f"  %a{k} = graph.transpose %c{k} {swap} : {tensor(limits[:-1] + [limits[-1] - 2], dtype)}"
                      f" -> {types[k]}"]
        use = [0, 1, 2] + [4] * (len(types) == 5)
        attributes = ("causal " if self.causal else "") + (f"scale = {self.scale}" if self.scale else "")
        lines.append(f"  %y = graph.attention {', '.join(f'%a{k}' for k in use)} {attributes} :"
                     f" {', '.join(types[k] for k in use)} -> {types[3]}")
        y, now = "%y", types[3]
        if self.views:
            y, now = "%t", tensor(self.given[3], inner)
            lines.append(f"  %t = graph.transpose %y {swap} : {types[3]} -> {now}")
        if inner != outer:
            lines.append(f"  %z = graph.cast {y} : {now} -> {given[3]}")
            y = "%z"
        axes = list(range(len(self.shapes[3])))
        lines += [f"  %p = graph.mul {y}, %in3 : {given[3]}",
                  f"  %l = graph.reduce_sum %p axes = {axes} : {given[3]} -> tensor<{outer}>",
                  f"  return %l, {y} : tensor<{outer}>, {given[3]}", "}",
                  f"graph.grad @{name} of @{name}_loss inputs = {self.wanted}"]
        return "\n".join(lines) + "\n"

    def expected(self):
        """What no key takes part with gives 0, and no gradient."""
        leaves = [torch.from_numpy(a) if a.dtype == bool else torch.from_numpy(a).double().requires_grad_()
                  for a in self.arrays]
        q, k, v, w, *mask = (self.inner(k, leaf) for k, leaf in enumerate(leaves))
        rows, keys = q.shape[-2], k.shape[-2]
        bias = torch.zeros((*q.shape[:-1], keys), dtype=torch.float64)
        if mask and mask[0].dtype == torch.bool:
            bias = bias.masked_fill(~mask[0], -torch.inf)
        elif mask:
            bias = bias + mask[0]
        if self.causal:
            ahead = torch.ones(rows, keys, dtype=torch.bool).triu(keys - rows + 1)
            bias = bias.masked_fill(ahead, -torch.inf)
        empty = torch.isinf(bias).all(-1, keepdim=True)
        bias = bias.masked_fill(empty, 0)
        k2, v2 = (x.repeat_interleave(self.group, -3) for x in (k, v))
        y = torch.nn.functional.scaled_dot_product_attention(q, k2, v2, bias, scale=self.scale)
        y = y.masked_fill(empty, 0)
        loss = (y * w).sum()
        loss.backward()
        return [loss, y.transpose(-3, -2) if self.views else y] + [leaves[k].grad for k in self.wanted]

    def empty(self):
        dtype = numpy.float64 if self.outside == "f64" else numpy.float32
        return [numpy.empty(shape, dtype) for shape in [[], self.given[3], *(self.given[k] for k in self.wanted)]]


def cases():
    # Blocks that the sizes fill, and do not.
    for n, (rows, step) in enumerate(itertools.product(range(len(EDGES)), (0, 2))):
        keys = EDGES[(rows + step) % len(EDGES)]
        yield Case(("f64", "f32")[n // 2 % 2], EDGES[rows], keys, depth=1 + n % 9, width=1 + n % 7, causal=n % 5 != 0)
    draws = random.Random(3)
    for n in range(16):
        key_heads, group = draws.choice([1, 2]), draws.choice([1, 2, 3])
        lead = draws.choice([(), (2,), (2, 3)])
        rows, keys = draws.choice(EDGES), draws.choice(EDGES)
        full = [*lead, key_heads * group, rows, keys]
        mask = [size if draws.random() < 0.6 else 1 for size in full[draws.randint(0, len(full) - 1):]]
        yield Case(list(LIMITS)[n % 4], rows, keys, lead, key_heads * group, key_heads, draws.randint(1, 40),
                   draws.randint(1, 40), draws.random() < 0.5, draws.choice([None, 0.3]), draws.choice([mask, mask, None]),
                   draws.choice(["i1", "float"]), views=n % 2 == 1 or n % 8 == 2)


def compile_to(name, *flags):
    run(folder, graphc, "attention.mlir", "-o", name, *flags)
    return Model(os.path.join(build, "lib", "libgraphc.so"), os.path.join(folder, name))


everything = {f"case{n}": case for n, case in enumerate(cases())}
with open(os.path.join(folder, "attention.mlir"), "w") as file:
    file.writelines(case.text(name) for name, case in everything.items())
model, plain = compile_to("attention.so"), compile_to("plain.so", "--fuse=off")
failures, worst = 0, dict.fromkeys(LIMITS, 0.0)
for name, case in everything.items():
    got = model.run(name, case.arrays, case.empty())
    if not all(map(numpy.array_equal, got, plain.run(name, case.arrays, case.empty()))):
        failures += 1
        print(f"{name}: fusion changes bits")
    for k, (array, tensor_) in enumerate(zip(got[1:], case.expected()[1:])):
        off = distance(array, tensor_.detach().numpy().astype(array.dtype), least=1)
        worst[case.dtype] = max(worst[case.dtype], off)
        if not off < LIMITS[case.dtype]:
            failures += 1
            print(f"{name}: tensor {k} of {case.shapes} in {case.types} is off by {off:.1e}")
print(", ".join(f"{dtype} {off:.1e}" for dtype, off in worst.items()))
print(f"{len(everything)} functions, {failures} failures")
sys.exit(failures != 0)
