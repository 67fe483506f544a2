// The model of the two orders of Fuse and Amp; no graph.train.
graph.variable @w : tensor<8x8xf32> = #graph.uniform<-1.0, 1.0> trainable
graph.variable @b : tensor<8xf32> = #graph.uniform<-1.0, 1.0> trainable
func.func @forward(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = graph.get @w : tensor<8x8xf32>
  %b = graph.get @b : tensor<8xf32>
  %h = graph.linear %x, %w, %b : tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32> -> tensor<4x8xf32>
  %a = graph.gelu %h : tensor<4x8xf32>
  %r = graph.add %a, %x : tensor<4x8xf32>
  %y = graph.linear %r, %w, %b : tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32> -> tensor<4x8xf32>
  %s = graph.softmax %y axis = 1 : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
