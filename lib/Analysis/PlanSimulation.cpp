// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/PlanSimulation.h"

using namespace mlir;

namespace graphc::plan {
namespace {

class Simulation {
public:
  Simulation(ProgramOp program, Terms &terms, const PlanValues *values)
      : program(program), terms(terms), values(values),
        entries(llvm::to_vector(program.getEntries())) {}

  LogicalResult run(const Placement &placement) {
    for (auto &variable : placement.variables)
      memory.write(variable.ref, terms.getVariable(variable.name));
    for (auto &[ref, value] : placement.constants)
      memory.write(ref, terms.getConstant(value));
    for (auto [number, value] :
         llvm::enumerate(program.getInputs().getAsRange<ValueAttr>()))
      memory.write(wholeOf(Space::Input, number, value),
                   terms.getInput(number));
    pairLoops();
    for (size_t at = 0; at < entries.size(); ++at)
      if (failed(visit(at)))
        return failure();
    return values ? checkEnd(placement) : success();
  }

private:
  struct OpenLoop {
    size_t begin;
    SmallVector<Term> inits;
  };

  static RefAttr wholeOf(Space space, unsigned number, ValueAttr value) {
    return RefAttr::get(value.getContext(), value.getType().getElementType(),
                        space, number, 0, getByteSize(value.getType()), 0);
  }

  void pairLoops() {
    ends.resize(entries.size());
    SmallVector<size_t> open;
    for (size_t at = 0; at < entries.size(); ++at) {
      if (entries[at].getKind() == EntryKind::LoopBegin)
        open.push_back(at);
      if (entries[at].getKind() == EntryKind::LoopEnd)
        ends[open.pop_back_val()] = at;
    }
  }

  LogicalResult visit(size_t at) {
    EntryOp entry = entries[at];
    for (ArrayAttr refs :
         {entry.getReads(), entry.getWrites(), entry.getCarried()})
      for (auto ref : refs.getAsRange<RefAttr>())
        if (ref.getIterationStride() != 0)
          return entry.emitOpError("cannot be proven with the stride of ")
                 << ref;
    switch (entry.getKind()) {
    case EntryKind::Launch:
      return visitLaunch(entry);
    case EntryKind::Copy: {
      FailureOr<Term> term = read(entry, cast<RefAttr>(entry.getReads()[0]));
      if (failed(term))
        return failure();
      memory.write(cast<RefAttr>(entry.getWrites()[0]), *term);
      return success();
    }
    case EntryKind::Memset: {
      auto ref = cast<RefAttr>(entry.getWrites()[0]);
      memory.write(ref, terms.getFill(entry.getArgs()[0], ref.getBytes()));
      return success();
    }
    case EntryKind::LoopBegin:
      return visitLoopBegin(at);
    case EntryKind::LoopEnd:
      return visitLoopEnd();
    case EntryKind::Commit:
      return success();
    }
    llvm_unreachable("unknown kind");
  }

  FailureOr<Term> read(EntryOp entry, RefAttr ref) {
    std::optional<Term> term = memory.read(ref, terms);
    if (!term) {
      entry.emitOpError("expects a whole value to read, but got ")
          << ref
          << ", which is overwritten in part, out of date or never written";
      return failure();
    }
    if (values && ref.getBytes() != 0) {
      auto types = values->elementTypes.find(*term);
      if (types != values->elementTypes.end() &&
          !llvm::is_contained(types->second, ref.getElementType())) {
        entry.emitOpError("expects elements of ")
            << types->second.front() << ", but got " << ref;
        return failure();
      }
    }
    return *term;
  }

  LogicalResult visitLaunch(EntryOp entry) {
    if (failed(checkSharing(entry)))
      return failure();
    SmallVector<Term> inputs;
    for (RefAttr ref : entry.getReadRefs()) {
      FailureOr<Term> term = read(entry, ref);
      if (failed(term))
        return failure();
      inputs.push_back(*term);
    }
    Term launch = terms.getLaunch(entry.getKernelAttr(), entry.getArgs(),
                                  entry.getInplaceAttr(), entry.getMayFail(),
                                  entry.getParallel(), inputs);
    if (values && !values->launches.count(launch))
      return reportUnknown(entry, inputs);
    if (entry.getMayFail())
      mayFail.push_back(launch);
    for (RefAttr ref : entry.getWrittenRefs())
      memory.erase(ref);
    for (auto [number, ref] : llvm::enumerate(entry.getOutputRefs()))
      memory.write(ref, terms.getResult(launch, number));
    return success();
  }

  /// Which buffers of one launch may be the same.
  LogicalResult checkSharing(EntryOp entry) {
    SmallVector<InPlacePair> pairs = entry.getInPlacePairs();
    auto writes = llvm::to_vector(entry.getWrittenRefs());
    for (auto [number, written] : llvm::enumerate(writes)) {
      if (written.getBytes() == 0)
        continue;
      for (RefAttr other : ArrayRef<RefAttr>(writes).drop_front(number + 1))
        if (written.overlaps(other))
          return entry.emitOpError("expects each buffer to be written once, "
                                   "but got ")
                 << written << " and " << other;
      int64_t output = int64_t(number) - entry.getHasWorkspace();
      for (auto [input, ref] : llvm::enumerate(entry.getReadRefs())) {
        if (!written.overlaps(ref))
          continue;
        bool isPair =
            llvm::any_of(pairs, [&, input = int64_t(input)](auto pair) {
              return pair.output == output && pair.input == input;
            });
        if (!isPair || written.getOffset() != ref.getOffset() ||
            written.getBytes() != ref.getBytes())
          return entry.emitOpError("expects no output over an input that it is "
                                   "not in place of, but got ")
                 << written << " and " << ref;
      }
    }
    return success();
  }

