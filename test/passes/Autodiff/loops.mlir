// RUN: graph-opt --autodiff --split-input-file %s | FileCheck %s

// A loop between what is asked for and the loss is unrolled, a loop inside it
// too; calls left in its body are expanded.

// CHECK-LABEL: func.func @power
// CHECK-NOT:     graph.for
// CHECK-COUNT-6: graph.sin
// CHECK-COUNT-6: graph.cos
func.func private @step(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.sin %x : tensor<f32>
  return %y : tensor<f32>
}
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %r = graph.for %i = 2 carry(%a = %x) : tensor<f32> {
    %s = graph.for %j = 3 carry(%b = %a) : tensor<f32> {
      %c = func.call @step(%b) : (tensor<f32>) -> tensor<f32>
      graph.yield %c : tensor<f32>
    }
    graph.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @power(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// A loop that only makes data stays.

// CHECK-LABEL: func.func @data
// CHECK:         graph.for
func.func private @loss(%x: tensor<f32>, %n: tensor<f32>) -> tensor<f32> {
  %r = graph.for %i = 1000000 carry(%a = %n) : tensor<f32> {
    %b = graph.add %a, %a : tensor<f32>
    graph.yield %b : tensor<f32>
  }
  %l = graph.mul %r, %x : tensor<f32>
  return %l : tensor<f32>
}
func.func @data(%x: tensor<f32>, %n: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x, %n) inputs = [0]
      : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// The gradient op itself may stand in a loop, and a variable may be read in one.

// CHECK-LABEL: func.func @descend
// CHECK:         graph.for
// CHECK-NOT:     value_and_grad
// CHECK:         graph.get @w
// CHECK-COUNT-2: graph.mul %
// CHECK:         graph.sub
// CHECK:         graph.yield
graph.variable @w : tensor<f32> = #graph.zeros
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %r = graph.for %i = 2 carry(%a = %x) : tensor<f32> {
    %w = graph.get @w : tensor<f32>
    %b = graph.mul %a, %w : tensor<f32>
    graph.yield %b : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @descend(%x: tensor<f32>) -> tensor<f32> {
  %r = graph.for %i = 5 carry(%a = %x) : tensor<f32> {
    %l, %dx, %dw = graph.value_and_grad @loss(%a) wrt(@w) inputs = [0]
        : (tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    %b = graph.sub %a, %dx : tensor<f32>
    graph.yield %b : tensor<f32>
  }
  return %r : tensor<f32>
}
