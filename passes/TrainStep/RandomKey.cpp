// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/TrainStep/RandomKey.h"
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;

namespace graphc {

static Value constant(OpBuilder &builder, Location loc, Value key,
                      ArrayRef<int64_t> elements) {
  return builder.create<graph::ConstantOp>(
      loc,
      DenseElementsAttr::get(cast<RankedTensorType>(key.getType()), elements));
}

static void setKey(OpBuilder &builder, Location loc, Value key, Value term) {
  builder.create<graph::SetOp>(loc, kRandomKey,
                               builder.create<graph::AddOp>(loc, key, term));
}

Value getRandomKey(OpBuilder &builder, Location loc) {
  auto type = RankedTensorType::get({3}, builder.getI64Type());
  return builder.create<graph::GetOp>(loc, type, kRandomKey);
}

void countDraws(OpBuilder &builder, Location loc, Value key) {
  setKey(builder, loc, key, constant(builder, loc, key, {0, 1, 0}));
}

void numberDraws(OpBuilder &builder, Location loc, Value key, Value number) {
  Value all = graph::broadcastScalar(builder, loc, number, {3});
  setKey(builder, loc, key,
         builder.create<graph::MulOp>(loc, all,
                                      constant(builder, loc, key, {0, 0, 1})));
}

} // namespace graphc
