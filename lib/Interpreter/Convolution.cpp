// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions, pooling and windows.

#include "lib/Interpreter/Ops.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {

using Index = llvm::SmallVector<int64_t>;

LogicalResult checkWork(Call &call, int64_t positions,
                        ArrayRef<int64_t> factors) {
  bool overflow = false;
  for (int64_t factor : factors)
    overflow |= llvm::MulOverflow(positions, factor, positions);
  if (overflow || positions > call.options.maxProducts)
    return call.error() << "needs more than " << call.options.maxProducts
                        << " multiplications";
  return success();
}

/// The element of `x` at (n, c, at...), 0 outside.
double elementOrZero(const Tensor &x, int64_t n, int64_t c,
                     ArrayRef<int64_t> at) {
  Index index = {n, c};
  for (auto [k, i] : llvm::enumerate(at)) {
    if (i < 0 || i >= x.shape()[k + 2])
      return 0;
    index.push_back(i);
  }
  return x.floats[linearIndex(x.shape(), index)];
}

/// The place in the input that window position `p` meets at offset `k`.
template <typename Op>
Index meet(Op op, ArrayRef<int64_t> p, ArrayRef<int64_t> k) {
  Index at;
  for (size_t d = 0; d < p.size(); ++d)
    at.push_back(p[d] * op.getStrides()[d] + k[d] * op.getDilation()[d] -
                 op.getLow()[d]);
  return at;
}

double weightAt(const Tensor &w, int64_t first, int64_t second,
                ArrayRef<int64_t> k) {
  Index index = {first, second};
  llvm::append_range(index, k);
  return w.floats[linearIndex(w.shape(), index)];
}

LogicalResult conv(graph::ConvOp op, Call &call) {
  const Tensor &x = call.operand(0), &w = call.operand(1);
  Tensor &result = call.result();
  if (failed(checkWork(call, result.size(), w.shape().drop_front())))
    return failure();
  auto groups = static_cast<int64_t>(op.getGroups());
  int64_t channels = w.shape()[1];
  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    int64_t n = index[0], o = index[1], g = o / (w.shape()[0] / groups);
    long double sum = op.getBias() ? call.operand(2).floats[o] : 0;
    for (int64_t c = 0; c < channels; ++c)
      forEachIndex(w.shape().drop_front(2), [&](ArrayRef<int64_t> k) {
        sum += static_cast<long double>(weightAt(w, o, c, k)) *
               elementOrZero(x, n, g * channels + c,
                             meet(op, index.drop_front(2), k));
      });
    result.floats[linearIndex(result.shape(), index)] =
        static_cast<double>(sum);
  });
  return success();
}

LogicalResult convTranspose(graph::ConvTransposeOp op, Call &call) {
  const Tensor &x = call.operand(0), &w = call.operand(1);
  Tensor &result = call.result();
  auto groups = static_cast<int64_t>(op.getGroups());
  int64_t channels = x.shape()[1] / groups, outputs = w.shape()[1];
  bool leavesOutZeros = op.leavesOutZeros();
  if (failed(checkWork(call, result.size(), channels)) ||
      failed(checkWork(call, result.size(), w.shape().drop_front(2))))
    return failure();
  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    int64_t n = index[0], o = index[1], g = o / outputs;
    long double sum = op.getBias() ? call.operand(2).floats[o] : 0;
    for (int64_t c = g * channels; c < (g + 1) * channels; ++c)
      forEachIndex(w.shape().drop_front(2), [&](ArrayRef<int64_t> k) {
        Index at;
        bool isBetween = false; // neighbours
        for (size_t d = 0; d < k.size(); ++d) {
          int64_t place =
              index[d + 2] + op.getLow()[d] - k[d] * op.getDilation()[d];
          int64_t stride = op.getStrides()[d];
          isBetween |= place % stride != 0;
          at.push_back(place / stride);
        }
        if (isBetween && leavesOutZeros)
          return;
        sum += static_cast<long double>(weightAt(w, c, o % outputs, k)) *
               (isBetween ? 0 : elementOrZero(x, n, c, at));
      });
    result.floats[linearIndex(result.shape(), index)] =
        static_cast<double>(sum);
  });
  return success();
}

LogicalResult convWeightGrad(graph::ConvWeightGradOp op, Call &call) {
  const Tensor &x = call.operand(0), &grad = call.operand(1);
  Tensor &result = call.result();
  auto groups = static_cast<int64_t>(op.getGroups());
  int64_t channels = x.shape()[1] / groups;
  if (failed(checkWork(call, result.size(), x.shape()[0])) ||
      failed(checkWork(call, result.size(), grad.shape().drop_front(2))))
    return failure();
  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    int64_t o = index[0], g = o / (result.shape()[0] / groups);
    long double sum = 0;
    for (int64_t n = 0; n < x.shape()[0]; ++n)
      forEachIndex(grad.shape().drop_front(2), [&](ArrayRef<int64_t> p) {
        sum += static_cast<long double>(weightAt(grad, n, o, p)) *
               elementOrZero(x, n, g * channels + index[1],
                             meet(op, p, index.drop_front(2)));
      });
    result.floats[linearIndex(result.shape(), index)] =
        static_cast<double>(sum);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

LogicalResult reverse(graph::ReverseOp op, Call &call) {
  const Tensor &x = call.operand();
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    Index from(index);
    for (int64_t axis : op.getAxes())
      from[axis] = x.shape()[axis] - 1 - index[axis];
    call.result().copyElement(linearIndex(x.shape(), index), x,
                              linearIndex(x.shape(), from));
  });
  return success();
}

