// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An MLP 784-256-10 on batches of 64, cross entropy, SGD with momentum.
module @mlp784 {
  graph.variable @"0.weight" : tensor<256x784xf32> = #graph.uniform<-0.0357, 0.0357> trainable
  graph.variable @"0.bias" : tensor<256xf32> = #graph.uniform<-0.0357, 0.0357> trainable
  graph.variable @"2.weight" : tensor<10x256xf32> = #graph.uniform<-0.0625, 0.0625> trainable
  graph.variable @"2.bias" : tensor<10xf32> = #graph.uniform<-0.0625, 0.0625> trainable
  func.func private @loss(%x: tensor<64x784xf32>, %y: tensor<64xi64>) -> tensor<f32> {
    %w0 = graph.get @"0.weight" : tensor<256x784xf32>
    %b0 = graph.get @"0.bias" : tensor<256xf32>
    %w1 = graph.get @"2.weight" : tensor<10x256xf32>
    %b1 = graph.get @"2.bias" : tensor<10xf32>
    %h0 = graph.linear %x, %w0, %b0 : tensor<64x784xf32>, tensor<256x784xf32>, tensor<256xf32> -> tensor<64x256xf32>
    %a0 = graph.relu %h0 : tensor<64x256xf32>
    %h1 = graph.linear %a0, %w1, %b1 : tensor<64x256xf32>, tensor<10x256xf32>, tensor<10xf32> -> tensor<64x10xf32>
    %l = graph.cross_entropy %h1, %y : tensor<64x10xf32>, tensor<64xi64> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.01, momentum = 0.9>)
}
