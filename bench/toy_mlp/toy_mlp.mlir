// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workload (i): an MLP 2-30-20-2, batch 2, mean squared error, SGD.
module @toy_mlp {
  graph.variable @"0.weight" : tensor<30x2xf32> = #graph.uniform<-0.7071067811865475, 0.7071067811865475> trainable
  graph.variable @"0.bias" : tensor<30xf32> = #graph.uniform<-0.7071067811865475, 0.7071067811865475> trainable
  graph.variable @"2.weight" : tensor<20x30xf32> = #graph.uniform<-0.18257418583505536, 0.18257418583505536> trainable
  graph.variable @"2.bias" : tensor<20xf32> = #graph.uniform<-0.18257418583505536, 0.18257418583505536> trainable
  graph.variable @"4.weight" : tensor<2x20xf32> = #graph.uniform<-0.22360679774997896, 0.22360679774997896> trainable
  graph.variable @"4.bias" : tensor<2xf32> = #graph.uniform<-0.22360679774997896, 0.22360679774997896> trainable
  func.func @loss(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<f32> {
    %w0 = graph.get @"0.weight" : tensor<30x2xf32>
    %b0 = graph.get @"0.bias" : tensor<30xf32>
    %w1 = graph.get @"2.weight" : tensor<20x30xf32>
    %b1 = graph.get @"2.bias" : tensor<20xf32>
    %w2 = graph.get @"4.weight" : tensor<2x20xf32>
    %b2 = graph.get @"4.bias" : tensor<2xf32>
    %h0 = graph.linear %x, %w0, %b0 : tensor<2x2xf32>, tensor<30x2xf32>, tensor<30xf32> -> tensor<2x30xf32>
    %a0 = graph.relu %h0 : tensor<2x30xf32>
    %h1 = graph.linear %a0, %w1, %b1 : tensor<2x30xf32>, tensor<20x30xf32>, tensor<20xf32> -> tensor<2x20xf32>
    %a1 = graph.relu %h1 : tensor<2x20xf32>
    %h2 = graph.linear %a1, %w2, %b2 : tensor<2x20xf32>, tensor<2x20xf32>, tensor<2xf32> -> tensor<2x2xf32>
    %l = graph.mse_loss %h2, %y : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.01>)
}
