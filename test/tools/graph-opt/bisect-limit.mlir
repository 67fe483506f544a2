// --opt-bisect-limit leaves out cleaning passes beyond the limit.

// RUN: graph-opt %s --canonicalize --cse --opt-bisect-limit=1 2>%t.txt | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=LOG < %t.txt
// RUN: graph-opt %s --canonicalize --cse --opt-bisect-limit=-1 2>/dev/null | FileCheck %s --check-prefix=ALL
// RUN: graph-opt %s --canonicalize --cse | FileCheck %s --check-prefix=ALL

// LOG:      BISECT: running (1) pass canonicalize
// LOG-NEXT: BISECT: NOT running (2) pass cse

// ONE-COUNT-2: graph.exp
// ALL:         graph.exp
// ALL-NOT:     graph.exp
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = graph.exp %x : tensor<4xf32>
  %b = graph.exp %x : tensor<4xf32>
  %c = graph.add %a, %b : tensor<4xf32>
  return %c : tensor<4xf32>
}
