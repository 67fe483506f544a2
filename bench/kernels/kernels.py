#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each kernel of kernels.txt on its own and times it with google-benchmark.

  ninja -C build bench-kernels graphc
  bench/kernels/kernels.py [--build=build] [--list=FILE] [--filter=REGEX] [--threads=N] [-- option of google-benchmark ...]

Prints, beside the time, GFLOP/s, GB/s and `limit`: the least time that the machine's peak and its best stream from
memory allow, over the time taken, which with one thread is processor time. What stays in the caches may be faster than that stream: then `limit` is above 1.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def tensor(*sizes):
    return "tensor<" + "".join(f"{n}x" for n in sizes) + "f32>"


def function(body, arguments, result):
    names = ", ".join(f"%{name}: {type}" for name, type in arguments)
    return f"module {{\n{body[0]}func.func @run({names}) -> {result} {{\n{body[1]}return %y : {result}\n}}\n}}\n"


def gemm(transposes, m, n, k):
    a = (k, m) if transposes[0] == "T" else (m, k)
    b = (n, k) if transposes[1] == "T" else (k, n)
    types = f"{tensor(*a)}, {tensor(*b)} -> {tensor(m, n)}"
    op = (f"%y = graph.dot_general %a, %b batching = [] x [] contracting = [{int(transposes[0] != 'T')}]"
          f" x [{int(transposes[1] == 'T')}] : {types}\n")
    return function(("", op), [("a", tensor(*a)), ("b", tensor(*b))], tensor(m, n)), 2 * m * n * k, m * k + k * n + m * n


def linear(m, n, k):
    variable = f"graph.variable @w : {tensor(n, k)} = #graph.uniform<-0.1, 0.1> trainable\n"
    op = (f"%w = graph.get @w : {tensor(n, k)}\n"
          f"%y = graph.linear %x, %w : {tensor(m, k)}, {tensor(n, k)} -> {tensor(m, n)}\n")
    return function((variable, op), [("x", tensor(m, k))], tensor(m, n)), 2 * m * n * k, m * k + k * n + m * n


def linear_step(m, n, k):
    """A layer's product, both gradients, and a step of SGD on the weight."""
    x, w, y = tensor(m, k), tensor(n, k), tensor(m, n)

    def product(name, a, b, over, types):
        return f"%{name} = graph.dot_general %{a}, %{b} batching = [] x [] contracting = [{over[0]}] x [{over[1]}] : {types}\n"

    body = (f"%w = graph.get @w : {w}\n%y = graph.linear %x, %w : {x}, {w} -> {y}\n"
            + product("dx", "g", "w", (1, 0), f"{y}, {w} -> {x}") + product("dw", "g", "x", (0, 0), f"{y}, {x} -> {w}")
            + f"%rate = graph.constant dense<1.0e-6> : {w}\n%step = graph.mul %dw, %rate : {w}\n"
            f"%new = graph.sub %w, %step : {w}\ngraph.set @w, %new : {w}\n")
    text = (f"module {{\ngraph.variable @w : {w} = #graph.uniform<-0.1, 0.1> trainable\n"
            f"func.func @run(%x: {x}, %g: {y}) -> ({y}, {x}) {{\n{body}return %y, %dx : {y}, {x}\n}}\n}}\n")
    return text, 6 * m * n * k, 2 * (m * k + k * n + m * n)


FIRST, LAST = "permutation = [0, 3, 1, 2]", "permutation = [0, 2, 3, 1]"


def image(count, side, channels):
    """A value of a graph with channels last (passes/ChannelsLast), and as a convolution sees it."""
    return tensor(count, side, side, channels), tensor(count, channels, side, side)


def to_first(name, types):
    return f"%{name} = graph.transpose %{name}last {FIRST} : {types[0]} -> {types[1]}\n"


def to_last(types):
    return f"%y = graph.transpose %z {LAST} : {types[1]} -> {types[0]}\n"


def conv_sizes(side, kernel, stride):
    after, low = side // stride, kernel // 2
    return after, low, max(0, (after - 1) * stride + kernel - side - low)


def window(stride, low, high):
    return f"strides = [{stride}, {stride}] low = [{low}, {low}] high = [{high}, {high}] dilation = [1, 1]"


