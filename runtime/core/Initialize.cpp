// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initial values of variables.
#include <algorithm>
#include <cstring>

#include "runtime/core/DType.h"
#include "runtime/core/Model.h"
#include "runtime/cpu/FloatControl.h"
#include "runtime/data/Generator.h"

namespace graphc::runtime {
namespace {

void fillConstant(const graphc_abi_variable &variable, std::byte *out,
                  uint64_t bytes) {
  const auto dtype = static_cast<graphc_dtype>(variable.type.dtype);
  const size_t elementBytes = graphc_dtype_bytes(dtype);
  std::byte element[8];
  if (isFloatDType(dtype)) {
    storeFloat(dtype, variable.init.a, element);
  } else {
    int64_t value = variable.init.a_int;
    if (dtype == GRAPHC_DTYPE_I1)
      value = value != 0;
    std::memcpy(element, &value, elementBytes); // Little-endian: the low bytes.
  }
  std::memcpy(out, element, elementBytes);
  for (uint64_t done = elementBytes; done < bytes; done *= 2)
    std::memcpy(out + done, out, std::min(done, bytes - done));
}

/// Writes the logical bytes of a variable's initial value. `isZeroed`: they are
/// zeros already.
void fillInitial(const graphc_abi_variable &variable, uint64_t seed,
                 Generator &generator, bool isZeroed, std::byte *out) {
  const auto dtype = static_cast<graphc_dtype>(variable.type.dtype);
  const uint64_t bytes = bytesOf(variable.type);
  const graphc_abi_init &init = variable.init;
  if (bytes == 0)
    return;
  const size_t count = bytes / graphc_dtype_bytes(dtype);
  switch (init.kind) {
  case GRAPHC_ABI_INIT_ZEROS:
    if (!isZeroed)
      std::memset(out, 0, bytes);
    break;
  case GRAPHC_ABI_INIT_CONSTANT:
    fillConstant(variable, out, bytes);
    break;
  case GRAPHC_ABI_INIT_UNIFORM:
    generator.uniform(dtype, init.a, init.b, out, count);
    break;
  case GRAPHC_ABI_INIT_NORMAL:
    generator.normal(dtype, init.a, init.b, out, count);
    if (init.a_int > 0) {
      const uint64_t rowBytes =
          bytes / static_cast<uint64_t>(variable.type.dims[0]);
      std::memset(out + static_cast<uint64_t>(init.a_int - 1) * rowBytes, 0,
                  rowBytes);
    }
    break;
  case GRAPHC_ABI_INIT_DATA:
    std::memcpy(out, init.data, bytes);
    break;
  case GRAPHC_ABI_INIT_SEED:
    std::memset(out, 0, bytes);
    std::memcpy(out, &seed, sizeof(seed));
    break;
  }
}

} // namespace

void Model::initialize(uint64_t seed, bool isZeroed) {
  // All that can fail comes first.
  AlignedBuffer own;
  if (maxPackedBytes() > arenaBytes) // Nothing runs, so the arena is free.
    own = allocateAligned(maxPackedBytes(), "a variable's copy");
  std::byte *scratch = own ? own.get() : arena.get();
  DefaultFloatControl floatControl;
  Generator generator(seed);
  for (uint32_t i = 0; i < root->variable_count; ++i) {
    const graphc_abi_layout &layout = variant->layouts[i];
    std::byte *logical =
        layout.pack_kernel ? scratch : state.get() + layout.offset;
    fillInitial(root->variables[i], seed, generator,
                isZeroed && !layout.pack_kernel, logical);
    storeLogical(i, logical, state.get());
  }
}

} // namespace graphc::runtime
