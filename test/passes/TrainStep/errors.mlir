// RUN: graph-opt --train-step --split-input-file --verify-diagnostics %s

// Read but behind graph.stop_gradient, not read at all, or read as integers.

graph.variable @w : tensor<f32> = #graph.zeros trainable
// expected-warning @+1 {{trainable variable @stopped reaches no loss, so no step updates it}}
graph.variable @stopped : tensor<f32> = #graph.zeros trainable
// expected-warning @+1 {{trainable variable @unread reaches no loss}}
graph.variable @unread : tensor<f32> = #graph.zeros trainable
// expected-warning @+1 {{trainable variable @rounded reaches no loss}}
graph.variable @rounded : tensor<f32> = #graph.zeros trainable
func.func private @loss() -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  %s = graph.get @stopped : tensor<f32>
  %t = graph.stop_gradient %s : tensor<f32>
  %r = graph.get @rounded : tensor<f32>
  %i = graph.cast %r : tensor<f32> -> tensor<i32>
  %f = graph.cast %i : tensor<i32> -> tensor<f32>
  %a = graph.add %w, %t : tensor<f32>
  %l = graph.add %a, %f : tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
// expected-error @+1 {{expects a trainable variable to reach the loss}}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// expected-note @+1 {{taken here}}
graph.variable @step.lr : tensor<f32> = #graph.zeros
graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func private @loss() -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @+1 {{expects the name "step.lr" to be free for its state}}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func private @loss() -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-note @+1 {{whose state it shares}}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
// expected-error @+1 {{expects the optimizer of @step, #graph.sgd<lr = 0.5>, but got #graph.sgd<lr = 0.1>}}
graph.train @other loss(@loss) optimizer(#graph.sgd<lr = 0.1>) specializes(@step)

// -----

graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func private @loss() -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
// expected-error @+1 {{expects @loss to name a graph.train that specializes no other}}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>) specializes(@loss)

// -----

// expected-note @+1 {{which has '(tensor<4xf32>) -> tensor<4xf32>'}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{expects a specialization to differ from @f in the sizes of its arguments and results only}}
func.func @g(%x: tensor<2xf64>) -> tensor<2xf64> attributes {graph.specializes = @f} {
  return %x : tensor<2xf64>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{expects argument sizes other than those of @f, but got the same}}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> attributes {graph.specializes = @f} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects @f to name another public function that specializes no other}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {graph.specializes = @f} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects graph.specializes to be a symbol, but got 3}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {graph.specializes = 3} {
  return %x : tensor<4xf32>
}

// -----

graph.variable @w : tensor<f32> = #graph.zeros trainable
func.func private @loss(%x: tensor<4xf32>) -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
// expected-error @+1 {{expects to be of the kind of @step, which it specializes}}
func.func @g(%x: tensor<2xf32>) -> tensor<f32> attributes {graph.specializes = @step} {
  %w = graph.get @w : tensor<f32>
  return %w : tensor<f32>
}

// -----

// Names that two parameters' states would share, though neither is taken in the
// text.

graph.variable @b : tensor<f32> = #graph.zeros trainable
graph.variable @a.b : tensor<f32> = #graph.zeros trainable
func.func private @one() -> tensor<f32> {
  %w = graph.get @a.b : tensor<f32>
  return %w : tensor<f32>
}
func.func private @two() -> tensor<f32> {
  %w = graph.get @b : tensor<f32>
  return %w : tensor<f32>
}
// expected-note @+1 {{taken here}}
graph.train @s loss(@one) optimizer(#graph.sgd<lr = 0.5, momentum = 0.5>)
// expected-error @+1 {{expects the name "s.a.b.momentum_buffer" to be free for its state}}
graph.train @s.a loss(@two) optimizer(#graph.sgd<lr = 0.5, momentum = 0.5>)

// -----

graph.variable @b : tensor<f32> = #graph.zeros trainable
func.func private @loss() -> tensor<f32> {
  %w = graph.get @b : tensor<f32>
  return %w : tensor<f32>
}
// expected-note @+1 {{taken here}}
graph.train @s loss(@loss) optimizer(#graph.sgd<lr = 1.0>) groups([#graph.param_group<[@b], #graph.sgd<lr = 0.25>>])
// expected-error @+1 {{expects the name "s.group0.lr" to be free for its state}}
graph.train @s.group0 loss(@loss) optimizer(#graph.sgd<lr = 7.0>)

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// expected-note @+1 {{the other one}}
func.func @g(%x: tensor<5xf32>) -> tensor<5xf32> attributes {graph.specializes = @f} {
  return %x : tensor<5xf32>
}
// expected-error @+1 {{expects argument sizes other than those of @g, but got the same: '(tensor<5xf32>) -> tensor<5xf32>'}}
func.func @h(%x: tensor<5xf32>) -> tensor<5xf32> attributes {graph.specializes = @f} {
  return %x : tensor<5xf32>
}
