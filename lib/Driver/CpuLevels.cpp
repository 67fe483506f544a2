// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/CpuLevels.h"
#include "lib/Target/Cpu/Levels.h"

namespace graphc {

llvm::Error checkCpuLevels(llvm::StringRef list) {
  return cpu::parseLevels(list).takeError();
}

} // namespace graphc
