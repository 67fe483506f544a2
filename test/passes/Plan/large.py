# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A chain of 20,000 launches, a sum of 10,000 values, 5,000 variables and a loop
# that carries 40,000 values are planned, and proven, in seconds and little
# memory.
#
# UNSUPPORTED: sanitize-address, sanitize-thread
# RUN: %python %s chain > %t.chain
# RUN: %python %s apart > %t.apart
# RUN: %python %s fan > %t.fan
# RUN: %python %s state > %t.state
# RUN: %python %s carried > %t.carried
# RUN: (ulimit -s 8192 -v 1000000 -t 30; graph-opt --plan --mlir-disable-threading %t.chain) | FileCheck %s --check-prefix=CHAIN
# RUN: (ulimit -s 8192 -v 1000000 -t 30; graph-opt --plan --mlir-disable-threading %t.apart) | FileCheck %s --check-prefix=APART
# RUN: (ulimit -s 8192 -v 1000000 -t 30; graph-opt --plan --mlir-disable-threading %t.fan) | FileCheck %s --check-prefix=FAN
# RUN: (ulimit -s 8192 -v 1000000 -t 30; graph-opt --plan --mlir-disable-threading %t.state) | FileCheck %s --check-prefix=STATE
# RUN: (ulimit -s 8192 -v 1000000 -t 10; graph-opt --plan --mlir-disable-threading %t.carried) | FileCheck %s --check-prefix=CARRIED
#
# CHAIN: plan.program @f {{.*}} arena 0 {
# APART: plan.program @f {{.*}} arena 128 {
# FAN:   plan.program @f {{.*}} arena 640000 {
# STATE: plan.program @f {{.*}} arena 0 {
# CARRIED: plan.program @f {{.*}} arena {{[0-9]+}} {
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
elif kind == "carried":
    # All start from one value; only the last leaves.
    n = 40000
    carried = ", ".join(f"%c{i} = %x" for i in range(n))
    types = ", ".join([T] * n)
    print(f"func.func @f(%x: {T}) -> {T} {{")
    print(f"  %r:{n} = graph.for %i = 3 carry({carried}) : {types} {{")
    for i in range(n):
        print(f"    %n{i} = plan.launch @one(%c{i}) {{inplace = [[0, 0]]}} : ({T}) -> {T}")
    print("    graph.yield " + ", ".join(f"%n{i}" for i in range(n)) + f" : {types}\n  }}")
    print(f"  return %r#{n - 1} : {T}\n}}")
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
