// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Live ranges, the tensors that share a buffer, and offsets in the arena.
#include "passes/Plan/Schedule.h"

#include "lib/Algorithms/ArenaPacking.h"

#include <map>

using namespace mlir;

namespace graphc::planning {
namespace {

/// Fills in firstStep, lastStep and depth of every tensor. What a loop reads
/// from outside must live until the loop ends.
void findLiveRanges(Schedule &schedule) {
  SmallVector<unsigned> around; // numbers of the open loops
  std::vector<Step> &steps = schedule.steps;
  for (auto [at, step] : llvm::enumerate(steps)) {
    if (step.kind == plan::EntryKind::LoopBegin)
      schedule.loops[step.loop].beginStep = at;
    if (step.kind == plan::EntryKind::LoopEnd)
      schedule.loops[step.loop].endStep = at;
  }
  for (auto [at, step] : llvm::enumerate(steps)) {
    for (TensorId read : step.reads) {
      Tensor &tensor = schedule.tensors[read];
      int last = tensor.depth < around.size()
                     ? schedule.loops[around[tensor.depth]].endStep
                     : int(at);
      // The end of a loop reads what the body has made.
      tensor.lastStep = std::max(tensor.lastStep, last);
    }
    if (step.kind == plan::EntryKind::LoopBegin)
      around.push_back(step.loop);
    if (step.kind == plan::EntryKind::LoopEnd)
      around.pop_back();
    for (TensorId written : step.writes) {
      Tensor &tensor = schedule.tensors[written];
      tensor.firstStep = at;
      tensor.lastStep = std::max(tensor.lastStep, int(at));
      tensor.depth = around.size();
    }
  }
  for (Loop &loop : schedule.loops)
    if (loop.slot)
      schedule.tensors[*loop.slot].lastStep = loop.endStep;
  for (Tensor &tensor : schedule.tensors)
    if (tensor.space == plan::Space::Output)
      tensor.lastStep = steps.size();
}

/// Sets of tensors that share a buffer. Within a set the live ranges follow one
/// another; where one begins at the step that ends another, that step must be
/// able to do so.
class SharedBuffers {
public:
  explicit SharedBuffers(Schedule &schedule)
      : schedule(schedule), parents(schedule.tensors.size()),
        members(schedule.tensors.size()) {
    for (auto [id, tensor] : llvm::enumerate(schedule.tensors)) {
      parents[id] = id;
      members[id][tensor.firstStep] = id;
    }
    for (Loop &loop : schedule.loops)
      for (Loop::Carried &carried : loop.carried) {
        handedOn.insert({carried.init, carried.argument});
        handedOn.insert({carried.next, carried.result});
      }
  }

  TensorId find(TensorId tensor) {
    while (parents[tensor] != tensor)
      tensor = parents[tensor] = parents[parents[tensor]];
    return tensor;
  }

  /// Merges the sets of two tensors if that is possible.
  bool merge(TensorId a, TensorId b) {
    a = find(a);
    b = find(b);
    if (a == b)
      return true;
    const Tensor &left = schedule.tensors[a], &right = schedule.tensors[b];
    if (!canMove(left) || !canMove(right) || left.bytes != right.bytes ||
        (!left.isArena() && !right.isArena()))
      return false;
    if (members[a].size() < members[b].size())
      std::swap(a, b);
    for (auto [step, member] : members[b])
      if (!fitsInto(member, members[a]))
        return false;
    Tensor &root = schedule.tensors[a];
    if (root.isArena()) {
      root.space = schedule.tensors[b].space;
      root.index = schedule.tensors[b].index;
    }
    members[a].insert(members[b].begin(), members[b].end());
    members[b].clear();
    parents[b] = a;
    return true;
  }

  /// First and last step of a set.
  std::pair<int, int> getRange(TensorId root) {
    auto &set = members[root];
    return {set.begin()->first,
            schedule.tensors[set.rbegin()->second].lastStep};
  }

private:
  static bool canMove(const Tensor &tensor) {
    return tensor.bytes != 0 && tensor.firstStep >= 0 &&
           (tensor.isArena() || tensor.space == plan::Space::Output);
  }

  bool fitsInto(TensorId tensor, const std::map<int, TensorId> &set) {
    auto after = set.lower_bound(schedule.tensors[tensor].firstStep);
    if (after != set.end() && !mayFollow(tensor, after->second))
      return false;
    return after == set.begin() || mayFollow(std::prev(after)->second, tensor);
  }

