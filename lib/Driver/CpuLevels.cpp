// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/CpuLevels.h"
#include "lib/Target/Cpu/Levels.h"

namespace graphc {

llvm::Error checkTriple(llvm::StringRef triple) {
  return cpu::parseMachine(triple).takeError();
}

llvm::Error checkCpuLevels(llvm::StringRef list, llvm::StringRef triple) {
  llvm::Expected<const cpu::Machine *> machine = cpu::parseMachine(triple);
  return machine ? cpu::parseLevels(list, **machine).takeError()
                 : machine.takeError();
}

} // namespace graphc
