// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes: initializers, optimizers, enums.
#ifndef GRAPHC_GRAPH_ATTRS_TD
#define GRAPHC_GRAPH_ATTRS_TD

include "dialects/Graph/IR/GraphBase.td"

class Graph_Attr<string name, string mnem, list<Trait> traits = []>
    : AttrDef<Graph_Dialect, name, traits> {
  let mnemonic = mnem;
}

// A finite double that prints so that it reads back to the same bits.
def Graph_F64 : AttrParameter<"::graphc::graph::F64", "a finite number"> {
  let cppAccessorType = "::graphc::graph::F64";
}

// ---- Initializers ----------------------------------------------------------

def Graph_ZerosAttr : Graph_Attr<"Zeros", "zeros"> {
  let summary = "Every element 0";
  let description = "Example: `#graph.zeros`";
}
def Graph_FillAttr : Graph_Attr<"Fill", "constant"> {
  let summary = "Every element the same number";
  let description = "Example: `#graph.constant<1.0>`";
  let parameters = (ins Graph_F64:$value);
  let assemblyFormat = "`<` $value `>`";
}
def Graph_UniformAttr : Graph_Attr<"Uniform", "uniform"> {
  let summary = "Uniform on [low, high), drawn at load by PyTorch's generator";
  let description = "Example: `#graph.uniform<-0.1, 0.1>`";
  let parameters = (ins Graph_F64:$low, Graph_F64:$high);
  let assemblyFormat = "`<` $low `,` $high `>`";
}
def Graph_NormalAttr : Graph_Attr<"Normal", "normal"> {
  let summary = "Normal with mean and standard deviation, by PyTorch's generator";
  let description = [{
    Then `result[zero_row]`, if there is one, is set to 0: the padding row of an
    embedding, as torch.nn.Embedding has it.

    Example: `#graph.normal<0.0, 0.02>`, `#graph.normal<0.0, 1.0, zero_row = 3>`
  }];
  let parameters = (ins Graph_F64:$mean, Graph_F64:$std,
                        OptionalParameter<"std::optional<int64_t>">:$zeroRow);
  let assemblyFormat = "`<` $mean `,` $std (`,` `zero_row` `=` $zeroRow^)? `>`";
}
def Graph_FileAttr : Graph_Attr<"File", "file"> {
  let summary = "A tensor read from an .npy file when the model is compiled";
  let description = [{
    The path is relative to the model file and has no `..`.

    Example: `#graph.file<"weights/fc1.npy">`
  }];
  let parameters = (ins StringRefParameter<"path">:$path);
  let assemblyFormat = "`<` $path `>`";
  let genVerifyDecl = 1;
}
def Graph_SeedAttr : Graph_Attr<"Seed", "seed"> {
  let summary = "i64 only: element 0 is the seed given at load, the rest 0";
  let description = "Example: `#graph.seed`";
}

// ---- Where elements lie ---------------------------------------------------------

def Graph_PanelsAttr : Graph_Attr<"Panels", "panels"> {
  let summary = "A matrix in panels, as a product reads it in order";
  let description = [{
    Indices along `dim` are cut into panels of `width`; the other dimension runs
    inside a panel, and the panel's indices lie side by side. So with `dim = 0` a
    tensor of N x K is stored as one of N / width x K x width, where element
    [n, k] is [n / width, k, n % width]. The last panel is filled up with zeros.

    Example: `#graph.panels<dim = 0, width = 32>`
  }];
  let parameters = (ins "int64_t":$dim, "int64_t":$width);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What a matrix of `type` is stored as.
    ::mlir::RankedTensorType getStoredType(::mlir::RankedTensorType type) const;
  }];
}

// ---- Optimizers --------------------------------------------------------------

