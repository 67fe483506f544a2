// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions, pooling and the windows that they slide.
//
// Spatial dimensions come last. Lists have one entry for each of them.
#ifndef GRAPHC_GRAPH_CONV_TD
#define GRAPHC_GRAPH_CONV_TD

include "dialects/Graph/IR/GraphAttrs.td"

def Graph_ReverseOp : Graph_Op<"reverse", [Pure, Graph_Fusible, SameOperandsAndResultType,
                                           Graph_Follow]> {
  let summary = "Turns dimensions around (torch.flip)";
  let description = [{
    Element i along each of `axes` is element size - 1 - i of the input.

    Constraints:
      - (C1) `axes` are dimensions of the input, strictly increasing.

    Example: `%y = graph.reverse %x axes = [1] : tensor<4x8xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$axes);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `axes` `=` $axes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

def Graph_UnfoldOp : Graph_Op<"unfold", [Pure, Graph_Fusible, Graph_Infer, Graph_Follow]> {
  let summary = "All positions of a sliding window, each with its elements";
  let description = [{
    `result[b..., p..., k...] = input[b..., p * strides + k * dilation...]` over
    the last dimensions, as many as `kernel` has entries; `k` counts inside the
    window. There are `(size - dilation * (kernel - 1) - 1) / strides + 1`
    positions along each. (torch.Tensor.unfold of each of them.)

    Constraints:
      - (C1) `kernel`, `strides` and `dilation` have one entry for each of the
        last dimensions that slide, at least one, each entry at least 1.
      - (C2) the window fits into the input.

    Example: `%y = graph.unfold %x kernel = [3] strides = [1] dilation = [1] : tensor<2x8xf32> -> tensor<2x6x3xf32>`
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilation);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `kernel` `=` $kernel `strides` `=` $strides `dilation` `=` $dilation
    attr-dict `:` type($input) `->` type($result)
  }];
}
def Graph_FoldOp : Graph_Op<"fold", [Pure, Graph_Follow,
    DeclareOpInterfaceMethods<Graph_CostOpInterface, ["getFlops"]>]> {
  let summary = "Adds up windows where they lie: the transpose of unfold";
  let description = [{
    Each element of the result is the sum of all elements of `windows` that
    unfold would have taken from its place; 0 where there are none. The order of
    the sum depends on the shapes only; f16 and bf16 accumulate in f32 and round
    once.

    Constraints:
      - (C1) `strides` and `dilation` have one entry for each dimension that
        slides, at least one, each entry at least 1.
      - (C2) `windows` has the type of `unfold` of the result with the window
        that its last dimensions give.
      - (C3) window and result together, which is what is looked through, have at
        most 2^40 elements, sizes of 0 left out.

    Example: `%y = graph.fold %w strides = [1] dilation = [1] : tensor<2x6x3xf32> -> tensor<2x8xf32>`
  }];
  let arguments = (ins Graph_NumTensor:$windows, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilation);
  let results = (outs Graph_NumTensor:$result);
  let assemblyFormat = [{
    $windows `strides` `=` $strides `dilation` `=` $dilation
    attr-dict `:` type($windows) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

class Graph_ConvLikeOp<string mnemonic, list<Trait> traits>
    : Graph_Op<mnemonic, [Pure, Graph_Composite, Graph_Fusible, Graph_Low,
        DeclareOpInterfaceMethods<Graph_CostOpInterface, ["getFlops"]>] # traits> {
  code windowText = [{
      - (C1) `strides`, `low`, `high` and `dilation` have one entry for each spatial
        dimension, of which there are at least one; strides and dilation are at
        least 1, low and high not negative.
      - (C2) `groups` is at least 1 and divides the channels on both sides.
  }];
}
def Graph_ConvOp : Graph_ConvLikeOp<"conv", [Graph_InferCompatible]> {
  let summary = "Convolution (torch.conv1d, conv2d, conv3d)";
  let description = [{
    `result[n, o, p...] = bias[o] + sum over c, k... of weight[o, c, k...] *
    x[n, g * C / groups + c, p * strides + k * dilation - low...]`, where `g` is the
    group of `o` and x is `input` with zeros around it. The sum over (c, k...) runs
    in row-major order with one fused multiply-add a term, in the accumulation
    type; `bias` is added in it before the result is rounded.

    Constraints:
  }] # windowText # [{
      - (C3) `input` is [N, C, spatial...], `weight` [O, C / groups, kernel...] of
        the same rank, no kernel size 0.
      - (C4) the window fits into the padded input.
      - (C5) `bias`, if present, has shape [O].
      - (C6) `input` and `weight` have one element type; `bias` and `result` have
        it too, or f32 where it is f16 or bf16.
      - (C7) the padded input, and all windows of it, have at most 2^40 elements
        each, sizes of 0 left out.

    Example: `%y = graph.conv %x, %w strides = [1, 1] low = [1, 1] high = [1, 1] dilation = [1, 1] groups = 1 : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32> -> tensor<2x4x8x8xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$weight,
      Optional<Graph_FloatTensor>:$bias, DenseI64ArrayAttr:$strides,
      DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$dilation,
      I64Attr:$groups);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight (`,` $bias^)? `strides` `=` $strides `low` `=` $low `high` `=` $high
    `dilation` `=` $dilation `groups` `=` $groups attr-dict `:`
    type($input) `,` type($weight) (`,` type($bias)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}
def Graph_ConvTransposeOp : Graph_ConvLikeOp<"conv_transpose", [Graph_InferCompatible]> {
  let summary = "Transposed convolution (torch.conv_transpose1d, 2d, 3d)";
  let description = [{
    `result[n, o, q...] = bias[o] + sum over c, k... of weight[c, o - g * O / groups,
    k...] * x[n, c, q + low - k * dilation...]`, where g is the group of o, c runs over
    its channels, and x is `input` with `strides` - 1 zeros between neighbours and
    zeros around it. The sum over (c, k...) runs in order of c, then from the last k
    to the first, with one fused multiply-add a term, in the accumulation type;
    `bias` is added in it before the result is rounded. A zero around `x` is a term
    like any other: times a weight that is infinite or NaN it is NaN. Zeros between
    neighbours are none, if the strides multiply to at most 16. The result has
    `(size - 1) * strides + dilation * (kernel - 1) + 1 - low - high +
    output_padding` elements along each spatial dimension. It is the gradient of
    `graph.conv` with respect to its input.

    Constraints:
  }] # windowText # [{
      - (C3) `input` is [N, C, spatial...], `weight` [C, O / groups, kernel...] of
        the same rank, no kernel size 0, and no spatial size 0.
      - (C4) `output_padding` has one entry for each spatial dimension, not
        negative and less than the stride or the dilation; no result size is negative.
      - (C5) `bias`, if present, has shape [O].
      - (C6) `input` and `weight` have one element type; `bias` and `result` have
        it too, or f32 where it is f16 or bf16.
      - (C7) the padded input, and all windows of it, have at most 2^40 elements
        each, sizes of 0 left out.

    Example: `%y = graph.conv_transpose %x, %w strides = [2] low = [1] high = [1] dilation = [1] output_padding = [1] groups = 1 : tensor<2x4x5xf32>, tensor<4x3x3xf32> -> tensor<2x3x10xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$weight,
      Optional<Graph_FloatTensor>:$bias, DenseI64ArrayAttr:$strides,
      DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$dilation,
      DenseI64ArrayAttr:$output_padding, I64Attr:$groups);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight (`,` $bias^)? `strides` `=` $strides `low` `=` $low `high` `=` $high
    `dilation` `=` $dilation `output_padding` `=` $output_padding `groups` `=` $groups
    attr-dict `:` type($input) `,` type($weight) (`,` type($bias)^)? `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// False if zeros between neighbours are terms of the sums.
    bool leavesOutZeros();
  }];
  let hasVerifier = 1;
}
def Graph_ConvWeightGradOp : Graph_ConvLikeOp<"conv_weight_grad", []> {
  let summary = "The gradient of a convolution with respect to its weight";
  let description = [{
    `result[o, c, k...] = sum over n, p... of grad[n, o, p...] * x[n, g * C / groups +
    c, p * strides + k * dilation - low...]`, with x and g as in `graph.conv`. The sum
    over (n, p...) runs in row-major order with one fused multiply-add a term, in
    the accumulation type; that of many images in equal groups, by the shapes
    alone, whose sums are added as by reduce_sum; rounded once. (torch.nn.grad.conv2d_weight.)

    Constraints:
  }] # windowText # [{
      - (C3) `grad` has the shape of `graph.conv` of `input` and a weight of the type of
        the result, with these attributes.
      - (C4) all have one element type.
      - (C5) the padded input, and all windows of it, have at most 2^40 elements
        each, sizes of 0 left out.

    Example: `%w = graph.conv_weight_grad %x, %g strides = [1] low = [1] high = [1] dilation = [1] groups = 1 : tensor<2x3x8xf32>, tensor<2x4x8xf32> -> tensor<4x3x3xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$grad,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
      DenseI64ArrayAttr:$dilation, I64Attr:$groups);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $grad `strides` `=` $strides `low` `=` $low `high` `=` $high
    `dilation` `=` $dilation `groups` `=` $groups attr-dict `:`
    type($input) `,` type($grad) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

class Graph_PoolOp<string mnemonic, Type type>
    : Graph_Op<mnemonic, [Pure, Graph_Infer, Graph_Composite, Graph_Follow]> {
  let results = (outs type:$result);
  let hasVerifier = 1;
  code constraintText = [{
    Constraints:
      - (C1) `kernel`, `strides`, `low`, `high` and `dilation` have one entry for each
        of the last dimensions that slide, at least one; kernel, strides and dilation are at
        least 1, low and high not negative.
      - (C2) the window fits into the padded input.
      - (C3) `low` and `high` are at most half of the kernel's reach
        `dilation * (kernel - 1) + 1`.
      - (C4) the padded input, and all windows of it, have at most 2^40 elements
        each, sizes of 0 left out.
  }];
}
def Graph_MaxPoolOp : Graph_PoolOp<"max_pool", Graph_NumTensor> {
  let summary = "Largest element of each window (torch.max_pool2d); NaN wins";
  let description = [{
    Padding does not count. The gradient goes to the first of a tie, which is the
    first NaN if there is one.

    Example: `%y = graph.max_pool %x kernel = [2, 2] strides = [2, 2] low = [0, 0] high = [0, 0] dilation = [1, 1] : tensor<2x3x8x8xf32> -> tensor<2x3x4x4xf32>`
  }] # constraintText;
  let arguments = (ins Graph_NumTensor:$input, DenseI64ArrayAttr:$kernel,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
      DenseI64ArrayAttr:$dilation);
  let assemblyFormat = [{
    $input `kernel` `=` $kernel `strides` `=` $strides `low` `=` $low `high` `=` $high
    `dilation` `=` $dilation attr-dict `:` type($input) `->` type($result)
  }];
}
def Graph_AvgPoolOp : Graph_PoolOp<"avg_pool", Graph_FloatTensor> {
  let summary = "Mean of each window (torch.avg_pool2d)";
  let description = [{
    Padding counts as zeros, unless `exclude_padding` is given: then only elements
    of the input are counted. The sum and the division are in f32 for f16 and bf16,
    rounded once.

    Example: `%y = graph.avg_pool %x kernel = [2, 2] strides = [2, 2] low = [0, 0] high = [0, 0] dilation = [1, 1] : tensor<2x3x8x8xf32> -> tensor<2x3x4x4xf32>`
  }] # constraintText;
  let arguments = (ins Graph_FloatTensor:$input, DenseI64ArrayAttr:$kernel,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
      DenseI64ArrayAttr:$dilation, UnitAttr:$exclude_padding);
  let assemblyFormat = [{
    $input `kernel` `=` $kernel `strides` `=` $strides `low` `=` $low `high` `=` $high
    `dilation` `=` $dilation (`exclude_padding` $exclude_padding^)? attr-dict `:`
    type($input) `->` type($result)
  }];
}

#endif // GRAPHC_GRAPH_CONV_TD
