# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints functions that multiply: each uses the one before several times.

  nested.py grad|call <functions> <uses>
"""

import sys

T = "tensor<f32>"
kind, count, uses = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print(f"func.func private @f0(%a0: {T}) -> {T} {{")
print(f"%y = graph.sin %a0 : {T}")
print(f"return %y : {T}\n}}")
for i in range(1, count):
    private = "private " if i + 1 < count else ""
    print(f"func.func {private}@f{i}(%a0: {T}) -> {T} {{")
    for j in range(uses):
        if kind == "call":
            print(f"%a{j + 1} = call @f{i - 1}(%a{j}) : ({T}) -> {T}")
            continue
        print(f"%l{j}, %d{j} = graph.value_and_grad @f{i - 1}(%a{j}) inputs = [0] : ({T}) -> ({T}, {T})")
        print(f"%a{j + 1} = graph.mul %l{j}, %d{j} : {T}")
    print(f"return %a{uses} : {T}\n}}")
if kind == "call":
    print(f"func.func @grad(%x: {T}) -> {T} {{")
    print(f"%l, %d = graph.value_and_grad @f{count - 1}(%x) inputs = [0] : ({T}) -> ({T}, {T})")
    print(f"return %d : {T}\n}}")
