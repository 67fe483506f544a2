# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shifts.py COUNT: from each x, COUNT times, its first column is taken off."""
import sys

count = int(sys.argv[1])
x, column, row = "tensor<4x64xf32>", "tensor<4x1xf32>", "tensor<4xf32>"
print(f"func.func @f(%x0: {x}) -> {x} {{")
for k in range(count):
    print(f"  %s{k} = graph.slice %x{k} starts = [0, 0] limits = [4, 1] strides = [1, 1] : {x} -> {column}")
    print(f"  %r{k} = graph.reshape %s{k} : {column} -> {row}")
    print(f"  %b{k} = graph.broadcast %r{k} dims = [0] : {row} -> {x}")
    print(f"  %x{k + 1} = graph.sub %x{k}, %b{k} : {x}")
print(f"  return %x{count} : {x}\n}}")
