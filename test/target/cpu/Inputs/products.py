# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""products.py OUT.mlir [SHAPE...]: one function for each matrix product.

A shape is LAYOUT:MxNxK[:EPILOGUE], for the layouts nn, nt, tn, tt of the
factors and the epilogues relu, gelu and bias. The factors and the result are
variables, so that a call copies nothing.
"""
import sys

SHAPES = """nn:64x64x64 nn:128x128x128 nn:256x256x256 nn:512x512x512 nn:1024x1024x1024 nn:2048x2048x2048
nt:64x64x64 nt:256x256x256 tn:256x256x256 nt:1024x1024x1024 tn:1024x1024x1024
nn:64x3072x768 nt:64x3072x768 tn:768x3072x64 nn:512x768x3072 nt:512x768x3072 tn:3072x768x512
nn:64x10x512 nt:64x512x784 nn:16x1024x1024 nn:1x4096x4096 nt:1x4096x4096
nt:64x3072x768:gelu nt:512x768x3072:relu""".split()


def function(text):
    layout, shape, *epilogue = text.split(":")
    m, n, k = map(int, shape.split("x"))
    left = [m, k] if layout[0] == "n" else [k, m]
    right = [k, n] if layout[1] == "n" else [n, k]
    name = text.replace(":", "_")

    def tensor(dims):
        return "tensor<" + "".join(f"{d}x" for d in dims) + "f32>"

    def variable(which, dims):
        return f'graph.variable @"{which}.{name}" : {tensor(dims)} = #graph.uniform<-1.0, 1.0> trainable'

    lines = [variable("a", left), variable("b", right), variable("y", [m, n]),
             f'func.func @"{name}"() {{',
             f'  %a = graph.get @"a.{name}" : {tensor(left)}',
             f'  %b = graph.get @"b.{name}" : {tensor(right)}',
             f"  %y0 = graph.dot_general %a, %b batching = [] x [] contracting = "
             f"[{1 if layout[0] == 'n' else 0}] x [{0 if layout[1] == 'n' else 1}] : "
             f"{tensor(left)}, {tensor(right)} -> {tensor([m, n])}"]  # fmt: skip
    last = "%y0"
    for number, op in enumerate(epilogue):
        attributes = " approximate = tanh" if op == "gelu" else ""
        lines.append(f"  %y{number + 1} = graph.{op} {last}{attributes} : {tensor([m, n])}")
        last = f"%y{number + 1}"
    lines += [f'  graph.set @"y.{name}", {last} : {tensor([m, n])}', "  return", "}"]
    return lines


def main():
    shapes = sys.argv[2:] or SHAPES
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(line for shape in shapes for line in function(shape)) + "\n")


main()
