// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges adjacent loops, and notes what each expression depends on.
#include "passes/LowerKernel/Nest.h"

using namespace mlir;
namespace graphc::kernel {

/// True if running loop `v` around loop `v` + 1 is one longer loop to every
/// access.
static bool canMerge(Nest &nest, unsigned v) {
  const Variable &outer = nest.variables[v], &inner = nest.variables[v + 1];
  if (outer.role != inner.role)
    return false;
  bool merges = true;
  nest.forEachIndex([&](Index &index) {
    merges &= index.coefficient(v) == index.coefficient(v + 1) * inner.size;
  });
  return merges;
}

static void dropVariable(Nest &nest, unsigned v) {
  nest.forEachIndex([&](Index &index) {
    if (v < index.coefficients.size())
      index.coefficients.erase(index.coefficients.begin() + v);
  });
  nest.variables.erase(nest.variables.begin() + v);
  --nest.loopCount;
}

void Nest::finish() {
  auto isNextAlike = [&](unsigned v) {
    return v + 1 < loopCount && variables[v].role == variables[v + 1].role;
  };
  for (unsigned v = loopCount; v-- > 0;) {
    // A loop of one iteration is none. What vectors or chunks run along keeps
    // its place even then.
    if (variables[v].size == 1 &&
        (variables[v].role == Outer || isNextAlike(v))) {
      dropVariable(*this, v);
    } else if (isNextAlike(v) && variables[v + 1].size == 1) {
      dropVariable(*this, v + 1);
    } else if (v + 1 < loopCount && canMerge(*this, v)) {
      variables[v + 1].size *= variables[v].size;
      dropVariable(*this, v);
    }
  }
  noteLoops();
}

void Nest::moveToFront(unsigned v) {
  forEachIndex([&](Index &index) {
    int64_t coefficient = index.coefficient(v);
    if (v < index.coefficients.size())
      index.coefficients.erase(index.coefficients.begin() + v);
    else if (index.coefficients.empty())
      return;
    index.coefficients.insert(index.coefficients.begin(), coefficient);
  });
  Variable variable = variables[v];
  variables.erase(variables.begin() + v);
  variables.push_front(variable);
  noteLoops();
}

void Nest::surround(ArrayRef<int64_t> sizes) {
  forEachIndex([&](Index &index) {
    if (!index.coefficients.empty())
      index.coefficients.insert(index.coefficients.begin(), sizes.size(), 0);
  });
  for (int64_t size : llvm::reverse(sizes)) {
    Variable variable{Variable::Loop, size};
    variable.role = Around;
    variables.push_front(variable);
  }
  loopCount += sizes.size();
  around += sizes.size();
}

void Nest::split(unsigned v, int64_t inner) {
  forEachIndex([&](Index &index) {
    if (v >= index.coefficients.size())
      return;
    int64_t coefficient = index.coefficients[v];
    index.coefficients[v] = coefficient * inner;
    index.coefficients.insert(index.coefficients.begin() + v + 1, coefficient);
  });
  Variable &outer = variables[v];
  Variable variable{Variable::Loop, inner};
  variable.role = outer.role;
  outer.size /= inner;
  variables.insert(variables.begin() + v + 1, variable);
  ++loopCount;
}

void Nest::noteLoops() {
  // Operands precede their users.
  for (Expr &expr : exprs) {
    expr.loops = expr.writtenIn | loopsIn(expr.index);
    for (const Condition &condition : expr.conditions)
      expr.loops |= loopsIn(condition.index);
    for (Expr *operand : expr.operands)
      expr.loops |= operand->loops;
    if (expr.kind == Expr::Accumulated) {
      expr.loops = uint64_t(1) << accumulatedBit;
      for (unsigned v = 0; v < loopCount; ++v)
        if (unsigned role = variables[v].role;
            role != OuterReduced && role != Reduced && role != K)
          expr.loops |= uint64_t(1) << v;
    }
  }
}

} // namespace graphc::kernel
