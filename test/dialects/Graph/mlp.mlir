// RUN: graph-opt %s | graph-opt | FileCheck %s

// The model of the design document reads, prints and reads back.

// CHECK: graph.variable @fc1.weight : tensor<30x2xf32> = #graph.uniform<-0.70710677, 0.70710677> trainable
// CHECK: graph.linear %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x2xf32>, tensor<30x2xf32>, tensor<30xf32> -> tensor<8x30xf32>
// CHECK: graph.cross_entropy %{{.*}}, %{{.*}} : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
// CHECK: graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
// CHECK: graph.grad @dloss of @loss wrt(@fc1.weight, @fc1.bias)
module @mlp {
  graph.variable @fc1.weight : tensor<30x2xf32> = #graph.uniform<-0.70710677, 0.70710677> trainable
  graph.variable @fc1.bias : tensor<30xf32> = #graph.zeros trainable
  func.func @forward(%x: tensor<8x2xf32>) -> tensor<8x30xf32> {
    %w = graph.get @fc1.weight : tensor<30x2xf32>
    %b = graph.get @fc1.bias : tensor<30xf32>
    %h = graph.linear %x, %w, %b : tensor<8x2xf32>, tensor<30x2xf32>, tensor<30xf32> -> tensor<8x30xf32>
    %a = graph.relu %h : tensor<8x30xf32>
    return %a : tensor<8x30xf32>
  }
  func.func @loss(%x: tensor<8x2xf32>, %y: tensor<8xi64>) -> tensor<f32> {
    %logits = func.call @forward(%x) : (tensor<8x2xf32>) -> tensor<8x30xf32>
    %l = graph.cross_entropy %logits, %y : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>
    return %l : tensor<f32>
  }
  graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
  graph.grad @dloss of @loss wrt(@fc1.weight, @fc1.bias)
}
