// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Specialize.h"

#include "dialects/Graph/IR/Graph.h"
#include "lib/Import/Import.h"
#include "lib/Import/OldSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace graphc {

namespace {

/// Calls are followed by recursion.
constexpr size_t kMaxCallDepth = 1000;
constexpr llvm::StringLiteral kSpecializes = "graph.specializes";

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
    // Of a family, the first one gets the new size.
    if (function->hasAttr(kSpecializes) || familyHas(function, function))
      return success();
    FailureOr<func::FuncOp> copy = entry(function);
    return failure(failed(copy));
  }

  LogicalResult addTrain(graph::TrainOp train) {
    auto loss = symbols_.lookup<func::FuncOp>(train.getLoss());
    if (!loss || !changes(loss) || train.getSpecializes() ||
        familyHas(train, loss))
      return success();
    FailureOr<func::FuncOp> copy = entry(loss);
    if (failed(copy))
      return failure();
    FailureOr<std::string> name = freeName(train, train.getSymName());
    if (failed(name))
      return failure();
    auto clone = cast<graph::TrainOp>(train->clone());
    clone.setSymName(*name);
    clone.setLossAttr(FlatSymbolRefAttr::get(*copy));
    clone.setSpecializesAttr(FlatSymbolRefAttr::get(train.getSymNameAttr()));
    symbols_.insert(clone);
    return success();
  }

  LogicalResult addGrad(graph::GradOp grad) {
    auto function = symbols_.lookup<func::FuncOp>(grad.getFunction());
    if (!function || !changes(function) || grad->hasAttr(kSpecializes) ||
        familyHas(grad, function))
      return success();
    FailureOr<func::FuncOp> copy = entry(function);
    if (failed(copy))
      return failure();
    FailureOr<std::string> name = freeName(grad, grad.getSymName());
    if (failed(name))
      return failure();
    auto clone = cast<graph::GradOp>(grad->clone());
    clone.setSymName(*name);
    clone.setFunctionAttr(FlatSymbolRefAttr::get(*copy));
    clone->setAttr(kSpecializes, FlatSymbolRefAttr::get(grad.getSymNameAttr()));
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

  /// The same for what users call by name: none must be another's.
  FailureOr<std::string> freeName(Operation *op, StringRef name) const {
    std::string wanted = newName(name);
    Operation *taken = symbols_.lookup(wanted);
    if (!taken)
      return wanted;
    InFlightDiagnostic diag = op->emitError("expects the name '")
                              << wanted << "' to be free for batches of "
                              << size_;
    diag.attachNote(taken->getLoc()) << "taken here";
    return diag;
  }

  /// The function that says what arguments `op` has.
  func::FuncOp argumentsOf(Operation *op) {
    if (auto train = dyn_cast<graph::TrainOp>(op))
      return symbols_.lookup<func::FuncOp>(train.getLoss());
    if (auto grad = dyn_cast<graph::GradOp>(op))
      return symbols_.lookup<func::FuncOp>(grad.getFunction());
    return dyn_cast<func::FuncOp>(op);
  }

  /// Whether some op that specializes `first`, which runs `function`, has the
  /// new size already.
  bool familyHas(Operation *first, func::FuncOp function) {
    if (!changes(function))
      return false;
    SmallVector<Type> inputs = newInputs(function);
    StringAttr name = SymbolTable::getSymbolName(first);
    return llvm::any_of(*module_.getBody(), [&](Operation &op) {
      Attribute specializes = op.getAttr(kSpecializes);
      if (auto train = dyn_cast<graph::TrainOp>(op))
        specializes = train.getSpecializesAttr();
      auto symbol = dyn_cast_if_present<FlatSymbolRefAttr>(specializes);
      if (!symbol || symbol.getAttr() != name)
        return false;
      func::FuncOp other = argumentsOf(&op);
      return other && other.getArgumentTypes() == ArrayRef<Type>(inputs);
    });
  }

  SmallVector<Type> newInputs(func::FuncOp function) const {
    int64_t leading = leadingSize(function.getArgumentTypes());
    SmallVector<Type> inputs;
    for (Type type : function.getArgumentTypes()) {
      SmallVector<int64_t> shape(tensorType(type).getShape());
      if (!shape.empty() && shape[0] == leading)
        shape[0] = size_;
      inputs.push_back(tensorType(type).clone(shape));
    }
    return inputs;
  }

  /// The copy of `function` for the new size of its own inputs.
  FailureOr<func::FuncOp> entry(func::FuncOp function) {
    if (!changes(function))
      return function;
    return copyFor(function, newInputs(function),
                   leadingSize(function.getArgumentTypes()));
  }

  /// The copy of `function` whose arguments have types `inputs`.
  FailureOr<func::FuncOp> copyFor(func::FuncOp function, ArrayRef<Type> inputs,
                                  int64_t leading) {
    bool isSame = function.getArgumentTypes() == inputs;
    if (isSame && !looked_.insert({function, leading}).second)
      return function;
    for (auto &[from, to] : copies_)
      if (from == function && to.getArgumentTypes() == inputs)
        return to;
    if (llvm::is_contained(open_, function))
      return function.emitError("calls itself");
    if (open_.size() == kMaxCallDepth)
      return function.emitError("expects calls at most ")
             << kMaxCallDepth << " deep to follow a batch size through them";
    // Others are for one caller alone, which takes them in.
    bool isEntry = !isSame && function.isPublic() &&
                   !function->hasAttr(kSpecializes) &&
                   llvm::equal(newInputs(function), inputs) &&
                   !familyHas(function, function);
    std::string name = newName(function.getSymName());
    if (isEntry && failed(freeName(function, function.getSymName())))
      return failure();
    if (!isEntry)
      name += ".called"; // or like it, if that is taken
    open_.push_back(function);
    leading_.push_back(leading);
    auto copy = function.clone();
    copy.setSymName(name);
    if (isEntry) {
      copy->setAttr(kSpecializes,
                    FlatSymbolRefAttr::get(function.getSymNameAttr()));
    } else {
      copy->removeAttr(kSpecializes);
      copy.setPrivate();
    }
    symbols_.insert(copy);
    for (auto [argument, type] : llvm::zip_equal(copy.getArguments(), inputs))
      argument.setType(type);
    LogicalResult done = inferBody(function, copy, inputs);
    open_.pop_back();
    leading_.pop_back();
    if (failed(done))
      return failure();
    if (isSame) {
      // Only to see that it does not count what it should not.
      symbols_.erase(copy);
      return function;
    }
    copies_.emplace_back(function, copy);
    return copy;
  }

  LogicalResult inferBody(func::FuncOp original, func::FuncOp copy,
                          ArrayRef<Type> inputs) {
    OldSizes sizes(leading_.back(), size_);
    Block &body = copy.getBody().front();
    if (failed(inferBlock(original.getBody().front(), body, sizes)) ||
        failed(sizes.checkKnown(body.getTerminator()->getOperands(),
                                body.getTerminator())))
      return failure();
    copy.setFunctionType(FunctionType::get(
        copy.getContext(), inputs, body.getTerminator()->getOperandTypes()));
    return success();
  }

  LogicalResult inferBlock(Block &original, Block &copy, OldSizes &sizes) {
    // Listed before any op is put between them.
    SmallVector<std::pair<Operation *, Operation *>> ops;
    for (auto [before, op] : llvm::zip_equal(original.without_terminator(),
                                             copy.without_terminator()))
      ops.push_back({&before, &op});
    for (const auto &pair : ops) {
      Operation *before = pair.first, *op = pair.second;
      if (op->getNumRegions() != 0) {
        if (failed(inferRegion(before, op, sizes)))
          return failure();
        continue;
      }
      if (isa<func::CallOp, graph::ValueAndGradOp>(op) &&
          failed(sizes.checkKnown(op->getOperands(), op)))
        return failure();
      followOthers(op, sizes);
      if (failed(inferOp(before, op)) ||
          failed(verify(op, /*recursively=*/true)))
        return refuse(op);
      if (failed(sizes.visit(op, [&](unsigned number, Type type) {
            return wouldFit(before, op, number, type);
          })))
        return failure();
    }
    return success();
  }

  LogicalResult refuse(Operation *op) {
    return emitError(op->getLoc())
           << "'" << op->getName() << "' does not fit batch size " << size_
           << "; give this function in both sizes";
  }

  /// A loop or a checkpoint: infers its body, and from that its results.
  LogicalResult inferRegion(Operation *before, Operation *op, OldSizes &sizes) {
    if (!isa<graph::ForOp, graph::CheckpointOp>(op))
      return refuse(op);
    Block &body = op->getRegion(0).front();
    if (isa<graph::ForOp>(op)) {
      if (failed(sizes.checkKnown(op->getOperands(), op)))
        return failure();
      for (auto [argument, init] :
           llvm::zip_equal(body.getArguments().drop_front(), op->getOperands()))
        argument.setType(init.getType());
    }
    if (failed(inferBlock(before->getRegion(0).front(), body, sizes)))
      return failure();
    ValueRange yielded = body.getTerminator()->getOperands();
    if (isa<graph::ForOp>(op) &&
        failed(sizes.checkKnown(yielded, body.getTerminator())))
      return failure();
    if (failed(setTypes(op, yielded.getTypes())) ||
        failed(verify(op, /*recursively=*/true)))
      return refuse(op);
    for (auto [value, result] : llvm::zip_equal(yielded, op->getResults()))
      sizes.copy(value, result);
    return success();
  }

  /// Gives splats, iotas and broadcasts that `op` reads beside a value of the
  /// new size that size, where they state the old one.
  static void followOthers(Operation *op, const OldSizes &sizes) {
    if (!op->hasTrait<graph::ElementwiseOp>())
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      llvm::SmallBitVector dims = sizes.of(operand.get());
      SmallVector<int64_t> shape(
          tensorType(operand.get().getType()).getShape());
      for (Value other : op->getOperands()) {
        ArrayRef<int64_t> known = tensorType(other.getType()).getShape();
        llvm::SmallBitVector unknown = sizes.of(other);
        if (known.size() != shape.size())
          continue;
        for (unsigned k : dims.set_bits())
          if (!unknown[k])
            shape[k] = known[k];
      }
      if (Value resized = withShape(operand.get(), shape))
        operand.set(resized);
    }
  }

  /// What states `value` with another shape; null if that is not easily had.
  static Value withShape(Value value, ArrayRef<int64_t> shape) {
    RankedTensorType type = tensorType(value.getType());
    Operation *op = value.getDefiningOp();
    if (!op || type.getShape() == shape)
      return {};
    if (auto broadcast = dyn_cast<graph::BroadcastOp>(op)) {
      for (int64_t dim : broadcast.getDims())
        if (shape[dim] != type.getDimSize(dim))
          return {};
    } else if (!isa<graph::ConstantOp, graph::IotaOp>(op)) {
      return {};
    }
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    Operation *copy = builder.clone(*op);
    if (auto constant = dyn_cast<graph::ConstantOp>(copy))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue())
                                .resizeSplat(type.clone(shape)));
    copy->getResult(0).setType(type.clone(shape));
    return copy->getResult(0);
  }

  /// Whether `op` would verify with another type of one operand.
  bool wouldFit(Operation *before, Operation *op, unsigned number, Type type) {
    if (isa<func::CallOp, graph::ValueAndGradOp>(op))
      return true;
    ScopedDiagnosticHandler quiet(op->getContext(),
                                  [](Diagnostic &) { return success(); });
    OpBuilder builder(op);
    Value operand = op->getOperand(number);
    auto other =
        builder.create<UnrealizedConversionCastOp>(op->getLoc(), type, operand);
    Operation *copy = builder.clone(*op);
    copy->setOperand(number, other.getResult(0));
    bool fits = succeeded(inferOp(before, copy)) && succeeded(verify(copy));
    copy->erase();
    other.erase();
    return fits;
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
  /// Functions whose arguments stay, and the size they were looked through for.
  llvm::DenseSet<std::pair<Operation *, int64_t>> looked_;
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
