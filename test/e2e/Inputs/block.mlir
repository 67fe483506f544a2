module @block {
  graph.variable @wq : tensor<192x64xf32> = #graph.uniform<-0.03, 0.03> trainable
  graph.variable @wo : tensor<64x64xf32> = #graph.uniform<-0.03, 0.03> trainable
  graph.variable @g : tensor<64xf32> = #graph.constant<1.0> trainable
  graph.variable @b : tensor<64xf32> = #graph.zeros trainable
  graph.variable @g2 : tensor<64xf32> = #graph.constant<1.0> trainable
  graph.variable @b2 : tensor<64xf32> = #graph.zeros trainable
  graph.variable @wf : tensor<256x64xf32> = #graph.uniform<-0.03, 0.03> trainable
  graph.variable @bf : tensor<256xf32> = #graph.zeros trainable
  graph.variable @wp : tensor<64x256xf32> = #graph.uniform<-0.03, 0.03> trainable
  func.func private @loss(%x: tensor<4x32x64xf32>, %y: tensor<4x32x64xf32>) -> tensor<f32> {
    %wq = graph.get @wq : tensor<192x64xf32>
    %wo = graph.get @wo : tensor<64x64xf32>
    %g = graph.get @g : tensor<64xf32>
    %b = graph.get @b : tensor<64xf32>
    %g2 = graph.get @g2 : tensor<64xf32>
    %b2 = graph.get @b2 : tensor<64xf32>
    %wf = graph.get @wf : tensor<256x64xf32>
    %bf = graph.get @bf : tensor<256xf32>
    %wp = graph.get @wp : tensor<64x256xf32>
    %n = graph.layer_norm %x, %g, %b normalized_rank = 1 eps = 1.0e-5 : tensor<4x32x64xf32>, tensor<64xf32>, tensor<64xf32>
    %qkv = graph.linear %n, %wq : tensor<4x32x64xf32>, tensor<192x64xf32> -> tensor<4x32x192xf32>
    %q = graph.slice %qkv starts = [0, 0, 0] limits = [4, 32, 64] strides = [1, 1, 1] : tensor<4x32x192xf32> -> tensor<4x32x64xf32>
    %k = graph.slice %qkv starts = [0, 0, 64] limits = [4, 32, 128] strides = [1, 1, 1] : tensor<4x32x192xf32> -> tensor<4x32x64xf32>
    %v = graph.slice %qkv starts = [0, 0, 128] limits = [4, 32, 192] strides = [1, 1, 1] : tensor<4x32x192xf32> -> tensor<4x32x64xf32>
    %q4 = graph.reshape %q : tensor<4x32x64xf32> -> tensor<4x32x4x16xf32>
    %k4 = graph.reshape %k : tensor<4x32x64xf32> -> tensor<4x32x4x16xf32>
    %v4 = graph.reshape %v : tensor<4x32x64xf32> -> tensor<4x32x4x16xf32>
    %qt = graph.transpose %q4 permutation = [0, 2, 1, 3] : tensor<4x32x4x16xf32> -> tensor<4x4x32x16xf32>
    %kt = graph.transpose %k4 permutation = [0, 2, 1, 3] : tensor<4x32x4x16xf32> -> tensor<4x4x32x16xf32>
    %vt = graph.transpose %v4 permutation = [0, 2, 1, 3] : tensor<4x32x4x16xf32> -> tensor<4x4x32x16xf32>
    %s = graph.dot_general %qt, %kt batching = [0, 1] x [0, 1] contracting = [3] x [3] : tensor<4x4x32x16xf32>, tensor<4x4x32x16xf32> -> tensor<4x4x32x32xf32>
    %p = graph.softmax %s axis = 3 : tensor<4x4x32x32xf32>
    %o = graph.dot_general %p, %vt batching = [0, 1] x [0, 1] contracting = [3] x [2] : tensor<4x4x32x32xf32>, tensor<4x4x32x16xf32> -> tensor<4x4x32x16xf32>
    %ot = graph.transpose %o permutation = [0, 2, 1, 3] : tensor<4x4x32x16xf32> -> tensor<4x32x4x16xf32>
    %of = graph.reshape %ot : tensor<4x32x4x16xf32> -> tensor<4x32x64xf32>
    %proj = graph.linear %of, %wo : tensor<4x32x64xf32>, tensor<64x64xf32> -> tensor<4x32x64xf32>
    %r = graph.add %x, %proj : tensor<4x32x64xf32>
    %n2 = graph.layer_norm %r, %g2, %b2 normalized_rank = 1 eps = 1.0e-5 : tensor<4x32x64xf32>, tensor<64xf32>, tensor<64xf32>
    %f = graph.linear %n2, %wf, %bf : tensor<4x32x64xf32>, tensor<256x64xf32>, tensor<256xf32> -> tensor<4x32x256xf32>
    %fa = graph.gelu %f : tensor<4x32x256xf32>
    %fp = graph.linear %fa, %wp : tensor<4x32x256xf32>, tensor<64x256xf32> -> tensor<4x32x64xf32>
    %r2 = graph.add %r, %fp : tensor<4x32x64xf32>
    %l = graph.mse_loss %r2, %y : tensor<4x32x64xf32>, tensor<4x32x64xf32> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.adamw<lr = 0.001>)
}
