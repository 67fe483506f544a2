// RUN: graph-opt --autodiff --split-input-file --verify-diagnostics %s

// One error for all the rules that are missing, in two functions, with each
// place. Here graph.fused stands for an op of a user's library.

func.func private @first(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+2 {{no derivative rule for 'graph.fused'}}
  // expected-note @+1 {{'graph.fused' lies between what is asked for and the loss}}
  %y = graph.fused(%a = %x) : (tensor<f32>) -> tensor<f32> {
    graph.yield %a : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func private @second(%x: tensor<f32>) -> tensor<f32> {
  // expected-note @+1 {{'graph.fused' lies between}}
  %y = graph.fused(%a = %x) : (tensor<f32>) -> tensor<f32> {
    graph.yield %a : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %l, %dx = graph.value_and_grad @first(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %m, %dy = graph.value_and_grad @second(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  // The same places again are not listed twice.
  %n, %dz = graph.value_and_grad @first(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx, %dy : tensor<f32>, tensor<f32>
}

// -----

// The op without a rule is of no interest here: it does not reach the loss.

func.func private @loss(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %y = graph.fused(%a = %x) : (tensor<f32>) -> tensor<f32> {
    graph.yield %a : tensor<f32>
  }
  return %x, %y : tensor<f32>, tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %y, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// Import dissolves a checkpoint region. Where it has not, that is an error, in a
// loop that is too long to be unrolled too.

func.func private @loop(%x: tensor<4xf32>) -> tensor<f32> {
  %r = graph.for %i = 1000000000 carry(%a = %x) : tensor<4xf32> {
    // expected-error @+1 {{no derivative rule for 'graph.checkpoint'}}
    %y = graph.checkpoint : tensor<4xf32> {
      %e = graph.exp %a : tensor<4xf32>
      graph.yield %e : tensor<4xf32>
    }
    graph.yield %y : tensor<4xf32>
  }
  %s = graph.reduce_sum %r axes = [0] : tensor<4xf32> -> tensor<f32>
  return %s : tensor<f32>
}
func.func @gradients(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l, %dx = graph.value_and_grad @loop(%x) inputs = [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %dx : tensor<4xf32>
}

// -----

func.func private @unrolled(%x: tensor<4xf32>) -> tensor<f32> {
  %r = graph.for %i = 2 carry(%a = %x) : tensor<4xf32> {
    // expected-error @+1 {{no derivative rule for 'graph.checkpoint'}}
    %y = graph.checkpoint : tensor<4xf32> {
      %e = graph.exp %a : tensor<4xf32>
      graph.yield %e : tensor<4xf32>
    }
    graph.yield %y : tensor<4xf32>
  }
  %s = graph.reduce_sum %r axes = [0] : tensor<4xf32> -> tensor<f32>
  return %s : tensor<f32>
}
func.func @gradients(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l, %dx = graph.value_and_grad @unrolled(%x) inputs = [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %dx : tensor<4xf32>
}

// -----

// In a loop too, only what lies between counts: not what is carried beside it,
// made from other values or for other results.

func.func private @beside(%x: tensor<f32>, %n: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r:3 = graph.for %i = 1000000000 carry(%a = %x, %b = %n, %c = %x) : tensor<f32>, tensor<f32>, tensor<f32> {
    %p = graph.fused(%q = %b) : (tensor<f32>) -> tensor<f32> {
      graph.yield %q : tensor<f32>
    }
    %s = graph.fused(%q = %a) : (tensor<f32>) -> tensor<f32> {
      graph.yield %q : tensor<f32>
    }
    %t = graph.mul %a, %p : tensor<f32>
    graph.yield %t, %p, %s : tensor<f32>, tensor<f32>, tensor<f32>
  }
  %o = graph.fused(%q = %r#1) : (tensor<f32>) -> tensor<f32> {
    graph.yield %q : tensor<f32>
  }
  %l = graph.mul %r#0, %o : tensor<f32>
  return %l, %r#2 : tensor<f32>, tensor<f32>
}
func.func @gradients(%x: tensor<f32>, %n: tensor<f32>) -> tensor<f32> {
  %l, %y, %dx = graph.value_and_grad @beside(%x, %n) inputs = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// What reaches the loss by way of the next iteration lies between, and each such
// op is named, in a loop inside a loop too.

func.func private @through(%x: tensor<f32>) -> tensor<f32> {
  %r:2 = graph.for %i = 1000000000 carry(%a = %x, %b = %x) : tensor<f32>, tensor<f32> {
    // expected-error @+2 {{no derivative rule for 'graph.fused'}}
    // expected-note @+1 {{'graph.fused' lies between}}
    %p = graph.fused(%q = %a) : (tensor<f32>) -> tensor<f32> {
      graph.yield %q : tensor<f32>
    }
    %s = graph.for %j = 1000000000 carry(%c = %b) : tensor<f32> {
      // expected-note @+1 {{'graph.fused' lies between}}
      %d = graph.fused(%q = %c) : (tensor<f32>) -> tensor<f32> {
        graph.yield %q : tensor<f32>
      }
      graph.yield %d : tensor<f32>
    }
    graph.yield %s, %p : tensor<f32>, tensor<f32>
  }
  return %r#0 : tensor<f32>
}
func.func @gradients(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @through(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// A barrier is made when all gradients have been expanded.

func.func private @repeated(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{no derivative rule for 'graph.recompute_barrier'}}
  %y = graph.recompute_barrier %x after %x : tensor<4xf32>, tensor<4xf32>
  %s = graph.reduce_sum %y axes = [0] : tensor<4xf32> -> tensor<f32>
  return %s : tensor<f32>
}
func.func @drepeated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l, %dx = graph.value_and_grad @repeated(%x) inputs = [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %dx : tensor<4xf32>
}
