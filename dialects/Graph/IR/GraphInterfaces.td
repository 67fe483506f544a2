// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes may ask of an op. Facts only; policy belongs to the passes.
#ifndef GRAPHC_GRAPH_INTERFACES_TD
#define GRAPHC_GRAPH_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Graph_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::graphc::graph";
  let description = [{
    A reverse-mode derivative rule. Models are attached from outside the dialect
    (the Autodiff pass's rule tables, or a user's library).
  }];
  let methods = [InterfaceMethod<[{
      Builds the vector-Jacobian product before the builder's insertion point.
      `cotangents[i]` has the type of result i, or is null if result i does not
      reach the loss. For each operand k with `wanted[k]`, sets `gradients[k]` to
      a value of the operand's type; null there means a gradient of zero.
    }],
    "::llvm::LogicalResult", "vjp",
    (ins "::mlir::OpBuilder &":$builder,
         "::llvm::ArrayRef<::mlir::Value>":$cotangents,
         "::llvm::ArrayRef<bool>":$wanted,
         "::llvm::MutableArrayRef<::mlir::Value>":$gradients)>];
}

def Graph_DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::graphc::graph";
  let description = [{
    A composite: it can write itself in terms of primitives. Rounding: the
    decomposition computes in the accumulation type and rounds once at the end.
  }];
  let methods = [InterfaceMethod<[{
      Builds primitives that compute the op before the builder's insertion point
      and returns one value for each result. Never fails on a verified op, but
      for one that import has yet to resolve (a training dropout without a key):
      that returns nothing.
    }],
    "::llvm::SmallVector<::mlir::Value>", "decompose",
    (ins "::mlir::OpBuilder &":$builder)>];
}

def Graph_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::graphc::graph";
  let description = "What an op costs, target apart.";
  let methods = [InterfaceMethod<
    "Floating-point or integer operations of one execution, at most 2^63 - 1.",
    "int64_t", "getFlops", (ins), "", [{
      return ::graphc::graph::countResultElements($_op);
    }]>];
}

def Graph_PrecisionOpInterface : OpInterface<"PrecisionOpInterface"> {
  let cppNamespace = "::graphc::graph";
  let description = [{
    In which type mixed precision computes an op, by the lists of PyTorch's
    autocast. An op that says nothing stays as it is declared.
  }];
  let methods = [InterfaceMethod<"The list that the op is on.",
    "::graphc::graph::PrecisionClass", "getPrecisionClass">];
}

def Graph_FusibleOpInterface : OpInterface<"FusibleOpInterface"> {
  let cppNamespace = "::graphc::graph";
  let description = [{
    Which elements of an operand an element of the results depends on. An op with
    the trait ElementwiseOp says it by that; an op that says nothing is opaque.
    Ask through graph::getIndexRelation().
  }];
  let methods = [
    InterfaceMethod<"How the results depend on operand `number`.",
      "::graphc::graph::IndexRelation", "getIndexRelation", (ins "unsigned":$number)>,
    InterfaceMethod<[{
        The dimensions of operand 0, increasing, along which an element of the
        results depends on all elements, where the relation is Row or Reduction.
      }],
      "::llvm::SmallVector<int64_t>", "getReducedAxes", (ins), "", [{ return {}; }]>];
}

// An optimizer is an attribute: `graph.train ... optimizer(#graph.sgd<...>)`.
def Graph_OptimizerAttrInterface : AttrInterface<"OptimizerAttrInterface"> {
  let cppNamespace = "::graphc::graph";
  let methods = [
    InterfaceMethod<"The initial learning rate.", "double", "getLearningRate">,
    InterfaceMethod<[{
        Per-parameter state, by PyTorch's names ("momentum_buffer"), each of the
        parameter's type and starting at zeros.
      }],
      "::llvm::SmallVector<std::string>", "getStateNames">,
    InterfaceMethod<[{
        Whether the update needs the number of finished steps (an i64 scalar that
        TrainStep keeps as a variable).
      }],
      "bool", "needsStepCount">,
    InterfaceMethod<[{
        Builds one parameter's update. `states` follow getStateNames(); returns
        the new parameter, then the new states. `learningRate` is a rank-0 tensor
        of f32 (f64 for f64 parameters); `stepCount` is a rank-0 i64 tensor, 0 on
        the first step, or null.
      }],
      "::llvm::SmallVector<::mlir::Value>", "emitUpdate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$parameter, "::mlir::Value":$gradient,
           "::mlir::ValueRange":$states, "::mlir::Value":$learningRate,
           "::mlir::Value":$stepCount)>];
}

#endif // GRAPHC_GRAPH_INTERFACES_TD
