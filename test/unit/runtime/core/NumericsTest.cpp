// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for NaN and inf: every place is looked at, nothing around is, and
// an infinity that was asked for is no finding.
#include "runtime/core/NumericsWatch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "graphc/dtype.h"
#include "runtime/core/StateBackup.h"
#include "runtime/cpu/CpuFeatures.h"

namespace {

using namespace graphc::runtime;

struct Format {
  const char *name;
  uint32_t dtype;
  size_t bytes;
  uint64_t sign, exponent, mantissa; // Masks.
};
const Format kFormats[] = {
    {"f64", GRAPHC_DTYPE_F64, 8, uint64_t{1} << 63, 0x7ff0000000000000u,
     0x000fffffffffffffu},
    {"f32", GRAPHC_DTYPE_F32, 4, 0x80000000u, 0x7f800000u, 0x007fffffu},
    {"f16", GRAPHC_DTYPE_F16, 2, 0x8000u, 0x7c00u, 0x03ffu},
    {"bf16", GRAPHC_DTYPE_BF16, 2, 0x8000u, 0x7f80u, 0x007fu},
};

/// The tests that this CPU can run.
std::vector<const NumericTests *> testsFor(const Format &format) {
  std::vector<const NumericTests *> tests = {numericTests(format.dtype, 0)};
  const NumericTests *best = numericTests(format.dtype, cpuFeatures());
  if (best != tests[0])
    tests.push_back(best);
  return tests;
}

/// `count` elements between two NaNs that are not part of it.
class Fenced {
public:
  Fenced(const Format &format, size_t count)
      : format(format), bytes((count + 2) * format.bytes) {
    set(-1, ~uint64_t{0});
    set(static_cast<int64_t>(count), ~uint64_t{0});
  }
  void set(int64_t position, uint64_t bits) {
    std::memcpy(bytes.data() + static_cast<size_t>(position + 1) * format.bytes,
                &bits, format.bytes); // Little-endian.
  }
  const void *data() const { return bytes.data() + format.bytes; }
  uint64_t size() const { return bytes.size() - 2 * format.bytes; }

private:
  const Format &format;
  std::vector<unsigned char> bytes;
};

TEST(Numerics, EveryElementOfEverySizeIsSeen) {
  for (const Format &format : kFormats) {
    SCOPED_TRACE(format.name);
    for (size_t count = 0; count <= 300; ++count) {
      Fenced buffer(format, count);
      // The largest finite value has all bits but one of an infinity's.
      const uint64_t most =
          format.mantissa |
          (format.exponent & (format.exponent - (format.mantissa + 1)));
      for (size_t i = 0; i < count; ++i)
        buffer.set(static_cast<int64_t>(i), i % 2 ? most : most | format.sign);
      for (const NumericTests *tests : testsFor(format)) {
        ASSERT_FALSE(tests->hasNonFinite(buffer.data(), buffer.size()))
            << count;
        ASSERT_FALSE(tests->hasNan(buffer.data(), buffer.size())) << count;
        for (size_t i = 0; i < count; ++i) {
          const auto at = static_cast<int64_t>(i);
          const uint64_t sign = i % 3 ? format.sign : 0;
          buffer.set(at, format.exponent | sign); // Infinity.
          ASSERT_TRUE(tests->hasNonFinite(buffer.data(), buffer.size()))
              << "element " << i << " of " << count;
          ASSERT_FALSE(tests->hasNan(buffer.data(), buffer.size()))
              << "element " << i << " of " << count;
          buffer.set(at, format.exponent | sign | 1);
          ASSERT_TRUE(tests->hasNonFinite(buffer.data(), buffer.size()))
              << "element " << i << " of " << count;
          ASSERT_TRUE(tests->hasNan(buffer.data(), buffer.size()))
              << "element " << i << " of " << count;
          buffer.set(at, most);
        }
      }
    }
  }
}

TEST(Numerics, NamesTheFirstOne) {
  for (const Format &format : kFormats) {
    SCOPED_TRACE(format.name);
    Fenced buffer(format, 70);
    NonFinite found;
    auto search = [&](bool nanOnly) {
      return firstNonFinite(format.dtype, buffer.data(), buffer.size(), nanOnly,
                            found);
    };
    EXPECT_FALSE(search(false));
    buffer.set(69, format.exponent | 1);
    buffer.set(40, format.exponent | format.sign);
    ASSERT_TRUE(search(false));
    EXPECT_EQ(found.position, 40);
    EXPECT_EQ(found.value, -std::numeric_limits<double>::infinity());
    ASSERT_TRUE(search(true));
    EXPECT_EQ(found.position, 69);
    EXPECT_TRUE(std::isnan(found.value));
    buffer.set(3, format.exponent | format.sign | 1);
    ASSERT_TRUE(search(false));
    EXPECT_EQ(found.position, 3);
    EXPECT_TRUE(std::isnan(found.value));
  }
}

TEST(Numerics, IntegersHaveNoTest) {
  for (uint32_t dtype : {GRAPHC_DTYPE_I1, GRAPHC_DTYPE_I8, GRAPHC_DTYPE_UI8,
                         GRAPHC_DTYPE_I32, GRAPHC_DTYPE_I64})
    EXPECT_EQ(numericTests(dtype, cpuFeatures()), nullptr) << dtype;
}

/// A plan of launches. Each reads an f32 buffer and writes an i32 and an f32.
struct Launches {
  explicit Launches(uint64_t bytes, uint32_t count = 1)
      : refs(3 * count), entries(count) {
    for (graphc_abi_ref &ref : refs)
      ref.bytes = bytes;
    for (uint32_t e = 0; e < count; ++e) {
      entries[e].kind = GRAPHC_ABI_LAUNCH;
      entries[e].buffer_count = 3;
      entries[e].written_count = 2;
      entries[e].buffers = &refs[3 * e];
      for (uint8_t dtype :
           {GRAPHC_DTYPE_F32, GRAPHC_DTYPE_I32, GRAPHC_DTYPE_F32})
        dtypes.push_back(dtype);
    }
    plan.entry_count = count;
    plan.entries = entries.data();
    plan.buffer_dtypes = dtypes.data();
  }
  std::vector<graphc_abi_ref> refs;
  std::vector<uint8_t> dtypes;
  std::vector<graphc_abi_entry> entries;
  graphc_abi_plan plan = {};
};

constexpr uint32_t kOne = 0x3f800000u, kInf = 0x7f800000u, kNan = 0x7fc00000u;

TEST(Numerics, OnlyWhatIsWrittenAndFloatCounts) {
  ThreadPool pool(3, /*pin=*/false);
  ASSERT_TRUE(pool.start(3));
  // A size for one thread, and one for all: not a whole number of blocks.
  for (size_t count : {size_t{5}, size_t{100003}}) {
    Launches one(count * 4);
    NumericsWatch watch(one.plan, cpuFeatures());
    std::vector<uint32_t> data[3];
    void *buffers[3];
    for (int b = 0; b < 3; ++b) {
      data[b].assign(count, b == 2 ? kOne : kNan);
      buffers[b] = data[b].data();
    }
    for (unsigned threads : {1u, 3u}) {
      ThreadPool::Lease lease(threads == 1 ? nullptr : &pool, threads);
      ASSERT_EQ(static_cast<bool>(lease), threads != 1);
      NumericsWatch::Finding finding;
      EXPECT_FALSE(watch.check(0, buffers, lease, finding));
      for (size_t at : {size_t{0}, size_t{4}, count / 2, count - 1}) {
        data[2][at] = kNan;
        ASSERT_TRUE(watch.check(0, buffers, lease, finding))
            << at << " of " << count;
        EXPECT_EQ(finding.buffer, 2u);
        EXPECT_EQ(finding.position, static_cast<int64_t>(at));
        data[2][at] = kOne;
      }
    }
  }
}

TEST(Numerics, AnInfinityCountsWhereItAppears) {
  constexpr size_t kCount = 40;
  Launches two(kCount * 4, 2);
  two.entries[0].flags = GRAPHC_ABI_ENTRY_GIVES_INF;
  NumericsWatch watch(two.plan, cpuFeatures());
  std::vector<uint32_t> x(kCount, kOne), unused(kCount), y(kCount, kOne),
      z(kCount, kOne);
  void *first[] = {x.data(), unused.data(), y.data()};
  void *second[] = {y.data(), unused.data(), z.data()};
  void *inPlace[] = {y.data(), unused.data(), y.data()};
  ThreadPool::Lease none(nullptr, 1);
  NumericsWatch::Finding finding;

  // The second entry makes one.
  watch.start();
  z[7] = kInf;
  EXPECT_FALSE(watch.check(0, first, none, finding));
  EXPECT_TRUE(watch.check(1, second, none, finding));
  EXPECT_EQ(finding.position, 7);
  EXPECT_EQ(finding.value, std::numeric_limits<double>::infinity());

  // It is given one, by an entry that may or by the caller.
  y[3] = kInf;
  watch.start();
  EXPECT_FALSE(watch.check(0, first, none, finding));
  EXPECT_FALSE(watch.check(1, second, none, finding));
  watch.start();
  EXPECT_FALSE(watch.check(1, second, none, finding));

  // A NaN counts even so, and is what is named.
  z[20] = kNan;
  watch.start();
  EXPECT_FALSE(watch.check(0, first, none, finding));
  EXPECT_TRUE(watch.check(1, second, none, finding));
  EXPECT_EQ(finding.position, 20);
  y[9] = kNan;
  EXPECT_TRUE(watch.check(0, first, none, finding));
  EXPECT_EQ(finding.position, 9);
  y[9] = z[20] = kOne;

  // In place, what was read is known from before...
  watch.start();
  EXPECT_FALSE(watch.check(0, first, none, finding));
  EXPECT_FALSE(watch.check(1, inPlace, none, finding));
  EXPECT_FALSE(watch.check(1, inPlace, none, finding));
  // ...until it is overwritten, or another run starts.
  y[3] = kOne;
  EXPECT_FALSE(watch.check(1, inPlace, none, finding));
  y[3] = kInf;
  EXPECT_TRUE(watch.check(1, inPlace, none, finding));
  EXPECT_FALSE(watch.check(0, first, none, finding));
  watch.start();
  EXPECT_TRUE(watch.check(1, inPlace, none, finding));
}

// A loop may leave infinities in more places than are kept apart.
TEST(Numerics, NoInfinityIsBlamedOnceOneIsForgotten) {
  constexpr size_t kCount = 4, kPlaces = 100;
  Launches two(kCount * 4, 2);
  two.entries[0].flags = GRAPHC_ABI_ENTRY_GIVES_INF;
  NumericsWatch watch(two.plan, cpuFeatures());
  std::vector<uint32_t> x(kCount, kOne), unused(kCount),
      y(kPlaces * kCount, kInf);
  ThreadPool::Lease none(nullptr, 1);
  NumericsWatch::Finding finding;
  watch.start();
  for (size_t place = 0; place < kPlaces; ++place) {
    void *buffers[] = {x.data(), unused.data(), &y[place * kCount]};
    EXPECT_FALSE(watch.check(0, buffers, none, finding)) << place;
  }
  for (size_t place = 0; place < kPlaces; ++place) {
    void *inPlace[] = {&y[place * kCount], unused.data(), &y[place * kCount]};
    EXPECT_FALSE(watch.check(1, inPlace, none, finding)) << place;
  }
  // A NaN counts still, and the next run starts anew.
  void *last[] = {x.data(), unused.data(), y.data()};
  y[1] = kNan;
  EXPECT_TRUE(watch.check(1, last, none, finding));
  y[1] = kInf;
  watch.start();
  EXPECT_TRUE(watch.check(1, last, none, finding));
}

TEST(Numerics, BackupHoldsWhatAPlanWrites) {
  constexpr uint64_t kBytes = 2 << 20;
  Launches one(64);
  one.refs[0] = {GRAPHC_ABI_SPACE_STATE, 0, 0, 64, 0};         // read
  one.refs[1] = {GRAPHC_ABI_SPACE_STATE, 0, 4096, 1 << 20, 0}; // written
  one.refs[2] = {GRAPHC_ABI_SPACE_STATE, 0, kBytes - 7, 7, 0}; // written
  std::vector<std::byte> state(kBytes), copy(kBytes, std::byte{9});
  ThreadPool pool(2, /*pin=*/false);
  ASSERT_TRUE(pool.start(2));
  for (bool isParallel : {false, true}) {
    for (uint64_t i = 0; i < kBytes; ++i)
      state[i] = static_cast<std::byte>(i * 7 % 251);
    const std::vector<std::byte> before = state;
    ThreadPool::Lease lease(isParallel ? &pool : nullptr, 2);
    StateBackup backup(one.plan, kBytes, state.data(), copy.data());
    backup.save(lease);
    EXPECT_EQ(copy[0], std::byte{9}) << "nothing writes there";
    std::fill(state.begin() + 4096, state.begin() + 4096 + (1 << 20),
              std::byte{});
    std::fill(state.end() - 7, state.end(), std::byte{});
    ASSERT_NE(state, before);
    backup.restore(lease);
    EXPECT_EQ(state, before);
  }
  // Where a loop writes is not followed: all is kept.
  one.refs[2].iteration_stride_bytes = -7;
  ThreadPool::Lease none(nullptr, 1);
  const std::vector<std::byte> before = state;
  StateBackup all(one.plan, kBytes, state.data(), copy.data());
  all.save(none);
  std::fill(state.begin(), state.end(), std::byte{});
  all.restore(none);
  EXPECT_EQ(state, before);
}

} // namespace
