// Convolution, normalization, pooling and a classifier, trained with momentum.
module @convnet {
  graph.variable @conv.weight : tensor<8x3x3x3xf32> = #graph.uniform<-0.2, 0.2> trainable
  graph.variable @norm.weight : tensor<8xf32> = #graph.constant<1.0> trainable
  graph.variable @norm.bias : tensor<8xf32> = #graph.zeros trainable
  graph.variable @fc.weight : tensor<5x288xf32> = #graph.uniform<-0.06, 0.06> trainable
  func.func @loss(%x: tensor<4x3x12x12xf32>, %y: tensor<4xi64>) -> tensor<f32> {
    %w = graph.get @conv.weight : tensor<8x3x3x3xf32>
    %g = graph.get @norm.weight : tensor<8xf32>
    %h = graph.get @norm.bias : tensor<8xf32>
    %f = graph.get @fc.weight : tensor<5x288xf32>
    %c = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<4x3x12x12xf32>, tensor<8x3x3x3xf32> -> tensor<4x8x12x12xf32>
    %n:3 = graph.batch_norm %c, %g, %h, %h, %g momentum = 0.1 eps = 1.0e-5 mode = train : tensor<4x8x12x12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    %r = graph.relu %n#0 : tensor<4x8x12x12xf32>
    %p = graph.max_pool %r kernel = [2, 2] strides = [2, 2] low = [0, 0] high = [0, 0] dilation = [1, 1] : tensor<4x8x12x12xf32> -> tensor<4x8x6x6xf32>
    %v = graph.reshape %p : tensor<4x8x6x6xf32> -> tensor<4x288xf32>
    %l = graph.linear %v, %f : tensor<4x288xf32>, tensor<5x288xf32> -> tensor<4x5xf32>
    %e = graph.cross_entropy %l, %y : tensor<4x5xf32>, tensor<4xi64> -> tensor<f32>
    return %e : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.05, momentum = 0.9>)
}
