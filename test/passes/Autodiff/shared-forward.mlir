// RUN: graph-opt --autodiff %s | FileCheck %s --check-prefix=TWICE
// RUN: graph-opt --autodiff --cse %s | FileCheck %s --check-prefix=ONCE

// Two gradients of one function share its forward ops once equal ops are
// merged, the random draw among them.

// TWICE-COUNT-2: graph.tanh
// ONCE-LABEL:    func.func @both
// ONCE-COUNT-1:  graph.get @w
// ONCE-NOT:      graph.get
// ONCE-COUNT-1:  graph.tanh
// ONCE-NOT:      graph.tanh
graph.variable @w : tensor<4xf32> = #graph.zeros
func.func private @loss(%x: tensor<4xf32>, %key: tensor<3xi64>) -> tensor<f32> {
  %w = graph.get @w : tensor<4xf32>
  %a = graph.mul %w, %x : tensor<4xf32>
  %d = graph.dropout %a key %key p = 0.5 op_id = 0 mode = train : tensor<4xf32>
  %t = graph.tanh %d : tensor<4xf32>
  %l = graph.reduce_sum %t axes = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
func.func @both(%x: tensor<4xf32>, %key: tensor<3xi64>) -> (tensor<4xf32>, tensor<4xf32>) {
  %l, %dx = graph.value_and_grad @loss(%x, %key) inputs = [0]
      : (tensor<4xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<4xf32>)
  %m, %dw = graph.value_and_grad @loss(%x, %key) wrt(@w)
      : (tensor<4xf32>, tensor<3xi64>) -> (tensor<f32>, tensor<4xf32>)
  return %dx, %dw : tensor<4xf32>, tensor<4xf32>
}
