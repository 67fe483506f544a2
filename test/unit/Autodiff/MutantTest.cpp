// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the comparison with central differences would notice a wrong rule:
// every rule is spoilt in every way below, and each mutant must be caught.
//  - a gradient is scaled by 1.01;
//  - a term is dropped: one side of an add or a sub that the rule built.
#include "Check.h"
#include "dialects/Graph/IR/GraphBuilders.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace graphc;

namespace {

/// Spoils @vjp in one way and gives a function that mends it.
using Mutation = std::function<std::function<void()>()>;

void addMutations(Module &module, ArrayRef<Operation *> built,
                  std::vector<Mutation> &mutations) {
  Operation *terminator =
      module.function("vjp").getBody().front().getTerminator();
  for (unsigned k = 0; k < terminator->getNumOperands(); ++k) {
    // A gradient of zero stays zero when scaled: nothing to see.
    Operation *maker = terminator->getOperand(k).getDefiningOp();
    if (maker && isa<graph::ConstantOp>(maker))
      continue;
    mutations.push_back([terminator, k] {
      Value gradient = terminator->getOperand(k);
      OpBuilder builder(terminator);
      Location loc = terminator->getLoc();
      Value factor = graph::splatLike(builder, loc, gradient, 1.01);
      Value scaled = builder.create<graph::MulOp>(loc, gradient, factor);
      terminator->setOperand(k, scaled);
      return [=] {
        terminator->setOperand(k, gradient);
        scaled.getDefiningOp()->erase();
        factor.getDefiningOp()->erase();
      };
    });
  }
  for (Operation *op : built) {
    if (!isa<graph::AddOp, graph::SubOp>(op))
      continue;
    for (unsigned side : {0, 1})
      mutations.push_back([op, side] {
        OpBuilder builder(op);
        Value dropped = op->getOperand(1 - side);
        Value zero = graph::splatLike(builder, op->getLoc(), dropped, 0.0);
        op->setOperand(1 - side, zero);
        return [=] {
          op->setOperand(1 - side, dropped);
          zero.getDefiningOp()->erase();
        };
      });
  }
}

TEST(Mutants, AreAllCaught) {
  int64_t count = 0, caught = 0;
  for (const Case &c : opCases()) {
    Module module(functionText(c));
    llvm::SmallVector<Operation *> built = addVjp(module);
    std::mt19937_64 random(1);
    func::FuncOp f = module.function("f");
    Tensors inputs = randomInputs(f, c.domain, random);
    Tensor cotangent =
        randomCotangent(cast<RankedTensorType>(f.getResultTypes()[0]), random);
    if (cotangent.size() == 0)
      continue;
    Tensors want = centralDifferences(module, "f", inputs, &cotangent);
    inputs.push_back(cotangent);
    std::vector<Mutation> mutations;
    addMutations(module, built, mutations);
    for (auto [k, mutation] : llvm::enumerate(mutations)) {
      std::function<void()> mend = mutation();
      std::string why;
      bool passes = agree(module.run("vjp", inputs), want, why);
      ++count;
      caught += !passes;
      if (passes) {
        std::string text;
        llvm::raw_string_ostream(text) << *module.function("vjp");
        ADD_FAILURE() << "mutant " << k << " of " << c.name
                      << " is not noticed:\n"
                      << text;
      }
      mend();
    }
    // Mended, it is right again: mutants do not mask one another.
    std::string why;
    EXPECT_TRUE(agree(module.run("vjp", inputs), want, why)) << c.name << why;
  }
  std::printf("mutants %lld, caught %lld\n", static_cast<long long>(count),
              static_cast<long long>(caught));
  EXPECT_EQ(count, caught);
  EXPECT_GE(count, 180);
}

} // namespace
