// REQUIRES: graph-interpret
// What the program takes and prints.

// RUN: graph-interpret %s --function=scale --input='dense<[1.0, -2.5]> : tensor<2xf32>' | FileCheck --check-prefix=SCALE %s
// SCALE: result 0 : tensor<2xf32> [2, -5]
// RUN: graph-interpret %s --function=scale --splat=0.1 --mode=f64 | FileCheck --check-prefix=F64 %s
// F64: result 0 : tensor<2xf32> [0.2, 0.2]
// In declared mode 0.1 is first rounded to f32; its double prints as f32 does.
// RUN: graph-interpret %s --function=scale --splat=0.1 | FileCheck --check-prefix=F64 %s

// Variables live across steps, and in a file.
// RUN: rm -rf %t && mkdir %t
// RUN: graph-interpret %s --function=bump --steps=3 --state-out=%t/s.safetensors | FileCheck --check-prefix=COUNT %s
// RUN: graph-interpret %s --function=bump --state-in=%t/s.safetensors --print-state | FileCheck --check-prefix=FOUR %s
// COUNT: step 0, result 0 : tensor<i64> 1
// COUNT: step 1, result 0 : tensor<i64> 2
// COUNT: step 2, result 0 : tensor<i64> 3
// FOUR: result 0 : tensor<i64> 4
// FOUR: @n : tensor<i64> 4

// Results go to files and are compared with files.
// RUN: graph-interpret %s --function=scale --splat=1 --output=%t/one > %t/none
// RUN: cmp %t/none /dev/null
// RUN: graph-interpret %s --function=scale --splat=1 --expect=%t/one/0.npy | FileCheck --check-prefix=EQUAL %s
// EQUAL: result 0: equal: 2 elements
// RUN: not graph-interpret %s --function=scale --splat=1.25 --expect=%t/one/0.npy | FileCheck --check-prefix=DIFFER %s
// DIFFER: result 0: 2 of 2 elements differ, max error 5.00e-01 ({{.*}} ulp); first at [0]: expects 2, but got 2.5
// RUN: graph-interpret %s --function=scale --splat=1.25 --expect=%t/one/0.npy --atol=0.5
// RUN: graph-interpret %s --function=scale --splat=1.25 --expect=%t/one/0.npy --rtol=0.25
// RUN: not graph-interpret %s --function=scale --splat=1.25 --expect=%t/one/0.npy --rtol=0.24
// RUN: graph-interpret %s --function=scale --input=%t/one/0.npy | FileCheck --check-prefix=FILE %s
// FILE: result 0 : tensor<2xf32> [4, 4]

// The same seed draws the same inputs.
// RUN: graph-interpret %s --function=scale --random-inputs=7 > %t/a
// RUN: graph-interpret %s --function=scale --random-inputs=7 > %t/b
// RUN: graph-interpret %s --function=scale --random-inputs=8 > %t/c
// RUN: cmp %t/a %t/b
// RUN: not cmp %t/a %t/c

// RUN: graph-interpret %s --function=scale --splat=1 --print-ops | FileCheck --check-prefix=OPS %s
// OPS: graph.add : tensor<2xf32> [2, 2]

func.func @scale(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = graph.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
// RUN: not graph-interpret %s --function=bump --steps=0 2>&1 | FileCheck --check-prefix=STEPS %s
// STEPS: error: expects --steps from 1 to 2147483647, but got 0
// RUN: not graph-interpret %s --function=bump --max-ops=-2 2>&1 | FileCheck --check-prefix=MAXOPS %s
// MAXOPS: error: expects --max-ops of 0 or more, but got -2
// RUN: not graph-interpret %s --function=bump --max-seconds=-1 2>&1 | FileCheck --check-prefix=SECONDS %s
// SECONDS: error: expects --max-seconds of 0 or more
// RUN: not graph-interpret %s --function=bump --all 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: error: expects one of --all and --function

graph.variable @n : tensor<i64> = #graph.zeros
func.func @bump() -> tensor<i64> {
  %n = graph.get @n : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %next = graph.add %n, %one : tensor<i64>
  graph.set @n, %next : tensor<i64>
  return %next : tensor<i64>
}
