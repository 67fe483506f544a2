// RUN: graph-opt --fuse --fuse-report %s -o /dev/null 2>&1 | FileCheck %s

// Small ops of several shapes share a kernel by what it reads in all: of %x a
// part, and each other input once, however often it is named.

// CHECK:      @f: 5 ops in 1 kernels, 54512 bytes read and written
func.func @f(%x: tensor<24576xf32>, %a: tensor<1700xf32>, %b: tensor<1701xf32>, %c: tensor<1702xf32>, %d: tensor<1703xf32>) -> (tensor<8xf32>, tensor<1700xf32>, tensor<1701xf32>, tensor<1702xf32>, tensor<1703xf32>) {
  %part = graph.slice %x starts = [4] limits = [12] strides = [1] : tensor<24576xf32> -> tensor<8xf32>
  %a2 = graph.mul %a, %a : tensor<1700xf32>
  %b2 = graph.mul %b, %b : tensor<1701xf32>
  %c2 = graph.mul %c, %c : tensor<1702xf32>
  %d2 = graph.mul %d, %d : tensor<1703xf32>
  return %part, %a2, %b2, %c2, %d2 : tensor<8xf32>, tensor<1700xf32>, tensor<1701xf32>, tensor<1702xf32>, tensor<1703xf32>
}
