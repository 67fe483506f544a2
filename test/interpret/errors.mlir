// REQUIRES: graph-interpret
// Whatever goes wrong is said where it is, and the variables keep their values.

// RUN: not graph-interpret %s --function=none 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: has no function 'none'; it has: {{.*}}class{{.*}}forever
// RUN: not graph-interpret %s 2>&1 | FileCheck --check-prefix=WHICH %s
// WHICH: error: expects --function to name one of: class
// RUN: not graph-interpret %s --function=class 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT: error: expects 1 inputs, but got 0: give --input, --splat or --random-inputs
// RUN: not graph-interpret %s --function=class --input='dense<1.0> : tensor<2xf32>' 2>&1 | FileCheck --check-prefix=TYPE %s
// TYPE: error: --input: expects tensor<2xi64>, but got tensor<2xf32>

// RUN: not graph-interpret %s --function=class --splat=3 --print-state 2>&1 | FileCheck --check-prefix=CLASS %s
// CLASS: errors.mlir:[[#@LINE+21]]:8: error: 'graph.cross_entropy' op expects target 0 to be a class in [0, 3) or ignore_index, but got 3
// RUN: not graph-interpret %s --function=forever 2>&1 | FileCheck --check-prefix=DEPTH %s
// DEPTH: error: is nested deeper than 200 calls, loops and regions
// RUN: not graph-interpret %s --function=long --max-ops=1000 2>&1 | FileCheck --check-prefix=OPS %s
// OPS: error: 'graph.for' op is past the limit of 1000 evaluated ops
// RUN: not graph-interpret %s --function=long --max-seconds=0.01 2>&1 | FileCheck --check-prefix=SECONDS %s
// SECONDS: is past the limit of 1.000000e-02 seconds
// Inside one op as well.
// RUN: not graph-interpret %s --function=product --splat=1 --max-seconds=0.5 2>&1 | FileCheck --check-prefix=INSIDE %s
// INSIDE: error: 'graph.dot_general' op is past the limit of 5.000000e-01 seconds
// RUN: not graph-interpret %s --function=huge 2>&1 | FileCheck --check-prefix=HUGE %s
// HUGE: error: 'graph.iota' op would keep more than 268435456 elements in memory
// RUN: not graph-interpret %s --function=step --splat=1 2>&1 | FileCheck --check-prefix=TRAIN %s
// TRAIN: error: 'graph.train' op must be expanded into a function first: run --train-step --autodiff
// RUN: not graph-interpret %s --function=grads --splat=1 2>&1 | FileCheck --check-prefix=GRAD %s
// GRAD: error: 'graph.value_and_grad' op must be expanded first: run --autodiff
// RUN: not graph-interpret %s --function=drop 2>&1 | FileCheck --check-prefix=DROP %s
// DROP: error: 'graph.dropout' op has no key yet: run --import first

func.func @class(%t: tensor<2xi64>) -> tensor<f32> {
  %x = graph.constant dense<0.0> : tensor<2x3xf32>
  %l = graph.cross_entropy %x, %t : tensor<2x3xf32>, tensor<2xi64> -> tensor<f32>
  return %l : tensor<f32>
}
func.func @forever() {
  call @forever() : () -> ()
  return
}
func.func @long() {
  graph.for %i = 1000000000000 carry() {
  }
  return
}
func.func @huge() {
  %x = graph.iota axis = 0 : tensor<1099511627776xf32>
  return
}
func.func @loss(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
graph.train @step loss(@loss) optimizer(#graph.sgd<lr = 0.5>)
func.func @grads(%x: tensor<f32>) -> tensor<f32> {
  %l, %g = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %g : tensor<f32>
}
func.func @drop() -> tensor<2xf32> {
  %x = graph.constant dense<0.0> : tensor<2xf32>
  %y = graph.dropout %x p = 0.5 mode = train : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @product(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %y = graph.dot_general %x, %x batching = [] x [] contracting = [1] x [0] : tensor<1024x1024xf32>, tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  return %y : tensor<1024x1024xf32>
}
