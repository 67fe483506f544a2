// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fuseGroups() is held to.
#include "lib/Algorithms/FusionGroups.h"

#include <algorithm>
#include <map>
#include <set>

namespace graphc::algorithms {
namespace {

std::string numbered(const char *what, int number) {
  return std::string(what) + " " + std::to_string(number);
}

/// One group as a kernel sees it.
struct Kernel {
  std::vector<int> nodes;
  std::map<int, int64_t> reads; // values in memory, and bytes of each
  std::set<int> writes;
  std::vector<FusionUse> inner; // of values computed inside
};

bool isElsewhere(FusionRead read) {
  return read == FusionRead::Relayout || read == FusionRead::Once ||
         read == FusionRead::Outer || read == FusionRead::Many;
}

class Checker {
public:
  Checker(const FusionProblem &problem, const FusionLimits &limits,
          const FusionSolution &solution)
      : problem(problem), limits(limits), groups(solution.groups),
        kernels(std::max(solution.groupCount, 0)) {}

  std::string run() {
    if (groups.size() != problem.nodes.size())
      return "expects one group a node";
    for (size_t n = 0; n < groups.size(); ++n) {
      if (groups[n] < 0 || groups[n] >= int(kernels.size()))
        return numbered("node", int(n)) + " is in no group";
      kernels[groups[n]].nodes.push_back(int(n));
    }
    for (size_t g = 0; g < kernels.size(); ++g)
      if (kernels[g].nodes.empty())
        return numbered("group", int(g)) + " is empty";
    // An order in which every edge goes forward proves that there is no cycle.
    for (const FusionUse &use : problem.uses) {
      int producer = problem.values[use.value].producer;
      if (producer >= 0 && groups[producer] > groups[use.node])
        return numbered("node", use.node) + " runs before what it reads";
    }
    for (size_t n = 0; n < groups.size(); ++n)
      for (int earlier : problem.nodes[n].after)
        if (groups[earlier] > groups[n])
          return numbered("node", int(n)) + " runs before what it must follow";
    findMemory();
    for (size_t g = 0; g < kernels.size(); ++g)
      if (kernels[g].nodes.size() > 1)
        if (std::string fault = check(kernels[g]); !fault.empty())
          return numbered("group", int(g)) + ": " + fault;
    return "";
  }

private:
  void findMemory() {
    for (size_t v = 0; v < problem.values.size(); ++v)
      if (problem.values[v].leaves && problem.values[v].producer >= 0)
        kernels[groups[problem.values[v].producer]].writes.insert(int(v));
    for (const FusionUse &use : problem.uses) {
      int producer = problem.values[use.value].producer;
      if (producer >= 0 && groups[producer] == groups[use.node]) {
        kernels[groups[producer]].inner.push_back(use);
        continue;
      }
      int64_t all = problem.values[use.value].bytes;
      int64_t &read = kernels[groups[use.node]].reads[use.value];
      read = std::min(all, read + (use.bytes < 0 ? all : use.bytes));
      if (producer >= 0)
        kernels[groups[producer]].writes.insert(use.value);
    }
  }

  std::string check(const Kernel &kernel) {
    int ops = 0, products = 0, sums = 0, reductions = 0;
    std::pair<int, int> summed = {-1, -1};
    bool hasRows = false, mayFail = false, isUpdate = false;
    for (int n : kernel.nodes) {
      const FusionNode &node = problem.nodes[n];
      if (node.kind == FusionKind::Alone)
        return numbered("node", n) + " is not alone";
      ops += node.ops;
      reductions += node.reductions;
      products += node.kind == FusionKind::Product;
      if (node.kind == FusionKind::Columns)
        ++sums, summed = rowsOf(node);
      hasRows |= node.kind == FusionKind::Rows;
      mayFail |= node.mayFail;
      isUpdate |= node.isUpdate;
    }
    std::set<int> shapes, late = findLate(kernel);
    bool isRowLoop = hasRows || sums > 1;
    for (int v : kernel.writes) {
      shapes.insert(problem.values[v].shape);
      // Terms that are stored, and one number a row.
      int shape = problem.values[v].shape;
      isRowLoop |= sums == 1 && summed.first >= 0 &&
                   !late.count(problem.values[v].producer) &&
                   (shape == summed.first || shape == summed.second);
    }
    if (ops > limits.ops)
      return "too many ops";
    if (int(kernel.reads.size() + kernel.writes.size()) > limits.buffers)
      return "too many buffers";
    if (products + isRowLoop > 1 || (products && sums))
      return "two products or reductions";
    if (isRowLoop && reductions > limits.reductions)
      return "too many reductions";
    if (mayFail && isUpdate)
      return "it may fail when it has written state";
    std::string fault = checkUses(kernel, late, isRowLoop);
    if (fault.empty())
      fault = isRowLoop ? checkRows(kernel, shapes)
                        : checkShapes(kernel, shapes, products + sums > 0);
    return fault;
  }

