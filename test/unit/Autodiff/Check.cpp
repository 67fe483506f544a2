// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Check.h"
#include "dialects/Graph/IR/GraphBuilders.h"
#include "passes/Autodiff/Autodiff.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;

namespace graphc {

Module::Module(const std::string &text) {
  DialectRegistry registry;
  registry.insert<graph::GraphDialect, func::FuncDialect>();
  registerAutodiffRules(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler(
      [this](Diagnostic &diag) { errors += diag.str() + "\n"; });
  module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << errors << text;
}

bool Module::runAutodiff() {
  PassManager passes(&context);
  passes.addPass(createAutodiff());
  return succeeded(passes.run(*module));
}

Tensors Module::run(StringRef function, const Tensors &inputs,
                    interpreter::Mode mode) {
  interpreter::Options options;
  options.mode = mode;
  interpreter::Interpreter interpreter(*module, options);
  FailureOr<std::vector<Tensor>> results = interpreter.run(function, inputs);
  return succeeded(results) ? *results : Tensors();
}

RankedTensorType Module::type(const std::string &text) {
  return cast<RankedTensorType>(parseType(text, &context));
}

Tensor Module::tensor(const std::string &text,
                      const std::vector<double> &values) {
  Tensor tensor(type(text));
  EXPECT_EQ(tensor.floats.size(), values.size());
  tensor.floats = values;
  return tensor;
}

std::string functionText(const Case &c, const std::string &visibility) {
  return "func.func " + visibility + " @f(" + c.arguments + ") -> " + c.result +
         " {\n" + c.body + "\nreturn %y : " + c.result + "\n}\n";
}

Tensors randomInputs(func::FuncOp function, Domain domain,
                     std::mt19937_64 &random) {
  std::uniform_real_distribution<double> unit(0, 1);
  Tensors inputs;
  for (Type type : function.getArgumentTypes()) {
    Tensor &tensor = inputs.emplace_back(cast<RankedTensorType>(type));
    for (double &value : tensor.floats) {
      double magnitude = 0.3 + 1.4 * unit(random);
      bool isNegative = domain == Domain::Any && unit(random) < 0.5;
      value = domain == Domain::Unit ? 0.1 + 0.8 * unit(random)
              : isNegative           ? -magnitude
                                     : magnitude;
    }
  }
  return inputs;
}

Tensor randomCotangent(RankedTensorType type, std::mt19937_64 &random) {
  std::uniform_real_distribution<double> magnitude(0.5, 1.5);
  Tensor tensor(type);
  for (double &value : tensor.floats)
    value = random() % 2 ? magnitude(random) : -magnitude(random);
  return tensor;
}

/// sum(cotangent * result)
static double evaluate(Module &module, StringRef function,
                       const Tensors &inputs, const Tensor *cotangent) {
  Tensors results = module.run(function, inputs);
  EXPECT_FALSE(results.empty()) << module.errors;
  if (results.empty())
    return NAN;
  double sum = 0;
  for (size_t i = 0; i < results[0].floats.size(); ++i)
    sum += results[0].floats[i] * (cotangent ? cotangent->floats[i] : 1.0);
  return sum;
}

Tensors centralDifferences(Module &module, StringRef function,
                           const Tensors &inputs, const Tensor *cotangent) {
  constexpr double step = 1e-5;
  Tensors gradients;
  for (size_t k = 0; k < inputs.size(); ++k) {
    Tensor &gradient = gradients.emplace_back(inputs[k].type);
    for (size_t i = 0; i < inputs[k].floats.size(); ++i) {
      Tensors moved = inputs;
      moved[k].floats[i] = inputs[k].floats[i] + step;
      double above = evaluate(module, function, moved, cotangent);
      moved[k].floats[i] = inputs[k].floats[i] - step;
      double below = evaluate(module, function, moved, cotangent);
      gradient.floats[i] = (above - below) / (2 * step);
    }
  }
  return gradients;
}

bool agree(const Tensors &got, const Tensors &want, std::string &why) {
  llvm::raw_string_ostream os(why);
  if (got.size() != want.size()) {
    os << got.size() << " gradients, expected " << want.size();
    return false;
  }
  for (size_t k = 0; k < want.size(); ++k) {
    if (got[k].floats.size() != want[k].floats.size()) {
      os << "gradient " << k << " has another size";
      return false;
    }
    for (size_t i = 0; i < want[k].floats.size(); ++i) {
      double a = got[k].floats[i], b = want[k].floats[i];
      // NaN fails.
      if (!(std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b)))) {
        os << "gradient " << k << ", element " << i << ": got " << a
           << ", expected " << b;
        return false;
      }
    }
  }
  return true;
}

