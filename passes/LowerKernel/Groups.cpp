// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which nests run row by row in the same loops, with what passes between them
// in scratch memory.
#include "passes/LowerKernel/Groups.h"

using namespace mlir;
namespace graphc::kernel {

/// Bytes of a group's scratch memory, which stay in a thread's nearest caches,
/// and of a kernel's, which are on its stack.
constexpr int64_t kScratchBytes = 65536, kAllScratchBytes = 524288;
/// A map of one element a row is no vector in the rows' loop: it is not cut
/// unless other nests have many.
constexpr int64_t kLongRow = 64;
constexpr size_t kMostNests = 32;

static uint64_t maskOf(unsigned rowLoops) {
  return (uint64_t(1) << rowLoops) - 1;
}

void forEachAccess(
    Nest &nest, llvm::function_ref<void(Buffer *, Index &, bool isWrite)> f) {
  for (std::unique_ptr<Nest> &inner : nest.inner)
    forEachAccess(*inner, f);
  for (Expr &expr : nest.exprs)
    if (expr.kind == Expr::Load)
      f(expr.buffer, expr.index, false);
  for (Store &store : nest.stores)
    f(store.buffer, store.index, true);
  for (Store &store : nest.termStores)
    f(store.buffer, store.index, true);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// What a group's nests touch of a buffer in one row: all from `low` to `high`,
/// counted from where the row loops say.
struct RowAccess {
  SmallVector<int64_t, 2> strides; // of the row loops
  int64_t low = 0, high = 0;
  bool isKnown = true;
  bool isWritten = false;
  Nest *nest = nullptr; // null: more than one

  void add(Nest &by, const Index &index, bool isWrite, unsigned rowLoops) {
    bool isFirst = strides.empty();
    nest = isFirst || nest == &by ? &by : nullptr;
    isWritten |= isWrite;
    Index rest = index;
    for (unsigned v = 0; v < rowLoops; ++v) {
      int64_t stride = index.coefficient(v);
      if (isFirst)
        strides.push_back(stride);
      isKnown &= strides[v] == stride;
      rest.add(Index::ofVariable(v), -stride);
    }
    isKnown &= (by.loopsIn(rest) & maskOf(rowLoops)) == 0;
    auto [from, to] = by.rangeOf(rest);
    low = isFirst ? from : std::min(low, from);
    high = isFirst ? to : std::max(high, to);
  }

  /// True if no two rows touch the same element.
  bool isApart(const Nest &of) const {
    int64_t span = high - low + 1;
    for (unsigned v = strides.size(); v-- > 0;) {
      if (strides[v] < span)
        return false;
      span += strides[v] * (of.variables[v].size - 1);
    }
    return isKnown;
  }
};
} // namespace

using RowAccesses = llvm::MapVector<Buffer *, RowAccess>;

static RowAccesses rowAccesses(ArrayRef<Nest *> nests, unsigned rowLoops,
                               Buffer *a = nullptr, Buffer *b = nullptr) {
  RowAccesses accesses;
  for (Nest *nest : nests)
    forEachAccess(*nest, [&](Buffer *buffer, Index &index, bool isWrite) {
      accesses[buffer == b ? a : buffer].add(*nest, index, isWrite, rowLoops);
    });
  return accesses;
}

bool isRowPrivate(const Group &group, Buffer *a, Buffer *b) {
  return group.rowLoops &&
         rowAccesses(group.nests, group.rowLoops, a, b)[a].isApart(
             *group.nests.front());
}

/// True if what one of the nests reads and another writes is of one row.
static bool areRowsApart(ArrayRef<Nest *> nests, unsigned rowLoops) {
  return llvm::all_of(rowAccesses(nests, rowLoops), [&](const auto &access) {
    return !access.second.isWritten || access.second.nest ||
           access.second.isApart(*nests.front());
  });
}

static Buffer sumsOf(const Nest &nest, int64_t partials) {
  return {Buffer::Scratch, 0, 0, nest.accumulationType,
          partials * nest.sizeOf(Inner)};
}

static Buffer sumsOf(const Nest &nest) {
  return sumsOf(nest, ReductionShape::ofColumn(nest.sizeOf(Reduced)).partials);
}

/// True if a row is one term of each of the column reduction's sums.
static bool canAddRows(const Nest &nest) {
  return nest.kind == Nest::ColumnReduce && nest.sizeOf(Outer) == 1 &&
         nest.sizeOf(OuterReduced) == 1 &&
         graphc::canAddRows(nest.sizeOf(Reduced),
                            double(sumsOf(nest, 1).bytes()));
}

/// Bytes of the sums of rows that a loop over them takes along.
static int64_t sumBytes(ArrayRef<Nest *> nests) {
  int64_t bytes = 0;
  for (Nest *nest : nests)
    if (canAddRows(*nest))
      bytes += sumsOf(*nest).bytes();
  return bytes;
}

/// How often a nest other than a map goes through its rows.
static int64_t rowsOf(const Nest &nest) {
  return nest.sizeOf(canAddRows(nest) ? Reduced : Outer);
}

/// Sizes of the outermost loops that together run `rows` times: of the last one
/// that may be a part.
static SmallVector<int64_t> rowSizes(const Nest &nest, int64_t rows) {
  SmallVector<int64_t> sizes;
  if (canAddRows(nest))
    return rowsOf(nest) == rows ? SmallVector<int64_t>{rows} : sizes;
  for (unsigned v : nest.loopsOf(Outer)) {
    int64_t size = nest.variables[v].size;
    if (rows == 1)
      break;
    if (rows % size != 0) {
      if (size % rows != 0 || size / rows < kLeastRow)
        return {};
      size = rows;
    }
    sizes.push_back(size);
    rows /= size;
  }
  return rows == 1 ? sizes : SmallVector<int64_t>();
}

/// Sizes of loops that make up those of `a` and those of `b` alike.
static SmallVector<int64_t> refine(SmallVector<int64_t> a,
                                   SmallVector<int64_t> b) {
  SmallVector<int64_t> sizes;
  while (!a.empty() && !b.empty()) {
    int64_t size = std::min(a.back(), b.back());
    if (a.back() % size || b.back() % size)
      return {};
    sizes.push_back(size);
    for (auto *rest : {&a, &b})
      if ((rest->back() /= size) == 1)
        rest->pop_back();
  }
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

static void splitRows(Nest &nest, ArrayRef<int64_t> sizes) {
  for (auto [v, size] : llvm::enumerate(sizes))
    if (nest.variables[v].size != size)
      nest.split(v, nest.variables[v].size / size);
  nest.noteLoops();
}

/// True if rows of `nest` can be computed one by one, and some loop runs.
static bool hasRows(const Nest &nest) {
  switch (nest.kind) {
  case Nest::Map:
    return !nest.copied && nest.iterations() > 0;
  case Nest::RowReduce:
  case Nest::ColumnReduce:
  case Nest::ArgReduce:
  case Nest::Check:
  case Nest::Scan:
    return nest.iterations() > 0;
  case Nest::Product:
  case Nest::Scatter:
  case Nest::Sort:
  case Nest::Blocks:
    return false;
  }
  llvm_unreachable("all kinds are above");
}

static bool isOneARow(const Nest &nest, int64_t rows) {
  return nest.kind == Nest::Map && nest.iterations() == double(rows);
}

static bool areRowsShared(const Nest &nest, int64_t rows) {
  return canShareRows(rows, nest.iterations());
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// Buffers that some nests touch.
class Touched {
public:
  void add(Nest &nest) {
    forEachAccess(nest, [&](Buffer *buffer, Index &, bool isWrite) {
      isWritten[buffer] |= isWrite;
    });
  }
  /// True if `nest`, which comes after them, must stay there.
  bool isBefore(Nest &nest) const {
    return any(nest, [](bool a, bool b) { return a || b; });
  }
  bool shareMemory(Nest &nest) const {
    return any(nest, [](bool, bool) { return true; });
  }

private:
  bool any(Nest &nest, bool (*test)(bool, bool)) const {
    bool found = false;
    forEachAccess(nest, [&](Buffer *buffer, Index &, bool isWrite) {
      auto entry = isWritten.find(buffer);
      found |= entry != isWritten.end() && test(isWrite, entry->second);
    });
    return found;
  }

  llvm::SmallDenseMap<Buffer *, bool> isWritten;
};
} // namespace

namespace {
/// Takes groups from the front of what is left of a kernel's nests.
class Grouping {
public:
  explicit Grouping(Kernel &kernel) {
    for (Nest &nest : kernel.nests)
      rest.push_back(&nest);
    while (!rest.empty())
      kernel.groups.push_back(take());
  }

private:
  /// The first nest, and all later ones that use its memory, that `join` takes
  /// and that may run before those between.
  Group collect(llvm::function_ref<bool(Group &, Nest &)> join) {
    Group group{{rest.front()}};
    Touched inside, between;
    inside.add(*rest.front());
    SmallVector<Nest *> others;
    for (Nest *nest : ArrayRef(rest).drop_front()) {
      if (group.nests.size() < kMostNests && !between.isBefore(*nest) &&
          inside.shareMemory(*nest) && join(group, *nest)) {
        group.nests.push_back(nest);
        inside.add(*nest);
      } else {
        others.push_back(nest);
        between.add(*nest);
      }
    }
    rest = others;
    return group;
  }

  Group takeRows(int64_t rows) {
    SmallVector<int64_t> sizes = rowSizes(*rest.front(), rows);
    bool addsRows = canAddRows(*rest.front());
    auto cut = [&](Nest &nest) {
      if (canAddRows(nest))
        nest.moveToFront(nest.loopsOf(Reduced).front());
      else
        splitRows(nest, sizes);
    };
    auto join = [&](Group &group, Nest &nest) {
      if (!hasRows(nest) || !areRowsShared(nest, rows) ||
          (isOneARow(nest, rows) && llvm::all_of(group.nests, [&](Nest *n) {
             return n->iterations() < double(kLongRow * rows);
           })))
        return false;
      SmallVector<int64_t> refined = refine(sizes, rowSizes(nest, rows));
      // Chunks of rows are of one loop.
      if (refined.empty() ||
          (refined.size() > 1 && (addsRows || canAddRows(nest))))
        return false;
      SmallVector<Nest *> all = group.nests;
      all.push_back(&nest);
      if (sumBytes(all) > kAllScratchBytes / 2)
        return false;
      sizes = refined;
      for (Nest *member : all)
        cut(*member);
      if (areRowsApart(all, sizes.size())) {
        addsRows |= canAddRows(nest);
        return true;
      }
      nest.finish();
      return false;
    };
    Group group = collect(join);
    if (group.nests.size() > 1 || addsRows) {
      cut(*group.nests.front());
      group.rowLoops = sizes.size();
    } else {
      group.nests.front()->finish();
    }
    return group;
  }

  Group take() {
    Nest &first = *rest.front();
    // A map may be cut into any rows: into those of the next reduction.
    const Nest *reduction = nullptr;
    if (hasRows(first))
      for (Nest *nest : rest)
        if (!reduction && nest->kind != Nest::Map && hasRows(*nest))
          reduction = nest;
    int64_t rows = reduction ? rowsOf(*reduction) : 1;
    if (rows > 1 && areRowsShared(first, rows) && !isOneARow(first, rows) &&
        !rowSizes(first, rows).empty())
      return takeRows(rows);
    rest.erase(rest.begin());
    return {{&first}};
  }

  SmallVector<Nest *> rest;
};
} // namespace

llvm::SmallVector<RowAhead> rowsAhead(const Group &group) {
  constexpr int64_t leastBytes = 1 << 18, leastRow = 512;
  llvm::SmallVector<RowAhead> all;
  RowAccesses accesses = rowAccesses(group.nests, group.rowLoops);
  for (auto &[buffer, access] : accesses) {
    int64_t bytes = buffer->elements ? buffer->bytes() / buffer->elements : 0;
    int64_t stride = access.strides.back();
    bool isRow = access.isKnown && access.high - access.low < stride;
    if (buffer->place != Buffer::Input || access.isWritten || !isRow ||
        buffer->bytes() < leastBytes || stride * bytes < leastRow)
      continue;
    // One nest for each input, as far as there are; least of all one that waits
    // for memory itself, as it stores results.
    Nest *best = nullptr;
    double most = -1;
    for (Nest *nest : group.nests) {
      bool reads = false, stores = false;
      forEachAccess(
          *nest, [&, &row = *buffer](Buffer *touched, Index &, bool isWrite) {
            reads |= touched == &row;
            stores |= isWrite && touched->place == Buffer::Output;
          });
      double cost = costOf(nest->roots()) + 1;
      if (stores || llvm::any_of(all, [&](const RowAhead &other) {
            return other.nest == nest;
          }))
        cost = 0;
      if (reads && cost > most)
        best = nest, most = cost;
    }
    all.push_back({buffer, best, stride});
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Scratch memory
//===----------------------------------------------------------------------===//

/// Moves what no other group sees from the workspace to scratch memory, as far
/// as it fits.
static void useScratch(Kernel &kernel, Group &group, int64_t &left) {
  llvm::SmallPtrSet<Buffer *, 8> seenOutside;
  for (Group &other : kernel.groups)
    if (&other != &group)
      for (Nest *nest : other.nests)
        forEachAccess(*nest, [&](Buffer *buffer, Index &, bool) {
          seenOutside.insert(buffer);
        });
  RowAccesses accesses = rowAccesses(group.nests, group.rowLoops);
  for (auto &entry : accesses) {
    Buffer *buffer = entry.first;
    const RowAccess &access = entry.second;
    if (buffer->place != Buffer::Workspace || seenOutside.contains(buffer) ||
        !access.isApart(*group.nests.front()))
      continue;
    Buffer row = *buffer;
    row.place = Buffer::Scratch;
    row.elements = access.high - access.low + 1;
    if (row.bytes() > left)
      continue;
    left -= llvm::alignTo(row.bytes(), 64);
    *buffer = row;
    group.scratch.push_back(buffer);
    for (Nest *nest : group.nests)
      forEachAccess(*nest, [&](Buffer *accessed, Index &index, bool) {
        if (accessed != buffer)
          return;
        for (unsigned v = 0; v < group.rowLoops; ++v)
          index.add(Index::ofVariable(v), -index.coefficient(v));
        index.constant -= access.low;
      });
  }
}

/// From here on, code that reads what the group's loops write stays in them.
static void keepInside(Group &group) {
  RowAccesses accesses = rowAccesses(group.nests, group.rowLoops);
  for (Nest *nest : group.nests) {
    for (Expr &expr : nest->exprs)
      if (expr.kind == Expr::Load && accesses[expr.buffer].isWritten)
        expr.writtenIn = maskOf(group.rowLoops);
    nest->noteLoops();
  }
}

void groupNests(Kernel &kernel) {
  Grouping grouping(kernel);
  int64_t all = kAllScratchBytes;
  for (Group &group : kernel.groups) {
    if (!group.rowLoops)
      continue;
    for (Nest *nest : group.nests)
      if (canAddRows(*nest)) {
        kernel.buffers.push_back(sumsOf(*nest));
        nest->sums = &kernel.buffers.back();
      }
    int64_t left = std::min(all, kScratchBytes);
    all -= left;
    useScratch(kernel, group, left);
    shareInRows(kernel, group, left);
    keepInside(group);
    all += left;
  }
  kernel.layOutWorkspace();
}

} // namespace graphc::kernel
