// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that are timed. Each needs the instructions of its attribute, which
// the caller asks the processor for.
#ifndef GRAPHC_BENCH_LIMITS_LOOPS_H
#define GRAPHC_BENCH_LIMITS_LOOPS_H

#if defined(__x86_64__)

#include <cstddef>
#include <immintrin.h>

namespace bench {

// An fma takes 4 cycles and two units start one each: 8 chains would just do.
constexpr int kChains = 12;
constexpr double kFlopsPerRound512 = 2.0 * 16 * kChains;
constexpr double kFlopsPerRound256 = 2.0 * 8 * kChains;

/// Returns what depends on every product, so that none can be left out.
__attribute__((target("avx512f"))) inline float fmaLoop512(long rounds,
                                                           float factor) {
  __m512 sum[kChains], a = _mm512_set1_ps(factor), b = _mm512_set1_ps(0.25f);
  for (int k = 0; k < kChains; ++k)
    sum[k] = _mm512_set1_ps(static_cast<float>(k));
  for (long round = 0; round < rounds; ++round)
    for (int k = 0; k < kChains; ++k)
      sum[k] = _mm512_fmadd_ps(sum[k], a, b);
  for (int k = 1; k < kChains; ++k)
    sum[0] = _mm512_add_ps(sum[0], sum[k]);
  return _mm512_reduce_add_ps(sum[0]);
}

__attribute__((target("avx2,fma"))) inline float sumOf(__m256 x) {
  float parts[8], sum = 0;
  _mm256_storeu_ps(parts, x);
  for (float part : parts)
    sum += part;
  return sum;
}

__attribute__((target("avx2,fma"))) inline float fmaLoop256(long rounds,
                                                            float factor) {
  __m256 sum[kChains], a = _mm256_set1_ps(factor), b = _mm256_set1_ps(0.25f);
  for (int k = 0; k < kChains; ++k)
    sum[k] = _mm256_set1_ps(static_cast<float>(k));
  for (long round = 0; round < rounds; ++round)
    for (int k = 0; k < kChains; ++k)
      sum[k] = _mm256_fmadd_ps(sum[k], a, b);
  for (int k = 1; k < kChains; ++k)
    sum[0] = _mm256_add_ps(sum[0], sum[k]);
  return sumOf(sum[0]);
}

// Of 64-byte aligned arrays of a multiple of 64 elements.

__attribute__((target("avx2,fma"))) inline float readStream(const float *from,
                                                            size_t count) {
  __m256 sum[8] = {};
  for (size_t i = 0; i < count; i += 64)
    for (int k = 0; k < 8; ++k)
      sum[k] = _mm256_add_ps(sum[k], _mm256_load_ps(from + i + 8 * k));
  for (int k = 1; k < 8; ++k)
    sum[0] = _mm256_add_ps(sum[0], sum[k]);
  return sumOf(sum[0]);
}

__attribute__((target("avx2,fma"))) inline void
copyStream(const float *from, float *to, size_t count) {
  for (size_t i = 0; i < count; i += 8)
    _mm256_stream_ps(to + i, _mm256_load_ps(from + i));
  _mm_sfence();
}

/// What AdamW moves for each parameter, with a little less arithmetic.
__attribute__((target("avx2,fma"))) inline void
adamwStreams(float *p, const float *g, float *m, float *v, size_t count) {
  __m256 keep = _mm256_set1_ps(0.9f), take = _mm256_set1_ps(0.1f),
         rate = _mm256_set1_ps(-1e-3f), eps = _mm256_set1_ps(1e-8f);
  for (size_t i = 0; i < count; i += 8) {
    __m256 grad = _mm256_load_ps(g + i);
    __m256 first =
        _mm256_fmadd_ps(keep, _mm256_load_ps(m + i), _mm256_mul_ps(take, grad));
    __m256 second =
        _mm256_fmadd_ps(keep, _mm256_load_ps(v + i),
                        _mm256_mul_ps(take, _mm256_mul_ps(grad, grad)));
    __m256 step =
        _mm256_div_ps(first, _mm256_add_ps(_mm256_sqrt_ps(second), eps));
    _mm256_store_ps(p + i, _mm256_fmadd_ps(rate, step, _mm256_load_ps(p + i)));
    _mm256_store_ps(m + i, first);
    _mm256_store_ps(v + i, second);
  }
}

} // namespace bench

#endif
#endif // GRAPHC_BENCH_LIMITS_LOOPS_H
