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
