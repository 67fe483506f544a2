// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Specialize.h"

#include "dialects/Graph/IR/Graph.h"
#include "lib/Import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace graphc {

namespace {

/// Calls are followed by recursion.
constexpr size_t kMaxCallDepth = 1000;

RankedTensorType tensorType(Type type) { return cast<RankedTensorType>(type); }

/// The size that `--batch` replaces: 0 if the function has no such input.
int64_t leadingSize(TypeRange inputs) {
  for (Type type : inputs)
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && tensor.getRank() > 0)
      return tensor.getDimSize(0);
  return 0;
}

/// Makes the functions of one new size.
class Specializer {
public:
  Specializer(ModuleOp module, int64_t size)
      : module_(module), symbols_(module), size_(size) {}

  LogicalResult addPublic(func::FuncOp function) {
    FailureOr<func::FuncOp> copy = entry(function);
    return failure(failed(copy));
  }

  LogicalResult addTrain(graph::TrainOp train) {
    auto loss = symbols_.lookup<func::FuncOp>(train.getLoss());
    if (!loss || !changes(loss))
      return success();
    FailureOr<func::FuncOp> copy = entry(loss);
    if (failed(copy))
      return failure();
    auto clone = cast<graph::TrainOp>(train->clone());
    clone.setSymName(newName(train.getSymName()));
    clone.setLossAttr(FlatSymbolRefAttr::get(*copy));
    clone.setSpecializesAttr(FlatSymbolRefAttr::get(train.getSymNameAttr()));
    symbols_.insert(clone);
    return success();
  }

  LogicalResult addGrad(graph::GradOp grad) {
    auto function = symbols_.lookup<func::FuncOp>(grad.getFunction());
    if (!function || !changes(function))
      return success();
    FailureOr<func::FuncOp> copy = entry(function);
    if (failed(copy))
      return failure();
    auto clone = cast<graph::GradOp>(grad->clone());
    clone.setSymName(newName(grad.getSymName()));
    clone.setFunctionAttr(FlatSymbolRefAttr::get(*copy));
    clone->setAttr("graph.specializes",
                   FlatSymbolRefAttr::get(grad.getSymNameAttr()));
    symbols_.insert(clone);
    return success();
  }

  bool changes(func::FuncOp function) const {
    int64_t leading = leadingSize(function.getArgumentTypes());
    return leading != 0 && leading != size_;
  }

private:
  std::string newName(StringRef name) const {
    return (name + ".b" + Twine(size_)).str();
  }

  /// The copy of `function` for the new size of its own inputs.
  FailureOr<func::FuncOp> entry(func::FuncOp function) {
    if (!changes(function))
      return function;
    int64_t leading = leadingSize(function.getArgumentTypes());
    SmallVector<Type> inputs;
    for (Type type : function.getArgumentTypes()) {
      SmallVector<int64_t> shape(tensorType(type).getShape());
      if (!shape.empty() && shape[0] == leading)
        shape[0] = size_;
      inputs.push_back(tensorType(type).clone(shape));
    }
    return copyFor(function, inputs, leading);
  }

  /// The copy of `function` whose arguments have types `inputs`.
  FailureOr<func::FuncOp> copyFor(func::FuncOp function, ArrayRef<Type> inputs,
                                  int64_t leading) {
    if (function.getArgumentTypes() == inputs)
      return function;
    for (auto &[from, to] : copies_)
      if (from == function && to.getArgumentTypes() == inputs)
        return to;
    if (llvm::is_contained(open_, function))
      return function.emitError("calls itself");
    if (open_.size() == kMaxCallDepth)
      return function.emitError("expects calls at most ")
             << kMaxCallDepth << " deep to follow a batch size through them";
    open_.push_back(function);
    leading_.push_back(leading);
    auto copy = function.clone();
    copy.setSymName(newName(function.getSymName()));
    if (function.isPublic())
      copy->setAttr("graph.specializes",
                    FlatSymbolRefAttr::get(function.getSymNameAttr()));
    symbols_.insert(copy);
    for (auto [argument, type] : llvm::zip_equal(copy.getArguments(), inputs))
      argument.setType(type);
    LogicalResult done = inferBody(function, copy, inputs);
    open_.pop_back();
    leading_.pop_back();
    if (failed(done))
      return failure();
    copies_.emplace_back(function, copy);
    return copy;
  }

