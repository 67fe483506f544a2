# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each folded op leaves a constant behind, so that only small ones are folded:
# a chain of 1,000 sums of 60,000 numbers each takes little more memory than its
# text.
#
# UNSUPPORTED: sanitize-address, sanitize-thread
# RUN: %python %s > %t.mlir
# RUN: (ulimit -v 400000; graph-opt --canonicalize --mlir-disable-threading %t.mlir -o %t.out)
import random
import struct

N = 60000
rng = random.Random(1)
data = struct.pack(f"<{N}q", *(rng.randrange(2**60) for _ in range(N))).hex().upper()
T = f"tensor<{N}xi64>"
print(f"func.func @f() -> {T} {{")
print(f'  %c = graph.constant dense<"0x{data}"> : {T}')
print(f"  %v0 = graph.reshape %c : {T} -> tensor<1x{N}xi64>")
print(f"  %w0 = graph.reshape %v0 : tensor<1x{N}xi64> -> {T}")
for i in range(1000):
    print(f"  %w{i + 1} = graph.add %w{i}, %c : {T}")
print(f"  return %w1000 : {T}\n}}")
