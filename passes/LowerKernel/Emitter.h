// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From nests to loops. Each emit function below has its own file.
#ifndef GRAPHC_PASSES_LOWERKERNEL_EMITTER_H
#define GRAPHC_PASSES_LOWERKERNEL_EMITTER_H

#include "passes/LowerKernel/Nest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace graphc::kernel {

struct EmitOptions {
  int64_t vectorBits;
  int64_t parallelFlops;
  int64_t parallelBytes;
};

//===----------------------------------------------------------------------===//
// Elements. A value is *computed* as f32 where the graph says f16 or bf16, and
// *stored* as the bits in memory: i8 for i1 and ui8, i16 for f16 and bf16.
//===----------------------------------------------------------------------===//

mlir::Type getComputeType(mlir::Type elementType);
mlir::Type getStorageType(mlir::Type elementType);
inline bool isLowPrecision(mlir::Type type) {
  return type.isF16() || type.isBF16();
}

/// Creates ops on `lanes` elements at once: scalars if that is 0.
struct ElementBuilder {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  int64_t lanes;

  mlir::Type type(mlir::Type element) const;
  mlir::Value constant(mlir::Type element, double value) const;
  mlir::Value constantInt(mlir::Type element, int64_t value) const;
  mlir::Value constant(mlir::Type element, mlir::Attribute value) const;
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) const;
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b) const;
  template <typename Op, typename... Args>
  mlir::Value make(Args &&...args) const {
    return builder.create<Op>(loc, std::forward<Args>(args)...);
  }

  mlir::Value load(mlir::Type elementType, mlir::Value stored) const;
  mlir::Value store(mlir::Type elementType, mlir::Value computed) const;
  /// Rounds a computed value to what `elementType` can hold.
  mlir::Value round(mlir::Type elementType, mlir::Value computed) const;

  /// graph.cast between computed values.
  mlir::Value cast(mlir::Type from, mlir::Type to, mlir::Value value) const;
  /// An elementwise op on computed values; the result is rounded.
  mlir::Value apply(mlir::Operation *op, mlir::ValueRange operands) const;
  mlir::Value applyInteger(mlir::Operation *op, mlir::Type elementType,
                           mlir::ValueRange operands) const;
  mlir::Value maximum(mlir::Type elementType, mlir::Value a,
                      mlir::Value b) const;
  mlir::Value minimum(mlir::Type elementType, mlir::Value a,
                      mlir::Value b) const;
  /// The first lanes of a vector and the others: two scalars of two lanes.
  std::pair<mlir::Value, mlir::Value> halves(mlir::Value vector) const;
  /// One step of the reduction `op`, in the accumulation type.
  mlir::Value combine(mlir::Operation *op, mlir::Type elementType,
                      mlir::Value a, mlir::Value b) const;
  /// What `op` gives over nothing, or (`neutral`) what changes no bit of
  /// another value.
  mlir::Value identity(mlir::Operation *op, mlir::Type elementType,
                       mlir::Type accumulationType, bool neutral) const;
  /// Uniform draws number `position` (i64) of the op `id` (i64) under `key`.
  mlir::Value random(mlir::Type elementType, mlir::Value position,
                     mlir::Value id, mlir::ValueRange key) const;
};

/// `vector` combined in halves to a scalar.
mlir::Value foldLanes(ElementBuilder b, mlir::Operation *op, mlir::Type type,
                      mlir::Value vector);

/// Rows of a square of as many vectors as each has lanes become its columns.
bool canTranspose(mlir::Type type, int64_t lanes);
llvm::SmallVector<mlir::Value> transpose(const ElementBuilder &b,
                                         llvm::ArrayRef<mlir::Value> rows);
