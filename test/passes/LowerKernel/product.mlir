// RUN: graph-opt --fuse --lower-kernel --split-input-file %s | FileCheck %s

// The weight is [n, k], so it is packed to [k, n] first; the bias is added to
// the sum in registers.

// CHECK-LABEL: func.func private @linear_0
// CHECK-SAME:  (%[[X:.*]]: memref<240xf32>, %[[W:.*]]: memref<480xf32>, %[[B:.*]]: memref<16xf32>, %[[S:.*]]: memref<1920xi8>, %[[Y:.*]]: memref<128xf32>)
// CHECK:       %[[P:.*]] = memref.view %[[S]]
// CHECK:       memref.load %[[W]]
// CHECK:       memref.store {{.*}}, %[[P]]
// CHECK:       scf.for
// CHECK:         vector.load %[[P]]
// CHECK:         math.fma {{.*}} : vector<8xf32>
// CHECK:         scf.yield
// CHECK:       vector.load %[[B]]
// CHECK:       arith.addf {{.*}} : vector<8xf32>
// CHECK:       vector.store {{.*}}, %[[Y]]
func.func @linear(%x: tensor<8x30xf32>, %w: tensor<16x30xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  %y = graph.linear %x, %w, %b : tensor<8x30xf32>, tensor<16x30xf32>, tensor<16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// Both factors lie ready: no workspace. 8 rows are two tiles of 4.

// CHECK-LABEL: func.func private @dot_general_0(%{{.*}}: memref<240xf32>, %{{.*}}: memref<480xf32>, %{{.*}}: memref<128xf32>)
// CHECK:       arith.constant 2 : index
// CHECK-COUNT-8: math.fma
// CHECK-NOT:   math.fma
func.func @plain(%x: tensor<8x30xf32>, %w: tensor<30x16xf32>) -> tensor<8x16xf32> {
  %y = graph.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : tensor<8x30xf32>, tensor<30x16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
