// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What computing an element costs.
#include "dialects/Graph/IR/Graph.h"
#include "passes/LowerKernel/Nest.h"

using namespace mlir;
namespace graphc::kernel {

llvm::SetVector<Expr *> reachableFrom(ArrayRef<Expr *> roots) {
  llvm::SetVector<Expr *> all;
  SmallVector<Expr *> work(roots);
  while (!work.empty()) {
    Expr *expr = work.pop_back_val();
    if (all.insert(expr))
      llvm::append_range(work, expr->operands);
  }
  return all;
}

bool isLongChain(Operation *op) {
  return isa<graph::ExpOp, graph::Expm1Op, graph::LogOp, graph::Log1pOp,
             graph::TanhOp, graph::ErfOp>(op);
}

bool isContiguous(const Nest &nest, unsigned lane) {
  auto along = [&](const Index &index) {
    for (auto [v, coefficient] : llvm::enumerate(index.coefficients)) {
      if (coefficient == 0)
        continue;
      bool isLoop = nest.variables[v].kind == Variable::Loop;
      if (isLoop ? v == lane && coefficient != 1
                 : nest.loopsInVariable(v) >> lane & 1)
        return false;
    }
    return true;
  };
  auto stores = [&](const Store &store) { return along(store.index); };
  return llvm::all_of(nest.exprs,
                      [&](const Expr &expr) {
                        return expr.kind != Expr::Load || along(expr.index);
                      }) &&
         llvm::all_of(nest.stores, stores) &&
         llvm::all_of(nest.termStores, stores);
}

static double costOfOp(Operation *op) {
  if (isLongChain(op) || isa<graph::SinOp, graph::CosOp>(op))
    return 20;
  if (isa<graph::PowOp, graph::RemOp>(op))
    return 60;
  return isa<graph::DivOp, graph::SqrtOp, graph::RsqrtOp, graph::ReciprocalOp>(
             op)
             ? 4
             : 1;
}

double costOf(ArrayRef<Expr *> roots, uint64_t loops) {
  double cost = 0;
  for (Expr *expr : reachableFrom(roots)) {
    if ((expr->loops & loops) == 0 && loops != ~uint64_t(0))
      continue;
    if (expr->kind == Expr::Apply)
      cost += costOfOp(expr->op);
    else if (expr->kind == Expr::Random)
      cost += 60;
  }
  return cost;
}

} // namespace graphc::kernel
