// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs lld, in this process or as a child.

#ifndef GRAPHC_LIB_PACKAGE_LINKER_H
#define GRAPHC_LIB_PACKAGE_LINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace graphc::package {

/// Runs `ld.lld` with `arguments` (without the program's name); its messages
/// become the error. Safe from any thread: links run one after another.
llvm::Error runLinker(llvm::ArrayRef<std::string> arguments, bool useChild);

} // namespace graphc::package

#endif // GRAPHC_LIB_PACKAGE_LINKER_H
