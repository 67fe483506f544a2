// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random functions: planned tables compute what the functions say, and the
// proof of a plan refuses every table that does not.
#include "passes/Plan/Plan.h"
#include "lib/Analysis/PlanCheck.h"
#include "test/unit/Plan/Execute.h"
#include "test/unit/Plan/RandomFunction.h"

#include "dialects/Graph/IR/Graph.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace graphc;

namespace {

class PlanTest : public ::testing::Test {
protected:
  PlanTest() {
    context.disableMultithreading();
    context.loadDialect<func::FuncDialect, graph::GraphDialect,
                        plan::PlanDialect>();
  }

  OwningOpRef<ModuleOp> plan(std::mt19937 &random) {
    OwningOpRef<ModuleOp> module = makeRandomModule(&context, random);
    EXPECT_TRUE(succeeded(verify(*module)));
    PassManager passes(&context);
    passes.addPass(createPlan({/*keepValueForm=*/true}));
    EXPECT_TRUE(succeeded(passes.run(*module)));
    return module;
  }

  static plan::ProgramOp programOf(ModuleOp module) {
    return *module.getOps<plan::ProgramOp>().begin();
  }

  static CallData makeCall(ModuleOp module) {
    CallData data;
    uint32_t next = 1;
    auto fill = [&](RankedTensorType type) {
      Words words(plan::getByteSize(type) / 4);
      for (uint32_t &word : words)
        word = next++ * 0x01234567u;
      return words;
    };
    for (auto value :
         programOf(module).getInputs().getAsRange<plan::ValueAttr>())
      data.inputs.push_back(fill(value.getType()));
    for (auto variable : module.getOps<graph::VariableOp>())
      data.variables[variable.getSymName().str()] =
          fill(variable.getTensorType());
    return data;
  }

  static CallData expected(ModuleOp module) {
    CallData data = makeCall(module);
    runValues(*module.getOps<func::FuncOp>().begin(), data);
    return data;
  }

  static bool isRight(ModuleOp module, const CallData &want) {
    CallData got = makeCall(module);
    return runTable(programOf(module), got) && got.outputs == want.outputs &&
           got.variables == want.variables;
  }

  static std::string textOf(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  MLIRContext context;
};

TEST_F(PlanTest, TablesComputeWhatFunctionsSay) {
  unsigned inPlace = 0, loops = 0, commits = 0, copies = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    std::mt19937 random(seed);
    OwningOpRef<ModuleOp> module = plan(random);
    ASSERT_TRUE(isRight(*module, expected(*module))) << "seed " << seed << "\n"
                                                     << textOf(*module);
    for (plan::EntryOp entry : programOf(*module).getEntries()) {
      loops += entry.getKind() == plan::EntryKind::LoopBegin;
      commits += entry.getKind() == plan::EntryKind::Commit;
      copies += entry.getKind() == plan::EntryKind::Copy;
      if (entry.getKind() == plan::EntryKind::Launch)
        for (plan::RefAttr read : entry.getReadRefs())
          inPlace += llvm::is_contained(entry.getWrites(), Attribute(read)) &&
                     read.getBytes() != 0;
    }
  }
  // The cases that matter do occur.
  EXPECT_GT(inPlace, 300u);
  EXPECT_GT(loops, 300u);
  EXPECT_GT(commits, 300u);
  EXPECT_GT(copies, 300u);
}

/// Changes one thing about a table.
void mutate(plan::ProgramOp program, std::mt19937 &random) {
  auto entries = llvm::to_vector(program.getEntries());
  auto pick = [&](size_t count) { return random() % count; };
  plan::EntryOp entry = entries[pick(entries.size())];
  switch (pick(4)) {
  case 0: // Two entries change places.
    entry->moveBefore(entries[pick(entries.size())]);
    return;
  case 1: { // A buffer elsewhere.
    bool isRead = pick(2);
    SmallVector<Attribute> refs(
        (isRead ? entry.getReads() : entry.getWrites()).getValue());
    if (refs.empty())
      return;
    Attribute &ref = refs[pick(refs.size())];
    auto old = cast<plan::RefAttr>(ref);
    SmallVector<plan::RefAttr> others;
    for (plan::EntryOp other : entries)
      for (ArrayAttr list : {other.getReads(), other.getWrites()})
        for (auto candidate : list.getAsRange<plan::RefAttr>())
          if (candidate.getBytes() == old.getBytes())
            others.push_back(candidate);
    ref = others[pick(others.size())];
    auto list = ArrayAttr::get(program.getContext(), refs);
    if (isRead)
      entry.setReadsAttr(list);
    else
      entry.setWritesAttr(list);
    return;
  }
  case 3: { // One buffer becomes another, from some entry on.
    SmallVector<plan::RefAttr> all;
    for (plan::EntryOp other : entries)
      for (ArrayAttr list : {other.getReads(), other.getWrites()})
        llvm::append_range(all, list.getAsRange<plan::RefAttr>());
    if (all.empty())
      return;
    plan::RefAttr from = all[pick(all.size())], to = all[pick(all.size())];
    if (from.getBytes() != to.getBytes())
      return;
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](plan::RefAttr ref) {
      return std::make_pair(ref == from ? to : ref, WalkResult::skip());
    });
    for (plan::EntryOp other : entries)
      if (other == entry || entry->isBeforeInBlock(other))
        replacer.replaceElementsIn(other, /*replaceAttrs=*/true);
    return;
  }
  case 2: // An entry less.
    if (entry.getKind() != plan::EntryKind::LoopBegin &&
        entry.getKind() != plan::EntryKind::LoopEnd)
      entry.erase();
    return;
  }
}

TEST_F(PlanTest, ProofRefusesEveryWrongTable) {
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  unsigned wrong = 0, accepted = 0;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    std::mt19937 random(seed % 600);
    OwningOpRef<ModuleOp> module = plan(random);
    plan::ProgramOp program = programOf(*module);
    if (program.getEntries().empty())
      continue;
    random.seed(seed);
    CallData want = expected(*module);
    mutate(program, random);
    if (failed(verify(*module)))
      continue;
    bool isProven = succeeded(plan::checkPlans(*module));
    bool isGood = isRight(*module, want);
    wrong += !isGood;
    accepted += isProven;
    ASSERT_TRUE(isGood || !isProven) << "seed " << seed << "\n"
                                     << textOf(*module);
  }
  EXPECT_GT(wrong, 1000u);
  EXPECT_GT(accepted, 100u);
}

} // namespace
