// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Panels.h"

using namespace mlir;

namespace graphc::interpreter {

/// Calls `visit` with the place of each element of a matrix of `shape` and its
/// place among those stored.
static void
forEachPlace(graph::PanelsAttr layout, ArrayRef<int64_t> shape,
             ArrayRef<int64_t> stored,
             llvm::function_ref<void(int64_t here, int64_t there)> visit) {
  int64_t width = layout.getWidth();
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    int64_t across = index[layout.getDim()], along = index[1 - layout.getDim()];
    visit(linearIndex(shape, index),
          linearIndex(stored, {across / width, along, across % width}));
  });
}

Tensor packPanels(graph::PanelsAttr layout, const Tensor &value) {
  Tensor stored(layout.getStoredType(value.type));
  forEachPlace(layout, value.shape(), stored.shape(),
               [&](int64_t here, int64_t there) {
                 stored.copyElement(there, value, here);
               });
  return stored;
}

Tensor unpackPanels(graph::PanelsAttr layout, RankedTensorType type,
                    const Tensor &stored) {
  Tensor value(type);
  forEachPlace(layout, value.shape(), stored.shape(),
               [&](int64_t here, int64_t there) {
                 value.copyElement(here, stored, there);
               });
  return value;
}

} // namespace graphc::interpreter
