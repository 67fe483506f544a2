// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for NaN and inf in a buffer.
#ifndef GRAPHC_RUNTIME_CORE_NUMERICS_H
#define GRAPHC_RUNTIME_CORE_NUMERICS_H

#include <cstdint>

namespace graphc::runtime {

/// Whether a buffer holds a value of some kind. Reads all of it, and nothing
/// else.
using ValueTest = bool (*)(const void *data, uint64_t bytes);

struct NumericTests {
  ValueTest hasNonFinite, hasNan;
};

/// Those for elements of type `dtype` that are fastest on a CPU with
/// `features`; null for a type that has neither NaN nor inf.
const NumericTests *numericTests(uint32_t dtype, uint64_t features);

struct NonFinite {
  int64_t position; // Element number.
  double value;     // NaN, inf or -inf.
};

/// Finds, one by one, the first NaN, or inf unless `nanOnly`, among elements of
/// type `dtype`. False if there is none or the type has none.
bool firstNonFinite(uint32_t dtype, const void *data, uint64_t bytes,
                    bool nanOnly, NonFinite &out);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_NUMERICS_H
