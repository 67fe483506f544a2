// RUN: graph-opt --train-step --split-input-file --verify-diagnostics %s | FileCheck %s

// What a variable is set to reaches the loss where that variable is read, also
// in the next iteration of a loop.

// CHECK: graph.value_and_grad @loss(%{{.*}}) wrt(@w, @rate, @scale)
graph.variable @w : tensor<f32> = #graph.zeros trainable
graph.variable @rate : tensor<f32> = #graph.zeros trainable
graph.variable @scale : tensor<f32> = #graph.zeros trainable
graph.variable @kept : tensor<f32> = #graph.zeros
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %scale = graph.get @scale : tensor<f32>
  graph.set @kept, %scale : tensor<f32>
  graph.for %i = 4 carry() {
    %w = graph.get @w : tensor<f32>
    %rate = graph.get @rate : tensor<f32>
    %step = graph.mul %rate, %x : tensor<f32>
    %next = graph.sub %w, %step : tensor<f32>
    graph.set @w, %next : tensor<f32>
    graph.yield
  }
  %w = graph.get @w : tensor<f32>
  %kept = graph.get @kept : tensor<f32>
  %l = graph.mul %w, %kept : tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// A value that is set before it is read hides the one before it; a set that
// nothing reads reaches nothing, nor does a set behind graph.stop_gradient.

// CHECK: graph.value_and_grad @loss() wrt(@w)
graph.variable @w : tensor<f32> = #graph.zeros trainable
// expected-warning @+1 {{trainable variable @hidden reaches no loss}}
graph.variable @hidden : tensor<f32> = #graph.zeros trainable
// expected-warning @+1 {{trainable variable @unread reaches no loss}}
graph.variable @unread : tensor<f32> = #graph.zeros trainable
// expected-warning @+1 {{trainable variable @stopped reaches no loss}}
graph.variable @stopped : tensor<f32> = #graph.zeros trainable
graph.variable @a : tensor<f32> = #graph.zeros
graph.variable @b : tensor<f32> = #graph.zeros
func.func private @loss() -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  graph.set @hidden, %w : tensor<f32>
  %h = graph.get @hidden : tensor<f32>
  %u = graph.get @unread : tensor<f32>
  graph.set @a, %u : tensor<f32>
  %s = graph.get @stopped : tensor<f32>
  %t = graph.stop_gradient %s : tensor<f32>
  graph.set @b, %t : tensor<f32>
  %b = graph.get @b : tensor<f32>
  %l = graph.mul %h, %b : tensor<f32>
  return %l : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// In a loop only what the loss depends on counts, through several iterations.

// CHECK: graph.value_and_grad @loss() wrt(@third)
graph.variable @third : tensor<f32> = #graph.zeros trainable
// expected-warning @+1 {{trainable variable @beside reaches no loss}}
graph.variable @beside : tensor<f32> = #graph.zeros trainable
func.func private @loss() -> tensor<f32> {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %r:4 = graph.for %i = 3 carry(%a = %zero, %b = %zero, %c = %zero, %d = %zero) : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32> {
    %third = graph.get @third : tensor<f32>
    %beside = graph.get @beside : tensor<f32>
    graph.yield %b, %c, %third, %beside : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %r#0 : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)

// -----

// An inner gradient that sets a variable, which is read after it.

// CHECK: graph.value_and_grad @loss(%{{.*}}) wrt(@w)
graph.variable @w : tensor<f32> = #graph.zeros trainable
graph.variable @mean : tensor<f32> = #graph.zeros
func.func private @inner(%x: tensor<f32>) -> tensor<f32> {
  %w = graph.get @w : tensor<f32>
  graph.set @mean, %w : tensor<f32>
  return %x : tensor<f32>
}
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %y, %dx = graph.value_and_grad @inner(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %mean = graph.get @mean : tensor<f32>
  return %mean : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