def conv_cost(count, after, into, out, kernel, side):
    words = count * (side * side * into + after * after * out) + out * into * kernel * kernel
    return 2 * count * after * after * out * into * kernel * kernel, words


def conv(count, side, into, out, kernel, stride):
    """As in a step: the input has its zeros around it."""
    after, low, high = conv_sizes(side, kernel, stride)
    x, w, y = image(count, side + low + high, into), tensor(out, into, kernel, kernel), image(count, after, out)
    op = (to_first("x", x) + f"%z = graph.conv %x, %w {window(stride, 0, 0)} groups = 1 : {x[1]}, {w} -> {y[1]}\n"
          + to_last(y))
    return (function(("", op), [("xlast", x[0]), ("w", w)], y[0]), *conv_cost(count, after, into, out, kernel, side))


def conv_input_grad(count, side, into, out, kernel, stride):
    after, low, high = conv_sizes(side, kernel, stride)
    border = kernel - 1 - low if stride == 1 else 0
    x, w, g = image(count, side, into), tensor(out, into, kernel, kernel), image(count, after + 2 * border, out)
    op = (to_first("g", g) + f"%z = graph.conv_transpose %g, %w {window(stride, low + border, high + border)} "
          f"output_padding = [0, 0] groups = 1 : {g[1]}, {w} -> {x[1]}\n" + to_last(x))
    return (function(("", op), [("glast", g[0]), ("w", w)], x[0]), *conv_cost(count, after, into, out, kernel, side))


def conv_weight_grad(count, side, into, out, kernel, stride):
    after, low, high = conv_sizes(side, kernel, stride)
    x, w, g = image(count, side + low + high, into), tensor(out, into, kernel, kernel), image(count, after, out)
    op = (to_first("x", x) + to_first("g", g) + f"%y = graph.conv_weight_grad %x, %g {window(stride, 0, 0)} groups = 1 : "
          f"{x[1]}, {g[1]} -> {w}\n")
    return (function(("", op), [("xlast", x[0]), ("glast", g[0])], w), *conv_cost(count, after, into, out, kernel, side))


def softmax(rows, columns):
    x = tensor(rows, columns)
    return function(("", f"%y = graph.softmax %x axis = 1 : {x}\n"), [("x", x)], x), 0, 2 * rows * columns


def layer_norm(rows, columns):
    x, w = tensor(rows, columns), tensor(columns)
    op = f"%y = graph.layer_norm %x, %w, %b normalized_rank = 1 eps = 1.0e-5 : {x}, {w}, {w}\n"
    return function(("", op), [("x", x), ("w", w), ("b", w)], x), 0, 2 * rows * columns


def layer_norm_grad(rows, columns):
    """Of the input, weight and bias; the loss is sum(y * g), so that g is the gradient. 2 streams in, 1 out."""
    x, w = tensor(rows, columns), tensor(columns)
    return f"""module {{
func.func @loss(%x: {x}, %w: {w}, %b: {w}, %g: {x}) -> tensor<f32> {{
%y = graph.layer_norm %x, %w, %b normalized_rank = 1 eps = 1.0e-5 : {x}, {w}, {w}
%z = graph.mul %y, %g : {x}
%l = graph.reduce_sum %z axes = [0, 1] : {x} -> tensor<f32>
return %l : tensor<f32>
}}
graph.grad @run of @loss inputs = [0, 1, 2]
}}
""", 0, 3 * rows * columns


def gelu(rows, columns):
    x = tensor(rows, columns)
    return function(("", f"%y = graph.gelu %x approximate = tanh : {x}\n"), [("x", x)], x), 0, 2 * rows * columns


def bias_gelu(rows, columns):
    x, b = tensor(rows, columns), tensor(columns)
    op = (f"%wide = graph.broadcast %b dims = [1] : {b} -> {x}\n%z = graph.add %x, %wide : {x}\n"
          f"%y = graph.gelu %z approximate = tanh : {x}\n")
    return function(("", op), [("x", x), ("b", b)], x), 0, 2 * rows * columns


