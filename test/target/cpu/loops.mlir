// RUN: graph-opt --cpu-kernels-to-llvm %s | FileCheck %s

// What a loop says to LLVM stays on the branch that closes it.

// CHECK:       #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK:       #[[LOOP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: llvm.func @annotated
// CHECK:       llvm.br ^[[HEADER:bb[0-9]+]]({{.*}})
// CHECK:       llvm.cond_br
// CHECK:       llvm.br ^[[HEADER]]({{.*}}) {loop_annotation = #[[LOOP]]}
func.func private @annotated(%out: memref<8xi32>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %one, %out[%i] : memref<8xi32>
  } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
  return
}

// CHECK-LABEL: llvm.func @plain
// CHECK-NOT:   loop_annotation
func.func private @plain(%out: memref<8xi32>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %one, %out[%i] : memref<8xi32>
  }
  return
}
