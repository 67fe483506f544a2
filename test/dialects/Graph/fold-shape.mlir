// RUN: graph-opt --canonicalize %s | FileCheck %s

// Data movement: identities, pairs, constants.

// CHECK-LABEL: func @identities
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %{{.*}}: tensor<f32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @identities(%x: tensor<2x3xf32>, %v: tensor<f32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = graph.reshape %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %b = graph.transpose %x permutation = [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %c = graph.broadcast %x dims = [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %d = graph.slice %x starts = [0, 0] limits = [2, 3] strides = [1, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %e = graph.concat %x axis = 1 : tensor<2x3xf32> -> tensor<2x3xf32>
  %f = graph.pad %x, %v low = [0, 0] high = [0, 0] interior = [0, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  return %a, %b, %c, %d, %e, %f
      : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// A square transpose has the type of an identity, but is none.

// CHECK-LABEL: func @square_transpose_stays
// CHECK: graph.transpose
func.func @square_transpose_stays(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %a = graph.transpose %x permutation = [1, 0] : tensor<3x3xf32> -> tensor<3x3xf32>
  return %a : tensor<3x3xf32>
}

// CHECK-LABEL: func @pairs
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>, %[[Y:.*]]: tensor<3xf32>)
// CHECK-DAG: %[[A:.*]] = graph.reshape %[[X]] : tensor<2x3x4xf32> -> tensor<6x4xf32>
// CHECK-DAG: %[[B:.*]] = graph.transpose %[[X]] permutation = [2, 1, 0] : tensor<2x3x4xf32> -> tensor<4x3x2xf32>
// CHECK-DAG: %[[C:.*]] = graph.broadcast %[[Y]] dims = [2] : tensor<3xf32> -> tensor<5x2x3xf32>
// CHECK: return %[[A]], %[[B]], %[[C]], %[[X]]
func.func @pairs(%x: tensor<2x3x4xf32>, %y: tensor<3xf32>)
    -> (tensor<6x4xf32>, tensor<4x3x2xf32>, tensor<5x2x3xf32>, tensor<2x3x4xf32>) {
  %0 = graph.reshape %x : tensor<2x3x4xf32> -> tensor<24xf32>
  %1 = graph.reshape %0 : tensor<24xf32> -> tensor<6x4xf32>
  %2 = graph.transpose %x permutation = [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %3 = graph.transpose %2 permutation = [1, 0, 2] : tensor<3x4x2xf32> -> tensor<4x3x2xf32>
  %4 = graph.broadcast %y dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
  %5 = graph.broadcast %4 dims = [1, 2] : tensor<2x3xf32> -> tensor<5x2x3xf32>
  %6 = graph.transpose %2 permutation = [2, 0, 1] : tensor<3x4x2xf32> -> tensor<2x3x4xf32>
  return %1, %3, %5, %6 : tensor<6x4xf32>, tensor<4x3x2xf32>, tensor<5x2x3xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: func @constants
// CHECK-DAG: %[[T:.*]] = graph.constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-DAG: %[[R:.*]] = graph.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-DAG: %[[S:.*]] = graph.constant dense<{{\[\[}}4.000000e+00, 6.000000e+00]]> : tensor<1x2xf32>
// CHECK-DAG: %[[B:.*]] = graph.constant dense<{{\[\[\[}}1.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 3.000000e+00]], {{\[\[}}4.000000e+00, 4.000000e+00], [5.000000e+00, 5.000000e+00], [6.000000e+00, 6.000000e+00]]]> : tensor<2x3x2xf32>
// CHECK: return %[[T]], %[[R]], %[[S]], %[[B]]
func.func @constants() -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x2xf32>, tensor<2x3x2xf32>) {
  %x = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %t = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %r = graph.reshape %x : tensor<2x3xf32> -> tensor<3x2xf32>
  %s = graph.slice %x starts = [1, 0] limits = [2, 3] strides = [9223372036854775807, 2] : tensor<2x3xf32> -> tensor<1x2xf32>
  %b = graph.broadcast %x dims = [0, 1] : tensor<2x3xf32> -> tensor<2x3x2xf32>
  return %t, %r, %s, %b : tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x2xf32>, tensor<2x3x2xf32>
}

// i1 is stored by the bit.

// CHECK-LABEL: func @constant_i1
// CHECK: dense<{{\[\[}}true, false], [false, true], [false, true]]> : tensor<3x2xi1>
func.func @constant_i1() -> tensor<3x2xi1> {
  %x = graph.constant dense<[[true, false, false], [false, true, true]]> : tensor<2x3xi1>
  %t = graph.transpose %x permutation = [1, 0] : tensor<2x3xi1> -> tensor<3x2xi1>
  return %t : tensor<3x2xi1>
}

// CHECK-LABEL: func @concat_constants
// CHECK: dense<{{\[\[}}1, 2, 5], [3, 4, 6]]> : tensor<2x3xi32>
func.func @concat_constants() -> tensor<2x3xi32> {
  %x = graph.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y = graph.constant dense<[[5], [6]]> : tensor<2x1xi32>
  %e = graph.constant dense<> : tensor<2x0xi32>
  %z = graph.concat %x, %e, %y axis = 1 : tensor<2x2xi32>, tensor<2x0xi32>, tensor<2x1xi32> -> tensor<2x3xi32>
  return %z : tensor<2x3xi32>
}

// CHECK-LABEL: func @large_splats
// CHECK: graph.constant dense<1> : tensor<1000x1000xi64>
// CHECK-NOT: graph.broadcast
func.func @large_splats() -> tensor<1000x1000xi64> {
  %x = graph.constant dense<1> : tensor<i64>
  %y = graph.broadcast %x dims = [] : tensor<i64> -> tensor<1000x1000xi64>
  return %y : tensor<1000x1000xi64>
}

// CHECK-LABEL: func @large_constants_stay
// CHECK: graph.broadcast
func.func @large_constants_stay() -> tensor<2x40000xf32> {
  %x = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = graph.broadcast %x dims = [0] : tensor<2xf32> -> tensor<2x40000xf32>
  return %y : tensor<2x40000xf32>
}

// CHECK-LABEL: func @empty
// CHECK-DAG: graph.slice
// CHECK-DAG: graph.constant dense<> : tensor<0x2xf32>
func.func @empty() -> (tensor<0xf32>, tensor<0x2xf32>) {
  %x = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = graph.slice %x starts = [1] limits = [1] strides = [1] : tensor<2xf32> -> tensor<0xf32>
  %e = graph.constant dense<> : tensor<2x0xf32>
  %z = graph.reshape %e : tensor<2x0xf32> -> tensor<0x2xf32>
  return %y, %z : tensor<0xf32>, tensor<0x2xf32>
}

// Integer sums wrap, so that their order does not matter.

// CHECK-LABEL: func @integer_sums
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xi8>)
// CHECK-DAG: %[[ROWS:.*]] = graph.constant dense<[-56, 6]> : tensor<2xi8>
// CHECK-DAG: %[[COLS:.*]] = graph.constant dense<[101, 102, 3]> : tensor<3xi8>
// CHECK-DAG: %[[ALL:.*]] = graph.constant dense<-50> : tensor<i8>
// CHECK: return %[[ROWS]], %[[COLS]], %[[ALL]], %[[X]]
func.func @integer_sums(%x: tensor<2x3xi8>) -> (tensor<2xi8>, tensor<3xi8>, tensor<i8>, tensor<2x3xi8>) {
  %c = graph.constant dense<[[100, 100, 0], [1, 2, 3]]> : tensor<2x3xi8>
  %rows = graph.reduce_sum %c axes = [1] : tensor<2x3xi8> -> tensor<2xi8>
  %cols = graph.reduce_sum %c axes = [0] : tensor<2x3xi8> -> tensor<3xi8>
  %all = graph.reduce_sum %c axes = [0, 1] : tensor<2x3xi8> -> tensor<i8>
  %none = graph.reduce_sum %x axes = [] : tensor<2x3xi8> -> tensor<2x3xi8>
  return %rows, %cols, %all, %none : tensor<2xi8>, tensor<3xi8>, tensor<i8>, tensor<2x3xi8>
}

// The order of a float sum is the target's.

// CHECK-LABEL: func @float_sums_stay
// CHECK: graph.reduce_sum
func.func @float_sums_stay() -> tensor<f32> {
  %c = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = graph.reduce_sum %c axes = [0] : tensor<2xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// No gradient flows through it, so it stays to be seen by Autodiff.

// CHECK-LABEL: func @stop_gradient_stays
// CHECK: graph.stop_gradient
func.func @stop_gradient_stays(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = graph.stop_gradient %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
