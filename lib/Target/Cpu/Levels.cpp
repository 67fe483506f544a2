// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Levels.h"

#include "graphc/abi/model_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

using namespace llvm;

namespace graphc::cpu {
namespace {

constexpr uint64_t v2 = GRAPHC_ABI_X86_V2;
constexpr uint64_t v3 = v2 | GRAPHC_ABI_X86_V3;
constexpr uint64_t v4 = v3 | GRAPHC_ABI_X86_V4;
constexpr uint64_t arm = GRAPHC_ABI_AARCH64;
constexpr uint64_t n1 = arm | GRAPHC_ABI_AARCH64_N1;

/// Of each machine, best first.
constexpr Level levels[] = {
    {"x86-64-v4", &x86Machine, v4, 512, true},
    {"x86-64-v3", &x86Machine, v3, 256, true},
    {"x86-64-v2", &x86Machine, v2, 128, false},
    {"neoverse-n1", &armMachine, n1, 128, true},
    {"generic", &armMachine, arm, 128, true},
};

/// What each level adds to the next one down: psABI for x86-64, table 3.1; for
/// aarch64 what the runtime looks for. LLVM 19 does not look for all of that on
/// an aarch64 machine, where native is generic.
constexpr const char *addedFeatures[][10] = {
    {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"},
    {"cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"},
    {"lse", "crc", "fullfp16", "dotprod", "rcpc"},
    {"neon"},
};

const Level *hostLevel(const Machine &machine) {
  StringMap<bool> features = sys::getHostCPUFeatures();
  const Level *best = nullptr;
  // Upwards: a level counts only if those below it are complete.
  for (size_t i = std::size(levels); i-- > 0;) {
    if (levels[i].machine != &machine)
      continue;
    for (const char *feature : addedFeatures[i])
      if (feature && !features.lookup(feature))
        return best;
    best = &levels[i];
  }
  return best;
}

bool isHost(const Machine &machine) {
  return Triple(sys::getProcessTriple()).getArch() ==
         Triple(machine.triple).getArch();
}

std::string levelNames(const Machine &machine) {
  std::string names = isHost(machine) ? "native" : "";
  for (const Level &level : levels)
    if (level.machine == &machine)
      names += std::string(names.empty() ? "" : ", ") + level.name;
  return names;
}

Error unknownLevel(StringRef name, const Machine &machine) {
  const Level *other = findLevel(name);
  std::string why;
  if (other)
    why =
        std::string(", which is for --target-triple=") + other->machine->triple;
  else if (name == "native")
    why = std::string(", and this machine is no ") + machine.architecture;
  return createStringError(inconvertibleErrorCode(),
                           "expects CPU levels out of " + levelNames(machine) +
                               ", but got '" + name + "'" + why);
}

} // namespace

const Level *findLevel(StringRef name) {
  for (const Level &level : levels)
    if (level.name == name)
      return &level;
  return nullptr;
}

Expected<std::vector<Level>> parseLevels(StringRef list,
                                         const Machine &machine) {
  SmallVector<StringRef> names;
  list.split(names, ',');
  bool wanted[std::size(levels)] = {};
  for (StringRef name : names) {
    name = name.trim();
    bool isNative = name == "native" && isHost(machine);
    const Level *level = isNative ? hostLevel(machine) : findLevel(name);
    if (!level && isNative)
      return createStringError(inconvertibleErrorCode(),
                               "this machine has none of the levels of " +
                                   Twine(machine.architecture));
    if (!level || level->machine != &machine)
      return unknownLevel(name, machine);
    wanted[level - levels] = true;
  }
  std::vector<Level> result;
  for (size_t i = 0; i < std::size(levels); ++i)
    if (wanted[i])
      result.push_back(levels[i]);
  return result;
}

} // namespace graphc::cpu
