// RUN: graph-opt --lower-kernel=vector-bits=512 --canonicalize --cse --split-input-file %s | FileCheck %s

// Scores are in memory of the thread, a block at a time: there is no workspace.
// Queries are packed once for all blocks of keys; of these, those ahead of all
// queries of the block are left out.

// CHECK-LABEL: func.func private @attention_0
// CHECK-SAME:  (%[[X:.*]]: memref<32768xf32>, %[[Y:.*]]: memref<32768xf32>)
// CHECK:       scf.parallel (%[[BLOCK:.*]]) =
// CHECK-DAG:     %[[I:.*]] = arith.remui %[[BLOCK]], %c4
// CHECK-DAG:     memref.alloca() {{.*}} : memref<4096xf32>
// CHECK:         vector.shuffle
// CHECK:         %[[FIRST:.*]] = arith.muli %[[I]], %c64
// CHECK:         %[[END:.*]] = arith.minsi %{{.*}}, %c4
// CHECK:         scf.for %[[J:.*]] = %c0 to %[[END]]
// CHECK-NOT:       vector.shuffle %{{.*}} : vector<16xf32>, vector<16xf32>
// CHECK:           math.fma {{.*}} : vector<16xf32>
// CHECK:           math.exp {{.*}} : vector<16xf32>
// CHECK:           math.fma {{.*}} : vector<16xf32>
// CHECK:         vector.store {{.*}}, %[[Y]]
func.func @causal(%q: tensor<2x256x64xf32>) -> tensor<2x256x64xf32> {
  %r = graph.fused(%x = %q) : (tensor<2x256x64xf32>) -> tensor<2x256x64xf32> {
    %a = graph.attention %x, %x, %x causal : tensor<2x256x64xf32>, tensor<2x256x64xf32>, tensor<2x256x64xf32> -> tensor<2x256x64xf32>
    graph.yield %a : tensor<2x256x64xf32>
  }
  return %r : tensor<2x256x64xf32>
}
