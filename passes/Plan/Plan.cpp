// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Plan/Plan.h"

#include "lib/Analysis/PlanCheck.h"
#include "passes/Plan/Emit.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_PLAN
#include "passes/Plan/Plan.h.inc"

namespace {

struct PlanPass : impl::PlanBase<PlanPass> {
  using PlanBase::PlanBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(layOutState(module)))
      return signalPassFailure();
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (!plan::isKernel(function))
        functions.push_back(function);
    SymbolTable symbols(module);
    for (func::FuncOp function : functions)
      if (failed(planFunction(function, symbols)))
        return signalPassFailure();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    constants.emit(builder, module.getLoc());

    // Proves the plan while the functions are there to compare it with.
    if (failed(plan::checkPlans(module)))
      return signalPassFailure();
    if (keepValueForm)
      return;
    for (auto program : module.getOps<plan::ProgramOp>())
      program.removeOfAttr();
    for (func::FuncOp function : functions)
      function.erase();
  }

private:
  LogicalResult layOutState(ModuleOp module) {
    int64_t end = 0;
    for (auto variable : module.getOps<graph::VariableOp>()) {
      numbers[variable.getSymNameAttr()] = stateOffsets.size();
      stateOffsets.push_back(end);
      variable->setAttr(plan::PlanDialect::getOffsetAttrName(),
                        OpBuilder(variable).getI64IntegerAttr(end));
      int64_t bytes = plan::getByteSize(variable.getStoredType()), aligned;
      if (llvm::AddOverflow(bytes, plan::alignment - 1, aligned) ||
          llvm::AddOverflow(end, aligned / plan::alignment * plan::alignment,
                            end) ||
          end > plan::maxMemoryBytes)
        return variable.emitOpError("expects variables of at most ")
               << plan::maxMemoryBytes << " bytes in all";
    }
    return success();
  }

  LogicalResult planFunction(func::FuncOp function, SymbolTable &symbols) {
    if (!function.isPublic() || function.isExternal())
      return function.emitOpError(
          "expects a function to plan to be public and to have a body");
    FailureOr<planning::Schedule> schedule =
        planning::readFunction(function, numbers);
    if (failed(schedule))
      return failure();
    planning::orderSteps(*schedule);
    if (failed(planning::assignBuffers(*schedule)))
      return failure();
    OpBuilder builder(function);
    plan::ProgramOp program =
        planning::emitProgram(*schedule, stateOffsets, constants, builder);
    if (ElementsAttr excess = constants.getExcess())
      return function.emitError("expects constants of at most ")
             << plan::maxConstantBytes << " bytes in all, but got "
             << excess.getType() << " after " << constants.getBytes()
             << " bytes";

    // The program takes the function's name.
    symbols.remove(function);
    function.setPrivate();
    function.setSymName((program.getSymName() + ".values").str());
    program->remove();
    symbols.insert(program, function->getIterator());
    function->remove();
    symbols.insert(function, std::next(program->getIterator()));
    program.setOfAttr(FlatSymbolRefAttr::get(function.getSymNameAttr()));
    return success();
  }

  planning::VariableNumbers numbers;
  SmallVector<int64_t> stateOffsets;
  planning::ConstantPool constants;
};

} // namespace
} // namespace graphc
