// RUN: graph-opt --cpu-kernels-to-llvm %s | FileCheck %s

// A store past the caches is of a whole aligned vector, and what it wrote is
// there for all threads when the function ends.

// CHECK-LABEL: llvm.func @streams
// CHECK:       llvm.store {{.*}} {alignment = 32 : i64, nontemporal}
// CHECK:       llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
// CHECK-NEXT:  llvm.return
func.func private @streams(%out: memref<64xf32>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<8xf32>
  vector.store %v, %out[%c0] {nontemporal = true} : memref<64xf32>, vector<8xf32>
  return
}

// CHECK-LABEL: llvm.func @stores
// CHECK-NOT:   sfence
func.func private @stores(%out: memref<64xf32>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<8xf32>
  vector.store %v, %out[%c0] : memref<64xf32>, vector<8xf32>
  return
}
