// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold of a linked model before it is given away.

#ifndef GRAPHC_LIB_PACKAGE_CHECKIMAGE_H
#define GRAPHC_LIB_PACKAGE_CHECKIMAGE_H

#include "lib/Package/Machine.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace graphc::package {

/// Fails unless `image` is a shared object for `machine` that exports
/// GRAPHC_ABI_QUERY_SYMBOL alone, needs only libc and libm, has no memory that
/// stays writable or a stack that may run, and runs nothing when loaded.
llvm::Error checkImage(llvm::StringRef image, const Machine &machine);

} // namespace graphc::package

#endif // GRAPHC_LIB_PACKAGE_CHECKIMAGE_H
