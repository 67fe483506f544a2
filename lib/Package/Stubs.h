// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-ins for libc and libm that a model.so is linked against.

#ifndef GRAPHC_LIB_PACKAGE_STUBS_H
#define GRAPHC_LIB_PACKAGE_STUBS_H

#include "lib/Package/Machine.h"
#include "lib/Package/TempFolder.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace graphc::package {

/// Makes stub libraries of `machine` in `folder` that define, with their
/// versions, the symbols generated code may call, and returns their paths.
llvm::Expected<std::vector<std::string>>
makeStubs(const TempFolder &folder, const Machine &machine, bool useChild);

} // namespace graphc::package

#endif // GRAPHC_LIB_PACKAGE_STUBS_H
