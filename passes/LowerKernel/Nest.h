// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop nests as plain data, between the graph ops of a region and the loops of
// its kernel. Accesses are linear forms of loop variables, so that merging
// dimensions and choosing vectors are decided before any code exists.
#ifndef GRAPHC_PASSES_LOWERKERNEL_NEST_H
#define GRAPHC_PASSES_LOWERKERNEL_NEST_H

#include "lib/Analysis/PanelLayout.h"
#include "lib/Analysis/ProductTile.h"
#include "lib/Analysis/ReductionShape.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>
#include <memory>

namespace graphc::kernel {

/// constant + sum of coefficients[v] * variable v.
struct Index {
  llvm::SmallVector<int64_t, 4> coefficients; // a missing one is 0
  int64_t constant = 0;

  static Index ofVariable(unsigned variable);
  static Index ofConstant(int64_t value);
  int64_t coefficient(unsigned variable) const {
    return variable < coefficients.size() ? coefficients[variable] : 0;
  }
  bool isConstant() const;
  Index &add(const Index &other, int64_t factor = 1);
  bool operator==(const Index &other) const;
  bool operator<(const Index &other) const;
};

struct Expr;

/// A loop variable, or a value derived from an index or from data. All lie in
/// [0, size).
struct Variable {
  enum Kind { Loop, Quotient, Remainder, Clamp, Data };
  Kind kind;
  int64_t size;
  int64_t by = 1;       // Quotient, Remainder: the divisor
  Index of = {};        // all but Loop
  unsigned role = 0;    // Loop: adjacent loops of one role may merge
  Expr *data = nullptr; // Data: an integer that is known to be in range
};

/// low <= index < high.
struct Condition {
  Index index;
  int64_t low, high;
};

/// Memory of a kernel, row-major. Scratch is of one thread, for one row.
struct Buffer {
  enum Place { Input, Output, Workspace, Scratch };
  Place place;
  unsigned number; // of the input or output
  int64_t offset;  // bytes into the workspace
  mlir::Type elementType;
  int64_t elements;

  int64_t bytes() const;
};

/// How to compute one element.
struct Expr {
  enum Kind {
    Constant,    // `constant`, an element
    Load,        // `buffer`[`index`]
    IndexOf,     // `index` as a number (iota)
    Apply,       // elementwise `op` of `operands`
    Convert,     // operands[0] in the type in which it accumulates
    Choose,      // operands[0] if all `conditions` hold, else operands[1]
    Random,      // draw number `index`; operands are the key, `number` the id
    Accumulated, // the reduction or product that the nest has just finished
  };
  Kind kind;
  mlir::Type elementType; // as in the graph: i1 and ui8 are themselves
  mlir::Attribute constant = {};
  Buffer *buffer = nullptr;
  Index index = {};
  mlir::Operation *op = nullptr;
  unsigned number = 0;
  llvm::SmallVector<Expr *, 3> operands = {};
  llvm::SmallVector<Condition, 1> conditions = {};
  uint64_t loops = 0; // bit v: depends on loop variable v; set by finish()
  // Loops that it depends on because what it reads is written in them.
  uint64_t writtenIn = 0;
};

/// The bit of Expr::loops that says that it depends on what was accumulated.
inline constexpr unsigned accumulatedBit = 63;

struct Store {
  Expr *value;
  Buffer *buffer;
  Index index;
};

/// Roles of loop variables: vectors run along the last Inner or N of a column
/// reduction or product, the Reduced of a row reduction and the last Outer of a
/// map. Around are the loops of a nest of blocks that a nest is in.
enum Role : unsigned { Outer, OuterReduced, Reduced, Inner, M, N, K, Around };

/// How a matrix product is computed: by shapes and strides alone. Whatever is
/// chosen, each sum is taken over k in order.
struct ProductPlan {
  ProductTile tile;
  /// Vectors run along the last M, and rows of a tile along the last N.
  bool lanesAlongM = false;
  /// The vectors' factor lies along k: its vectors are turned in registers,
  /// each for the few rows there are.
  bool turnsVectors = false;
  /// The last M or N is that of the finished element that vectors are stored
  /// along.
  bool storesAcross = false;
  /// All rows of a tile side by side are a run of memory, in which all that the
  /// finished elements meet lies in the same order: they are brought into it
  /// and stored in whole vectors.
  bool storesFlat = false;
  /// The vectors' factor is large and read in place: a few terms at a time, and
  /// of those whole lines of memory.
  bool streams = false;
  /// The last tile of rows is as high as the others, and computes rows again that
  /// the one before it has stored.
  bool overlaps = true;
  /// Or so many of the last tiles have a row less, and no row is computed again.
  int64_t shorterTiles = 0;
  /// Terms of the outermost K that a tile sums up before the next tile.
  int64_t depth = 0;
  /// If that is one: of the next K, or 0 for all.
  int64_t innerDepth = 0;
  /// Packed copies of `element` and `other`, one after another for each value
  /// of the loops that panels do not run along; or read where they lie.
  struct Packed {
    Buffer *buffer = nullptr;
    PanelLayout layout;
    bool isThere = false; // emitted already, in a loop further out
    /// Each block packs its part, into memory of its thread.
    bool isInBlock = false;
  };
  Packed left, right;

