// RUN: graph-opt --cpu-kernels-to-llvm %s | FileCheck %s
// RUN: graph-opt --cpu-kernels-to-llvm %s | mlir-translate --mlir-to-llvmir | opt -O3 -S | FileCheck %s --check-prefix=LLVM

// A function of libm is called for each element, by its name for the type. What
// the processor has an instruction for is no call.

// CHECK-DAG: llvm.func @expf(f32) -> f32 attributes {memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>, passthrough = ["nobuiltin", "nounwind", "willreturn"]}
// CHECK-DAG: llvm.func @pow(f64, f64) -> f64
// CHECK-DAG: llvm.func @exp(f64) -> f64
// CHECK:     llvm.func @kernel
// CHECK-COUNT-4: llvm.call @expf(
// CHECK-NOT: llvm.call @expf(
// CHECK:     llvm.intr.sqrt
// CHECK:     llvm.call @exp(
// CHECK:     llvm.call @pow(
// CHECK:     llvm.return

// LLVM takes neither pow(x, 2) for a product nor computes exp(1) itself.
// LLVM-LABEL: define void @kernel
// LLVM-DAG:     call double @exp(double 1.000000e+00)
// LLVM-DAG:     call double @pow(double {{.*}}, double 2.000000e+00)
// LLVM:         ret void
func.func private @kernel(%in: memref<4xf32>, %out: memref<4xf32>, %wide: memref<1xf64>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %v = vector.load %in[%c0] : memref<4xf32>, vector<4xf32>
  %e = math.exp %v : vector<4xf32>
  %s = math.sqrt %e : vector<4xf32>
  vector.store %s, %out[%c0] : memref<4xf32>, vector<4xf32>
  %x = memref.load %wide[%c0] : memref<1xf64>
  %f = math.exp %one : f64
  %p = math.powf %x, %two : f64
  %sum = arith.addf %f, %p : f64
  memref.store %sum, %wide[%c0] : memref<1xf64>
  return
}
