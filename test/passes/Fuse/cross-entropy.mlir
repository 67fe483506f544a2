// RUN: graph-opt --fuse %s | FileCheck %s
// RUN: graph-opt --fuse=off %s | FileCheck %s --check-prefix=OFF

// A loss and its gradient are one loop over rows of logits; only the check of
// the class numbers is a kernel of its own.

// CHECK-LABEL: func.func @step
// CHECK:      graph.fused
// CHECK-NEXT:   graph.check_index
// CHECK-NEXT:   graph.yield
// CHECK:      graph.fused
// CHECK:        graph.reduce_max
// CHECK:        graph.softmax
// CHECK-NOT:  graph.exp
// CHECK:      return
// OFF-LABEL: func.func @step
// OFF:         graph.cross_entropy

// CHECK-LABEL: func.func @forward
// CHECK:         graph.cross_entropy
func.func @step(%x: tensor<64x512xf32>, %t: tensor<64xi64>, %wanted: tensor<64x512xf32>)
    -> (tensor<f32>, tensor<64x512xf32>) {
  %l = graph.cross_entropy %x, %t : tensor<64x512xf32>, tensor<64xi64> -> tensor<f32>
  %p = graph.softmax %x axis = 1 : tensor<64x512xf32>
  %g = graph.sub %p, %wanted : tensor<64x512xf32>
  return %l, %g : tensor<f32>, tensor<64x512xf32>
}
func.func @forward(%x: tensor<64x512xf32>, %t: tensor<64xi64>) -> tensor<f32> {
  %l = graph.cross_entropy %x, %t : tensor<64x512xf32>, tensor<64xi64> -> tensor<f32>
  return %l : tensor<f32>
}
