// A step whose products and elementwise loops are worth threads.
module @wide {
  graph.variable @fc1.weight : tensor<256x128xf32> = #graph.uniform<-0.0625, 0.0625> trainable
  graph.variable @fc1.bias : tensor<256xf32> = #graph.zeros trainable
  graph.variable @fc2.weight : tensor<10x256xf32> = #graph.uniform<-0.0625, 0.0625> trainable
  graph.variable @fc2.bias : tensor<10xf32> = #graph.zeros trainable
  func.func private @loss(%x: tensor<64x128xf32>, %y: tensor<64xi64>) -> tensor<f32> {
    %w1 = graph.get @fc1.weight : tensor<256x128xf32>
    %b1 = graph.get @fc1.bias : tensor<256xf32>
    %w2 = graph.get @fc2.weight : tensor<10x256xf32>
    %b2 = graph.get @fc2.bias : tensor<10xf32>
    %h = graph.linear %x, %w1, %b1 : tensor<64x128xf32>, tensor<256x128xf32>, tensor<256xf32> -> tensor<64x256xf32>
    %r = graph.relu %h : tensor<64x256xf32>
    %z = graph.linear %r, %w2, %b2 : tensor<64x256xf32>, tensor<10x256xf32>, tensor<10xf32> -> tensor<64x10xf32>
    %l = graph.cross_entropy %z, %y : tensor<64x10xf32>, tensor<64xi64> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.1, momentum = 0.9>)
}
