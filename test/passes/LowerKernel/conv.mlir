// RUN: graph-opt --fuse --lower-kernel=vector-bits=256 --canonicalize --cse --split-input-file %s | FileCheck %s

// The gradient of a weight: the windows are not copied. The workspace holds the
// padded input, 2 * 16 * 10 * 10 numbers, and panels of the gradient's 2 * 16 *
// 8 * 8. A tile has rows along the 16 input channels, 100 numbers apart.

// CHECK-LABEL: func.func private @conv_weight_grad_0
// CHECK-SAME:  memref<20992xi8>
// CHECK:       scf.for {{.*}} iter_args
// CHECK:         %[[SECOND:.*]] = arith.addi %[[FIRST:.*]], %c100
// CHECK-NEXT:    memref.load %view[%[[SECOND]]] : memref<3200xf32>
// CHECK-COUNT-10: math.fma {{.*}} : vector<8xf32>
// CHECK-NOT:   math.fma
// CHECK:       scf.yield
func.func @weight_grad(%x: tensor<2x16x8x8xf32>, %g: tensor<2x16x8x8xf32>) -> tensor<16x16x3x3xf32> {
  %y = graph.conv_weight_grad %x, %g strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x16x8x8xf32>, tensor<2x16x8x8xf32> -> tensor<16x16x3x3xf32>
  return %y : tensor<16x16x3x3xf32>
}

// -----

// Stride 2: of the 3 elements of the kernel, 1 meets the even positions and 2
// the odd ones. Each phase stores into the result; no zeros lie in between, and
// one follows the input.

// CHECK-LABEL: func.func private @conv_transpose_0
// CHECK-SAME:  (%{{.*}}: memref<640xf32>, %{{.*}}: memref<360xf32>, %{{.*}}: memref<2720xi8>, %[[Y:.*]]: memref<96xf32>)
// CHECK:       scf.for %{{.*}} = %c0 to %c40 {{.*}} iter_args
// CHECK-NOT:   scf.for {{.*}} iter_args
// CHECK:       memref.store %{{.*}}, %[[Y]]
// CHECK:       scf.for %{{.*}} = %c0 to %c40 {{.*}} iter_args
// CHECK:       scf.for %{{.*}} = %c0 to %c2 {{.*}} iter_args
// CHECK-NOT:   memref.load %[[Y]]
// CHECK:       memref.store %{{.*}}, %[[Y]]
// CHECK-NOT:   iter_args
// CHECK:       return
func.func @phases(%g: tensor<1x40x16xf32>, %w: tensor<40x3x3xf32>) -> tensor<1x3x32xf32> {
  %y = graph.conv_transpose %g, %w strides = [2] low = [1] high = [1] dilation = [1] output_padding = [1] groups = 1 : tensor<1x40x16xf32>, tensor<40x3x3xf32> -> tensor<1x3x32xf32>
  return %y : tensor<1x3x32xf32>
}
