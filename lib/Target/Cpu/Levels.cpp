// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Levels.h"

#include "graphc/abi/model_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

#include <string>

using namespace llvm;

namespace graphc::cpu {
namespace {

constexpr uint64_t v2 = GRAPHC_ABI_X86_V2;
constexpr uint64_t v3 = v2 | GRAPHC_ABI_X86_V3;
constexpr uint64_t v4 = v3 | GRAPHC_ABI_X86_V4;

constexpr Level levels[] = {
    {"x86-64-v4", v4, 512, true},
    {"x86-64-v3", v3, 256, true},
    {"x86-64-v2", v2, 128, false},
};

/// What each level adds to the next one down (psABI for x86-64, table 3.1).
constexpr const char *addedFeatures[][10] = {
    {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"},
    {"cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"},
};

const Level *hostLevel() {
  StringMap<bool> features = sys::getHostCPUFeatures();
  const Level *best = nullptr;
  // Upwards: a level counts only if those below it are complete.
  for (size_t i = std::size(levels); i-- > 0;) {
    for (const char *feature : addedFeatures[i])
      if (feature && !features.lookup(feature))
        return best;
    best = &levels[i];
  }
  return best;
}

std::string levelNames() {
  std::string names;
  for (const Level &level : levels)
    names += std::string(names.empty() ? "" : ", ") + level.name;
  return names;
}

} // namespace

ArrayRef<Level> allLevels() { return levels; }

const Level *findLevel(StringRef name) {
  for (const Level &level : levels)
    if (level.name == name)
      return &level;
  return nullptr;
}

Expected<std::vector<Level>> parseLevels(StringRef list) {
  SmallVector<StringRef> names;
  list.split(names, ',');
  bool wanted[std::size(levels)] = {};
  for (StringRef name : names) {
    name = name.trim();
    const Level *level = name == "native" ? hostLevel() : findLevel(name);
    if (!level && name == "native")
      return createStringError(inconvertibleErrorCode(),
                               "this machine has none of the levels %s",
                               levelNames().c_str());
    if (!level)
      return createStringError(
          inconvertibleErrorCode(),
          "expects CPU levels out of native, %s, but got '%s'",
          levelNames().c_str(), name.str().c_str());
    wanted[level - levels] = true;
  }
  std::vector<Level> result;
  for (size_t i = 0; i < std::size(levels); ++i)
    if (wanted[i])
      result.push_back(levels[i]);
  return result;
}

} // namespace graphc::cpu
