// RUN: graph-opt --cpu-kernels-to-llvm %s | FileCheck %s

// The end of a row, 7 of 8 lanes, is loaded and stored in vectors of 4, 2 and 1
// elements; no mask is left.

// CHECK-LABEL: llvm.func @tail(
// CHECK-NOT:     llvm.intr.masked
// CHECK:         llvm.load {{.*}} -> vector<4xf32>
// CHECK:         llvm.load {{.*}} -> vector<2xf32>
// CHECK:         llvm.load {{.*}} -> f32
// CHECK:         llvm.store {{.*}} : vector<4xf32>, !llvm.ptr
// CHECK:         llvm.store {{.*}} : vector<2xf32>, !llvm.ptr
// CHECK:         llvm.store {{.*}} : f32, !llvm.ptr
// CHECK-NOT:     llvm.intr.masked
func.func private @tail(%in: memref<7xf32>, %out: memref<7xf32>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %mask = vector.constant_mask [7] : vector<8xi1>
  %x = vector.maskedload %in[%c0], %mask, %zeros : memref<7xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %out[%c0], %mask, %x : memref<7xf32>, vector<8xi1>, vector<8xf32>
  return
}

// A sum loads once for each term: one masked load is less there.

// CHECK-LABEL: llvm.func @sum(
// CHECK:         llvm.intr.masked.load
// CHECK-NOT:     llvm.intr.masked
func.func private @sum(%in: memref<70xf32>, %out: memref<7xf32>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %c70 = arith.constant 70 : index
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %mask = vector.constant_mask [7] : vector<8xi1>
  %sum = scf.for %i = %c0 to %c70 step %c7 iter_args(%s = %zeros) -> (vector<8xf32>) {
    %x = vector.maskedload %in[%i], %mask, %zeros : memref<70xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    %next = arith.addf %s, %x : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  vector.maskedstore %out[%c0], %mask, %sum : memref<7xf32>, vector<8xi1>, vector<8xf32>
  return
}
