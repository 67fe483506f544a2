// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stable topological order. Besides what reads what, a node that writes a
// variable waits for the commit and for all readers of the old value; the
// commit waits for all that may fail. Where a launch would wait for itself in
// that way, its result goes through the arena and is copied into the variable
// instead.
#include "passes/Plan/Schedule.h"

#include <queue>

using namespace mlir;

namespace graphc::planning {
namespace {

class Orderer {
public:
  explicit Orderer(Schedule &schedule) : schedule(schedule) {}

  void run() {
    link();
    spareWhatMayFail();
    emit();
  }

private:
  struct Link {
    SmallVector<unsigned, 4> readers;   // nodes that read what this one writes
    SmallVector<unsigned, 4> producers; // the other way
    SmallVector<unsigned, 2> oldReads;  // variables whose old value it reads
    unsigned missing = 0;               // producers that have not run
    int64_t rank = 0;                   // first come, first served
    bool isDone = false;
  };

  void link() {
    std::vector<int> producerOf(schedule.tensors.size(), -1);
    links.resize(schedule.nodes.size());
    for (auto [number, node] : llvm::enumerate(schedule.nodes))
      for (Step &step : node.steps)
        for (TensorId tensor : step.writes)
          producerOf[tensor] = number;
    for (unsigned number = 0; number < links.size(); ++number)
      linkNode(number, producerOf);
    for (unsigned number = 0; number < links.size(); ++number)
      links[number].rank = int64_t(number) + 1;
  }

  void linkNode(unsigned number, const std::vector<int> &producerOf) {
    SmallVector<unsigned> producers, variables;
    for (Step &step : schedule.nodes[number].steps)
      for (TensorId tensor : step.reads) {
        if (producerOf[tensor] >= 0 && producerOf[tensor] != int(number))
          producers.push_back(producerOf[tensor]);
        auto isOld = [&](unsigned variable) {
          auto old = schedule.oldValues.find(variable);
          return old != schedule.oldValues.end() && old->second == tensor;
        };
        const Tensor &read = schedule.tensors[tensor];
        if (read.space == plan::Space::State && isOld(read.index))
          variables.push_back(read.index);
      }
    if (schedule.nodes[number].isOrdered) {
      if (lastOrdered)
        producers.push_back(*lastOrdered);
      lastOrdered = number;
    }
    auto unique = [](SmallVector<unsigned> &list) {
      llvm::sort(list);
      list.erase(llvm::unique(list), list.end());
    };
    unique(producers);
    unique(variables);
    Link &link = links[number];
    link.missing = producers.size();
    for (unsigned producer : producers)
      links[producer].readers.push_back(number);
    link.producers.assign(producers.begin(), producers.end());
    for (unsigned variable : variables) {
      link.oldReads.push_back(variable);
      // A launch in place reads the old value itself, last of all.
      if (!llvm::is_contained(schedule.nodes[number].variables, variable))
        ++waiting[variable].readers;
    }
    for (unsigned variable : schedule.nodes[number].variables)
      waiting[variable].writer = number;
    mayFailCount += schedule.nodes[number].mayFail;
  }

  /// A launch that something depends on that may fail cannot follow the commit.
  void spareWhatMayFail() {
    std::vector<bool> isBefore(links.size());
    SmallVector<unsigned> work;
    for (unsigned number = 0; number < links.size(); ++number)
      if (schedule.nodes[number].mayFail)
        work.push_back(number);
    while (!work.empty()) {
      unsigned number = work.pop_back_val();
      if (isBefore[number])
        continue;
      isBefore[number] = true;
      llvm::append_range(work, links[number].producers);
    }
    for (unsigned number = 0; number < isBefore.size(); ++number)
      if (isBefore[number])
        while (!schedule.nodes[number].variables.empty())
          writeByCopy(number, schedule.nodes[number].variables.back());
  }

