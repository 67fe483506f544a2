// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine can do at best, measured.
#ifndef GRAPHC_BENCH_LIMITS_LIMITS_H
#define GRAPHC_BENCH_LIMITS_LIMITS_H

namespace bench {

/// Of all threads together; the best of several repeats, since other programs
/// can only make them slower. 0 where the processor has no AVX2.
struct Limits {
  double fmaGflops = 0; // f32 fused multiply-adds in registers, 2 each.
  double readGBs = 0;   // One stream.
  double copyGBs = 0;   // Non-temporal stores; read and written bytes.
  double adamwGBs = 0;  // 4 streams read and 3 of them written; all 28 bytes.
  double bestStreamGBs() const;
};

/// Takes about a second. Throws std::bad_alloc without 256 MiB.
Limits measureLimits(unsigned threads);

} // namespace bench

#endif // GRAPHC_BENCH_LIMITS_LIMITS_H
