# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a training step of many ops.

  large.py chain|fan|loop <count>

chain: each op reads the one before. fan: one value with many uses, and one op
with many operands. loop: a chain of iterations.
"""

import sys

T = "tensor<4xf32>"


def chain(count):
    for i in range(count):
        yield f"%a{i + 1} = graph.{'sin' if i % 3 else 'tanh'} %a{i} : {T}"
    yield f"%y = graph.neg %a{count} : {T}"


def fan(count):
    for i in range(count):
        yield f"%b{i} = graph.sin %a0 : {T}"
    names = ", ".join(f"%b{i}" for i in range(count))
    types = ", ".join([T] * count)
    yield f"%c = graph.concat {names} axis = 0 : {types} -> tensor<{4 * count}xf32>"
    yield f"%d = graph.reshape %c : tensor<{4 * count}xf32> -> tensor<{count}x4xf32>"
    yield f"%y = graph.reduce_sum %d axes = [0] : tensor<{count}x4xf32> -> {T}"


def loop(count):
    yield f"%y = graph.for %i = {count} carry(%b = %a0) : {T} {{"
    yield f"%c = graph.sin %b : {T}"
    yield f"graph.yield %c : {T}"
    yield "}"


kind, count = sys.argv[1], int(sys.argv[2])
print(f"graph.variable @w : {T} = #graph.zeros trainable")
print("func.func @loss() -> tensor<f32> {")
print(f"%a0 = graph.get @w : {T}")
for op in {"chain": chain, "fan": fan, "loop": loop}[kind](count):
    print(op)
print(f"%l = graph.reduce_sum %y axes = [0] : {T} -> tensor<f32>")
print("return %l : tensor<f32>")
print("}")
print("graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.1>)")
