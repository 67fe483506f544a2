// Two layers with a residual sum, a norm and a region of f32; one weight is shared.
graph.variable @w : tensor<8x8xf32> = #graph.uniform<-0.5, 0.5> trainable
graph.variable @b : tensor<8xf32> = #graph.uniform<-0.5, 0.5> trainable
graph.variable @g : tensor<8xf32> = #graph.constant<1.0> trainable
func.func @loss(%x: tensor<4x8xf32>, %t: tensor<4x8xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<8x8xf32>
  %b = graph.get @b : tensor<8xf32>
  %g = graph.get @g : tensor<8xf32>
  %h = graph.linear %x, %w, %b : tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32> -> tensor<4x8xf32>
  %a = graph.gelu %h : tensor<4x8xf32>
  %n = graph.layer_norm %a, %g normalized_rank = 1 eps = 1.0e-5 : tensor<4x8xf32>, tensor<8xf32>
  %y = graph.linear %n, %w, %b : tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32> -> tensor<4x8xf32>
  %p = graph.precision f32 : tensor<4x8xf32> {
    %e = graph.linear %y, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
    %q = graph.tanh %e : tensor<4x8xf32>
    graph.yield %q : tensor<4x8xf32>
  }
  %r = graph.add %p, %y : tensor<4x8xf32>
  %l = graph.mse_loss %r, %t : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.1, momentum = 0.9>)
