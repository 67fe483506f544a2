// RUN: graph-opt --fuse=off --lower-kernel --split-input-file %s | FileCheck %s
// RUN: graph-opt --fuse --lower-kernel=vector-bits=0 --split-input-file %s | FileCheck %s --check-prefix=SCALAR

// Dimensions merge: 30 whole vectors and no tail. Either operand's memory will do.

// CHECK-LABEL: func.func @whole
// CHECK:       plan.launch @add_0(%{{.*}}, %{{.*}}) {inplace = {{\[\[}}0, 0], [0, 1]], op_name = "graph.add"}
// CHECK:       func.func private @add_0(%[[A:.*]]: memref<240xf32>, %[[B:.*]]: memref<240xf32>, %[[C:.*]]: memref<240xf32>)
// CHECK-SAME:  plan.kernel
// CHECK:       scf.for
// CHECK:         vector.load %[[A]]{{.*}} vector<8xf32>
// CHECK:         vector.load %[[B]]
// CHECK:         arith.addf {{.*}} : vector<8xf32>
// CHECK:         vector.store {{.*}}, %[[C]]
// CHECK-NOT:   masked
// SCALAR:      func.func private @add_0
// SCALAR-NOT:  vector
// SCALAR:      arith.addf {{.*}} : f32
func.func @whole(%x: tensor<8x30xf32>, %y: tensor<8x30xf32>) -> tensor<8x30xf32> {
  %a = graph.add %x, %y : tensor<8x30xf32>
  return %a : tensor<8x30xf32>
}

// -----

// The tail is one vector of which three lanes touch memory.

// CHECK-LABEL: func.func private @neg_0
// CHECK:       vector.store
// CHECK:       vector.constant_mask [3]
// CHECK:       vector.maskedload
// CHECK:       vector.maskedstore
func.func @tail(%x: tensor<11xf32>) -> tensor<11xf32> {
  %a = graph.neg %x : tensor<11xf32>
  return %a : tensor<11xf32>
}

// -----

// A row that is broadcast keeps the dimensions apart; its memory is smaller
// than the output's and never that of it.