/// The first elements of all rows, then the second ones and so on, as vectors.
llvm::SmallVector<mlir::Value> interleave(const ElementBuilder &b,
                                          llvm::ArrayRef<mlir::Value> rows);

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A place in the code where some loop variables have values. Code for an
/// expression goes to the outermost scope that knows all that it depends on.
struct Scope {
  Scope *parent = nullptr;
  mlir::OpBuilder &builder; // shared by the scopes of one block
  llvm::DenseMap<unsigned, mlir::Value> bound; // variable -> index
  uint64_t loops = 0; // all that are bound here or outside
  llvm::DenseMap<Expr *, mlir::Value> computed;
  // Lanes are consecutive values of one loop variable, from the bound one on.
  int lane = -1;
  int64_t lanes = 0;  // 0: scalar
  int64_t active = 0; // of the lanes; the rest touch no memory
  mlir::Value accumulated;

  explicit Scope(mlir::OpBuilder &builder) : builder(builder) {}
  Scope(Scope &parent, mlir::OpBuilder &builder)
      : parent(&parent), builder(builder), loops(parent.loops),
        lane(parent.lane), lanes(parent.lanes), active(parent.active) {}
  explicit Scope(Scope *parent) : Scope(*parent, parent->builder) {}

  void bind(unsigned variable, mlir::Value value);
  void setLanes(unsigned variable, int64_t count, int64_t activeCount);
  void setAccumulated(mlir::Value value);
  mlir::Value get(unsigned variable) const;
};

struct Split;

class Emitter {
public:
  Emitter(Kernel &kernel, const EmitOptions &options)
      : kernel(kernel), options(options) {}

  /// Fills `entry`, whose arguments are the kernel's.
  void emit(mlir::Block *entry);
  bool isParallel() const { return parallel; }

private:
  // EmitExpr.cpp
  mlir::Value evaluate(Expr *expr, Scope &scope);
  mlir::Value compute(Expr *expr, Scope &scope);
  void fetchAhead(Expr *load, mlir::Value base, mlir::Value at, Scope &scope);
  mlir::Value evaluateStored(Expr *expr, Scope &scope);
  mlir::Value evaluateLoad(Expr *expr, Scope &scope, bool stored);
  mlir::Value evaluateChoose(Expr *expr, Scope &scope, bool stored);
  mlir::Value condition(const Condition &condition, Scope &scope);
  bool isVector(Expr *expr, const Scope &scope) const;
  mlir::Value splat(mlir::Value value, Scope &scope);
  mlir::Value mask(Scope &scope);
  mlir::Value position(const Index &index, Scope &scope, int64_t lane = 0);
  mlir::Value positions(const Index &index, Scope &scope);
  /// Elements from one lane to the next, or nothing if that varies.
  std::optional<int64_t> stride(const Index &index, const Scope &scope) const;
  mlir::Value memoryOf(Buffer *buffer);
  void store(Buffer *buffer, const Index &index, mlir::Value stored,
             Scope &scope);
  void chooseStreamed(mlir::OpBuilder &builder, mlir::Location loc);
  void storePastCaches(mlir::Value streamed, mlir::Value base, mlir::Value at,
                       mlir::Value stored, Scope &scope);
  void emitStores(Scope &scope) { emitStores(nest->stores, scope); }
  void emitStores(llvm::ArrayRef<Store> stores, Scope &scope);
  llvm::SmallVector<mlir::Value> valuesOf(llvm::ArrayRef<Store> stores,
                                          Scope &scope);
  void storeValues(llvm::ArrayRef<Store> stores, mlir::ValueRange values,
                   Scope &scope);

