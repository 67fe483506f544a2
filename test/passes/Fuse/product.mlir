// RUN: graph-opt --fuse --split-input-file %s | FileCheck %s

// A product takes its epilogue; the next one begins another region.

// CHECK-LABEL: func @epilogue
// CHECK:       %[[A:.*]] = graph.fused
// CHECK-NEXT:    graph.linear
// CHECK-NEXT:    graph.relu
// CHECK-NEXT:    graph.add
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused(%{{.*}} = %[[A]],
// CHECK-NEXT:    graph.linear
// CHECK-NEXT:    graph.cast
// CHECK-NEXT:    graph.yield
func.func @epilogue(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<8x64xbf16> {
  %h = graph.linear %x, %w, %b : tensor<8x64xf32>, tensor<64x64xf32>, tensor<64xf32> -> tensor<8x64xf32>
  %a = graph.relu %h : tensor<8x64xf32>
  %r = graph.add %a, %x : tensor<8x64xf32>
  %y = graph.linear %r, %w, %b : tensor<8x64xf32>, tensor<64x64xf32>, tensor<64xf32> -> tensor<8x64xf32>
  %c = graph.cast %y : tensor<8x64xf32> -> tensor<8x64xbf16>
  return %c : tensor<8x64xbf16>
}

// -----

// A transposed factor is read where it lies; one that is computed is stored.

// CHECK-LABEL: func @prologue
// CHECK:       %[[E:.*]] = graph.fused
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK:         graph.transpose
// CHECK-NEXT:    graph.dot_general
// CHECK-NEXT:    graph.yield
func.func @prologue(%x: tensor<32x64xf32>, %w: tensor<128x64xf32>) -> tensor<32x128xf32> {
  %e = graph.exp %x : tensor<32x64xf32>
  %t = graph.transpose %w permutation = [1, 0] : tensor<128x64xf32> -> tensor<64x128xf32>
  %y = graph.dot_general %e, %t batching = [] x [] contracting = [1] x [0] : tensor<32x64xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  return %y : tensor<32x128xf32>
}

// -----

// The update of a weight joins the product that computes its gradient, which
// nobody stores.

// CHECK-LABEL: func @update
// CHECK:       %[[W:.*]] = graph.get @w
// CHECK:       %[[N:.*]] = graph.fused
// CHECK:         graph.dot_general
// CHECK:         graph.sub
// CHECK-NEXT:    graph.yield %{{.*}} : tensor<64x64xf32>
// CHECK:       graph.set @w, %[[N]]
graph.variable @w : tensor<64x64xf32> = #graph.zeros trainable
func.func @update(%x: tensor<8x64xf32>, %g: tensor<8x64xf32>, %lr: tensor<f32>) {
  %w = graph.get @w : tensor<64x64xf32>
  %d = graph.dot_general %g, %x batching = [] x [] contracting = [0] x [0] : tensor<8x64xf32>, tensor<8x64xf32> -> tensor<64x64xf32>
  %l = graph.broadcast %lr dims = [] : tensor<f32> -> tensor<64x64xf32>
  %m = graph.mul %l, %d : tensor<64x64xf32>
  %n = graph.sub %w, %m : tensor<64x64xf32>
  graph.set @w, %n : tensor<64x64xf32>
  return
}

// -----

// Not if something far behind may still fail: the product, and what it reads,
// would have to wait.

// CHECK-LABEL:    func @update_must_wait
// CHECK:          graph.fused
// CHECK:            graph.dot_general
// CHECK-NEXT:       graph.yield
// CHECK-COUNT-20: graph.cumsum
// CHECK:          graph.gather
// CHECK:          graph.sub
graph.variable @w : tensor<64x64xf32> = #graph.zeros trainable
func.func @update_must_wait(%x: tensor<8x64xf32>, %g: tensor<8x64xf32>, %i: tensor<8xi64>) -> tensor<8xf32> {
  %w = graph.get @w : tensor<64x64xf32>
  %d = graph.dot_general %g, %x batching = [] x [] contracting = [0] x [0] : tensor<8x64xf32>, tensor<8x64xf32> -> tensor<64x64xf32>
  %l = graph.constant dense<0.5> : tensor<64xf32>
  %c1 = graph.cumsum %l axis = 0 : tensor<64xf32>
  %c2 = graph.cumsum %c1 axis = 0 : tensor<64xf32>
  %c3 = graph.cumsum %c2 axis = 0 : tensor<64xf32>
  %c4 = graph.cumsum %c3 axis = 0 : tensor<64xf32>
  %c5 = graph.cumsum %c4 axis = 0 : tensor<64xf32>
  %c6 = graph.cumsum %c5 axis = 0 : tensor<64xf32>
  %c7 = graph.cumsum %c6 axis = 0 : tensor<64xf32>
  %c8 = graph.cumsum %c7 axis = 0 : tensor<64xf32>
  %c9 = graph.cumsum %c8 axis = 0 : tensor<64xf32>
  %c10 = graph.cumsum %c9 axis = 0 : tensor<64xf32>
  %c11 = graph.cumsum %c10 axis = 0 : tensor<64xf32>
  %c12 = graph.cumsum %c11 axis = 0 : tensor<64xf32>
  %c13 = graph.cumsum %c12 axis = 0 : tensor<64xf32>
  %c14 = graph.cumsum %c13 axis = 0 : tensor<64xf32>
  %c15 = graph.cumsum %c14 axis = 0 : tensor<64xf32>
  %c16 = graph.cumsum %c15 axis = 0 : tensor<64xf32>
  %c17 = graph.cumsum %c16 axis = 0 : tensor<64xf32>
  %c18 = graph.cumsum %c17 axis = 0 : tensor<64xf32>
  %c19 = graph.cumsum %c18 axis = 0 : tensor<64xf32>
  %c20 = graph.cumsum %c19 axis = 0 : tensor<64xf32>
  %r = graph.gather %c20, %i axis = 0 : tensor<64xf32>, tensor<8xi64> -> tensor<8xf32>
  %n = graph.sub %w, %d : tensor<64x64xf32>
  graph.set @w, %n : tensor<64x64xf32>
  return %r : tensor<8xf32>
}

// -----

// Attention reads views of what it multiplies where they lie. What computes with
// its result is another kernel.

// CHECK-LABEL: func @attention
// CHECK:       graph.fused(%{{[^,]*}} = %arg0)
// CHECK-COUNT-3: graph.slice
// CHECK-COUNT-3: graph.transpose
// CHECK-NEXT:    graph.attention
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK-NEXT:    graph.neg
func.func @attention(%x: tensor<2x64x3x4x32xf32>) -> tensor<2x4x1x64x32xf32> {
  %q0 = graph.slice %x starts = [0, 0, 0, 0, 0] limits = [2, 64, 1, 4, 32] strides = [1, 1, 1, 1, 1] : tensor<2x64x3x4x32xf32> -> tensor<2x64x1x4x32xf32>
  %k0 = graph.slice %x starts = [0, 0, 1, 0, 0] limits = [2, 64, 2, 4, 32] strides = [1, 1, 1, 1, 1] : tensor<2x64x3x4x32xf32> -> tensor<2x64x1x4x32xf32>
  %v0 = graph.slice %x starts = [0, 0, 2, 0, 0] limits = [2, 64, 3, 4, 32] strides = [1, 1, 1, 1, 1] : tensor<2x64x3x4x32xf32> -> tensor<2x64x1x4x32xf32>
  %q = graph.transpose %q0 permutation = [0, 3, 2, 1, 4] : tensor<2x64x1x4x32xf32> -> tensor<2x4x1x64x32xf32>
  %k = graph.transpose %k0 permutation = [0, 3, 2, 1, 4] : tensor<2x64x1x4x32xf32> -> tensor<2x4x1x64x32xf32>
  %v = graph.transpose %v0 permutation = [0, 3, 2, 1, 4] : tensor<2x64x1x4x32xf32> -> tensor<2x4x1x64x32xf32>
  %y = graph.attention %q, %k, %v : tensor<2x4x1x64x32xf32>, tensor<2x4x1x64x32xf32>, tensor<2x4x1x64x32xf32> -> tensor<2x4x1x64x32xf32>
  %n = graph.neg %y : tensor<2x4x1x64x32xf32>
  return %n : tensor<2x4x1x64x32xf32>
}

// -----

// Attention stores its result as the model goes on with it: transposed, and with heads side by side. Its gradient reads
// that, and views as attention does.

// CHECK-LABEL: func @attention_grad
// CHECK:       %[[Y:.*]] = graph.fused(
// CHECK:         %[[A:.*]] = graph.attention
// CHECK-NEXT:    %[[T:.*]] = graph.transpose %[[A]]
// CHECK-NEXT:    %[[R:.*]] = graph.reshape %[[T]]
// CHECK-NEXT:    graph.yield %[[R]]
// CHECK:       graph.fused({{.*}}%[[Y]]
// CHECK:         %[[B:.*]] = graph.reshape %{{.*}} : tensor<2x64x128xf32> -> tensor<2x64x4x32xf32>
// CHECK:         graph.transpose %[[B]]
// CHECK:         graph.attention_grad
// CHECK-NEXT:    graph.yield
func.func @attention_grad(%x: tensor<2x64x4x32xf32>, %g: tensor<2x64x4x32xf32>) -> (tensor<2x64x128xf32>, tensor<2x4x64x32xf32>) {
  %q = graph.transpose %x permutation = [0, 2, 1, 3] : tensor<2x64x4x32xf32> -> tensor<2x4x64x32xf32>
  %y = graph.attention %q, %q, %q : tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32> -> tensor<2x4x64x32xf32>
  %t = graph.transpose %y permutation = [0, 2, 1, 3] : tensor<2x4x64x32xf32> -> tensor<2x64x4x32xf32>
  %r = graph.reshape %t : tensor<2x64x4x32xf32> -> tensor<2x64x128xf32>
  %d = graph.transpose %g permutation = [0, 2, 1, 3] : tensor<2x64x4x32xf32> -> tensor<2x4x64x32xf32>
  %dq, %dk, %dv = graph.attention_grad %q, %q, %q, %y, %d : tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>
  return %r, %dq : tensor<2x64x128xf32>, tensor<2x4x64x32xf32>
}

// -----

// A product is stored once, whole; attention reads its parts where they lie, in whatever order they are seen.

// CHECK-LABEL: func @parts_of_a_product
// CHECK:       %[[P:.*]] = graph.fused
// CHECK-NEXT:    graph.linear
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused(%{{[^,]*}} = %[[P]])
// CHECK-COUNT-3: graph.slice
// CHECK:         graph.attention
// CHECK-NOT:   graph.fused
func.func @parts_of_a_product(%x: tensor<128x64xf32>, %w: tensor<192x64xf32>) -> tensor<8x32x16xf32> {
  %p = graph.linear %x, %w : tensor<128x64xf32>, tensor<192x64xf32> -> tensor<128x192xf32>
  %s = graph.reshape %p : tensor<128x192xf32> -> tensor<4x32x3x2x32xf32>
  %t = graph.transpose %s permutation = [2, 0, 3, 1, 4] : tensor<4x32x3x2x32xf32> -> tensor<3x4x2x32x32xf32>
  %q0 = graph.slice %t starts = [0, 0, 0, 0, 0] limits = [1, 4, 2, 32, 16] strides = [1, 1, 1, 1, 1] : tensor<3x4x2x32x32xf32> -> tensor<1x4x2x32x16xf32>
  %k0 = graph.slice %t starts = [1, 0, 0, 0, 0] limits = [2, 4, 2, 32, 16] strides = [1, 1, 1, 1, 1] : tensor<3x4x2x32x32xf32> -> tensor<1x4x2x32x16xf32>
  %v0 = graph.slice %t starts = [2, 0, 0, 0, 0] limits = [3, 4, 2, 32, 16] strides = [1, 1, 1, 1, 1] : tensor<3x4x2x32x32xf32> -> tensor<1x4x2x32x16xf32>
  %q = graph.reshape %q0 : tensor<1x4x2x32x16xf32> -> tensor<8x32x16xf32>
  %k = graph.reshape %k0 : tensor<1x4x2x32x16xf32> -> tensor<8x32x16xf32>
  %v = graph.reshape %v0 : tensor<1x4x2x32x16xf32> -> tensor<8x32x16xf32>
  %y = graph.attention %q, %k, %v : tensor<8x32x16xf32>, tensor<8x32x16xf32>, tensor<8x32x16xf32> -> tensor<8x32x16xf32>
  return %y : tensor<8x32x16xf32>
}

// -----

// An epilogue may draw, choose, round and add: here dropout, a residual and a cast of a product, and of a convolution.

// CHECK-LABEL: func @long_epilogues
// CHECK:       graph.fused
// CHECK:         graph.linear
// CHECK-NEXT:    graph.gelu
// CHECK-NEXT:    graph.dropout
// CHECK-NEXT:    graph.add
// CHECK-NEXT:    graph.cast
// CHECK-NEXT:    graph.yield
// CHECK:       graph.fused
// CHECK:         graph.conv
// CHECK-NEXT:    graph.dropout
// CHECK-NEXT:    graph.add
// CHECK-NEXT:    graph.relu
// CHECK-NEXT:    graph.cast
// CHECK-NEXT:    graph.yield
// CHECK-NOT:   graph.fused
func.func @long_epilogues(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>, %key: tensor<3xi64>, %i: tensor<4x16x8x8xf32>, %f: tensor<16x16x3x3xf32>, %a: tensor<16xf32>) -> (tensor<64x64xbf16>, tensor<4x16x8x8xbf16>) {
  %h = graph.linear %x, %w, %b : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32> -> tensor<64x64xf32>
  %g = graph.gelu %h : tensor<64x64xf32>
  %d = graph.dropout %g key %key p = 0.5 op_id = 1 mode = train : tensor<64x64xf32>
  %r = graph.add %d, %x : tensor<64x64xf32>
  %y = graph.cast %r : tensor<64x64xf32> -> tensor<64x64xbf16>
  %c = graph.conv %i, %f, %a strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<4x16x8x8xf32>, tensor<16x16x3x3xf32>, tensor<16xf32> -> tensor<4x16x8x8xf32>
  %e = graph.dropout %c key %key p = 0.5 op_id = 2 mode = train : tensor<4x16x8x8xf32>
  %s = graph.add %e, %i : tensor<4x16x8x8xf32>
  %u = graph.relu %s : tensor<4x16x8x8xf32>
  %z = graph.cast %u : tensor<4x16x8x8xf32> -> tensor<4x16x8x8xbf16>
  return %y, %z : tensor<64x64xbf16>, tensor<4x16x8x8xbf16>
}
