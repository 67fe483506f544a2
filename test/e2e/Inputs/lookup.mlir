module @lookup {
  graph.variable @e : tensor<50x64xf32> = #graph.normal<0.0, 0.1> trainable
  graph.variable @wq : tensor<192x64xf32> = #graph.uniform<-0.1, 0.1> trainable
  graph.variable @wo : tensor<64x64xf32> = #graph.uniform<-0.1, 0.1> trainable
  graph.variable @g : tensor<64xf32> = #graph.constant<1.0> trainable
  graph.variable @b : tensor<64xf32> = #graph.zeros trainable
  graph.variable @g2 : tensor<64xf32> = #graph.constant<1.0> trainable
  graph.variable @b2 : tensor<64xf32> = #graph.zeros trainable
  graph.variable @w : tensor<50x64xf32> = #graph.uniform<-0.1, 0.1> trainable
  graph.variable @c : tensor<50xf32> = #graph.zeros trainable
  func.func private @loss(%i: tensor<16x32xi64>, %next: tensor<16x32xi64>) -> tensor<f32> {
    %e = graph.get @e : tensor<50x64xf32>
    %wq = graph.get @wq : tensor<192x64xf32>
    %wo = graph.get @wo : tensor<64x64xf32>
    %g = graph.get @g : tensor<64xf32>
    %b = graph.get @b : tensor<64xf32>
    %g2 = graph.get @g2 : tensor<64xf32>
    %b2 = graph.get @b2 : tensor<64xf32>
    %w = graph.get @w : tensor<50x64xf32>
    %c = graph.get @c : tensor<50xf32>
    %x = graph.embedding %e, %i : tensor<50x64xf32>, tensor<16x32xi64> -> tensor<16x32x64xf32>
    %n = graph.layer_norm %x, %g, %b normalized_rank = 1 eps = 1.0e-5 : tensor<16x32x64xf32>, tensor<64xf32>, tensor<64xf32>
    %qkv = graph.linear %n, %wq : tensor<16x32x64xf32>, tensor<192x64xf32> -> tensor<16x32x192xf32>
    %q = graph.slice %qkv starts = [0, 0, 0] limits = [16, 32, 64] strides = [1, 1, 1] : tensor<16x32x192xf32> -> tensor<16x32x64xf32>
    %k = graph.slice %qkv starts = [0, 0, 64] limits = [16, 32, 128] strides = [1, 1, 1] : tensor<16x32x192xf32> -> tensor<16x32x64xf32>
    %v = graph.slice %qkv starts = [0, 0, 128] limits = [16, 32, 192] strides = [1, 1, 1] : tensor<16x32x192xf32> -> tensor<16x32x64xf32>
    %q4 = graph.reshape %q : tensor<16x32x64xf32> -> tensor<16x32x4x16xf32>
    %k4 = graph.reshape %k : tensor<16x32x64xf32> -> tensor<16x32x4x16xf32>
    %v4 = graph.reshape %v : tensor<16x32x64xf32> -> tensor<16x32x4x16xf32>
    %qt = graph.transpose %q4 permutation = [0, 2, 1, 3] : tensor<16x32x4x16xf32> -> tensor<16x4x32x16xf32>
    %kt = graph.transpose %k4 permutation = [0, 2, 1, 3] : tensor<16x32x4x16xf32> -> tensor<16x4x32x16xf32>
    %vt = graph.transpose %v4 permutation = [0, 2, 1, 3] : tensor<16x32x4x16xf32> -> tensor<16x4x32x16xf32>
    %o = graph.attention %qt, %kt, %vt causal : tensor<16x4x32x16xf32>, tensor<16x4x32x16xf32>, tensor<16x4x32x16xf32> -> tensor<16x4x32x16xf32>
    %ot = graph.transpose %o permutation = [0, 2, 1, 3] : tensor<16x4x32x16xf32> -> tensor<16x32x4x16xf32>
    %of = graph.reshape %ot : tensor<16x32x4x16xf32> -> tensor<16x32x64xf32>
    %proj = graph.linear %of, %wo : tensor<16x32x64xf32>, tensor<64x64xf32> -> tensor<16x32x64xf32>
    %r = graph.add %x, %proj : tensor<16x32x64xf32>
    %n2 = graph.layer_norm %r, %g2, %b2 normalized_rank = 1 eps = 1.0e-5 : tensor<16x32x64xf32>, tensor<64xf32>, tensor<64xf32>
    %flat = graph.reshape %n2 : tensor<16x32x64xf32> -> tensor<512x64xf32>
    %l = graph.linear %flat, %w, %c : tensor<512x64xf32>, tensor<50x64xf32>, tensor<50xf32> -> tensor<512x50xf32>
    %t = graph.reshape %next : tensor<16x32xi64> -> tensor<512xi64>
    %loss = graph.cross_entropy %l, %t : tensor<512x50xf32>, tensor<512xi64> -> tensor<f32>
    return %loss : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.adamw<lr = 0.001>)
}
