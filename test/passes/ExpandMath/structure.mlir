// RUN: graph-opt --expand-math %s | FileCheck %s

// Functions become arithmetic and fused multiply-adds; what the machine has an
// instruction for stays. Values are held to docs/math.md by MathSweep.

// CHECK-LABEL: func.func @functions
// CHECK-NOT:   math.{{exp|expm1|log|log1p|sin|cos|tanh|erf|powf}}
// CHECK:       math.fma
// CHECK:       return
func.func @functions(%x: f32, %v: vector<8xf32>, %d: f64, %w: vector<4xf64>)
    -> (f32, vector<8xf32>, f64, vector<4xf64>, f32) {
  %0 = math.exp %x : f32
  %1 = math.expm1 %0 : f32
  %2 = math.log %v : vector<8xf32>
  %3 = math.log1p %2 : vector<8xf32>
  %4 = math.sin %d : f64
  %5 = math.cos %4 : f64
  %6 = math.tanh %w : vector<4xf64>
  %7 = math.erf %6 : vector<4xf64>
  %8 = math.powf %1, %x : f32
  return %1, %3, %5, %7, %8 : f32, vector<8xf32>, f64, vector<4xf64>, f32
}

// CHECK-LABEL: func.func @instructions
// CHECK:       math.sqrt
// CHECK-NEXT:  math.roundeven
// CHECK-NEXT:  math.floor
// CHECK-NEXT:  return
func.func @instructions(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  %1 = math.roundeven %0 : f32
  %2 = math.floor %1 : f32
  return %2 : f32
}
