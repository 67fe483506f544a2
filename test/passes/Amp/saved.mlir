// RUN: graph-opt --import --train-step=amp=bf16 --autodiff --promote-state --canonicalize --cse --amp --canonicalize --fuse %s | FileCheck %s

// What a GELU's derivative reads is saved in bf16, though the derivative is
// arithmetic in f32 that needs nothing of the backward pass until its end: no f32 of
// that size goes from a forward kernel to a backward one.

// CHECK-LABEL: func.func @grads
// CHECK-NOT:     tensor<64x256xf32> {
// CHECK:         graph.cross_entropy
// CHECK:         -> (tensor<64x256xf32>, tensor<64x256xbf16>) {
// CHECK:           graph.dot_general {{.*}} -> tensor<64x256xf32>
// CHECK:           graph.erf
graph.variable @w1 : tensor<256x32xf32> = #graph.zeros trainable
graph.variable @b1 : tensor<256xf32> = #graph.zeros trainable
graph.variable @w2 : tensor<16x256xf32> = #graph.zeros trainable
func.func @loss(%x: tensor<64x32xf32>, %y: tensor<64xi64>) -> tensor<f32> {
  %w1 = graph.get @w1 : tensor<256x32xf32>
  %b1 = graph.get @b1 : tensor<256xf32>
  %w2 = graph.get @w2 : tensor<16x256xf32>
  %h = graph.linear %x, %w1, %b1 : tensor<64x32xf32>, tensor<256x32xf32>, tensor<256xf32> -> tensor<64x256xf32>
  %a = graph.gelu %h : tensor<64x256xf32>
  %o = graph.linear %a, %w2 : tensor<64x256xf32>, tensor<16x256xf32> -> tensor<64x16xf32>
  %l = graph.cross_entropy %o, %y : tensor<64x16xf32>, tensor<64xi64> -> tensor<f32>
  return %l : tensor<f32>
}
graph.grad @grads of @loss wrt(@w1, @b1, @w2) {mode = #graph<mode train>}
