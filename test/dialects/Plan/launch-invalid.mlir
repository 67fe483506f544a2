// RUN: graph-opt --split-input-file --verify-diagnostics %s

func.func private @k(memref<4xf32>)
func.func @launch_c1_no_kernel(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects @k to name a function marked plan.kernel}}
  plan.launch @k(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @launch_c1_nothing(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects @k to name a function marked plan.kernel}}
  plan.launch @k(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-note @+1 {{the kernel: '(memref<4xf32>) -> ()'}}
func.func private @k(memref<4xf32>) attributes {plan.kernel}
func.func @launch_c2_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects 2 or 3 memrefs of @k, but got 1}}
  %r = plan.launch @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the kernel}}
func.func private @k(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func @launch_c2_workspace(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects argument 1 of @k to be a workspace memref<Nxi8>, but got 'memref<4xf32>'}}
  %r = plan.launch @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the kernel}}
func.func private @k(memref<5xf32>, memref<4xf32>) attributes {plan.kernel}
func.func @launch_c2_elements(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects a memref for input 0 of type 'tensor<4xf32>', but got 'memref<5xf32>'}}
  %r = plan.launch @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the kernel}}
func.func private @k(memref<4xf32>, memref<8xi8>, memref<4xi32>) attributes {plan.kernel}
func.func @launch_c2_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects a memref for output 0 of type 'tensor<4xf32>', but got 'memref<4xi32>'}}
  %r = plan.launch @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the kernel}}
func.func private @k(memref<4xf32>, i64) attributes {plan.kernel}
func.func @launch_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects 1 args for @k, but got 2}}
  plan.launch @k(%x) args = [1, 2] : (tensor<4xf32>) -> ()
  return
}

// -----

func.func private @k(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func @launch_c4_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects inplace to name one of 1 outputs and one of 1 inputs, but got [0, 1]}}
  %r = plan.launch @k(%x) {inplace = [[0, 1]]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @k(memref<4xf32>, memref<4xf64>) attributes {plan.kernel}
func.func @launch_c4_size(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects inplace to pair buffers of equal size, but got [0, 0] of 32 and 16 bytes}}
  %r = plan.launch @k(%x) {inplace = [[0, 0]]} : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func private @k(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
func.func @launch_c4_twice(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects each pair of inplace once, but got [0, 0]}}
  %r = plan.launch @k(%x) {inplace = [[0, 0], [0, 0]]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{expects a kernel to be private}}
func.func @kernel_public(%x: memref<4xf32>) attributes {plan.kernel} {
  return
}

// -----

// expected-error @+1 {{expects a kernel to return nothing, but got 'f32'}}
func.func private @kernel_result() -> f32 attributes {plan.kernel}

// -----

// expected-error @+1 {{expects argument 1 of a kernel to be i64 or a static row-major memref, but got 'memref<?xf32>'}}
func.func private @kernel_dynamic(memref<4xf32>, memref<?xf32>) attributes {plan.kernel}

// -----

// expected-error @+1 {{expects argument 0 of a kernel to be i64 or a static row-major memref, but got 'memref<4x4xf32, strided<[1, 4]>>'}}
func.func private @kernel_layout(memref<4x4xf32, strided<[1, 4]>>) attributes {plan.kernel}

// -----

// expected-error @+1 {{expects a kernel's i64 arguments to be last, but argument 1 is 'memref<4xf32>'}}
func.func private @kernel_order(i64, memref<4xf32>) attributes {plan.kernel}

// -----

// expected-error @+1 {{expects 'plan.kernel' on a func.func only}}
module attributes {plan.kernel} {
}

// -----

// expected-error @+1 {{expects 'plan.kernel' to be a unit attribute, but got 1 : i64}}
func.func private @kernel_value() attributes {plan.kernel = 1}

// -----

// expected-error @+1 {{expects 'plan.parallel' on an scf.parallel only}}
func.func private @parallel_place() attributes {plan.parallel}

// -----

// expected-error @+1 {{has unknown attribute 'plan.kernal'}}
func.func private @unknown() attributes {plan.kernal}

// -----

// expected-error @+1 {{expects 'plan.targets' to be a non-empty array of #plan.target on a module}}
module attributes {plan.targets = []} {
}

// -----

// expected-error @+1 {{expects max_threads of 1 or more, but got 0}}
module attributes {plan.targets = [#plan.target<"cpu", "x86-64-v3", max_threads = 0>]} {
}

// -----

// expected-error @+1 {{expects kind "cpu", but got "tpu"}}
module attributes {plan.targets = [#plan.target<"tpu", "v9", max_threads = 1>]} {
}
