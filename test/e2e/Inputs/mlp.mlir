// 2-30-20-2, batch 4: the tutorial's size.
module @mlp {
  graph.variable @fc1.weight : tensor<30x2xf32> = #graph.uniform<-0.70710677, 0.70710677> trainable
  graph.variable @fc1.bias : tensor<30xf32> = #graph.uniform<-0.70710677, 0.70710677> trainable
  graph.variable @fc2.weight : tensor<20x30xf32> = #graph.uniform<-0.18257418, 0.18257418> trainable
  graph.variable @fc2.bias : tensor<20xf32> = #graph.zeros trainable
  graph.variable @fc3.weight : tensor<2x20xf32> = #graph.uniform<-0.2236068, 0.2236068> trainable
  graph.variable @fc3.bias : tensor<2xf32> = #graph.zeros trainable
  func.func @forward(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
    %w1 = graph.get @fc1.weight : tensor<30x2xf32>
    %b1 = graph.get @fc1.bias : tensor<30xf32>
    %w2 = graph.get @fc2.weight : tensor<20x30xf32>
    %b2 = graph.get @fc2.bias : tensor<20xf32>
    %w3 = graph.get @fc3.weight : tensor<2x20xf32>
    %b3 = graph.get @fc3.bias : tensor<2xf32>
    %h1 = graph.linear %x, %w1, %b1 : tensor<4x2xf32>, tensor<30x2xf32>, tensor<30xf32> -> tensor<4x30xf32>
    %a1 = graph.relu %h1 : tensor<4x30xf32>
    %h2 = graph.linear %a1, %w2, %b2 : tensor<4x30xf32>, tensor<20x30xf32>, tensor<20xf32> -> tensor<4x20xf32>
    %a2 = graph.tanh %h2 : tensor<4x20xf32>
    %h3 = graph.linear %a2, %w3, %b3 : tensor<4x20xf32>, tensor<2x20xf32>, tensor<2xf32> -> tensor<4x2xf32>
    return %h3 : tensor<4x2xf32>
  }
  func.func @loss(%x: tensor<4x2xf32>, %y: tensor<4xi64>) -> tensor<f32> {
    %logits = func.call @forward(%x) : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %l = graph.cross_entropy %logits, %y : tensor<4x2xf32>, tensor<4xi64> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5, momentum = 0.9>)
  graph.grad @dloss of @loss wrt(@fc1.weight, @fc2.bias)
}
