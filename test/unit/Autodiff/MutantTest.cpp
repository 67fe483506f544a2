// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the other tests would notice a wrong rule: every rule is spoilt in
// every way below, and each mutant must be caught.
//
// By central differences, in every case of the op:
//  - a gradient is scaled by 1.01 (0.01 is added where there is no cotangent);
//  - a term is dropped: one side of an add or a sub of floats that the rule
//    built.
// In some case of the op, by central differences, by a zero cotangent or by the
// gradients of Exacts.h:
//  - a term is dropped of an add or a sub of integers, which counts places;
//  - a factor is dropped: one side of a mul, a mul_no_nan or a div;
//  - a mul_no_nan becomes a mul;
//  - one arm of a select, one side of an and, a maximum or a minimum is always
//    taken; a neg is left out;
//  - a comparison takes in its bound or leaves it out.
#include "Check.h"
#include "Exacts.h"
#include "dialects/Graph/IR/GraphBuilders.h"

#include <gtest/gtest.h>

#include <map>

using namespace mlir;
using namespace graphc;

namespace {

using Mend = std::function<void()>;

struct Mutation {
  /// The op, the place in its rule and the change: the same in each case whose
  /// rule builds as many ops of that kind.
  std::string key;
  bool showsEverywhere;
  /// Spoils @vjp and gives a function that mends it.
  std::function<Mend()> apply;
};

/// Gives `op` another operand, a constant.
Mend replaceOperand(Operation *op, unsigned side, double value) {
  OpBuilder builder(op);
  Value old = op->getOperand(side);
  Value constant = graph::splatLike(builder, op->getLoc(), old, value);
  op->setOperand(side, constant);
  return [=] {
    op->setOperand(side, old);
    constant.getDefiningOp()->erase();
  };
}

/// Puts `value` in the place of the result of `op`. `extra` made it, or null.
Mend replaceResult(Operation *op, Value value, Operation *extra = nullptr) {
  Value result = op->getResult(0);
  llvm::SmallVector<OpOperand *> uses;
  for (OpOperand &use : result.getUses())
    if (use.getOwner() != extra)
      uses.push_back(&use);
  for (OpOperand *use : uses)
    use->set(value);
  return [=] {
    for (OpOperand *use : uses)
      use->set(result);
    if (extra)
      extra->erase();
  };
}

std::optional<graph::ComparePredicate> otherAtBound(graph::CompareOp op) {
  switch (op.getPredicate()) {
  case graph::ComparePredicate::GE:
    return graph::ComparePredicate::GT;
  case graph::ComparePredicate::GT:
    return graph::ComparePredicate::GE;
  case graph::ComparePredicate::LE:
    return graph::ComparePredicate::LT;
  case graph::ComparePredicate::LT:
    return graph::ComparePredicate::LE;
  default:
    return std::nullopt;
  }
}

class Mutations {
public:
  Mutations(Module &module, ArrayRef<Operation *> built) : built(built) {
    Operation *terminator =
        module.function("vjp").getBody().front().getTerminator();
    for (OpOperand &gradient : terminator->getOpOperands())
      scale(gradient);
    std::map<StringRef, int> count, seen;
    for (Operation *op : built)
      ++count[op->getName().getStringRef()];
    for (Operation *op : built) {
      StringRef name = op->getName().getStringRef();
      place = name.str() + " " + std::to_string(++seen[name]) + " of " +
              std::to_string(count[name]);
      addOf(op);
    }
  }

  std::vector<Mutation> all;

private:
  void add(const std::string &change, bool showsEverywhere,
           std::function<Mend()> apply) {
    StringRef rule =
        built.empty() ? ""
                      : built.front()->getPrevNode()->getName().getStringRef();
    all.push_back(
        {rule.str() + ", " + place + ": " + change, showsEverywhere, apply});
  }

  void scale(OpOperand &gradient) {
    // Nothing to see in a gradient of zeros, or without elements.
    Operation *maker = gradient.get().getDefiningOp();
    if ((maker && isa<graph::ConstantOp>(maker)) ||
        graph::tensorTypeOf(gradient.get()).getNumElements() == 0)
      return;
    place = "gradient " + std::to_string(gradient.getOperandNumber());
    // Without a cotangent it is zeros, of which a multiple says nothing.
    Value cotangent = gradient.getOwner()->getBlock()->getArguments().back();
    bool isZero = graph::tensorTypeOf(cotangent).getNumElements() == 0;
    add(isZero ? "plus 0.01" : "scaled", true, [&gradient, isZero] {
      Value value = gradient.get();
      OpBuilder builder(gradient.getOwner());
      Location loc = gradient.getOwner()->getLoc();
      Value other = graph::splatLike(builder, loc, value, isZero ? 0.01 : 1.01);
      Operation *spoilt =
          isZero
              ? builder.create<graph::AddOp>(loc, value, other)
              : builder.create<graph::MulOp>(loc, value, other).getOperation();
      gradient.set(spoilt->getResult(0));
      return [=, &gradient] {
        gradient.set(value);
        spoilt->erase();
        other.getDefiningOp()->erase();
      };
    });
  }

