// RUN: graph-opt --canonicalize %s | FileCheck %s

// Bitwise ops, shifts, comparison and selection of constants.

// CHECK-LABEL: func @bitwise
// CHECK-DAG: %[[AND:.*]] = graph.constant dense<[8, -16]> : tensor<2xi8>
// CHECK-DAG: %[[OR:.*]] = graph.constant dense<[14, -1]> : tensor<2xi8>
// CHECK-DAG: %[[XOR:.*]] = graph.constant dense<[6, 15]> : tensor<2xi8>
// CHECK-DAG: %[[NOT:.*]] = graph.constant dense<[-13, 0]> : tensor<2xi8>
// CHECK: return %[[AND]], %[[OR]], %[[XOR]], %[[NOT]]
func.func @bitwise() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %x = graph.constant dense<[12, -1]> : tensor<2xi8>
  %y = graph.constant dense<[10, -16]> : tensor<2xi8>
  %a = graph.and %x, %y : tensor<2xi8>
  %b = graph.or %x, %y : tensor<2xi8>
  %c = graph.xor %x, %y : tensor<2xi8>
  %d = graph.not %x : tensor<2xi8>
  return %a, %b, %c, %d : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: func @logical
// CHECK-DAG: %[[AND:.*]] = graph.constant dense<[true, false, false]> : tensor<3xi1>
// CHECK-DAG: %[[NOT:.*]] = graph.constant dense<[false, false, true]> : tensor<3xi1>
// CHECK: return %[[AND]], %[[NOT]]
func.func @logical() -> (tensor<3xi1>, tensor<3xi1>) {
  %x = graph.constant dense<[true, true, false]> : tensor<3xi1>
  %y = graph.constant dense<[true, false, true]> : tensor<3xi1>
  %a = graph.and %x, %y : tensor<3xi1>
  %b = graph.not %x : tensor<3xi1>
  return %a, %b : tensor<3xi1>, tensor<3xi1>
}

// A shift by the width, by more, or by a negative count shifts all bits out.

// CHECK-LABEL: func @shifts
// CHECK-DAG: %[[LEFT:.*]] = graph.constant dense<[-128, 0, 0, 0]> : tensor<4xi8>
// CHECK-DAG: %[[RIGHT:.*]] = graph.constant dense<[-2, -1, -1, -1]> : tensor<4xi8>
// CHECK-DAG: %[[LOGICAL:.*]] = graph.constant dense<[127, 1, 0, 0]> : tensor<4xui8>
// CHECK: return %[[LEFT]], %[[RIGHT]], %[[LOGICAL]]
func.func @shifts() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xui8>) {
  %one = graph.constant dense<1> : tensor<4xi8>
  %n = graph.constant dense<[7, 8, 9, -1]> : tensor<4xi8>
  %a = graph.shift_left %one, %n : tensor<4xi8>
  %minus = graph.constant dense<-128> : tensor<4xi8>
  %m = graph.constant dense<[6, 8, 127, -128]> : tensor<4xi8>
  %b = graph.shift_right %minus, %m : tensor<4xi8>
  %u = graph.constant dense<255> : tensor<4xui8>
  %k = graph.constant dense<[1, 7, 8, 255]> : tensor<4xui8>
  %c = graph.shift_right %u, %k : tensor<4xui8>
  return %a, %b, %c : tensor<4xi8>, tensor<4xi8>, tensor<4xui8>
}

// CHECK-LABEL: func @bit_identities
// CHECK-SAME: (%[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @bit_identities(%x: tensor<4xi32>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %zero = graph.constant dense<0> : tensor<4xi32>
  %ones = graph.constant dense<-1> : tensor<4xi32>
  %a = graph.and %ones, %x : tensor<4xi32>
  %b = graph.or %x, %zero : tensor<4xi32>
  %c = graph.xor %x, %zero : tensor<4xi32>
  %n = graph.not %x : tensor<4xi32>
  %d = graph.not %n : tensor<4xi32>
  %e = graph.shift_left %x, %zero : tensor<4xi32>
  %f = graph.and %x, %x : tensor<4xi32>
  return %a, %b, %c, %d, %e, %f
      : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: func @not_identities