  LogicalResult reportUnknown(EntryOp entry, ArrayRef<Term> inputs) {
    InFlightDiagnostic diag = entry.emitOpError("expects a launch of ")
                              << program.getOfAttr()
                              << ", but none reads these values";
    // The candidate that agrees longest says which operand is wrong.
    LaunchOp best;
    size_t bestLength = 0;
    for (auto &[term, launch] : sortedLaunches()) {
      (void)term;
      if (launch.getKernelAttr() != entry.getKernelAttr() ||
          launch.getArgs() != entry.getArgs() ||
          launch.getInplaceAttr() != entry.getInplaceAttr())
        continue;
      size_t length = 0;
      while (length < inputs.size() &&
             values->valueTerms.lookup(launch.getInputs()[length]) ==
                 inputs[length])
        ++length;
      if (!best || length > bestLength) {
        best = launch;
        bestLength = length;
      }
    }
    if (best && bestLength < inputs.size())
      diag.attachNote(best.getLoc())
          << "operand " << bestLength << " differs from this launch's";
    return diag;
  }

  std::vector<std::pair<Term, LaunchOp>> sortedLaunches() {
    std::vector<std::pair<Term, LaunchOp>> list(values->launches.begin(),
                                                values->launches.end());
    llvm::sort(list, llvm::less_first());
    return list;
  }

  /// Forgets what an iteration writes: another one has left it there.
  void eraseWritten(size_t begin) {
    for (size_t at = begin; at < ends[begin]; ++at)
      for (RefAttr ref : entries[at].getWrittenRefs())
        memory.erase(ref);
  }

  /// Of ranges in the order of their first bytes, one that overlaps any before
  /// it overlaps one's neighbour.
  LogicalResult checkApart(EntryOp entry, SmallVector<RefAttr> refs) {
    llvm::erase_if(refs, [](RefAttr ref) { return ref.getBytes() == 0; });
    llvm::sort(refs, [](RefAttr a, RefAttr b) {
      return std::make_tuple(a.getSpace(), a.getIndex(), a.getOffset()) <
             std::make_tuple(b.getSpace(), b.getIndex(), b.getOffset());
    });
    for (size_t k = 1; k < refs.size(); ++k)
      if (refs[k - 1].overlaps(refs[k]))
        return entry.emitOpError("expects carried values apart, but got ")
               << refs[k - 1] << " and " << refs[k];
    return success();
  }

  LogicalResult visitLoopBegin(size_t at) {
    EntryOp entry = entries[at];
    OpenLoop loop{at, {}};
    auto carried = llvm::to_vector(entry.getCarriedRefs());
    if (failed(checkApart(entry, carried)))
      return failure();
    for (RefAttr ref : carried) {
      FailureOr<Term> init = read(entry, ref);
      if (failed(init))
        return failure();
      loop.inits.push_back(*init);
    }
    eraseWritten(at);
    unsigned depth = loops.size();
    for (auto [number, ref] : llvm::enumerate(carried))
      memory.write(ref, terms.getCarried(depth, number));
    for (RefAttr slot : entry.getWrittenRefs())
      memory.write(slot, terms.getIteration(depth));
    loops.push_back(std::move(loop));
    return success();
  }

  LogicalResult visitLoopEnd() {
    OpenLoop loop = loops.pop_back_val();
    EntryOp entry = entries[loop.begin];
    SmallVector<Term> nexts;
    for (RefAttr ref : entry.getCarriedRefs()) {
      FailureOr<Term> next = read(entries[ends[loop.begin]], ref);
      if (failed(next))
        return failure();
      nexts.push_back(*next);
    }
    eraseWritten(loop.begin);
    Term whole = terms.getLoop(*entry.getCount(), loop.inits, nexts);
    for (auto [number, ref] : llvm::enumerate(entry.getCarriedRefs()))
      memory.write(ref, terms.getResult(whole, number));
    return success();
  }

  LogicalResult checkEnd(const Placement &placement) {
    llvm::sort(mayFail);
    if (mayFail != values->mayFail)
      return program.emitOpError("expects each launch of ")
             << program.getOfAttr() << " that may fail";
    for (auto [number, value] :
         llvm::enumerate(program.getOutputs().getAsRange<ValueAttr>())) {
      RefAttr ref = wholeOf(Space::Output, number, value);
      if (memory.read(ref, terms) != std::optional(values->outputs[number]))
        return program.emitOpError("expects output ")
               << number << " to end with the value that "
               << program.getOfAttr() << " returns";
    }
    for (auto &[name, ref] : placement.variables) {
      auto changed = values->newVariables.find(name);
      Term want = changed == values->newVariables.end()
                      ? terms.getVariable(name)
                      : changed->second;
      if (ref.getBytes() != 0 && memory.read(ref, terms) != std::optional(want))
        return program.emitOpError("expects variable @")
               << name.getValue() << " to end with the value that "
               << program.getOfAttr() << " gives it";
    }
    return success();
  }

  ProgramOp program;
  Terms &terms;
  const PlanValues *values;
  SmallVector<EntryOp> entries;
  std::vector<size_t> ends; // of the loop that begins there
  PlanMemory memory;
  SmallVector<OpenLoop> loops;
  std::vector<Term> mayFail;
};

} // namespace

LogicalResult simulate(ProgramOp program, const Placement &placement,
                       Terms &terms, const PlanValues *values) {
  return Simulation(program, terms, values).run(placement);
}

} // namespace graphc::plan
