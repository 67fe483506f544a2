// RUN: graph-opt --canonicalize %s | FileCheck %s

// Conversions of constants, and pairs of casts.

// CHECK-LABEL: func @float_to_float
// CHECK: dense<[1.000980e+00, 0x7C00, 0x7E00, 5.960460e-08]> : tensor<4xf16>
func.func @float_to_float() -> tensor<4xf16> {
  %x = graph.constant dense<[1.0007, 65520.0, 0x7FC00000, 5.0e-8]> : tensor<4xf32>
  %y = graph.cast %x : tensor<4xf32> -> tensor<4xf16>
  return %y : tensor<4xf16>
}

// Float to integer truncates and saturates; NaN becomes 0.

// CHECK-LABEL: func @float_to_int
// CHECK-DAG: %[[I8:.*]] = graph.constant dense<[-2, 127, -128, 0, -128]> : tensor<5xi8>
// CHECK-DAG: %[[UI8:.*]] = graph.constant dense<[0, 255, 0, 0, 0]> : tensor<5xui8>
// CHECK-DAG: %[[I1:.*]] = graph.constant dense<true> : tensor<5xi1>
// CHECK-DAG: %[[I64:.*]] = graph.constant dense<[-2, 9223372036854775807, -300, 0, -9223372036854775808]> : tensor<5xi64>
func.func @float_to_int() -> (tensor<5xi8>, tensor<5xui8>, tensor<5xi1>, tensor<5xi64>) {
  %x = graph.constant dense<[-2.75, 1.0e30, -300.5, 0x7FC00000, 0xFF800000]> : tensor<5xf32>
  %a = graph.cast %x : tensor<5xf32> -> tensor<5xi8>
  %b = graph.cast %x : tensor<5xf32> -> tensor<5xui8>
  %c = graph.cast %x : tensor<5xf32> -> tensor<5xi1>
  %d = graph.cast %x : tensor<5xf32> -> tensor<5xi64>
  return %a, %b, %c, %d : tensor<5xi8>, tensor<5xui8>, tensor<5xi1>, tensor<5xi64>
}

// Nonzero is true, however small; -0 is zero.

// CHECK-LABEL: func @to_bool
// CHECK-DAG: %[[F:.*]] = graph.constant dense<[true, false, false, true]> : tensor<4xi1>
// CHECK-DAG: %[[I:.*]] = graph.constant dense<[true, false]> : tensor<2xi1>
// CHECK: return %[[F]], %[[I]]
func.func @to_bool() -> (tensor<4xi1>, tensor<2xi1>) {
  %x = graph.constant dense<[1.0e-40, 0.0, -0.0, 0.5]> : tensor<4xf32>
  %a = graph.cast %x : tensor<4xf32> -> tensor<4xi1>
  %y = graph.constant dense<[256, 0]> : tensor<2xi32>
  %b = graph.cast %y : tensor<2xi32> -> tensor<2xi1>
  return %a, %b : tensor<4xi1>, tensor<2xi1>
}

// Integer to narrower integer wraps; to wider extends by its own sign.

// CHECK-LABEL: func @int_to_int
// CHECK-DAG: %[[A:.*]] = graph.constant dense<[44, -1]> : tensor<2xi8>
// CHECK-DAG: %[[B:.*]] = graph.constant dense<[44, 255]> : tensor<2xui8>
// CHECK-DAG: %[[C:.*]] = graph.constant dense<[44, 255]> : tensor<2xi64>
// CHECK-DAG: %[[D:.*]] = graph.constant dense<[1, 0]> : tensor<2xi8>
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @int_to_int() -> (tensor<2xi8>, tensor<2xui8>, tensor<2xi64>, tensor<2xi8>) {
  %x = graph.constant dense<[300, -1]> : tensor<2xi32>
  %a = graph.cast %x : tensor<2xi32> -> tensor<2xi8>
  %b = graph.cast %x : tensor<2xi32> -> tensor<2xui8>
  %c = graph.cast %b : tensor<2xui8> -> tensor<2xi64>
  %t = graph.constant dense<[true, false]> : tensor<2xi1>
  %d = graph.cast %t : tensor<2xi1> -> tensor<2xi8>
  return %a, %b, %c, %d : tensor<2xi8>, tensor<2xui8>, tensor<2xi64>, tensor<2xi8>
}

// Integer to float rounds to nearest even, once.

// CHECK-LABEL: func @int_to_float
// CHECK-DAG: %[[A:.*]] = graph.constant dense<[0x4B800000, 0x4B800002]> : tensor<2xf32>
// CHECK-DAG: %[[B:.*]] = graph.constant dense<1.000000e+00> : tensor<f16>
// CHECK-DAG: %[[C:.*]] = graph.constant dense<2.000000e+02> : tensor<f32>
func.func @int_to_float() -> (tensor<2xf32>, tensor<f16>, tensor<f32>) {
  %x = graph.constant dense<[16777217, 16777219]> : tensor<2xi64>
  %a = graph.cast %x : tensor<2xi64> -> tensor<2xf32>
  %t = graph.constant dense<true> : tensor<i1>
  %b = graph.cast %t : tensor<i1> -> tensor<f16>
  %u = graph.constant dense<200> : tensor<ui8>
  %c = graph.cast %u : tensor<ui8> -> tensor<f32>
  return %a, %b, %c : tensor<2xf32>, tensor<f16>, tensor<f32>
}

// A widening that is undone at once is exact, so both casts go.

