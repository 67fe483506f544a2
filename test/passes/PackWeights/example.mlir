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