  /// What there is only when a loop over all elements has ended.
  std::set<int> findLate(const Kernel &kernel) {
    std::set<int> late;
    for (int n : kernel.nodes)
      if (problem.nodes[n].kind == FusionKind::Columns ||
          problem.nodes[n].kind == FusionKind::Product)
        late.insert(n);
    for (const FusionUse &use : kernel.inner)
      if (late.count(problem.values[use.value].producer))
        late.insert(use.node);
    return late;
  }

  /// What is computed inside and read at another index, or many times.
  std::string checkUses(const Kernel &kernel, const std::set<int> &late,
                        bool isRowLoop) {
    for (const FusionUse &use : kernel.inner) {
      int producer = problem.values[use.value].producer;
      bool isWritten = kernel.writes.count(use.value);
      FusionKind kind = problem.nodes[producer].kind;
      std::string name = numbered("value", use.value);
      if (use.read == FusionRead::Whole)
        return name + " must be in memory";
      if (use.read == FusionRead::Factor && !problem.nodes[producer].isView)
        return name + " is computed many times";
      if (use.read == FusionRead::Many && problem.nodes[producer].isCostly)
        return name + " is costly and computed many times";
      if (use.read == FusionRead::Reduced && isWritten && !isRowLoop)
        return name + " is reduced and written";
      if (isElsewhere(use.read) && kind == FusionKind::Map && isWritten &&
          !(use.read == FusionRead::Outer && readsRows(kernel, use.value)))
        return name + " is written, and read at another index";
      if (!late.count(producer))
        continue;
      if (use.read != FusionRead::Same &&
          (isRowLoop || use.read != FusionRead::Relayout))
        return name + " is not an epilogue's";
      if (problem.nodes[use.node].kind != FusionKind::Map)
        return name + " is read in a loop that runs before it is there";
    }
    return "";
  }

  /// Numbers of the shapes of all elements and of one value a row, and of the
  /// row itself where rows are added up.
  static std::pair<int, int> rowsOf(const FusionNode &node) {
    if (node.kind == FusionKind::Columns)
      return {node.terms, node.rows};
    return {node.domain, node.rows};
  }

  static bool hasRows(const FusionNode &node) {
    return node.kind == FusionKind::Rows || node.kind == FusionKind::Columns;
  }

  /// True if `value` is one number a row of the rows that `kernel` is over.
  bool readsRows(const Kernel &kernel, int value) {
    for (int n : kernel.nodes)
      if (hasRows(problem.nodes[n]))
        return problem.values[value].shape == rowsOf(problem.nodes[n]).second;
    return false;
  }

  /// All is done to one row after another.
  std::string checkRows(const Kernel &kernel, const std::set<int> &shapes) {
    std::set<std::pair<int, int>> rows;
    std::set<int> allowed;
    for (int n : kernel.nodes) {
      const FusionNode &node = problem.nodes[n];
      if (!hasRows(node))
        continue;
      rows.insert(rowsOf(node));
      if (node.kind == FusionKind::Columns)
        allowed.insert(node.domain);
    }
    if (rows.size() > 1)
      return "reductions of different rows";
    if (rows.begin()->first < 0)
      return "rows that cannot be added up one by one";
    allowed.insert(rows.begin()->first);
    allowed.insert(rows.begin()->second);
    for (int shape : shapes)
      if (!allowed.count(shape))
        return "a result of another shape than the rows";
    return "";
  }

  /// Where the kernel is one loop, all that it writes has the loop's shape.
  std::string checkShapes(const Kernel &kernel, const std::set<int> &shapes,
                          bool isHeavy) {
    // Results of one op are as that op has them.
    std::set<int> writers;
    for (int v : kernel.writes)
      writers.insert(problem.values[v].producer);
    if (shapes.size() <= 1 || writers.size() == 1)
      return "";
    // Small kernels side by side.
    int64_t bytes = 0;
    for (const auto &read : kernel.reads)
      bytes += read.second;
    for (int v : kernel.writes)
      bytes += problem.values[v].bytes;
    if (isHeavy || bytes > 4 * limits.smallBytes)
      return "results of several shapes";
    return "";
  }

  const FusionProblem &problem;
  const FusionLimits &limits;
  const std::vector<int> &groups;
  std::vector<Kernel> kernels;
};

} // namespace

std::string verifyFusion(const FusionProblem &problem,
                         const FusionLimits &limits,
                         const FusionSolution &solution) {
  return Checker(problem, limits, solution).run();
}

} // namespace graphc::algorithms