// CHECK-LABEL: func @exact_round_trips
// CHECK-SAME: (%[[X:.*]]: tensor<4xbf16>, %[[I:.*]]: tensor<4xi8>, %[[B:.*]]: tensor<4xi1>)
// CHECK-NEXT: return %[[X]], %[[I]], %[[B]], %[[X]]
func.func @exact_round_trips(%x: tensor<4xbf16>, %i: tensor<4xi8>, %b: tensor<4xi1>)
    -> (tensor<4xbf16>, tensor<4xi8>, tensor<4xi1>, tensor<4xbf16>) {
  %0 = graph.cast %x : tensor<4xbf16> -> tensor<4xf32>
  %1 = graph.cast %0 : tensor<4xf32> -> tensor<4xbf16>
  %2 = graph.cast %i : tensor<4xi8> -> tensor<4xf16>
  %3 = graph.cast %2 : tensor<4xf16> -> tensor<4xi8>
  %4 = graph.cast %b : tensor<4xi1> -> tensor<4xui8>
  %5 = graph.cast %4 : tensor<4xui8> -> tensor<4xi1>
  %6 = graph.cast %x : tensor<4xbf16> -> tensor<4xbf16>
  return %1, %3, %5, %6 : tensor<4xbf16>, tensor<4xi8>, tensor<4xi1>, tensor<4xbf16>
}

// An exact cast between two others drops out; both ends stay.

// CHECK-LABEL: func @exact_middle
// CHECK-SAME: (%[[X:.*]]: tensor<4xf16>, %[[U:.*]]: tensor<4xui8>, %[[I:.*]]: tensor<4xi8>)
// CHECK-DAG: graph.cast %[[X]] : tensor<4xf16> -> tensor<4xbf16>
// CHECK-DAG: graph.cast %[[U]] : tensor<4xui8> -> tensor<4xf32>
// CHECK-DAG: graph.cast %[[I]] : tensor<4xi8> -> tensor<4xui8>
// CHECK-NEXT: return
func.func @exact_middle(%x: tensor<4xf16>, %u: tensor<4xui8>, %i: tensor<4xi8>)
    -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xui8>) {
  %0 = graph.cast %x : tensor<4xf16> -> tensor<4xf32>
  %1 = graph.cast %0 : tensor<4xf32> -> tensor<4xbf16>
  %2 = graph.cast %u : tensor<4xui8> -> tensor<4xbf16>
  %3 = graph.cast %2 : tensor<4xbf16> -> tensor<4xf32>
  %4 = graph.cast %i : tensor<4xi8> -> tensor<4xi64>
  %5 = graph.cast %4 : tensor<4xi64> -> tensor<4xui8>
  return %1, %3, %5 : tensor<4xbf16>, tensor<4xf32>, tensor<4xui8>
}

// Narrowing rounds. Dropping this pair would change the values.

// CHECK-LABEL: func @rounding_pair_stays
// CHECK-COUNT-2: graph.cast
func.func @rounding_pair_stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.cast %x : tensor<4xf32> -> tensor<4xbf16>
  %1 = graph.cast %0 : tensor<4xbf16> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// f16 has more digits than bf16, bf16 more range than f16: no exact cast.

// CHECK-LABEL: func @same_width_is_not_exact
// CHECK-COUNT-4: graph.cast
func.func @same_width_is_not_exact(%x: tensor<4xbf16>, %y: tensor<4xf16>) -> (tensor<4xbf16>, tensor<4xf16>) {
  %0 = graph.cast %x : tensor<4xbf16> -> tensor<4xf16>
  %1 = graph.cast %0 : tensor<4xf16> -> tensor<4xbf16>
  %2 = graph.cast %y : tensor<4xf16> -> tensor<4xbf16>
  %3 = graph.cast %2 : tensor<4xbf16> -> tensor<4xf16>
  return %1, %3 : tensor<4xbf16>, tensor<4xf16>
}

// i32 and i64 have integers that f32 rounds; i64 has some that f64 rounds.

// CHECK-LABEL: func @wide_integers_are_not_exact
// CHECK-COUNT-4: graph.cast
// CHECK-NEXT: return
func.func @wide_integers_are_not_exact(%x: tensor<4xi32>, %y: tensor<4xi64>) -> (tensor<4xi32>, tensor<4xi64>) {
  %0 = graph.cast %x : tensor<4xi32> -> tensor<4xf32>
  %1 = graph.cast %0 : tensor<4xf32> -> tensor<4xi32>
  %2 = graph.cast %y : tensor<4xi64> -> tensor<4xf64>
  %3 = graph.cast %2 : tensor<4xf64> -> tensor<4xi64>
  return %1, %3 : tensor<4xi32>, tensor<4xi64>
}

// A float saturates where an integer would wrap: 300 becomes 127, not 44.

// CHECK-LABEL: func @saturation_is_not_wrapping
// CHECK-COUNT-2: graph.cast
// CHECK-NEXT: return
func.func @saturation_is_not_wrapping(%x: tensor<4xi32>) -> tensor<4xi8> {
  %0 = graph.cast %x : tensor<4xi32> -> tensor<4xf64>
  %1 = graph.cast %0 : tensor<4xf64> -> tensor<4xi8>
  return %1 : tensor<4xi8>
}

// A sign is lost on the way: -1 becomes 255.

// CHECK-LABEL: func @sign_is_lost
// CHECK-COUNT-2: graph.cast
// CHECK-NEXT: return
func.func @sign_is_lost(%x: tensor<4xi8>) -> tensor<4xi32> {
  %0 = graph.cast %x : tensor<4xi8> -> tensor<4xui8>
  %1 = graph.cast %0 : tensor<4xui8> -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// As i1 only the zero stays.

// CHECK-LABEL: func @bool_is_not_exact
// CHECK-COUNT-2: graph.cast
// CHECK-NEXT: return
func.func @bool_is_not_exact(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = graph.cast %x : tensor<4xi8> -> tensor<4xi1>
  %1 = graph.cast %0 : tensor<4xi1> -> tensor<4xi8>
  return %1 : tensor<4xi8>
}
