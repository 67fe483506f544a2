// Amp sees through the kernels that Fuse has made: both orders decide alike, and
// give the same bits.

// RUN: graph-opt --fuse --amp %S/Inputs/model.mlir -o %t.first.mlir
// RUN: graph-opt --amp --fuse %S/Inputs/model.mlir -o %t.second.mlir
// RUN: FileCheck %s --check-prefixes=BOTH,FIRST --input-file=%t.first.mlir
// RUN: FileCheck %s --check-prefixes=BOTH,SECOND --input-file=%t.second.mlir
// RUN: graph-opt --verify-phase=phase=fuse %t.first.mlir -o /dev/null
// RUN: graph-opt --verify-phase=phase=amp %t.first.mlir -o /dev/null
// RUN: graph-interpret %t.first.mlir --against=%t.second.mlir --random-inputs=1 --rtol=0 --atol=0
// RUN: not graph-interpret %t.first.mlir --against=%S/Inputs/model.mlir --random-inputs=1 --rtol=0 --atol=0
// RUN: graph-interpret %t.first.mlir --against=%S/Inputs/model.mlir --random-inputs=1 --rtol=2e-2 --atol=2e-2

// BOTH-LABEL:  func.func @forward(
// BOTH-SAME:     %[[X:.*]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// BOTH:          %[[W:.*]] = graph.get @w : tensor<8x8xf32>
// BOTH:          %[[B:.*]] = graph.get @b : tensor<8xf32>
// One copy of the weight and of the input: beside the kernels that were there, or
// in one.
// FIRST:         %[[LOWW:.*]] = graph.fused(%[[C:.*]] = %[[W]]) : (tensor<8x8xf32>) -> tensor<8x8xbf16> {
// FIRST-NEXT:      graph.cast %[[C]] : tensor<8x8xf32> -> tensor<8x8xbf16>
// FIRST:         %[[LOWX:.*]] = graph.fused(%{{.*}} = %[[X]]) : (tensor<4x8xf32>) -> tensor<4x8xbf16> {
// SECOND:        %[[LOW:.*]]:2 = graph.fused(%{{.*}} = %[[W]], %{{.*}} = %[[X]]) : (tensor<8x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xbf16>, tensor<4x8xbf16>) {
// What the product gives is f32 inside the kernel; its end is rounded.
// FIRST:         %[[R:.*]] = graph.fused(%[[P0:.*]] = %[[LOWX]], %[[P1:.*]] = %[[LOWW]], %[[P2:.*]] = %[[B]], %[[P3:.*]] = %[[X]])
// SECOND:        %[[R:.*]] = graph.fused(%[[P0:.*]] = %[[LOW]]#1, %[[P1:.*]] = %[[LOW]]#0, %[[P2:.*]] = %[[B]], %[[P3:.*]] = %[[X]])
// BOTH-SAME:       -> tensor<4x8xbf16> {
// BOTH-NEXT:       %[[H:.*]] = graph.linear %[[P0]], %[[P1]], %[[P2]] : tensor<4x8xbf16>, tensor<8x8xbf16>, tensor<8xf32> -> tensor<4x8xf32>
// BOTH-NEXT:       %[[A:.*]] = graph.gelu %[[H]] : tensor<4x8xf32>
// BOTH-NEXT:       %[[S:.*]] = graph.add %[[A]], %[[P3]] : tensor<4x8xf32>
// BOTH-NEXT:       %[[C:.*]] = graph.cast %[[S]] : tensor<4x8xf32> -> tensor<4x8xbf16>
// BOTH-NEXT:       graph.yield %[[C]] : tensor<4x8xbf16>
// FIRST:         %[[Y:.*]] = graph.fused(%{{.*}} = %[[R]], %{{.*}} = %[[LOWW]], %{{.*}} = %[[B]])
// SECOND:        %[[Y:.*]] = graph.fused(%{{.*}} = %[[R]], %{{.*}} = %[[LOW]]#0, %{{.*}} = %[[B]])
// BOTH-SAME:       -> tensor<4x8xbf16> {
// BOTH:          %[[OUT:.*]] = graph.fused(%[[Z:.*]] = %[[Y]]) : (tensor<4x8xbf16>) -> tensor<4x8xf32> {
// BOTH-NEXT:       %[[V:.*]] = graph.cast %[[Z]] : tensor<4x8xbf16> -> tensor<4x8xf32>
// BOTH-NEXT:       graph.softmax %[[V]] axis = 1 : tensor<4x8xf32>
// BOTH:          return %[[OUT]] : tensor<4x8xf32>
