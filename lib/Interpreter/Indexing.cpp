// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers, scatters, dynamic slices, scans, sorts and triangles.

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace graphc::interpreter {

namespace {

using Index = llvm::SmallVector<int64_t>;

LogicalResult checkRange(Call &call, const Tensor &indices, int64_t limit) {
  for (int64_t i = 0; i < indices.size(); ++i)
    if (indices.ints[i] < 0 || indices.ints[i] >= limit)
      return call.error() << "expects index " << i << " to be in [0, " << limit
                          << "), but got " << indices.ints[i];
  return success();
}

/// Calls `visit(place in the gathered slices, place in x)` for each element of
/// slices of `shape`, taken from a tensor of shape `from` along `axis`.
void forEachGathered(ArrayRef<int64_t> shape, ArrayRef<int64_t> from,
                     const Tensor &indices, int64_t axis, int64_t batchDims,
                     llvm::function_ref<void(int64_t, int64_t)> visit) {
  int64_t positions = indices.rank() - batchDims;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    Index which(index.take_front(batchDims));
    llvm::append_range(which, index.slice(axis, positions));
    Index source(index.take_front(axis));
    source.push_back(indices.ints[linearIndex(indices.shape(), which)]);
    llvm::append_range(source, index.drop_front(axis + positions));
    visit(linearIndex(shape, index), linearIndex(from, source));
  });
}

LogicalResult gather(graph::GatherOp op, Call &call) {
  const Tensor &x = call.operand(0), &indices = call.operand(1);
  if (failed(checkRange(call, indices, x.shape()[op.getAxis()])))
    return failure();
  forEachGathered(call.result().shape(), x.shape(), indices, op.getAxis(),
                  op.getBatchDims(), [&](int64_t to, int64_t from) {
                    call.result().copyElement(to, x, from);
                  });
  return success();
}

LogicalResult scatterAdd(graph::ScatterAddOp op, Call &call) {
  const Tensor &x = call.operand(0), &indices = call.operand(1),
               &updates = call.operand(2);
  Tensor &result = call.result();
  if (failed(checkRange(call, indices, x.shape()[op.getAxis()])))
    return failure();
  std::vector<long double> sums(x.floats.begin(), x.floats.end());
  result.ints = x.ints;
  forEachGathered(updates.shape(), x.shape(), indices, op.getAxis(),
                  op.getBatchDims(), [&](int64_t from, int64_t to) {
                    if (x.isFloat())
                      sums[to] += updates.floats[from];
                    else
                      result.ints[to] =
                          wrapTo(x.kind(),
                                 static_cast<uint64_t>(result.ints[to]) +
                                     static_cast<uint64_t>(updates.ints[from]));
                  });
  for (size_t i = 0; i < sums.size(); ++i)
    result.floats[i] = static_cast<double>(sums[i]);
  return success();
}

LogicalResult embedding(graph::EmbeddingOp, Call &call) {
  const Tensor &weight = call.operand(0), &indices = call.operand(1);
  int64_t width = weight.shape()[1];
  if (failed(checkRange(call, indices, weight.shape()[0])))
    return failure();
  for (int64_t i : upTo(indices.size()))
    for (int64_t d = 0; d < width; ++d)
      call.result().copyElement(i * width + d, weight,
                                indices.ints[i] * width + d);
  return success();
}

LogicalResult oneHot(graph::OneHotOp, Call &call) {
  const Tensor &indices = call.operand();
  Tensor &result = call.result();
  int64_t classes = result.shape().back();
  if (failed(checkRange(call, indices, classes)))
    return failure();
  for (int64_t i = 0; i < indices.size(); ++i) {
    int64_t place = i * classes + indices.ints[i];
    if (result.isFloat())
      result.floats[place] = 1;
    else
      result.ints[place] = 1;
  }
  return success();
}

/// Where a slice of `sizes` starts, moved so that it fits into `shape`.
Index readStarts(ArrayRef<const Tensor *> starts, ArrayRef<int64_t> shape,
                 ArrayRef<int64_t> sizes) {
  Index fitting;
  for (auto [start, size, slice] : llvm::zip_equal(starts, shape, sizes))
    fitting.push_back(
        std::max<int64_t>(0, std::min(start->ints[0], size - slice)));
  return fitting;
}

/// Calls `visit(place in the slice, place in the whole)`.
void forEachSliced(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes,
                   ArrayRef<int64_t> starts,
                   llvm::function_ref<void(int64_t, int64_t)> visit) {
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    Index whole;
    for (auto [i, start] : llvm::zip_equal(index, starts))
      whole.push_back(start + i);
    visit(linearIndex(sizes, index), linearIndex(shape, whole));
  });
}

LogicalResult dynamicSlice(graph::DynamicSliceOp op, Call &call) {
  const Tensor &x = call.operand();
  Index starts =
      readStarts(call.operands.drop_front(), x.shape(), op.getSizes());
  forEachSliced(x.shape(), op.getSizes(), starts,
                [&](int64_t to, int64_t from) {
                  call.result().copyElement(to, x, from);
                });
  return success();
}

