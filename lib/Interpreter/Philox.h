// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Philox 4x32-10 block function.
#ifndef GRAPHC_LIB_INTERPRETER_PHILOX_H
#define GRAPHC_LIB_INTERPRETER_PHILOX_H

#include <array>
#include <cstdint>

namespace graphc::interpreter {

/// Four random words for a counter and a key.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                               std::array<uint32_t, 2> key);

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_PHILOX_H
