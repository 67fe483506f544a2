// RUN: graphc %s --amp --emit=mlir --stop-after=amp | FileCheck %s

// A region of f32 holds for the function whose gradient is asked for in it.

// CHECK-LABEL: func.func @island
// CHECK-NOT: bf16
// CHECK-LABEL: func.func @outside
// CHECK: graph.linear {{.*}}bf16
func.func private @f(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<f32> {
  %h = graph.linear %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %l = graph.reduce_sum %h axes = [0, 1] : tensor<4x8xf32> -> tensor<f32>
  return %l : tensor<f32>
}
func.func @island(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<f32>, tensor<4x8xf32>) {
  %l, %g = graph.precision f32 : tensor<f32>, tensor<4x8xf32> {
    %a, %b = graph.value_and_grad @f(%x, %w) wrt() inputs = [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<f32>, tensor<4x8xf32>)
    graph.yield %a, %b : tensor<f32>, tensor<4x8xf32>
  }
  return %l, %g : tensor<f32>, tensor<4x8xf32>
}
func.func @outside(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<f32>, tensor<4x8xf32>) {
  %a, %b = graph.value_and_grad @f(%x, %w) wrt() inputs = [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<f32>, tensor<4x8xf32>)
  return %a, %b : tensor<f32>, tensor<4x8xf32>
}
