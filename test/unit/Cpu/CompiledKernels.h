// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles kernels from text, links and loads them, for tests to call.

#ifndef GRAPHC_TEST_UNIT_CPU_COMPILEDKERNELS_H
#define GRAPHC_TEST_UNIT_CPU_COMPILEDKERNELS_H

#include "lib/Target/Cpu/Cpu.h"

#include "graphc/abi/model_abi.h"

#include <string>
#include <vector>

/// Kernels of `text` for one level, in this process.
class CompiledKernels {
public:
  CompiledKernels(const std::string &text, const std::string &level,
                  unsigned optLevel);
  ~CompiledKernels();
  CompiledKernels(const CompiledKernels &) = delete;
  CompiledKernels &operator=(const CompiledKernels &) = delete;

  /// Whether this machine can run the level.
  static bool canRun(const std::string &level);

  /// Calls kernel `index` with `buffers` and `args`.
  void run(size_t index, std::vector<void *> buffers,
           std::vector<int64_t> args = {});

  /// Calls of env->parallel_for and env->fail_index so far.
  struct Failure {
    int64_t position, value, limit;
  };
  std::vector<int64_t> parallelCounts;
  std::vector<Failure> failures;

private:
  void load(const std::string &text, const std::string &level,
            unsigned optLevel);

  void *handle = nullptr;
  const graphc_kernel_fn *kernels = nullptr;
};

/// The code of all kernels of `text`, in order, made by that many threads.
std::vector<std::string> codeOf(const std::string &text, unsigned threads);

/// The symbols that the code of kernels needs from elsewhere.
std::vector<std::string> undefinedSymbols(const std::string &text,
                                          const std::string &level,
                                          unsigned optLevel);

#endif // GRAPHC_TEST_UNIT_CPU_COMPILEDKERNELS_H