/// The place in the unfolded tensor's origin of window element `index`.
template <typename Op> Index origin(Op op, ArrayRef<int64_t> index) {
  size_t slides = op.getStrides().size();
  Index at(index.drop_back(slides));
  size_t first = at.size() - slides;
  for (size_t d = 0; d < slides; ++d)
    at[first + d] = index[first + d] * op.getStrides()[d] +
                    index[first + slides + d] * op.getDilation()[d];
  return at;
}

LogicalResult takeWindows(graph::UnfoldOp op, Call &call) {
  Tensor &result = call.result();
  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    const Tensor &x = call.operand();
    result.copyElement(linearIndex(result.shape(), index), x,
                       linearIndex(x.shape(), origin(op, index)));
  });
  return success();
}

LogicalResult addWindows(graph::FoldOp op, Call &call) {
  const Tensor &windows = call.operand();
  Tensor &result = call.result();
  std::vector<long double> sums(result.size());
  std::vector<uint64_t> intSums(result.size());
  forEachIndex(windows.shape(), [&](ArrayRef<int64_t> index) {
    int64_t from = linearIndex(windows.shape(), index);
    int64_t to = linearIndex(result.shape(), origin(op, index));
    if (windows.isFloat())
      sums[to] += windows.floats[from];
    else
      intSums[to] += static_cast<uint64_t>(windows.ints[from]);
  });
  for (int64_t i = 0; i < result.size(); ++i) {
    if (result.isFloat())
      result.floats[i] = static_cast<double>(sums[i]);
    else
      result.ints[i] = wrapTo(result.kind(), intSums[i]);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Calls `visit` with the place in the input of each element that the window
/// of result `index` holds, padding left out.
template <typename Pool>
void forEachInWindow(Pool op, const Tensor &x, ArrayRef<int64_t> index,
                     llvm::function_ref<void(int64_t)> visit) {
  size_t slides = op.getKernel().size(), before = index.size() - slides;
  forEachIndex(op.getKernel(), [&](ArrayRef<int64_t> k) {
    Index at(index.take_front(before));
    for (size_t d = 0; d < slides; ++d) {
      int64_t i = index[before + d] * op.getStrides()[d] +
                  k[d] * op.getDilation()[d] - op.getLow()[d];
      if (i < 0 || i >= x.shape()[before + d])
        return;
      at.push_back(i);
    }
    visit(linearIndex(x.shape(), at));
  });
}

LogicalResult maxPool(graph::MaxPoolOp op, Call &call) {
  const Tensor &x = call.operand();
  Tensor &result = call.result();
  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    int64_t place = linearIndex(result.shape(), index);
    if (x.isFloat()) {
      double best = -INFINITY;
      forEachInWindow(op, x, index,
                      [&](int64_t at) { best = maximum(best, x.floats[at]); });
      result.floats[place] = best;
    } else {
      int64_t best = getMinimum(x.kind());
      forEachInWindow(op, x, index,
                      [&](int64_t at) { best = std::max(best, x.ints[at]); });
      result.ints[place] = best;
    }
  });
  return success();
}

LogicalResult avgPool(graph::AvgPoolOp op, Call &call) {
  const Tensor &x = call.operand();
  Tensor &result = call.result();
  int64_t size = 1;
  for (int64_t k : op.getKernel())
    size *= k;
  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    long double sum = 0;
    int64_t count = 0;
    forEachInWindow(op, x, index, [&](int64_t at) {
      sum += x.floats[at];
      ++count;
    });
    if (!op.getExcludePadding())
      count = size;
    result.floats[linearIndex(result.shape(), index)] =
        static_cast<double>(sum / static_cast<long double>(count));
  });
  return success();
}

} // namespace

void addConvolutions(OpTable &table) {
  table.add<graph::ConvOp>(conv);
  table.add<graph::ConvTransposeOp>(convTranspose);
  table.add<graph::ConvWeightGradOp>(convWeightGrad);
  table.add<graph::ReverseOp>(reverse);
  table.add<graph::UnfoldOp>(takeWindows);
  table.add<graph::FoldOp>(addWindows);
  table.add<graph::MaxPoolOp>(maxPool);
  table.add<graph::AvgPoolOp>(avgPool);
}

} // namespace graphc::interpreter
