// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs a factor of a product into panels (lib/Analysis/PanelLayout.h). What is
// computed or converted on the way is so once.
#include "passes/LowerKernel/EmitProduct.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace graphc::kernel {

void Emitter::emitPanels(bool isLeft) {
  const PanelLayout &layout =
      (isLeft ? nest->product.left : nest->product.right).layout;
  Expr *factor = isLeft ? nest->element : nest->other;
  SmallVector<unsigned> loops = nest->panelLoops(factor, isLeft ? M : N),
                        terms = nest->loopsOf(K);
  double bytes = double(layout.elements());
  for (unsigned v : loops)
    bytes *= double(nest->variables[v].size);
  bool isParallel = bytes * costOf(factor) >= double(options.parallelFlops) ||
                    8 * bytes >= double(options.parallelBytes);

  // Items: a panel and some of the last K, of each value of all other loops.
  constexpr int64_t termsOfItem = 256;
  int64_t last = terms.empty() ? 1 : nest->variables[terms.back()].size;
  unsigned panel = addLocalLoop(layout.panels());
  loops.push_back(panel);
  llvm::append_range(loops, ArrayRef(terms).drop_back(terms.empty() ? 0 : 1));
  auto emitRun = [&](int64_t firstPanel, int64_t panels, int64_t active) {
    nest->variables[panel].size = panels;
    auto emitTerms = [&](int64_t first, int64_t items, int64_t count) {
      nestLoops(*top, loops, items, isParallel, [&](Scope &s, Value item) {
        emitPanel(s, isLeft, offset(s, s.get(panel), firstPanel), active,
                  scaled(s, item, termsOfItem, first), count);
      });
    };
    emitTerms(0, last / termsOfItem, termsOfItem);
    if (last % termsOfItem)
      emitTerms(last / termsOfItem * termsOfItem, 1, last % termsOfItem);
  };
  int64_t full = layout.free / layout.width;
  emitRun(0, full, layout.width);
  if (full < layout.panels())
    emitRun(full, 1, layout.free - full * layout.width);
}

/// Terms `first` to `first` + `terms` of the last K, of the `active` rows of
/// panel `panel`.
void Emitter::emitPanel(Scope &scope, bool isLeft, Value panel, int64_t active,
                        Value first, int64_t terms) {
  Location loc = nest->loc;
  const ProductPlan::Packed &packed =
      isLeft ? nest->product.left : nest->product.right;
  const PanelLayout &layout = packed.layout;
  Expr *factor = isLeft ? nest->element : nest->other;
  SmallVector<unsigned> own = nest->loopsOf(isLeft ? M : N),
                        loops = nest->loopsOf(K);
  Value memory = memoryOf(packed.buffer);
  Operand operand = operandOf(scope, isLeft, Value(), panel);
  Value base = operand.base;
  for (auto [v, stride] : llvm::zip_equal(loops, operand.terms))
    if (v != loops.back())
      base = scope.builder.createOrFold<arith::AddIOp>(
          loc, base, scaled(scope, scope.get(v), stride, 0));
  Value row = scaled(scope, panel, layout.width, 0);
  Type type = getComputeType(nest->accumulationType);
  auto bindTerm = [&](Scope &s, Value term) {
    if (!loops.empty())
      s.bind(loops.back(), term);
  };
  auto put = [&](Scope &s, Value value, Value at) {
    ElementBuilder e{s.builder, loc,
                     isa<VectorType>(value.getType()) ? lanes : 0};
    value = e.store(nest->accumulationType, value);
    if (isa<VectorType>(value.getType()))
      s.builder.create<vector::StoreOp>(loc, value, memory, at);
    else
      s.builder.create<memref::StoreOp>(loc, value, memory, at);
  };

  bool alongFree = !own.empty() && nest->isContiguous(factor, own.back());
  bool alongK = !loops.empty() && nest->isContiguous(factor, loops.back());

  // One row: nothing to arrange.
  if (layout.pitch == 1 && lanes && alongK) {
    auto copy = [&](Scope &s, Value item, int64_t count) {
      if (!own.empty())
        s.bind(own.back(), row);
      Value term = s.builder.createOrFold<arith::AddIOp>(loc, first, item);
      bindTerm(s, term);
      s.setLanes(loops.back(), lanes, count);
      Value value = splat(evaluate(factor, s), s);
      Value at = s.builder.createOrFold<arith::AddIOp>(loc, base, term);
      if (count == lanes)
        return put(s, value, at);
      s.builder.create<vector::MaskedStoreOp>(loc, memory, at, mask(s), value);
    };
    loop(scope, terms / lanes, false, [&](Scope &s, Value block) {
      copy(s, scaled(s, block, lanes, 0), lanes);
    });
    if (terms % lanes) {
      Scope s(&scope);
      copy(s, constantIndex(s, terms / lanes * lanes), terms % lanes);
    }
    return;
  }

  if (lanes && !alongFree && alongK && canTranspose(type, lanes) &&
      layout.pitch % lanes == 0) {
    auto turn = [&](Scope &s, Value item, int64_t count) {
      Value term = s.builder.createOrFold<arith::AddIOp>(loc, first, item);
      Value at = s.builder.createOrFold<arith::AddIOp>(
          loc, base, scaled(s, term, layout.pitch, 0));
      ElementBuilder e{s.builder, loc, lanes};
      for (int64_t start = 0; start < layout.pitch; start += lanes) {
        SmallVector<Value> rows;
        for (int64_t r = start; r < start + lanes; ++r) {
          if (r >= active) {
            rows.push_back(e.constant(type, s.builder.getZeroAttr(type)));
            continue;
          }
          Scope one(&s);
          if (!own.empty())
            one.bind(own.back(), offset(one, row, r));
          bindTerm(one, term);
          one.setLanes(loops.back(), lanes, count);
          rows.push_back(splat(evaluate(factor, one), one));
        }
        rows = transpose(e, rows);
        for (int64_t k = 0; k < count; ++k)
          put(s, rows[k], offset(s, at, k * layout.pitch + start));
      }
    };
    loop(scope, terms / lanes, false, [&](Scope &s, Value block) {
      turn(s, scaled(s, block, lanes, 0), lanes);
    });
    if (terms % lanes) {
      Scope s(&scope);
      turn(s, constantIndex(s, terms / lanes * lanes), terms % lanes);
    }
    return;
  }

  // Along the rows of the panel, term by term.
  int64_t step = lanes && layout.pitch % lanes == 0 ? lanes : 0;
  int64_t width = std::max<int64_t>(step, 1);
  loop(scope, terms, false, [&](Scope &s, Value item) {
    Value term = s.builder.createOrFold<arith::AddIOp>(loc, first, item);
    Value at = s.builder.createOrFold<arith::AddIOp>(
        loc, base, scaled(s, term, layout.pitch, 0));
    bindTerm(s, term);
    for (int64_t start = 0; start < active; start += width) {
      Scope one(&s);
      if (!own.empty()) {
        one.bind(own.back(), offset(one, row, start));
        one.setLanes(own.back(), step, std::min(width, active - start));
      }
      put(one, splat(evaluate(factor, one), one), offset(one, at, start));
    }
  });
}

} // namespace graphc::kernel