  /// Lets launch `number` write to the arena instead of `variable`.
  void writeByCopy(unsigned number, unsigned variable) {
    Step &step = schedule.nodes[number].steps.back();
    auto isWritten = [&](TensorId tensor) {
      return schedule.tensors[tensor].space == plan::Space::State &&
             schedule.tensors[tensor].index == variable;
    };
    TensorId value = *llvm::find_if(step.writes, isWritten);
    Operation *op = step.op;
    TensorId target = schedule.addTensor(schedule.tensors[value].type);
    std::swap(schedule.tensors[value].space, schedule.tensors[target].space);
    schedule.tensors[target].index = variable;

    unsigned copy = schedule.nodes.size();
    schedule.nodes.emplace_back();
    schedule.nodes[copy].steps.push_back(
        {plan::EntryKind::Copy, op, {value}, {target}});
    schedule.nodes[copy].variables.push_back(variable);
    llvm::erase(schedule.nodes[number].variables, variable);

    links.emplace_back();
    links[copy].rank = int64_t(copy) + 1;
    links[copy].missing = 1;
    links[copy].producers.push_back(number);
    links[number].readers.push_back(copy);
    Waiting &state = waiting[variable];
    state.writer = copy;
    if (llvm::is_contained(links[number].oldReads, variable))
      ++state.readers;
  }

  bool isReady(unsigned number) {
    const Node &node = schedule.nodes[number];
    if (links[number].isDone || links[number].missing != 0)
      return false;
    if (node.variables.empty())
      return true;
    return isCommitted && llvm::all_of(node.variables, [&](unsigned variable) {
             return waiting[variable].readers == 0;
           });
  }

  void pushIfReady(unsigned number) {
    if (isReady(number))
      ready.push({links[number].rank, number});
  }

  /// The first of what waits for the commit or for a reader only.
  unsigned findStuck() {
    unsigned stuck = links.size();
    for (unsigned number = 0; number < links.size(); ++number)
      if (!links[number].isDone && links[number].missing == 0 &&
          (stuck == links.size() || links[number].rank < links[stuck].rank))
        stuck = number;
    return stuck;
  }

  void emit() {
    unsigned firstWriter = links.size();
    for (unsigned number = links.size(); number-- > 0;)
      if (!schedule.nodes[number].variables.empty())
        firstWriter = number;
    bool needsCommit = firstWriter != links.size();
    for (unsigned number = 0; number < links.size(); ++number)
      pushIfReady(number);

    size_t doneCount = 0;
    while (doneCount < links.size()) {
      bool mayCommit = needsCommit && !isCommitted && mayFailCount == 0;
      if (mayCommit &&
          (ready.empty() || ready.top().first >= links[firstWriter].rank)) {
        commit();
        continue;
      }
      if (ready.empty()) {
        unsigned stuck = findStuck();
        SmallVector<unsigned, 1> variables(schedule.nodes[stuck].variables);
        for (unsigned variable : variables)
          if (waiting[variable].readers != 0)
            writeByCopy(stuck, variable);
        pushIfReady(stuck);
        continue;
      }
      unsigned number = ready.top().second;
      ready.pop();
      if (links[number].isDone)
        continue;
      finish(number);
      ++doneCount;
    }
    schedule.nodes.clear();
  }

  void commit() {
    isCommitted = true;
    for (unsigned number = 0; number < links.size(); ++number)
      if (!schedule.nodes[number].variables.empty())
        pushIfReady(number);
  }

  void finish(unsigned number) {
    Node &node = schedule.nodes[number];
    links[number].isDone = true;
    mayFailCount -= node.mayFail;
    if (!node.variables.empty() && !std::exchange(hasCommitStep, true))
      schedule.steps.push_back(
          {plan::EntryKind::Commit, schedule.function, {}, {}});
    for (Step &step : node.steps)
      schedule.steps.push_back(std::move(step));
    for (unsigned reader : links[number].readers)
      if (--links[reader].missing == 0)
        pushIfReady(reader);
    for (unsigned variable : links[number].oldReads)
      if (!llvm::is_contained(node.variables, variable) &&
          --waiting[variable].readers == 0 && waiting[variable].writer >= 0)
        pushIfReady(waiting[variable].writer);
  }

  /// What the new value of a variable waits for.
  struct Waiting {
    unsigned readers = 0; // of the old value, other than the writer
    int writer = -1;
  };

  Schedule &schedule;
  std::vector<Link> links;
  std::optional<unsigned> lastOrdered;
  llvm::DenseMap<unsigned, Waiting> waiting; // by variable
  unsigned mayFailCount = 0;
  bool isCommitted = false;   // nothing is left that may fail
  bool hasCommitStep = false; // added before the first that writes state
  std::priority_queue<std::pair<int64_t, unsigned>,
                      std::vector<std::pair<int64_t, unsigned>>, std::greater<>>
      ready;
};

} // namespace

void orderSteps(Schedule &schedule) { Orderer(schedule).run(); }

} // namespace graphc::planning
