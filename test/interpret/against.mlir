// REQUIRES: graph-interpret
// Two models on the same random arguments, and results held to an op's bound.

// RUN: rm -rf %t && split-file %s %t
// RUN: graph-interpret %t/a.mlir --against=%t/b.mlir --mode=f64 --rtol=1e-12 | FileCheck --check-prefix=SAME %s
// SAME: equal: 12 elements compared
// RUN: graph-interpret %t/a.mlir --against=%t/b.mlir --mode=declared --rtol=1e-6 --steps=3 | FileCheck --check-prefix=STEPS %s
// STEPS: equal: 36 elements compared
// RUN: not graph-interpret %t/a.mlir --against=%t/wrong.mlir --rtol=1e-3 | FileCheck --check-prefix=WRONG %s
// WRONG: step 0, result 0: 3 of 3 elements differ

// RUN: graph-interpret %t/exp.mlir --splat=1.5 --output=%t/out
// RUN: graph-interpret %t/exp.mlir --splat=1.5 --expect=%t/out/0.npy --op-bounds | FileCheck --check-prefix=BOUND %s
// RUN: graph-interpret %t/exp.mlir --splat=1.5000001 --expect=%t/out/0.npy --op-bounds | FileCheck --check-prefix=BOUND %s
// BOUND: result 0: equal: 2 elements
// RUN: not graph-interpret %t/exp.mlir --splat=1.500001 --expect=%t/out/0.npy --op-bounds

//--- a.mlir
graph.variable @w : tensor<3xf32> = #graph.uniform<-1.0, 1.0> trainable
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = graph.get @w : tensor<3xf32>
  %y = graph.mul %x, %w : tensor<3xf32>
  graph.set @w, %y : tensor<3xf32>
  %z = graph.sigmoid %y : tensor<3xf32>
  return %z : tensor<3xf32>
}
//--- b.mlir
graph.variable @w : tensor<3xf32> = #graph.uniform<-1.0, 1.0> trainable
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = graph.get @w : tensor<3xf32>
  %y = graph.mul %w, %x : tensor<3xf32>
  graph.set @w, %y : tensor<3xf32>
  %n = graph.neg %y : tensor<3xf32>
  %e = graph.exp %n : tensor<3xf32>
  %one = graph.constant dense<1.0> : tensor<3xf32>
  %s = graph.add %one, %e : tensor<3xf32>
  %z = graph.reciprocal %s : tensor<3xf32>
  return %z : tensor<3xf32>
}
//--- wrong.mlir
graph.variable @w : tensor<3xf32> = #graph.uniform<-1.0, 1.0> trainable
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = graph.get @w : tensor<3xf32>
  %y = graph.mul %w, %x : tensor<3xf32>
  graph.set @w, %y : tensor<3xf32>
  %z = graph.tanh %y : tensor<3xf32>
  return %z : tensor<3xf32>
}
//--- exp.mlir
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %z = graph.exp %x : tensor<2xf32>
  return %z : tensor<2xf32>
}
