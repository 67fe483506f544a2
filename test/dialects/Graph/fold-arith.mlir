// RUN: graph-opt --canonicalize %s | FileCheck %s

// Constants fold by the declared type: every float op rounds once to it.

// CHECK-LABEL: func @f16_rounds_each_op
// CHECK: dense<[2.048000e+03, 2.052000e+03, 0x7C00]> : tensor<3xf16>
func.func @f16_rounds_each_op() -> tensor<3xf16> {
  // 2049 lies between 2048 and 2050: the tie goes to the even neighbour.
  %x = graph.constant dense<[2048.0, 2050.0, 65504.0]> : tensor<3xf16>
  %y = graph.constant dense<[1.0, 1.0, 65504.0]> : tensor<3xf16>
  %z = graph.add %x, %y : tensor<3xf16>
  return %z : tensor<3xf16>
}

// CHECK-LABEL: func @bf16_rounds_each_op
// CHECK: dense<[2.560000e+02, 1.015630e+00]> : tensor<2xbf16>
func.func @bf16_rounds_each_op() -> tensor<2xbf16> {
  %x = graph.constant dense<[255.0, 1.0078125]> : tensor<2xbf16>
  %y = graph.constant dense<1.0078125> : tensor<2xbf16>
  %z = graph.mul %x, %y : tensor<2xbf16>
  return %z : tensor<2xbf16>
}

// Denormals are kept; 1e-30 * 1e-15 is one in f32.

// CHECK-LABEL: func @f32_denormal
// CHECK: dense<1.401300e-45> : tensor<f32>
func.func @f32_denormal() -> tensor<f32> {
  %x = graph.constant dense<1.0e-30> : tensor<f32>
  %y = graph.constant dense<1.0e-15> : tensor<f32>
  %z = graph.mul %x, %y : tensor<f32>
  return %z : tensor<f32>
}

// inf / inf is NaN, 1 / -0 is -inf, 0 / 0 is NaN.