// CHECK: graph.and
// CHECK: graph.xor
// CHECK: graph.shift_left
func.func @not_identities(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %one = graph.constant dense<1> : tensor<4xi32>
  %ones = graph.constant dense<-1> : tensor<4xi32>
  %zero = graph.constant dense<0> : tensor<4xi32>
  %a = graph.and %x, %one : tensor<4xi32>
  %b = graph.xor %x, %ones : tensor<4xi32>
  %c = graph.shift_left %zero, %x : tensor<4xi32>
  return %a, %b, %c : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// Comparison with NaN is false, except ne; -0 equals +0.

// CHECK-LABEL: func @compare_floats
// CHECK-DAG: %[[EQ:.*]] = graph.constant dense<[false, false, true, true]> : tensor<4xi1>
// CHECK-DAG: %[[NE:.*]] = graph.constant dense<[true, true, false, false]> : tensor<4xi1>
// CHECK-DAG: %[[LT:.*]] = graph.constant dense<[false, true, false, false]> : tensor<4xi1>
// CHECK-DAG: %[[LE:.*]] = graph.constant dense<[false, true, true, true]> : tensor<4xi1>
// CHECK-DAG: %[[GT:.*]] = graph.constant dense<false> : tensor<4xi1>
// CHECK: return %[[EQ]], %[[NE]], %[[LT]], %[[LE]], %[[GT]], %[[EQ]]
func.func @compare_floats() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %x = graph.constant dense<[0x7E00, -2.0, -0.0, 0x7C00]> : tensor<4xf16>
  %y = graph.constant dense<[0x7E00, -1.0, 0.0, 0x7C00]> : tensor<4xf16>
  %a = graph.compare eq, %x, %y : tensor<4xf16>
  %b = graph.compare ne, %x, %y : tensor<4xf16>
  %c = graph.compare lt, %x, %y : tensor<4xf16>
  %d = graph.compare le, %x, %y : tensor<4xf16>
  %e = graph.compare gt, %x, %y : tensor<4xf16>
  %f = graph.compare ge, %x, %y : tensor<4xf16>
  return %a, %b, %c, %d, %e, %f : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// ui8 and i1 compare unsigned, the others signed.

// CHECK-LABEL: func @compare_integers
// CHECK-DAG: %[[TRUE:.*]] = graph.constant dense<true> : tensor<i1>
// CHECK-DAG: %[[FALSE:.*]] = graph.constant dense<false> : tensor<i1>
// CHECK: return %[[FALSE]], %[[TRUE]], %[[TRUE]]
func.func @compare_integers() -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = graph.constant dense<200> : tensor<ui8>
  %b = graph.constant dense<100> : tensor<ui8>
  %c = graph.compare lt, %a, %b : tensor<ui8>
  %d = graph.constant dense<-56> : tensor<i8>
  %e = graph.constant dense<100> : tensor<i8>
  %f = graph.compare lt, %d, %e : tensor<i8>
  %g = graph.constant dense<false> : tensor<i1>
  %h = graph.constant dense<true> : tensor<i1>
  %i = graph.compare lt, %g, %h : tensor<i1>
  return %c, %f, %i : tensor<i1>, tensor<i1>, tensor<i1>
}

// NaN is not equal to itself, so x = x does not fold.

// CHECK-LABEL: func @compare_with_itself_stays
// CHECK: graph.compare eq
func.func @compare_with_itself_stays(%x: tensor<4xf32>) -> tensor<4xi1> {
  %a = graph.compare eq, %x, %x : tensor<4xf32>
  return %a : tensor<4xi1>
}

// CHECK-LABEL: func @select
// CHECK-SAME: (%[[C:.*]]: tensor<2xi1>, %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>)
// CHECK: %[[MIX:.*]] = graph.constant dense<[1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK: return %[[X]], %[[Y]], %[[X]], %[[MIX]]
func.func @select(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %true = graph.constant dense<true> : tensor<2xi1>
  %false = graph.constant dense<false> : tensor<2xi1>
  %a = graph.select %true, %x, %y : tensor<2xf32>
  %b = graph.select %false, %x, %y : tensor<2xf32>
  %d = graph.select %c, %x, %x : tensor<2xf32>
  %which = graph.constant dense<[true, false]> : tensor<2xi1>
  %p = graph.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %q = graph.constant dense<[0x7FC00000, 4.0]> : tensor<2xf32>
  %e = graph.select %which, %p, %q : tensor<2xf32>
  return %a, %b, %d, %e : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func @select_i1
// CHECK: graph.constant dense<[true, false, true]> : tensor<3xi1>
func.func @select_i1() -> tensor<3xi1> {
  %which = graph.constant dense<[true, false, true]> : tensor<3xi1>
  %true = graph.constant dense<true> : tensor<3xi1>
  %false = graph.constant dense<false> : tensor<3xi1>
  %e = graph.select %which, %true, %false : tensor<3xi1>
  return %e : tensor<3xi1>
}

// CHECK-LABEL: func @select_needs_all_constants
// CHECK: graph.select
func.func @select_needs_all_constants(%x: tensor<2xf32>) -> tensor<2xf32> {
  %which = graph.constant dense<[true, false]> : tensor<2xi1>
  %p = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = graph.select %which, %p, %x : tensor<2xf32>
  return %e : tensor<2xf32>
}

// A check is never folded away: its failure is reported at run time.

// CHECK-LABEL: func @check_index_stays
// CHECK: graph.check_index
func.func @check_index_stays() -> tensor<2xi64> {
  %i = graph.constant dense<[1, 12]> : tensor<2xi64>
  %j = graph.check_index %i limit = 10 : tensor<2xi64>
  return %j : tensor<2xi64>
}