  void addOf(Operation *op) {
    // A rule may leave what a later pass removes.
    if (op->use_empty() ||
        graph::tensorTypeOf(op->getResult(0)).getNumElements() == 0)
      return;
    for (unsigned side = 0; side < op->getNumOperands(); ++side) {
      std::string which = " side " + std::to_string(side);
      if (isa<graph::AddOp, graph::SubOp>(op))
        add("term dropped," + which,
            isa<FloatType>(graph::elementTypeOf(op->getResult(0))),
            [=] { return replaceOperand(op, side, 0.0); });
      if (isa<graph::MulOp, graph::MulNoNanOp, graph::DivOp>(op))
        add("factor dropped," + which, false,
            [=] { return replaceOperand(op, side, 1.0); });
      bool isArm = isa<graph::SelectOp>(op) && side > 0;
      if (isArm ||
          isa<graph::AndOp, graph::MaximumOp, graph::MinimumOp, graph::NegOp>(
              op))
        add("taken," + which, false,
            [=] { return replaceResult(op, op->getOperand(side)); });
    }
    if (isa<graph::MulNoNanOp>(op))
      add("mul", false, [=] {
        OpBuilder builder(op);
        Value mul = builder.create<graph::MulOp>(
            op->getLoc(), op->getOperand(0), op->getOperand(1));
        return replaceResult(op, mul, mul.getDefiningOp());
      });
    if (auto compare = dyn_cast<graph::CompareOp>(op))
      if (auto other = otherAtBound(compare))
        add("bound", false, [=]() mutable {
          graph::ComparePredicate predicate = compare.getPredicate();
          compare.setPredicate(*other);
          return [=]() mutable { compare.setPredicate(predicate); };
        });
  }

  ArrayRef<Operation *> built;
  std::string place;
};

std::string print(Module &module) {
  std::string text;
  llvm::raw_string_ostream(text) << *module.function("vjp");
  return text;
}

class Mutants : public ::testing::Test {
protected:
  void tryCase(const Case &c);
  void tryExact(const Exact &e);
  void note(const Mutation &mutation, bool isCaught, Module &module) {
    Fate &fate = fates[mutation.key];
    fate.isCaught |= isCaught;
    if (fate.text.empty())
      fate.text = print(module);
  }

  struct Fate {
    bool isCaught = false;
    std::string text;
  };
  std::map<std::string, Fate> fates;
};

void Mutants::tryCase(const Case &c) {
  Module module(functionText(c));
  llvm::SmallVector<Operation *> built = addVjp(module);
  std::mt19937_64 random(1);
  func::FuncOp f = module.function("f");
  Tensors inputs = randomInputs(f, c.domain, random);
  Tensor cotangent =
      randomCotangent(cast<RankedTensorType>(f.getResultTypes()[0]), random);
  Tensors want = centralDifferences(module, "f", inputs, &cotangent);
  inputs.push_back(cotangent);
  bool hasZeros = !isProduct(built);
  std::string why;
  for (const Mutation &mutation : Mutations(module, built).all) {
    Mend mend = mutation.apply();
    bool differs = !agree(module.run("vjp", inputs), want, why);
    EXPECT_TRUE(differs || !mutation.showsEverywhere)
        << c.name << ", " << mutation.key << " is not noticed:\n"
        << print(module);
    note(mutation, differs || (hasZeros && !passesZeros(module, why)), module);
    mend();
  }
  // Mended, it is right again: mutants do not mask one another.
  why.clear();
  EXPECT_TRUE(agree(module.run("vjp", inputs), want, why)) << c.name << why;
}

void Mutants::tryExact(const Exact &e) {
  Module module(functionText(toCase(e)));
  Operation *last = module.function("f")
                        .getBody()
                        .front()
                        .getTerminator()
                        ->getOperand(0)
                        .getDefiningOp();
  // A case of several ops: the pass is what it tests.
  if (!llvm::all_of(last->getOperands(), [](Value operand) {
        Operation *maker = operand.getDefiningOp();
        return !maker || isa<graph::ConstantOp>(maker);
      }))
    return;
  llvm::SmallVector<Operation *> built = addVjp(module);
  bool hasZeros = !isProduct(built);
  Tensors inputs;
  for (const std::vector<double> &input : e.inputs)
    inputs.push_back(module.tensor(e.type, input));
  inputs.push_back(module.tensor(e.result, e.cotangent));
  auto isRight = [&] {
    std::string why;
    return isExactly(module.run("vjp", inputs, interpreter::Mode::Declared),
                     e.gradients, why);
  };
  for (const Mutation &mutation : Mutations(module, built).all) {
    Mend mend = mutation.apply();
    std::string why;
    note(mutation, !isRight() || (hasZeros && !passesZeros(module, why)),
         module);
    mend();
  }
  EXPECT_TRUE(isRight()) << e.name << "\n" << print(module);
}

TEST_F(Mutants, AreAllCaught) {
  for (const Case &c : opCases())
    tryCase(c);
  for (const Exact &e : exacts())
    tryExact(e);
  int64_t caught = 0;
  for (const auto &[key, fate] : fates) {
    caught += fate.isCaught;
    EXPECT_TRUE(fate.isCaught) << key << " is not noticed:\n" << fate.text;
  }
  std::printf("mutants %zu, caught %lld\n", fates.size(),
              static_cast<long long>(caught));
  EXPECT_GE(fates.size(), 300u);
}

} // namespace
