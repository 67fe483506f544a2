// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/PlanTerms.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace graphc::plan {

Term Terms::getConstant(ElementsAttr value) {
  int64_t size = getByteSize(value.getShapedType());
  if (size == 0)
    return getEmpty();
  if (std::optional<uint8_t> byte = getUniformByte(value))
    return getFill(*byte, size);
  // By content: the table may hold the bytes under another type.
  std::optional<ElementBytes> bytes = getElementBytes(value);
  if (!bytes)
    return intern({Constant, -1, idOf(value)});
  uint64_t hash = llvm::xxh3_64bits(bytes->pattern);
  auto &same = contents[hash];
  for (auto [number, other] : llvm::enumerate(same))
    if (other == value || getElementBytes(other) == bytes)
      return intern({Constant, int64_t(hash), int64_t(number)});
  same.push_back(value);
  return intern({Constant, int64_t(hash), int64_t(same.size()) - 1});
}

Term Terms::getLaunch(FlatSymbolRefAttr kernel, ArrayRef<int64_t> args,
                      ArrayAttr inplace, bool mayFail, bool parallel,
                      ArrayRef<Term> inputs) {
  std::vector<int64_t> key = {
      Launch,  idOf(kernel), inplace ? idOf(inplace) : -1,
      mayFail, parallel,     int64_t(args.size())};
  key.insert(key.end(), args.begin(), args.end());
  key.insert(key.end(), inputs.begin(), inputs.end());
  return intern(std::move(key));
}

Term Terms::getLoop(int64_t count, ArrayRef<Term> inits, ArrayRef<Term> nexts) {
  std::vector<int64_t> key = {Loop, count};
  key.insert(key.end(), inits.begin(), inits.end());
  key.insert(key.end(), nexts.begin(), nexts.end());
  return intern(std::move(key));
}

} // namespace graphc::plan
