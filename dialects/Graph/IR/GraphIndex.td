// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers, scatters, dynamic slices, scans and sorts.
#ifndef GRAPHC_GRAPH_INDEX_TD
#define GRAPHC_GRAPH_INDEX_TD

include "dialects/Graph/IR/GraphAttrs.td"

// Where a dynamic slice starts along one dimension.
def Graph_Start : Type<CPred<"::graphc::graph::isStartType($_self)">, "tensor<i64>",
                       "::mlir::RankedTensorType">,
    BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI64Type())">;

// ---- Gather and scatter --------------------------------------------------------

def Graph_GatherOp : Graph_Op<"gather", [Pure, Graph_Infer, Graph_Fusible, Graph_Follow]> {
  let summary = "Slices of a tensor along one dimension, at given indices";
  let description = [{
    With `a = axis` and `b = batch_dims`, `result[p, q, s] = input[p, i, s]` with
    `i = indices[p0, ..., pb-1, q]`, where `p` runs over the first `a` dimensions
    of `input`, `q` over the dimensions of `indices` from `b` on and `s` over the
    dimensions of `input` after `a`. An index outside [0, size of `axis`) fails the
    step, negative ones too: the call ends in an error that names this op's
    location, the index and its position, and changes no state. As for
    graph.check_index, that is no side effect that passes must know.

    Constraints:
      - (C1) `axis` is a dimension of `input`.
      - (C2) `batch_dims` is in [0, `axis`] and at most the rank of `indices`.
      - (C3) the first `batch_dims` dimensions of `input` and `indices` are equal.
      - (C4) dimension `axis` of `input` is not of size 0, unless `indices` has no
        elements.
      - (C5) `result` has the shape given above.

    Example: `%y = graph.gather %x, %i axis = 1 batch_dims = 1 : tensor<2x5x3xf32>, tensor<2x4xi64> -> tensor<2x4x3xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_IndexTensor:$indices,
                       I64Attr:$axis, DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $indices `axis` `=` $axis (`batch_dims` `=` $batch_dims^)? attr-dict `:`
    type($input) `,` type($indices) `->` type($result)
  }];
}
def Graph_ScatterAddOp : Graph_Op<"scatter_add", [Pure, Graph_Infer, Graph_Widest,
    DeclareOpInterfaceMethods<Graph_CostOpInterface, ["getFlops"]>]> {
  let summary = "A tensor plus slices at given indices of one dimension";
  let description = [{
    The transpose of graph.gather: `result` is `input`, and in the notation there
    each `updates[p, q, s]` is added to `result[p, i, s]`. What is added to one
    element is added in order: to the element of `input` first the update of the
    lowest position `q` (row-major), then the next, in the accumulation type,
    rounded once. An index out of range fails the step, as in graph.gather.

    Constraints:
      - (C1) `axis` is a dimension of `input`.
      - (C2) `batch_dims` is in [0, `axis`] and at most the rank of `indices`.
      - (C3) the first `batch_dims` dimensions of `input` and `indices` are equal.
      - (C4) dimension `axis` of `input` is not of size 0, unless `indices` has no
        elements.
      - (C5) `updates` has the type of graph.gather's result.
      - (C6) `result` has the type of `input`.

    Example: `%y = graph.scatter_add %x, %i, %u axis = 0 : tensor<5x3xf32>, tensor<4xi64>, tensor<4x3xf32> -> tensor<5x3xf32>`
  }];
  let arguments = (ins Graph_NumTensor:$input, Graph_IndexTensor:$indices,
                       Graph_NumTensor:$updates, I64Attr:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $input `,` $indices `,` $updates `axis` `=` $axis (`batch_dims` `=` $batch_dims^)?
    attr-dict `:` type($input) `,` type($indices) `,` type($updates) `->` type($result)
  }];
}
def Graph_EmbeddingOp : Graph_Op<"embedding", [Pure, Graph_Infer, Graph_Composite, Graph_Follow,
                                         Graph_Fusible]> {
  let summary = "Rows of a table, as torch.nn.functional.embedding";
  let description = [{
    `result[q, d] = weight[indices[q], d]`. Row `padding_idx`, if there is one, is
    read like any other but gets no gradient. The gradient of a row that is read
    several times is the sum in order of position, as graph.scatter_add. An index
    outside [0, rows) fails the step.

    Constraints:
      - (C1) `weight` has rank 2.
      - (C2) `weight` has a row, unless `indices` has no elements.
      - (C3) `padding_idx`, if present, is a row of `weight`.
      - (C4) `result` has the shape of `indices`, then the second dim of `weight`.

    Example: `%y = graph.embedding %w, %i padding_idx = 0 : tensor<10x4xf32>, tensor<2x3xi64> -> tensor<2x3x4xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$weight, Graph_IndexTensor:$indices,
                       OptionalAttr<I64Attr>:$padding_idx);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $weight `,` $indices (`padding_idx` `=` $padding_idx^)? attr-dict `:`
    type($weight) `,` type($indices) `->` type($result)
  }];
}
def Graph_OneHotOp : Graph_Op<"one_hot", [Pure, Graph_Composite, Graph_Fusible, Graph_Follow]> {
  let summary = "1 at each index along a new last dimension, 0 elsewhere";
  let description = [{
    `result[q, c]` is 1 (true) where `indices[q] = c`. An index outside [0, size of
    the last dimension of `result`) fails the step.

    Constraints:
      - (C1) `result` has the shape of `indices`, then one more dimension.

    Example: `%y = graph.one_hot %i : tensor<4xi64> -> tensor<4x10xf32>`
  }];
  let arguments = (ins Graph_IndexTensor:$indices);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$indices attr-dict `:` type($indices) `->` type($result)";
  let hasVerifier = 1;
}

