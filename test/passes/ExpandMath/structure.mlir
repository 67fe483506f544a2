// RUN: graph-opt --expand-math --split-input-file %s | FileCheck %s

// Nothing is left that would be a call.

// CHECK-LABEL: func.func @functions
// CHECK-NOT:   math.{{(exp|log|sin|cos|tanh|erf|powf)}}
// CHECK-NOT:   arith.remf
// CHECK:       return
func.func @functions(%x: vector<8xf32>, %y: f64) -> (vector<8xf32>, f64) {
  %0 = math.exp %x : vector<8xf32>
  %1 = math.expm1 %0 : vector<8xf32>
  %2 = math.log %1 : vector<8xf32>
  %3 = math.log1p %2 : vector<8xf32>
  %4 = math.sin %3 : vector<8xf32>
  %5 = math.cos %4 : vector<8xf32>
  %6 = math.tanh %5 : vector<8xf32>
  %7 = math.erf %6 : vector<8xf32>
  %8 = math.powf %7, %x : vector<8xf32>
  %9 = arith.remf %8, %x : vector<8xf32>
  %10 = math.sin %y : f64
  %11 = math.powf %10, %y : f64
  %12 = arith.remf %11, %y : f64
  return %9, %12 : vector<8xf32>, f64
}

// -----

// What is an instruction stays.

// CHECK-LABEL: func.func @instructions
// CHECK-NEXT:  math.sqrt
// CHECK-NEXT:  math.fma
// CHECK-NEXT:  math.floor
// CHECK-NEXT:  return
func.func @instructions(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  %1 = math.fma %0, %x, %x : f32
  %2 = math.floor %1 : f32
  return %2 : f32
}

// -----

// The remainder is a loop of integer divisions for each lane.

// CHECK-LABEL: func.func @remainder
// CHECK-COUNT-2: scf.for
// CHECK-NOT:   scf.for
func.func @remainder(%x: vector<2xf64>, %y: vector<2xf64>) -> vector<2xf64> {
  %0 = arith.remf %x, %y : vector<2xf64>
  return %0 : vector<2xf64>
}
