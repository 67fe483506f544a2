// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composites that want channels in one place, as primitives that do not.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "passes/ChannelsLast/Layout.h"

using namespace mlir;

namespace graphc::layout {
namespace {

bool areOnes(ArrayRef<int64_t> list) {
  return llvm::all_of(list, [](int64_t n) { return n == 1; });
}
bool areZeros(ArrayRef<int64_t> list) {
  return llvm::all_of(list, [](int64_t n) { return n == 0; });
}

/// True if `pool` has one window, which is the whole input.
bool isWhole(graph::AvgPoolOp pool) {
  auto shape = graph::tensorTypeOf(pool.getInput()).getShape();
  return areZeros(pool.getLow()) && areZeros(pool.getHigh()) &&
         areOnes(pool.getDilation()) &&
         shape.take_back(pool.getKernel().size()) == pool.getKernel();
}

/// The mean over its one window.
Value openPool(graph::AvgPoolOp pool) {
  OpBuilder builder(pool);
  Value x = pool.getInput();
  Type wide = graph::getAccumulationType(graph::elementTypeOf(x));
  SmallVector<int64_t> axes = graph::allAxes(x);
  axes.erase(axes.begin(), axes.end() - pool.getKernel().size());
  Location loc = pool.getLoc();
  Value sum = builder.create<graph::ReduceSumOp>(
      loc, graph::castTo(builder, loc, x, wide), axes);
  Value count = graph::splatLike(
      builder, loc, sum,
      double(graph::reducedCount(graph::tensorTypeOf(x), axes)));
  Value mean = builder.create<graph::DivOp>(loc, sum, count);
  mean = graph::castTo(builder, loc, mean, graph::elementTypeOf(pool));
  return graph::reshapeTo(builder, loc, mean,
                          graph::tensorTypeOf(pool).getShape());
}

/// Windows of which there is one are what they slide over.
Value openFold(graph::FoldOp fold) {
  auto shape = graph::tensorTypeOf(fold).getShape();
  auto windows = graph::tensorTypeOf(fold.getWindows()).getShape();
  size_t slides = fold.getStrides().size();
  if (!areOnes(windows.drop_back(slides).take_back(slides)) ||
      windows.take_back(slides) != shape.take_back(slides) ||
      !areOnes(fold.getDilation()))
    return {};
  OpBuilder builder(fold);
  return graph::reshapeTo(builder, fold.getLoc(), fold.getWindows(), shape);
}

} // namespace

void openComposites(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    SmallVector<Value> values;
    OpBuilder builder(&op);
    if (auto norm = dyn_cast<graph::BatchNormOp>(op)) {
      values = norm.decompose(builder);
    } else if (auto pool = dyn_cast<graph::AvgPoolOp>(op)) {
      if (isWhole(pool))
        values = {openPool(pool)};
    } else if (auto fold = dyn_cast<graph::FoldOp>(op)) {
      if (Value whole = openFold(fold))
        values = {whole};
    }
    if (values.empty())
      continue;
    op.replaceAllUsesWith(values);
    op.erase();
  }
}

} // namespace graphc::layout