// ---- Dynamic slices ------------------------------------------------------------

def Graph_DynamicSliceOp : Graph_Op<"dynamic_slice", [Pure, Graph_Infer, Graph_Follow]> {
  let summary = "A slice of a fixed size that starts where tensors say";
  let description = [{
    `result[i0, ..., in] = input[s0 + i0, ..., sn + in]`, where `sk` is `starts[k]`
    moved into [0, size of `input` - `sizes[k]`], so that the slice fits.

    Constraints:
      - (C1) `starts`, each a tensor<i64>, and `sizes` have one entry for each
        dimension.
      - (C2) each of `sizes` is in [0, size of that dimension of `input`].
      - (C3) `result` has the shape `sizes`.

    Example: `%y = graph.dynamic_slice %x, %i, %j sizes = [2, 3] : tensor<8x4xf32> -> tensor<2x3xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input, Variadic<Graph_Start>:$starts,
                       DenseI64ArrayAttr:$sizes);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input (`,` $starts^)? `sizes` `=` $sizes attr-dict `:` type($input) `->` type($result)
  }];
}
def Graph_DynamicUpdateSliceOp : Graph_Op<"dynamic_update_slice", [Pure, Graph_Infer,
                                                                     Graph_Widest]> {
  let summary = "A tensor with a slice, which starts where tensors say, replaced";
  let description = [{
    `input`, but `update[i0, ..., in]` at `[s0 + i0, ..., sn + in]`, where `sk` is
    `starts[k]` moved into [0, size of `input` - size of `update`].

    Constraints:
      - (C1) `update` has the element type and the rank of `input`, and no
        dimension larger than that of `input`.
      - (C2) `starts`, each a tensor<i64>, have one entry for each dimension.
      - (C3) `result` has the type of `input`.

    Example: `%y = graph.dynamic_update_slice %x, %u, %i, %j : tensor<8x4xf32>, tensor<2x3xf32> -> tensor<8x4xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$update,
                       Variadic<Graph_Start>:$starts);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $update (`,` $starts^)? attr-dict `:` type($input) `,` type($update)
    `->` type($result)
  }];
}

// ---- Scans and sorts -----------------------------------------------------------

