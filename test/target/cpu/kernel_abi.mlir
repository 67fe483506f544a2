// RUN: graph-opt --cpu-kernels-to-llvm %s | FileCheck %s

// A kernel takes the environment, its buffers and its integers, whatever it
// works on; a parallel loop becomes a function that only this module sees.

// CHECK-LABEL: llvm.func internal @k.body0(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK:         llvm.store
// CHECK-LABEL: llvm.func @k(
// CHECK-SAME:    %[[ENV:.*]]: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr)
// CHECK-DAG:     %[[BODY:.*]] = llvm.mlir.addressof @k.body0
// CHECK-DAG:     %[[SLOT:.*]] = llvm.getelementptr %[[ENV]][8]
// CHECK-DAG:     %[[FOR:.*]] = llvm.load %[[SLOT]]
// CHECK-DAG:     %[[COUNT:.*]] = llvm.mlir.constant(100 : i64)
// CHECK:         llvm.call %[[FOR]](%[[ENV]], %[[BODY]], %[[BUFFERS]], %[[ARGS]], %[[COUNT]])
func.func private @k(%out: memref<100xi64>, %id: i64) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    memref.store %id, %out[%i] : memref<100xi64>
    scf.reduce
  } {plan.parallel}
  return
}

// What keeps its distance from another buffer is not loaded: its address
// follows from that one's.

// CHECK-LABEL: llvm.func @together(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-DAG:     %[[FIRST:.*]] = llvm.load %[[BUFFERS]]
// CHECK-DAG:     %[[BYTES:.*]] = llvm.mlir.constant(5000000000 : i64)
// CHECK:         llvm.getelementptr %[[FIRST]][%[[BYTES]]]
// CHECK-NOT:     %[[BUFFERS]]
// CHECK:         return
func.func private @together(%a: memref<4xi64>, %b: memref<4xi64>) attributes {plan.kernel, plan.places = array<i64: 0, 0, 0, 5000000000>} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<4xi64>
  memref.store %x, %b[%c0] : memref<4xi64>
  return
}
