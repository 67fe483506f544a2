// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs a factor of a product into panels (lib/Analysis/PanelLayout.h). What is
// computed or converted on the way is so once.
#include "passes/LowerKernel/EmitProduct.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace graphc::kernel {

/// How a panel is filled: units of some rows, one after another.
struct Emitter::PanelPlan {
  bool isLeft;
  Expr *factor;
  PanelLayout layout;
  Value memory;
  SmallVector<unsigned> terms;
  std::optional<unsigned> free = std::nullopt;
  enum { Copy, Turn, AlongFree } how = AlongFree;
  int64_t unitRows = 1, unitPitch = 1; // of the panel's

  Split units() const {
    return layout.overlaps
               ? Split::of(layout.panels() * layout.width, layout.width)
               : Split::of(layout.free, unitRows);
  }
};

Emitter::PanelPlan Emitter::planPanels(bool isLeft) {
  const ProductPlan::Packed &packed =
      isLeft ? nest->product.left : nest->product.right;
  PanelPlan plan{isLeft, isLeft ? nest->element : nest->other, packed.layout,
                 packed.isInBlock ? blockPanels[!isLeft]->memory
                                  : memoryOf(packed.buffer),
                 nest->loopsOf(K)};
  SmallVector<unsigned> own = nest->loopsOf(isLeft ? M : N);
  if (!own.empty())
    plan.free = own.back();
  bool alongFree = plan.free && nest->isContiguous(plan.factor, *plan.free);
  bool alongK =
      !plan.terms.empty() && nest->isContiguous(plan.factor, plan.terms.back());
  const PanelLayout &layout = plan.layout;
  plan.unitRows = layout.width;
  plan.unitPitch = layout.pitch;
  Type type = getComputeType(nest->accumulationType);
  if (layout.pitch == 1 && lanes && alongK) {
    plan.how = PanelPlan::Copy; // one row: nothing to arrange
  } else if (lanes && !alongFree && alongK && canTranspose(type, lanes) &&
             layout.pitch % lanes == 0) {
    plan.how = PanelPlan::Turn;
    if (layout.width % lanes == 0 && !layout.overlaps)
      plan.unitRows = plan.unitPitch = lanes; // one square at a time
  }
  return plan;
}

void Emitter::emitPanels(bool isLeft) {
  PanelPlan plan = planPanels(isLeft);
  const PanelLayout &layout = plan.layout;
  SmallVector<unsigned> loops = nest->panelLoops(plan.factor, isLeft ? M : N);
  double count = double(layout.elements());
  for (unsigned v : loops)
    count *= double(nest->variables[v].size);
  // Each element is read, and written.
  double bytes =
      2 * count *
      (getStorageType(nest->accumulationType).getIntOrFloatBitWidth() / 8);
  bool isParallel = !rowLoops && (count * costOf(plan.factor) >=
                                      double(options.parallelFlops) ||
                                  bytes >= double(options.parallelBytes));

  // Items: a unit and some of the last K, of each value of all other loops. What
  // lies along the rows of panels is read in the order of memory: a few terms
  // of all panels.
  bool isByTerms = plan.how == PanelPlan::AlongFree;
  int64_t mostTerms = isByTerms ? 16 : 256;
  int64_t step = plan.how == PanelPlan::AlongFree ? 1 : lanes;
  int64_t last =
      plan.terms.empty() ? 1 : nest->variables[plan.terms.back()].size;
  Split units = plan.units();
  Split terms = Split::of(last, step);
  int64_t items = std::max<int64_t>(llvm::divideCeil(last, mostTerms), 1);
  terms.perBlock = std::max<int64_t>(llvm::divideCeil(terms.count, items), 1);
  units.perBlock = 1;
  unsigned unit = addLocalLoop(units.blocks());
  unsigned term = addLocalLoop(terms.blocks());
  if (!isByTerms)
    loops.push_back(unit);
  llvm::append_range(
      loops, ArrayRef(plan.terms).drop_back(plan.terms.empty() ? 0 : 1));
  if (isByTerms)
    loops.push_back(term);
  unsigned innermost = isByTerms ? unit : term;
  nestLoops(*top, loops, nest->variables[innermost].size, isParallel,
            [&](Scope &outer, Value last) {
              Scope scope(&outer);
              scope.bind(innermost, last);
              forPieces(scope, units, scope.get(unit),
                        [&](Scope &s, Value which, int64_t rows) {
                          emitUnit(s, plan, which, rows, terms, s.get(term));
                        });
            });
}