  LogicalResult inferBody(func::FuncOp original, func::FuncOp copy,
                          ArrayRef<Type> inputs) {
    for (auto [before, op] :
         llvm::zip_equal(original.getBody().front().without_terminator(),
                         copy.getBody().front().without_terminator())) {
      if (failed(inferOp(&before, &op)) ||
          failed(verify(&op, /*recursively=*/true)))
        return emitError(op.getLoc())
               << "'" << op.getName() << "' does not fit batch size " << size_
               << "; give this function in both sizes";
    }
    copy.setFunctionType(FunctionType::get(
        copy.getContext(), inputs,
        copy.getBody().front().getTerminator()->getOperandTypes()));
    return success();
  }

  /// A slice of all of a dimension stays one; of a part of a dimension that
  /// has another size now, nobody knows which part is meant.
  static LogicalResult adjustSlice(graph::SliceOp before, graph::SliceOp op) {
    ArrayRef<int64_t> old = tensorType(before.getInput().getType()).getShape();
    ArrayRef<int64_t> now = tensorType(op.getInput().getType()).getShape();
    SmallVector<int64_t> limits(op.getLimits());
    for (auto [k, limit] : llvm::enumerate(limits)) {
      if (old[k] == now[k])
        continue;
      if (op.getStarts()[k] != 0 || op.getStrides()[k] != 1 || limit != old[k])
        return failure();
      limit = now[k];
    }
    op.setLimits(limits);
    return success();
  }

  static LogicalResult adjustDynamicSlice(graph::DynamicSliceOp before,
                                          graph::DynamicSliceOp op) {
    ArrayRef<int64_t> old = tensorType(before.getInput().getType()).getShape();
    ArrayRef<int64_t> now = tensorType(op.getInput().getType()).getShape();
    SmallVector<int64_t> sizes(op.getSizes());
    for (auto [k, size] : llvm::enumerate(sizes)) {
      if (old[k] == now[k])
        continue;
      if (size != old[k])
        return failure();
      size = now[k];
    }
    op.setSizes(sizes);
    return success();
  }

