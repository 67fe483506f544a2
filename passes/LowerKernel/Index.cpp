// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear forms of loop variables.
#include "passes/LowerKernel/Nest.h"

using namespace mlir;
namespace graphc::kernel {

Index Index::ofVariable(unsigned variable) {
  Index index;
  index.coefficients.resize(variable + 1, 0);
  index.coefficients[variable] = 1;
  return index;
}

Index Index::ofConstant(int64_t value) {
  Index index;
  index.constant = value;
  return index;
}

bool Index::isConstant() const {
  return llvm::all_of(coefficients, [](int64_t c) { return c == 0; });
}

Index &Index::add(const Index &other, int64_t factor) {
  if (other.coefficients.size() > coefficients.size())
    coefficients.resize(other.coefficients.size(), 0);
  for (auto [k, coefficient] : llvm::enumerate(other.coefficients))
    coefficients[k] += factor * coefficient;
  constant += factor * other.constant;
  while (!coefficients.empty() && coefficients.back() == 0)
    coefficients.pop_back();
  return *this;
}

bool Index::operator==(const Index &other) const {
  return constant == other.constant && coefficients == other.coefficients;
}

bool Index::operator<(const Index &other) const {
  if (constant != other.constant)
    return constant < other.constant;
  return coefficients < other.coefficients;
}

SmallVector<unsigned> Nest::loopsOf(unsigned role) const {
  SmallVector<unsigned> loops;
  for (unsigned v = 0; v < loopCount; ++v)
    if (variables[v].role == role)
      loops.push_back(v);
  return loops;
}

int64_t Nest::sizeOf(unsigned role) const {
  int64_t size = 1;
  for (unsigned v : loopsOf(role))
    size *= variables[v].size;
  return size;
}

double Nest::iterations() const {
  double count = 1;
  for (unsigned v = 0; v < loopCount; ++v)
    count *= double(variables[v].size);
  return count;
}

bool Group::addsRows() const {
  return llvm::any_of(nests, [](const Nest *nest) { return nest->sums; });
}

uint64_t Nest::loopsIn(const Index &index) const {
  uint64_t loops = 0;
  for (auto [v, coefficient] : llvm::enumerate(index.coefficients)) {
    if (coefficient == 0)
      continue;
    loops |= loopsInVariable(v);
  }
  return loops;
}

uint64_t Nest::loopsInVariable(unsigned variable) const {
  switch (variables[variable].kind) {
  case Variable::Loop:
    return uint64_t(1) << variable;
  case Variable::Data:
    return variables[variable].data->loops;
  default:
    return loopsIn(variables[variable].of);
  }
}

std::pair<int64_t, int64_t> Nest::rangeOf(const Index &index) const {
  int64_t low = index.constant, high = index.constant;
  for (auto [v, coefficient] : llvm::enumerate(index.coefficients)) {
    int64_t reach = coefficient * std::max<int64_t>(variables[v].size - 1, 0);
    (coefficient > 0 ? high : low) += reach;
  }
  return {low, high};
}

bool Nest::isContiguous(const Expr *expr, unsigned loop) const {
  for (auto [v, coefficient] : llvm::enumerate(expr->index.coefficients)) {
    if (coefficient == 0 || !(loopsInVariable(v) >> loop & 1))
      continue;
    if (variables[v].kind != Variable::Loop || coefficient != 1)
      return false;
  }
  return llvm::all_of(expr->operands, [&](const Expr *operand) {
    return isContiguous(operand, loop);
  });
}

SmallVector<unsigned> Nest::panelLoops(const Expr *factor,
                                       unsigned role) const {
  SmallVector<unsigned> loops = loopsOf(Outer), own = loopsOf(role);
  llvm::append_range(loops, ArrayRef(own).drop_back(own.empty() ? 0 : 1));
  llvm::erase_if(loops, [&](unsigned v) { return !(factor->loops >> v & 1); });
  return loops;
}

void Nest::forEachIndex(llvm::function_ref<void(Index &)> f) {
  for (Variable &variable : variables)
    if (variable.kind != Variable::Loop)
      f(variable.of);
  for (Expr &expr : exprs) {
    f(expr.index);
    for (Condition &condition : expr.conditions)
      f(condition.index);
  }
  for (Store &store : stores)
    f(store.index);
  for (Store &store : termStores)
    f(store.index);
  f(partialIndex);
}

SmallVector<Expr *> Nest::termRoots() const {
  SmallVector<Expr *> all;
  for (const Store &store : termStores)
    all.push_back(store.value);
  if (element)
    all.push_back(element);
  return all;
}

SmallVector<Expr *> Nest::roots() const {
  SmallVector<Expr *> all = termRoots();
  for (const Store &store : stores)
    all.push_back(store.value);
  if (other)
    all.push_back(other);
  return all;
}

Buffer *Kernel::addWorkspace(Type elementType, int64_t elements) {
  buffers.push_back({Buffer::Workspace, 0, 0, elementType, elements});
  return &buffers.back();
}

int64_t Buffer::bytes() const {
  return elements * llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

void Kernel::layOutWorkspace() {
  workspaceBytes = 0;
  for (Buffer &buffer : buffers) {
    if (buffer.place != Buffer::Workspace)
      continue;
    buffer.offset = workspaceBytes = llvm::alignTo(workspaceBytes, 64);
    // Never empty, so that there is a workspace to take a view of.
    workspaceBytes += std::max<int64_t>(buffer.bytes(), 1);
  }
}

} // namespace graphc::kernel
