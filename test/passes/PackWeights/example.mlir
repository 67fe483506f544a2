// RUN: graph-opt --pack-weights=min-elements=1 --split-input-file %s | FileCheck %s

// What a product reads is stored in the order in which it reads it. The sum
// over k is as before; the columns are two dimensions until they are joined.

// CHECK:       graph.variable @w : tensor<64x8xf32> = #graph.zeros layout(<dim = 0, width = 32>)
// CHECK-LABEL: func.func @forward
// CHECK-NEXT:    %[[W:.*]] = graph.get @w : tensor<2x8x32xf32>
// CHECK-NEXT:    %[[Y:.*]] = graph.dot_general %{{.*}}, %[[W]] {{.*}} contracting = [1] x [1] {{.*}} -> tensor<4x2x32xf32>
// CHECK-NEXT:    %[[R:.*]] = graph.reshape %[[Y]] : tensor<4x2x32xf32> -> tensor<4x64xf32>
// CHECK-NEXT:    return %[[R]]
graph.variable @w : tensor<64x8xf32> = #graph.zeros
func.func @forward(%x: tensor<4x8xf32>) -> tensor<4x64xf32> {
  %w = graph.get @w : tensor<64x8xf32>
  %y = graph.linear %x, %w : tensor<4x8xf32>, tensor<64x8xf32> -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// -----

// A step: what made the gradient of w, and w's update, compute in panels; the
// gradient of x sums over the panels, in the same order.

// CHECK-LABEL: func.func @step
// CHECK-SAME:    (%[[X:.*]]: tensor<4x8xf32>, %[[G:.*]]: tensor<4x64xf32>, %[[LR:.*]]: tensor<f32>)
// CHECK-NEXT:    %[[W:.*]] = graph.get @w : tensor<2x8x32xf32>
// CHECK:         %[[GW:.*]] = graph.reshape %[[G]] : tensor<4x64xf32> -> tensor<4x2x32xf32>
// CHECK-NEXT:    %[[DX:.*]] = graph.dot_general %[[GW]], %[[W]] batching = [] x [] contracting = [1, 2] x [0, 2] {{.*}} -> tensor<4x8xf32>
// CHECK-NEXT:    %[[GP:.*]] = graph.reshape %[[G]] : tensor<4x64xf32> -> tensor<4x2x32xf32>
// CHECK-NEXT:    %[[XP:.*]] = graph.broadcast %[[X]] dims = [1, 2] : tensor<4x8xf32> -> tensor<2x4x8xf32>
// CHECK-NEXT:    %[[DW:.*]] = graph.dot_general %[[XP]], %[[GP]] batching = [0] x [1] contracting = [1] x [0] {{.*}} -> tensor<2x8x32xf32>
// CHECK-NEXT:    %[[R:.*]] = graph.broadcast %[[LR]] dims = [] : tensor<f32> -> tensor<2x8x32xf32>
// CHECK-NEXT:    %[[S:.*]] = graph.mul %[[DW]], %[[R]] : tensor<2x8x32xf32>
// CHECK-NEXT:    %[[N:.*]] = graph.sub %[[W]], %[[S]] : tensor<2x8x32xf32>
// CHECK-NEXT:    graph.set @w, %[[N]] : tensor<2x8x32xf32>
// CHECK-NEXT:    return %{{.*}}, %[[DX]]
graph.variable @w : tensor<64x8xf32> = #graph.zeros trainable
func.func @step(%x: tensor<4x8xf32>, %g: tensor<4x64xf32>, %lr: tensor<f32>) -> (tensor<4x64xf32>, tensor<4x8xf32>) {
  %w = graph.get @w : tensor<64x8xf32>
  %y = graph.linear %x, %w : tensor<4x8xf32>, tensor<64x8xf32> -> tensor<4x64xf32>
  %dx = graph.dot_general %g, %w batching = [] x [] contracting = [1] x [0] : tensor<4x64xf32>, tensor<64x8xf32> -> tensor<4x8xf32>
  %dw = graph.dot_general %g, %x batching = [] x [] contracting = [0] x [0] : tensor<4x64xf32>, tensor<4x8xf32> -> tensor<64x8xf32>
  %r = graph.broadcast %lr dims = [] : tensor<f32> -> tensor<64x8xf32>
  %s = graph.mul %dw, %r : tensor<64x8xf32>
  %n = graph.sub %w, %s : tensor<64x8xf32>
  graph.set @w, %n : tensor<64x8xf32>
  return %y, %dx : tensor<4x64xf32>, tensor<4x8xf32>
}
