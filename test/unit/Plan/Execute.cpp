// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Plan/Execute.h"

#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
using namespace graphc;
using plan::EntryKind;
using plan::Space;

namespace {

struct Span {
  uint32_t *data;
  size_t size;
};

uint32_t mix(uint32_t a, uint32_t b) {
  uint64_t product = (uint64_t(a) ^ 0x9e3779b9u) * 0xff51afd7ed558ccdull + b;
  return uint32_t(product ^ (product >> 32));
}

/// Element i of each output depends on element i of each input that it may be
/// in place of and on all elements of the others; it is written before element
/// i + 1 of anything is read.
void runKernel(StringRef name, ArrayRef<int64_t> args,
               ArrayRef<plan::InPlacePair> pairs, ArrayRef<Span> inputs,
               ArrayRef<Span> outputs, std::optional<Span> workspace) {
  auto spoil = [&](uint32_t value) {
    for (size_t i = 0; workspace && i < workspace->size; ++i)
      workspace->data[i] = value;
  };
  spoil(0xdead0001);
  size_t count = 0;
  for (Span output : outputs)
    count = std::max(count, output.size);
  for (size_t i = 0; i < count; ++i) {
    SmallVector<uint32_t> values;
    for (size_t o = 0; o < outputs.size(); ++o) {
      uint32_t value =
          mix(uint32_t(llvm::hash_value(name)), uint32_t(o * 100 + i));
      for (int64_t arg : args)
        value = mix(value, uint32_t(arg));
      for (size_t k = 0; k < inputs.size(); ++k) {
        bool isPair = llvm::any_of(pairs, [&](plan::InPlacePair pair) {
          return pair.input == int64_t(k);
        });
        if (isPair && i < inputs[k].size)
          value = mix(value, inputs[k].data[i]);
        for (size_t j = 0; !isPair && j < inputs[k].size; ++j)
          value = mix(value, inputs[k].data[j]);
      }
      values.push_back(value);
    }
    for (size_t o = 0; o < outputs.size(); ++o)
      if (i < outputs[o].size)
        outputs[o].data[i] = values[o];
  }
  spoil(0xdead0002);
}

Words wordsOf(ElementsAttr value) {
  std::string bytes = plan::getElementBytes(value)->expand();
  Words words(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char *>(words.data()));
  return words;
}

size_t sizeOf(Type type) {
  return plan::getByteSize(cast<ShapedType>(type)) / 4;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

class ValueRunner {
public:
  explicit ValueRunner(CallData &data) : data(data) {}

  void run(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      values[argument] = data.inputs[argument.getArgNumber()];
    std::map<std::string, Words> news;
    for (Operation &op : function.front()) {
      if (auto set = dyn_cast<graph::SetOp>(op))
        news[set.getVariable().str()] = values[set.getValue()];
      else if (auto end = dyn_cast<func::ReturnOp>(op))
        for (Value value : end.getOperands())
          data.outputs.push_back(values[value]);
      else
        visit(&op);
    }
    for (auto &[name, words] : news)
      data.variables[name] = words;
  }

private:
  void visit(Operation *op) {
    if (auto get = dyn_cast<graph::GetOp>(op)) {
      values[get.getResult()] = data.variables[get.getVariable().str()];
    } else if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      values[constant.getResult()] = wordsOf(constant.getValue());
    } else if (auto launch = dyn_cast<plan::LaunchOp>(op)) {
      std::vector<Words> inputWords, outputWords;
      for (Value input : launch.getInputs())
        inputWords.push_back(values[input]);
      for (Value output : launch.getOutputs())
        outputWords.emplace_back(sizeOf(output.getType()));
      SmallVector<Span> inputs, outputs;
      for (Words &words : inputWords)
        inputs.push_back({words.data(), words.size()});
      for (Words &words : outputWords)
        outputs.push_back({words.data(), words.size()});
      runKernel(launch.getKernel(), launch.getArgs(), launch.getInPlacePairs(),
                inputs, outputs, std::nullopt);
      for (auto [value, words] :
           llvm::zip_equal(launch.getOutputs(), outputWords))
        values[value] = words;
    } else {
      auto loop = cast<graph::ForOp>(op);
      Block &body = loop.getBody().front();
      std::vector<Words> carried;
      for (Value init : loop.getInits())
        carried.push_back(values[init]);
      for (uint32_t i = 0; i < loop.getCount(); ++i) {
        values[body.getArgument(0)] = {i, 0};
        for (auto [argument, words] :
             llvm::zip_equal(body.getArguments().drop_front(), carried))
          values[argument] = words;
        for (Operation &inner : body.without_terminator())
          visit(&inner);
        for (auto [value, words] :
             llvm::zip_equal(body.getTerminator()->getOperands(), carried))
          words = values[value];
      }
      for (auto [result, words] : llvm::zip_equal(loop.getResults(), carried))
        values[result] = words;
    }
  }

  CallData &data;
  std::map<void *, Words> byPointer;
  struct Values {
    llvm::DenseMap<Value, Words> map;
    Words &operator[](Value value) { return map[value]; }
  } values;
};

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

class TableRunner {
public:
  TableRunner(plan::ProgramOp program, CallData &data)
      : program(program), data(data),
        entries(llvm::to_vector(program.getEntries())) {}