  /// That of the vectors, and that of the rows of a tile.
  const Packed &wide() const { return lanesAlongM ? left : right; }
  const Packed &tall() const { return lanesAlongM ? right : left; }
};

struct Nest;

/// Of a nest of blocks: a nest; or a loop over blocks of `size` items, and what
/// runs in it. The loop leaves out blocks with no item from `from` to `to`.
struct BlockStep {
  Nest *nest = nullptr;
  unsigned variable = 0;
  int64_t size = 0, count = 0;
  Index from = {}, to = {};
  std::vector<BlockStep> steps = {};
};

struct Nest {
  enum Kind {
    Map,
    RowReduce,
    ColumnReduce,
    ArgReduce,
    Product,
    Check,
    Scatter,
    Scan,
    Sort,
    Blocks
  };
  Kind kind;
  mlir::Location loc;
  std::deque<Variable> variables; // loops first
  unsigned loopCount = 0;
  std::deque<Expr> exprs;
  llvm::SmallVector<Store, 1> stores;
  // Reductions: what is stored of each term, as it is computed.
  llvm::SmallVector<Store, 0> termStores;

  // Reductions: what is reduced, and by which op. Products: both factors.
  // Scatters: what is added, and the sum so far. Scans and sorts: of what.
  mlir::Operation *op = nullptr;
  Expr *element = nullptr;
  Expr *other = nullptr;
  mlir::Type accumulationType;
  ProductPlan product;
  // Reductions of more than one chunk: partials [kept outer][chunk][kept inner]
  // and the place of an element's first one. Checks: the index's position.
  Buffer *partials = nullptr;
  Index partialIndex;
  // Column reductions that take row by row: the partials of one chunk,
  // [partial][kept], in scratch memory.
  Buffer *sums = nullptr;
  // Maps that copy `copied` to where it may lie already.
  Buffer *copied = nullptr;
  // Sorts: memory for another copy of values and indices.
  Buffer *spareValues = nullptr, *spareIndices = nullptr;
  // Blocks: what runs inside of the nest's loops, in memory of the thread; and
  // the ops that it computes.
  std::vector<BlockStep> steps;
  std::vector<std::unique_ptr<Nest>> inner;
  llvm::SmallVector<Buffer *> scratch;
  std::vector<mlir::OwningOpRef<mlir::Operation *>> made;
  // Nests inside of blocks: how many loops are around, the first variables.
  unsigned around = 0;

  explicit Nest(Kind kind, mlir::Location loc) : kind(kind), loc(loc) {}

  /// Loops of `role`, outermost first.
  llvm::SmallVector<unsigned> loopsOf(unsigned role) const;
  int64_t sizeOf(unsigned role) const; // product of their sizes
  /// Bits of the loop variables that `index`, or `variable`, depends on.
  uint64_t loopsIn(const Index &index) const;
  uint64_t loopsInVariable(unsigned variable) const;
  /// The values that `index` can take, bounds included.
  std::pair<int64_t, int64_t> rangeOf(const Index &index) const;
  /// True if every access of `expr` follows `loop` element by element, or not
  /// at all.
  bool isContiguous(const Expr *expr, unsigned loop) const;
  /// Loops around the panels of the factor whose last loop of `role` they run
  /// along.
  llvm::SmallVector<unsigned> panelLoops(const Expr *factor,
                                         unsigned role) const;
  /// Calls `f` on every index in the nest.
  void forEachIndex(llvm::function_ref<void(Index &)> f);
  /// What a reduction computes for each term.
  llvm::SmallVector<Expr *> termRoots() const;
  /// All that the nest computes.
  llvm::SmallVector<Expr *> roots() const;
  /// Merges loops where every access allows it; sets Expr::loops.
  void finish();
  double iterations() const; // of the innermost loop
  /// Makes loop `v` the outermost.
  void moveToFront(unsigned v);
  /// Puts loops of `sizes` around all others.
  void surround(llvm::ArrayRef<int64_t> sizes);
  /// Makes two loops of loop `v`, the inner one of size `inner`.
  void split(unsigned v, int64_t inner);
  /// Sets Expr::loops.
  void noteLoops();
};

/// `roots` and what they are computed from, each once.
llvm::SetVector<Expr *> reachableFrom(llvm::ArrayRef<Expr *> roots);

/// Rough cost of one element of all `roots` in simple operations: of those that
/// depend on some loop of `loops`.
double costOf(llvm::ArrayRef<Expr *> roots, uint64_t loops = ~uint64_t(0));

/// True for functions that are some ten operations, each on the one before.
bool isLongChain(mlir::Operation *op);

/// True if `nest` reads and writes all memory in whole vectors along the loop
/// `lane`, or at one place for all of it.
bool isContiguous(const Nest &nest, unsigned lane);

/// Nests that run row by row in the same loops, which are the first `rowLoops`
/// variables of each; or one nest, if that is 0.
struct Group {
  llvm::SmallVector<Nest *> nests;
  unsigned rowLoops = 0;
  llvm::SmallVector<Buffer *> scratch = {};

  /// True if some nest has `sums`.
  bool addsRows() const;
};

/// What a region becomes.
struct Kernel {
  std::deque<Buffer> buffers;
  std::deque<Nest> nests;
  std::vector<Group> groups; // of all nests, in the order in which they run
  llvm::SmallVector<Buffer *> inputs, outputs;
  int64_t workspaceBytes = 0;
  llvm::SmallVector<int64_t> args; // values of the i64 arguments
  int64_t vectorBits = 0;          // of a register; 0: scalar code
  bool mayFail = false;
  // Outputs that a nest copies an input to, and then changes.
  llvm::SmallVector<std::pair<Buffer *, Buffer *>, 1> copies;

  /// A buffer of the workspace; layOutWorkspace() says where.
  Buffer *addWorkspace(mlir::Type elementType, int64_t elements);
  /// Gives the buffers of the workspace their places there.
  void layOutWorkspace();
};

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_NEST_H
