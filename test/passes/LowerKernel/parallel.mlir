// RUN: graph-opt --fuse --lower-kernel --split-input-file %s | FileCheck %s

// A row of one vector, as of any number, is not what decides about threads. They
// take blocks of 256 rows.

// CHECK-LABEL: func.func private @broadcast_0
// CHECK:       scf.parallel (%{{.*}}) = (%{{.*}}) to (%c3907)
// CHECK:       scf.for
// CHECK:       vector.store
// CHECK:       plan.parallel
func.func @one_vector(%b: tensor<8xf32>) -> tensor<1000000x8xf32> {
  %y = graph.broadcast %b dims = [1] : tensor<8xf32> -> tensor<1000000x8xf32>
  return %y : tensor<1000000x8xf32>
}

// -----

// Nor is the tail of a row.

// CHECK-LABEL: func.func private @broadcast_0
// CHECK:       scf.parallel
// CHECK:       vector.store
// CHECK:       plan.parallel
// CHECK:       scf.parallel
// CHECK:       vector.maskedstore
// CHECK:       plan.parallel
// CHECK-NOT:   scf.for
func.func @tail(%b: tensor<11xf32>) -> tensor<1000000x11xf32> {
  %y = graph.broadcast %b dims = [1] : tensor<11xf32> -> tensor<1000000x11xf32>
  return %y : tensor<1000000x11xf32>
}

// -----

// CHECK-LABEL: func.func private @broadcast_0
// CHECK-NOT:   scf.parallel
func.func @small(%b: tensor<8xf32>) -> tensor<10x8xf32> {
  %y = graph.broadcast %b dims = [1] : tensor<8xf32> -> tensor<10x8xf32>
  return %y : tensor<10x8xf32>
}
