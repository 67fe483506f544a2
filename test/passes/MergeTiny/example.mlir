// RUN: graph-opt --merge-tiny %s | FileCheck %s
// RUN: graph-opt --merge-tiny="max-work=1" %s | FileCheck %s --check-prefix=NONE

// Entries in a row that do little become one kernel, on both sides of the commit;
// what may fail, and a loop, ends it.

// CHECK:      func.func private @step_tiny(%[[X:[a-z0-9]+]]: memref<4xf32>, %[[A:[a-z0-9]+]]: memref<4xf32>,
// CHECK-SAME:   %[[A2:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<4xf32>, %[[B0:[a-z0-9]+]]: memref<16xi8>, %[[B1:[a-z0-9]+]]: memref<16xi8>,
// CHECK-SAME:   %[[A3:[a-z0-9]+]]: memref<4xf32>, %[[W:[a-z0-9]+]]: memref<4xf32>)
// What lies in one space keeps its distance: the arena's second buffer is 16 bytes
// after the first one, and the others are one of these two.
// CHECK-SAME:   plan.kernel, plan.places = array<i64: 0, 0, 1, 0, 1, 0, 1, 16, 1, 16, 5, 0, 1, 0, 7, 0>
// CHECK:        memref.load %[[X]]
// CHECK:        memref.store %{{.*}}, %[[A]]
// CHECK:        memref.load %[[A2]]
// CHECK:        memref.store %{{.*}}, %[[Y]]
// CHECK:        memref.copy %[[B0]], %[[B1]]
// CHECK:        memref.load %[[A3]]
// CHECK:        memref.store %{{.*}}, %[[W]]
// CHECK:        return

// NONE-NOT: bundle

func.func private @twice(%a: memref<4xf32>, %b: memref<4xf32>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i] : memref<4xf32>
  }
  return
}

// CHECK:      plan.program @step
// CHECK-NEXT:   plan.entry launch @twice{{.*}} {may_fail}
// CHECK-NEXT:   plan.entry launch @twice{{.*}} {bundle = #plan.bundle<@step_tiny, 5>}
// CHECK-NEXT:   plan.entry launch @twice{{.*}}f32 arena[80:96]){{ *$}}
// CHECK-NEXT:   plan.entry copy
// CHECK-NEXT:   plan.entry commit
// CHECK-NEXT:   plan.entry launch @twice{{.*}}f32 state[0:16]){{ *$}}
// CHECK-NEXT:   plan.entry loop_begin
// CHECK-NEXT:   plan.entry launch @twice{{.*}} {bundle = #plan.bundle<@step_tiny_0, 2>}
// CHECK-NEXT:   plan.entry launch @twice
// CHECK-NEXT:   plan.entry loop_end
plan.program @step plain family "step" ("x" : tensor<4xf32>) -> ("" : tensor<4xf32>) arena 128 {
  plan.entry launch @twice(f32 input 0[0:16]) -> (f32 arena[0:16]) {may_fail}
  plan.entry launch @twice(f32 input 0[0:16]) -> (f32 arena[64:80])
  plan.entry launch @twice(f32 arena[64:80]) -> (f32 arena[80:96])
  plan.entry copy(f32 arena[80:96]) -> (f32 output 0[0:16])
  plan.entry commit
  plan.entry launch @twice(f32 arena[64:80]) -> (f32 state[0:16])
  plan.entry loop_begin count = 2
  plan.entry launch @twice(f32 arena[0:16] stride 16) -> (f32 arena[64:80])
  plan.entry launch @twice(f32 arena[64:80]) -> (f32 arena[80:96])
  plan.entry loop_end
}
