// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/PeakModel.h"

#include "dialects/Graph/IR/Graph.h"

#include <map>

using namespace mlir;

namespace graphc::plan {
namespace {

/// Buffers of the arena that hold a value which is still to be read.
class LiveBuffers {
public:
  void insert(RefAttr ref) {
    if (ref.getSpace() == Space::Arena && ref.getBytes() != 0 &&
        ends.try_emplace(ref.getOffset(), ref.getEnd()).second)
      bytes += llvm::alignTo(ref.getBytes(), alignment);
  }
  void erase(RefAttr ref) {
    if (ref.getSpace() == Space::Arena && ref.getBytes() != 0 &&
        ends.erase(ref.getOffset()))
      bytes -= llvm::alignTo(ref.getBytes(), alignment);
  }
  int64_t bytes = 0;

private:
  std::map<int64_t, int64_t> ends;
};

class Walk {
public:
  explicit Walk(ProgramOp program)
      : entries(llvm::to_vector(program.getEntries())) {}

  Peak run() {
    SmallVector<size_t> open;
    for (size_t at = 0; at < entries.size(); ++at) {
      if (entries[at].getKind() == EntryKind::LoopBegin)
        open.push_back(at);
      if (entries[at].getKind() == EntryKind::LoopEnd)
        begins[at] = open.pop_back_val();
    }
    for (size_t at = entries.size(); at-- > 0;)
      visit(at);
    return peak;
  }

private:
  void visit(size_t at) {
    EntryOp entry = entries[at];
    if (entry.getKind() == EntryKind::LoopEnd) {
      keepThroughLoop(begins.lookup(at), at);
      return;
    }
    for (RefAttr ref : entry.getWrittenRefs())
      live.insert(ref);
    for (RefAttr ref : entry.getReadRefs())
      live.insert(ref);
    if (live.bytes >= peak.liveBytes && live.bytes != 0)
      peak = {live.bytes, entry};
    for (RefAttr ref : entry.getWrittenRefs())
      live.erase(ref);
    // An in-place launch and a loop's carried values: needed before it as well.
    for (RefAttr ref : entry.getReadRefs())
      live.insert(ref);
    for (RefAttr ref : entry.getCarriedRefs())
      live.insert(ref);
  }

  /// What the next iteration reads lives at the end of this one.
  void keepThroughLoop(size_t begin, size_t end) {
    llvm::DenseSet<Attribute> written;
    for (size_t at = begin + 1; at < end; ++at)
      for (RefAttr ref : entries[at].getWrittenRefs())
        written.insert(ref);
    for (size_t at = begin + 1; at < end; ++at)
      for (RefAttr ref : entries[at].getReadRefs())
        if (!written.contains(ref))
          live.insert(ref);
    for (RefAttr ref : entries[begin].getWrittenRefs())
      live.insert(ref);
    for (RefAttr ref : entries[begin].getCarriedRefs())
      live.insert(ref);
  }

  SmallVector<EntryOp> entries;
  llvm::DenseMap<size_t, size_t> begins; // of the loop that ends there
  LiveBuffers live;
  Peak peak;
};

} // namespace

Peak findPeak(ProgramOp program) { return Walk(program).run(); }

/// As runtime/core/Memory.cpp has it: large blocks are whole pages.
static int64_t blockBytes(int64_t bytes) {
  constexpr int64_t large = 4 << 20, page = 4096;
  return llvm::alignTo(bytes, bytes < large ? alignment : page);
}

int64_t plannedBytes(ModuleOp module) {
  int64_t state = 0, arena = 0, outputs = 0;
  for (auto variable : module.getOps<graph::VariableOp>())
    state += llvm::alignTo(getByteSize(variable.getStoredType()), alignment);
  for (auto program : module.getOps<ProgramOp>()) {
    arena = std::max<int64_t>(arena, program.getArenaBytes());
    int64_t bytes = 0;
    for (auto value : program.getOutputs().getAsRange<ValueAttr>())
      bytes += blockBytes(getByteSize(value.getType()));
    outputs = std::max(outputs, bytes);
  }
  return blockBytes(state) + blockBytes(arena) + outputs;
}

} // namespace graphc::plan