// CHECK-LABEL: func.func @rows
// CHECK-NOT:   inplace
// CHECK-LABEL: func.func private @broadcast_0
// CHECK:       scf.for
// CHECK:         scf.for
func.func @rows(%b: tensor<16xf32>) -> tensor<8x16xf32> {
  %y = graph.broadcast %b dims = [1] : tensor<16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// Shapes that flatten to the same loops share a kernel; so do draws of
// different ids, which are arguments.

// CHECK-LABEL: func.func @shared
// CHECK:       plan.launch @exp_0
// CHECK:       plan.launch @exp_0
// CHECK:       plan.launch @random_uniform_1(%{{.*}}) args = [7]
// CHECK:       plan.launch @random_uniform_1(%{{.*}}) args = [9]
// CHECK:       func.func private @exp_0
// CHECK:       func.func private @random_uniform_1({{.*}}: i64)
// CHECK-NOT:   func.func private
func.func @shared(%x: tensor<4x4xf32>, %y: tensor<16xf32>, %key: tensor<3xi64>)
    -> (tensor<4x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = graph.exp %x : tensor<4x4xf32>
  %b = graph.exp %y : tensor<16xf32>
  %u = graph.random_uniform %key op_id = 7 : tensor<4xf32>
  %v = graph.random_uniform %key op_id = 9 : tensor<4xf32>
  return %a, %b, %u, %v : tensor<4x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// 64 KB of traffic are worth threads, a little less is not.

// CHECK-LABEL: func.func @threads
// CHECK:       plan.launch @neg_0{{.*}}parallel
// CHECK-NOT:   parallel
// CHECK-LABEL: func.func private @neg_0
// CHECK:       scf.parallel
// CHECK:       } {plan.parallel}
// CHECK-LABEL: func.func private @neg_1
// CHECK-NOT:   scf.parallel
func.func @threads(%x: tensor<8192xf32>, %y: tensor<8184xf32>) -> (tensor<8192xf32>, tensor<8184xf32>) {
  %a = graph.neg %x : tensor<8192xf32>
  %b = graph.neg %y : tensor<8184xf32>
  return %a, %b : tensor<8192xf32>, tensor<8184xf32>
}

// -----

// bf16 is the bits in memory, and computed as f32.

// CHECK-LABEL: func.func private @mul_0(%{{.*}}: memref<16xi16>
// CHECK:       vector.load {{.*}} : memref<16xi16>, vector<8xi16>
// CHECK:       arith.extf {{.*}} : vector<8xbf16> to vector<8xf32>
// CHECK:       arith.mulf {{.*}} : vector<8xf32>
// CHECK:       arith.truncf {{.*}} : vector<8xf32> to vector<8xbf16>
func.func @low_precision(%x: tensor<16xbf16>) -> tensor<16xbf16> {
  %a = graph.mul %x, %x : tensor<16xbf16>
  return %a : tensor<16xbf16>
}

// -----

// An index out of range is reported, with its position, and read as 0.

// CHECK-LABEL: func.func @index
// CHECK:       plan.launch @check_index_0{{.*}}may_fail
// CHECK-LABEL: func.func private @check_index_0
// CHECK:       scf.if
// CHECK:         plan.fail_index
func.func @index(%i: tensor<4xi32>) -> tensor<4xi32> {
  %j = graph.check_index %i limit = 10 ignore = -100 : tensor<4xi32>
  return %j : tensor<4xi32>
}

// -----

// A number of f64 that is the same for all elements makes no vector shorter.

// CHECK-LABEL: func.func private @mul_0
// CHECK:       scf.for
// CHECK:         arith.mulf {{.*}} : vector<8xf32>
// CHECK:         vector.store {{.*}} vector<8xf32>
// SCALAR-LABEL: func.func private @mul_0
func.func @wide_scalar(%x: tensor<64xf32>, %r: tensor<f64>) -> tensor<64xf32> {
  %y = graph.fused(%a = %x, %b = %r) : (tensor<64xf32>, tensor<f64>) -> tensor<64xf32> {
    %q = graph.exp %b : tensor<f64>
    %n = graph.cast %q : tensor<f64> -> tensor<f32>
    %w = graph.broadcast %n dims = [] : tensor<f32> -> tensor<64xf32>
    %z = graph.mul %a, %w : tensor<64xf32>
    graph.yield %z : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}

// -----

// Class numbers of 64 bits do not halve the lanes of the floats beside them.

// CHECK-LABEL: func.func private @select_0
// CHECK-SAME:  (%[[X:.*]]: memref<8192xf32>, %{{.*}}: memref<64xi64>
// CHECK:         arith.cmpi eq, {{.*}} : vector<8xi64>
// CHECK:         vector.load %[[X]]{{.*}} vector<8xf32>
// CHECK:         arith.select {{.*}} : vector<8xi1>, vector<8xf32>
func.func @of_class(%x: tensor<64x128xf32>, %t: tensor<64xi64>) -> tensor<64x128xf32> {
  %y = graph.fused(%a = %x, %b = %t) : (tensor<64x128xf32>, tensor<64xi64>) -> tensor<64x128xf32> {
    %classes = graph.iota axis = 1 : tensor<64x128xi64>
    %c = graph.broadcast %b dims = [0] : tensor<64xi64> -> tensor<64x128xi64>
    %is = graph.compare eq, %classes, %c : tensor<64x128xi64>
    %zero = graph.constant dense<0.0> : tensor<64x128xf32>
    %s = graph.select %is, %a, %zero : tensor<64x128xf32>
    graph.yield %s : tensor<64x128xf32>
  }
  return %y : tensor<64x128xf32>
}
