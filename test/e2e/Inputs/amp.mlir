// Every kind of state: parameters, Adam's moments, running statistics, the number
// of batches, draws; clipped gradients.
graph.variable @fc1.weight : tensor<16x8xf32> = #graph.uniform<-0.35, 0.35> trainable
graph.variable @norm.weight : tensor<16xf32> = #graph.constant<1.0> trainable
graph.variable @norm.bias : tensor<16xf32> = #graph.zeros trainable
graph.variable @norm.running_mean : tensor<16xf32> = #graph.zeros
graph.variable @norm.running_var : tensor<16xf32> = #graph.constant<1.0>
graph.variable @norm.batches : tensor<i64> = #graph.zeros
graph.variable @fc2.weight : tensor<4x16xf32> = #graph.uniform<-0.25, 0.25> trainable
graph.variable @fc2.bias : tensor<4xf32> = #graph.zeros trainable
func.func @loss(%x: tensor<8x8xf32>, %y: tensor<8xi64>) -> tensor<f32> {
  %w1 = graph.get @fc1.weight : tensor<16x8xf32>
  %h = graph.linear %x, %w1 : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  %g = graph.get @norm.weight : tensor<16xf32>
  %b = graph.get @norm.bias : tensor<16xf32>
  %m = graph.get @norm.running_mean : tensor<16xf32>
  %v = graph.get @norm.running_var : tensor<16xf32>
  %n, %nm, %nv = graph.batch_norm %h, %m, %v, %g, %b momentum = 0.1 eps = 1.0e-5 : tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  graph.set @norm.running_mean, %nm : tensor<16xf32>
  graph.set @norm.running_var, %nv : tensor<16xf32>
  %count = graph.get @norm.batches : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %next = graph.add %count, %one : tensor<i64>
  graph.set @norm.batches, %next : tensor<i64>
  %a = graph.gelu %n : tensor<8x16xf32>
  %d = graph.dropout %a p = 0.1 : tensor<8x16xf32>
  %w2 = graph.get @fc2.weight : tensor<4x16xf32>
  %b2 = graph.get @fc2.bias : tensor<4xf32>
  %o = graph.linear %d, %w2, %b2 : tensor<8x16xf32>, tensor<4x16xf32>, tensor<4xf32> -> tensor<8x4xf32>
  %l = graph.cross_entropy %o, %y : tensor<8x4xf32>, tensor<8xi64> -> tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.adam<lr = 0.01>) clip_norm(1.0)
