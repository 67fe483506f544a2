// REQUIRES: graph-interpret
// RUN: graph-interpret %s --all | FileCheck %s

// Integer arithmetic wraps; division by zero and of the smallest number have values.

// CHECK-LABEL: @i32
func.func @i32() -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) {
  %a = graph.constant dense<[7, -7, 5, -2147483648, -2147483648, 2147483647]> : tensor<6xi32>
  %b = graph.constant dense<[-2, 2, 0, -1, 0, 1]> : tensor<6xi32>
  // CHECK: result 0 : tensor<6xi32> [5, -5, 5, 2147483647, -2147483648, -2147483648]
  %add = graph.add %a, %b : tensor<6xi32>
  // CHECK: result 1 : tensor<6xi32> [9, -9, 5, -2147483647, -2147483648, 2147483646]
  %sub = graph.sub %a, %b : tensor<6xi32>
  // CHECK: result 2 : tensor<6xi32> [-14, -14, 0, -2147483648, 0, 2147483647]
  %mul = graph.mul %a, %b : tensor<6xi32>
  // CHECK: result 3 : tensor<6xi32> [-3, -3, -1, -2147483648, -1, 2147483647]
  %div = graph.div %a, %b : tensor<6xi32>
  // CHECK: result 4 : tensor<6xi32> [1, -1, 5, 0, -2147483648, 0]
  %rem = graph.rem %a, %b : tensor<6xi32>
  // CHECK: result 5 : tensor<6xi32> [-7, 7, -5, -2147483648, -2147483648, -2147483647]
  %neg = graph.neg %a : tensor<6xi32>
  // CHECK: result 6 : tensor<6xi32> [7, 7, 5, -2147483648, -2147483648, 2147483647]
  %abs = graph.abs %a : tensor<6xi32>
  // CHECK: result 7 : tensor<6xi32> [1, -1, 1, -1, -1, 1]
  %sign = graph.sign %a : tensor<6xi32>
  // CHECK: result 8 : tensor<6xi32> [7, 2, 5, -1, 0, 2147483647]
  %max = graph.maximum %a, %b : tensor<6xi32>
  // CHECK: result 9 : tensor<6xi32> [-2, -7, 0, -2147483648, -2147483648, 1]
  %min = graph.minimum %a, %b : tensor<6xi32>
  return %add, %sub, %mul, %div, %rem, %neg, %abs, %sign, %max, %min : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>
}

// CHECK-LABEL: @i64
func.func @i64() -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) {
  %a = graph.constant dense<[-9223372036854775808, 9223372036854775807, 3037000500]> : tensor<3xi64>
  %b = graph.constant dense<[-1, 2, 3037000500]> : tensor<3xi64>
  // CHECK: result 0 : tensor<3xi64> [-9223372036854775808, -2, -9223372036709301616]
  %mul = graph.mul %a, %b : tensor<3xi64>
  // CHECK: result 1 : tensor<3xi64> [-9223372036854775808, 4611686018427387903, 1]
  %div = graph.div %a, %b : tensor<3xi64>
  // CHECK: result 2 : tensor<3xi64> [0, 1, 0]
  %rem = graph.rem %a, %b : tensor<3xi64>
  // CHECK: result 3 : tensor<3xi64> [9223372036854775807, -9223372036854775807, 6074001000]
  %add = graph.add %a, %b : tensor<3xi64>
  return %mul, %div, %rem, %add : tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>
}

// CHECK-LABEL: @i8
func.func @i8() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %a = graph.constant dense<[-128, 127, 100]> : tensor<3xi8>
  %b = graph.constant dense<[-1, 1, 3]> : tensor<3xi8>
  // CHECK: result 0 : tensor<3xi8> [127, -128, 103]
  %add = graph.add %a, %b : tensor<3xi8>
  // CHECK: result 1 : tensor<3xi8> [-128, 127, 44]
  %mul = graph.mul %a, %b : tensor<3xi8>
  // CHECK: result 2 : tensor<3xi8> [-128, 127, 33]
  %div = graph.div %a, %b : tensor<3xi8>
  // CHECK: result 3 : tensor<3xi8> [-128, 127, 100]
  %abs = graph.abs %a : tensor<3xi8>
  return %add, %mul, %div, %abs : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// CHECK-LABEL: @ui8
