# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s valid > %t/valid.mlir
# RUN: graph-opt %t/valid.mlir -o %t/once.mlir
# RUN: graph-opt %t/once.mlir -o %t/twice.mlir
# RUN: cmp %t/once.mlir %t/twice.mlir
# RUN: graph-opt --decompose-composites --canonicalize %t/valid.mlir | FileCheck %s
# RUN: %python %s invalid > %t/invalid.mlir
# RUN: graph-opt --split-input-file --verify-diagnostics %t/invalid.mlir
#
# CHECK: func @first
# CHECK-NOT: graph.{{relu|sigmoid|silu|gelu|clamp|linear|softmax|log_softmax|reduce_mean|cross_entropy|mse_loss|binary_cross|dropout|embedding|one_hot|top_k|tril|triu|layer_norm|rms_norm|group_norm|batch_norm|attention|conv|max_pool|avg_pool}}
# CHECK: func @last
"""Every op takes every element type that it should, of rank 0 and with sizes of 0
too, round trips, decomposes and folds; and refuses the other element types."""
import re
import sys

ALL = ["f64", "f32", "f16", "bf16", "i1", "i8", "ui8", "i32", "i64"]
FLOAT = ALL[:4]
INT = ALL[5:]
NUMBER = FLOAT + INT
BITS = ALL[4:]
SHAPES = [[], [0], [3], [1, 1], [2, 0, 3], [2, 3, 4]]
WIDE = {"f16": "f32", "bf16": "f32"}


