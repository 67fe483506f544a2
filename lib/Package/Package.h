// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From object files to the bytes of a model.so.

#ifndef GRAPHC_LIB_PACKAGE_PACKAGE_H
#define GRAPHC_LIB_PACKAGE_PACKAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>

namespace graphc {

struct PackageOptions {
  /// Called with the path of the private folder before it exists, so that
  /// someone who outlives this process can remove it.
  std::function<void(llvm::StringRef)> onTempFolder;
  /// Runs `ld.lld` as a child even where lld can run in the process.
  bool useChildLinker = false;
};

/// Links position-independent `objects`, all for the machine that the first is
/// for (x86-64 or aarch64), into a shared object that exports GRAPHC_ABI_QUERY_SYMBOL alone, checks the result and appends the
/// trailer. The same objects in the same order give the same bytes.
///
/// Fails if a symbol other than the few of libc and libm that generated code
/// may call is undefined, if the image could be written after it is loaded, or
/// if it would run code when it is loaded.
llvm::Expected<llvm::SmallVector<char, 0>>
packageModel(llvm::ArrayRef<llvm::StringRef> objects,
             const PackageOptions &options = {});

/// Merges `objects` into one object file, undefined symbols and all.
llvm::Expected<llvm::SmallVector<char, 0>>
mergeObjects(llvm::ArrayRef<llvm::StringRef> objects,
             const PackageOptions &options = {});

} // namespace graphc

#endif // GRAPHC_LIB_PACKAGE_PACKAGE_H
