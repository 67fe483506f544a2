// RUN: graph-opt --fuse --lower-kernel --split-input-file %s | FileCheck %s

// Row by row: the exponentials are computed once, two vectors at a time, and
// wait in scratch memory, from where they are summed, as the maximum and the sum
// do. One division. No workspace.

// CHECK:       plan.launch @softmax_0({{.*}}) {inplace = {{\[\[}}0, 0]]
// CHECK-LABEL: func.func private @softmax_0(%{{.*}}: memref<6400xf32>, %{{.*}}: memref<6400xf32>)
// CHECK:       scf.parallel {{.*}} to (%c100)
// CHECK-DAG:   memref.alloca() {alignment = 64 : i64} : memref<64xf32>
// CHECK-DAG:   memref.alloca() {alignment = 64 : i64} : memref<1xf32>
// CHECK-DAG:   memref.alloca() {alignment = 64 : i64} : memref<1xf32>
// CHECK:         scf.for
// CHECK:           arith.cmpf ogt
// CHECK-NOT:       arith.maximumf
// CHECK:         scf.for
// CHECK:           math.exp {{.*}} : vector<16xf32>
// CHECK:         scf.for
// CHECK:           vector.load {{.*}} : memref<64xf32>, vector<8xf32>
// CHECK-NEXT:      arith.addf
// CHECK:         arith.divf {{.*}} : f32
// CHECK:         scf.for
// CHECK-NOT:       math.exp
// CHECK:           arith.mulf
// CHECK:       return
func.func @softmax(%x: tensor<100x64xf32>) -> tensor<100x64xf32> {
  %y = graph.softmax %x axis = 1 : tensor<100x64xf32>
  return %y : tensor<100x64xf32>
}

// -----

// Rows of two dimensions, which the mask sees.

// CHECK-LABEL: func.func private @softmax_0(%{{.*}}: memref<{{.*}}>, %{{.*}}: memref<{{.*}}>, %{{.*}}: memref<{{.*}}>)
// CHECK-NOT:   memref.view
// CHECK:       scf.parallel {{.*}} to (%c128)
// CHECK:       arith.remui {{.*}}, %c32
// CHECK:       arith.divui {{.*}}, %c32
// CHECK-NOT:   memref.view
// CHECK:       return
func.func @dimensions(%x: tensor<4x32x64xf32>, %b: tensor<4x64xf32>) -> tensor<4x32x64xf32> {
  %y = graph.fused(%a = %x, %c = %b) : (tensor<4x32x64xf32>, tensor<4x64xf32>) -> tensor<4x32x64xf32> {
    %d = graph.broadcast %c dims = [0, 2] : tensor<4x64xf32> -> tensor<4x32x64xf32>
    %e = graph.add %a, %d : tensor<4x32x64xf32>
    %f = graph.softmax %e axis = 2 : tensor<4x32x64xf32>
    graph.yield %f : tensor<4x32x64xf32>
  }
  return %y : tensor<4x32x64xf32>
}

// -----

// A result that another row needs is not at hand: two loops, and no memory that
// is input and output.

