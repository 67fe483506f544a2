// RUN: graph-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expects 'plan.offset' to be 0 or more and a multiple of 64, on a graph.variable}}
graph.variable @offset : tensor<4xf32> = #graph.zeros {plan.offset = 32}

// -----

// expected-error @+1 {{expects 'plan.offset' to be 0 or more and a multiple of 64, on a graph.variable}}
func.func private @offset_place() attributes {plan.offset = 64}

// -----

// expected-error @+1 {{expects an offset of 0 or more and a multiple of 64, but got -64}}
plan.constant -64 = dense<1.0> : tensor<2xf32>

// -----

plan.program @ref_space plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects arena, state, constant, input or output, but got stack}}
  plan.entry memset -> (f32 stack[0:4]) args = [0]
}

// -----

plan.program @ref_order plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a first byte of 0 or more and an end at or after it}}
  plan.entry memset -> (f32 arena[8:4]) args = [0]
}

// -----

plan.program @ref_element plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects whole elements of 'f32', but got bytes 2 to 6}}
  plan.entry memset -> (f32 arena[2:6]) args = [0]
}

// -----

plan.program @program_c1 plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects only plan.entry in a plan.program}}
  %zero = arith.constant 0 : index
}

// -----

plan.program @program_c2_end plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a loop_begin before it}}
  plan.entry loop_end
}

// -----

plan.program @program_c2_begin plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a loop_end after it}}
  plan.entry loop_begin count = 3
}

// -----

plan.program @program_c3_arena plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects buffers inside the 64 bytes of their space, but got #plan.ref<f32 arena[64:68]>}}
  plan.entry memset -> (f32 arena[64:68]) args = [0]
}

// -----

plan.program @program_c3_output plain family "" () -> ("" : tensor<2xf32>) arena 64 {
  // expected-error @+1 {{expects buffers inside the 8 bytes of their space, but got #plan.ref<f32 output 0[0:12]>}}
  plan.entry memset -> (f32 output 0[0:12]) args = [0]
}

// -----

plan.program @program_c3_number plain family "" ("" : tensor<2xf32>) -> () arena 64 {
  // expected-error @+1 {{expects no such number: #plan.ref<f32 input 1[0:8]>}}
  plan.entry copy(f32 input 1[0:8]) -> (f32 arena[0:8])
}

// -----

plan.program @program_c3_outside plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects no stride outside loops}}
  plan.entry memset -> (f32 arena[0:4] stride 4) args = [0]
}

// -----

plan.program @program_c3_stride plain family "" () -> () arena 64 {
  plan.entry loop_begin count = 4
  // expected-error @+1 {{expects buffers inside the 64 bytes of their space, but got #plan.ref<f32 arena[0:16] stride 20>}}
  plan.entry memset -> (f32 arena[0:16] stride 20) args = [0]
  plan.entry loop_end
}

// -----

plan.program @program_c3_backwards plain family "" () -> () arena 64 {
  plan.entry loop_begin count = 4
  // expected-error @+1 {{expects buffers inside the 64 bytes of their space, but got #plan.ref<f32 arena[32:48] stride -16>}}
  plan.entry memset -> (f32 arena[32:48] stride -16) args = [0]
  plan.entry loop_end
}

// -----

plan.program @program_c3_overflow plain family "" () -> () arena 64 {
  plan.entry loop_begin count = 9223372036854775807
  // expected-error @+1 {{expects a smaller stride}}
  plan.entry memset -> (f32 arena[0:4] stride 4) args = [0]
  plan.entry loop_end
}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>
// expected-error @+1 {{expects @f of type '(tensor<4xf32>) -> ()', but got '(tensor<4xf32>) -> tensor<4xf32>'}}
plan.program @program_c4 plain family "" ("" : tensor<4xf32>) -> () arena 64 of @f {
}

// -----

// expected-error @+1 {{expects @f to name a function}}
plan.program @program_c4_missing plain family "" ("" : tensor<4xf32>) -> () arena 64 of @f {
}

// -----

plan.program @entry_c1_reads plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects another number of buffers to read for copy}}
  plan.entry copy -> (f32 arena[0:4])
}

// -----

plan.program @entry_c1_writes plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects another number of buffers to write for commit}}
  plan.entry commit -> (f32 arena[0:4])
}

// -----

plan.program @entry_c1_args plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects another number of args for memset}}
  plan.entry memset -> (f32 arena[0:4])
}

// -----

func.func private @k(memref<f32>) attributes {plan.kernel}
plan.program @entry_c1_kernel plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a kernel for a launch, and for nothing else}}
  plan.entry memset @k -> (f32 arena[0:4]) args = [0]
}

// -----

plan.program @entry_c1_flags plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects inplace, has_workspace, may_fail, parallel, gives_inf and bundle on a launch only}}
  plan.entry memset -> (f32 arena[0:4]) args = [0] {may_fail}
}

// -----

plan.program @entry_c1_count plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a count for loop_begin, and for nothing else}}
  plan.entry loop_begin
  plan.entry loop_end
}

