// RUN: graph-opt --expand-math %s | FileCheck %s

// The logarithm becomes arithmetic; the square root is an instruction, and stays.

// CHECK-LABEL: func.func @f(
// CHECK:         math.sqrt
// CHECK-NOT:     math.log
// CHECK:         math.fma
// CHECK:         return
func.func @f(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  %1 = math.log %0 : f32
  return %1 : f32
}
