// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// CHECK-LABEL: @matrices
func.func @matrices() -> (tensor<2x2xi64>, tensor<2x2xf32>, tensor<f32>, tensor<2x2xf32>) {
  %a = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %b = graph.constant dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi64>
  // CHECK: result 0 : tensor<2x2xi64> {{\[\[14, 32\], \[32, 77\]\]}}
  %i = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : tensor<2x3xi64>, tensor<3x2xi64> -> tensor<2x2xi64>
  %fa = graph.cast %a : tensor<2x3xi64> -> tensor<2x3xf32>
  %fb = graph.cast %b : tensor<3x2xi64> -> tensor<3x2xf32>
  // CHECK: result 1 : tensor<2x2xf32> {{\[\[14, 32\], \[32, 77\]\]}}
  %f = graph.dot_general %fa, %fb batching = [] x [] contracting = [1] x [0] : tensor<2x3xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
  // Both dimensions: the sum of a[i, k] b[k, i].
  // CHECK: result 2 : tensor<f32> 91
  %full = graph.dot_general %fa, %fb batching = [] x [] contracting = [0, 1] x [1, 0] : tensor<2x3xf32>, tensor<3x2xf32> -> tensor<f32>
  // No dimension: an outer product.
  %u = graph.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %v = graph.constant dense<[5.0, 7.0]> : tensor<2xf32>
  // CHECK: result 3 : tensor<2x2xf32> {{\[\[10, 14\], \[15, 21\]\]}}
  %outer = graph.dot_general %u, %v batching = [] x [] contracting = [] x [] : tensor<2xf32>, tensor<2xf32> -> tensor<2x2xf32>
  return %i, %f, %full, %outer : tensor<2x2xi64>, tensor<2x2xf32>, tensor<f32>, tensor<2x2xf32>
}

// Batch dimensions come first, then the others of lhs, then those of rhs.
// CHECK-LABEL: @batches
func.func @batches() -> (tensor<2x2xi32>, tensor<2x3x1xi32>, tensor<2x3xi32>) {
  %a = graph.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %b = graph.constant dense<[[1, 10], [1, 10], [1, 10]]> : tensor<3x2xi32>
  // Batch over columns, contract rows, none left: 1+3+5 and 10 (2+4+6).
  %d = graph.dot_general %a, %b batching = [1] x [1] contracting = [0] x [0] : tensor<3x2xi32>, tensor<3x2xi32> -> tensor<2xi32>
  %dd = graph.broadcast %d dims = [1] : tensor<2xi32> -> tensor<2x2xi32>
  // CHECK: result 0 : tensor<2x2xi32> {{\[\[9, 120\], \[9, 120\]\]}}
  %w = graph.constant dense<[[7, 100]]> : tensor<1x2xi32>
  // Batch over the columns of both, contract nothing: a[i, j] w[0, j].
  // CHECK: result 1 : tensor<2x3x1xi32> {{\[\[\[7\], \[21\], \[35\]\], \[\[200\], \[400\], \[600\]\]\]}}
  %e = graph.dot_general %a, %w batching = [1] x [1] contracting = [] x [] : tensor<3x2xi32>, tensor<1x2xi32> -> tensor<2x3x1xi32>
  // Over nothing the sum is 0.
  %p = graph.constant dense<> : tensor<2x0xi32>
  %q = graph.constant dense<> : tensor<0x3xi32>
  // CHECK: result 2 : tensor<2x3xi32> {{\[\[0, 0, 0\], \[0, 0, 0\]\]}}
  %z = graph.dot_general %p, %q batching = [] x [] contracting = [1] x [0] : tensor<2x0xi32>, tensor<0x3xi32> -> tensor<2x3xi32>
  return %dd, %e, %z : tensor<2x2xi32>, tensor<2x3x1xi32>, tensor<2x3xi32>
}

