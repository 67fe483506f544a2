# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families of matrix products."""
import random

from harness import BOUNDED, EXACT, FLOATS, Function, tensor

NONE = ([], [])


def dot_of(f, a, b, lhs, rhs, batch, contract, dtype, result=None):
    """The product's name and shape."""
    (lb, rb), (lc, rc) = batch, contract
    out = [lhs[k] for k in lb] + [d for k, d in enumerate(lhs) if k not in lb + lc]
    out += [d for k, d in enumerate(rhs) if k not in rb + rc]
    text = (f"dot_general {a}, {b} batching = {lb} x {rb} contracting = {lc} x {rc} : "
            f"{tensor(lhs, dtype)}, {tensor(rhs, dtype)} -> {tensor(out, result or dtype)}")  # fmt: skip
    return f.op(text), out


def dot(f, lhs, rhs, batch, contract, dtype, result=None):
    how = (-1.0, 1.0) if dtype in FLOATS else "special"
    a, b = f.input(lhs, dtype, how), f.input(rhs, dtype, how)
    y, out = dot_of(f, a, b, lhs, rhs, batch, contract, dtype, result)
    f.result(y, out, result or dtype, BOUNDED if dtype in FLOATS else EXACT)


def product():
    sizes = [(1, 1, 1), (2, 3, 4), (8, 30, 20), (7, 5, 17), (13, 64, 33), (1, 50, 31), (31, 50, 1), (64, 17, 64),
             (0, 3, 4), (3, 0, 4), (3, 4, 0), (5, 1, 3), (65, 129, 127)]  # fmt: skip
    for m, k, n in sizes:
        f = Function(f"product_{m}_{k}_{n}")
        dot(f, [m, k], [k, n], NONE, ([1], [0]), "f32")
        dot(f, [m, k], [n, k], NONE, ([1], [1]), "f32")
        dot(f, [k, m], [k, n], NONE, ([0], [0]), "f32")
        dot(f, [k, m], [n, k], NONE, ([0], [1]), "f64")
        dot(f, [m, k], [k, n], NONE, ([1], [0]), "i32")
        dot(f, [m, k], [k, n], NONE, ([1], [0]), "i64")
        dot(f, [m, k], [k, n], NONE, ([1], [0]), "i8", "i32")
        dot(f, [m, k], [n, k], NONE, ([1], [1]), "ui8", "i32")
        dot(f, [m, k], [n, k], NONE, ([1], [1]), "f16")
        dot(f, [m, k], [k, n], NONE, ([1], [0]), "f16", "f32")
        dot(f, [3, m, k], [3, n, k], ([0], [0]), ([2], [2]), "f32")
        dot(f, [m, 3, k], [n, k, 3], ([1], [2]), ([2], [1]), "f32")
        yield f
    f = Function("product_shapes")
    dot(f, [2, 3, 4, 5], [5, 4, 6, 7], NONE, ([3, 2], [0, 1]), "f32")
    dot(f, [6], [6], NONE, ([0], [0]), "f32")
    dot(f, [6], [7], NONE, NONE, "f32")
    yield f


def all_layouts(f, m, k, n, dtype, batch=()):
    """Both factors as they are and transposed."""
    first = list(range(len(batch)))
    for left_turned in (False, True):
        for right_turned in (False, True):
            left = [k, m] if left_turned else [m, k]
            right = [n, k] if right_turned else [k, n]
            terms = ([len(batch) + (not left_turned)], [len(batch) + right_turned])
            dot(f, [*batch, *left], [*batch, *right], (first, first), terms, dtype)


def product_sizes():
    """Each dimension in turn with every kind of tail, the others such that
    tiles, panels and parts of a long sum come in several sizes."""
    sizes = [1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 257]
    for size in sizes:
        f = Function(f"product_size_{size}")
        all_layouts(f, size, 33, 20, "f32")
        all_layouts(f, 29, size, 47, "f32")
        all_layouts(f, 20, 33, size, "f32")
        all_layouts(f, 5, size, 20, "f64")
        yield f
    # Sums in several parts; of the last ones, blocks pack a large factor part by part.
    for m, k, n in ((30, 1023, 40), (30, 1024, 33), (29, 1025, 100), (43, 4097, 70), (15, 1300, 15), (1, 1025, 300),
                    (300, 1025, 1), (61, 1801, 150), (6, 45001, 6), (301, 901, 70), (301, 1024, 70), (70, 901, 301)):  # fmt: skip
        f = Function(f"product_size_{m}_{k}_{n}")
        all_layouts(f, m, k, n, "f32")
        yield f


