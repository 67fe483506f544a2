// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/VerifyPhase/VerifyPhase.h"

#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc {
#define GEN_PASS_DEF_VERIFYPHASE
#include "passes/VerifyPhase/VerifyPhase.h.inc"

using namespace mlir;

namespace {

/// `op` must not be there any more.
LogicalResult survives(Operation *op, StringRef phase) {
  return op->emitError() << "'" << op->getName() << "' must not survive phase '"
                         << phase << "'";
}

LogicalResult checkDialects(ModuleOp module, StringRef phase) {
  static constexpr StringLiteral kAllowed[] = {"builtin", "func", "graph"};
  WalkResult result = module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (llvm::is_contained(kAllowed, dialect) ||
        isa<graph::DecomposableOpInterface>(op)) // of a plugin
      return WalkResult::advance();
    (void)survives(op, phase);
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Graph ops hold their own types to this; a function may have any.
LogicalResult checkTypes(func::FuncOp function) {
  for (ArrayRef<Type> types :
       {function.getArgumentTypes(), function.getResultTypes()})
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape())
        return function.emitError("expects tensors of static shape, but got ")
               << type;
    }
  return success();
}

/// Gradient ops may draw again what their forward op drew, so numbers are
/// unique in forward ops only.
LogicalResult checkImport(func::FuncOp function, bool isForward) {
  llvm::DenseMap<int64_t, Operation *> draws;
  WalkResult result = function.walk([&](Operation *op) {
    if (isa<func::CallOp, graph::CheckpointOp, graph::PrecisionOp>(op)) {
      (void)survives(op, "import");
      return WalkResult::interrupt();
    }
    if (auto grad = dyn_cast<graph::ValueAndGradOp>(op);
        grad && !grad.getMode()) {
      op->emitError("expects a mode after import");
      return WalkResult::interrupt();
    }
    if (auto norm = dyn_cast<graph::BatchNormOp>(op); norm && !norm.getMode()) {
      op->emitError("expects a mode after import");
      return WalkResult::interrupt();
    }
    if (isa<graph::IsTrainingOp>(op)) {
      (void)survives(op, "import");
      return WalkResult::interrupt();
    }
    std::optional<int64_t> id;
    if (auto dropout = dyn_cast<graph::DropoutOp>(op)) {
      if (!dropout.getKey()) {
        op->emitError("expects dropout to have its key after import");
        return WalkResult::interrupt();
      }
      if (dropout.getMode() != graph::Mode::Train) {
        op->emitError("expects dropout in training mode after import, but got ")
            << (dropout.getMode() ? "evaluation mode" : "none");
        return WalkResult::interrupt();
      }
      id = dropout.getOpId();
    } else if (auto random = dyn_cast<graph::RandomUniformOp>(op)) {
      id = random.getOpId();
    }
    if (!id)
      return WalkResult::advance();
    if (*id < 0) {
      op->emitError("expects an op_id after import");
      return WalkResult::interrupt();
    }
    auto [entry, isNew] = draws.try_emplace(*id, op);
    if (isNew || !isForward)
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitError()
                              << "draws with op_id " << *id << " of another op";
    diag.attachNote(entry->second->getLoc()) << "the other op";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Reads come first, once for each variable; writes last, once for each.
LogicalResult checkState(func::FuncOp function) {
  WalkResult nested = function.walk([&](Operation *op) {
    if (isa<graph::GetOp, graph::SetOp>(op) && op->getParentOp() != function) {
      op->emitError("expects variables to be read and written outside loops");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (nested.wasInterrupted())
    return failure();
  llvm::DenseMap<Attribute, Operation *> reads, writes;
  Operation *firstOther = nullptr, *firstWrite = nullptr;
  for (Operation &op : function.getBody().front().without_terminator()) {
    auto once = [&](auto &seen, Attribute variable,
                    StringRef what) -> LogicalResult {
      auto [entry, isNew] = seen.try_emplace(variable, &op);
      if (isNew)
        return success();
      InFlightDiagnostic diag = op.emitError()
                                << variable << " is " << what << " twice";
      diag.attachNote(entry->second->getLoc()) << "the first time";
      return diag;
    };
    if (auto get = dyn_cast<graph::GetOp>(op)) {
      if (failed(once(reads, get.getVariableAttr(), "read")))
        return failure();
      if (firstWrite || (firstOther && !isa<graph::ConstantOp>(firstOther)))
        return op.emitError(
            "expects variables to be read before anything else");
      continue;
    }
    if (auto set = dyn_cast<graph::SetOp>(op)) {
      if (failed(once(writes, set.getVariableAttr(), "written")))
        return failure();
      firstWrite = &op;
      continue;
    }
    if (firstWrite)
      return op.emitError("expects nothing but writes after the first write of "
                          "a variable");
    if (!firstOther || isa<graph::ConstantOp>(firstOther))
      firstOther = &op;
  }
  return success();
}

LogicalResult checkAutodiff(ModuleOp module) {
  WalkResult result = module.walk([&](Operation *op) {
    if (!isa<graph::TrainOp, graph::GradOp, graph::ValueAndGradOp,
             graph::CustomVjpOp>(op))
      return WalkResult::advance();
    (void)survives(op, "autodiff");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && failed(checkState(function)))
      return failure();
  return success();
}

/// The first of `values` with elements of f32, or of a narrower float.
std::optional<Type> findFloat(ValueRange values, bool isNarrow) {
  for (Type type : values.getTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      if (auto element = dyn_cast<FloatType>(tensor.getElementType());
          element && (isNarrow ? element.getWidth() < 32 : element.isF32()))
        return type;
  return std::nullopt;
}

/// Each op computes in the type that its list, or its region, says.
LogicalResult checkAmp(func::FuncOp function) {
  using graph::PrecisionClass;
  WalkResult result = function.walk([&](Operation *op) {
    if (!isa<graph::PrecisionOpInterface>(op) || isa<graph::CastOp>(op))
      return WalkResult::advance();
    bool isKept = op->hasAttr(graph::kPrecisionAttr);
    PrecisionClass list = graph::getPrecisionClass(op);
    if (isKept || list == PrecisionClass::Wide) {
      std::optional<Type> narrow = findFloat(op->getOperands(), true);
      if (!narrow)
        narrow = findFloat(op->getResults(), true);
      if (!narrow)
        return WalkResult::advance();
      op->emitError() << "expects '" << op->getName() << "', "
                      << (isKept ? "in a region of f32" : "of the f32 list")
                      << ", to read and give f32, but got " << *narrow;
      return WalkResult::interrupt();
    }
    if (list != PrecisionClass::Low)
      return WalkResult::advance();
    // What is added to a product, or masks it, may be wider.
    std::optional<Type> wide =
        findFloat(op->getOperands().take_front(2), false);
    if (!wide)
      return WalkResult::advance();
    op->emitError() << "expects '" << op->getName()
                    << "' to multiply f16 or bf16, but got " << *wide;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult checkFuse(func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) {
    bool isInFused = isa<graph::FusedOp>(op->getParentOp());
    if (isa<graph::FusedOp>(op)) {
      if (!isInFused)
        return WalkResult::advance();
      op->emitError("expects no region inside a region");
      return WalkResult::interrupt();
    }
    if (isa<graph::ForOp>(op) && isInFused) {
      op->emitError("expects no 'graph.for' in a region");
      return WalkResult::interrupt();
    }
    bool isStructure =
        isa<func::FuncOp, func::ReturnOp, graph::GetOp, graph::SetOp,
            graph::ConstantOp, graph::ForOp, graph::YieldOp, graph::CustomOp,
            graph::RecomputeBarrierOp>(op);
    if (isStructure || isInFused)
      return WalkResult::advance();
    op->emitError() << "'" << op->getName() << "' is in no graph.fused region";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct VerifyPhasePass : impl::VerifyPhaseBase<VerifyPhasePass> {
  using VerifyPhaseBase::VerifyPhaseBase;

  void runOnOperation() override {
    if (failed(check()))
      signalPassFailure();
  }

  LogicalResult check() {
    ModuleOp module = getOperation();
    if (phase != "import" && phase != "autodiff" && phase != "amp" &&
        phase != "fuse")
      return module.emitError()
             << "expects phase import, autodiff, amp or fuse, but got '"
             << phase << "'";
    if (failed(checkDialects(module, phase)))
      return failure();
    for (auto function : module.getOps<func::FuncOp>()) {
      if (failed(checkTypes(function)))
        return failure();
      if (!function.isExternal() &&
          failed(checkImport(function, phase == "import")))
        return failure();
    }
    if (phase == "import")
      return success();
    if (failed(checkAutodiff(module)))
      return failure();
    if (phase == "autodiff")
      return success();
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(phase == "amp" ? checkAmp(function) : checkFuse(function)))
        return failure();
    return success();
  }
};

} // namespace
} // namespace graphc
