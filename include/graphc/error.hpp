// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C++ headers throw when a C function fails.
#ifndef GRAPHC_ERROR_HPP
#define GRAPHC_ERROR_HPP

#include <stdexcept>
#include <string>

#include "graphc/status.h"

namespace graphc {

class Error : public std::runtime_error {
public:
  Error(graphc_status status, const std::string &message)
      : std::runtime_error(message), status_(status) {}

  graphc_status status() const noexcept { return status_; }

private:
  graphc_status status_;
};

/// Throws an Error with this thread's message unless `status` is GRAPHC_OK.
inline void check(graphc_status status) {
  if (status != GRAPHC_OK)
    throw Error(status, graphc_error_message());
}

} // namespace graphc

#endif // GRAPHC_ERROR_HPP
