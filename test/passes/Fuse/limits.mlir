// RUN: graph-opt --fuse=max-groups=1 %s | FileCheck %s --check-prefix=GROUPS
// RUN: graph-opt --fuse=max-ops=2 %s | FileCheck %s --check-prefix=OPS
// RUN: graph-opt --fuse=max-buffers=2 %s | FileCheck %s --check-prefix=BUFFERS
// RUN: graph-opt --fuse --opt-bisect-limit=0 %s 2>&1 | FileCheck %s --check-prefix=BISECT
// RUN: graph-opt --fuse --fuse-report %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: graph-opt --fuse=max-ops=2 --fuse-report=max-ops=2 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=CAPPED
// RUN: graph-opt --fuse=max-groups=1 --fuse-report=max-groups=1 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW

// Each limit leaves more regions; the report says what each saves.

// GROUPS-COUNT-3:  graph.fused(
// GROUPS-NOT:      graph.fused(
// OPS-COUNT-2:     graph.fused(
// OPS-NOT:         graph.fused(
// BUFFERS-COUNT-2: graph.fused(
// BUFFERS-NOT:     graph.fused(

// BISECT:          BISECT: NOT running (1) fuse of graph.add
// BISECT-COUNT-4:  graph.fused(

// REPORT:      @f: 4 ops in 1 kernels, 768 bytes read and written, 2304 with one op a kernel
// REPORT-NEXT:   kernel 0: 768 bytes, 2304 before: graph.neg at limits.mlir:{{.*}}, graph.abs {{.*}}, graph.floor {{.*}}, graph.add
// CAPPED:      not fused: kernel 0 and 1, {{.*}} 256 bytes: the kernel would have too many ops
// FEW-COUNT-2: not fused: {{.*}} 256 bytes: the limit on merges is reached

func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %a = graph.neg %x : tensor<64xf32>
  %b = graph.abs %a : tensor<64xf32>
  %c = graph.floor %b : tensor<64xf32>
  %d = graph.add %c, %y : tensor<64xf32>
  return %d : tensor<64xf32>
}