LogicalResult dynamicUpdateSlice(Call &call) {
  const Tensor &x = call.operand(0), &update = call.operand(1);
  Index starts =
      readStarts(call.operands.drop_front(2), x.shape(), update.shape());
  for (int64_t i : upTo(x.size()))
    call.result().copyElement(i, x, i);
  forEachSliced(x.shape(), update.shape(), starts,
                [&](int64_t from, int64_t to) {
                  call.result().copyElement(to, update, from);
                });
  return success();
}

/// Calls `visit` with the places of each line of elements along `axis`.
void forEachLine(ArrayRef<int64_t> shape, int64_t axis,
                 llvm::function_ref<void(ArrayRef<int64_t> places)> visit) {
  Index first(shape);
  first[axis] = 1;
  forEachIndex(first, [&](ArrayRef<int64_t> start) {
    Index index(start), places;
    for (index[axis] = 0; index[axis] < shape[axis]; ++index[axis])
      places.push_back(linearIndex(shape, index));
    visit(places);
  });
}

LogicalResult cumsum(graph::CumsumOp op, Call &call) {
  const Tensor &x = call.operand();
  Tensor &result = call.result();
  forEachLine(x.shape(), op.getAxis(), [&](ArrayRef<int64_t> places) {
    Index line(places);
    if (op.getReverse())
      std::reverse(line.begin(), line.end());
    long double sum = -0.0L; // to which -0 adds nothing
    uint64_t bits = 0;
    for (int64_t place : line) {
      if (x.isFloat()) {
        sum += x.floats[place];
        result.floats[place] = static_cast<double>(sum);
      } else {
        bits += static_cast<uint64_t>(x.ints[place]);
        result.ints[place] = wrapTo(x.kind(), bits);
      }
    }
  });
  return success();
}

/// True if element `a` of `x` comes before element `b` because of its value.
/// NaN is larger than any number.
bool comesBefore(const Tensor &x, int64_t a, int64_t b, bool descending) {
  if (descending)
    std::swap(a, b);
  if (!x.isFloat())
    return x.ints[a] < x.ints[b];
  if (std::isnan(x.floats[b]))
    return !std::isnan(x.floats[a]);
  return x.floats[a] < x.floats[b]; // false for a NaN a
}

/// The first `count` of each line along `axis`, in order.
void sortLines(Call &call, int64_t axis, int64_t count, bool descending) {
  const Tensor &x = call.operand();
  Tensor &values = call.result(0), &indices = call.result(1);
  std::vector<Index> targets;
  forEachLine(values.shape(), axis, [&](ArrayRef<int64_t> places) {
    targets.push_back(Index(places));
  });
  size_t line = 0;
  forEachLine(x.shape(), axis, [&](ArrayRef<int64_t> places) {
    Index order(places.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return comesBefore(x, places[a], places[b], descending);
    });
    for (int64_t k = 0; k < count; ++k) {
      values.copyElement(targets[line][k], x, places[order[k]]);
      indices.ints[targets[line][k]] = order[k];
    }
    ++line;
  });
}

LogicalResult sort(graph::SortOp op, Call &call) {
  sortLines(call, op.getAxis(), call.operand().shape()[op.getAxis()],
            op.getDescending());
  return success();
}

LogicalResult topK(graph::TopKOp op, Call &call) {
  // Without one there are no lines to match up.
  if (op.getK() != 0)
    sortLines(call, op.getAxis(), op.getK(), !op.getSmallest());
  return success();
}

/// Keeps the elements whose column - row satisfies `keeps`.
LogicalResult triangle(Call &call,
                       llvm::function_ref<bool(int64_t offset)> keeps) {
  const Tensor &x = call.operand();
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    int64_t place = linearIndex(x.shape(), index);
    if (keeps(index.back() - index.drop_back().back()))
      call.result().copyElement(place, x, place);
  });
  return success();
}

LogicalResult tril(graph::TrilOp op, Call &call) {
  auto diagonal = static_cast<int64_t>(op.getDiagonal());
  return triangle(call, [&](int64_t offset) { return offset <= diagonal; });
}

LogicalResult triu(graph::TriuOp op, Call &call) {
  auto diagonal = static_cast<int64_t>(op.getDiagonal());
  return triangle(call, [&](int64_t offset) { return offset >= diagonal; });
}

} // namespace

void addIndexing(OpTable &table) {
  table.add<graph::GatherOp>(gather);
  table.add<graph::ScatterAddOp>(scatterAdd);
  table.add<graph::EmbeddingOp>(embedding);
  table.add<graph::OneHotOp>(oneHot);
  table.add<graph::DynamicSliceOp>(dynamicSlice);
  table.add<graph::DynamicUpdateSliceOp>(dynamicUpdateSlice);
  table.add<graph::CumsumOp>(cumsum);
  table.add<graph::SortOp>(sort);
  table.add<graph::TopKOp>(topK);
  table.add<graph::TrilOp>(tril);
  table.add<graph::TriuOp>(triu);
}

} // namespace graphc::interpreter