// CHECK:       plan.launch @sub_0
// CHECK-NOT:   inplace
// CHECK-LABEL: func.func private @sub_0(
// CHECK:       memref.view
// CHECK:       scf.for {{.*}} to %c64
// CHECK:       scf.parallel {{.*}} to (%c64
// CHECK:       return
func.func @other_rows(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = graph.fused(%a = %x) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
    %s = graph.reduce_sum %a axes = [1] : tensor<64x64xf32> -> tensor<64xf32>
    %b = graph.broadcast %s dims = [1] : tensor<64xf32> -> tensor<64x64xf32>
    %d = graph.sub %a, %b : tensor<64x64xf32>
    %t = graph.transpose %a permutation = [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    %e = graph.sub %d, %t : tensor<64x64xf32>
    graph.yield %e : tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}

// -----

// A masked gradient and its sum over rows, of one pass: the mask is applied
// once, and its result, which may lie in the gradient's memory, not read.

// CHECK:       plan.launch {{.*}} {inplace = {{\[\[}}0, 0], [0, 1]]
// CHECK-LABEL: func.func private @reduce_sum_0
// CHECK:       arith.mulf
// CHECK-NOT:   arith.mulf
// CHECK:       return
func.func @terms(%x: tensor<1024x64xf32>, %m: tensor<1024x64xf32>) -> (tensor<1024x64xf32>, tensor<64xf32>) {
  %y:2 = graph.fused(%a = %x, %b = %m) : (tensor<1024x64xf32>, tensor<1024x64xf32>) -> (tensor<1024x64xf32>, tensor<64xf32>) {
    %c = graph.mul %a, %b : tensor<1024x64xf32>
    %s = graph.reduce_sum %c axes = [0] : tensor<1024x64xf32> -> tensor<64xf32>
    graph.yield %c, %s : tensor<1024x64xf32>, tensor<64xf32>
  }
  return %y#0, %y#1 : tensor<1024x64xf32>, tensor<64xf32>
}

// -----

// Gradients of a normalisation: what sums over rows takes each row while it is
// there, 8 partials of 64 columns for each of two sums, in chunks of 64 rows.

// The second input is read again by its sum when the result is there.

// CHECK:       plan.launch {{.*}} {inplace = {{\[\[}}0, 0]],
// CHECK-LABEL: func.func private @reduce_sum_0
// CHECK:       scf.parallel {{.*}} to (%c16)
// CHECK-DAG:   memref.alloca() {alignment = 64 : i64} : memref<1xf32>
// CHECK-DAG:   memref.alloca() {alignment = 64 : i64} : memref<512xf32>
// CHECK-DAG:   memref.alloca() {alignment = 64 : i64} : memref<512xf32>
// CHECK:         scf.for {{.*}} to %c64
// CHECK:       } {plan.parallel}
// CHECK-NOT:   scf.parallel
// CHECK:       return
func.func @columns(%x: tensor<1024x64xf32>, %g: tensor<1024x64xf32>) -> (tensor<1024x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %y:3 = graph.fused(%a = %x, %b = %g) : (tensor<1024x64xf32>, tensor<1024x64xf32>) -> (tensor<1024x64xf32>, tensor<64xf32>, tensor<64xf32>) {
    %m = graph.reduce_sum %a axes = [1] : tensor<1024x64xf32> -> tensor<1024xf32>
    %r = graph.broadcast %m dims = [0] : tensor<1024xf32> -> tensor<1024x64xf32>
    %c = graph.sub %a, %r : tensor<1024x64xf32>
    %d = graph.mul %b, %c : tensor<1024x64xf32>
    %s = graph.reduce_sum %d axes = [0] : tensor<1024x64xf32> -> tensor<64xf32>
    %t = graph.reduce_sum %b axes = [0] : tensor<1024x64xf32> -> tensor<64xf32>
    graph.yield %d, %s, %t : tensor<1024x64xf32>, tensor<64xf32>, tensor<64xf32>
  }
  return %y#0, %y#1, %y#2 : tensor<1024x64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// What a product gives, before and after its activation, leaves the registers
// once, to both.

// CHECK-LABEL: func.func private @maximum_0
// CHECK-SAME:  ({{.*}}, %[[Q:.*]]: memref<1024xf32>, %[[R:.*]]: memref<1024xf32>)
// CHECK-NOT:   vector.load %[[Q]]
// CHECK:       math.fma
// CHECK-NOT:   vector.load %[[Q]]
// CHECK:       %[[SUM:.*]] = arith.addf
// CHECK:       %[[MAX:.*]] = arith.maximumf %[[SUM]]
// CHECK:       vector.store %[[SUM]], %[[Q]]
// CHECK:       vector.store %[[MAX]], %[[R]]
// CHECK-NOT:   vector.load %[[Q]]
// CHECK:       return
func.func @product(%x: tensor<16x32xf32>, %w: tensor<32x64xf32>, %z: tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
  %y:2 = graph.fused(%a = %x, %b = %w, %c = %z) : (tensor<16x32xf32>, tensor<32x64xf32>, tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
    %p = graph.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : tensor<16x32xf32>, tensor<32x64xf32> -> tensor<16x64xf32>
    %q = graph.add %p, %p : tensor<16x64xf32>
    %r = graph.maximum %q, %c : tensor<16x64xf32>
    graph.yield %q, %r : tensor<16x64xf32>, tensor<16x64xf32>
  }
  return %y#0, %y#1 : tensor<16x64xf32>, tensor<16x64xf32>
}

// -----

// An update of three states, each where it was.

// CHECK:       plan.launch {{.*}} {inplace = {{\[\[}}0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [1, 1], [1, 2], [1, 3], [2, 0], [2, 1], [2, 2], [2, 3]]
// CHECK-LABEL: func.func private @sub_0
// CHECK-NOT:   memref.view
// CHECK:       scf.for
// CHECK:       vector.store
// CHECK:       vector.store
// CHECK:       vector.store
// CHECK:       }
// CHECK-NOT:   scf.for
// CHECK:       return
func.func @update(%p: tensor<999xf32>, %m: tensor<999xf32>, %v: tensor<999xf32>, %g: tensor<999xf32>) -> (tensor<999xf32>, tensor<999xf32>, tensor<999xf32>) {
  %y:3 = graph.fused(%a = %p, %b = %m, %c = %v, %d = %g) : (tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>) -> (tensor<999xf32>, tensor<999xf32>, tensor<999xf32>) {
    %e = graph.add %b, %d : tensor<999xf32>
    %s = graph.mul %d, %d : tensor<999xf32>
    %f = graph.add %c, %s : tensor<999xf32>
    %u = graph.div %e, %f : tensor<999xf32>
    %h = graph.sub %a, %u : tensor<999xf32>
    graph.yield %e, %f, %h : tensor<999xf32>, tensor<999xf32>, tensor<999xf32>
  }
  return %y#0, %y#1, %y#2 : tensor<999xf32>, tensor<999xf32>, tensor<999xf32>
}

// -----

// What leaves the caches goes past them where it can: aligned, and not where the
// input lies, whose lines were just read.

// CHECK-LABEL: func.func private @neg_0
// CHECK-SAME:  (%[[X:.*]]: memref<4194304xf32>, %[[Y:.*]]: memref<4194304xf32>)
// CHECK:       %[[ALIGNED:.*]] = arith.cmpi eq
// CHECK:       %[[TO:.*]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK:       %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK:       %[[APART:.*]] = arith.cmpi ne, %[[TO]], %[[FROM]]
// CHECK:       %[[STREAMS:.*]] = arith.andi %[[ALIGNED]], %[[APART]]
// CHECK:       %[[HERE:.*]] = arith.andi %[[STREAMS]],
// CHECK:       scf.if %[[HERE]]
// CHECK:         vector.store {{.*}} {nontemporal = true}
// CHECK:       } else {
// CHECK:         vector.store
func.func @large(%x: tensor<4194304xf32>) -> tensor<4194304xf32> {
  %y = graph.neg %x : tensor<4194304xf32>
  return %y : tensor<4194304xf32>
}

// -----

// The rows that the sums read are not those that the product is stored to.

// CHECK:       plan.launch {{.*}} {inplace = {{\[\[}}0, 1]],
// CHECK-LABEL: func.func private @mul_0
// CHECK-NOT:   memref.view
// CHECK:       memref.alloca() {alignment = 64 : i64} : memref<1xf32>
// CHECK-NOT:   memref.view
// CHECK:       return
func.func @reversed_rows(%x: tensor<64x64xf32>, %z: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = graph.fused(%a = %x, %b = %z) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %r = graph.reverse %a axes = [0] : tensor<64x64xf32>
    %s = graph.reduce_sum %r axes = [1] : tensor<64x64xf32> -> tensor<64xf32>
    %t = graph.broadcast %s dims = [0] : tensor<64xf32> -> tensor<64x64xf32>
    %c = graph.mul %b, %t : tensor<64x64xf32>
    graph.yield %c : tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}

// -----

// Between a reduction of rows and what reads it, something needs all of them.

// CHECK-LABEL: func.func private @mul_0
// CHECK-NOT:   memref.alloca
// CHECK-COUNT-2: memref.view
// CHECK-NOT:   memref.alloca
// CHECK:       return
func.func @all_rows(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = graph.fused(%a = %x) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
    %s = graph.reduce_sum %a axes = [1] : tensor<64x64xf32> -> tensor<64xf32>
    %t = graph.reduce_sum %a axes = [0] : tensor<64x64xf32> -> tensor<64xf32>
    %u = graph.broadcast %s dims = [0] : tensor<64xf32> -> tensor<64x64xf32>
    %v = graph.broadcast %t dims = [1] : tensor<64xf32> -> tensor<64x64xf32>
    %c = graph.mul %u, %v : tensor<64x64xf32>
    graph.yield %c : tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}

// -----

// Of wide rows, two sums are in a loop, since they lie on the stack.

// CHECK-LABEL:   func.func private @reduce_sum_0
// CHECK-COUNT-2: memref.alloca() {{.*}} : memref<32768xf32>
// CHECK-NOT:     memref.alloca
// CHECK:         } {plan.parallel}
// CHECK:         memref.alloca() {{.*}} : memref<32768xf32>
// CHECK:         } {plan.parallel}
// CHECK:         return
func.func @wide_sums(%x: tensor<512x4096xf32>, %y: tensor<512x4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>) {
  %r:3 = graph.fused(%a = %x, %b = %y) : (tensor<512x4096xf32>, tensor<512x4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>) {
    %c = graph.mul %a, %b : tensor<512x4096xf32>
    %s = graph.reduce_sum %a axes = [0] : tensor<512x4096xf32> -> tensor<4096xf32>
    %t = graph.reduce_sum %b axes = [0] : tensor<512x4096xf32> -> tensor<4096xf32>
    %u = graph.reduce_sum %c axes = [0] : tensor<512x4096xf32> -> tensor<4096xf32>
    graph.yield %s, %t, %u : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>
}

// -----

// Of a large input each piece of the next row is fetched beside a piece of this
// row: where most is computed.

// CHECK-LABEL: func.func private @softmax_0(%{{.*}}: memref<1048576xf32>, %{{.*}}: memref<1048576xf32>)
// CHECK-NOT:     memref.prefetch
// CHECK:         scf.for
// CHECK:           %[[NEXT:.*]] = arith.addi %[[AT:.*]], %c1024{{[_0-9]*}} : index
// CHECK-NEXT:      memref.prefetch %{{.*}}[%[[NEXT]]], read, locality<3>, data : memref<1048576xf32>
// CHECK-NEXT:      vector.load %{{.*}}[%[[AT]]] : memref<1048576xf32>, vector<16xf32>
// CHECK:           math.exp
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func @ahead(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %y = graph.softmax %x axis = 1 : tensor<1024x1024xf32>
  return %y : tensor<1024x1024xf32>
}