func.func @ui8() -> (tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xi1>, tensor<4xui8>) {
  %a = graph.constant dense<[200, 3, 7, 255]> : tensor<4xui8>
  %b = graph.constant dense<[100, 5, 0, 255]> : tensor<4xui8>
  // CHECK: result 0 : tensor<4xui8> [44, 8, 7, 254]
  %add = graph.add %a, %b : tensor<4xui8>
  // CHECK: result 1 : tensor<4xui8> [100, 254, 7, 0]
  %sub = graph.sub %a, %b : tensor<4xui8>
  // CHECK: result 2 : tensor<4xui8> [2, 0, 255, 1]
  %div = graph.div %a, %b : tensor<4xui8>
  // CHECK: result 3 : tensor<4xui8> [0, 3, 7, 0]
  %rem = graph.rem %a, %b : tensor<4xui8>
  // CHECK: result 4 : tensor<4xui8> [56, 253, 249, 1]
  %neg = graph.neg %a : tensor<4xui8>
  // CHECK: result 5 : tensor<4xui8> [200, 5, 7, 255]
  %max = graph.maximum %a, %b : tensor<4xui8>
  // CHECK: result 6 : tensor<4xi1> [false, true, false, false]
  %lt = graph.compare lt, %a, %b : tensor<4xui8>
  // CHECK: result 7 : tensor<4xui8> [1, 1, 1, 1]
  %sign = graph.sign %a : tensor<4xui8>
  return %add, %sub, %div, %rem, %neg, %max, %lt, %sign : tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xui8>, tensor<4xi1>, tensor<4xui8>
}

// CHECK-LABEL: @bits
func.func @bits() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<2xui8>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %a = graph.constant dense<[12, -1, 5]> : tensor<3xi8>
  %b = graph.constant dense<[10, 85, -6]> : tensor<3xi8>
  // CHECK: result 0 : tensor<3xi8> [8, 85, 0]
  %and = graph.and %a, %b : tensor<3xi8>
  // CHECK: result 1 : tensor<3xi8> [14, -1, -1]
  %or = graph.or %a, %b : tensor<3xi8>
  // CHECK: result 2 : tensor<3xi8> [6, -86, -1]
  %xor = graph.xor %a, %b : tensor<3xi8>
  // CHECK: result 3 : tensor<3xi8> [-13, 0, -6]
  %not = graph.not %a : tensor<3xi8>
  // CHECK: result 4 : tensor<2xui8> [254, 0]
  %u = graph.constant dense<[1, 255]> : tensor<2xui8>
  %notu = graph.not %u : tensor<2xui8>
  %p = graph.constant dense<[false, false, true, true]> : tensor<4xi1>
  %q = graph.constant dense<[false, true, false, true]> : tensor<4xi1>
  // CHECK: result 5 : tensor<4xi1> [false, false, false, true]
  %pand = graph.and %p, %q : tensor<4xi1>
  // CHECK: result 6 : tensor<4xi1> [false, true, true, true]
  %por = graph.or %p, %q : tensor<4xi1>
  // CHECK: result 7 : tensor<4xi1> [false, true, true, false]
  %pxor = graph.xor %p, %q : tensor<4xi1>
  // CHECK: result 8 : tensor<4xi1> [true, true, false, false]
  %pnot = graph.not %p : tensor<4xi1>
  return %and, %or, %xor, %not, %notu, %pand, %por, %pxor, %pnot : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<2xui8>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: @shifts
func.func @shifts() -> (tensor<6xi32>, tensor<6xi32>, tensor<4xui8>, tensor<4xui8>, tensor<3xi64>, tensor<3xi64>) {
  %a = graph.constant dense<[1, -5, -5, -5, 6, 3]> : tensor<6xi32>
  %n = graph.constant dense<[31, 1, 32, -1, 33, 0]> : tensor<6xi32>
  // CHECK: result 0 : tensor<6xi32> [-2147483648, -10, 0, 0, 0, 3]
  %left = graph.shift_left %a, %n : tensor<6xi32>
  // CHECK: result 1 : tensor<6xi32> [0, -3, -1, -1, 0, 3]
  %right = graph.shift_right %a, %n : tensor<6xi32>
  %u = graph.constant dense<[255, 129, 255, 255]> : tensor<4xui8>
  %m = graph.constant dense<[4, 1, 8, 255]> : tensor<4xui8>
  // CHECK: result 2 : tensor<4xui8> [240, 2, 0, 0]
  %lu = graph.shift_left %u, %m : tensor<4xui8>
  // CHECK: result 3 : tensor<4xui8> [15, 64, 0, 0]
  %ru = graph.shift_right %u, %m : tensor<4xui8>
  %l = graph.constant dense<[1, -1, -9223372036854775808]> : tensor<3xi64>
  %k = graph.constant dense<[63, 64, 63]> : tensor<3xi64>
  // CHECK: result 4 : tensor<3xi64> [-9223372036854775808, 0, 0]
  %ll = graph.shift_left %l, %k : tensor<3xi64>
  // CHECK: result 5 : tensor<3xi64> [0, -1, -1]
  %rl = graph.shift_right %l, %k : tensor<3xi64>
  return %left, %right, %lu, %ru, %ll, %rl : tensor<6xi32>, tensor<6xi32>, tensor<4xui8>, tensor<4xui8>, tensor<3xi64>, tensor<3xi64>
}