  /// True if `second` may take the buffer of `first`.
  bool mayFollow(TensorId first, TensorId second) {
    int last = schedule.tensors[first].lastStep;
    int begin = schedule.tensors[second].firstStep;
    if (last != begin)
      return last < begin;
    const Step &step = schedule.steps[begin];
    switch (step.kind) {
    case plan::EntryKind::Launch:
      return mayShare(step, second, first);
    case plan::EntryKind::Copy:
      return step.reads[0] == first && step.writes[0] == second;
    case plan::EntryKind::LoopBegin:
    case plan::EntryKind::LoopEnd:
      return handedOn.contains({first, second});
    default:
      return false;
    }
  }

  Schedule &schedule;
  /// What a loop takes over from its beginning, or leaves at its end.
  llvm::DenseSet<std::pair<TensorId, TensorId>> handedOn;
  std::vector<TensorId> parents;
  std::vector<std::map<int, TensorId>> members; // of a root, by first step
};

/// The buffers that loops need for what they carry.
LogicalResult shareCarried(Schedule &schedule, SharedBuffers &buffers) {
  for (Loop &loop : schedule.loops)
    for (Loop::Carried &carried : loop.carried) {
      if (schedule.tensors[carried.init].bytes == 0)
        continue;
      if (!buffers.merge(carried.init, carried.argument) ||
          !buffers.merge(carried.argument, carried.next) ||
          !buffers.merge(carried.next, carried.result))
        return schedule.function.emitError(
            "internal error: a carried value has no buffer of its own");
    }
  return success();
}

/// Copies first, since to avoid one saves time as well as memory.
void shareWherePossible(Schedule &schedule, SharedBuffers &buffers) {
  for (Step &step : schedule.steps)
    if (step.kind == plan::EntryKind::Copy)
      step.isIdle = schedule.tensors[step.reads[0]].bytes == 0 ||
                    buffers.merge(step.writes[0], step.reads[0]);
  for (Step &step : schedule.steps) {
    if (step.kind != plan::EntryKind::Launch)
      continue;
    for (plan::InPlacePair pair :
         cast<plan::LaunchOp>(step.op).getInPlacePairs())
      buffers.merge(step.writes[pair.output], step.reads[pair.input]);
  }
}

LogicalResult placeInArena(Schedule &schedule, SharedBuffers &buffers) {
  std::vector<algorithms::ArenaItem> items;
  SmallVector<TensorId> roots;
  int64_t total = 0;
  for (TensorId id = 0; id < schedule.tensors.size(); ++id) {
    const Tensor &tensor = schedule.tensors[id];
    if (buffers.find(id) != id || !tensor.isArena() || tensor.firstStep < 0 ||
        tensor.bytes == 0)
      continue;
    auto [first, last] = buffers.getRange(id);
    roots.push_back(id);
    items.push_back({tensor.bytes, first, last});
    int64_t aligned;
    if (llvm::AddOverflow(tensor.bytes, plan::alignment - 1, aligned) ||
        llvm::AddOverflow(total, aligned, total))
      return schedule.function.emitError(
          "expects temporary tensors of less than 2^63 bytes in all");
  }
  algorithms::ArenaSolution solution =
      algorithms::packArena(items, plan::alignment);
  std::string fault = algorithms::verifyArena(items, plan::alignment, solution);
  if (!fault.empty())
    return schedule.function.emitError("internal error: arena packing: ")
           << fault;
  for (auto [root, offset] : llvm::zip_equal(roots, solution.offsets))
    schedule.tensors[root].offset = offset;
  if (solution.bytes > plan::maxMemoryBytes)
    return schedule.function.emitError("expects an arena of at most ")
           << plan::maxMemoryBytes << " bytes, but needs " << solution.bytes;
  schedule.arenaBytes = solution.bytes;
  return success();
}

} // namespace

LogicalResult assignBuffers(Schedule &schedule) {
  findLiveRanges(schedule);
  SharedBuffers buffers(schedule);
  if (failed(shareCarried(schedule, buffers)))
    return failure();
  shareWherePossible(schedule, buffers);
  if (failed(placeInArena(schedule, buffers)))
    return failure();
  for (TensorId id = 0; id < schedule.tensors.size(); ++id) {
    const Tensor root = schedule.tensors[buffers.find(id)];
    schedule.tensors[id].space = root.space;
    schedule.tensors[id].index = root.index;
    schedule.tensors[id].offset = root.offset;
  }
  return success();
}

} // namespace graphc::planning
