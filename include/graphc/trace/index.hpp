// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that take, add or move elements where tensors of indices say, scans
// and sorts. Include graphc/trace.hpp.
//
// Indices are i32 or i64. One that is out of range, and a negative one always
// is, fails the call at run time, which then changes no state: the error names
// the index, its position and this place in the program.
#ifndef GRAPHC_TRACE_INDEX_HPP
#define GRAPHC_TRACE_INDEX_HPP

#include <optional>

#include "graphc/trace/shape.hpp"

namespace graphc {

namespace detail {
inline std::string axisText(int64_t axis, int64_t batchDims = 0) {
  return "{axis = " + attribute(axis) +
         ", batch_dims = " + attribute(batchDims) + "}";
}
/// The dimensions of a tensor of `rank` with `dim` last, and the way back.
inline Shape dimLast(int64_t dim, int64_t rank) {
  Shape dims;
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim)
      dims.push_back(d);
  dims.push_back(dim);
  return dims;
}
inline Shape dimBack(int64_t dim, int64_t rank) {
  Shape dims;
  for (int64_t d = 0; d < rank; ++d)
    dims.push_back(d < dim ? d : d == dim ? rank - 1 : d - 1);
  return dims;
}
inline Tensor permuteTo(const Tensor &x, const Shape &dims,
                        const Source &source) {
  return std::is_sorted(dims.begin(), dims.end())
             ? x
             : permute(Operand(x, source), dims);
}
/// The first `sizes` elements of `x`; all along `dim`, if that is not -1.
inline Tensor firstElements(const Tensor &x, Shape sizes, int64_t dim,
                            const Source &source) {
  if (dim >= 0)
    sizes[dim] = x.shape()[dim];
  if (sizes == x.shape())
    return x;
  return build(source, "graph.slice", {x},
               "{starts = " + attribute(Shape(sizes.size(), 0)) +
                   ", limits = " + attribute(sizes) +
                   ", strides = " + attribute(Shape(sizes.size(), 1)) + "}");
}
/// Throws unless `index` has the rank of `x` and, but along `dim`, no size
/// larger.
inline void checkIndexShape(const char *name, const Tensor &x,
                            const Tensor &index, int64_t dim,
                            const Source &source) {
  bool fits = index.dim() == x.dim();
  for (int64_t d = 0; fits && d < x.dim(); ++d)
    fits = d == dim || index.shape()[d] <= x.shape()[d];
  if (!fits)
    raise(source, std::string(name) + " expects an index of the rank of " +
                      toString(x.shape()) +
                      " and no larger than it but along dimension " +
                      std::to_string(dim) + ", but got " +
                      toString(index.shape()) + "\nnote: it is " +
                      index.origin());
}
inline std::vector<Tensor> startTensors(const std::vector<Operand> &starts,
                                        const Source &source) {
  std::vector<Tensor> tensors;
  for (const Operand &start : starts)
    tensors.push_back(castTo(asTensor(start), i64, source));
  return tensors;
}
} // namespace detail

/// Slices of `input`, of any dtype, along `dim`: result[..., k, ...] is
/// input[..., index[k], ...]. Throws unless `index` has rank 1 at most; rank 0
/// counts as one index.
inline Tensor index_select(const Operand &input, int64_t dim,
                           const Operand &index) {
  Tensor x = detail::asTensor(input), i = detail::asTensor(index);
  int64_t axis = detail::wrapDim(dim, x.dim(), input.source);
  if (i.dim() > 1)
    raise(input.source, "index_select expects an index of rank 1, but got " +
                            toString(i.shape()) + "\nnote: it is " +
                            i.origin());
  if (i.dim() == 0)
    i = detail::reshapeTo(i, {1}, input.source);
  return detail::build(input.source, "graph.gather", {x, i},
                       detail::axisText(axis));
}

/// As torch.gather, of any dtype: result[i][j][k] is input[i][index[i][j][k]][k]
/// for `dim` 1 of three. Throws unless `index` has the rank of `input` and, but
/// along `dim`, no larger size.
inline Tensor gather(const Operand &input, int64_t dim, const Operand &index) {
  const Source &source = input.source;
  Tensor x = detail::asTensor(input), i = detail::asTensor(index);
  int64_t rank = x.dim(), axis = detail::wrapDim(dim, rank, source);
  detail::checkIndexShape("gather", x, i, axis, source);
  x = detail::firstElements(x, i.shape(), axis, source);
  Shape last = detail::dimLast(axis, rank);
  Tensor result = detail::build(
      source, "graph.gather",
      {detail::permuteTo(x, last, source), detail::permuteTo(i, last, source)},
      detail::axisText(rank - 1, rank - 1));
  return detail::permuteTo(result, detail::dimBack(axis, rank), source);
}

