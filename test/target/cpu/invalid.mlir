// RUN: graph-opt --cpu-kernels-to-llvm --split-input-file --verify-diagnostics %s

// A vector would need more than one integer to travel in.

func.func private @vector_capture(%a: memref<4xf32>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  // expected-error @+1 {{cannot pass a value of type 'vector<4xf32>' into a parallel loop}}
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    vector.store %v, %a[%c0] : memref<4xf32>, vector<4xf32>
    scf.reduce
  } {plan.parallel}
  return
}

// -----

func.func private @two_loops(%a: memref<4xf32>, %x: memref<f32>) attributes {plan.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.load %x[] : memref<f32>
  // expected-error @+1 {{expects one induction variable and no results to run in parallel}}
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    memref.store %v, %a[%i] : memref<4xf32>
    scf.reduce
  } {plan.parallel}
  return
}