bool isExactly(const Tensors &got, const std::vector<std::vector<double>> &want,
               std::string &why) {
  llvm::raw_string_ostream os(why);
  if (got.size() != want.size()) {
    os << got.size() << " gradients, expected " << want.size();
    return false;
  }
  for (size_t k = 0; k < want.size(); ++k)
    for (size_t i = 0; i < want[k].size(); ++i) {
      double a = got[k].floats[i], b = want[k][i];
      if (std::isnan(b) ? std::isnan(a) : a == b)
        continue;
      os << "gradient " << k << ", element " << i << ": got " << a
         << ", expected " << b;
      return false;
    }
  return true;
}

bool passesZeros(Module &module, std::string &why) {
  for (double value :
       std::initializer_list<double>{NAN, INFINITY, -INFINITY, 0, 1}) {
    Tensors inputs;
    std::vector<std::vector<double>> zeros;
    for (Type type : module.function("vjp").getArgumentTypes()) {
      Tensor &tensor = inputs.emplace_back(cast<RankedTensorType>(type));
      zeros.emplace_back(tensor.floats.size(), 0.0);
      std::fill(tensor.floats.begin(), tensor.floats.end(), value);
    }
    std::fill(inputs.back().floats.begin(), inputs.back().floats.end(), 0.0);
    zeros.pop_back();
    if (!isExactly(module.run("vjp", inputs), zeros, why)) {
      why += " at " + std::to_string(value);
      return false;
    }
  }
  return true;
}

bool isProduct(llvm::ArrayRef<Operation *> built) {
  return llvm::any_of(built, [](Operation *op) {
    return isa<graph::DotGeneralOp, graph::ConvOp, graph::ConvTransposeOp,
               graph::ConvWeightGradOp, graph::AttentionGradOp>(op);
  });
}

llvm::SmallVector<Operation *> addVjp(Module &module) {
  func::FuncOp f = module.function("f");
  auto vjp = cast<func::FuncOp>(f->clone());
  vjp.setSymName("vjp");
  module.module->push_back(vjp);
  Block &body = vjp.getBody().front();
  Operation *terminator = body.getTerminator();
  Value result = terminator->getOperand(0);
  Operation *op = result.getDefiningOp();
  Value cotangent = body.addArgument(result.getType(), vjp.getLoc());

  OpBuilder builder(terminator);
  llvm::SmallVector<bool> wanted = llvm::map_to_vector(
      op->getOperands(), [](Value v) { return isa<BlockArgument>(v); });
  llvm::SmallVector<Value> gradients(op->getNumOperands());
  auto rule = dyn_cast<graph::DifferentiableOpInterface>(op);
  EXPECT_TRUE(rule) << "no rule";
  // Of that result only.
  llvm::SmallVector<Value> cotangents(op->getNumResults());
  cotangents[cast<OpResult>(result).getResultNumber()] = cotangent;
  EXPECT_TRUE(succeeded(rule.vjp(builder, cotangents, wanted, gradients)))
      << module.errors;
  llvm::SmallVector<Operation *> built;
  for (Operation *next = op->getNextNode(); next != terminator;
       next = next->getNextNode())
    built.push_back(next);

  llvm::SmallVector<Value> returned;
  for (BlockArgument argument : f.getArguments()) {
    Value twin = body.getArgument(argument.getArgNumber()), gradient;
    for (auto [k, operand] : llvm::enumerate(op->getOperands()))
      if (operand == twin)
        gradient = gradients[k];
    if (!gradient) // a null gradient is zero
      gradient = graph::splatLike(builder, vjp.getLoc(), twin, 0.0);
    returned.push_back(gradient);
  }
  terminator->setOperands(returned);
  vjp.setFunctionType(builder.getFunctionType(body.getArgumentTypes(),
                                              TypeRange(ValueRange(returned))));
  return built;
}

} // namespace graphc
