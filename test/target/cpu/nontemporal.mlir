// RUN: graph-opt --cpu-kernels-to-llvm %s | FileCheck %s --check-prefixes=CHECK,FENCE
// RUN: graph-opt --cpu-kernels-to-llvm=fences-stores=false %s | FileCheck %s --check-prefixes=CHECK,FREE

// A store past the caches is of a whole aligned vector, and what it wrote is
// there for all threads when the function ends; on aarch64 without a fence.

// CHECK-LABEL: llvm.func @streams
// CHECK:       llvm.store {{.*}} {alignment = 32 : i64, nontemporal}
// FENCE:       llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
// FENCE-NEXT:  llvm.return
// FREE-NOT:    call_intrinsic
// FREE:        llvm.return
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
