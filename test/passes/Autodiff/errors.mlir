// RUN: graph-opt --autodiff --split-input-file --verify-diagnostics %s

// expected-error @+2 {{function "f" calls itself; expects no recursion}}
// expected-note @+1 {{"f" names "g"}}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %y = call @g(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
// expected-note @+1 {{"g" names "f"}}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @f(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expects at most 100000 ops once unrolled to be differentiated, but got 50001 iterations of 2 ops}}
  %y = graph.for %i = 50001 carry(%a = %x) : tensor<f32> {
    %b = graph.sin %a : tensor<f32>
    graph.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expects a key and an op_id, or mode = eval, to be differentiated}}
  %y = graph.dropout %x p = 0.5 : tensor<f32>
  return %y : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// 15,000 copies of the inner loop are few ops, what they unroll to is not.

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.for %i = 15000 carry(%a = %x) : tensor<f32> {
    // expected-error @+1 {{expects at most 100000 ops once unrolled to be differentiated, but got 40000 iterations of 2 ops after 75000 ops of other loops}}
    %b = graph.for %j = 40000 carry(%c = %a) : tensor<f32> {
      %d = graph.sin %c : tensor<f32>
      graph.yield %d : tensor<f32>
    }
    %e = graph.neg %b : tensor<f32>
    graph.yield %e : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// Two loops side by side share the limit.

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.for %i = 30000 carry(%a = %x) : tensor<f32> {
    %b = graph.sin %a : tensor<f32>
    graph.yield %b : tensor<f32>
  }
  // expected-error @+1 {{but got 30000 iterations of 2 ops after 60000 ops of other loops}}
  %z = graph.for %i = 30000 carry(%a = %y) : tensor<f32> {
    %b = graph.sin %a : tensor<f32>
    graph.yield %b : tensor<f32>
  }
  return %z : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// An iteration that carries much is no cheap one.

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{but got 40000 iterations of 3 ops}}
  %y:16 = graph.for %i = 40000 carry(%a = %x, %b = %x, %c = %x, %d = %x, %e = %x, %f = %x, %g = %x, %h = %x, %j = %x, %k = %x, %l = %x, %m = %x, %n = %x, %o = %x, %p = %x, %q = %x) : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32> {
    %r = graph.sin %a : tensor<f32>
    graph.yield %b, %c, %d, %e, %f, %g, %h, %j, %k, %l, %m, %n, %o, %p, %q, %r : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %y#0 : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}