def slice_of(f, dtype, shape, rng):
    """A tensor of `shape` that is part of a larger one, maybe strided."""
    outer, start, step = [], [], []
    for size in shape:
        start.append(rng.randrange(3))
        step.append(rng.choice((1, 1, 2)))
        outer.append(start[-1] + (size - 1) * step[-1] + 1 + rng.randrange(3))
    limit = [s + (n - 1) * t + 1 for s, n, t in zip(start, shape, step)]
    x = f.input(outer, dtype, (-1.0, 1.0))
    return f.op(f"slice {x} starts = {start} limits = {limit} strides = {step} : "
                f"{tensor(outer, dtype)} -> {tensor(shape, dtype)}")


def all_strided(f, m, k, n, rng):
    """Factors in every layout that are slices of something larger."""
    for left, right, terms in (([m, k], [k, n], ([1], [0])), ([m, k], [n, k], ([1], [1])),
                               ([k, m], [k, n], ([0], [0])), ([k, m], [n, k], ([0], [1]))):  # fmt: skip
        a, b = slice_of(f, "f32", left, rng), slice_of(f, "f32", right, rng)
        y, out = dot_of(f, a, b, left, right, NONE, terms, "f32")
        f.result(y, out, "f32", BOUNDED)


def product_random():
    rng = random.Random(20)

    def size(most=300):
        return rng.randint(1, most) if rng.random() < 0.5 else int(most ** rng.random())

    for number in range(20):
        m, k, n = size(), size(), size()
        f = Function(f"product_random_{number}_{m}_{k}_{n}")
        all_layouts(f, m, k, n, rng.choice(("f32", "f32", "f64")))
        yield f
    for number in range(5):
        m, k, n = size(150), size(150), size(150)
        f = Function(f"product_batched_{number}_{m}_{k}_{n}")
        all_layouts(f, m, k, n, "f32", batch=[rng.randint(2, 5)])
        # The batch between the other dimensions, as heads are.
        b = rng.randint(2, 5)
        dot(f, [m, b, k], [n, b, k], ([1], [1]), ([2], [2]), "f32")
        dot(f, [b, m, k], [k, b, n], ([0], [1]), ([2], [0]), "f32")
        yield f
    for number in range(5):
        m, k, n = size(200), size(200), size(200)
        f = Function(f"product_strided_{number}_{m}_{k}_{n}")
        all_strided(f, m, k, n, rng)
        yield f
    # What reads a product, and computed factors: of whole numbers, so exact.
    for number in range(8):
        m, k, n = size(200), size(1000), size(200)
        f = Function(f"product_epilogue_{number}_{m}_{k}_{n}")
        x, w, b = (f.input(s, "f32", "whole") for s in ([m, k], [n, k], [n]))
        t = tensor([m, n], "f32")
        y = f.op(f"linear {x}, {w}, {b} : {tensor([m, k], 'f32')}, {tensor([n, k], 'f32')}, {tensor([n], 'f32')} -> {t}")
        f.out(f"relu {y} : {t}", [m, n], "f32")
        y, out = dot_of(f, x, w, [m, k], [n, k], NONE, ([1], [1]), "f32")
        f.out(f"transpose {y} permutation = [1, 0] : {t} -> {tensor([n, m], 'f32')}", [n, m], "f32")
        h = f.op(f"neg {x} : {tensor([m, k], 'f32')}")
        y, out = dot_of(f, h, w, [m, k], [n, k], NONE, ([1], [1]), "f32")
        f.result(y, out, "f32")
        yield f


def product_long(rng):
    """Any dimension from 1 to 300: M, N, K, the batch and what strides step over."""
    most = 4e6  # multiplications of a function, as the interpreter takes them one by one

    def sizes(count):
        """One of any size, the others of any order of magnitude."""
        while True:
            drawn = [int(300 ** rng.random()) for _ in range(count)]
            drawn[rng.randrange(count)] = rng.randint(1, 300)
            product = 1
            for size in drawn:
                product *= size
            if product <= most:
                return drawn

    for number in range(20):
        m, k, n = sizes(3)
        f = Function(f"product_long_{number}_{m}_{k}_{n}")
        all_layouts(f, m, k, n, rng.choice(("f32", "f32", "f32", "f64", "f16")))
        yield f
    for number in range(10):
        b, m, k, n = sizes(4)
        f = Function(f"product_long_batched_{number}_{b}_{m}_{k}_{n}")
        all_layouts(f, m, k, n, "f32", batch=[b])
        dot(f, [m, b, k], [n, b, k], ([1], [1]), ([2], [2]), "f32")
        yield f
    for number in range(10):
        m, k, n = sizes(3)
        f = Function(f"product_long_strided_{number}_{m}_{k}_{n}")
        all_strided(f, m, k, n, rng)
        yield f
