// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program around emulated kernels:
//   PROGRAM [--reverse] [--in-place] FUNCTION INPUT... OUTPUT...
// Files hold the bytes of one tensor each.
#ifndef GC_MAIN_H
#define GC_MAIN_H

#include "gc_emulator.h"

#include <string>

struct Function {
  const char *name;
  std::vector<size_t> inputBytes, outputBytes;
  void (*run)(const std::vector<char *> &inputs,
              const std::vector<char *> &outputs);
};

/// Memory as a device has it: apart from other memory, and not zero.
struct Buffer {
  explicit Buffer(size_t bytes) : memory(new char[bytes + 64]) {
    std::memset(memory.get(), 0xaa, bytes + 64);
    data = (char *)(((uintptr_t)memory.get() + 15) & ~uintptr_t(15));
  }
  std::unique_ptr<char[]> memory;
  char *data;
};

inline bool worksInPlace = false;

/// The memory of `output`, which `input` is then copied to, if a kernel is to
/// work in place.
inline char *inPlace(const char *input, char *output, size_t bytes) {
  if (!worksInPlace)
    return const_cast<char *>(input);
  std::memcpy(output, input, bytes);
  return output;
}

inline int emulate(const std::vector<Function> &functions, int argc,
                   char **argv) {
  int next = 1;
  for (; next < argc && argv[next][0] == '-'; ++next) {
    gc_emu::isReversed |= std::string(argv[next]) == "--reverse";
    worksInPlace |= std::string(argv[next]) == "--in-place";
  }
  for (const Function &function : functions) {
    if (next >= argc || std::string(argv[next]) != function.name)
      continue;
    ++next;
    if (size_t(argc - next) !=
        function.inputBytes.size() + function.outputBytes.size())
      break;
    std::vector<Buffer> memory;
    std::vector<char *> inputs, outputs;
    for (size_t bytes : function.inputBytes) {
      inputs.push_back(memory.emplace_back(bytes).data);
      std::FILE *file = std::fopen(argv[next++], "rb");
      if (!file || std::fread(inputs.back(), 1, bytes, file) != bytes)
        return std::fprintf(stderr, "cannot read %zu bytes of %s\n", bytes,
                            argv[next - 1]),
               2;
      std::fclose(file);
    }
    for (size_t bytes : function.outputBytes)
      outputs.push_back(memory.emplace_back(bytes).data);
    function.run(inputs, outputs);
    for (size_t k = 0; k < outputs.size(); ++k) {
      std::FILE *file = std::fopen(argv[next++], "wb");
      size_t bytes = function.outputBytes[k];
      if (!file || std::fwrite(outputs[k], 1, bytes, file) != bytes ||
          std::fclose(file))
        return std::fprintf(stderr, "cannot write %s\n", argv[next - 1]), 2;
    }
    return 0;
  }
  return std::fprintf(stderr, "expects a function, its inputs and outputs\n"),
         2;
}

#endif // GC_MAIN_H
