// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Specialize.h"

#include "dialects/Graph/IR/Graph.h"
#include "lib/Import/Import.h"
#include "lib/Import/NewTypes.h"
#include "lib/Import/OldSizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace graphc {

namespace {

/// Calls are followed by recursion.
constexpr size_t kMaxCallDepth = 1000;
constexpr llvm::StringLiteral kSpecializes = "graph.specializes";

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
    return addCaller(train, train.getLoss(), train.getSpecializesAttr(),
                     [](graph::TrainOp clone, FlatSymbolRefAttr loss,
                        FlatSymbolRefAttr original) {
                       clone.setLossAttr(loss);
                       clone.setSpecializesAttr(original);
                     });
  }

  LogicalResult addGrad(graph::GradOp grad) {
    return addCaller(grad, grad.getFunction(), grad->getAttr(kSpecializes),
                     [](graph::GradOp clone, FlatSymbolRefAttr function,
                        FlatSymbolRefAttr original) {
                       clone.setFunctionAttr(function);
                       clone->setAttr(kSpecializes, original);
                     });
  }

  bool changes(func::FuncOp function) const {
    int64_t leading = leadingSize(function.getArgumentTypes());
    return leading != 0 && leading != size_;
  }

private:
  /// Adds `op`, which runs the function `callee`, in the new size: a clone,
  /// which `point` points to that function's copy and to `op`.
  template <typename Op, typename Point>
  LogicalResult addCaller(Op op, StringRef callee, Attribute specializes,
                          Point point) {
    auto function = symbols_.lookup<func::FuncOp>(callee);
    if (!function || !changes(function) || specializes ||
        familyHas(op, function))
      return success();
    FailureOr<func::FuncOp> copy = entry(function);
    if (failed(copy))
      return failure();
    FailureOr<std::string> name = freeName(op, op.getSymName());
    if (failed(name))
      return failure();
    auto clone = cast<Op>(op->clone());
    clone.setSymName(*name);
    point(clone, FlatSymbolRefAttr::get(*copy),
          FlatSymbolRefAttr::get(op.getSymNameAttr()));
    symbols_.insert(clone);
    return success();
  }

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
      SmallVector<int64_t> shape(cast<RankedTensorType>(type).getShape());
      if (!shape.empty() && shape[0] == leading)
        shape[0] = size_;
      inputs.push_back(cast<RankedTensorType>(type).clone(shape));
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

  /// A loop or another region: infers its body, and from that its results.
  LogicalResult inferRegion(Operation *before, Operation *op, OldSizes &sizes) {
    if (!isa<graph::ForOp, graph::CheckpointOp, graph::PrecisionOp>(op))
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

  LogicalResult inferOp(Operation *before, Operation *op) {
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
    return inferTypes(before, op, {leading_.back(), size_});
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
