# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: graphc, graph-run, graph-interpret
# A region of f32 holds forwards and backwards: values of exp that f16 does not have
# are read by a product in it, or only in the gradient of one.
#
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %S/Inputs
import math
import os
import sys

sys.path.insert(0, sys.argv[1])
from compare_state import read  # noqa: E402
from training import NPY, must  # noqa: E402

MATRIX = "batching = [] x [] contracting = [1] x [0] : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>"
# exp(12) = 162755, an operand of a product, is beyond f16's 65504.
FORWARD = f"""
    %e = graph.exp %h : tensor<2x2xf32>
    %q = graph.dot_general %e, %e {MATRIX}
    %r = graph.log %q : tensor<2x2xf32>"""
# Here the cotangent of a product is, 1e5 * exp(2e-6); nothing forwards.
BACKWARD = f"""
    %c = graph.constant dense<1.0e-3> : tensor<2x2xf32>
    %g = graph.mul %h, %c : tensor<2x2xf32>
    %p = graph.dot_general %g, %g {MATRIX}
    %e = graph.exp %p : tensor<2x2xf32>
    %r = graph.mul %e, %c : tensor<2x2xf32>"""


def model(body, in_region):
    if in_region:
        body = f"\n    %o = graph.precision f32 : tensor<2x2xf32> {{{body}\n    graph.yield %r : tensor<2x2xf32>\n    }}"
    result = "%o" if in_region else "%r"
    return f"""
func.func @loss(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>, %big: tensor<f32>) -> tensor<f32> {{
    %h = graph.dot_general %x, %w {MATRIX}{body}
    %s = graph.reduce_sum {result} axes = [0, 1] : tensor<2x2xf32> -> tensor<f32>
    %l = graph.mul %s, %big : tensor<f32>
    return %l : tensor<f32>
}}
graph.grad @grads of @loss inputs = [0]
"""


def check(name, body, x, big):
    must(sys.executable, NPY, "write", "x.npy", "<f4", "2,2", *[str(x)] * 4)
    must(sys.executable, NPY, "write", "w.npy", "<f4", "2,2", "1", "0", "0", "1")
    must(sys.executable, NPY, "write", "big.npy", "<f4", "", str(big))
    inputs = ["--input=x.npy", "--input=w.npy", "--input=big.npy"]
    found = {}
    for in_region in (True, False):
        for amp in ("off", "f16"):
            with open("model.mlir", "w") as file:
                file.write(model(body, in_region))
            must("graphc", "model.mlir", "--amp=" + amp, "-o", "model.so")
            must("graph-run", "model.so", *inputs, "--dump-grads=grads.safetensors")
            (gradient,) = read("grads.safetensors").values()
            found[in_region, amp] = gradient[2]
    exact = found[False, "off"]
    assert all(math.isfinite(v) and v != 0 for v in exact), (name, exact)
    assert found[True, "off"] == exact, (name, "a region changes f32")
    near = all(abs(a - b) <= 1e-2 * abs(b) for a, b in zip(found[True, "f16"], exact))
    assert near, (name, found[True, "f16"], exact)
    # Or this would prove nothing.
    assert not all(map(math.isfinite, found[False, "f16"])), (name, found[False, "f16"])
    print(name, "in a region", found[True, "f16"], "without", found[False, "f16"], "in f32", exact)


check("forward", FORWARD, 12, 1.0)
check("backward", BACKWARD, 1, 1e8)
