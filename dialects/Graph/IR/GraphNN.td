// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalised exponentials, losses, random draws and dropout.
#ifndef GRAPHC_GRAPH_NN_TD
#define GRAPHC_GRAPH_NN_TD

include "dialects/Graph/IR/GraphAttrs.td"

class Graph_SoftmaxLikeOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType, Graph_Composite, Graph_Wide,
                          Graph_FusibleAxes]> {
  let arguments = (ins Graph_FloatTensor:$input, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$input `axis` `=` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Graph_SoftmaxOp : Graph_SoftmaxLikeOp<"softmax"> {
  let summary = "exp(x - max) / sum(exp(x - max)) along axis";
  let description = [{
    f16 and bf16 compute in f32 and round once. A row of all -inf is NaN.

    Constraints:
      - (C1) `axis` is a dimension of the input.

    Example: `%y = graph.softmax %x axis = 1 : tensor<4x8xf32>`
  }];
}
def Graph_LogSoftmaxOp : Graph_SoftmaxLikeOp<"log_softmax"> {
  let summary = "x - max - log(sum(exp(x - max))) along axis";
  let description = [{
    f16 and bf16 compute in f32 and round once.

    Constraints:
      - (C1) `axis` is a dimension of the input.

    Example: `%y = graph.log_softmax %x axis = 1 : tensor<4x8xf32>`
  }];
}

class Graph_LossOp<string mnemonic, list<Trait> traits = []>
    : Graph_Op<mnemonic, [Pure, Graph_Infer, Graph_Composite, Graph_FusibleAxes, Graph_Wide] # traits>;

def Graph_CrossEntropyOp : Graph_LossOp<"cross_entropy"> {
  let summary = "Cross entropy of logits against class numbers";
  let description = [{
    For each position with target `t`: `lse(x) - (1 - s) * x[t] - s * mean(x)`,
    where `lse` is log-sum-exp over the last dimension and `s` is
    `label_smoothing`; a term of weight 0 is left out. A target equal to `ignore_index` contributes 0 and does
    not count. `mean` divides by the positions that count (NaN if there are
    none), as torch.nn.functional.cross_entropy. f16 and bf16 compute in f32 and
    round once. Any other target outside [0, C) fails the step.

    Constraints:
      - (C1) `logits` has rank 1 or more; the last dimension is the classes.
      - (C2) `target` is i32 or i64 of the shape of `logits` less its last dim.
      - (C3) `label_smoothing` is in [0, 1].
      - (C4) `result` has rank 0, or the shape of `target` when not reduced.
      - (C5) `ignore_index` is a value of the element type of `target`.

    Example: `%l = graph.cross_entropy %x, %t : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>`,
    `%l = graph.cross_entropy %x, %t reduction = sum {ignore_index = 0, label_smoothing = 0.1} : tensor<8x30xf32>, tensor<8xi64> -> tensor<f32>`
  }];
  let arguments = (ins Graph_FloatTensor:$logits, Graph_IndexTensor:$target,
      DefaultValuedAttr<Graph_ReductionAttr, "::graphc::graph::Reduction::Mean">:$reduction,
      DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
      DefaultValuedAttr<F64Attr, "0.0">:$label_smoothing);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $logits `,` $target (`reduction` `=` custom<Enum>($reduction)^)? attr-dict `:`
    type($logits) `,` type($target) `->` type($result)
  }];
}
class Graph_PairLossOp<string mnemonic> : Graph_LossOp<mnemonic> {
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$target,
      DefaultValuedAttr<Graph_ReductionAttr, "::graphc::graph::Reduction::Mean">:$reduction);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $target (`reduction` `=` custom<Enum>($reduction)^)? attr-dict `:`
    type($input) `,` type($target) `->` type($result)
  }];
  code constraintText = [{
    Constraints:
      - (C1) `input` and `target` have one type.
      - (C2) `result` has rank 0, or the type of `input` when not reduced.
  }];
}
def Graph_MseLossOp : Graph_PairLossOp<"mse_loss"> {
  let summary = "Mean squared error: (input - target)^2";
  let description = [{
    Example: `%l = graph.mse_loss %x, %t : tensor<8x2xf32>, tensor<8x2xf32> -> tensor<f32>`
  }] # constraintText;
}
def Graph_BceOp : Graph_PairLossOp<"binary_cross_entropy"> {
  let summary = "Binary cross entropy of probabilities";
  let description = [{
    `-(t * max(log(p), -100) + (1 - t) * max(log1p(-p), -100))`, as PyTorch; the
    gradient divides by `max(p * (1 - p), 1e-12)`.

    Example: `%l = graph.binary_cross_entropy %p, %t : tensor<8xf32>, tensor<8xf32> -> tensor<f32>`
  }] # constraintText;
}
def Graph_BceWithLogitsOp : Graph_PairLossOp<"binary_cross_entropy_with_logits"> {
  let summary = "Binary cross entropy of logits";
  let description = [{
    `max(x, 0) - x * t + log1p(exp(-|x|))`.

    Example: `%l = graph.binary_cross_entropy_with_logits %x, %t : tensor<8xf32>, tensor<8xf32> -> tensor<f32>`
  }] # constraintText;
}

def Graph_RandomUniformOp : Graph_Op<"random_uniform", [Pure, Graph_Fusible, Graph_Wide]> {
  let summary = "Uniform draws on [0, 1) by Philox 4x32-10";
  let description = [{
    `key` is (seed, step, micro-batch). Element i draws from the block with
    Philox key (low half of seed, high half of seed xor high half of step) and
    counter (b, op_id, low half of step, micro-batch): for f32 `b = i / 4` and
    word `i % 4`, of which the top 24 bits count; for f64 `b = i / 2` and words
    `2 (i % 2)` (low) and `2 (i % 2) + 1` (high), of which the top 53 bits count.
    A clone keeps its op_id and so draws the same numbers.

    Constraints:
      - (C1) `key` is tensor<3xi64>; the result is f32 or f64.
      - (C2) `op_id`, unless unresolved, is in [0, 2^32).

    Example: `%u = graph.random_uniform %key op_id = 0 : tensor<4xf32>`
  }];
  let arguments = (ins Graph_Key:$key, I64Attr:$op_id);
  let results = (outs StaticShapeTensorOf<[F32, F64]>:$result);
  let assemblyFormat = "$key `op_id` `=` $op_id attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Graph_DropoutOp : Graph_Op<"dropout", [Pure, Graph_Composite, Graph_Fusible, Graph_Follow,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "Zeroes elements with probability p and scales the rest by 1/(1-p)";
  let description = [{
    Element i is kept where random_uniform (f32, of this op's id) is at least `p`,
    and then multiplied by 1/(1-p), rounded to the accumulation type. p = 1 gives
    zeros, p = 0 and evaluation mode the input. Import resolves `mode` where it is
    absent and gives a training dropout its key and id.

    Constraints:
      - (C1) `p` is in [0, 1].
      - (C2) `key`, if present, is tensor<3xi64> and comes with `op_id`.

    Example: `%y = graph.dropout %x p = 0.5 : tensor<4xf32>`
  }];
  let arguments = (ins Graph_FloatTensor:$input, Optional<Graph_Key>:$key, F64Attr:$p,
                       OptionalAttr<I64Attr>:$op_id, OptionalAttr<Graph_ModeAttr>:$mode);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`key` $key^)? `p` `=` $p
    oilist(`op_id` `=` custom<Given>($op_id) | `mode` `=` custom<Enum>($mode))
    attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

#endif // GRAPHC_GRAPH_NN_TD
