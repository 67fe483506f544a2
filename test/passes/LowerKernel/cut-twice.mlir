// RUN: graph-opt --lower-kernel=vector-bits=256 %s | FileCheck %s

// A product of panels whose last one is cut is stored in two parts, but not where
// what follows is cut once more: the parts would end at different tensors. So all
// of it goes to the workspace, and the slice is taken from there.

// CHECK-LABEL:   func.func private @slice_0
// CHECK-NOT:     , %arg3[
// CHECK-COUNT-8: vector.store {{.*}} : memref<640xf32>, vector<8xf32>
// CHECK:         vector.store {{.*}}, %arg3[{{.*}} : memref<512xf32>, vector<8xf32>
func.func @f(%x: tensor<4x8xf32>, %w: tensor<5x8x32xf32>) -> tensor<4x128xf32> {
  %y = graph.fused(%a = %x, %b = %w) : (tensor<4x8xf32>, tensor<5x8x32xf32>) -> tensor<4x128xf32> {
    %0 = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [1] : tensor<4x8xf32>, tensor<5x8x32xf32> -> tensor<4x5x32xf32>
    %1 = graph.reshape %0 : tensor<4x5x32xf32> -> tensor<4x160xf32>
    %2 = graph.slice %1 starts = [0, 0] limits = [4, 140] strides = [1, 1] : tensor<4x160xf32> -> tensor<4x140xf32>
    %3 = graph.slice %2 starts = [0, 0] limits = [4, 128] strides = [1, 1] : tensor<4x140xf32> -> tensor<4x128xf32>
    graph.yield %3 : tensor<4x128xf32>
  }
  return %y : tensor<4x128xf32>
}