/// Packs what the block `blocks` needs of part `part` of the terms.
void Emitter::emitBlockPanels(Scope &scope, bool isLeft,
                              const ProductBlocks &blocks, Value part) {
  PanelPlan plan = planPanels(isLeft);
  bool isByTerms = plan.how == PanelPlan::AlongFree;
  int64_t step = isByTerms ? 1 : lanes;
  int64_t perItem = isByTerms ? 16 : kBlockTerms;
  Split terms = Split::of(nest->sizeOf(K), step);
  terms.perBlock = perItem / step;
  bool isWide = isLeft == nest->product.lanesAlongM;
  const Split &panels = isWide ? blocks.panels : blocks.rows;
  Split units = plan.units();
  units.perBlock = panels.perBlock * (plan.layout.width / plan.unitRows);
  Value first = scaled(scope, part, nest->product.depth / perItem, 0);
  Value end = scope.builder.createOrFold<arith::MinSIOp>(
      nest->loc, offset(scope, first, nest->product.depth / perItem),
      constantIndex(scope, terms.blocks()));
  auto overUnits = [&](Scope &outer,
                       llvm::function_ref<void(Scope &, Value, int64_t)> f) {
    forPieces(outer, units, isWide ? blocks.panelBlock : blocks.rowBlock, f);
  };
  if (isByTerms)
    return range(scope, first, end, [&](Scope &outer, Value item) {
      overUnits(outer, [&](Scope &s, Value unit, int64_t rows) {
        emitUnit(s, plan, unit, rows, terms, item);
      });
    });
  overUnits(scope, [&](Scope &outer, Value unit, int64_t rows) {
    range(outer, first, end, [&](Scope &s, Value item) {
      emitUnit(s, plan, unit, rows, terms, item);
    });
  });
}

/// The terms `terms` of block `item`, of the `active` rows of a unit.
void Emitter::emitUnit(Scope &scope, const PanelPlan &plan, Value unit,
                       int64_t active, const Split &terms, Value item) {
  Location loc = nest->loc;
  OpBuilder &b = scope.builder;
  const PanelLayout &layout = plan.layout;
  Type type = getComputeType(nest->accumulationType);
  Value panel = unit;
  if (plan.unitRows != layout.width) {
    Value perPanel = constantIndex(scope, layout.width / plan.unitRows);
    panel = b.createOrFold<arith::DivUIOp>(loc, unit, perPanel);
  }
  Operand operand = operandOf(scope, plan.isLeft, Value(), panel);
  Value base = operand.base;
  if (plan.unitRows != layout.width)
    base = b.createOrFold<arith::AddIOp>(
        loc, base,
        scaled(
            scope,
            b.createOrFold<arith::RemUIOp>(
                loc, unit, constantIndex(scope, layout.width / plan.unitRows)),
            plan.unitPitch, 0));
  for (auto [v, stride] : llvm::zip_equal(plan.terms, operand.terms))
    if (v != plan.terms.back())
      base = b.createOrFold<arith::AddIOp>(
          loc, base, scaled(scope, scope.get(v), stride, 0));
  Value row = firstRow(scope, unit, plan.unitRows,
                       layout.overlaps ? layout.free : INT64_MAX);

  auto put = [&](Scope &s, Value value, Value at) {
    bool isVector = isa<VectorType>(value.getType());
    ElementBuilder e{s.builder, loc, isVector ? lanes : 0};
    value = e.store(nest->accumulationType, value);
    if (isVector)
      s.builder.create<vector::StoreOp>(loc, value, plan.memory, at);
    else
      s.builder.create<memref::StoreOp>(loc, value, plan.memory, at);
  };
  // The value of row `r` at `term` and the lanes after it.
  auto alongTerms = [&](Scope &outer, int64_t r, Value term, int64_t count) {
    Scope s(&outer);
    if (plan.free)
      s.bind(*plan.free, offset(s, row, r));
    s.bind(plan.terms.back(), term);
    s.setLanes(plan.terms.back(), lanes, count);
    return splat(evaluate(plan.factor, s), s);
  };

  forPieces(scope, terms, item, [&](Scope &s, Value piece, int64_t count) {
    ElementBuilder e{s.builder, loc, lanes};
    int64_t step = plan.how == PanelPlan::AlongFree ? 1 : lanes;
    Value term = scaled(s, piece, step, 0);
    Value at = s.builder.createOrFold<arith::AddIOp>(
        loc, base, scaled(s, term, layout.pitch, 0));
    if (plan.how == PanelPlan::Copy) {
      Value value = alongTerms(s, 0, term, count);
      if (count == lanes)
        return put(s, value, at);
      Scope masked(&s);
      masked.setLanes(plan.terms.back(), lanes, count);
      value = e.store(nest->accumulationType, value);
      s.builder.create<vector::MaskedStoreOp>(loc, plan.memory, at,
                                              mask(masked), value);
      return;
    }
    if (plan.how == PanelPlan::Turn) {
      for (int64_t start = 0; start < active; start += lanes) {
        SmallVector<Value> rows;
        for (int64_t r = start; r < start + lanes; ++r)
          rows.push_back(r < active
                             ? alongTerms(s, r, term, count)
                             : e.constant(type, s.builder.getZeroAttr(type)));
        rows = transpose(e, rows);
        for (int64_t k = 0; k < count; ++k)
          put(s, rows[k], offset(s, at, k * layout.pitch + start));
      }
      return;
    }
    // Along the rows of the panel, term by term.
    int64_t vector = lanes && layout.pitch % lanes == 0 ? lanes : 0;
    int64_t width = std::max<int64_t>(vector, 1);
    Scope bound(&s);
    if (!plan.terms.empty())
      bound.bind(plan.terms.back(), term);
    for (int64_t start = 0; start < active; start += width) {
      Scope one(&bound);
      if (plan.free) {
        one.bind(*plan.free, offset(one, row, start));
        one.setLanes(*plan.free, vector, std::min(width, active - start));
      }
      put(one, splat(evaluate(plan.factor, one), one), offset(one, at, start));
    }
  });
}

} // namespace graphc::kernel
