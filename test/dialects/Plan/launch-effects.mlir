// RUN: graph-opt --canonicalize %s | FileCheck %s

// An unused launch goes, unless it may fail.

func.func private @copy(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    plan.launch @copy(%{{.*}}) {may_fail}
// CHECK-NEXT:    return
func.func @f(%x: tensor<4xf32>) {
  %a = plan.launch @copy(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = plan.launch @copy(%x) {may_fail} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
