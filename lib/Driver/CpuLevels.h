// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_LIB_DRIVER_CPULEVELS_H
#define GRAPHC_LIB_DRIVER_CPULEVELS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace graphc {

/// Whether CompileOptions::triple may be `triple`; the error says what is wrong.
llvm::Error checkTriple(llvm::StringRef triple);
/// Whether CompileOptions::cpu may be `list` with it.
llvm::Error checkCpuLevels(llvm::StringRef list, llvm::StringRef triple);

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_CPULEVELS_H
