// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-reduce/Reduce.h"

#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace graphc::reduce {
namespace {

/// The ops of functions, in a fixed order.
SmallVector<Operation *> opsOf(ModuleOp module) {
  SmallVector<Operation *> ops;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != function && !op->hasTrait<OpTrait::IsTerminator>())
        ops.push_back(op);
    });
  return ops;
}

SmallVector<Operation *> symbolsOf(ModuleOp module) {
  SmallVector<Operation *> symbols;
  for (Operation &op : module.getBody()->getOperations())
    symbols.push_back(&op);
  return symbols;
}

void eraseUnused(ModuleOp module) {
  SmallVector<Operation *> ops = opsOf(module);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op) || (isa<graph::GetOp>(op) && op->use_empty()))
      op->erase();
}

/// What may stand for the result of an op that goes.
enum class Substitute {
  FirstOperand, // of the op, of those with the result's type
  LastOperand,
  Argument, // a new one of its function
  Constant
};

/// A new argument of the function around `op`, at whose top level it must be.
/// Null if something calls the function or trains it: that would have to give
/// the argument.
Value addArgument(Operation *op, Type type) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function ||
      !SymbolTable::symbolKnownUseEmpty(function, function->getParentOp()))
    return {};
  function.insertArgument(function.getNumArguments(), type, {}, op->getLoc());
  return function.getArguments().back();
}

/// A value that may stand for `result`. Null if there is none.
Value replacementFor(Value result, Substitute substitute) {
  Operation *op = result.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(result.getType());
  switch (substitute) {
  case Substitute::FirstOperand:
    for (Value operand : op->getOperands())
      if (operand.getType() == result.getType())
        return operand;
    return {};
  case Substitute::LastOperand:
    for (Value operand : llvm::reverse(op->getOperands()))
      if (operand.getType() == result.getType())
        return operand;
    return {};
  case Substitute::Argument:
    return type ? addArgument(op, type) : Value();
  case Substitute::Constant:
    break;
  }
  if (!type || op->hasTrait<OpTrait::ConstantLike>())
    return {};
  OpBuilder builder(op);
  Type element = type.getElementType();
  Attribute one = isa<FloatType>(element)
                      ? Attribute(builder.getFloatAttr(element, 1.0))
                      : Attribute(builder.getIntegerAttr(element, 1));
  return builder.create<graph::ConstantOp>(op->getLoc(),
                                           DenseElementsAttr::get(type, one));
}

