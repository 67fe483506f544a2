// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cpu/CpuFeatures.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "graphc/abi/model_abi.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace graphc::runtime {
namespace {

#if defined(__x86_64__)

constexpr uint32_t bits(std::initializer_list<int> list) {
  uint32_t mask = 0;
  for (int bit : list)
    mask |= 1u << bit;
  return mask;
}

bool has(uint32_t value, uint32_t mask) { return (value & mask) == mask; }

/// XCR0: which registers the operating system saves.
uint64_t savedState() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

// The levels are those of the x86-64 psABI, section 3.1.1.
uint64_t detect() {
  uint32_t a, b, c1, d1, b7 = 0, c7 = 0, d7, a71 = 0, c81 = 0;
  if (!__get_cpuid(1, &a, &b, &c1, &d1))
    return 0;
  uint32_t unused;
  __get_cpuid_count(7, 0, &a, &b7, &c7, &d7);
  __get_cpuid_count(7, 1, &a71, &unused, &unused, &unused);
  __get_cpuid(0x80000001, &unused, &unused, &c81, &unused);

  // sse3, ssse3, cmpxchg16b, sse4.1, sse4.2, popcnt; lahf
  if (!has(c1, bits({0, 9, 13, 19, 20, 23})) || !has(c81, bits({0})))
    return 0;
  uint64_t features = GRAPHC_ABI_X86_V2;
  // fma, movbe, osxsave, avx, f16c; bmi1, avx2, bmi2; lzcnt
  if (!has(c1, bits({12, 22, 27, 28, 29})) || !has(b7, bits({3, 5, 8})) ||
      !has(c81, bits({5})))
    return features;
  uint64_t saved = savedState();
  if ((saved & 0x6) != 0x6) // xmm, ymm
    return features;
  features |= GRAPHC_ABI_X86_V3;
  // avx512 f, dq, cd, bw, vl; opmask, upper zmm, zmm16-31
  if (!has(b7, bits({16, 17, 28, 30, 31})) || (saved & 0xe0) != 0xe0)
    return features;
  features |= GRAPHC_ABI_X86_V4;
  if (has(a71, bits({5})))
    features |= GRAPHC_ABI_X86_AVX512BF16;
  if (has(c7, bits({11})))
    features |= GRAPHC_ABI_X86_AVX512VNNI;
  return features;
}

#elif defined(__aarch64__)

uint64_t detect() {
  constexpr unsigned long n1 = HWCAP_ATOMICS | HWCAP_CRC32 | HWCAP_FPHP |
                               HWCAP_ASIMDHP | HWCAP_ASIMDRDM | HWCAP_ASIMDDP |
                               HWCAP_LRCPC;
  uint64_t features = GRAPHC_ABI_AARCH64;
  if ((getauxval(AT_HWCAP) & n1) == n1)
    features |= GRAPHC_ABI_AARCH64_N1;
  return features;
}

#else

uint64_t detect() { return 0; }

#endif

/// CPUs a cgroup (version 2) lets this process use, rounded up; 0: no limit.
unsigned cgroupQuota() {
  int file = open("/sys/fs/cgroup/cpu.max", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  char text[64]; // "200000 100000", or "max 100000".
  ssize_t bytes = read(file, text, sizeof(text) - 1);
  close(file);
  if (bytes <= 0)
    return 0;
  text[bytes] = '\0';
  char *rest = text;
  unsigned long quota = std::strtoul(text, &rest, 10);
  unsigned long period = std::strtoul(rest, nullptr, 10);
  if (quota == 0 || period == 0)
    return 0;
  return static_cast<unsigned>((quota + period - 1) / period);
}

} // namespace

uint64_t cpuFeatures() {
  static const uint64_t features = detect();
  return features;
}

std::string cpuFeatureText(uint64_t features) {
  std::string text;
  auto add = [&](const char *name) {
    text += text.empty() ? "" : ", ";
    text += name;
  };
  if (features & GRAPHC_ABI_X86_V4)
    add("x86-64-v4");
  else if (features & GRAPHC_ABI_X86_V3)
    add("x86-64-v3");
  else if (features & GRAPHC_ABI_X86_V2)
    add("x86-64-v2");
  if (features & GRAPHC_ABI_X86_AVX512BF16)
    add("avx512-bf16");
  if (features & GRAPHC_ABI_X86_AVX512VNNI)
    add("avx512-vnni");
  if (features & GRAPHC_ABI_AARCH64_N1)
    add("aarch64 like Neoverse N1");
  else if (features & GRAPHC_ABI_AARCH64)
    add("aarch64");
  constexpr uint64_t known = GRAPHC_ABI_X86_V2 | GRAPHC_ABI_X86_V3 |
                             GRAPHC_ABI_X86_V4 | GRAPHC_ABI_X86_AVX512BF16 |
                             GRAPHC_ABI_X86_AVX512VNNI | GRAPHC_ABI_AARCH64 |
                             GRAPHC_ABI_AARCH64_N1;
  if (features & ~known)
    add("features unknown to this runtime");
  return text.empty() ? "no named level" : text;
}

std::vector<int> allowedCpus() {
  // The kernel refuses a set smaller than its own: grow until it fits.
  for (int capacity = CPU_SETSIZE; capacity <= (1 << 20); capacity *= 2) {
    std::vector<cpu_set_t> set(
        std::max<size_t>(1, CPU_ALLOC_SIZE(capacity) / sizeof(cpu_set_t)));
    size_t bytes = set.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, set.data()) != 0)
      continue;
    std::vector<int> cpus;
    for (int cpu = 0; cpu < static_cast<int>(bytes * 8); ++cpu)
      if (CPU_ISSET_S(cpu, bytes, set.data()))
        cpus.push_back(cpu);
    return cpus;
  }
  return {};
}

unsigned usableCpuCount() {
  size_t count = allowedCpus().size();
  if (unsigned quota = cgroupQuota())
    count = std::min<size_t>(count, quota);
  return static_cast<unsigned>(std::max<size_t>(1, count));
}

} // namespace graphc::runtime
