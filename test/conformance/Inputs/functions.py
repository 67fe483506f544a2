# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a module with one function for each math function and type."""

for dtype in ("f32", "f64"):
    t = f"tensor<65536x{dtype}>"
    for name in ("exp", "expm1", "log", "log1p", "sin", "cos", "tanh", "erf"):
        print(f"func.func @{name}_{dtype}(%x: {t}) -> {t} {{")
        print(f"  %y = graph.{name} %x : {t}\n  return %y : {t}\n}}")
    for name in ("pow", "rem"):
        print(f"func.func @{name}_{dtype}(%x: {t}, %y: {t}) -> {t} {{")
        print(f"  %z = graph.{name} %x, %y : {t}\n  return %z : {t}\n}}")
