// REQUIRES: graph-interpret
// An index out of range, negative ones too, fails where it is.

// RUN: not graph-interpret %s --function=gather --splat=3 2>&1 | FileCheck --check-prefix=GATHER %s
// GATHER: index-errors.mlir:[[#@LINE+10]]:8: error: 'graph.gather' op expects index 0 to be in [0, 3), but got 3
// RUN: not graph-interpret %s --function=scatter --splat=-1 2>&1 | FileCheck --check-prefix=SCATTER %s
// SCATTER: 'graph.scatter_add' op expects index 0 to be in [0, 3), but got -1
// RUN: not graph-interpret %s --function=embedding --splat=5 2>&1 | FileCheck --check-prefix=EMBEDDING %s
// EMBEDDING: 'graph.embedding' op expects index 0 to be in [0, 3), but got 5
// RUN: not graph-interpret %s --function=one_hot --splat=2 2>&1 | FileCheck --check-prefix=HOT %s
// HOT: 'graph.one_hot' op expects index 0 to be in [0, 2), but got 2

func.func @gather(%i: tensor<2xi64>) -> tensor<2xf32> {
  %x = graph.constant dense<0.0> : tensor<3xf32>
  %y = graph.gather %x, %i axis = 0 : tensor<3xf32>, tensor<2xi64> -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @scatter(%i: tensor<2xi64>) -> tensor<3xf32> {
  %x = graph.constant dense<0.0> : tensor<3xf32>
  %u = graph.constant dense<0.0> : tensor<2xf32>
  %y = graph.scatter_add %x, %i, %u axis = 0 : tensor<3xf32>, tensor<2xi64>, tensor<2xf32> -> tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @embedding(%i: tensor<2xi64>) -> tensor<2x1xf32> {
  %x = graph.constant dense<0.0> : tensor<3x1xf32>
  %y = graph.embedding %x, %i : tensor<3x1xf32>, tensor<2xi64> -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}
func.func @one_hot(%i: tensor<2xi64>) -> tensor<2x2xf32> {
  %y = graph.one_hot %i : tensor<2xi64> -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