def Graph_SgdAttr : Graph_Attr<"Sgd", "sgd", [
    DeclareAttrInterfaceMethods<Graph_OptimizerAttrInterface>]> {
  let summary = "Stochastic gradient descent, as torch.optim.SGD";
  let description = [{
    With gradient `g`, parameter `p` and buffer `v`: `g += weight_decay * p`; with
    momentum `v = momentum * v + (1 - dampening) * g` (the first step sets
    `v = g`), then `g += momentum * v` if nesterov, else `g = v`; `p -= lr * g`.
    All in the parameter's type.

    `lr` must be given. Defaults: `#graph.sgd<lr = 0.1, momentum = 0.0,
    dampening = 0.0, weight_decay = 0.0, nesterov = false>`.

    Example: `#graph.sgd<lr = 0.1, momentum = 0.9, nesterov = true>`.
  }];
  let parameters = (ins Graph_F64:$lr, Graph_F64:$momentum, Graph_F64:$dampening,
                        Graph_F64:$weightDecay, "bool":$nesterov);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class Graph_AdamBaseAttr<string name, string mnem> : Graph_Attr<name, mnem, [
    DeclareAttrInterfaceMethods<Graph_OptimizerAttrInterface>]> {
  let parameters = (ins Graph_F64:$lr, Graph_F64:$beta1, Graph_F64:$beta2,
                        Graph_F64:$eps, Graph_F64:$weightDecay, "bool":$amsgrad);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}
def Graph_AdamAttr : Graph_AdamBaseAttr<"Adam", "adam"> {
  let summary = "Adam, as torch.optim.Adam";
  let description = [{
    With gradient `g`, parameter `p`, moments `m` (`exp_avg`) and `v`
    (`exp_avg_sq`) and `t` the number of this step, from 1: `g += weight_decay * p`,
    `m = beta1 * m + (1 - beta1) * g`, `v = beta2 * v + (1 - beta2) * g * g`,
    `p -= lr / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + eps)`. With
    amsgrad the largest `v` so far (`max_exp_avg_sq`) divides. What depends on `t`
    and `lr` alone is computed in f64, the rest in the parameter's type.
    Source: Kingma and Ba, Adam, 2015; Reddi et al., On the Convergence of Adam
    and Beyond, 2018.

    Defaults: `#graph.adam<lr = 0.001, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8,
    weight_decay = 0.0, amsgrad = false>`.

    Example: `#graph.adam<lr = 0.0003, beta2 = 0.99>`.
  }];
}
def Graph_AdamWAttr : Graph_AdamBaseAttr<"AdamW", "adamw"> {
  let summary = "Adam with decoupled weight decay, as torch.optim.AdamW";
  let description = [{
    As `#graph.adam`, but weight decay is not part of the gradient: it comes
    first, as `p *= 1 - lr * weight_decay`.
    Source: Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019.

    Defaults: `#graph.adamw<lr = 0.001, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8,
    weight_decay = 0.01, amsgrad = false>`.

    Example: `#graph.adamw<lr = 0.001, weight_decay = 0.1>`.
  }];
}
def Graph_ParamGroupAttr : Graph_Attr<"ParamGroup", "param_group"> {
  let summary = "Variables with an optimizer of their own, as PyTorch's param_groups";
  let description = [{
    Example: `#graph.param_group<[@fc1.bias, @fc2.bias], #graph.adamw<weight_decay = 0.0>>`.
  }];
  let parameters = (ins
      ArrayRefParameter<"::mlir::FlatSymbolRefAttr", "variables">:$params,
      "::mlir::Attribute":$optimizer);
  let assemblyFormat = "`<` `[` $params `]` `,` $optimizer `>`";
}

// ---- Enums -------------------------------------------------------------------

class Graph_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::graphc::graph";
  let genSpecializedAttr = 0;
}
def Graph_ComparePredicate : Graph_Enum<"ComparePredicate", "comparison", [
  I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">,
  I32EnumAttrCase<"LT", 2, "lt">, I32EnumAttrCase<"LE", 3, "le">,
  I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]>;
def Graph_ComparePredicateAttr
    : EnumAttr<Graph_Dialect, Graph_ComparePredicate, "predicate">;
def Graph_Reduction : Graph_Enum<"Reduction", "how a loss is reduced", [
  I32EnumAttrCase<"Mean", 0, "mean">, I32EnumAttrCase<"Sum", 1, "sum">,
  I32EnumAttrCase<"None", 2, "none">]>;
def Graph_ReductionAttr : EnumAttr<Graph_Dialect, Graph_Reduction, "reduction">;
def Graph_Approximate : Graph_Enum<"Approximate", "formula of gelu", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Tanh", 1, "tanh">]>;
def Graph_ApproximateAttr : EnumAttr<Graph_Dialect, Graph_Approximate, "approximate">;
def Graph_Mode : Graph_Enum<"Mode", "training or evaluation", [
  I32EnumAttrCase<"Train", 0, "train">, I32EnumAttrCase<"Eval", 1, "eval">]>;
def Graph_ModeAttr : EnumAttr<Graph_Dialect, Graph_Mode, "mode">;

#endif // GRAPHC_GRAPH_ATTRS_TD
