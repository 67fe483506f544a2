// RUN: graph-opt --decompose-composites %s | FileCheck %s

// bf16 is widened, and rounded once at the end.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: tensor<4xbf16>)
// CHECK:         %[[W:.*]] = graph.cast %[[X]] : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NOT:     graph.silu
// CHECK:         %[[Y:.*]] = graph.cast %{{.*}} : tensor<4xf32> -> tensor<4xbf16>
// CHECK-NEXT:    return %[[Y]]
func.func @f(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %y = graph.silu %x : tensor<4xbf16>
  return %y : tensor<4xbf16>
}
