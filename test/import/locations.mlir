// RUN: graph-opt --import --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// An inlined op says where it stands and through which calls it came.

// CHECK: graph.tanh {{.*}} loc(callsite(callsite("tanh" at "inner call") at "outer call"))
func.func private @inner(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.tanh %x : tensor<f32> loc("tanh")
  return %y : tensor<f32>
}
func.func private @outer(%x: tensor<f32>) -> tensor<f32> {
  %y = call @inner(%x) : (tensor<f32>) -> tensor<f32> loc("inner call")
  return %y : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = call @outer(%x) : (tensor<f32>) -> tensor<f32> loc("outer call")
  return %y : tensor<f32>
}
