// RUN: graph-opt --fuse --lower-kernel --split-input-file %s | FileCheck %s

// A short row: 8 partials in one vector, two terms left for its first lanes.
// What is masked off adds -0, which changes no bit.

// CHECK-LABEL: func.func private @reduce_sum_0
// CHECK-NOT:   memref.view
// CHECK:       arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK:       arith.addf {{.*}} : vector<8xf32>
// CHECK:       vector.constant_mask [2]
// CHECK:       arith.constant dense<-0.000000e+00>
// CHECK:       arith.select
// CHECK:       arith.addf {{.*}} : vector<8xf32>
// CHECK:       arith.addf {{.*}} : vector<4xf32>
// CHECK:       arith.addf {{.*}} : vector<2xf32>
// CHECK:       arith.addf {{.*}} : f32
// CHECK:       memref.store
func.func @row(%x: tensor<3x10xf32>) -> tensor<3xf32> {
  %s = graph.reduce_sum %x axes = [1] : tensor<3x10xf32> -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// -----

// Three chunks of 4,096, 4,096 and 808 terms, whose sums meet in the workspace.

// CHECK-LABEL: func.func private @reduce_sum_0(%{{.*}}: memref<9000xf32>, %{{.*}}: memref<12xi8>, %{{.*}}: memref<1xf32>)
// CHECK:       memref.view
// CHECK:       scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK:       memref.store {{.*}} : memref<3xf32>
func.func @chunks(%x: tensor<9000xf32>) -> tensor<f32> {
  %s = graph.reduce_sum %x axes = [0] : tensor<9000xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// bf16 accumulates in f32 and is rounded once.

// CHECK-LABEL: func.func private @reduce_sum_0
// CHECK:       arith.addf {{.*}} : vector<8xf32>
// CHECK-NOT:   arith.truncf
// CHECK:       arith.addf {{.*}} : f32
// CHECK-NEXT:  arith.truncf {{.*}} : f32 to bf16
func.func @low_precision(%x: tensor<16xbf16>) -> tensor<bf16> {
  %s = graph.reduce_sum %x axes = [0] : tensor<16xbf16> -> tensor<bf16>
  return %s : tensor<bf16>
}

// -----

// The division that makes a mean of a sum happens where the sum is.

// CHECK-LABEL: func.func private @reduce_mean_0(%{{.*}}: memref<30xf32>, %{{.*}}: memref<3xf32>)
// CHECK:       arith.divf {{.*}} : f32
// CHECK-NEXT:  memref.store
func.func @mean(%x: tensor<3x10xf32>) -> tensor<3xf32> {
  %s = graph.reduce_mean %x axes = [1] : tensor<3x10xf32> -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// -----

// The largest of a row: comparisons alone, two terms at once for NaN; then what
// signs and NaN say.

// CHECK-LABEL: func.func private @reduce_max_0
// CHECK:       scf.for
// CHECK:         vector.load {{.*}} : memref<384xf32>, vector<16xf32>
// CHECK-COUNT-2: arith.cmpf ogt
// CHECK:         arith.cmpf uno
// CHECK:         scf.yield
// CHECK:       arith.andi {{.*}}, %c-2147483648_i32
// CHECK:       arith.cmpf oeq
// CHECK:       arith.cmpi ne
// CHECK:       memref.store
func.func @largest(%x: tensor<3x128xf32>) -> tensor<3xf32> {
  %s = graph.reduce_max %x axes = [1] : tensor<3x128xf32> -> tensor<3xf32>
  return %s : tensor<3xf32>
}
