// REQUIRES: cuda-kernels
// The text of kernels. Vectors of 2,048 bits are groups of threads, 16 bytes to
// a thread; alignment and masks are what the shapes allow.
// RUN: graph-opt --fuse --lower-kernel="vector-bits=2048 parallel-flops=0 parallel-bytes=0" --expand-math %s -o %t
// RUN: %build_root/bin/test/cuda-kernels --text %t | FileCheck %s

// CHECK:      #include "gc_prelude.cuh"

// 1024 = 16 groups of 64 elements: blocks of 8 groups, 4 lanes a thread.
// CHECK:      extern "C" __global__ void __launch_bounds__(128, 1)
// CHECK-NEXT: relu_[[#]]_0(float *a0, float *a1) {
// CHECK:      [[ID:v[0-9]+]] = (int)threadIdx.x;
// CHECK:      [[THREAD:v[0-9]+]] = gc::remu([[ID]], 16);
// CHECK:      [[GROUP:v[0-9]+]] = gc::divu([[ID]], 16);
// CHECK:      if (
// CHECK:      [[LANE:v[0-9]+]] = [[THREAD]] * 4;
// CHECK:      gc::vec<float, 4> [[X:v[0-9]+]] = gc::load<4, 16>(a0 + {{v[0-9]+}});
// CHECK:      gc::vec<float, 4> [[S:v[0-9]+]] = gc::maximum([[X]], gc::splat<float, 4>(0x0p0f));
// CHECK:      gc::store<4, 16>(a1 + {{v[0-9]+}}, [[S]]);
// CHECK-NOT:  shuffle
// CHECK-NOT:  __syncwarp
func.func @pointwise(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = graph.relu %x : tensor<1024xf32>
  return %y : tensor<1024xf32>
}

// The tail of 1000 elements is a launch of one group, whose last threads have no lane.
// CHECK:      cast_[[#]]_0(float *a0, short *a1) {
// CHECK:      gc::vec<float, 4> [[X:v[0-9]+]] = gc::load<4, 16>(a0 + {{v[0-9]+}});
// CHECK-NEXT: gc::vec<gc::bfloat16, 4> [[N:v[0-9]+]] = gc::truncf<gc::bfloat16>([[X]]);
// CHECK-NEXT: gc::vec<float, 4> [[W:v[0-9]+]] = gc::extf<float>([[N]]);
// CHECK-NEXT: gc::vec<gc::bfloat16, 4> [[B:v[0-9]+]] = gc::truncf<gc::bfloat16>([[W]]);
// CHECK-NEXT: gc::vec<short, 4> [[BITS:v[0-9]+]] = gc::bitcast<short>([[B]]);
// CHECK:      gc::store<4, 8>(a1 + {{v[0-9]+}}, [[BITS]]);
// CHECK:      cast_[[#]]_1(float *a0, short *a1) {
// CHECK:      int [[REST:v[0-9]+]] = 40 - {{v[0-9]+}};
// CHECK:      gc::vec<bool, 4> [[MASK:v[0-9]+]] = gc::prefix<4>([[REST]]);
// CHECK:      gc::load_masked<4, 16>(a0 + {{v[0-9]+}}, [[MASK]],
// CHECK:      gc::store_masked<4, 8>(a1 + {{v[0-9]+}}, [[MASK]],
func.func @narrow(%x: tensor<1000xf32>) -> tensor<1000xbf16> {
  %y = graph.cast %x : tensor<1000xf32> -> tensor<1000xbf16>
  return %y : tensor<1000xbf16>
}

// A row's 64 partials are one vector: 64 to 4 of them by partners at 8, 4, 2 and
// 1, then inside the thread. One thread stores.
// CHECK:      softmax_[[#]]_0(float *a0, float *a1) {
// CHECK:      gc::vec<float, 4> [[SUM:v[0-9]+]] = gc::splat<float, 4>(gc::bitcast<float>(int(0xff800000u)));
// CHECK-NEXT: for (int
// CHECK:      [[X:v[0-9]+]] = gc::load<4, 16>(a0 +
// CHECK-NEXT: [[NEXT:v[0-9]+]] = gc::maximum([[SUM]], [[X]]);
// CHECK-NEXT: [[SUM]] = [[NEXT]];
// CHECK-NEXT: }
// CHECK-COUNT-4: gc::shuffle_xor<16>({{v[0-9]+}}, 8);
// CHECK-COUNT-4: gc::shuffle_xor<16>({{v[0-9]+}}, 4);
// CHECK-COUNT-4: gc::shuffle_xor<16>({{v[0-9]+}}, 2);
// CHECK-COUNT-4: gc::shuffle_xor<16>({{v[0-9]+}}, 1);
// CHECK:      gc::slice<0, 2>(
// CHECK:      [[IS_FIRST:v[0-9]+]] = gc::is_ult({{v[0-9]+}}, 1);
// CHECK-NEXT: if ([[IS_FIRST]]) {
// CHECK:      *(s{{[0-9]+}} + {{v[0-9]+}}) =
// CHECK:      __syncwarp(
func.func @softmax(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %y = graph.softmax %x axis = 1 : tensor<64x1024xf32>
  return %y : tensor<64x1024xf32>
}

// Rows of 257 floats begin at multiples of 4 bytes only.
// CHECK:      layer_norm_[[#]]_0(float *a0,
// CHECK:      gc::load<4, 4>(a0 +
// CHECK:      gc::shuffle_xor<16>(
// CHECK-NOT:  gc::load<4, 16>(a0 +
func.func @layer_norm(%x: tensor<8x257xf32>, %g: tensor<257xf32>, %b: tensor<257xf32>) -> tensor<8x257xf32> {
  %y = graph.layer_norm %x, %g, %b normalized_rank = 1 eps = 1.0e-5 : tensor<8x257xf32>, tensor<257xf32>, tensor<257xf32>
  return %y : tensor<8x257xf32>
}

// No tensor in memory is large, but the numbers of the elements are: 64 bits.
// CHECK:      reduce_sum_[[#]]_0(
// CHECK:      for (long long
func.func @long_sum() -> tensor<i64> {
  %x = graph.iota axis = 0 : tensor<4294967296xi64>
  %y = graph.reduce_sum %x axes = [0] : tensor<4294967296xi64> -> tensor<i64>
  return %y : tensor<i64>
}

// Half as many fit 32 bits.
// CHECK:      reduce_sum_[[#]]_0(
// CHECK-NOT:  for (long long
func.func @half_sum() -> tensor<i64> {
  %x = graph.iota axis = 0 : tensor<1073741824xi64>
  %y = graph.reduce_sum %x axes = [0] : tensor<1073741824xi64> -> tensor<i64>
  return %y : tensor<i64>
}