def elementwise(count):
    """Eight ops on three tensors."""
    x = tensor(count)
    op = "".join(f"%{name} = graph.{text} : {x}\n" for name, text in (
        ("p", "mul %a, %b"), ("q", "add %p, %c"), ("r", "relu %q"), ("s", "sub %r, %a"), ("t", "mul %s, %s"),
        ("u", "add %t, %b"), ("v", "maximum %u, %c"), ("y", "neg %v")))
    return function(("", op), [("a", x), ("b", x), ("c", x)], x), 0, 4 * count


def math(name, type, count):
    """One function; log, log1p and pow of magnitudes."""
    x = f"tensor<{count}x{type}>"
    magnitude = f"%a = graph.abs %x : {x}\n" if name in ("log", "log1p", "pow") else ""
    operands = ("%a" if magnitude else "%x") + (", %z" if name == "pow" else "")
    op = f"{magnitude}%y = graph.{name} {operands} : {x}\n"
    words = count * (2 if type == "f64" else 1) * (3 if name == "pow" else 2)
    return function(("", op), [("x", x)] + ([("z", x)] if name == "pow" else []), x), 0, words


def libm(*sizes):
    """The same by the machine's libm."""
    return math(*sizes)


def adamw(count):
    """A step whose loss is sum(p * x), so that x is the gradient: 4 streams in, 3 out."""
    p = tensor(count)
    return f"""module {{
graph.variable @p : {p} = #graph.uniform<-1.0, 1.0> trainable
func.func @loss(%x: {p}) -> tensor<f32> {{
%p = graph.get @p : {p}
%z = graph.mul %p, %x : {p}
%y = graph.reduce_sum %z axes = [0] : {p} -> tensor<f32>
return %y : tensor<f32>
}}
graph.train @run loss(@loss) optimizer(#graph.adamw<lr = 0.001>)
}}
""", 0, 7 * count


KINDS = {f.__name__: f for f in (gemm, linear, linear_step, conv, conv_input_grad, conv_weight_grad, softmax, layer_norm,
                                 layer_norm_grad, gelu, bias_gelu, elementwise, math, libm, adamw)}
FLAGS = {"libm": ["--strict-math"]}


def read_list(path):
    with open(path) as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if words and words[0] not in KINDS:
                raise SystemExit(f"{path}:{number}: expects one of {', '.join(KINDS)}, but got '{words[0]}'")
            if words:
                yield words[0], [int(w) if w.isdigit() else w for w in words[1:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"))
    parser.add_argument("--list", default=os.path.join(HERE, "kernels.txt"))
    parser.add_argument("--filter", default="", help="only names, such as gemm_NN_64_64_64, in which this is found")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--graphc-flags", default="-O3 --cpu=native")
    parser.add_argument("options", nargs="*", help="for google-benchmark")
    arguments = parser.parse_args()
    bin_folder = os.path.join(arguments.build, "bin")
    failures = 0
    with tempfile.TemporaryDirectory(prefix="graphc-kernels-") as folder:
        manifest = os.path.join(folder, "manifest")
        with open(manifest, "w") as lines:
            for kind, sizes in read_list(arguments.list):
                name = "_".join(map(str, [kind, *sizes]))
                if not re.search(arguments.filter, name):
                    continue
                text, flops, words = KINDS[kind](*sizes)
                source, library = os.path.join(folder, name + ".mlir"), os.path.join(folder, name + ".so")
                with open(source, "w") as file:
                    file.write(text)
                compiled = subprocess.run([os.path.join(bin_folder, "graphc"), source, "-o", library,
                                           *arguments.graphc_flags.split(), *FLAGS.get(kind, [])],
                                          capture_output=True, text=True)
                if compiled.returncode:
                    failures += 1
                    print(f"{name}: not compiled: {compiled.stderr.strip().splitlines()[-1]}", file=sys.stderr)
                    continue
                lines.write(f"{name}\t{library}\t{flops}\t{4 * words}\n")
        if os.path.getsize(manifest) == 0:
            raise SystemExit(f"kernels.py: no kernel to time{' has such a name' if arguments.filter else ''}")
        result = subprocess.run([os.path.join(bin_folder, "bench-kernels"), manifest, str(arguments.threads),
                                 *arguments.options])
    return result.returncode or (1 if failures else 0)


if __name__ == "__main__":
    sys.exit(main())
