// RUN: graph-opt --expand-math=strict %s | FileCheck %s

// What libm has is left to it; a remainder is exact, and is expanded.

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: vector<4xf32>, %[[Y:.*]]: vector<4xf32>)
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[X]] : vector<4xf32>
// CHECK-NEXT:    %[[P:.*]] = math.powf %[[E]], %[[Y]] : vector<4xf32>
// CHECK-NOT:     arith.remf
// CHECK:         return
func.func @f(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %0 = math.exp %x : vector<4xf32>
  %1 = math.powf %0, %y : vector<4xf32>
  %2 = arith.remf %1, %y : vector<4xf32>
  return %2 : vector<4xf32>
}