// CHECK-LABEL: func @f32_div
// CHECK: dense<[0x{{[7F]}}FC00000, 0xFF800000, 0x{{[7F]}}FC00000, 0.333333343]> : tensor<4xf32>
func.func @f32_div() -> tensor<4xf32> {
  %x = graph.constant dense<[0x7F800000, 1.0, 0.0, 1.0]> : tensor<4xf32>
  %y = graph.constant dense<[0x7F800000, -0.0, 0.0, 3.0]> : tensor<4xf32>
  %z = graph.div %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// The remainder has the sign of lhs, and is exact for large quotients.

// CHECK-LABEL: func @f64_rem
// CHECK: dense<[-1.000000e+00, 1.000000e+00, 4.000000e+00, -0.000000e+00]> : tensor<4xf64>
func.func @f64_rem() -> tensor<4xf64> {
  %x = graph.constant dense<[-7.0, 7.0, 1.0e22, -6.0]> : tensor<4xf64>
  %y = graph.constant dense<[3.0, -3.0, 7.0, 3.0]> : tensor<4xf64>
  %z = graph.rem %x, %y : tensor<4xf64>
  return %z : tensor<4xf64>
}

// CHECK-LABEL: func @sqrt
// CHECK: dense<[1.41421354, -0.000000e+00, 0x{{[7F]}}FC00000, 0x7F800000]> : tensor<4xf32>
func.func @sqrt() -> tensor<4xf32> {
  %x = graph.constant dense<[2.0, -0.0, -1.0, 0x7F800000]> : tensor<4xf32>
  %y = graph.sqrt %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// NaN propagates on either side; +0 is larger than -0.

// CHECK-LABEL: func @maximum
// CHECK: dense<[0x7FC00000, 0x7FC00000, 0.000000e+00, 0.000000e+00]> : tensor<4xf32>
func.func @maximum() -> tensor<4xf32> {
  %x = graph.constant dense<[0x7FC00000, 1.0, -0.0, 0.0]> : tensor<4xf32>
  %y = graph.constant dense<[1.0, 0x7FC00000, 0.0, -0.0]> : tensor<4xf32>
  %z = graph.maximum %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// CHECK-LABEL: func @minimum
// CHECK: dense<[0x7FC00000, 0x7FC00000, -0.000000e+00, -0.000000e+00]> : tensor<4xf32>
func.func @minimum() -> tensor<4xf32> {
  %x = graph.constant dense<[0x7FC00000, 1.0, -0.0, 0.0]> : tensor<4xf32>
  %y = graph.constant dense<[1.0, 0x7FC00000, 0.0, -0.0]> : tensor<4xf32>
  %z = graph.minimum %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// CHECK-LABEL: func @extrema_ints
// CHECK-DAG: dense<[-1, 5]> : tensor<2xi8>
// CHECK-DAG: dense<[255, 5]> : tensor<2xui8>
func.func @extrema_ints() -> (tensor<2xi8>, tensor<2xui8>) {
  %a = graph.constant dense<[-1, 5]> : tensor<2xi8>
  %b = graph.constant dense<[-2, 4]> : tensor<2xi8>
  %c = graph.maximum %a, %b : tensor<2xi8>
  %d = graph.constant dense<[255, 5]> : tensor<2xui8>
  %e = graph.constant dense<[1, 4]> : tensor<2xui8>
  %f = graph.maximum %d, %e : tensor<2xui8>
  return %c, %f : tensor<2xi8>, tensor<2xui8>
}

// Integer division by zero gives all ones, MIN / -1 is MIN; truncation is
// towards zero.

// CHECK-LABEL: func @int_div
// CHECK-DAG: dense<[-1, -128, -3, -1]> : tensor<4xi8>
// CHECK-DAG: dense<[255, 127]> : tensor<2xui8>
func.func @int_div() -> (tensor<4xi8>, tensor<2xui8>) {
  %x = graph.constant dense<[7, -128, -7, 0]> : tensor<4xi8>
  %y = graph.constant dense<[0, -1, 2, 0]> : tensor<4xi8>
  %z = graph.div %x, %y : tensor<4xi8>
  %a = graph.constant dense<[7, 255]> : tensor<2xui8>
  %b = graph.constant dense<[0, 2]> : tensor<2xui8>
  %c = graph.div %a, %b : tensor<2xui8>
  return %z, %c : tensor<4xi8>, tensor<2xui8>
}

// CHECK-LABEL: func @int_rem
// CHECK-DAG: dense<[7, 0, -1, 1]> : tensor<4xi64>
// CHECK-DAG: dense<[7, 3]> : tensor<2xui8>
func.func @int_rem() -> (tensor<4xi64>, tensor<2xui8>) {
  %x = graph.constant dense<[7, -9223372036854775808, -7, 7]> : tensor<4xi64>
  %y = graph.constant dense<[0, -1, 2, -2]> : tensor<4xi64>
  %z = graph.rem %x, %y : tensor<4xi64>
  %a = graph.constant dense<[7, 203]> : tensor<2xui8>
  %b = graph.constant dense<[0, 200]> : tensor<2xui8>
  %c = graph.rem %a, %b : tensor<2xui8>
  return %z, %c : tensor<4xi64>, tensor<2xui8>
}

// Integers wrap.

// CHECK-LABEL: func @int_wraps
// CHECK-DAG: %[[ADD:.*]] = graph.constant dense<-128> : tensor<i8>
// CHECK-DAG: %[[SUB:.*]] = graph.constant dense<255> : tensor<ui8>
// CHECK-DAG: %[[MUL:.*]] = graph.constant dense<0> : tensor<i32>
// CHECK: return %[[ADD]], %[[SUB]], %[[MUL]], %[[ADD]], %[[ADD]]
func.func @int_wraps() -> (tensor<i8>, tensor<ui8>, tensor<i32>, tensor<i8>, tensor<i8>) {
  %a = graph.constant dense<127> : tensor<i8>
  %b = graph.constant dense<1> : tensor<i8>
  %c = graph.add %a, %b : tensor<i8>
  %d = graph.constant dense<0> : tensor<ui8>
  %e = graph.constant dense<1> : tensor<ui8>
  %f = graph.sub %d, %e : tensor<ui8>
  %g = graph.constant dense<65536> : tensor<i32>
  %h = graph.mul %g, %g : tensor<i32>
  %i = graph.neg %c : tensor<i8>
  %j = graph.abs %c : tensor<i8>
  return %c, %f, %h, %i, %j : tensor<i8>, tensor<ui8>, tensor<i32>, tensor<i8>, tensor<i8>
}

// neg and abs touch the sign bit alone.

// CHECK-LABEL: func @signs
// CHECK-DAG: dense<[-0.000000e+00, 0xFFC00000]> : tensor<2xf32>
// CHECK-DAG: dense<[0.000000e+00, 0x7FC00000]> : tensor<2xf32>
func.func @signs() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = graph.constant dense<[0.0, 0x7FC00000]> : tensor<2xf32>
  %y = graph.neg %x : tensor<2xf32>
  %z = graph.abs %y : tensor<2xf32>
  return %y, %z : tensor<2xf32>, tensor<2xf32>
}

// Identities that hold for every value.

// CHECK-LABEL: func @exact_identities
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[I]], %[[I]], %[[I]], %[[I]]
func.func @exact_identities(%x: tensor<4xf32>, %i: tensor<4xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
        tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %one = graph.constant dense<1.0> : tensor<4xf32>
  %zero = graph.constant dense<0.0> : tensor<4xf32>
  %minus = graph.constant dense<-0.0> : tensor<4xf32>
  %a = graph.mul %one, %x : tensor<4xf32>
  %b = graph.div %x, %one : tensor<4xf32>
  %c = graph.sub %x, %zero : tensor<4xf32>
  %d = graph.add %minus, %x : tensor<4xf32>
  %n = graph.neg %x : tensor<4xf32>
  %e = graph.neg %n : tensor<4xf32>
  %f = graph.maximum %x, %x : tensor<4xf32>
  %ione = graph.constant dense<1> : tensor<4xi32>
  %izero = graph.constant dense<0> : tensor<4xi32>
  %g = graph.mul %i, %ione : tensor<4xi32>
  %h = graph.add %i, %izero : tensor<4xi32>
  %j = graph.sub %i, %izero : tensor<4xi32>
  %k = graph.div %i, %ione : tensor<4xi32>
  return %a, %b, %c, %d, %e, %f, %g, %h, %j, %k
      : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
        tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// x * 0 is NaN for inf; x - x too; -0 + 0 is +0; -0 - -0 is +0; 0 / x may be NaN.

// CHECK-LABEL: func @unsafe_algebra_stays
// CHECK: graph.mul
// CHECK: graph.sub
// CHECK: graph.add
// CHECK: graph.sub
// CHECK: graph.div
func.func @unsafe_algebra_stays(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = graph.constant dense<0.0> : tensor<4xf32>
  %minus = graph.constant dense<-0.0> : tensor<4xf32>
  %a = graph.mul %x, %zero : tensor<4xf32>
  %b = graph.sub %x, %x : tensor<4xf32>
  %c = graph.add %x, %zero : tensor<4xf32>
  %d = graph.sub %x, %minus : tensor<4xf32>
  %e = graph.div %zero, %x : tensor<4xf32>
  return %a, %b, %c, %d, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Functions with a stated error are the target's business.

// CHECK-LABEL: func @inexact_functions_stay
// CHECK: graph.exp
// CHECK: graph.pow
// CHECK: graph.rsqrt
func.func @inexact_functions_stay() -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %x = graph.constant dense<2.0> : tensor<f32>
  %a = graph.exp %x : tensor<f32>
  %b = graph.pow %x, %x : tensor<f32>
  %c = graph.rsqrt %x : tensor<f32>
  return %a, %b, %c : tensor<f32>, tensor<f32>, tensor<f32>
}

// A splat folds at any size, other constants up to 256 elements.

// CHECK-LABEL: func @splat_of_any_size
// CHECK: graph.constant dense<3.000000e+00> : tensor<70000xf32>
func.func @splat_of_any_size() -> tensor<70000xf32> {
  %x = graph.constant dense<1.0> : tensor<70000xf32>
  %y = graph.constant dense<2.0> : tensor<70000xf32>
  %z = graph.add %x, %y : tensor<70000xf32>
  return %z : tensor<70000xf32>
}

// CHECK-LABEL: func @splat_with_elements
// CHECK: dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
func.func @splat_with_elements() -> tensor<2xf32> {
  %x = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = graph.constant dense<2.0> : tensor<2xf32>
  %z = graph.mul %x, %y : tensor<2xf32>
  return %z : tensor<2xf32>
}

// CHECK-LABEL: func @size_limit
// CHECK-SAME: -> tensor<257xi8>
// CHECK: %[[Y:.*]] = graph.constant dense<2> : tensor<1xi8>
// CHECK: %[[Z:.*]] = graph.constant {{.*}} : tensor<256xi8>
// CHECK: graph.concat %[[Z]], %[[Y]]
func.func @size_limit() -> tensor<257xi8> {
  %x = graph.constant dense<1> : tensor<255xi8>
  %y = graph.constant dense<2> : tensor<1xi8>
  %z = graph.concat %x, %y axis = 0 : tensor<255xi8>, tensor<1xi8> -> tensor<256xi8>
  %w = graph.concat %z, %y axis = 0 : tensor<256xi8>, tensor<1xi8> -> tensor<257xi8>
  return %w : tensor<257xi8>
}

// CHECK-LABEL: func @empty_stays
// CHECK: graph.add
func.func @empty_stays() -> tensor<0x4xf32> {
  %x = graph.constant dense<> : tensor<0x4xf32>
  %y = graph.add %x, %x : tensor<0x4xf32>
  return %y : tensor<0x4xf32>
}
