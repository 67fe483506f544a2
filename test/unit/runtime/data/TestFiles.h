// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files for tests, in a folder that goes with the fixture.
#ifndef GRAPHC_TEST_UNIT_RUNTIME_DATA_TESTFILES_H
#define GRAPHC_TEST_UNIT_RUNTIME_DATA_TESTFILES_H

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include "gtest/gtest.h"

class TempFolderTest : public testing::Test {
protected:
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) /
                                 ("graphc-data-" + std::to_string(getpid()));

  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string &name) const {
    return (folder / name).string();
  }

  /// Writes `bytes` to a file of the folder and returns its path.
  std::string put(const std::string &name, const std::string &bytes) const {
    // Some file systems flush a file that is truncated and written anew.
    std::filesystem::remove(path(name));
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  static std::string get(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  size_t fileCount() const {
    std::filesystem::directory_iterator begin(folder), end;
    return static_cast<size_t>(std::distance(begin, end));
  }
};

#endif // GRAPHC_TEST_UNIT_RUNTIME_DATA_TESTFILES_H
