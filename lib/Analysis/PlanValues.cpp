// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/PlanValues.h"

#include "dialects/Graph/IR/Graph.h"

using namespace mlir;

namespace graphc::plan {
namespace {

class Evaluator {
public:
  explicit Evaluator(Terms &terms) : terms(terms) {}

  FailureOr<PlanValues> run(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      set(argument, terms.getInput(argument.getArgNumber()));
    for (Operation &op : function.front()) {
      if (auto end = dyn_cast<func::ReturnOp>(op))
        for (Value value : end.getOperands())
          result.outputs.push_back(get(value));
      else if (auto set = dyn_cast<graph::SetOp>(op))
        result.newVariables[set.getVariableAttr().getAttr()] =
            get(set.getValue());
      else if (failed(visit(&op, 0)))
        return failure();
    }
    llvm::sort(result.mayFail);
    return std::move(result);
  }

private:
  Term get(Value value) { return result.valueTerms.lookup(value); }

  void set(Value value, Term term) {
    auto type = cast<RankedTensorType>(value.getType());
    result.valueTerms[value] = getByteSize(type) == 0 ? terms.getEmpty() : term;
  }

  SmallVector<Term> get(ValueRange range) {
    return llvm::map_to_vector(range, [&](Value value) { return get(value); });
  }

  void setResults(Operation *op, Term whole) {
    for (OpResult value : op->getResults()) {
      set(value, terms.getResult(whole, value.getResultNumber()));
      Type type = cast<RankedTensorType>(value.getType()).getElementType();
      auto &types = result.elementTypes[get(value)];
      if (!llvm::is_contained(types, type))
        types.push_back(type);
    }
  }

  LogicalResult visit(Operation *op, unsigned depth) {
    if (auto variable = dyn_cast<graph::GetOp>(op)) {
      set(variable.getResult(),
          terms.getVariable(variable.getVariableAttr().getAttr()));
      return success();
    }
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      set(constant.getResult(), terms.getConstant(constant.getValue()));
      return success();
    }
    if (auto barrier = dyn_cast<graph::RecomputeBarrierOp>(op)) {
      set(barrier.getResult(), get(barrier.getSaved()));
      return success();
    }
    if (auto launch = dyn_cast<LaunchOp>(op)) {
      Term term = terms.getLaunch(
          launch.getKernelAttr(), launch.getArgs(), launch.getInplaceAttr(),
          launch.getMayFail(), launch.getParallel(), get(launch.getInputs()));
      result.launches.try_emplace(term, launch);
      if (launch.getMayFail())
        result.mayFail.push_back(term);
      setResults(launch, term);
      return success();
    }
    auto loop = dyn_cast<graph::ForOp>(op);
    if (!loop)
      return op->emitOpError("has no place in a function in value form");
    Block &body = loop.getBody().front();
    set(body.getArgument(0), terms.getIteration(depth));
    for (BlockArgument argument : body.getArguments().drop_front())
      set(argument, terms.getCarried(depth, argument.getArgNumber() - 1));
    for (Operation &inner : body.without_terminator())
      if (failed(visit(&inner, depth + 1)))
        return failure();
    setResults(loop, terms.getLoop(loop.getCount(), get(loop.getInits()),
                                   get(body.getTerminator()->getOperands())));
    return success();
  }

  Terms &terms;
  PlanValues result;
};

} // namespace

FailureOr<PlanValues> evaluate(func::FuncOp function, Terms &terms) {
  return Evaluator(terms).run(function);
}

} // namespace graphc::plan
