// RUN: graph-opt --amp-report %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: graph-opt %s -o %t.plain.mlir && cmp %t.mlir %t.plain.mlir

// Each op, its type, the reason, casts and bytes; then nothing is changed.

// CHECK:      @f: 4 of 8 ops in bf16; casts to it: 3, to f32: 1; bytes given: 832 instead of 1152; copies of weights: 128 bytes
graph.variable @w : tensor<8x8xf32> = #graph.zeros trainable
func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = graph.get @w : tensor<8x8xf32>
  // CHECK-NEXT: graph.transpose at report.mlir:[[@LINE+1]]:8: bf16, moves what is read in the low type; operands cast: 1; bytes saved: 128
  %t = graph.transpose %w permutation = [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK-NEXT: graph.linear at report.mlir:[[@LINE+1]]:8: bf16, on the low list; operands cast: 1; bytes saved: 64
  %h = graph.linear %x, %t : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: graph.max_pool at report.mlir:[[@LINE+1]]:8: bf16, its operand is low; bytes saved: 64
  %m = graph.max_pool %h kernel = [1] strides = [1] low = [0] high = [0] dilation = [1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %c = graph.constant dense<0.1> : tensor<4x8xf32>
  // CHECK-NEXT: graph.mul at report.mlir:[[@LINE+1]]:8: f32, all operands are low; computed in f32 and rounded; operands cast: 1; bytes saved: 64
  %a = graph.mul %m, %c : tensor<4x8xf32>
  // CHECK-NEXT: graph.linear at report.mlir:[[@LINE+1]]:8: bf16, on the low list; gives f32, which arithmetic reads; operands cast: 2
  %y = graph.linear %a, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: graph.add at report.mlir:[[@LINE+1]]:8: f32, an operand is f32
  %r = graph.add %y, %x : tensor<4x8xf32>
  // CHECK-NEXT: graph.neg at report.mlir:[[@LINE+1]]:8: f32, in a region of f32
  %n = graph.neg %r {graph.precision = f32} : tensor<4x8xf32>
  // CHECK-NEXT: graph.exp at report.mlir:[[@LINE+1]]:8: f32, on the f32 list
  %e = graph.exp %n : tensor<4x8xf32>
  return %e : tensor<4x8xf32>
}