bool dropOp(Operation *op, Substitute substitute) {
  SmallVector<Value> values;
  for (Value result : op->getResults()) {
    Value value =
        result.use_empty() ? result : replacementFor(result, substitute);
    if (!value)
      return false;
    values.push_back(value);
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    if (value != result)
      result.replaceAllUsesWith(value);
  op->erase();
  return true;
}

/// Drops result `number` of the results that functions return, counted through
/// the module; false if there is no such result.
bool dropReturned(ModuleOp module, size_t number) {
  for (auto function : module.getOps<func::FuncOp>()) {
    size_t count = function.getNumResults();
    if (number >= count) {
      number -= count;
      continue;
    }
    if (function.isExternal())
      return false;
    function.getBody().front().getTerminator()->eraseOperand(number);
    function.eraseResult(number);
    return true;
  }
  return false;
}

/// Asks for no gradient of argument `number`, which is gone.
void dropInput(graph::GradOp grad, int64_t number) {
  SmallVector<int64_t> inputs;
  for (int64_t input : grad.getInputs())
    if (input != number)
      inputs.push_back(input - (input > number));
  grad.setInputs(inputs);
}

/// As dropReturned(), for arguments that nothing reads.
bool dropArgument(ModuleOp module, size_t number) {
  for (auto function : module.getOps<func::FuncOp>()) {
    size_t count = function.getNumArguments();
    if (number >= count) {
      number -= count;
      continue;
    }
    if (function.isExternal() || !function.getArgument(number).use_empty())
      return false;
    function.eraseArgument(number);
    for (auto grad : module.getOps<graph::GradOp>())
      if (grad.getFunction() == function.getSymName())
        dropInput(grad, static_cast<int64_t>(number));
    return true;
  }
  return false;
}

class Reducer {
public:
  Reducer(ModuleOp module, const Oracle &oracle, int64_t maxTests,
          raw_ostream &log)
      : best(module.clone()), oracle(oracle), testsLeft(maxTests), log(log) {}

  OwningOpRef<ModuleOp> run() {
    bool isSmaller = true;
    while (isSmaller && testsLeft > 0) {
      isSmaller = false;
      isSmaller |=
          dropInChunks([](ModuleOp module) { return symbolsOf(module).size(); },
                       [](ModuleOp module, size_t from, size_t to) {
                         bool changed = false;
                         SmallVector<Operation *> symbols = symbolsOf(module);
                         for (size_t at = to; at-- > from;) {
                           symbols[at]->erase();
                           changed = true;
                         }
                         return changed;
                       });
      for (Substitute substitute :
           {Substitute::FirstOperand, Substitute::LastOperand,
            Substitute::Argument, Substitute::Constant})
        isSmaller |=
            dropInChunks([](ModuleOp module) { return opsOf(module).size(); },
                         [substitute](ModuleOp module, size_t from, size_t to) {
                           SmallVector<Operation *> ops = opsOf(module);
                           bool changed = false;
                           // Those inside one that goes come after it, and are gone first.
                           for (size_t at = to; at-- > from;) {
                             if (ops[at]->getNumRegions() != 0 && to - from > 1)
                               continue;
                             changed |= dropOp(ops[at], substitute);
                           }
                           return changed;
                         });
      isSmaller |= dropEach(dropReturned);
      isSmaller |= dropEach(dropArgument);
      log << "graph-reduce: " << countOps(*best) << " ops, " << testsLeft
          << " tests left\n";
    }
    return std::move(best);
  }

private:
  using Count = llvm::function_ref<size_t(ModuleOp)>;
  using Drop = llvm::function_ref<bool(ModuleOp, size_t, size_t)>;

  /// Takes `candidate` if it is a smaller module that is still interesting.
  bool accept(OwningOpRef<ModuleOp> candidate) {
    eraseUnused(*candidate);
    {
      ScopedDiagnosticHandler silence(candidate->getContext(),
                                      [](Diagnostic &) { return success(); });
      if (failed(verify(*candidate)))
        return false;
    }
    if (--testsLeft < 0 || !oracle(*candidate))
      return false;
    best = std::move(candidate);
    return true;
  }

  bool dropInChunks(Count count, Drop drop) {
    bool isSmaller = false;
    for (size_t size = std::max<size_t>(count(*best) / 2, 1); size > 0;
         size /= 2) {
      // From the end: what nothing needs comes last.
      for (size_t end = count(*best); end > 0 && testsLeft > 0;) {
        size_t begin = end > size ? end - size : 0;
        OwningOpRef<ModuleOp> candidate = best->clone();
        if (drop(*candidate, begin, end) && accept(std::move(candidate)))
          isSmaller = true;
        end = std::min(begin, count(*best));
      }
    }
    return isSmaller;
  }

  bool dropEach(llvm::function_ref<bool(ModuleOp, size_t)> drop) {
    bool isSmaller = false;
    // More than there are of either.
    size_t most = 0;
    for (auto function : best->getOps<func::FuncOp>())
      most += function.getNumArguments() + function.getNumResults();
    for (size_t number = most; number-- > 0 && testsLeft > 0;) {
      OwningOpRef<ModuleOp> candidate = best->clone();
      if (drop(*candidate, number) && accept(std::move(candidate)))
        isSmaller = true;
    }
    return isSmaller;
  }

  OwningOpRef<ModuleOp> best;
  const Oracle &oracle;
  int64_t testsLeft;
  raw_ostream &log;
};

} // namespace

int64_t countOps(ModuleOp module) { return opsOf(module).size(); }

OwningOpRef<ModuleOp> reduce(ModuleOp module, const Oracle &oracle,
                             int64_t maxTests, raw_ostream &log) {
  return Reducer(module, oracle, maxTests, log).run();
}

} // namespace graphc::reduce
