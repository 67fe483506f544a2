// RUN: graph-opt --fuse --split-input-file %s | FileCheck %s --check-prefixes=CHECK,ON
// RUN: graph-opt --fuse=off --split-input-file %s | FileCheck %s --check-prefixes=CHECK,OFF

// A chain is one region; with fusion off, each op is one.

// CHECK-LABEL: func @chain
// CHECK-SAME:  (%[[X:.*]]: tensor<4xf32>)
// ON:          %[[B:.*]] = graph.fused(%{{.*}} = %[[X]])
// ON-NEXT:       graph.add
// ON-NEXT:       graph.exp
// OFF:         %[[A:.*]] = graph.fused(%{{.*}} = %[[X]])
// OFF-NEXT:      graph.add
// OFF:         %[[B:.*]] = graph.fused(%{{.*}} = %[[A]])
// OFF-NEXT:      graph.exp
// CHECK:       return %[[B]]
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = graph.add %x, %x : tensor<4xf32>
  %b = graph.exp %a : tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// A splat goes inside; any other constant is an operand.

// CHECK-LABEL: func @constants
// CHECK-NOT:   dense<2.0
// CHECK:       %[[T:.*]] = graph.constant dense<[1.0
// CHECK:       graph.fused(%{{.*}} = %[[T]])
// CHECK-NEXT:    graph.constant dense<2.0
// CHECK-NEXT:    graph.mul
// CHECK-NEXT:    graph.yield
func.func @constants() -> tensor<2xf32> {
  %c = graph.constant dense<2.0> : tensor<2xf32>
  %t = graph.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %y = graph.mul %t, %c : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// State and loops stay outside, the loop's body is grouped.

// CHECK-LABEL: graph.variable @w
// CHECK:       %[[W:.*]] = graph.get @w
// CHECK:       graph.for
// CHECK-NEXT:    graph.fused
// CHECK-NEXT:      graph.add
// CHECK:       graph.set @w
// CHECK-NOT:   graph.stop_gradient
graph.variable @w : tensor<4xf32> = #graph.zeros trainable
func.func @state() {
  %w = graph.get @w : tensor<4xf32>
  %r = graph.for %i = 10 carry(%a = %w) : tensor<4xf32> {
    %s = graph.stop_gradient %a : tensor<4xf32>
    %b = graph.add %s, %s : tensor<4xf32>
    graph.yield %b : tensor<4xf32>
  }
  graph.set @w, %r : tensor<4xf32>
  return
}
