// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and arg-reductions.
#ifndef GRAPHC_GRAPH_REDUCE_TD
#define GRAPHC_GRAPH_REDUCE_TD

include "dialects/Graph/IR/GraphAttrs.td"

class Graph_ReduceOp<string mnemonic, Type type, Trait precision, list<Trait> traits = []>
    : Graph_Op<mnemonic, [Pure, Graph_Infer, Graph_FusibleAxes, precision,
                          DeclareOpInterfaceMethods<Graph_CostOpInterface, ["getFlops"]>]
                          # traits> {
  let arguments = (ins type:$input, DenseI64ArrayAttr:$axes);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $input `axes` `=` $axes attr-dict `:` type($input) `->` type($result)
  }];
  code constraintText = [{
    Constraints:
      - (C1) `axes` are dimensions of the input, strictly increasing.
      - (C2) `result` is the input without the dimensions in `axes`.
  }];
}
def Graph_ReduceSumOp : Graph_ReduceOp<"reduce_sum", Graph_NumTensor, Graph_Wide> {
  let summary = "Sum over the dimensions in axes; 0 over nothing";
  let description = [{
    f16 and bf16 accumulate in f32 and round once. Integers wrap. The order of
    the sum depends on the shape only.

    Example: `%s = graph.reduce_sum %x axes = [1] : tensor<4x8xf32> -> tensor<4xf32>`
  }] # constraintText;
  let hasFolder = 1;
}
def Graph_ReduceMeanOp : Graph_ReduceOp<"reduce_mean", Graph_FloatTensor, Graph_Follow, [Graph_Composite]> {
  let summary = "Mean over the dimensions in axes; NaN over nothing";
  let description = [{
    The sum and the division are in f32 for f16 and bf16, rounded once.

    Example: `%s = graph.reduce_mean %x axes = [1] : tensor<4x8xf32> -> tensor<4xf32>`
  }] # constraintText;
}
def Graph_ReduceMaxOp : Graph_ReduceOp<"reduce_max", Graph_NumTensor, Graph_Follow> {
  let summary = "Maximum over the dimensions in axes (torch.amax); NaN wins";
  let description = [{
    The lowest value of the type (-inf) over nothing. Ties share the gradient equally;
    beside a NaN, which ties with nothing, all elements get NaN (as in PyTorch).

    Example: `%s = graph.reduce_max %x axes = [1] : tensor<4x8xf32> -> tensor<4xf32>`
  }] # constraintText;
}
def Graph_ReduceMinOp : Graph_ReduceOp<"reduce_min", Graph_NumTensor, Graph_Follow> {
  let summary = "Minimum over the dimensions in axes (torch.amin); NaN wins";
  let description = [{
    The highest value of the type (+inf) over nothing. Ties share the gradient equally;
    beside a NaN, which ties with nothing, all elements get NaN (as in PyTorch).

    Example: `%s = graph.reduce_min %x axes = [1] : tensor<4x8xf32> -> tensor<4xf32>`
  }] # constraintText;
}
def Graph_ReduceProdOp : Graph_ReduceOp<"reduce_prod", Graph_NumTensor, Graph_Wide> {
  let summary = "Product over the dimensions in axes; 1 over nothing";
  let description = [{
    f16 and bf16 accumulate in f32 and round once. Integers wrap. Its gradient
    uses no division, so zeros in the input are fine.

    Example: `%s = graph.reduce_prod %x axes = [1] : tensor<4x8xf32> -> tensor<4xf32>`
  }] # constraintText;
}

class Graph_ArgOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, Graph_Infer, Graph_FusibleAxes, Graph_Follow]> {
  let arguments = (ins Graph_NumTensor:$input, I64Attr:$axis);
  let results = (outs StaticShapeTensorOf<[I64]>:$result);
  let assemblyFormat = [{
    $input `axis` `=` $axis attr-dict `:` type($input) `->` type($result)
  }];
  code constraintText = [{
    Constraints:
      - (C1) `axis` is a dimension of the input, and not of size 0.
      - (C2) `result` is the input's shape without `axis`, of i64.
  }];
}
def Graph_ArgmaxOp : Graph_ArgOp<"argmax"> {
  let summary = "Index of the largest element: the first NaN, else the first of a tie";
  let description = [{
    Example: `%i = graph.argmax %x axis = 1 : tensor<4x8xf32> -> tensor<4xi64>`
  }] # constraintText;
}
def Graph_ArgminOp : Graph_ArgOp<"argmin"> {
  let summary = "Index of the smallest element: the first NaN, else the first of a tie";
  let description = [{
    Example: `%i = graph.argmin %x axis = 1 : tensor<4x8xf32> -> tensor<4xi64>`
  }] # constraintText;
}

#endif // GRAPHC_GRAPH_REDUCE_TD
