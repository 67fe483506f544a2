# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""conformance.py FOLDER FAMILY...: one family of ops, in all types and sizes. Those
called _long draw other sizes each day, or with GRAPHC_SEED=N those of N, and say which."""
import datetime
import os
import random
import struct
import sys
from math import prod

from harness import BOUNDED, EXACT, FLOATS, Function, Harness, read_npy, tensor, write_npy
from products import dot, product, product_long, product_random, product_sizes

INTS = ["i8", "ui8", "i32", "i64"]
ALL = FLOATS + ["i1"] + INTS
SIZES = [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257,
         1023, 1024, 1025, 4097]  # fmt: skip


def elementwise():
    """Exact ops, at sizes with every kind of tail."""
    for dtype in ALL:
        for size in (0, 1, 3, 8, 37, 67):
            f = Function(f"elementwise_{dtype}_{size}")
            t, s = tensor([size], dtype), [size]
            x, y, c = f.input(s, dtype), f.input(s, dtype), f.input(s, "i1")
            unary, binary = [], []
            if dtype in FLOATS:
                unary = ["neg", "abs", "sqrt", "floor", "ceil", "round", "sign", "reciprocal", "relu"]
                binary = ["add", "sub", "mul", "div", "maximum", "minimum", "mul_no_nan", "rem"]
                for op in ("is_finite", "is_nan"):
                    f.out(f"{op} {x} : {t}", s, "i1")
                f.out(f"clamp {x} low = -1.0 high = 2.0 : {t}", s, dtype)
                f.out(f"rsqrt {x} : {t}", s, dtype, BOUNDED)
            elif dtype == "i1":
                unary, binary = ["not"], ["and", "or", "xor"]
            else:
                unary = ["neg", "abs", "sign", "not"]
                binary = ["add", "sub", "mul", "div", "rem", "maximum", "minimum", "and", "or", "xor",
                          "shift_left", "shift_right"]  # fmt: skip
                count = f.input(s, dtype, (0, 70))
                for op in ("shift_left", "shift_right"):
                    f.out(f"{op} {x}, {count} : {t}", s, dtype)
            for op in unary:
                f.out(f"{op} {x} : {t}", s, dtype)
            for op in binary:
                f.out(f"{op} {x}, {y} : {t}", s, dtype)
            for predicate in ("eq", "ne", "lt", "le", "gt", "ge"):
                f.out(f"compare {predicate}, {x}, {y} : {t}", s, "i1")
            f.out(f"select {c}, {x}, {y} : {t}", s, dtype)
            yield f
    for dtype in ALL:
        f = Function(f"elementwise_{dtype}")
        for size in SIZES:
            t, s = tensor([size], dtype), [size]
            x, y, c = f.input(s, dtype), f.input(s, dtype), f.input(s, "i1")
            unary, binary = ("not", "xor") if dtype == "i1" else ("neg", "add")
            f.out(f"{unary} {x} : {t}", s, dtype)
            f.out(f"{binary} {x}, {y} : {t}", s, dtype)
            f.out(f"compare lt, {x}, {y} : {t}", s, "i1")
            f.out(f"select {c}, {x}, {y} : {t}", s, dtype)
        yield f


def cast():
    for source in ALL:
        f = Function(f"cast_{source}")
        s = [71]
        draws = ["special", (-300.0, 300.0), (-1e10, 1e10)] if source in ("f32", "f64") else ["special"]
        for how in draws:
            x = f.input(s, source, how)
            for target in ALL + ["bf16"]:
                y = f.op(f"cast {x} : {tensor(s, source)} -> {tensor(s, target)}")
                if target == "bf16":  # which npy files do not hold
                    y = f.op(f"cast {y} : {tensor(s, 'bf16')} -> {tensor(s, 'f32')}")
                    target = "f32"
                f.result(y, s, target)
        yield f
    f = Function("bf16")
    t, b, s = tensor([71], "f32"), tensor([71], "bf16"), [71]
    x, y = (f.op(f"cast {f.input(s, 'f32')} : {t} -> {b}") for _ in range(2))
    for op in ("add", "sub", "mul", "div", "maximum", "minimum", "mul_no_nan"):
        z = f.op(f"{op} {x}, {y} : {b}")
        f.out(f"cast {z} : {b} -> {t}", s, "f32")
    for target in ("i8", "ui8", "i32", "i64", "i1", "f16", "f64"):
        f.out(f"cast {x} : {b} -> {tensor(s, target)}", s, target)
    yield f


def chain():
    """One op that becomes a chain of many, at every size."""
    for dtype in FLOATS:
        f = Function(f"chain_{dtype}")
        for size in SIZES:
            t, s = tensor([size], dtype), [size]
            x, y = f.input(s, dtype), f.input(s, dtype, (-1.0, 1.0))
            for op in ("silu", "sigmoid", "gelu", "tanh"):
                f.out(f"{op} {x} : {t}", s, dtype, BOUNDED)
            for op in ("softmax", "log_softmax"):
                f.out(f"{op} {x} axis = 0 : {t}", s, dtype, BOUNDED)
            f.out(f"mse_loss {y}, {y} reduction = none : {t}, {t} -> {t}", s, dtype, BOUNDED)
            z = f.input(s, dtype, (-1.0, 1.0))
            f.out(f"mse_loss {y}, {z} reduction = mean : {t}, {t} -> {tensor([], dtype)}", [], dtype, BOUNDED)
        yield f


def math():
    """Functions, at sizes with every kind of tail."""
    for dtype in FLOATS:
        f = Function(f"math_{dtype}")
        for size in (0, 1, 3, 8, 37, 67):
            t, s = tensor([size], dtype), [size]
            special, plain, positive = f.input(s, dtype), f.input(s, dtype, (-4.0, 4.0)), f.input(s, dtype, (0.1, 4.0))
            for op in ("exp", "expm1", "log", "log1p", "sin", "cos", "tanh", "erf"):
                for x in (special, plain, positive):
                    f.out(f"{op} {x} : {t}", s, dtype, BOUNDED)
            f.out(f"pow {positive}, {plain} : {t}", s, dtype, BOUNDED)
            f.out(f"pow {special}, {f.input(s, dtype)} : {t}", s, dtype, BOUNDED)
        yield f


def movement():
    for dtype in ("f32", "f16", "i1", "i8", "i64"):
        f = Function(f"movement_{dtype}")

        def move(op, shape, out):
            f.out(op.replace("T", dtype), out, dtype)

        m, v, z = f.input([7, 19], dtype), f.input([3, 4, 19], dtype), f.input([], dtype)
        r, e = f.input([19], dtype), f.input([0], dtype)
        move(f"stop_gradient {m} : tensor<7x19xT>", m, [7, 19])
        one = "true" if dtype == "i1" else "1.0" if dtype in FLOATS else "1"
        move(f"constant dense<{one}> : tensor<2x3xT>", m, [2, 3])
        move(f"transpose {m} permutation = [1, 0] : tensor<7x19xT> -> tensor<19x7xT>", m, [19, 7])
        move(f"transpose {v} permutation = [2, 0, 1] : tensor<3x4x19xT> -> tensor<19x3x4xT>", v, [19, 3, 4])
        move(f"transpose {v} permutation = [1, 0, 2] : tensor<3x4x19xT> -> tensor<4x3x19xT>", v, [4, 3, 19])
        move(f"reshape {v} : tensor<3x4x19xT> -> tensor<57x4xT>", v, [57, 4])
        move(f"slice {m} starts = [1, 2] limits = [6, 19] strides = [1, 1] : tensor<7x19xT> -> tensor<5x17xT>", m, [5, 17])
        move(f"slice {m} starts = [1, 2] limits = [6, 19] strides = [2, 3] : tensor<7x19xT> -> tensor<3x6xT>", m, [3, 6])
        move(f"slice {m} starts = [1, 2] limits = [1, 19] strides = [1, 1] : tensor<7x19xT> -> tensor<0x17xT>", m, [0, 17])
        move(f"pad {m}, {z} low = [1, 2] high = [0, 3] interior = [0, 0] : tensor<7x19xT> -> tensor<8x24xT>", m, [8, 24])
        move(f"pad {m}, {z} low = [1, 2] high = [0, 3] interior = [1, 2] : tensor<7x19xT> -> tensor<14x60xT>", m, [14, 60])
        move(f"pad {e}, {z} low = [1] high = [2] interior = [2] : tensor<0xT> -> tensor<3xT>", e, [3])
        move(f"concat {m}, {m} axis = 1 : tensor<7x19xT>, tensor<7x19xT> -> tensor<7x38xT>", m, [7, 38])
        move(f"concat {e}, {r}, {e} axis = 0 : tensor<0xT>, tensor<19xT>, tensor<0xT> -> tensor<19xT>", r, [19])
        move(f"broadcast {r} dims = [1] : tensor<19xT> -> tensor<4x19xT>", r, [4, 19])
        move(f"broadcast {r} dims = [0] : tensor<19xT> -> tensor<19x11xT>", r, [19, 11])
        move(f"broadcast {z} dims = [] : tensor<T> -> tensor<9x11xT>", z, [9, 11])
        f.result(m, [7, 19], dtype)  # an output that is an input
        # What steps over a single element has no bound.
        most = 2**63 - 1
        move(f"slice {m} starts = [1, 2] limits = [6, 19] strides = [{most}, 3] : tensor<7x19xT> -> tensor<1x6xT>", m, [1, 6])
        one = f.op(f"slice {m} starts = [1, 2] limits = [6, 19] strides = [2, {most}] : tensor<7x19xT> -> tensor<3x1xT>".replace("T", dtype))
        move(f"pad {one}, {z} low = [1, 2] high = [0, 3] interior = [1, {most - 1}] : tensor<3x1xT> -> tensor<6x6xT>", one, [6, 6])
        yield f
    for dtype in ("f32", "i8", "f16"):
        f = Function(f"movement_sizes_{dtype}")
        for n in SIZES:
            x, y, z = f.input([n], dtype), f.input([3, n], dtype), f.input([], dtype)
            v, m = tensor([n], dtype), tensor([3, n], dtype)
            f.out(f"broadcast {x} dims = [1] : {v} -> {m}", [3, n], dtype)
            f.out(f"broadcast {x} dims = [0] : {v} -> {tensor([n, 3], dtype)}", [n, 3], dtype)
            f.out(f"concat {x}, {x} axis = 0 : {v}, {v} -> {tensor([2 * n], dtype)}", [2 * n], dtype)
            f.out(f"concat {y}, {y} axis = 1 : {m}, {m} -> {tensor([3, 2 * n], dtype)}", [3, 2 * n], dtype)
            f.out(f"transpose {y} permutation = [1, 0] : {m} -> {tensor([n, 3], dtype)}", [n, 3], dtype)
            f.out(f"slice {x} starts = [0] limits = [{n}] strides = [2] : {v} -> {tensor([(n + 1) // 2], dtype)}", [(n + 1) // 2], dtype)
            f.out(f"pad {x}, {z} low = [1] high = [2] interior = [0] : {v} -> {tensor([n + 3], dtype)}", [n + 3], dtype)
        yield f
    f = Function("iota")
    for dtype in FLOATS + INTS:
        for axis in (0, 1):
            f.out(f"iota axis = {axis} : {tensor([5, 300], dtype)}", [5, 300], dtype)
    yield f


def reduction(f, x, op, dtype, shape, axes):
    out = [d for k, d in enumerate(shape) if k not in axes]
    types = f"{tensor(shape, dtype)} -> {tensor(out, dtype)}"
    sums = dtype in FLOATS and op in ("reduce_sum", "reduce_mean", "reduce_prod")
    f.out(f"{op} {x} axes = {axes} : {types}", out, dtype, BOUNDED if sums else EXACT)


def reduce_size(f, dtype, size, arguments=True):
    for shape, axes in (([size], [0]), ([3, size], [1]), ([size, 19], [0])):
        x = plain = f.input(shape, dtype)
        if dtype in FLOATS:
            plain = f.input(shape, dtype, (-1.0, 1.0))
        reduction(f, plain, "reduce_sum", dtype, shape, axes)
        for op in ("reduce_max", "reduce_min") if arguments else ("reduce_max",):
            reduction(f, x, op, dtype, shape, axes)
        factors = f.input(shape, dtype, "near one") if dtype in FLOATS else x
        reduction(f, factors, "reduce_prod", dtype, shape, axes)
        if size and arguments:
            out = [d for k, d in enumerate(shape) if k not in axes]
            for op in ("argmax", "argmin"):
                f.out(f"{op} {x} axis = {axes[0]} : {tensor(shape, dtype)} -> {tensor(out, 'i64')}", out, "i64")


def reduce():
    for dtype in FLOATS + INTS:
        f = Function(f"reduce_{dtype}")
        for size in SIZES:
            reduce_size(f, dtype, size, dtype == "f32" or size in (1, 7, 65, 4097))
        yield f
    f = Function("reduce_shapes")
    for shape, axes in (([3, 4, 5, 6], [0, 2]), ([3, 4, 5, 6], [1, 3]), ([3, 4, 5, 6], [1, 2]), ([3, 1, 1, 6], [1, 2]),
                        ([1, 1], [0, 1]), ([5, 200, 70], [0, 2]), ([70, 3, 70, 2], [0, 2]), ([3, 4], []),
                        ([0, 4], [1]), ([], []), ([0, 2, 5], [0, 2]), ([0, 2, 5], [0, 1])):  # fmt: skip
        reduction(f, f.input(shape, "f32", (-1.0, 1.0)), "reduce_sum", "f32", shape, axes)
        reduction(f, f.input(shape, "i32"), "reduce_max", "i32", shape, axes)
    yield f


def composite():
    for dtype in FLOATS:
        for shape in ([4, 10], [3, 257], [2, 5, 7], [6, 1], [5, 4100]):
            f = Function(f"composite_{dtype}_" + "x".join(map(str, shape)))
            t, rows = tensor(shape, dtype), shape[:-1]
            x, plain = f.input(shape, dtype), f.input(shape, dtype, (-4.0, 4.0))
            p, q = f.input(shape, dtype, (0.0, 1.0)), f.input(shape, dtype, (0.0, 1.0))
            classes = f.input(rows, "i64", (0, shape[-1] - 1))
            key = f.input([3], "i64")
            for axis in range(len(shape)):
                for value in (x, plain):
                    f.out(f"softmax {value} axis = {axis} : {t}", shape, dtype, BOUNDED)
                    f.out(f"log_softmax {value} axis = {axis} : {t}", shape, dtype, BOUNDED)
            f.out(f"gelu {x} approximate = tanh : {t}", shape, dtype, BOUNDED)
            for how in ("mean", "sum", "none"):
                out = shape if how == "none" else []
                per_row = rows if how == "none" else []
                o, r = tensor(out, dtype), tensor(per_row, dtype)
                pairs = f"reduction = {how} : {t}, {t} -> {o}"
                f.out(f"mse_loss {plain}, {p} {pairs}", out, dtype, BOUNDED)
                f.out(f"binary_cross_entropy {p}, {q} {pairs}", out, dtype, BOUNDED)
                f.out(f"binary_cross_entropy_with_logits {plain}, {q} {pairs}", out, dtype, BOUNDED)
                ids = tensor(rows, "i64")
                for attributes in ("", "{label_smoothing = 0.1, ignore_index = 0}"):
                    f.out(f"cross_entropy {plain}, {classes} reduction = {how} {attributes} : {t}, {ids} -> {r}",
                          per_row, dtype, BOUNDED)  # fmt: skip
            reduction(f, plain, "reduce_mean", dtype, shape, [0])
            f.out(f"dropout {plain} key {key} p = 0.3 op_id = 3 mode = train : {t}", shape, dtype, BOUNDED)
            yield f
        f = Function(f"linear_{dtype}")
        x, w, b = (f.input(s, dtype, (-1.0, 1.0)) for s in ([2, 7, 33], [19, 33], [19]))
        types = f"{tensor([2, 7, 33], dtype)}, {tensor([19, 33], dtype)}"
        o = tensor([2, 7, 19], dtype)
        f.out(f"linear {x}, {w}, {b} : {types}, {tensor([19], dtype)} -> {o}", [2, 7, 19], dtype, BOUNDED)
        f.out(f"linear {x}, {w} : {types} -> {o}", [2, 7, 19], dtype, BOUNDED)
        yield f


def gather(f, x, shape, indices, axis, batch, dtype, index="i64"):
    """Gathers from `x`, and adds as many slices to it."""
    out = shape[:axis] + indices[batch:] + shape[axis + 1:]
    i = f.input(indices, index, (0, max(shape[axis] - 1, 0)))
    t, ti, to = tensor(shape, dtype), tensor(indices, index), tensor(out, dtype)
    where = f"axis = {axis} batch_dims = {batch}"
    f.out(f"gather {x}, {i} {where} : {t}, {ti} -> {to}", out, dtype)
    if dtype != "i1":
        u = f.input(out, dtype, (-2.0, 2.0) if dtype in FLOATS else "special")
        f.out(f"scatter_add {x}, {i}, {u} {where} : {t}, {ti}, {to} -> {t}", shape, dtype,
              BOUNDED if dtype in FLOATS else EXACT)


def index():
    for dtype in ALL:
        f = Function(f"index_{dtype}")
        plain = (-2.0, 2.0) if dtype in FLOATS else "special"
        for shape, indices, axis, batch in (
                ([7], [5], 0, 0), ([7, 19], [5], 0, 0), ([7, 19], [5], 1, 0), ([3, 4, 19], [2, 5], 1, 0),
                ([3, 4, 19], [3, 5], 1, 1), ([3, 4, 19], [3, 4, 33], 2, 2), ([7, 33], [], 0, 0), ([2, 5], [2], 1, 1),
                ([1, 1], [3], 0, 0), ([5, 0], [3], 0, 0), ([0, 5], [0], 0, 0), ([4], [0, 3], 0, 0),
                ([2, 3, 4, 5], [2, 6, 2], 2, 1)):  # fmt: skip
            for number in ("i64", "i32"):
                gather(f, f.input(shape, dtype, plain), shape, indices, axis, batch, dtype, number)
        yield f
        f = Function(f"tables_{dtype}")
        for indices in ([5], [], [2, 3], [0]):
            i, classes = f.input(indices, "i32", (0, 8)), indices + [9]
            f.out(f"check_index {i} limit = 9 : {tensor(indices, 'i32')}", indices, "i32")
            f.out(f"one_hot {i} : {tensor(indices, 'i32')} -> {tensor(classes, dtype)}", classes, dtype)
            if dtype in FLOATS:
                w, out = f.input([9, 17], dtype), indices + [17]
                for padding in ("", "padding_idx = 3"):
                    f.out(f"embedding {w}, {i} {padding} : {tensor([9, 17], dtype)}, {tensor(indices, 'i32')} -> "
                          f"{tensor(out, dtype)}", out, dtype)  # fmt: skip
        for shape in ([5, 7], [2, 33, 17], [1, 1], [0, 3], [3, 0]):
            x, t = f.input(shape, dtype), tensor(shape, dtype)
            for diagonal in (-100, -2, 0, 1, 5, 100):
                for op in ("tril", "triu"):
                    f.out(f"{op} {x} diagonal = {diagonal} : {t}", shape, dtype)
        yield f
        f = Function(f"dynamic_{dtype}")
        starts = [f.input([], "i64", how) for how in ((-3, 3), (0, 9), "special")]
        for shape, sizes in (([], []), ([19], [5]), ([19], [19]), ([19], [0]), ([7, 33], [3, 17]), ([7, 33], [7, 1]),
                             ([4, 5, 6], [2, 1, 6]), ([0, 3], [0, 2])):  # fmt: skip
            x, u, t = f.input(shape, dtype), f.input(sizes, dtype), tensor(shape, dtype)
            for turn in range(3):
                at = "".join(f", {starts[(turn + k) % 3]}" for k in range(len(shape)))
                f.out(f"dynamic_slice {x}{at} sizes = {sizes} : {t} -> {tensor(sizes, dtype)}", sizes, dtype)
                f.out(f"dynamic_update_slice {x}, {u}{at} : {t}, {tensor(sizes, dtype)} -> {t}", shape, dtype)
            # Over a value that nothing else reads, so in place; and from itself.
            y = f.op(f"reshape {x} : {t} -> {t}")
            f.out(f"dynamic_update_slice {y}, {u}{at} : {t}, {tensor(sizes, dtype)} -> {t}", shape, dtype)
            f.out(f"dynamic_update_slice {x}, {x}{at} : {t}, {t} -> {t}", shape, dtype)
        yield f


def scan():
    for dtype in FLOATS + INTS:
        f = Function(f"scan_{dtype}")
        plain = (-2.0, 2.0) if dtype in FLOATS else "special"
        for shape in ([1], [7], [0], [300], [3, 19], [19, 3], [2, 33, 17], [5, 0], [4, 5, 1]):
            x, t = f.input(shape, dtype, plain), tensor(shape, dtype)
            for axis in range(len(shape)):
                for reverse in ("", "reverse"):
                    f.out(f"cumsum {x} axis = {axis} {reverse} : {t}", shape, dtype,
                          BOUNDED if dtype in FLOATS else EXACT)
        yield f


def sort_line(f, x, shape, axis, dtype, order):
    t, i = tensor(shape, dtype), tensor(shape, "i64")
    values, indices = f.ops(f"sort {x} axis = {axis} {order} : {t} -> {t}, {i}", 2)
    f.result(values, shape, dtype)
    f.result(indices, shape, "i64")


def sort():
    for dtype in FLOATS + INTS:
        f = Function(f"sort_{dtype}")
        for size in SIZES if dtype == "f32" else (0, 1, 2, 3, 7, 64, 257):
            x = f.input([size], dtype)
            for order in ("", "descending"):
                sort_line(f, x, [size], 0, dtype, order)
        yield f
        f = Function(f"sort_shapes_{dtype}")
        for shape in ([3, 19], [19, 3], [2, 33, 5], [5, 0], [0, 5], [4, 1, 5]):
            x = f.input(shape, dtype)
            for axis in range(len(shape)):
                sort_line(f, x, shape, axis, dtype, "descending")
                for k in sorted({0, min(1, shape[axis]), shape[axis] // 2, shape[axis]}):
                    out = shape[:axis] + [k] + shape[axis + 1:]
                    for smallest in ("", "smallest"):
                        values, indices = f.ops(
                            f"top_k {x} k = {k} axis = {axis} {smallest} : {tensor(shape, dtype)} -> "
                            f"{tensor(out, dtype)}, {tensor(out, 'i64')}", 2)  # fmt: skip
                        f.result(values, out, dtype)
                        f.result(indices, out, "i64")
        yield f


def places(size, kernel, stride, low, high, dilation):
    return (size + low + high - dilation * (kernel - 1) - 1) // stride + 1


def window(strides, low, high, dilation):
    return f"strides = {strides} low = {low} high = {high} dilation = {dilation}"


def conv(f, dtype, n, c, o, size, kernel, strides, low, high, dilation, groups):
    """A convolution, its transpose of the same weight, its weight gradient."""
    out = [places(*of) for of in zip(size, kernel, strides, low, high, dilation)]
    xs, ws, ys = [n, c] + size, [o, c // groups] + kernel, [n, o] + out
    x, w, b, g = (f.input(shape, dtype, (-1.0, 1.0)) for shape in (xs, ws, [o], ys))
    tx, tw, tb, ty = (tensor(shape, dtype) for shape in (xs, ws, [o], ys))
    how, group = window(strides, low, high, dilation), f"groups = {groups}"
    f.out(f"conv {x}, {w} {how} {group} : {tx}, {tw} -> {ty}", ys, dtype, BOUNDED)
    f.out(f"conv {x}, {w}, {b} {how} {group} : {tx}, {tw}, {tb} -> {ty}", ys, dtype, BOUNDED)
    f.out(f"conv_weight_grad {x}, {g} {how} {group} : {tx}, {ty} -> {tw}", ws, dtype, BOUNDED)
    more = [s + lo + hi - d * (k - 1) - 1 - (p - 1) * t
            for s, p, k, t, lo, hi, d in zip(size, out, kernel, strides, low, high, dilation)]  # fmt: skip
    f.out(f"conv_transpose {g}, {w} {how} output_padding = {more} {group} : {ty}, {tw} -> {tx}", xs, dtype, BOUNDED)


def convolution():
    for dtype in FLOATS:
        f = Function(f"conv_{dtype}")
        conv(f, dtype, 2, 3, 5, [17], [3], [1], [1], [1], [1], 1)
        conv(f, dtype, 1, 4, 6, [19], [4], [3], [2], [0], [2], 2)
        conv(f, dtype, 3, 1, 1, [1], [1], [1], [0], [0], [1], 1)
        conv(f, dtype, 2, 6, 6, [9], [3], [2], [1], [1], [1], 6)
        conv(f, dtype, 0, 2, 3, [9], [3], [1], [1], [1], [1], 1)
        conv(f, dtype, 1, 1, 1, [0], [2], [1], [1], [1], [1], 1)
        yield f
        f = Function(f"conv_2d_{dtype}")
        conv(f, dtype, 2, 3, 7, [9, 33], [3, 3], [1, 1], [1, 1], [1, 1], [1, 1], 1)
        conv(f, dtype, 2, 4, 4, [8, 9], [3, 2], [2, 2], [1, 0], [0, 1], [1, 2], 2)
        conv(f, dtype, 1, 16, 8, [8, 8], [1, 1], [1, 1], [0, 0], [0, 0], [1, 1], 1)
        conv(f, dtype, 1, 2, 3, [5, 1], [5, 1], [1, 1], [0, 0], [0, 0], [1, 1], 1)
        yield f
        f = Function(f"conv_3d_{dtype}")
        conv(f, dtype, 1, 2, 3, [4, 5, 6], [2, 3, 2], [1, 2, 1], [1, 1, 0], [0, 1, 1], [1, 1, 2], 1)
        yield f
        f = Function(f"transpose_{dtype}")
        for size, kernel, stride, low, high, dilation, more in (
                (5, 3, 2, 1, 1, 1, 1), (5, 1, 1, 2, 1, 1, 0), (4, 2, 1, 0, 2, 3, 2), (3, 4, 5, 0, 0, 1, 4), (2, 2, 1, 1, 2, 1, 0)):  # fmt: skip
            out = (size - 1) * stride + dilation * (kernel - 1) + 1 - low - high + more
            x, w, b = f.input([2, 4, size], dtype, (-1.0, 1.0)), f.input([4, 3, kernel], dtype), f.input([6], dtype)
            tx, tw, to = tensor([2, 4, size], dtype), tensor([4, 3, kernel], dtype), tensor([2, 6, out], dtype)
            f.out(f"conv_transpose {x}, {w}, {b} {window([stride], [low], [high], [dilation])} output_padding = [{more}] groups = 2"
                  f" : {tx}, {tw}, {tensor([6], dtype)} -> {to}", [2, 6, out], dtype, BOUNDED)  # fmt: skip
        yield f


def convolution_random():
    """Maps, channels and kernels of many sizes: sums of every layout, tails of
    tiles, phases of strides that do not divide the result."""
    rng = random.Random(4)

    def size(most):
        return max(1, int(most ** rng.random()))

    for number in range(24):
        dims = rng.choice((1, 2, 2, 2, 3))
        groups = rng.choice((1, 1, 1, 2, 5))
        c, o = groups * size(40 // groups), groups * size(40 // groups)
        if number % 6 == 5:  # depthwise
            groups = c
            o = c * rng.choice((1, 2))
        most = {1: 200, 2: 34, 3: 9}[dims]
        kernel, strides, low, high, dilation, shape = ([] for _ in range(6))
        for _ in range(dims):
            kernel.append(rng.choice((1, 2, 3, 3, 3, 5)))
            strides.append(rng.choice((1, 1, 2, 2, 3, 5)))
            dilation.append(rng.choice((1, 1, 1, 2, 3)))
            low.append(rng.randint(0, kernel[-1]))
            high.append(rng.randint(0, kernel[-1]))
            reach = dilation[-1] * (kernel[-1] - 1) + 1
            shape.append(max(size(most), reach - low[-1] - high[-1], 1))
        f = Function(f"conv_random_{number}")
        conv(f, "f32", size(9), c, o, shape, kernel, strides, low, high, dilation, groups)
        yield f
    for number, (n, c, o, side, kernel, stride) in enumerate(((4, 16, 16, 32, 3, 1), (3, 20, 32, 16, 3, 2), (7, 32, 33, 8, 3, 1), (9, 48, 16, 4, 3, 1),
                                                              (2, 3, 16, 32, 3, 1), (3, 17, 32, 14, 1, 2), (2, 16, 30, 7, 3, 1))):  # fmt: skip
        f = Function(f"conv_square_{number}")
        conv(f, "f32", n, c, o, [side] * 2, [kernel] * 2, [stride] * 2, [kernel // 2] * 2, [kernel // 2] * 2, [1, 1], 1)
        yield f


def convolution_long(rng):
    """Any of images, channels in and out, and sides from 1 to 300."""
    most = 3e6  # multiplications
    for number in range(24):
        dims = rng.choice((1, 2, 2, 2, 3))
        groups = rng.choice((1, 1, 1, 2, 3))
        while True:
            drawn = [int(300 ** rng.random()) for _ in range(3 + dims)]
            drawn[rng.randrange(3 + dims)] = rng.randint(1, 300)
            n, c, o, *shape = drawn
            c, o = max(1, c // groups), max(1, o // groups)
            kernel = [rng.choice((1, 2, 3, 3, 5, 7)) for _ in shape]
            if n * c * o * prod(shape) * prod(kernel) * groups <= most:
                break
        strides = [rng.choice((1, 1, 2, 3)) for _ in shape]
        dilation = [rng.choice((1, 1, 2)) for _ in shape]
        low, high = ([rng.randint(0, k) for k in kernel] for _ in range(2))
        shape = [max(size, d * (k - 1) + 1 - lo - hi, 1) for size, k, d, lo, hi in zip(shape, kernel, dilation, low, high)]
        f = Function(f"conv_long_{number}_{n}_{c * groups}_{o * groups}_" + "_".join(map(str, shape)))
        conv(f, "f32", n, c * groups, o * groups, shape, kernel, strides, low, high, dilation, groups)
        yield f


def windows():
    for dtype in ALL:
        f = Function(f"windows_{dtype}")
        plain = (-2.0, 2.0) if dtype in FLOATS else "special"
        for shape, kernel, strides, dilation in (([9], [3], [1], [1]), ([2, 17], [4], [3], [2]), ([3, 8, 33], [2, 3], [2, 1], [1, 3]),
                                                 ([5, 1], [1], [7], [9]), ([2, 0, 4], [2], [1], [1])):  # fmt: skip
            n = len(kernel)
            out = [places(s, k, t, 0, 0, d) for s, k, t, d in zip(shape[-n:], kernel, strides, dilation)]
            unfolded = shape[:-n] + out + kernel
            t, u, how = tensor(shape, dtype), tensor(unfolded, dtype), f"strides = {strides} dilation = {dilation}"
            x, y = f.input(shape, dtype), f.input(unfolded, dtype, plain)
            f.out(f"unfold {x} kernel = {kernel} {how} : {t} -> {u}", unfolded, dtype)
            f.out(f"reverse {x} axes = {list(range(len(shape)))[-2:]} : {t}", shape, dtype)
            if dtype != "i1":
                f.out(f"fold {y} {how} : {u} -> {t}", shape, dtype, BOUNDED if dtype in FLOATS else EXACT)
        for shape, kernel, strides, low, high, dilation in (
                ([2, 9, 16], [2, 2], [2, 2], [0, 0], [0, 0], [1, 1]), ([3, 17], [3], [1], [1], [1], [1]), ([7, 8], [3, 2], [2, 3], [1, 1], [0, 1], [1, 1]),
                ([2, 9], [3], [2], [1], [2], [2]), ([4, 4], [4, 4], [4, 4], [0, 0], [0, 0], [1, 1]), ([0, 5], [2], [1], [0], [0], [1])):  # fmt: skip
            n = len(kernel)
            out = shape[:-n] + [places(*of) for of in zip(shape[-n:], kernel, strides, low, high, dilation)]
            how = f"kernel = {kernel} {window(strides, low, high, dilation)}"
            t, o, x = tensor(shape, dtype), tensor(out, dtype), f.input(shape, dtype)
            if dtype != "i1":
                f.out(f"max_pool {x} {how} : {t} -> {o}", out, dtype)
            if dtype in FLOATS:
                for extra in ("", "exclude_padding"):
                    f.out(f"avg_pool {x} {how} {extra} : {t} -> {o}", out, dtype, BOUNDED)
        yield f


HUGE = {"f64": (1e200, 4e200), "f32": (1e20, 4e20), "bf16": (1e20, 4e20)}


def norm():
    plain = (-3.0, 3.0)
    for dtype in FLOATS:
        f = Function(f"norm_{dtype}")
        for shape, rank in (([5, 7], 1), ([3, 257], 1), ([2, 5, 7], 2), ([6, 1], 1), ([5, 4100], 1), ([17], 1),
                            ([0, 3], 1), ([3, 0], 1), ([2, 3, 4, 5], 4)):  # fmt: skip
            t, p = tensor(shape, dtype), tensor(shape[-rank:], dtype)
            x, special = f.input(shape, dtype, plain), f.input(shape, dtype)
            w, b = f.input(shape[-rank:], dtype, plain), f.input(shape[-rank:], dtype, plain)
            how = f"normalized_rank = {rank} eps = 1.0e-5 : {t}"
            f.out(f"layer_norm {x} {how}", shape, dtype, BOUNDED)
            f.out(f"layer_norm {x}, {w}, {b} {how}, {p}, {p}", shape, dtype, BOUNDED)
            f.out(f"rms_norm {x} {how}", shape, dtype, BOUNDED)
            f.out(f"rms_norm {x}, {w} {how}, {p}", shape, dtype, BOUNDED)
            f.out(f"layer_norm {special} normalized_rank = {rank} eps = 0.1 : {t}", shape, dtype, BOUNDED)
            # Squares do not fit, sums do.
            if dtype in HUGE:
                huge = f.input(shape, dtype, HUGE[dtype])
                f.out(f"layer_norm {huge}, {w}, {b} {how}, {p}, {p}", shape, dtype, BOUNDED)
                f.out(f"rms_norm {huge} {how}", shape, dtype, BOUNDED)
        yield f
        f = Function(f"norm_channels_{dtype}")
        for shape, groups in (([2, 6], 3), ([2, 6, 5], 2), ([3, 4, 5, 7], 4), ([5, 33, 3, 3], 1), ([70, 8, 2], 2),
                              ([200, 3], 1), ([2, 0, 3], 1), ([4, 2, 0], 1), ([2, 2, 70, 70], 2)):  # fmt: skip
            t, c = tensor(shape, dtype), tensor([shape[1]], dtype)
            x, w, b, m = (f.input(s, dtype, plain) for s in (shape, [shape[1]], [shape[1]], [shape[1]]))
            v = f.input([shape[1]], dtype, (0.1, 2.0))
            f.out(f"group_norm {x} groups = {groups} eps = 1.0e-5 : {t}", shape, dtype, BOUNDED)
            f.out(f"group_norm {x}, {w}, {b} groups = {groups} eps = 1.0e-5 : {t}, {c}, {c}", shape, dtype, BOUNDED)
            if dtype in HUGE:
                huge = f.input(shape, dtype, HUGE[dtype])
                f.out(f"group_norm {huge} groups = {groups} eps = 1.0e-5 : {t}", shape, dtype, BOUNDED)
                if 0 not in shape[2:]:
                    y, nm, nv = f.ops(f"batch_norm {huge}, {m}, {v} momentum = 0.3 eps = 1.0e-5 mode = train : {t}, {c}, {c}", 3)
                    f.result(y, shape, dtype, BOUNDED)
                    f.result(nv, [shape[1]], dtype, BOUNDED)
            for mode in ("train", "eval"):
                if mode == "train" and 0 in shape[2:]:
                    continue
                for extra, types in ((f"{x}, {m}, {v}", f"{t}, {c}, {c}"), (f"{x}, {m}, {v}, {w}, {b}", ", ".join([t] + [c] * 4))):
                    y, nm, nv = f.ops(f"batch_norm {extra} momentum = 0.3 eps = 1.0e-5 mode = {mode} : {types}", 3)
                    f.result(y, shape, dtype, BOUNDED)
                    f.result(nm, [shape[1]], dtype, BOUNDED)
                    f.result(nv, [shape[1]], dtype, BOUNDED)
        yield f


def attend(f, dtype, lead, heads, key_heads, rows, keys, depth, width, attributes="", mask=None, mask_type="i1"):
    plain = (-1.5, 1.5)
    qs, ks = lead + heads + [rows, depth], lead + key_heads + [keys, depth]
    vs, out = lead + key_heads + [keys, width], lead + heads + [rows, width]
    operands = [f.input(s, dtype, plain) for s in (qs, ks, vs)]
    types = [tensor(s, dtype) for s in (qs, ks, vs)]
    if mask is not None:
        operands.append(f.input(mask, mask_type, plain))
        types.append(tensor(mask, mask_type))
    f.out(f"attention {', '.join(operands)} {attributes} : {', '.join(types)} -> {tensor(out, dtype)}", out, dtype, BOUNDED)
    for k in (3, 4):
        operands.insert(k, f.input(out, dtype, plain))
        types.insert(k, tensor(out, dtype))
    gradients = f.ops(f"attention_grad {', '.join(operands)} {attributes} : {', '.join(types)}", 3)
    for name, shape in zip(gradients, (qs, ks, vs)):
        f.result(name, shape, dtype, BOUNDED)


def attention():
    for dtype in FLOATS:
        f = Function(f"attention_{dtype}")
        attend(f, dtype, [2], [3], [3], 5, 7, 4, 4)
        attend(f, dtype, [2], [4], [2], 5, 7, 8, 3, "causal")
        attend(f, dtype, [], [4], [1], 9, 9, 16, 16, "causal scale = 0.5")
        attend(f, dtype, [], [], [], 7, 3, 5, 2, "causal")
        attend(f, dtype, [], [], [], 1, 33, 5, 2)
        attend(f, dtype, [2, 1], [2], [2], 3, 6, 4, 5, "", [3, 6])
        attend(f, dtype, [2], [4], [2], 3, 6, 4, 5, "causal", [2, 1, 1, 6])
        attend(f, dtype, [2], [4], [2], 3, 6, 4, 5, "", [4, 3, 1])
        attend(f, dtype, [2], [4], [2], 3, 6, 4, 5, "", [2, 4, 3, 6], dtype)
        attend(f, dtype, [2], [4], [2], 3, 6, 4, 5, "causal", [1, 6], dtype)
        attend(f, dtype, [], [2], [2], 3, 0, 4, 5)
        attend(f, dtype, [], [2], [2], 0, 3, 4, 5, "causal")
        attend(f, dtype, [0], [2], [2], 2, 3, 4, 5)
        yield f
        f = Function(f"attention_blocks_{dtype}")
        attend(f, dtype, [], [2], [1], 65, 65, 8, 8, "causal")
        attend(f, dtype, [], [2], [2], 63, 200, 16, 9, "causal")
        attend(f, dtype, [], [2], [2], 200, 63, 16, 9, "causal")
        attend(f, dtype, [], [2], [2], 17, 128, 16, 9, "", [17, 128])
        attend(f, dtype, [2], [2], [2], 17, 129, 16, 9, "causal", [2, 1, 1, 129], dtype)
        yield f
    f = Function("attention_long")
    attend(f, "f32", [], [1], [1], 3, 1030, 8, 8)
    attend(f, "f32", [], [1], [1], 300, 300, 32, 32, "causal")
    attend(f, "f32", [], [1], [1], 9, 70, 300, 257, "causal")  # blocks of fewer
    attend(f, "f32", [], [1], [1], 3, 5, 3000, 3000)  # and none
    yield f


def attention_random():
    """Blocks whose sizes do not fit, all kinds of masks, heads that share keys."""
    rng = random.Random(11)
    for number in range(24):
        f = Function(f"attention_random_{number}")
        dtype = rng.choice(["f32", *FLOATS])
        lead = [rng.choice([1, 2, 3])] if rng.random() < 0.5 else []
        key_heads, group = rng.choice([1, 2]), rng.choice([1, 1, 2, 3])
        rows, keys = (rng.choice([1, 7, 16, 33, 63, 64, 65, 70, 128, 150]) for _ in range(2))
        depth, width = rng.randint(1, 70), rng.randint(1, 70)
        mask = None
        if rng.random() < 0.6:
            full = lead + [key_heads * group, rows, keys]
            mask = [size if rng.random() < 0.6 else 1 for size in full[rng.randint(0, len(full) - 1):]]
        attributes = rng.choice(["", "causal", "causal", "causal scale = 0.25"])
        attend(f, dtype, lead, [key_heads * group], [key_heads], rows, keys, depth, width, attributes, mask,
               rng.choice(["i1", dtype]))
        yield f


def draws():
    f = Function("draws")
    key = f.input([3], "i64")
    for dtype in ("f32", "f64"):
        for shape in ([1], [5], [3, 103]):
            for number in (5, 4000000000):  # Ids are unique in a function.
                number += len(f.results)
                f.out(f"random_uniform {key} op_id = {number} : {tensor(shape, dtype)}", shape, dtype)
    yield f


def large():
    """Big enough to be spread over threads."""
    f = Function("large_elementwise")
    s = [300, 301]
    t = tensor(s, "f32")
    x, y = f.input(s, "f32", (-4.0, 4.0)), f.input(s, "f32", (-4.0, 4.0))
    f.out(f"add {x}, {y} : {t}", s, "f32")
    f.out(f"softmax {x} axis = 1 : {t}", s, "f32", BOUNDED)
    f.out(f"softmax {x} axis = 0 : {t}", s, "f32", BOUNDED)
    f.out(f"transpose {x} permutation = [1, 0] : {t} -> {tensor([301, 300], 'f32')}", [301, 300], "f32")
    for size in (8, 11):
        v = f.input([size], "f32")
        f.out(f"broadcast {v} dims = [1] : {tensor([size], 'f32')} -> {tensor([20000, size], 'f32')}", [20000, size], "f32")
    for axes in ([0], [1], [0, 1]):
        reduction(f, x, "reduce_sum", "f32", s, axes)
        reduction(f, x, "reduce_max", "f32", s, axes)
    yield f
    f = Function("large_index")
    s, t = [500, 300], tensor([500, 300], "f32")
    x, flat = f.input(s, "f32", (-1.0, 1.0)), f.input([40000], "f32")
    gather(f, x, s, [700], 0, 0, "f32")
    gather(f, x, s, [700], 1, 0, "f32")
    gather(f, x, s, [500, 300], 1, 1, "f32")
    gather(f, flat, [40000], [50000], 0, 0, "f32")
    at = [f.input([], "i64", (0, 300)) for _ in range(2)]
    u = f.input([300, 200], "f32")
    f.out(f"dynamic_slice {x}, {at[0]}, {at[1]} sizes = [300, 200] : {t} -> {tensor([300, 200], 'f32')}", [300, 200], "f32")
    f.out(f"dynamic_update_slice {x}, {u}, {at[0]}, {at[1]} : {t}, {tensor([300, 200], 'f32')} -> {t}", s, "f32")
    y = f.op(f"transpose {x} permutation = [1, 0] : {t} -> {tensor([300, 500], 'f32')}")
    y = f.op(f"transpose {y} permutation = [1, 0] : {tensor([300, 500], 'f32')} -> {t}")
    f.out(f"dynamic_update_slice {y}, {u}, {at[0]}, {at[1]} : {t}, {tensor([300, 200], 'f32')} -> {t}", s, "f32")
    for axis in (0, 1):
        f.out(f"cumsum {x} axis = {axis} : {t}", s, "f32", BOUNDED)
        sort_line(f, x, s, axis, "f32", "")
    sort_line(f, flat, [40000], 0, "f32", "descending")
    yield f
    f = Function("large_conv")
    conv(f, "f32", 4, 8, 16, [28, 28], [3, 3], [1, 1], [1, 1], [1, 1], [1, 1], 1)
    conv(f, "f32", 4, 8, 16, [28, 28], [3, 3], [2, 2], [1, 1], [1, 1], [1, 1], 1)
    yield f
    f = Function("large_product")
    dot(f, [70, 90], [90, 80], ([], []), ([1], [0]), "f32")
    dot(f, [2, 3, 90], [2, 700, 90], ([0], [0]), ([2], [2]), "f32")
    yield f


def rounded(value, letter):
    return struct.unpack(letter, struct.pack(letter, value))[0]


def planted(folder):
    """Sums of f16 products are accepted from an f32 accumulator, and not from
    an f16 one."""
    m, k, n = 4, 129, 5
    f = Function("planted")
    dot(f, [m, k], [k, n], ([], []), ([1], [0]), "f16")
    harness = Harness(folder)
    model = harness.path("model.mlir")
    with open(model, "w") as file:
        file.write(f.text())
    inputs = harness.write_inputs(0, f)
    a, b = (read_npy(harness.path(f"in{i}.npy"), "f16") for i in range(2))
    failures = 0
    for letter in "fe":
        result = []
        for row in range(m):
            for column in range(n):
                total = 0.0
                for i in range(k):
                    total = rounded(total + a[row * k + i] * b[i * n + column], letter)
                result.append(total)
        write_npy(harness.path("out0.npy"), [m, n], "f16", struct.pack(f"<{m * n}e", *result))
        harness.compare(model, f, inputs)
        print(f"{letter}: {harness.failures - failures} failures")
        failures = harness.failures


FAMILIES = {f.__name__: f for f in (elementwise, cast, chain, math, movement, reduce, product, product_sizes, product_random,
                                    composite, draws, large, index, scan, sort, norm, attention, attention_random, convolution,
                                    convolution_random, windows)}

LONG = {f.__name__: f for f in (product_long, convolution_long)}

if __name__ == "__main__":
    folder, *names = sys.argv[1:]
    failures = 0
    if names == ["planted"]:
        sys.exit(planted(folder))
    for name in names:
        threads = {"large": (1, 2, 3, 7), "product_random": (1, 3), "product_long": (1, 3), "convolution_long": (1, 3), "convolution_random": (1, 3),
                   "attention_random": (1, 2, 3)}.get(name, (2,))
        if name in LONG:
            seed = int(os.environ.get("GRAPHC_SEED", datetime.date.today().toordinal()))
            print(f"GRAPHC_SEED={seed}", end=" ")
            functions = list(LONG[name](random.Random(seed)))
        else:
            functions = list(FAMILIES[name]())
        print(name, end=": ", flush=True)
        failures += Harness(folder, threads).check(functions)
    sys.exit(failures != 0)
