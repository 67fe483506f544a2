# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""slices.py COUNT: a loss of COUNT neighbouring slices of x, each used in its own way."""
import sys

count = int(sys.argv[1])
x, part = f"tensor<2x{2 * count}xf32>", "tensor<2x2xf32>"
print(f"func.func @f(%x: {x}) -> tensor<f32> {{")
print("  %l0 = graph.constant dense<0.0> : tensor<f32>")
for k in range(count):
    print(
        f"  %a{k} = graph.slice %x starts = [0, {2 * k}] limits = [2, {2 * k + 2}] strides = [1, 1] : {x} -> {part}\n"
        f"  %b{k} = graph.mul %a{k}, %a{k} : {part}\n"
        f"  %s{k} = graph.reduce_sum %b{k} axes = [0, 1] : {part} -> tensor<f32>\n"
        f"  %c{k} = graph.constant dense<{k + 1}.0> : tensor<f32>\n"
        f"  %m{k} = graph.mul %s{k}, %c{k} : tensor<f32>\n"
        f"  %l{k + 1} = graph.add %l{k}, %m{k} : tensor<f32>"
    )
print(f"  return %l{count} : tensor<f32>\n}}\ngraph.grad @df of @f inputs = [0]")
