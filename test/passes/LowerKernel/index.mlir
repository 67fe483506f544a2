// RUN: graph-opt --fuse --lower-kernel --split-input-file %s | FileCheck %s

// Where data says where to read, the index is checked before, once, and rows
// are still read in whole vectors.

// CHECK-LABEL: func.func @rows
// CHECK:       plan.launch @gather_0{{.*}}may_fail
// CHECK-LABEL: func.func private @gather_0
// CHECK-SAME:  (%{{.*}}: memref<320xf32>, %[[I:.*]]: memref<5xi64>, %[[Y:.*]]: memref<160xf32>)
// CHECK:       %[[CHECKED:.*]] = memref.alloca
// CHECK:       scf.for {{.*}} to %c5
// CHECK:       plan.fail_index
// CHECK:       memref.store %{{.*}}, %[[CHECKED]]
// CHECK-NOT:   memref.load %[[I]]
// CHECK:       memref.load %[[CHECKED]]
// CHECK-NEXT:  scf.for
// CHECK:       arith.index_cast
// CHECK:       vector.load {{.*}} : memref<320xf32>
// CHECK:       vector.store {{.*}}, %[[Y]]
func.func @rows(%x: tensor<10x32xf32>, %i: tensor<5xi64>) -> tensor<5x32xf32> {
  %y = graph.gather %x, %i axis = 0 : tensor<10x32xf32>, tensor<5xi64> -> tensor<5x32xf32>
  return %y : tensor<5x32xf32>
}

// -----

// A dynamic slice is an expression: the start is moved once, outside the loop.

// CHECK-LABEL: func.func private @dynamic_slice_0
// CHECK:       arith.maxsi
// CHECK:       arith.minsi
// CHECK:       scf.for
// CHECK:       vector.load
// CHECK-NOT:   minsi
// CHECK:       return
func.func @slice(%x: tensor<100xf32>, %i: tensor<i64>) -> tensor<64xf32> {
  %y = graph.dynamic_slice %x, %i sizes = [64] : tensor<100xf32> -> tensor<64xf32>
  return %y : tensor<64xf32>
}

// -----

// An update may run in place of its input. The copy is left out then.

// CHECK-LABEL: func.func @update
// CHECK:       plan.launch @dynamic_update_slice_0{{.*}}inplace = {{\[\[}}0, 0]]
// CHECK-LABEL: func.func private @dynamic_update_slice_0
// CHECK-DAG:   %[[A:.*]] = memref.extract_aligned_pointer_as_index
// CHECK-DAG:   %[[B:.*]] = memref.extract_aligned_pointer_as_index
// CHECK:       %[[SAME:.*]] = arith.cmpi eq
// CHECK:       %[[END:.*]] = arith.select %[[SAME]]
// CHECK:       scf.for %{{.*}} = %{{.*}} to %[[END]]
func.func @update(%x: tensor<128xf32>, %u: tensor<16xf32>, %i: tensor<i64>) -> tensor<128xf32> {
  %y = graph.dynamic_update_slice %x, %u, %i : tensor<128xf32>, tensor<16xf32> -> tensor<128xf32>
  return %y : tensor<128xf32>
}

// -----

// An update with itself reads what it would write over.

// CHECK-LABEL: func.func @itself
// CHECK:       plan.launch @dynamic_update_slice_0
// CHECK-NOT:   inplace
// CHECK-SAME:  : (tensor<128xf32>
func.func @itself(%x: tensor<128xf32>, %i: tensor<i64>) -> tensor<128xf32> {
  %y = graph.dynamic_update_slice %x, %x, %i : tensor<128xf32>, tensor<128xf32> -> tensor<128xf32>
  return %y : tensor<128xf32>
}

// -----

// bf16 sums are f32 until all updates are in.

// CHECK-LABEL: func.func private @scatter_add_0
// CHECK:       memref.view {{.*}} to memref<24xf32>
// CHECK:       arith.addf
// CHECK:       arith.truncf {{.*}} to {{.*}}bf16
// CHECK:       return
func.func @scatter(%x: tensor<3x8xbf16>, %i: tensor<5xi64>, %u: tensor<5x8xbf16>) -> tensor<3x8xbf16> {
  %y = graph.scatter_add %x, %i, %u axis = 0 : tensor<3x8xbf16>, tensor<5xi64>, tensor<5x8xbf16> -> tensor<3x8xbf16>
  return %y : tensor<3x8xbf16>
}