def Graph_CumsumOp : Graph_Op<"cumsum", [Pure, SameOperandsAndResultType, Graph_Wide]> {
  let summary = "Sums of all elements up to each one along axis";
  let description = [{
    `result[i] = input[0] + ... + input[i]` along `axis`, added in that order in
    the accumulation type; each sum is rounded once. With `reverse`, `input[n-1] +
    ... + input[i]`. Integers wrap.

    Constraints:
      - (C1) `axis` is a dimension of the input.

    Example: `%y = graph.cumsum %x axis = 1 reverse : tensor<4x8xf32>`
  }];
  let arguments = (ins Graph_NumTensor:$input, I64Attr:$axis, UnitAttr:$reverse);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $input `axis` `=` $axis (`reverse` $reverse^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}
def Graph_SortOp : Graph_Op<"sort", [Pure, Graph_Infer, Graph_Follow,
    DeclareOpInterfaceMethods<Graph_CostOpInterface, ["getFlops"]>]> {
  let summary = "The elements along axis in order, and where they were";
  let description = [{
    Ascending, or with `descending` the largest first. Stable: equal elements, and
    -0 equals 0, stay in the order of their indices. NaN counts as larger than
    every number, as in PyTorch: last in ascending order, first in descending.
    `values[i] = input[indices[i]]` along `axis`, bit for bit.

    Constraints:
      - (C1) `axis` is a dimension of the input.
      - (C2) `values` has the type of `input`, `indices` its shape, of i64.

    Example: `%v, %i = graph.sort %x axis = 1 descending : tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4x8xi64>`
  }];
  let arguments = (ins Graph_NumTensor:$input, I64Attr:$axis, UnitAttr:$descending);
  let results = (outs Graph_NumTensor:$values, StaticShapeTensorOf<[I64]>:$indices);
  let assemblyFormat = [{
    $input `axis` `=` $axis (`descending` $descending^)? attr-dict `:` type($input)
    `->` type($values) `,` type($indices)
  }];
}
def Graph_TopKOp : Graph_Op<"top_k", [Pure, Graph_Infer, Graph_Composite, Graph_Follow]> {
  let summary = "The k largest elements along axis, and where they were";
  let description = [{
    The first `k` elements of graph.sort in descending order, or with `smallest` in
    ascending order: sorted, the lowest index of a tie first. NaN is the largest.

    Constraints:
      - (C1) `axis` is a dimension of the input.
      - (C2) `k` is in [0, size of `axis`].
      - (C3) `values` is the input with `k` elements along `axis`, `indices` has its
        shape, of i64.

    Example: `%v, %i = graph.top_k %x k = 3 axis = 1 : tensor<4x8xf32> -> tensor<4x3xf32>, tensor<4x3xi64>`
  }];
  let arguments = (ins Graph_NumTensor:$input, I64Attr:$k, I64Attr:$axis,
                       UnitAttr:$smallest);
  let results = (outs Graph_NumTensor:$values, StaticShapeTensorOf<[I64]>:$indices);
  let assemblyFormat = [{
    $input `k` `=` $k `axis` `=` $axis (`smallest` $smallest^)? attr-dict `:`
    type($input) `->` type($values) `,` type($indices)
  }];
}

// ---- Triangles -----------------------------------------------------------------

class Graph_TriangleOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType, Graph_Composite, Graph_Follow,
                          Graph_Fusible]> {
  let arguments = (ins Graph_Tensor:$input, DefaultValuedAttr<I64Attr, "0">:$diagonal);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input (`diagonal` `=` $diagonal^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Graph_TrilOp : Graph_TriangleOp<"tril"> {
  let summary = "The lower triangle of each matrix, 0 elsewhere";
  let description = [{
    Over the last two dimensions, `result[i, j]` is `input[i, j]` where
    `j - i <= diagonal`, else 0 (false).

    Constraints:
      - (C1) the input has rank 2 or more.

    Example: `%y = graph.tril %x diagonal = -1 : tensor<4x4xf32>`
  }];
}
def Graph_TriuOp : Graph_TriangleOp<"triu"> {
  let summary = "The upper triangle of each matrix, 0 elsewhere";
  let description = [{
    Over the last two dimensions, `result[i, j]` is `input[i, j]` where
    `j - i >= diagonal`, else 0 (false).

    Constraints:
      - (C1) the input has rank 2 or more.

    Example: `%y = graph.triu %x diagonal = 1 : tensor<4x4xf32>`
  }];
}

#endif // GRAPHC_GRAPH_INDEX_TD
