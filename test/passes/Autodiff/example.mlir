// RUN: graph-opt --autodiff --split-input-file %s | FileCheck %s

// The body takes the op's place, the gradients follow, and the private function
// that nothing else names is gone.

// CHECK-NOT:   @loss
// CHECK-LABEL: func.func @gradients(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[T:.*]]: tensor<4xf32>)
// CHECK:         %[[W:.*]] = graph.get @w
// CHECK:         %[[Y:.*]] = graph.mul %[[X]], %[[W]]
// CHECK:         %[[L:.*]] = graph.mse_loss %[[Y]], %[[T]]
// CHECK:         %[[DY:.*]] = graph.mul_no_nan
// CHECK-NEXT:    %[[DX:.*]] = graph.mul_no_nan %[[DY]], %[[W]]
// CHECK-NEXT:    %[[DW:.*]] = graph.mul_no_nan %[[DY]], %[[X]]
// CHECK-NEXT:    return %[[L]], %[[DX]], %[[DW]]
graph.variable @w : tensor<4xf32> = #graph.zeros trainable
func.func private @loss(%x: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<4xf32>
  %y = graph.mul %x, %w : tensor<4xf32>
  %l = graph.mse_loss %y, %t : tensor<4xf32>, tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
func.func @gradients(%x: tensor<4xf32>, %t: tensor<4xf32>)
    -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>) {
  %l, %dx, %dw = graph.value_and_grad @loss(%x, %t) wrt(@w) inputs = [0]
      : (tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>)
  return %l, %dx, %dw : tensor<f32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A private function that something else still names stays.

// CHECK-LABEL: func.func private @square(
// CHECK-NOT:   func.func private @unused
// CHECK-LABEL: func.func @both
// CHECK:         call @square
// CHECK-NOT:     value_and_grad
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.mul %x, %x : tensor<f32>
  return %y : tensor<f32>
}
func.func private @unused(%x: tensor<f32>) -> tensor<f32> {
  %y = call @square(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func @both(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %l, %dx = graph.value_and_grad @square(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %m, %dy = graph.value_and_grad @unused(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %y = call @square(%x) : (tensor<f32>) -> tensor<f32>
  return %dx, %dy, %y : tensor<f32>, tensor<f32>, tensor<f32>
}