/// Rows of `weight`, a float tensor of rank 2: the shape of `input`, which
/// holds indices, and then the length of a row. Row `padding_idx`, which
/// negative counts from the end, gets no gradient. Throws if there is no such
/// row.
inline Tensor embedding(const Operand &input, const Operand &weight,
                        std::optional<int64_t> padding_idx = {}) {
  Tensor i = detail::asTensor(input), table = detail::asTensor(weight);
  std::string attributes;
  if (padding_idx) {
    int64_t rows = table.dim() ? table.shape()[0] : 0;
    if (*padding_idx < -rows || *padding_idx >= rows)
      raise(input.source, "embedding expects padding_idx in [" +
                              std::to_string(-rows) + ", " +
                              std::to_string(rows) + "), but got " +
                              std::to_string(*padding_idx));
    attributes = "{padding_idx = " +
                 detail::attribute(*padding_idx < 0 ? *padding_idx + rows
                                                    : *padding_idx) +
                 "}";
  }
  return detail::build(input.source, "graph.embedding", {table, i}, attributes);
}

/// `input`, of any dtype but i1, plus source[..., k, ...] at [..., index[k],
/// ...] for each k, in order. Throws unless `index` has rank 1 and `source` the
/// shape of `input` but for as many slices as there are indices.
inline Tensor index_add(const Operand &input, int64_t dim, const Operand &index,
                        const Operand &source) {
  Tensor x = detail::asTensor(input), i = detail::asTensor(index);
  int64_t axis = detail::wrapDim(dim, x.dim(), input.source);
  if (i.dim() != 1)
    raise(input.source, "index_add expects an index of rank 1, but got " +
                            toString(i.shape()) + "\nnote: it is " +
                            i.origin());
  return detail::build(input.source, "graph.scatter_add",
                       {x, i, detail::asTensor(source)},
                       detail::axisText(axis));
}

/// As torch.scatter_add, of any dtype but i1: for `dim` 1 of three adds
/// src[i][j][k] at [i][index[i][j][k]][k] to `input`, in order of j. Throws
/// unless `index` has the rank of both, no size larger than that of `src` and,
/// but along `dim`, none larger than that of `input`.
inline Tensor scatter_add(const Operand &input, int64_t dim,
                          const Operand &index, const Operand &src) {
  const Source &source = input.source;
  Tensor x = detail::asTensor(input), i = detail::asTensor(index),
         added = detail::asTensor(src);
  int64_t rank = x.dim(), axis = detail::wrapDim(dim, rank, source);
  detail::checkIndexShape("scatter_add", x, i, axis, source);
  detail::checkIndexShape("scatter_add", added, i, -1, source);
  Tensor part = detail::firstElements(x, i.shape(), axis, source);
  added = detail::firstElements(added, i.shape(), -1, source);
  Shape last = detail::dimLast(axis, rank);
  Tensor sums = detail::build(source, "graph.scatter_add",
                              {detail::permuteTo(part, last, source),
                               detail::permuteTo(i, last, source),
                               detail::permuteTo(added, last, source)},
                              detail::axisText(rank - 1, rank - 1));
  sums = detail::permuteTo(sums, detail::dimBack(axis, rank), source);
  if (sums.shape() == x.shape())
    return sums;
  std::vector<Tensor> operands = {x, sums};
  operands.resize(2 + rank, detail::scalar(0, i64, source));
  return detail::build(source, "graph.dynamic_update_slice", operands);
}

/// 1 at each index along a new last dimension of size `num_classes`, 0
/// elsewhere; i64 by default, as in PyTorch.
inline Tensor one_hot(const Operand &indices, int64_t num_classes,
                      graphc_dtype dtype = i64) {
  Tensor i = detail::asTensor(indices);
  if (num_classes < 0)
    raise(indices.source, "one_hot expects a number of classes, 0 or more, but "
                          "got " +
                              std::to_string(num_classes));
  Shape shape = i.shape();
  shape.push_back(num_classes);
  return detail::build(indices.source, "graph.one_hot", {i}, "", dtype, shape);
}

