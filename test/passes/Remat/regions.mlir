// RUN: graph-opt --import --train-step --autodiff --promote-state --canonicalize --cse --remat=rung=0 %s | FileCheck %s

// Of a graph.checkpoint region the inputs and the outputs are kept, and its
// insides computed again, without being asked for. The exponential outside is not.

// CHECK-LABEL: func.func @step
// CHECK:         %[[E:.*]] = graph.exp
// CHECK:         %[[T:.*]] = graph.tanh %[[E]]
// CHECK:         graph.sin %[[T]]
// CHECK:         graph.reduce_mean
// CHECK:         %[[B:.*]] = graph.recompute_barrier %[[E]] after
// CHECK:         %[[AGAIN:.*]] = graph.tanh %[[B]]
// CHECK-NOT:     {graph.checkpoint
// CHECK:         graph.cos %[[AGAIN]]
// CHECK-NOT:     graph.exp
// CHECK:         return
graph.variable @w : tensor<512xf32> = #graph.zeros trainable
func.func private @loss() -> tensor<f32> {
  %w = graph.get @w : tensor<512xf32>
  %e = graph.exp %w : tensor<512xf32>
  %y = graph.checkpoint : tensor<512xf32> {
    %t = graph.tanh %e : tensor<512xf32>
    %s = graph.sin %t : tensor<512xf32>
    graph.yield %s : tensor<512xf32>
  }
  %loss = graph.reduce_mean %y axes = [0] : tensor<512xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