// Narrow operands, and results of their own or a wider type.
// CHECK-LABEL: @types
func.func @types() -> (tensor<i32>, tensor<i8>, tensor<i32>, tensor<f16>, tensor<f32>, tensor<bf16>) {
  %a = graph.constant dense<[100, 100, -128]> : tensor<3xi8>
  // CHECK: result 0 : tensor<i32> 36384
  %i32 = graph.dot_general %a, %a batching = [] x [] contracting = [0] x [0] : tensor<3xi8>, tensor<3xi8> -> tensor<i32>
  // CHECK: result 1 : tensor<i8> 32
  %i8 = graph.dot_general %a, %a batching = [] x [] contracting = [0] x [0] : tensor<3xi8>, tensor<3xi8> -> tensor<i8>
  %u = graph.constant dense<[255, 255]> : tensor<2xui8>
  // CHECK: result 2 : tensor<i32> 130050
  %ui32 = graph.dot_general %u, %u batching = [] x [] contracting = [0] x [0] : tensor<2xui8>, tensor<2xui8> -> tensor<i32>
  // 256^2 = 65536 is no f16, but an f32; the sum 65536 - 65536 + 1 is both.
  %h = graph.constant dense<[256.0, 256.0, 1.0]> : tensor<3xf16>
  %g = graph.constant dense<[256.0, -256.0, 1.0]> : tensor<3xf16>
  // CHECK: result 3 : tensor<f16> 1
  %f16 = graph.dot_general %h, %g batching = [] x [] contracting = [0] x [0] : tensor<3xf16>, tensor<3xf16> -> tensor<f16>
  // CHECK: result 4 : tensor<f32> 131073
  %f32 = graph.dot_general %h, %h batching = [] x [] contracting = [0] x [0] : tensor<3xf16>, tensor<3xf16> -> tensor<f32>
  %b = graph.constant dense<[1.0, 1.0, 0.0078125]> : tensor<3xbf16>
  // 1 + 1 + 2^-14 rounds to 2.
  // CHECK: result 5 : tensor<bf16> 2
  %bf16 = graph.dot_general %b, %b batching = [] x [] contracting = [0] x [0] : tensor<3xbf16>, tensor<3xbf16> -> tensor<bf16>
  return %i32, %i8, %ui32, %f16, %f32, %bf16 : tensor<i32>, tensor<i8>, tensor<i32>, tensor<f16>, tensor<f32>, tensor<bf16>
}

// CHECK-LABEL: @linear
func.func @linear() -> (tensor<2x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<0x2xf32>, tensor<1xbf16>) {
  %x = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %w = graph.constant dense<[[1.0, 0.0, 2.0], [0.5, -1.0, 0.0]]> : tensor<2x3xf32>
  %b = graph.constant dense<[10.0, 20.0]> : tensor<2xf32>
  // CHECK: result 0 : tensor<2x2xf32> {{\[\[17, 18.5\], \[26, 17\]\]}}
  %y = graph.linear %x, %w, %b : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32> -> tensor<2x2xf32>
  %x3 = graph.reshape %x : tensor<2x3xf32> -> tensor<1x2x3xf32>
  // CHECK: result 1 : tensor<1x2x2xf32> {{\[\[\[7, -1.5\], \[16, -3\]\]\]}}
  %y3 = graph.linear %x3, %w : tensor<1x2x3xf32>, tensor<2x3xf32> -> tensor<1x2x2xf32>
  %x1 = graph.constant dense<> : tensor<0xf32>
  %w0 = graph.constant dense<> : tensor<1x0xf32>
  %b1 = graph.constant dense<3.0> : tensor<1xf32>
  // CHECK: result 2 : tensor<1xf32> [3]
  %y1 = graph.linear %x1, %w0, %b1 : tensor<0xf32>, tensor<1x0xf32>, tensor<1xf32> -> tensor<1xf32>
  %x0 = graph.constant dense<> : tensor<0x3xf32>
  // CHECK: result 3 : tensor<0x2xf32> []
  %y0 = graph.linear %x0, %w, %b : tensor<0x3xf32>, tensor<2x3xf32>, tensor<2xf32> -> tensor<0x2xf32>
  // A bias in f32 is added before the only rounding: 256 + 0.5 + 0.75 gives 258.
  %xb = graph.constant dense<[16.0, 0.5]> : tensor<2xbf16>
  %wb = graph.constant dense<[[16.0, 1.0]]> : tensor<1x2xbf16>
  %bb = graph.constant dense<0.75> : tensor<1xf32>
  // CHECK: result 4 : tensor<1xbf16> [258]
  %yb = graph.linear %xb, %wb, %bb : tensor<2xbf16>, tensor<1x2xbf16>, tensor<1xf32> -> tensor<1xbf16>
  return %y, %y3, %y1, %y0, %yb : tensor<2x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<0x2xf32>, tensor<1xbf16>
}
