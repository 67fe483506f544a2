# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A chain of 20,000 launches and a sum of 10,000 values are planned, and proven,
# in seconds and little memory.
#
# RUN: %python %s chain | graph-opt --plan | FileCheck %s --check-prefix=CHAIN
# RUN: %python %s apart | graph-opt --plan | FileCheck %s --check-prefix=APART
# RUN: %python %s fan | graph-opt --plan | FileCheck %s --check-prefix=FAN
# RUN: %python %s state | graph-opt --plan | FileCheck %s --check-prefix=STATE
#
# CHAIN: plan.program @f {{.*}} arena 0 {
# APART: plan.program @f {{.*}} arena 128 {
# FAN:   plan.program @f {{.*}} arena 640000 {
# STATE: plan.program @f {{.*}} arena 0 {
import sys


T = "tensor<4xf32>"
M = "memref<4xf32>"
print(f"func.func private @one({M}, {M}) attributes {{plan.kernel}}")
print(f"func.func private @two({M}, {M}, {M}) attributes {{plan.kernel}}")
kind = sys.argv[1]
if kind in ("chain", "apart"):
    pair = " {inplace = [[0, 0]]}" if kind == "chain" else ""
    print(f"func.func @f(%v0: {T}) -> {T} {{")
    for i in range(20000):
        print(f"  %v{i + 1} = plan.launch @one(%v{i}){pair} : ({T}) -> {T}")
    print(f"  return %v20000 : {T}\n}}")
elif kind == "fan":
    # All are made before the first is read.
    print(f"func.func @f(%x: {T}) -> {T} {{")
    for i in range(10000):
        print(f"  %v{i} = plan.launch @one(%x) : ({T}) -> {T}")
    print(f"  %s0 = plan.launch @one(%x) : ({T}) -> {T}")
    for i in range(10000):
        print(f"  %s{i + 1} = plan.launch @two(%s{i}, %v{i}) {{inplace = [[0, 0]]}} : ({T}, {T}) -> {T}")
    print(f"  return %s10000 : {T}\n}}")
else:
    # Many variables, each updated in place, the readers after the updates.
    for i in range(5000):
        print(f"graph.variable @w{i} : {T} = #graph.zeros")
    print(f"func.func @f(%x: {T}) -> {T} {{")
    for i in range(5000):
        print(f"  %w{i} = graph.get @w{i} : {T}")
        print(f"  %n{i} = plan.launch @two(%w{i}, %x) {{inplace = [[0, 0]]}} : ({T}, {T}) -> {T}")
    print(f"  %s0 = plan.launch @one(%x) : ({T}) -> {T}")
    for i in range(5000):
        print(f"  %s{i + 1} = plan.launch @two(%s{i}, %w{i}) {{inplace = [[0, 0]]}} : ({T}, {T}) -> {T}")
        print(f"  graph.set @w{i}, %n{i} : {T}")
    print(f"  return %s5000 : {T}\n}}")