  LogicalResult inferOp(Operation *before, Operation *op) {
    if (auto slice = dyn_cast<graph::DynamicSliceOp>(op))
      if (failed(
              adjustDynamicSlice(cast<graph::DynamicSliceOp>(before), slice)))
        return failure();
    if (auto slice = dyn_cast<graph::SliceOp>(op))
      if (failed(adjustSlice(cast<graph::SliceOp>(before), slice)))
        return failure();
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = symbols_.lookup<func::FuncOp>(call.getCallee());
      if (!callee)
        return failure();
      FailureOr<func::FuncOp> copy = copyFor(
          callee, llvm::to_vector(call.getOperandTypes()), leading_.back());
      if (failed(copy))
        return failure();
      call.setCallee(copy->getSymName());
      return setTypes(op, copy->getResultTypes());
    }
    if (auto grad = dyn_cast<graph::ValueAndGradOp>(op)) {
      auto callee = symbols_.lookup<func::FuncOp>(grad.getFunction());
      if (!callee)
        return failure();
      FailureOr<func::FuncOp> copy = copyFor(
          callee, llvm::to_vector(grad.getArgs().getTypes()), leading_.back());
      if (failed(copy))
        return failure();
      grad.setFunction(copy->getSymName());
      SmallVector<Type> types(copy->getResultTypes());
      for (int64_t input : grad.getInputs())
        types.push_back(copy->getArgumentTypes()[input]);
      // What is left are variables, whose types stay.
      llvm::append_range(types,
                         llvm::drop_begin(op->getResultTypes(), types.size()));
      return setTypes(op, types);
    }
    if (auto cast = dyn_cast<graph::CastOp>(op)) {
      auto input = tensorType(cast.getInput().getType());
      return setTypes(
          op, {input.clone(tensorType(cast.getType()).getElementType())});
    }
    if (auto broadcast = dyn_cast<graph::BroadcastOp>(op)) {
      SmallVector<int64_t> shape(tensorType(broadcast.getType()).getShape());
      ArrayRef<int64_t> input =
          tensorType(broadcast.getInput().getType()).getShape();
      for (auto [k, dim] : llvm::enumerate(broadcast.getDims()))
        shape[dim] = input[k];
      return setTypes(op, {tensorType(broadcast.getType()).clone(shape)});
    }
    if (auto oneHot = dyn_cast<graph::OneHotOp>(op)) {
      SmallVector<int64_t> shape(
          tensorType(oneHot.getIndices().getType()).getShape());
      shape.push_back(tensorType(oneHot.getType()).getShape().back());
      return setTypes(op, {tensorType(oneHot.getType()).clone(shape)});
    }
    if (auto reshape = dyn_cast<graph::ReshapeOp>(op)) {
      // Sound only if the leading dimension passes through untouched.
      auto input = tensorType(reshape.getInput().getType());
      SmallVector<int64_t> shape(tensorType(reshape.getType()).getShape());
      if (input.getRank() > 0 && !shape.empty() &&
          input.getDimSize(0) == size_ && shape[0] == leading_.back())
        shape[0] = size_;
      return setTypes(op, {tensorType(reshape.getType()).clone(shape)});
    }
    if (auto infer = dyn_cast<InferTypeOpInterface>(op);
        infer && op->getNumRegions() == 0) {
      SmallVector<Type> types;
      if (failed(infer.inferReturnTypes(
              op->getContext(), op->getLoc(), op->getOperands(),
              op->getAttrDictionary(), op->getPropertiesStorage(),
              op->getRegions(), types)))
        return failure();
      // A declared wider element type stays.
      for (auto [type, result] : llvm::zip_equal(types, op->getResultTypes()))
        type = tensorType(type).clone(tensorType(result).getElementType());
      return setTypes(op, types);
    }
    return success(); // Its verifier tells whether the types still fit.
  }

  static LogicalResult setTypes(Operation *op, TypeRange types) {
    if (types.size() != op->getNumResults())
      return failure();
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      result.setType(type);
    return success();
  }

  ModuleOp module_;
  SymbolTable symbols_;
  int64_t size_;
  SmallVector<std::pair<func::FuncOp, func::FuncOp>> copies_;
  SmallVector<func::FuncOp> open_;
  SmallVector<int64_t> leading_;
};

} // namespace

LogicalResult specializeBatches(ModuleOp module, ArrayRef<int64_t> sizes) {
  SmallVector<Operation *> originals;
  for (Operation &op : *module.getBody())
    originals.push_back(&op);
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t size : sizes) {
    if (size < 1 || size > ImportLimits().maxElements)
      return emitError(module.getLoc(), "expects batch sizes from 1 to ")
             << ImportLimits().maxElements << ", but got " << size;
    if (!seen.insert(size).second)
      continue;
    Specializer specializer(module, size);
    for (Operation *op : originals) {
      LogicalResult done = success();
      if (auto function = dyn_cast<func::FuncOp>(op);
          function && function.isPublic() && !function.isExternal())
        done = specializer.addPublic(function);
      else if (auto train = dyn_cast<graph::TrainOp>(op))
        done = specializer.addTrain(train);
      else if (auto grad = dyn_cast<graph::GradOp>(op))
        done = specializer.addGrad(grad);
      if (failed(done))
        return failure();
    }
  }
  return success();
}

} // namespace graphc