// -----

plan.program @entry_c1_negative plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a count of 0 or more, but got -1}}
  plan.entry loop_begin count = -1
  plan.entry loop_end
}

// -----

plan.program @entry_c1_carry plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects carry on loop_begin only}}
  plan.entry commit carry(f32 arena[0:4])
}

// -----

plan.program @entry_c1_copy_size plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a copy's buffers to have the same size, but got 4 and 8 bytes}}
  plan.entry copy(f32 arena[0:4]) -> (f32 arena[8:16])
}

// -----

plan.program @entry_c1_copy_overlap plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a copy's buffers not to overlap}}
  plan.entry copy(f32 arena[0:8]) -> (f32 arena[4:12])
}

// -----

plan.program @entry_c1_slot plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a loop's slot to be an i64 of the arena}}
  plan.entry loop_begin -> (i32 arena[0:4]) count = 3
  plan.entry loop_end
}

// -----

func.func private @k(memref<f32>)
plan.program @entry_c2_kernel plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects @k to name a function marked plan.kernel}}
  plan.entry launch @k(f32 arena[0:4])
}

// -----

func.func private @k(memref<f32>) attributes {plan.kernel}
plan.program @entry_c2_count plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects 1 buffers for @k, but got 2}}
  plan.entry launch @k(f32 arena[0:4], f32 arena[0:4])
}

// -----

func.func private @k(memref<f32>) attributes {plan.kernel}
plan.program @entry_c2_bytes plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects 4 bytes for argument 0 of @k, but got 8}}
  plan.entry launch @k(f32 arena[0:8])
}

// -----

func.func private @k(memref<f32>, i64) attributes {plan.kernel}
plan.program @entry_c2_args plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects 1 args for @k, but got 0}}
  plan.entry launch @k(f32 arena[0:4])
}

// -----

plan.program @entry_c3 plain family "" ("" : tensor<f32>) -> () arena 64 {
  // expected-error @+1 {{expects to write neither an input nor a constant, but got #plan.ref<f32 input 0[0:4]>}}
  plan.entry memset -> (f32 input 0[0:4]) args = [0]
}

// -----

// expected-error @+1 {{expects 'plan.places' to be two i64 for each buffer, on a kernel}}
func.func private @places_count(memref<4xf32>) attributes {plan.kernel, plan.places = array<i64: 0>}

// -----

// expected-error @+1 {{expects the place of buffer 1 to be its own, or some bytes from an earlier buffer that has its own}}
func.func private @places_later(memref<4xf32>, memref<4xf32>, memref<4xf32>) attributes {plan.kernel, plan.places = array<i64: 0, 0, 2, 0, 2, 0>}

// -----

// expected-error @+1 {{expects the place of buffer 0 to be its own, or some bytes from an earlier buffer that has its own}}
func.func private @places_distance(memref<4xf32>) attributes {plan.kernel, plan.places = array<i64: 0, 64>}

// -----

func.func private @k(memref<4xf32>) attributes {plan.kernel}
func.func private @both(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
plan.program @bundle_end plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects 3 entries for @both, but got 2}}
  plan.entry launch @k() -> (f32 arena[0:16]) {bundle = #plan.bundle<@both, 3>}
  plan.entry launch @k() -> (f32 arena[0:16])
}

// -----

func.func private @k(memref<4xf32>) attributes {plan.kernel}
func.func private @both(memref<4xf32>, memref<4xf32>) attributes {plan.kernel}
plan.program @bundle_fails plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects a bundle of launches, copies, memsets and commits that neither may fail nor are parallel}}
  plan.entry launch @k() -> (f32 arena[0:16]) {bundle = #plan.bundle<@both, 2>}
  // expected-note @+1 {{in the bundle: launch}}
  plan.entry launch @k() -> (f32 arena[0:16]) {may_fail}
}

// -----

func.func private @k(memref<4xf32>) attributes {plan.kernel}
func.func private @one(memref<4xf32>) attributes {plan.kernel}
plan.program @bundle_buffers plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects 1 buffers for @one, but got 2}}
  plan.entry launch @k() -> (f32 arena[0:16]) {bundle = #plan.bundle<@one, 2>}
  plan.entry launch @k() -> (f32 arena[0:16])
}

// -----

func.func private @k(memref<4xf32>) attributes {plan.kernel}
func.func private @number(memref<4xf32>, i64) attributes {plan.kernel}
plan.program @bundle_args plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects no i64 arguments of @number, but got 1}}
  plan.entry launch @k() -> (f32 arena[0:16]) {bundle = #plan.bundle<@number, 1>}
}

// -----

plan.program @bundle_kind plain family "" () -> () arena 64 {
  // expected-error @+1 {{expects inplace, has_workspace, may_fail, parallel, gives_inf and bundle on a launch only}}
  plan.entry memset() -> (f32 arena[0:16]) args = [0] {bundle = #plan.bundle<@k, 1>}
}