  // EmitLoops.cpp
  using Body = llvm::function_ref<void(Scope &, mlir::Value)>;
  using Carried = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      Scope &, mlir::Value, mlir::ValueRange)>;
  /// `body` for 0 <= i < count, over threads if `parallel`; never if `idle`.
  void loop(Scope &scope, int64_t count, bool parallel, Body body);
  /// A loop that carries values; unrolled if it runs once.
  llvm::SmallVector<mlir::Value> carry(Scope &scope, int64_t count,
                                       mlir::ValueRange init, Carried body);
  /// Loops over `variables`, and innermost over `blocks` (>= 0) more items;
  /// `body` gets the item. The first of these loops are one parallel loop.
  void nestLoops(Scope &scope, llvm::ArrayRef<unsigned> variables,
                 int64_t blocks, bool parallel, Body body);
  /// Memory of this thread: `elements` of `type`, aligned for vectors. Taken
  /// once for a kernel or an iteration of its parallel loop.
  mlir::Value scratch(mlir::Type type, int64_t elements);
  /// How many lanes a vector along `size` elements has, for the widest type of
  /// what is computed; with `lane`, of that loop, what does not depend on it is
  /// none of it.
  int64_t lanesFor(llvm::ArrayRef<Expr *> exprs, int64_t size,
                   std::optional<unsigned> lane = {}) const;
  /// How many elements along `lane` are computed at once, whole vectors of
  /// `lanes`: several where one is a long chain of operations that depend on one
  /// another (or `isLong` says so), and those of the others fill the time
  /// between.
  int64_t lanesAbreast(llvm::ArrayRef<Expr *> exprs, unsigned lane,
                       int64_t lanes, bool isLong = false) const;
  bool isWorthThreads(double elements, llvm::ArrayRef<Expr *> exprs) const;

  void emitGroup(Group &group);
  void emitRow(Group &group, Scope &row, mlir::Value inChunk);
  void emitChunksOfRows(Group &group, bool isParallel);
  void emitRowsByLanes(Group &group, Scope &chunk, mlir::Value start,
                       int64_t length);
  void addTerms(Scope &scope, mlir::Value inChunk);
  void clearSums();
  void addRow(Scope &row, mlir::Value inChunk);
  void finishSums(Scope &scope, int64_t first, unsigned chunkLoop);
  void overInner(Scope &scope, Body body);
  void emitNest();
  /// Loops of `role` that are not those of a row.
  llvm::SmallVector<unsigned> openLoops(unsigned role) const;
  void emitMap();
  void emitRowReduce();
  void emitRowChunks(int64_t first, int64_t count, int64_t length);
  struct RowTerms;
  RowTerms rowTerms(Scope &scope, mlir::Value start, int64_t length);
  void stageTerms(Scope &scope, RowTerms &terms);
  mlir::Value computeTerms(Scope &scope, const RowTerms &terms,
                           mlir::Value item, int64_t width, int64_t active);
  llvm::SmallVector<mlir::Value> termsAt(Scope &scope, const RowTerms &terms,
                                         mlir::Value item,
                                         std::optional<int64_t> active = {});
  llvm::SmallVector<mlir::Value>
  overTerms(Scope &scope, const RowTerms &terms,
            llvm::SmallVector<mlir::Value> values,
            llvm::function_ref<void(Scope &, llvm::MutableArrayRef<mlir::Value>,
                                    size_t, llvm::ArrayRef<mlir::Value>)>
                add);
  mlir::Value reduceRow(Scope &scope, const RowTerms &terms);
  bool isExtreme() const;
  mlir::Value findExtreme(Scope &scope, const RowTerms &terms);
  bool isWorthStaging(int64_t copies) const;
  mlir::Value termOf(Scope &scope);
  mlir::Value load(Scope &scope, mlir::Value memory, mlir::Value at,
                   int64_t stepLanes);
  void emitColumnReduce();
  void emitColumnChunks(int64_t first, int64_t count, int64_t length);
  mlir::Value columnChunk(Scope &scope, mlir::Value start, int64_t length);
  void finishChunk(Scope &scope, mlir::Value value, int64_t first,
                   unsigned chunkLoop, int64_t width);
  void emitPartialTree();
  mlir::Value fold(Scope &scope, llvm::SmallVector<mlir::Value> partials);
  void emitTreeLevels(Scope &scope, mlir::Value base, int64_t count,
                      int64_t width);
  void emitArgReduce();
  void emitCheck();
  mlir::Value isSameMemory(Buffer *a, Buffer *b);
  void emitScatter();
  void emitScan();
  void emitSort();
  void emitBlocks();
  void emitSteps(llvm::ArrayRef<BlockStep> steps, Scope &scope);
  void emitPanelsBefore(const BlockStep &loop, const BlockStep &step,
                        Scope &scope);
  void emitProduct();
  void emitPanelsOf(bool isLeft);
  struct ProductBlocks;
  struct BlockPanels;
  struct Operand;
  struct Tile;
  void emitBlock(Scope &scope, const ProductBlocks &blocks);
  void forPieces(Scope &scope, const Split &split, mlir::Value block,
                 llvm::function_ref<void(Scope &, mlir::Value, int64_t)> body);
  void forRowTiles(
      Scope &scope, const ProductBlocks &blocks,
      llvm::function_ref<void(Scope &, mlir::Value, mlir::Value, int64_t)>
          body);
  void emitTile(Scope &scope, Tile tile);
  void prefetchTile(Scope &scope, const Tile &tile);
  llvm::SmallVector<mlir::Value> sumTerms(Scope &scope, const Tile &tile,
                                          size_t depth, mlir::Value left,
                                          mlir::Value right,
                                          mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> unrollTerms(Scope &scope, const Tile &tile,
                                             size_t depth, mlir::Value left,
                                             mlir::Value right,
                                             mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> addTerm(Scope &scope, const Tile &tile,
                                         mlir::Value left,
                                         llvm::ArrayRef<mlir::Value> right,
                                         mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> sumTurned(Scope &scope, const Tile &tile,
                                           mlir::Value left,
                                           mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> turnedVectors(Scope &scope, const Tile &tile,
                                               int64_t first, mlir::Value term,
                                               int64_t active);
  void storeTile(Scope &scope, const Tile &tile, mlir::ValueRange sums);
  void storeFlat(Scope &scope, const Tile &tile, mlir::ValueRange sums);
  void storeRows(Scope &scope, int64_t count, mlir::ValueRange sums,
                 bool slides,
                 llvm::function_ref<void(Scope &, mlir::Value, int64_t)> bind);
  mlir::Value aroundPanels(Scope &scope, Expr *factor, unsigned role);
  Operand operandOf(Scope &scope, bool isLeft, mlir::Value start,
                    mlir::Value panel);
  /// Where tile `tile` of `rows` starts: inside `all`, so the last one earlier.
  mlir::Value firstRow(Scope &scope, mlir::Value tile, int64_t rows,
                       int64_t all);
  void emitPanels(bool isLeft);
  void emitBlockPanels(Scope &scope, bool isLeft, const ProductBlocks &blocks,
                       mlir::Value part);
  struct PanelPlan;
  PanelPlan planPanels(bool isLeft);
  void emitUnit(Scope &scope, const PanelPlan &plan, mlir::Value unit,
                int64_t active, const Split &terms, mlir::Value item);
  /// `body` for first <= i < end.
  void range(Scope &scope, mlir::Value first, mlir::Value end, Body body);
  /// `body` where `condition` holds; always without one.
  void when(Scope &scope, mlir::Value condition,
            llvm::function_ref<void(Scope &)> body);
  /// A loop variable that no index of the graph knows.
  unsigned addLocalLoop(int64_t size);
  mlir::Value constantIndex(Scope &scope, int64_t value);
  mlir::Value offset(Scope &scope, mlir::Value base, int64_t by);
  /// base + item * by.
  mlir::Value scaled(Scope &scope, mlir::Value item, int64_t by, int64_t base);

  ElementBuilder elements(Scope &scope, bool vector) {
    return {scope.builder, nest->loc, vector ? scope.lanes : 0};
  }

  Kernel &kernel;
  EmitOptions options;
  Nest *nest = nullptr;
  Scope *top = nullptr;
  mlir::Block *entry = nullptr;
  mlir::Block *scratchBlock = nullptr; // the entry, or a parallel loop's body
  unsigned bufferArguments = 0;
  llvm::DenseMap<Buffer *, mlir::Value> memory;
  // Outputs that go past the caches, each if that value holds.
  llvm::DenseMap<Buffer *, mlir::Value> streams;
  // Inputs of which a nest fetches the next row, so many elements on.
  llvm::DenseMap<Buffer *, std::pair<Nest *, int64_t>> ahead;
  unsigned rowLoops = 0; // loops of the group that run already
  bool parallel = false;
  mlir::Value idle;  // if true, the next loop does nothing
  int64_t lanes = 0; // of the reduction or product being emitted
  /// Of the block being emitted, of the left factor and of the right one.
  const BlockPanels *blockPanels[2] = {};
};

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_EMITTER_H
