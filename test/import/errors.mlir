// RUN: graph-opt --import --split-input-file --verify-diagnostics %s

// What MLIR's own verifier lets pass. (test/unit/Import has the modules that it
// would reject or not survive.)

// expected-error @+2 {{function "even" calls itself; expects no recursion}}
// expected-note @+1 {{"even" names "odd"}}
func.func @even(%x: tensor<f32>) -> tensor<f32> {
  %y = call @odd(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
// expected-note @+1 {{"odd" names "even"}}
func.func private @odd(%x: tensor<f32>) -> tensor<f32> {
  %y = call @even(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func private @f0(%x: tensor<f32>) -> tensor<f32> {
  %r:2 = graph.for %i = 1 carry(%a = %x, %b = %x) : tensor<f32>, tensor<f32> {
    graph.yield %b, %a : tensor<f32>, tensor<f32>
  }
  return %r#0 : tensor<f32>
}
func.func @loop(%x: tensor<f32>) -> tensor<f32> {
  %r = graph.for %i = 3 carry(%a = %x) : tensor<f32> {
    // expected-error @+1 {{expects not to stand in a graph.for without a key: each iteration would draw the same numbers}}
    %b = graph.dropout %a p = 0.5 mode = train : tensor<f32>
    graph.yield %b : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

func.func @twice(%key: tensor<3xi64>) -> (tensor<f32>, tensor<f32>) {
  // expected-note @+1 {{first here}}
  %a = graph.random_uniform %key op_id = 7 : tensor<f32>
  // expected-error @+1 {{expects an op_id of its own, but got 7 again}}
  %b = graph.random_uniform %key op_id = 7 : tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

// expected-error @+1 {{expects the name "graphc.rng_key" to be left to the random state}}
graph.variable @graphc.rng_key : tensor<f32> = #graph.zeros
func.func @draw(%x: tensor<f32>) -> tensor<f32> {
  %b = graph.dropout %x p = 0.5 mode = train : tensor<f32>
  return %b : tensor<f32>
}

// -----

// Two values per channel are needed in training only.
func.func @loss(%x: tensor<1x2xf32>, %s: tensor<2xf32>) -> tensor<f32> {
  // expected-error @+1 {{expects two or more values per channel in training, but got 'tensor<1x2xf32>'}}
  %y, %m, %v = graph.batch_norm %x, %s, %s momentum = 0.1 eps = 1.0e-5 : tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>
  %l = graph.reduce_sum %y axes = [0, 1] : tensor<1x2xf32> -> tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// expected-error @+1 {{expects no layout: the compiler chooses it}}
graph.variable @w : tensor<4x2xf32> = #graph.zeros layout(<dim = 0, width = 2>)
