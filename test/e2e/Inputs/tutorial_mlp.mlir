// The tutorial's network, 2-30-20-2, with PyTorch's default initialisation: all
// of U(-1/sqrt(inputs), 1/sqrt(inputs)), drawn in this order.
module @tutorial {
  graph.variable @layers.0.weight : tensor<30x2xf32> = #graph.uniform<-0.70710678118654752, 0.70710678118654752> trainable
  graph.variable @layers.0.bias : tensor<30xf32> = #graph.uniform<-0.70710678118654752, 0.70710678118654752> trainable
  graph.variable @layers.2.weight : tensor<20x30xf32> = #graph.uniform<-0.18257418583505537, 0.18257418583505537> trainable
  graph.variable @layers.2.bias : tensor<20xf32> = #graph.uniform<-0.18257418583505537, 0.18257418583505537> trainable
  graph.variable @layers.4.weight : tensor<2x20xf32> = #graph.uniform<-0.22360679774997897, 0.22360679774997897> trainable
  graph.variable @layers.4.bias : tensor<2xf32> = #graph.uniform<-0.22360679774997897, 0.22360679774997897> trainable
  func.func @forward(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %w0 = graph.get @layers.0.weight : tensor<30x2xf32>
    %b0 = graph.get @layers.0.bias : tensor<30xf32>
    %h0 = graph.linear %x, %w0, %b0 : tensor<2x2xf32>, tensor<30x2xf32>, tensor<30xf32> -> tensor<2x30xf32>
    %a0 = graph.relu %h0 : tensor<2x30xf32>
    %w2 = graph.get @layers.2.weight : tensor<20x30xf32>
    %b2 = graph.get @layers.2.bias : tensor<20xf32>
    %h2 = graph.linear %a0, %w2, %b2 : tensor<2x30xf32>, tensor<20x30xf32>, tensor<20xf32> -> tensor<2x20xf32>
    %a2 = graph.relu %h2 : tensor<2x20xf32>
    %w4 = graph.get @layers.4.weight : tensor<2x20xf32>
    %b4 = graph.get @layers.4.bias : tensor<2xf32>
    %h4 = graph.linear %a2, %w4, %b4 : tensor<2x20xf32>, tensor<2x20xf32>, tensor<2xf32> -> tensor<2x2xf32>
    return %h4 : tensor<2x2xf32>
  }
  func.func @loss(%x: tensor<2x2xf32>, %y: tensor<2xi64>) -> tensor<f32> {
    %logits = call @forward(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %l = graph.cross_entropy %logits, %y : tensor<2x2xf32>, tensor<2xi64> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
}
