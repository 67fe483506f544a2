// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that quote what a file or a caller says.
#ifndef GRAPHC_RUNTIME_DATA_MESSAGE_H
#define GRAPHC_RUNTIME_DATA_MESSAGE_H

#include <string>

#include "runtime/core/Error.h"

namespace graphc::runtime {

/// `text` between single quotes as it may appear in a message: control
/// characters escaped, long text cut. Names in files are not to be trusted.
std::string quoted(const std::string &text);

[[noreturn]] inline void fail(graphc_status status,
                              const std::string &message) {
  fail(status, "%s", message.c_str());
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_MESSAGE_H