  bool run() {
    arena.assign(program.getArenaBytes() / 4 + 16, 0xbadbad);
    auto module = program->getParentOfType<ModuleOp>();
    for (auto variable : module.getOps<graph::VariableOp>())
      place(state, offsetOf(variable),
            data.variables[variable.getSymName().str()]);
    for (auto constant : module.getOps<plan::ConstantOp>())
      place(constants, constant.getOffset() / 4, wordsOf(constant.getValue()));
    for (auto value : program.getOutputs().getAsRange<plan::ValueAttr>())
      data.outputs.emplace_back(sizeOf(value.getType()), 0xbad0bad0);

    SmallVector<std::pair<size_t, uint64_t>> loops; // begin, iteration
    for (size_t at = 0; at < entries.size(); ++at) {
      plan::EntryOp entry = entries[at];
      if (entry.getKind() == EntryKind::LoopBegin) {
        if (*entry.getCount() == 0) {
          at = endOf(at);
          continue;
        }
        loops.push_back({at, 0});
        writeSlot(entry, 0);
      } else if (entry.getKind() == EntryKind::LoopEnd) {
        auto &[begin, iteration] = loops.back();
        if (++iteration < *entries[begin].getCount()) {
          at = begin;
          writeSlot(entries[begin], iteration);
        } else {
          loops.pop_back();
        }
      } else if (!step(entry)) {
        return false;
      }
    }
    for (auto variable : module.getOps<graph::VariableOp>()) {
      Words &words = data.variables[variable.getSymName().str()];
      std::copy_n(state.begin() + offsetOf(variable), words.size(),
                  words.begin());
    }
    return true;
  }

private:
  static size_t offsetOf(graph::VariableOp variable) {
    return variable->getAttrOfType<IntegerAttr>("plan.offset").getInt() / 4;
  }

  static void place(Words &memory, size_t offset, const Words &words) {
    if (memory.size() < offset + words.size())
      memory.resize(offset + words.size(), 0xbadbad);
    std::copy(words.begin(), words.end(), memory.begin() + offset);
  }

  size_t endOf(size_t begin) {
    unsigned depth = 0;
    for (size_t at = begin;; ++at) {
      depth += entries[at].getKind() == EntryKind::LoopBegin;
      depth -= entries[at].getKind() == EntryKind::LoopEnd;
      if (depth == 0)
        return at;
    }
  }

  std::optional<Span> span(plan::RefAttr ref) {
    Words *memory = nullptr;
    switch (ref.getSpace()) {
    case Space::Arena:
      memory = &arena;
      break;
    case Space::State:
      memory = &state;
      break;
    case Space::Constant:
      memory = &constants;
      break;
    case Space::Input:
      memory = &data.inputs[ref.getIndex()];
      break;
    case Space::Output:
      memory = &data.outputs[ref.getIndex()];
      break;
    }
    if (ref.getBytes() != 0 && ref.getEnd() / 4 > int64_t(memory->size()))
      return std::nullopt;
    return Span{memory->data() + ref.getOffset() / 4,
                size_t(ref.getBytes()) / 4};
  }

  void writeSlot(plan::EntryOp entry, uint32_t iteration) {
    for (plan::RefAttr slot : entry.getWrittenRefs()) {
      span(slot)->data[0] = iteration;
      span(slot)->data[1] = 0;
    }
  }

  bool step(plan::EntryOp entry) {
    SmallVector<Span> reads, writes;
    for (plan::RefAttr ref : entry.getReadRefs())
      if (auto part = span(ref))
        reads.push_back(*part);
      else
        return false;
    for (plan::RefAttr ref : entry.getWrittenRefs())
      if (auto part = span(ref))
        writes.push_back(*part);
      else
        return false;
    if (entry.getKind() == EntryKind::Copy)
      std::copy_n(reads[0].data, reads[0].size, writes[0].data);
    if (entry.getKind() == EntryKind::Memset)
      std::fill_n(writes[0].data, writes[0].size,
                  uint32_t(entry.getArgs()[0]) * 0x01010101u);
    if (entry.getKind() == EntryKind::Launch) {
      std::optional<Span> workspace;
      if (entry.getHasWorkspace())
        workspace = writes[0];
      runKernel(*entry.getKernel(), entry.getArgs(), entry.getInPlacePairs(),
                reads, ArrayRef(writes).drop_front(entry.getHasWorkspace()),
                workspace);
    }
    return true;
  }

  plan::ProgramOp program;
  CallData &data;
  SmallVector<plan::EntryOp> entries;
  Words arena, state, constants;
};

} // namespace

void runValues(func::FuncOp function, CallData &data) {
  ValueRunner(data).run(function);
}

bool runTable(plan::ProgramOp program, CallData &data) {
  return TableRunner(program, data).run();
}
