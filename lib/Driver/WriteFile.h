// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files that appear whole or not at all. LLVM's own writers end the
// process when a disk is full.
#ifndef GRAPHC_LIB_DRIVER_WRITEFILE_H
#define GRAPHC_LIB_DRIVER_WRITEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace graphc {

/// Writes a temporary file beside `path`, makes it durable and renames it over
/// `path`; a failure leaves what was there. Permissions stay, and symbolic links
/// are followed. What is no regular file, such as /dev/null or a pipe, is written
/// through instead.
/// The error says why, without the path.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// Writes to the process's standard output.
llvm::Error writeStandardOutput(llvm::StringRef bytes);

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_WRITEFILE_H
