// RUN: not graph-opt --verify-phase=phase=import --mlir-print-op-on-diagnostic=false %s 2>&1 | FileCheck %s

// Calls are expanded by then.

// CHECK: example.mlir:[[#@LINE+5]]:8: error: 'func.call' must not survive phase 'import'
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
