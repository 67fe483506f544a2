module @line {
  graph.variable @w : tensor<f32> = #graph.zeros trainable
  graph.variable @b : tensor<f32> = #graph.zeros trainable
  func.func private @loss(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<f32> {
    %w = graph.get @w : tensor<f32>
    %b = graph.get @b : tensor<f32>
    %ws = graph.broadcast %w dims = [] : tensor<f32> -> tensor<4xf32>
    %bs = graph.broadcast %b dims = [] : tensor<f32> -> tensor<4xf32>
    %wx = graph.mul %ws, %x : tensor<4xf32>
    %z = graph.add %wx, %bs : tensor<4xf32>
    %l = graph.mse_loss %z, %y : tensor<4xf32>, tensor<4xf32> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.1>)
}
