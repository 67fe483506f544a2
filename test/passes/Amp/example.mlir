// RUN: graph-opt --amp %s | FileCheck %s

// Products read bf16; the softmax, of the f32 list, reads f32. The weight is rounded
// once, for both products that read it. What the first product gives is read by
// arithmetic alone, so that only the end of that is rounded. Variables, arguments and
// results keep their types.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[W:.*]] = graph.get @w : tensor<8x8xf32>
// CHECK-NEXT:    %[[LOWW:.*]] = graph.cast %[[W]] : tensor<8x8xf32> -> tensor<8x8xbf16>
// CHECK-NEXT:    %[[LOWX:.*]] = graph.cast %[[X]] : tensor<4x8xf32> -> tensor<4x8xbf16>
// CHECK-NEXT:    %[[H:.*]] = graph.linear %[[LOWX]], %[[LOWW]] : tensor<4x8xbf16>, tensor<8x8xbf16> -> tensor<4x8xf32>
// CHECK-NEXT:    %[[A:.*]] = graph.gelu %[[H]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[LOWA:.*]] = graph.cast %[[A]] : tensor<4x8xf32> -> tensor<4x8xbf16>
// CHECK-NEXT:    %[[Y:.*]] = graph.linear %[[LOWA]], %[[LOWW]] : tensor<4x8xbf16>, tensor<8x8xbf16> -> tensor<4x8xbf16>
// CHECK-NEXT:    %[[WIDE:.*]] = graph.cast %[[Y]] : tensor<4x8xbf16> -> tensor<4x8xf32>
// CHECK-NEXT:    %[[S:.*]] = graph.softmax %[[WIDE]] axis = 1 : tensor<4x8xf32>
// CHECK-NEXT:    return %[[S]]
graph.variable @w : tensor<8x8xf32> = #graph.zeros trainable
func.func @forward(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = graph.get @w : tensor<8x8xf32>
  %h = graph.linear %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %a = graph.gelu %h : tensor<4x8xf32>
  %y = graph.linear %a, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %s = graph.softmax %y axis = 1 : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
