// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops share a kernel.
//
// Every node is an op that computes values from values. A group becomes one
// kernel, which reads each value that it needs from memory once, keeps inside
// what nobody else reads, and writes the rest. What one kernel can do in one
// pass over its loops is said by kinds, of nodes and of reads.
#ifndef GRAPHC_LIB_ALGORITHMS_FUSIONGROUPS_H
#define GRAPHC_LIB_ALGORITHMS_FUSIONGROUPS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace graphc::algorithms {

/// The loops that a node, or a group, needs.
enum class FusionKind : uint8_t {
  Map,     // over the elements of its results, each by itself
  Rows,    // over rows, each of which is reduced before its elements are used;
           // it may also add up the rows
  Columns, // over all elements; the results are at hand when it has ended
  Product, // the same, and what it reads it reads many times
  Alone,   // a kernel of its own
};

/// How a node reads a value, if a producer in the same group computes it.
enum class FusionRead : uint8_t {
  Same,     // its own element
  Relayout, // each element once, in another order or shape
  Once,     // each element at most once, at another place
  Outer,    // an element many times, but known before the innermost loops
  Many,     // an element many times
  Row,      // a whole row
  Reduced,  // each element once, to be added up
  Factor,   // each element many times; a copy of what lies in memory is none
  Whole,    // the whole value has to be in memory
};

/// Why two groups did not become one.
enum class FusionFault : uint8_t {
  None,
  Alone,     // one of them is a kernel of its own
  Whole,     // all of the value must be there before it is read
  Factor,    // the product would compute it many times
  Shapes,    // one loop cannot write results of both shapes
  Elsewhere, // the value is read at another index, and by others as well
  Twice,     // something costly would be computed more than once
  Heavy,     // both have a product or a reduction of everything
  Reductions,
  Buffers,
  Ops,
  Cycle, // a third op reads the one and is read by the other
  Far,   // too much lies between them to exclude that
  State, // the kernel would have to wait with the update of a variable
  Gain,  // nothing would be saved
  Limit, // FusionLimits::merges or smallMerges
  Peak,  // undone: more memory would be needed at once
};
const char *describe(FusionFault fault);

struct FusionNode {
  FusionKind kind = FusionKind::Alone;
  /// Number of the shape whose elements its loops go over; for Columns and
  /// Product, of its result.
  int domain = -1;
  /// Rows: number of the shape of one value a row.
  int rows = -1;
  /// Columns: number of the shape of its terms, if a loop over rows can add up
  /// each row when it is there; then `rows` as above.
  int terms = -1;
  /// Rows: one loop over rows does all there is to do with each, so that
  /// nothing is computed or read once for each reduction.
  bool sharesLoop = true;
  int ops = 1;
  int reductions = 0;
  bool isCostly = false; // exp and the like, a draw, a division of integers
  bool isView = false;   // only says where elements lie
  bool mayFail = false;
  /// Its result becomes the new value of a variable, whose old value these
  /// nodes read: it cannot be written before they have run, nor before the last
  /// node that may fail.
  bool isUpdate = false;
  std::vector<int> oldReaders;
  /// Nodes that must have run before, besides those whose values it reads.
  std::vector<int> after;
};

struct FusionValue {
  int producer = -1; // -1: there from the start
  int64_t bytes = 0;
  int shape = -1;       // its number
  bool leaves = false;  // something that is no node reads it
  bool isArena = false; // its memory is free when nobody reads it any more
  /// A value of an operand that it takes the place of, if nobody reads that any
  /// more: of an op that changes a part, or a loop. -1: none.
  int replaces = -1;
};

struct FusionUse {
  int node;
  int value;
  FusionRead read;
  int64_t bytes = -1; // of the value that are read; -1: all of it
};

/// Nodes come in an order in which they could run; values and uses are in the
/// order of their nodes.
struct FusionProblem {
  std::vector<FusionNode> nodes;
  std::vector<FusionValue> values;
  std::vector<FusionUse> uses;
};

struct FusionLimits {
  int64_t merges = -1; // at most so many; -1: no limit
  int ops = 256;       // the sum of FusionNode::ops of a group of several nodes
  int buffers = 64;
  int reductions = 8; // of a loop over rows
  /// Groups with no more traffic may share a kernel just to have fewer.
  int64_t smallBytes = 16 << 10;
  /// Kinds of merges that save less than 4 KiB: each may make code that no other
  /// kernel shares, which takes longer to compile than it ever saves. Merges of
  /// groups of equal kind, shape, ops and traffic count once.
  int64_t smallMerges = 1000;
};

struct FusionSolution {
  /// Group of each node; groups are numbered in the order in which they run.
  std::vector<int> groups;
  int groupCount = 0;
  int64_t merges = 0;
};

/// Merges two groups at a time, those first that save the most bytes of memory
/// traffic, then those that come first. Deterministic; time is near to linear.
FusionSolution fuseGroups(const FusionProblem &problem,
                          const FusionLimits &limits);

/// The same without those merges, found one after another, that would make
/// fusionPeak() more than `mostBytes`; without any if it is so even then.
FusionSolution fuseWithinPeak(const FusionProblem &problem,
                              const FusionLimits &limits, int64_t mostBytes);

/// Each node by itself.
FusionSolution noGroups(const FusionProblem &problem);

/// Bytes read and written by all kernels.
int64_t fusionTraffic(const FusionProblem &problem,
                      const FusionSolution &solution);

/// The most bytes of arena values that live at once, as far as it can be known
/// without a plan: an in-place result takes the place of what it is made of.
int64_t fusionPeak(const FusionProblem &problem,
                   const FusionSolution &solution);

/// Why the groups of the two nodes of each pair are not one group, whoever
/// made `solution`; None if they are, or could be.
std::vector<FusionFault>
whyNotFused(const FusionProblem &problem, const FusionLimits &limits,
            const FusionSolution &solution,
            const std::vector<std::pair<int, int>> &pairs);

/// Returns what is wrong with `solution`, or an empty string. Shares no code
/// with fuseGroups().
std::string verifyFusion(const FusionProblem &problem,
                         const FusionLimits &limits,
                         const FusionSolution &solution);

} // namespace graphc::algorithms

#endif // GRAPHC_LIB_ALGORITHMS_FUSIONGROUPS_H
