// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Algorithms/FusionRules.h"

#include <algorithm>

namespace graphc::algorithms {
namespace {

bool isHeavy(const FusionFacts &facts) {
  return facts.kind == FusionKind::Columns || facts.kind == FusionKind::Product;
}

/// `a` disappears into `b`, which reads it at another index.
FusionFault placeElsewhere(const FusionFacts &a, const FusionFacts &b,
                           const FusionLink &link) {
  if (!link.vanishes)
    return FusionFault::Elsewhere;
  bool many = (link.reads & bit(FusionRead::Many)) || b.readsMany;
  return many && a.isCostly ? FusionFault::Twice : FusionFault::None;
}

constexpr unsigned kElsewhere = (1u << unsigned(FusionRead::Relayout)) |
                                (1u << unsigned(FusionRead::Once)) |
                                (1u << unsigned(FusionRead::Outer)) |
                                (1u << unsigned(FusionRead::Many));

/// `a` is of kind Map and read by `b`, of kind Rows.
FusionFault joinRows(const FusionFacts &a, const FusionFacts &b,
                     const FusionLink &link) {
  if ((link.reads & bit(FusionRead::Row)) && a.isCostly && !b.sharesLoop)
    return FusionFault::Twice;
  bool isOuter = a.domain == b.rows &&
                 !(link.reads & kElsewhere & ~bit(FusionRead::Outer));
  bool isSame = a.domain == b.domain && !(link.reads & kElsewhere);
  bool isAfterSums = b.columns >= 0 && a.domain == b.columns &&
                     link.reads == bit(FusionRead::Same);
  if (isOuter || isSame || isAfterSums)
    return FusionFault::None;
  if (link.reads == 0)
    return FusionFault::Shapes;
  return placeElsewhere(a, b, link);
}

FusionFault joinColumns(const FusionFacts &a, const FusionFacts &b,
                        const FusionLink &link) {
  if (link.reads == bit(FusionRead::Same) && a.domain == b.domain)
    return FusionFault::None;
  if (link.reads == 0)
    return FusionFault::Shapes;
  return placeElsewhere(a, b, link);
}

FusionFault joinProduct(const FusionFacts &a, const FusionFacts &b,
                        const FusionLink &link) {
  if (link.reads & bit(FusionRead::Factor)) {
    if (!a.isView)
      return FusionFault::Factor;
    return link.vanishes ? FusionFault::None : FusionFault::Elsewhere;
  }
  return joinColumns(a, b, link);
}

/// True if what reads a group so is over the same elements.
bool isWithinRows(const FusionLink &link) {
  return !(link.reads & ~(bit(FusionRead::Same) | bit(FusionRead::Row) |
                          bit(FusionRead::Reduced) | bit(FusionRead::Outer)));
}

/// `a` is of kind Rows.
FusionFault joinAfterRows(const FusionFacts &a, const FusionFacts &b,
                          const FusionLink &link) {
  if (isHeavy(b))
    return FusionFault::Heavy;
  if (!isWithinRows(link))
    return FusionFault::Whole;
  if (b.kind == FusionKind::Map) {
    // What follows sums is done where they are stored.
    if (a.columns >= 0 && b.readsElsewhere)
      return FusionFault::Whole;
    bool isAfterSums = a.columns >= 0 && b.domain == a.columns &&
                       link.reads == bit(FusionRead::Same);
    return b.domain == a.domain || b.domain == a.rows || isAfterSums
               ? FusionFault::None
               : FusionFault::Shapes;
  }
  if ((link.reads & bit(FusionRead::Row)) && a.isCostly && !b.sharesLoop)
    return FusionFault::Twice;
  return b.domain == a.domain && b.rows == a.rows ? FusionFault::None
                                                  : FusionFault::Shapes;
}

/// True if `a` and `b`, of which one adds up rows or both do, are better one
/// loop over rows. If nobody but a sum reads its terms, they are not stored, and
/// it is faster by itself.
bool areBetterRows(const FusionFacts &a, const FusionFacts &b,
                   const FusionLink &link) {
  bool doesA = a.kind == FusionKind::Columns && a.terms >= 0;
  bool doesB = b.kind == FusionKind::Columns && b.terms >= 0;
  if (!doesA && !doesB)
    return false;
  FusionFacts x = asRows(a), y = asRows(b);
  if (x.kind == FusionKind::Map)
    return x.domain == y.domain && isWithinRows(link) &&
           (link.reads == 0 || !link.vanishes);
  if (y.kind == FusionKind::Map)
    return x.domain == y.domain && link.reads == 0;
  return x.kind == FusionKind::Rows && y.kind == FusionKind::Rows;
}

/// The rules for kinds and shapes alone.
FusionFault joinKinds(const FusionFacts &a, const FusionFacts &b,
                      const FusionLink &link, FusionFacts &joined) {
  joined.kind = b.kind;
  joined.domain = b.domain;
  joined.rows = b.rows;
  joined.terms = b.terms;
  joined.columns = std::max(a.columns, b.columns);
  joined.sharesLoop = a.sharesLoop && b.sharesLoop;
  if (a.kind == FusionKind::Alone || b.kind == FusionKind::Alone)
    return FusionFault::Alone;
  if (link.reads & bit(FusionRead::Whole))
    return FusionFault::Whole;
  if (areBetterRows(a, b, link))
    return joinKinds(asRows(a), asRows(b), link, joined);
  if (isHeavy(a) && isHeavy(b))
    return FusionFault::Heavy;
  if (a.domain < 0 || b.domain < 0)
    return FusionFault::Shapes;

  if (a.kind == FusionKind::Map) {
    switch (b.kind) {
    case FusionKind::Map:
      if (!(link.reads & kElsewhere) && a.domain == b.domain)
        return FusionFault::None;
      return link.reads == 0 ? FusionFault::Shapes : placeElsewhere(a, b, link);
    case FusionKind::Rows:
      return joinRows(a, b, link);
    case FusionKind::Columns:
      return joinColumns(a, b, link);
    default:
      return joinProduct(a, b, link);
    }
  }

  joined.kind = a.kind;
  joined.domain = a.domain;
  joined.rows = a.rows;
  joined.terms = a.terms;
  if (a.kind == FusionKind::Rows)
    return joinAfterRows(a, b, link);

  // After a product or a reduction of everything: its epilogue.
  if (b.kind != FusionKind::Map)
    return FusionFault::Heavy;
  if (b.readsElsewhere)
    joined.terms = -1;
  if (link.reads == bit(FusionRead::Same) && a.domain == b.domain)
    return FusionFault::None;
  if (link.reads == 0 || b.domain == a.terms)
    return FusionFault::Shapes;
  joined.domain = b.domain;
  joined.terms = -1;
  if (link.reads & ~(bit(FusionRead::Relayout) | bit(FusionRead::Same)))
    return FusionFault::Whole;
  return link.vanishes ? FusionFault::None : FusionFault::Elsewhere;
}

} // namespace

FusionFacts factsOf(const FusionNode &node) {
  FusionFacts facts;
  facts.kind = node.kind;
  facts.domain = node.domain;
  facts.rows = node.rows;
  facts.terms = node.terms;
  facts.sharesLoop = node.sharesLoop;
  facts.ops = node.ops;
  facts.reductions = node.reductions;
  facts.isCostly = node.isCostly;
  facts.isView = node.isView;
  facts.mayFail = node.mayFail;
  facts.isUpdate = node.isUpdate;
  return facts;
}

FusionFacts asRows(const FusionFacts &facts) {
  FusionFacts rows = facts;
  if (facts.kind == FusionKind::Columns && facts.terms >= 0) {
    rows.kind = FusionKind::Rows;
    rows.columns = facts.domain;
    rows.domain = facts.terms;
    rows.terms = -1;
  }
  return rows;
}

FusionFault joinFacts(const FusionFacts &a, const FusionFacts &b,
                      const FusionLink &link, const FusionLimits &limits,
                      FusionFacts &joined) {
  joined = FusionFacts();
  FusionFault fault = joinKinds(a, b, link, joined);
  if (fault != FusionFault::None)
    return fault;
  joined.ops = a.ops + b.ops;
  joined.reductions = a.reductions + b.reductions;
  joined.isCostly = a.isCostly || b.isCostly;
  joined.isView = a.isView && b.isView;
  joined.readsMany =
      a.readsMany || b.readsMany || (link.reads & bit(FusionRead::Many));
  joined.readsElsewhere =
      a.readsElsewhere || b.readsElsewhere || (link.reads & kElsewhere);
  joined.mayFail = a.mayFail || b.mayFail;
  joined.isUpdate = a.isUpdate || b.isUpdate;
  if (joined.kind == FusionKind::Rows && joined.reductions > limits.reductions)
    return FusionFault::Reductions;
  if (joined.ops > limits.ops)
    return FusionFault::Ops;
  // What may fail does so before any state is written.
  if (joined.mayFail && joined.isUpdate)
    return FusionFault::State;
  return FusionFault::None;
}

const char *describe(FusionFault fault) {
  switch (fault) {
  case FusionFault::None:
    return "they may share a kernel, but other groups saved more";
  case FusionFault::Alone:
    return "one of them is always a kernel of its own";
  case FusionFault::Whole:
    return "all of the value must be there before any of it is read";
  case FusionFault::Factor:
    return "a product would compute the value many times";
  case FusionFault::Shapes:
    return "one loop cannot write results of both shapes";
  case FusionFault::Elsewhere:
    return "the value is read at another index, and by other kernels as well";
  case FusionFault::Twice:
    return "something costly would be computed more than once";
  case FusionFault::Heavy:
    return "each has a product or a reduction of its own";
  case FusionFault::Reductions:
    return "it would be too many passes over the rows";
  case FusionFault::Buffers:
    return "the kernel would have too many buffers";
  case FusionFault::Ops:
    return "the kernel would have too many ops";
  case FusionFault::Cycle:
    return "another kernel reads the one and is read by the other";
  case FusionFault::Far:
    return "too many kernels lie between them";
  case FusionFault::State:
    return "the kernel would have to wait until a variable may be written";
  case FusionFault::Gain:
    return "nothing would be saved";
  case FusionFault::Limit:
    return "the limit on merges is reached";
  case FusionFault::Peak:
    return "more memory would be in use at once";
  }
  return "";
}

} // namespace graphc::algorithms