def tensor(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def unary(op, attributes=""):
    return lambda t, s, e: ([t], f"{op} %a {attributes} : {t}")


def binary(op):
    return lambda t, s, e: ([t, t], f"{op} %a, %b : {t}")


def reduction(op):
    def make(t, s, e):
        axes = [k for k in range(len(s)) if k != 1]
        kept = [size for k, size in enumerate(s) if k == 1]
        return [t], f"{op} %a axes = {axes} : {t} -> {tensor(kept, e)}"
    return make


def arg(op):
    def make(t, s, e):
        if not s or s[-1] == 0:
            return None
        return [t], f"{op} %a axis = {len(s) - 1} : {t} -> {tensor(s[:-1], 'i64')}"
    return make


def along(op):
    return lambda t, s, e: ([t], f"{op} %a axis = {len(s) - 1} : {t}") if s else None


def loss(op, reduction):
    def make(t, s, e):
        result = t if reduction == "none" else tensor([], e)
        return [t, t], f"{op} %a, %b reduction = {reduction} : {t}, {t} -> {result}"
    return make


def cross_entropy(index, reduction, smoothing):
    def make(t, s, e):
        if not s:
            return None
        target = tensor(s[:-1], index)
        result = tensor(s[:-1] if reduction == "none" else [], e)
        return [t, target], (f"cross_entropy %a, %b reduction = {reduction} "
                             f"{{ignore_index = 1, label_smoothing = {smoothing}}} : {t}, {target} -> {result}")
    return make


def linear(bias, wide):
    def make(t, s, e):
        if not s:
            return None
        weight, result = tensor([5, s[-1]], e), WIDE.get(e, e) if wide else e
        out = tensor(s[:-1] + [5], result)
        if not bias:
            return [t, weight], f"linear %a, %b : {t}, {weight} -> {out}"
        b = tensor([5], result)
        return [t, weight, b], f"linear %a, %b, %c : {t}, {weight}, {b} -> {out}"
    return make


def dot(t, s, e):
    contracting = list(range(len(s)))
    return [t, t], f"dot_general %a, %b batching = [] x [] contracting = {contracting} x {contracting} : {t}, {t} -> {tensor([], e)}"


def dropout(p):
    return lambda t, s, e: ([t, "tensor<3xi64>"], f"dropout %a key %b p = {p} op_id = 5 mode = train : {t}")


def cast(to):
    return lambda t, s, e: ([t], f"cast %a : {t} -> {tensor(s, to)}")


def constant(t, s, e):
    return [], f"constant dense<{'false' if e == 'i1' else '1.0' if e in FLOAT else '1'}> : {t}"


def iota(t, s, e):
    return ([], f"iota axis = 0 : {t}") if s else None


def select(t, s, e):
    return [tensor(s, "i1"), t, t], f"select %a, %b, %c : {t}"


def reshape(t, s, e):
    count = 1
    for size in s:
        count *= size
    return [t], f"reshape %a : {t} -> {tensor([1, count], e)}"


def broadcast(t, s, e):
    return [t], f"broadcast %a dims = {list(range(1, len(s) + 1))} : {t} -> {tensor([2] + s, e)}"


def transpose(t, s, e):
    return [t], f"transpose %a permutation = {list(range(len(s)))[::-1]} : {t} -> {tensor(s[::-1], e)}"


def slice_(t, s, e):
    half = [size // 2 for size in s]
    zeros, ones = [0] * len(s), [1] * len(s)
    return [t], f"slice %a starts = {zeros} limits = {half} strides = {ones} : {t} -> {tensor(half, e)}"


def pad(t, s, e):
    ones, out = [1] * len(s), [size + 2 + max(size - 1, 0) for size in s]
    return [t, tensor([], e)], f"pad %a, %b low = {ones} high = {ones} interior = {ones} : {t} -> {tensor(out, e)}"


def concat(t, s, e):
    return ([t, t], f"concat %a, %b axis = 0 : {t}, {t} -> {tensor([2 * s[0]] + s[1:], e)}") if s else None


def gather(t, s, e):
    if not s or s[-1] == 0:
        return None
    return [t, "tensor<5xi32>"], (f"gather %a, %b axis = {len(s) - 1} : {t}, tensor<5xi32> -> {tensor(s[:-1] + [5], e)}")


def scatter_add(t, s, e):
    if not s or s[-1] == 0:
        return None
    u = tensor(s[:-1] + [5], e)
    return [t, "tensor<5xi64>", u], f"scatter_add %a, %b, %c axis = {len(s) - 1} : {t}, tensor<5xi64>, {u} -> {t}"


def embedding(t, s, e):
    w, i = tensor([3, 4], e), tensor(s, "i64")
    return [w, i], f"embedding %a, %b padding_idx = 1 : {w}, {i} -> {tensor(s + [4], e)}"


def one_hot(t, s, e):
    return [tensor(s, "i32")], f"one_hot %a : {tensor(s, 'i32')} -> {tensor(s + [4], e)}"


def dynamic_slice(t, s, e):
    half = [size // 2 for size in s]
    return [t, "tensor<i64>"], f"dynamic_slice %a{', %b' * len(s)} sizes = {half} : {t} -> {tensor(half, e)}"


def dynamic_update_slice(t, s, e):
    u = tensor([size // 2 for size in s], e)
    return [t, u, "tensor<i64>"], f"dynamic_update_slice %a, %b{', %c' * len(s)} : {t}, {u} -> {t}"


def sort(t, s, e):
    return ([t], f"sort %a axis = 0 descending : {t} -> {t}, {tensor(s, 'i64')}") if s else None


def top_k(t, s, e):
    out = [size // 2 for size in s[:1]] + s[1:]
    return ([t], f"top_k %a k = {out[0]} axis = 0 : {t} -> {tensor(out, e)}, {tensor(out, 'i64')}") if s else None


def triangle(op):
    return lambda t, s, e: ([t], f"{op} %a diagonal = 1 : {t}") if len(s) >= 2 else None


def reverse(t, s, e):
    return ([t], f"reverse %a axes = [0] : {t}") if s else None


def unfold(t, s, e):
    if not s or s[-1] == 0:
        return None
    return [t], f"unfold %a kernel = [1] strides = [1] dilation = [2] : {t} -> {tensor(s + [1], e)}"


def fold(t, s, e):
    if not s or s[-1] == 0:
        return None
    return [tensor(s + [1], e)], f"fold %a strides = [1] dilation = [2] : {tensor(s + [1], e)} -> {t}"


SLIDE = "strides = [1] low = [0] high = [0] dilation = [1]"


def conv(op, bias):
    def make(t, s, e):
        x, w = tensor([2, 4] + s[:1], e), tensor([4, 2, 2], e)
        if len(s) != 1 or s[0] < 2:
            return None
        if op == "conv_weight_grad":
            return [x, tensor([2, 4, s[0] - 1], e)], f"{op} %a, %b {SLIDE} groups = 2 : {x}, {tensor([2, 4, s[0] - 1], e)} -> {w}"
        more, change = (" output_padding = [0]", 1) if op == "conv_transpose" else ("", -1)
        types, names = ([x, w, tensor([4], e)], "%a, %b, %c") if bias else ([x, w], "%a, %b")
        return types, f"{op} {names} {SLIDE}{more} groups = 2 : {', '.join(types)} -> {tensor([2, 4, s[0] + change], e)}"
    return make


def pool(op):
    def make(t, s, e):
        return ([t], f"{op.split()[0]} %a kernel = [1] {SLIDE}{op[len(op.split()[0]):]} : {t} -> {t}") if s and s[-1] else None
    return make


def norm(op):
    return lambda t, s, e: ([t, t], f"{op} %a, %b normalized_rank = {len(s)} eps = 0.1 : {t}, {t}") if s else None


def group_norm(t, s, e):
    return ([t], f"group_norm %a groups = 1 eps = 0.1 : {t}") if len(s) >= 2 else None


def batch_norm(mode):
    def make(t, s, e):
        if len(s) < 2 or (mode == "train" and s == [1, 1]):
            return None
        c = tensor(s[1:2], e)
        return [t, c, c], f"batch_norm %a, %b, %c momentum = 0.1 eps = 0.1 mode = {mode} : {t}, {c}, {c}"
    return make


def attention(t, s, e):
    return ([t], f"attention %a, %a, %a causal : {t}, {t}, {t} -> {t}") if len(s) >= 2 else None


def attention_grad(t, s, e):
    return ([t], f"attention_grad %a, %a, %a, %a, %a causal : {t}, {t}, {t}, {t}, {t}") if len(s) >= 2 else None


OPS = [(unary(op), NUMBER) for op in ["neg", "abs", "sign"]]
OPS += [(binary(op), NUMBER) for op in ["add", "sub", "mul", "div", "rem", "maximum", "minimum"]]
OPS += [(unary(op), FLOAT) for op in [
    "sqrt", "floor", "ceil", "round", "exp", "expm1", "log", "log1p", "rsqrt", "reciprocal", "sin", "cos", "tanh",
    "erf", "is_finite", "is_nan", "relu", "sigmoid", "silu", "gelu"]]
OPS += [(binary(op), FLOAT) for op in ["pow", "mul_no_nan"]]
OPS += [(binary(op), BITS) for op in ["and", "or", "xor"]] + [(unary("not"), BITS)]
OPS += [(binary(op), INT) for op in ["shift_left", "shift_right"]]
OPS += [(binary("compare " + predicate + ","), ALL) for predicate in ["eq", "ne", "lt", "le", "gt", "ge"]]
OPS += [(cast(to), ALL) for to in ALL]
OPS += [(unary("stop_gradient"), ALL), (select, ALL), (constant, ALL), (iota, NUMBER), (reshape, ALL),
        (broadcast, ALL), (transpose, ALL), (slice_, ALL), (pad, ALL), (concat, ALL)]
OPS += [(unary("gelu", "approximate = tanh"), FLOAT), (unary("clamp", "low = -1.0 high = 0x7FF0000000000000"), FLOAT),
        (unary("check_index", "limit = 3 ignore = -1"), ["i32", "i64"])]
OPS += [(reduction(op), NUMBER) for op in ["reduce_sum", "reduce_max", "reduce_min", "reduce_prod"]]
OPS += [(reduction("reduce_mean"), FLOAT), (arg("argmax"), NUMBER), (arg("argmin"), NUMBER), (dot, NUMBER)]
OPS += [(linear(bias, wide), FLOAT) for bias in [False, True] for wide in [False, True]]
OPS += [(along(op), FLOAT) for op in ["softmax", "log_softmax"]]
OPS += [(loss(op, how), FLOAT) for op in ["mse_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits"]
        for how in ["mean", "sum", "none"]]
OPS += [(cross_entropy(index, how, smoothing), FLOAT) for index in ["i32", "i64"] for how in ["mean", "sum", "none"]
        for smoothing in ["0.0", "0.1", "1.0"]]
OPS += [(dropout(p), FLOAT) for p in ["0.0", "0.25", "1.0"]]
OPS += [(lambda t, s, e: (["tensor<3xi64>"], f"random_uniform %a op_id = 1 : {t}"), ["f64", "f32"])]
OPS += [(gather, ALL), (scatter_add, NUMBER), (embedding, FLOAT), (one_hot, ALL), (dynamic_slice, ALL),
        (dynamic_update_slice, ALL), (along("cumsum"), NUMBER), (sort, NUMBER), (top_k, NUMBER),
        (triangle("tril"), ALL), (triangle("triu"), ALL)]


OPS += [(reverse, ALL), (unfold, ALL), (fold, NUMBER), (pool("max_pool"), NUMBER), (pool("avg_pool"), FLOAT),
        (pool("avg_pool exclude_padding"), FLOAT), (conv("conv_weight_grad", False), FLOAT)]
OPS += [(conv(op, bias), FLOAT) for op in ["conv", "conv_transpose"] for bias in [False, True]]
OPS += [(norm("layer_norm"), FLOAT), (norm("rms_norm"), FLOAT), (group_norm, FLOAT), (batch_norm("train"), FLOAT),
        (batch_norm("eval"), FLOAT), (attention, FLOAT), (attention_grad, FLOAT)]


def function(name, types, text):
    arguments = ", ".join(f"%{letter}: {type}" for letter, type in zip("abc", types))
    # The result is read, so that nothing is dead.
    result = "tensor<" + text.rsplit("tensor<", 1)[1]
    if text.split()[0] in ("compare", "is_finite", "is_nan"):
        result = re.sub(r"(<|x)[a-z]+\d+>$", r"\1i1>", result)
    names = "%0, %1" if text.split()[0] in ("sort", "top_k") else "%0"
    if names != "%0":  # The first of two.
        result = "tensor<" + text.rsplit("tensor<", 2)[1].rstrip(", ")
    if text.split()[0] in ("batch_norm", "attention_grad"):
        names, result = "%0:3", types[0]
    value = "%0#0" if ":" in names else "%0"
    return f"func.func @{name}({arguments}) -> {result} {{\n  {names} = graph.{text}\n  return {value} : {result}\n}}"


def main():
    valid, invalid = ["func.func @first() {\n  return\n}"], []
    for make, allowed in OPS:
        for element in ALL:
            for shape in SHAPES:
                made = make(tensor(shape, element), shape, element)
                if made is None:
                    continue
                if element in allowed:
                    valid.append(function(f"f{len(valid)}", *made))
                elif shape in ([], [2, 3, 4]):
                    text = function("f", *made)
                    error = "  // expected-error @+1 {{must be statically shaped tensor of}}\n"
                    invalid.append(text.replace("{\n", "{\n" + error, 1))
    valid.append("func.func @last() {\n  return\n}")
    print("\n\n".join(valid) if sys.argv[1] == "valid" else "\n// -----\n".join(invalid))


main()
