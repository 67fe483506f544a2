// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_CORE_NUMERICS_H
#define GRAPHC_RUNTIME_CORE_NUMERICS_H

#include <cstdint>

namespace graphc::runtime {

struct NonFinite {
  int64_t position; // Element number.
  double value;     // NaN, inf or -inf.
};

/// Finds the first NaN or inf among elements of type `dtype`. False if there is
/// none or the type has none.
bool firstNonFinite(uint32_t dtype, const void *data, uint64_t bytes,
                    NonFinite &out);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_NUMERICS_H
