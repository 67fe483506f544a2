// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// 0x7FC00000 is NaN, 0x7F800000 and 0xFF800000 are the infinities of f32.

// NaN passes through maximum and minimum, which tell the zeros apart.
// CHECK-LABEL: @extrema
func.func @extrema() -> (tensor<6xf32>, tensor<6xf32>) {
  %a = graph.constant dense<[1.0, 0x7FC00000, 2.0, 0.0, -0.0, 0xFF800000]> : tensor<6xf32>
  %b = graph.constant dense<[2.0, 1.0, 0x7FC00000, -0.0, 0.0, 3.0]> : tensor<6xf32>
  // CHECK: result 0 : tensor<6xf32> [2, nan, nan, 0, 0, 3]
  %max = graph.maximum %a, %b : tensor<6xf32>
  // CHECK: result 1 : tensor<6xf32> [1, nan, nan, -0, -0, -inf]
  %min = graph.minimum %a, %b : tensor<6xf32>
  return %max, %min : tensor<6xf32>, tensor<6xf32>
}

// CHECK-LABEL: @arithmetic
func.func @arithmetic() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = graph.constant dense<[1.0, -7.5, 0.0, 0x7F800000]> : tensor<4xf32>
  %b = graph.constant dense<[3.0, 2.0, 0.0, 0x7F800000]> : tensor<4xf32>
  // CHECK: result 0 : tensor<4xf32> [4, -5.5, 0, inf]
  %add = graph.add %a, %b : tensor<4xf32>
  // CHECK: result 1 : tensor<4xf32> [-2, -9.5, 0, nan]
  %sub = graph.sub %a, %b : tensor<4xf32>
  // CHECK: result 2 : tensor<4xf32> [3, -15, 0, inf]
  %mul = graph.mul %a, %b : tensor<4xf32>
  // CHECK: result 3 : tensor<4xf32> [0.33333334, -3.75, nan, nan]
  %div = graph.div %a, %b : tensor<4xf32>
  // CHECK: result 4 : tensor<4xf32> [1, -1.5, nan, nan]
  %rem = graph.rem %a, %b : tensor<4xf32>
  // CHECK: result 5 : tensor<4xf32> [-1, 7.5, -0, -inf]
  %neg = graph.neg %a : tensor<4xf32>
  // CHECK: result 6 : tensor<4xf32> [1, 7.5, 0, inf]
  %abs = graph.abs %neg : tensor<4xf32>
  // CHECK: result 7 : tensor<4xf32> [1, -1, 0, 1]
  %sign = graph.sign %a : tensor<4xf32>
  return %add, %sub, %mul, %div, %rem, %neg, %abs, %sign : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A zero cotangent silences an infinite or undefined derivative, on its side only.
