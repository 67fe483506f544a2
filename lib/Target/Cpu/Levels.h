// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The named CPU levels that code is generated for.

#ifndef GRAPHC_LIB_TARGET_CPU_LEVELS_H
#define GRAPHC_LIB_TARGET_CPU_LEVELS_H

#include "lib/Target/Cpu/Machine.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace graphc::cpu {

struct Level {
  /// Both our name and LLVM's name of the processor: "x86-64-v3".
  const char *name;
  const Machine *machine;
  /// GRAPHC_ABI_X86_* or _AARCH64*: everything the code may execute.
  uint64_t abiFeatures;
  /// Width of a vector register, in bits.
  unsigned vectorBits;
  /// f16 <-> f32 conversions are instructions.
  bool convertsF16;
};

/// The level called `name`, of whatever machine, or null.
const Level *findLevel(llvm::StringRef name);

/// Parses "x86-64-v4,x86-64-v3" or "native", the best level of this machine.
/// All are levels of `machine`; the result has each once, best first, whatever
/// the order asked for.
llvm::Expected<std::vector<Level>> parseLevels(llvm::StringRef list,
                                               const Machine &machine);

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_LEVELS_H
