// RUN: graph-opt --split-input-file --verify-diagnostics %s

// Groups, limits and initial values that would say nothing or something else.

graph.variable @w : tensor<f32> = #graph.zeros trainable
graph.variable @frozen : tensor<f32> = #graph.zeros
func.func @loss() -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @+1 {{'graph.train' op expects @frozen, which is in a group, to be trainable}}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>) groups([#graph.param_group<[@frozen], #graph.sgd<lr = 0.1>>])

// -----

func.func @loss() -> tensor<f32> {
  %w = graph.constant dense<1.0> : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @+1 {{'graph.train' op expects one group or more}}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>) groups([])

// -----

func.func @loss() -> tensor<f32> {
  %w = graph.constant dense<1.0> : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @+1 {{'graph.train' op expects clip_norm to be finite, but got INF}}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>) clip_norm(0x7FF0000000000000)

// -----

// expected-error @+1 {{'graph.variable' op expects an initial value within 'f16', but got 1.0e+30}}
graph.variable @narrow : tensor<f16> = #graph.constant<1.0e30>

// -----

graph.variable @edge : tensor<f16> = #graph.constant<65519.0>
graph.variable @wide : tensor<bf16> = #graph.constant<1.0e30>