// CHECK-LABEL: @mul_no_nan
func.func @mul_no_nan() -> tensor<6xf32> {
  %g = graph.constant dense<[0.0, -0.0, 0.0, 2.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  %d = graph.constant dense<[0x7F800000, 0x7FC00000, 3.0, 3.0, 0.0, 1.0]> : tensor<6xf32>
  // CHECK: result 0 : tensor<6xf32> [0, 0, 0, 6, nan, nan]
  %r = graph.mul_no_nan %g, %d : tensor<6xf32>
  return %r : tensor<6xf32>
}

// CHECK-LABEL: @rounding_to_integers
func.func @rounding_to_integers() -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %x = graph.constant dense<[0.5, 1.5, 2.5, -0.5, -1.5, -0.2, 8388609.0, 0x7FC00000]> : tensor<8xf32>
  // CHECK: result 0 : tensor<8xf32> [0, 2, 2, -0, -2, -0, 8388609, nan]
  %round = graph.round %x : tensor<8xf32>
  // CHECK: result 1 : tensor<8xf32> [0, 1, 2, -1, -2, -1, 8388609, nan]
  %floor = graph.floor %x : tensor<8xf32>
  // CHECK: result 2 : tensor<8xf32> [1, 2, 3, -0, -1, -0, 8388609, nan]
  %ceil = graph.ceil %x : tensor<8xf32>
  return %round, %floor, %ceil : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Values of the C library's double functions, rounded once to f32.
// CHECK-LABEL: @functions
func.func @functions() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %x = graph.constant dense<[0.3, 1.0, 2.5]> : tensor<3xf32>
  // CHECK: result 0 : tensor<3xf32> [1.3498589, 2.7182817, 12.182494]
  %exp = graph.exp %x : tensor<3xf32>
  // CHECK: result 1 : tensor<3xf32> [0.34985882, 1.7182819, 11.182494]
  %expm1 = graph.expm1 %x : tensor<3xf32>
  // CHECK: result 2 : tensor<3xf32> [-1.2039728, 0, 0.91629076]
  %log = graph.log %x : tensor<3xf32>
  // CHECK: result 3 : tensor<3xf32> [0.26236427, 0.6931472, 1.2527629]
  %log1p = graph.log1p %x : tensor<3xf32>
  // CHECK: result 4 : tensor<3xf32> [0.5477226, 1, 1.5811388]
  %sqrt = graph.sqrt %x : tensor<3xf32>
  // CHECK: result 5 : tensor<3xf32> [1.8257418, 1, 0.6324555]
  %rsqrt = graph.rsqrt %x : tensor<3xf32>
  // CHECK: result 6 : tensor<3xf32> [3.3333333, 1, 0.4]
  %reciprocal = graph.reciprocal %x : tensor<3xf32>
  // CHECK: result 7 : tensor<3xf32> [0.29552022, 0.84147096, 0.5984721]
  %sin = graph.sin %x : tensor<3xf32>
  // CHECK: result 8 : tensor<3xf32> [0.9553365, 0.5403023, -0.8011436]
  %cos = graph.cos %x : tensor<3xf32>
  // CHECK: result 9 : tensor<3xf32> [0.29131263, 0.7615942, 0.9866143]
  %tanh = graph.tanh %x : tensor<3xf32>
  // CHECK: result 10 : tensor<3xf32> [0.32862678, 0.8427008, 0.999593]
  %erf = graph.erf %x : tensor<3xf32>
  // CHECK: result 11 : tensor<3xf32> [0.6968453, 1, 9.882117]
  %pow = graph.pow %x, %x : tensor<3xf32>
  return %exp, %expm1, %log, %log1p, %sqrt, %rsqrt, %reciprocal, %sin, %cos, %tanh, %erf, %pow : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// Where functions end: domains, overflow, signed zeros.
// CHECK-LABEL: @edges
func.func @edges() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %x = graph.constant dense<[-0.0, -1.0, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  // CHECK: result 0 : tensor<4xf32> [-0, nan, inf, nan]
  %sqrt = graph.sqrt %x : tensor<4xf32>
  // CHECK: result 1 : tensor<4xf32> [-inf, nan, 0, nan]
  %rsqrt = graph.rsqrt %x : tensor<4xf32>
  // CHECK: result 2 : tensor<4xf32> [-inf, -1, 0, -0]
  %reciprocal = graph.reciprocal %x : tensor<4xf32>
  // CHECK: result 3 : tensor<4xf32> [-inf, nan, inf, nan]
  %log = graph.log %x : tensor<4xf32>
  // CHECK: result 4 : tensor<4xf32> [-0, -inf, inf, nan]
  %log1p = graph.log1p %x : tensor<4xf32>
  // CHECK: result 5 : tensor<4xf32> [1, 0.36787945, inf, 0]
  %exp = graph.exp %x : tensor<4xf32>
  // CHECK: result 6 : tensor<4xf32> [-0, -0.63212055, inf, -1]
  %expm1 = graph.expm1 %x : tensor<4xf32>
  // CHECK: result 7 : tensor<4xf32> [-0, -0.7615942, 1, -1]
  %tanh = graph.tanh %x : tensor<4xf32>
  // CHECK: result 8 : tensor<4xf32> [-0, -0.8427008, 1, -1]
  %erf = graph.erf %x : tensor<4xf32>
  return %sqrt, %rsqrt, %reciprocal, %log, %log1p, %exp, %expm1, %tanh, %erf : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The special cases of C's pow.
// CHECK-LABEL: @pow_edges
func.func @pow_edges() -> tensor<8xf32> {
  %a = graph.constant dense<[0x7FC00000, 1.0, 0.0, -0.0, -8.0, -2.0, -2.0, 0xFF800000]> : tensor<8xf32>
  %b = graph.constant dense<[0.0, 0x7FC00000, -1.0, -3.0, 0.5, 3.0, 2.0, 3.0]> : tensor<8xf32>
  // CHECK: result 0 : tensor<8xf32> [1, 1, inf, -inf, nan, -8, 4, -inf]
  %r = graph.pow %a, %b : tensor<8xf32>
  return %r : tensor<8xf32>
}

// Subnormals are kept, overflow is infinite.
// CHECK-LABEL: @range
func.func @range() -> (tensor<3xf32>, tensor<2xf16>, tensor<2xbf16>, tensor<2xf64>) {
  %a = graph.constant dense<[1.0e-38, 3.0e38, 1.0e-45]> : tensor<3xf32>
  %b = graph.constant dense<[0.001, 2.0, 0.25]> : tensor<3xf32>
  // CHECK: result 0 : tensor<3xf32> [1e-41, inf, 0]
  %f32 = graph.mul %a, %b : tensor<3xf32>
  %c = graph.constant dense<[65504.0, 0.0001]> : tensor<2xf16>
  %d = graph.constant dense<[1.001, 0.0005]> : tensor<2xf16>
  // CHECK: result 1 : tensor<2xf16> [inf, 5.9604645e-08]
  %f16 = graph.mul %c, %d : tensor<2xf16>
  %e = graph.constant dense<[3.0e38, 1.0]> : tensor<2xbf16>
  %f = graph.constant dense<[3.0e38, 0.001953125]> : tensor<2xbf16>
  // CHECK: result 2 : tensor<2xbf16> [inf, 1]
  %bf16 = graph.add %e, %f : tensor<2xbf16>
  %g = graph.constant dense<[1.0e308, 5.0e-324]> : tensor<2xf64>
  // CHECK: result 3 : tensor<2xf64> [inf, 1e-323]
  %f64 = graph.add %g, %g : tensor<2xf64>
  return %f32, %f16, %bf16, %f64 : tensor<3xf32>, tensor<2xf16>, tensor<2xbf16>, tensor<2xf64>
}

// CHECK-LABEL: @tests
func.func @tests() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xf32>) {
  %x = graph.constant dense<[1.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<4xf32>
  // CHECK: result 0 : tensor<4xi1> [true, false, false, false]
  %finite = graph.is_finite %x : tensor<4xf32>
  // CHECK: result 1 : tensor<4xi1> [false, true, false, false]
  %nan = graph.is_nan %x : tensor<4xf32>
  %zero = graph.constant dense<0.0> : tensor<4xf32>
  // CHECK: result 2 : tensor<4xf32> [1, 0, 0, 0]
  %r = graph.select %finite, %x, %zero : tensor<4xf32>
  return %finite, %nan, %r : tensor<4xi1>, tensor<4xi1>, tensor<4xf32>
}

// CHECK-LABEL: @comparisons
func.func @comparisons() -> (tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<2xi1>, tensor<2xi1>) {
  %a = graph.constant dense<[1.0, 2.0, 0x7FC00000, 0.0, 0x7FC00000]> : tensor<5xf32>
  %b = graph.constant dense<[2.0, 2.0, 2.0, -0.0, 0x7FC00000]> : tensor<5xf32>
  // CHECK: result 0 : tensor<5xi1> [false, true, false, true, false]
  %eq = graph.compare eq, %a, %b : tensor<5xf32>
  // CHECK: result 1 : tensor<5xi1> [true, false, true, false, true]
  %ne = graph.compare ne, %a, %b : tensor<5xf32>
  // CHECK: result 2 : tensor<5xi1> [true, false, false, false, false]
  %lt = graph.compare lt, %a, %b : tensor<5xf32>
  // CHECK: result 3 : tensor<5xi1> [true, true, false, true, false]
  %le = graph.compare le, %a, %b : tensor<5xf32>
  // CHECK: result 4 : tensor<5xi1> [false, false, false, false, false]
  %gt = graph.compare gt, %a, %b : tensor<5xf32>
  // CHECK: result 5 : tensor<5xi1> [false, true, false, true, false]
  %ge = graph.compare ge, %a, %b : tensor<5xf32>
  %i = graph.constant dense<[-1, 1]> : tensor<2xi8>
  %j = graph.constant dense<[1, 1]> : tensor<2xi8>
  // CHECK: result 6 : tensor<2xi1> [true, false]
  %signed = graph.compare lt, %i, %j : tensor<2xi8>
  %p = graph.constant dense<[false, true]> : tensor<2xi1>
  %q = graph.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: result 7 : tensor<2xi1> [true, false]
  %bool = graph.compare lt, %p, %q : tensor<2xi1>
  return %eq, %ne, %lt, %le, %gt, %ge, %signed, %bool : tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<2xi1>, tensor<2xi1>
}