/// The slice of `x`, of any dtype, of `sizes` that begins at `starts`: rank-0
/// integer tensors or numbers, moved so that the slice fits. Throws unless there
/// is one of each for each dimension, and the sizes are those of a slice.
inline Tensor dynamic_slice(const Operand &x,
                            const std::vector<Operand> &starts,
                            const Shape &sizes) {
  std::vector<Tensor> operands = detail::startTensors(starts, x.source);
  operands.insert(operands.begin(), detail::asTensor(x));
  return detail::build(x.source, "graph.dynamic_slice", operands,
                       "{sizes = " + detail::attribute(sizes) + "}");
}
/// `x` with the slice that begins at `starts`, as above, replaced by `update`.
inline Tensor dynamic_update_slice(const Operand &x, const Operand &update,
                                   const std::vector<Operand> &starts) {
  std::vector<Tensor> operands = detail::startTensors(starts, x.source);
  operands.insert(operands.begin(),
                  {detail::asTensor(x), detail::asTensor(update)});
  return detail::build(x.source, "graph.dynamic_update_slice", operands);
}

/// Sums of all elements up to each one along `dim`, added in order; of any
/// dtype but i1. The dtype stays, also where PyTorch gives i64.
inline Tensor cumsum(const Operand &x, int64_t dim) {
  int64_t axis = detail::wrapDim(dim, detail::asTensor(x).dim(), x.source);
  return detail::unary("graph.cumsum", x,
                       "{axis = " + detail::attribute(axis) + "}");
}

/// What sort() and topk() return.
struct ValuesAndIndices {
  Tensor values, indices;
};

/// The elements along `dim` in order, and where they were, as i64. Stable; NaN
/// is the largest. Of any dtype but i1.
inline ValuesAndIndices sort(const Operand &x, int64_t dim = -1,
                             bool descending = false) {
  Tensor input = detail::asTensor(x);
  int64_t axis = detail::wrapDim(dim, input.dim(), x.source);
  auto results =
      detail::buildMany(x.source, "graph.sort", {input},
                        "{axis = " + detail::attribute(axis) +
                            (descending ? ", descending}" : "}"),
                        {{input.dtype(), input.shape()}, {i64, input.shape()}});
  return {results[0], results[1]};
}
/// The indices that sort() gives.
inline Tensor argsort(const Operand &x, int64_t dim = -1,
                      bool descending = false) {
  return sort(x, dim, descending).indices;
}
/// The `k` largest (smallest) elements along `dim` in order, and where they
/// were, as i64; the first of equals. NaN is the largest. Of any dtype but i1.
/// Throws unless there are `k`.
inline ValuesAndIndices topk(const Operand &x, int64_t k, int64_t dim = -1,
                             bool largest = true) {
  Tensor input = detail::asTensor(x);
  int64_t axis = detail::wrapDim(dim, input.dim(), x.source);
  Shape shape = input.shape();
  if (k < 0 || k > shape[axis])
    raise(x.source, "topk expects k in [0, " + std::to_string(shape[axis]) +
                        "], but got " + std::to_string(k) + "\nnote: of " +
                        input.origin());
  shape[axis] = k;
  auto results = detail::buildMany(x.source, "graph.top_k", {input},
                                   "{k = " + detail::attribute(k) +
                                       ", axis = " + detail::attribute(axis) +
                                       (largest ? "}" : ", smallest}"),
                                   {{input.dtype(), shape}, {i64, shape}});
  return {results[0], results[1]};
}

/// Each matrix of `x`, of any dtype, with 0 above (below) diagonal number
/// `diagonal`: 0 is the main one, 1 the one above it.
inline Tensor tril(const Operand &x, int64_t diagonal = 0) {
  return detail::unary("graph.tril", x,
                       "{diagonal = " + detail::attribute(diagonal) + "}");
}
inline Tensor triu(const Operand &x, int64_t diagonal = 0) {
  return detail::unary("graph.triu", x,
                       "{diagonal = " + detail::attribute(diagonal) + "}");
}

} // namespace graphc

#endif // GRAPHC_TRACE_INDEX_HPP
