// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several nests of a group compute from the same elements, the first one
// keeps for the others.
#include "passes/LowerKernel/Groups.h"

using namespace mlir;
namespace graphc::kernel {

/// More than a store and a load of memory that is near.
constexpr double kWorthKeeping = 8;

/// Loops inside of a row, outermost first.
static SmallVector<unsigned> loopsInRow(const Nest &nest, unsigned rowLoops) {
  SmallVector<unsigned> loops;
  for (unsigned v = rowLoops; v < nest.loopCount; ++v)
    if (nest.variables[v].size > 1)
      loops.push_back(v);
  return loops;
}

namespace {
/// Compares expressions of two nests whose loops in a row correspond.
class Comparison {
public:
  Comparison(const Nest &a, const Nest &b, unsigned rowLoops) : a(a), b(b) {
    SmallVector<unsigned> ofA = loopsInRow(a, rowLoops);
    SmallVector<unsigned> ofB = loopsInRow(b, rowLoops);
    isPossible = ofA.size() == ofB.size();
    for (unsigned v = 0; v < rowLoops; ++v)
      loopOfA[v] = v;
    for (size_t k = 0; isPossible && k < ofA.size(); ++k) {
      loopOfA[ofB[k]] = ofA[k];
      isPossible = a.variables[ofA[k]].size == b.variables[ofB[k]].size;
    }
  }

  bool isPossible;

  bool areSame(const Expr *x, const Expr *y) {
    auto key = std::make_pair(x, y);
    auto known = memo.find(key);
    if (known != memo.end())
      return known->second;
    return memo[key] = compare(*x, *y);
  }

  /// An index of `a` as one of `b`, if it is of loops alone.
  std::optional<Index> translate(const Index &index) const {
    Index result = Index::ofConstant(index.constant);
    int64_t terms = 0;
    for (auto [w, v] : loopOfA) {
      terms += index.coefficient(v) != 0;
      result.add(Index::ofVariable(w), index.coefficient(v));
    }
    bool isWhole = terms == llvm::count_if(index.coefficients,
                                           [](int64_t c) { return c != 0; });
    return isWhole ? std::optional(result) : std::nullopt;
  }

private:
  bool compare(const Expr &x, const Expr &y) {
    if (x.kind != y.kind || x.elementType != y.elementType ||
        x.constant != y.constant || x.buffer != y.buffer || x.op != y.op ||
        x.number != y.number || x.operands.size() != y.operands.size() ||
        x.conditions.size() != y.conditions.size() ||
        x.kind == Expr::Accumulated || !areSame(x.index, y.index))
      return false;
    for (auto [c, d] : llvm::zip_equal(x.conditions, y.conditions))
      if (c.low != d.low || c.high != d.high || !areSame(c.index, d.index))
        return false;
    for (auto [v, w] : llvm::zip_equal(x.operands, y.operands))
      if (!areSame(v, w))
        return false;
    return true;
  }

  bool areSame(const Index &x, const Index &y) {
    if (x.constant != y.constant)
      return false;
    SmallVector<std::pair<unsigned, int64_t>> terms;
    for (auto [v, coefficient] : llvm::enumerate(x.coefficients))
      if (coefficient != 0)
        terms.push_back({v, coefficient});
    for (auto [w, coefficient] : llvm::enumerate(y.coefficients)) {
      if (coefficient == 0)
        continue;
      auto *term = llvm::find_if(terms, [&, w = w, c = coefficient](auto &t) {
        return t.second == c && isSameVariable(t.first, w);
      });
      if (term == terms.end())
        return false;
      terms.erase(term);
    }
    return terms.empty();
  }

  bool isSameVariable(unsigned v, unsigned w) {
    const Variable &x = a.variables[v], &y = b.variables[w];
    if (x.kind != y.kind || x.size != y.size)
      return false;
    if (x.kind == Variable::Loop) {
      auto found = loopOfA.find(w);
      return found != loopOfA.end() && found->second == v;
    }
    if (x.kind == Variable::Data)
      return areSame(x.data, y.data);
    return x.by == y.by && areSame(x.of, y.of);
  }

  const Nest &a, &b;
  llvm::SmallDenseMap<unsigned, unsigned> loopOfA; // by loop of `b`
  llvm::DenseMap<std::pair<const Expr *, const Expr *>, bool> memo;
};
} // namespace

/// Stores of what `nest` computes for each element of a row, or null.
static SmallVectorImpl<Store> *elementStores(Nest &nest) {
  if (nest.kind == Nest::Map)
    return &nest.stores;
  return nest.kind == Nest::RowReduce || nest.sums ? &nest.termStores : nullptr;
}

/// Where `nest` stores `value`; a new place if it does not yet, or null if
/// there is no memory left.
static const Store *storeOf(Kernel &kernel, Group &group, Nest &nest,
                            Expr *value, int64_t &left) {
  SmallVectorImpl<Store> &stores = *elementStores(nest);
  for (Store &store : stores)
    if (store.value == value)
      return &store;
  Buffer buffer{Buffer::Scratch, 0, 0, value->elementType, 1};
  Index index;
  SmallVector<unsigned> loopsOfRow = loopsInRow(nest, group.rowLoops);
  for (unsigned v : llvm::reverse(loopsOfRow)) {
    index.add(Index::ofVariable(v), buffer.elements);
    buffer.elements *= nest.variables[v].size;
  }
  if (buffer.bytes() > left)
    return nullptr;
  left -= llvm::alignTo(buffer.bytes(), 64);
  kernel.buffers.push_back(buffer);
  group.scratch.push_back(&kernel.buffers.back());
  stores.push_back({value, &kernel.buffers.back(), index});
  return &stores.back();
}

/// Makes `to` load what `from`, which runs before it, computes as well.
static void share(Kernel &kernel, Group &group, Nest &from, Nest &to,
                  int64_t &left) {
  Comparison comparison(from, to, group.rowLoops);
  if (!comparison.isPossible)
    return;
  uint64_t inRow = 0;
  for (unsigned v : loopsInRow(to, group.rowLoops))
    inRow |= uint64_t(1) << v;
  SmallVector<Expr *> terms =
      from.kind == Nest::Map ? from.roots() : from.termRoots();
  // Only the code of one op can be the same.
  llvm::DenseMap<Operation *, SmallVector<Expr *, 1>> made;
  for (Expr *expr : reachableFrom(terms))
    if (expr->kind == Expr::Apply)
      made[expr->op].push_back(expr);
  // Users follow their operands.
  for (Expr &expr : llvm::reverse(to.exprs)) {
    auto candidates =
        expr.kind == Expr::Apply ? made.find(expr.op) : made.end();
    if (candidates == made.end() || costOf(&expr, inRow) < kWorthKeeping ||
        !reachableFrom(to.roots()).contains(&expr))
      continue;
    auto *same = llvm::find_if(candidates->second, [&](Expr *e) {
      return comparison.areSame(e, &expr);
    });
    if (same == candidates->second.end())
      continue;
    const Store *store = storeOf(kernel, group, from, *same, left);
    std::optional<Index> index =
        store ? comparison.translate(store->index) : std::nullopt;
    if (!index)
      continue;
    Expr load{Expr::Load, expr.elementType};
    load.buffer = store->buffer;
    load.index = *index;
    load.loops = expr.loops;
    expr = load;
  }
}

void shareInRows(Kernel &kernel, Group &group, int64_t &left) {
  for (auto [k, to] : llvm::enumerate(group.nests))
    for (Nest *from : ArrayRef(group.nests).take_front(k))
      if (elementStores(*from))
        share(kernel, group, *from, *to, left);
}

} // namespace graphc::kernel
