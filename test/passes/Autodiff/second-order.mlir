// RUN: graph-opt --autodiff %s | FileCheck %s

// A gradient of a gradient: the inner one is expanded first, then its ops are
// differentiated by the same rules. d2/dx2 of sin is -sin.

// CHECK-NOT:   private
// CHECK-LABEL: func.func @second
// CHECK-SAME:    %[[X:.*]]: tensor<f32>
// CHECK:         %[[COS:.*]] = graph.cos %[[X]]
// CHECK:         graph.mul_no_nan %{{.*}}, %[[COS]]
// CHECK:         %[[SIN:.*]] = graph.sin %[[X]]
// CHECK:         %[[NEG:.*]] = graph.neg %[[SIN]]
// CHECK:         %[[D:.*]] = graph.mul_no_nan %{{.*}}, %[[NEG]]
// CHECK:         return %[[D]]
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.sin %x : tensor<f32>
  return %y : tensor<f32>
}
func.func private @df(%x: tensor<f32>) -> tensor<f32> {
  %y, %dx = graph.value_and_grad @f(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}
func.func @second(%x: tensor<f32>) -> tensor<f32> {
  %dx, %ddx = graph.value_and_grad @df(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %ddx : tensor<f32>
}
