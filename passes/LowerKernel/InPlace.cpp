// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which outputs may lie where an input does.
#include "passes/LowerKernel/Emitter.h"
#include "passes/LowerKernel/Groups.h"

using namespace mlir;
namespace graphc::kernel {

static bool isSameIndex(const Index &a, const Index &b) {
  Index difference = a;
  difference.add(b, -1);
  return difference.isConstant() && difference.constant == 0;
}

namespace {
/// A load of the input or a store of the output.
struct Access {
  const Group *group;
  size_t groupNumber, nestNumber; // in the order in which they run
  Nest *nest;
  Index index;
};
} // namespace

/// True if every element is stored when all that the nest computes from the
/// element of the same index has been.
static bool storesInOrder(const Nest &nest) {
  return nest.kind == Nest::Map || nest.kind == Nest::RowReduce ||
         nest.kind == Nest::ColumnReduce ||
         (nest.kind == Nest::Product && !nest.product.overlaps);
}

/// True if no `write` comes before a `read` of what was there.
static bool isInOrder(const Access &read, const Access &write, Buffer *input,
                      Buffer *output) {
  if (read.groupNumber != write.groupNumber)
    return read.groupNumber < write.groupNumber;
  if (read.nest == write.nest)
    return storesInOrder(*read.nest) && isSameIndex(read.index, write.index);
  return read.nestNumber < write.nestNumber &&
         isRowPrivate(*read.group, output, input);
}

static bool canBeInPlace(Kernel &kernel, Buffer *input, Buffer *output) {
  SmallVector<Access> reads, writes;
  for (auto [g, group] : llvm::enumerate(kernel.groups))
    for (auto [n, nest] : llvm::enumerate(group.nests))
      forEachAccess(*nest, [&, g = g, n = n, nest = nest, &group = group](
                               Buffer *buffer, Index &index, bool isWrite) {
        if (buffer == (isWrite ? output : input))
          (isWrite ? writes : reads).push_back({&group, g, n, nest, index});
      });
  return llvm::all_of(reads, [&](const Access &read) {
    return llvm::all_of(writes, [&](const Access &write) {
      return isInOrder(read, write, input, output);
    });
  });
}

SmallVector<std::pair<Buffer *, Buffer *>> findInPlacePairs(Kernel &kernel) {
  SmallVector<std::pair<Buffer *, Buffer *>> pairs;
  for (auto [output, input] : kernel.copies) {
    auto reads = [input = input](Nest &nest) {
      bool found = false;
      forEachAccess(nest, [&](Buffer *buffer, Index &, bool isWrite) {
        found |= buffer == input && !isWrite;
      });
      return found;
    };
    if (llvm::count_if(kernel.nests, reads) == 1)
      pairs.push_back({output, input});
  }
  auto widthOf = [](Buffer *buffer) {
    return getStorageType(buffer->elementType).getIntOrFloatBitWidth();
  };
  for (Buffer *output : kernel.outputs)
    for (Buffer *input : kernel.inputs)
      if (widthOf(input) == widthOf(output) &&
          input->elements == output->elements &&
          !llvm::is_contained(pairs, std::make_pair(output, input)) &&
          canBeInPlace(kernel, input, output))
        pairs.push_back({output, input});
  return pairs;
}

} // namespace graphc::kernel
