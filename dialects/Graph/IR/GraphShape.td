// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and ops that only move data.
#ifndef GRAPHC_GRAPH_SHAPE_TD
#define GRAPHC_GRAPH_SHAPE_TD

include "dialects/Graph/IR/GraphAttrs.td"

def Graph_ConstantOp : Graph_Op<"constant", [Pure, ConstantLike, Graph_Infer, Graph_Follow]> {
  let summary = "A tensor known at compile time";
  let description = "Example: `%c = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>`";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}
def Graph_IotaOp : Graph_Op<"iota", [Pure, Graph_Fusible, Graph_Follow]> {
  let summary = "The index along one dimension";
  let description = [{
    `result[i0, ..., in] = i_axis`, rounded to the element type.

    Constraints:
      - (C1) `axis` is a dimension of the result.

    Example: `%i = graph.iota axis = 1 : tensor<2x3xi64>`
  }];
  let arguments = (ins I64Attr:$axis);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = "`axis` `=` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Graph_BroadcastOp : Graph_Op<"broadcast", [Pure, Graph_Fusible, Graph_Follow,
                                               SameOperandsAndResultElementType]> {
  let summary = "Repeats a tensor along new dimensions";
  let description = [{
    Dimension k of the input becomes dimension `dims[k]` of the result; the other
    result dimensions repeat it.

    Constraints:
      - (C1) `dims` has one entry for each input dimension, strictly increasing,
        each a dimension of the result.
      - (C2) input dimension k has the size of result dimension `dims[k]`.

    Example: `%y = graph.broadcast %x dims = [1] : tensor<4xf32> -> tensor<8x4xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `dims` `=` $dims attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Graph_ReshapeOp : Graph_Op<"reshape", [Pure, Graph_Fusible, Graph_Follow,
                                           SameOperandsAndResultElementType]> {
  let summary = "The same elements, in row-major order, in another shape";
  let description = [{
    Constraints:
      - (C1) input and result have as many elements.

    Example: `%y = graph.reshape %x : tensor<8x4xf32> -> tensor<32xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Graph_TransposeOp : Graph_Op<"transpose", [Pure, Graph_Fusible, Graph_Infer, Graph_Follow]> {
  let summary = "Permutes dimensions: result dim i is input dim permutation[i]";
  let description = [{
    Constraints:
      - (C1) `permutation` holds each input dimension once.

    Example: `%y = graph.transpose %x permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `permutation` `=` $permutation attr-dict `:` type($input) `->` type($result)
  }];
  let hasFolder = 1;
}
def Graph_SliceOp : Graph_Op<"slice", [Pure, Graph_Fusible, Graph_Infer, Graph_Follow]> {
  let summary = "Elements start, start + stride, ... below limit of each dimension";
  let description = [{
    Constraints:
      - (C1) `starts`, `limits` and `strides` have one entry for each dimension.
      - (C2) 0 <= start <= limit <= size, and stride is at least 1.

    Example: `%y = graph.slice %x starts = [0, 1] limits = [8, 4] strides = [2, 1] : tensor<8x4xf32> -> tensor<4x3xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$limits, DenseI64ArrayAttr:$strides);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `starts` `=` $starts `limits` `=` $limits `strides` `=` $strides
    attr-dict `:` type($input) `->` type($result)
  }];
  let hasFolder = 1;
}
def Graph_PadOp : Graph_Op<"pad", [Pure, Graph_Fusible, Graph_Infer, Graph_Widest]> {
  let summary = "Surrounds a tensor by a value, and puts it between elements";
  let description = [{
    `interior[k]` copies of the value go between neighbours along dimension k.

    Constraints:
      - (C1) `low`, `high` and `interior` have one entry for each dimension, none negative;
        those of `interior` are less than 2^63 - 1, so that 1 more is a stride.
      - (C2) `value` has rank 0 and the input's element type.

    Example: `%y = graph.pad %x, %v low = [1] high = [0] interior = [0] : tensor<4xf32> -> tensor<5xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$value,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       DenseI64ArrayAttr:$interior);
  let results = (outs Graph_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
}
def Graph_ConcatOp : Graph_Op<"concat", [Pure, Graph_Fusible, Graph_Infer, Graph_Widest]> {
  let summary = "Joins tensors along one dimension";
  let description = [{
    Constraints:
      - (C1) there is at least one input, and `axis` is one of its dimensions.
      - (C2) all inputs have one element type and agree in every other dimension.

    Example: `%z = graph.concat %x, %y axis = 0 : tensor<2x4xf32>, tensor<3x4xf32> -> tensor<5x4xf32>`
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $inputs `axis` `=` $axis attr-dict `:` type($inputs) `->` type($result)
  }];
  let hasFolder = 1;
}

#endif // GRAPHC_GRAPH_SHAPE_TD
