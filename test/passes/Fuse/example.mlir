// RUN: graph-opt --fuse %s | FileCheck %s

// Ops that save traffic together become one kernel; a constant of one value goes
// into the kernel that reads it.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[E:.*]] = graph.fused(%[[A:.*]] = %[[X]])
// CHECK-NEXT:      %[[C:.*]] = graph.constant dense<2.0
// CHECK-NEXT:      graph.mul %[[A]], %[[C]]
// CHECK-NEXT:      graph.exp
// CHECK-NOT:     graph.constant
// CHECK:         return %[[E]]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = graph.constant dense<2.0> : tensor<4xf32>
  %y = graph.mul %x, %two : tensor<4xf32>
  %e = graph.exp %y : tensor<4xf32>
  return %e : tensor<4xf32>
}
