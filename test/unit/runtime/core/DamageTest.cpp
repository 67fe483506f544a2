// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A damaged model file never reaches the dynamic linker, which would crash.
#include "test/unit/runtime/core/ToyModel.h"

#include <atomic>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace {
std::atomic<int> dlopenCount{0};
}

// Takes the place of the C library's in this program.
extern "C" void *dlopen(const char *path, int flags) {
  using Function = void *(*)(const char *, int);
  static auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "dlopen"));
  ++dlopenCount;
  return real(path, flags);
}

namespace {

TEST(Damage, WholeFileIsLoaded) {
  dlopenCount = 0;
  loadModel(toyPath("toy"));
  EXPECT_EQ(dlopenCount, 1) << "or the tests below could not fail";
}

TEST(Damage, TruncatedAnywhereIsRefusedBeforeLoading) {
  TemporaryFolder folder;
  std::string path = folder.file("m.so");
  std::string model = readFile(toyPath("toy"));
  writeFile(path, model);
  dlopenCount = 0;
  for (size_t bytes = model.size(); bytes-- > 0;) {
    ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(bytes)), 0);
    ASSERT_EQ(loadStatus(path), GRAPHC_CORRUPT) << bytes << " bytes";
  }
  EXPECT_EQ(dlopenCount, 0);
  // Longer is no better: the trailer is then not at the end.
  writeFile(path, model + std::string(1, '\0'));
  EXPECT_EQ(loadStatus(path), GRAPHC_CORRUPT);
}

TEST(Damage, FlippedBitsAreRefusedBeforeLoading) {
  TemporaryFolder folder;
  std::string path = folder.file("m.so");
  std::string model = readFile(toyPath("toy"));
  writeFile(path, model);
  int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  dlopenCount = 0;
  auto expectRefused = [&](size_t at, int bit) {
    char flipped = static_cast<char>(model[at] ^ (1 << bit));
    ASSERT_EQ(pwrite(file, &flipped, 1, static_cast<off_t>(at)), 1);
    ASSERT_EQ(loadStatus(path), GRAPHC_CORRUPT) << "byte " << at;
    ASSERT_EQ(pwrite(file, &model[at], 1, static_cast<off_t>(at)), 1);
  };
  // All bits of the trailer, one of each byte before it.
  size_t imageBytes = model.size() - GRAPHC_ABI_TRAILER_BYTES;
  for (size_t at = 0; at < imageBytes && !HasFailure(); ++at)
    expectRefused(at, static_cast<int>(at % 8));
  for (size_t at = imageBytes; at < model.size() && !HasFailure(); ++at)
    for (int bit = 0; bit < 8; ++bit)
      expectRefused(at, bit);
  close(file);
  EXPECT_EQ(dlopenCount, 0);
  EXPECT_EQ(loadStatus(path), GRAPHC_OK) << "the file is whole again";
}

} // namespace
