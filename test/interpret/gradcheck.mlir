// REQUIRES: graph-interpret
// Gradients written by hand, held to finite differences of the loss.

// RUN: rm -rf %t && split-file %s %t
// RUN: graph-interpret %t/loss.mlir --gradcheck=%t/right.mlir | FileCheck --check-prefix=RIGHT %s
// RIGHT: @dloss: 12 derivatives agree, 12 of them not 0, max error
// RUN: not graph-interpret %t/loss.mlir --gradcheck=%t/wrong.mlir | FileCheck --check-prefix=WRONG %s
// WRONG: @dloss: derivative of loss with respect to element 0 of @w: finite differences give {{.*}}, but got
// RUN: not graph-interpret %t/loss.mlir --gradcheck=%t/right.mlir --function=other 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: expects a graph.grad to check

//--- loss.mlir
graph.variable @w : tensor<2xf32> = #graph.zeros trainable
func.func @loss(%x: tensor<2xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<2xf32>
  %y = graph.mul %x, %w : tensor<2xf32>
  %e = graph.exp %y : tensor<2xf32>
  %l = graph.reduce_sum %e axes = [0] : tensor<2xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.grad @dloss of @loss wrt(@w) inputs = [0]
//--- right.mlir
graph.variable @w : tensor<2xf32> = #graph.zeros trainable
func.func @dloss(%x: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>, tensor<2xf32>) {
  %w = graph.get @w : tensor<2xf32>
  %y = graph.mul %x, %w : tensor<2xf32>
  %e = graph.exp %y : tensor<2xf32>
  %l = graph.reduce_sum %e axes = [0] : tensor<2xf32> -> tensor<f32>
  %dx = graph.mul %e, %w : tensor<2xf32>
  %dw = graph.mul %e, %x : tensor<2xf32>
  return %l, %dx, %dw : tensor<f32>, tensor<2xf32>, tensor<2xf32>
}
//--- wrong.mlir
graph.variable @w : tensor<2xf32> = #graph.zeros trainable
func.func @dloss(%x: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>, tensor<2xf32>) {
  %w = graph.get @w : tensor<2xf32>
  %y = graph.mul %x, %w : tensor<2xf32>
  %e = graph.exp %y : tensor<2xf32>
  %l = graph.reduce_sum %e axes = [0] : tensor<2xf32> -> tensor<f32>
  %dx = graph.mul %e, %w : tensor<2xf32>
  return %l, %dx, %dx : tensor<f32>, tensor<2xf32>, tensor<2xf32>
}
