// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that a user can add from outside, once each: an op with its
// decomposition and derivative, an optimizer, a pass.
#include "dialects/Graph/IR/GraphBuilders.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;
using namespace graphc;

namespace user {

/// `%y = "user.cube"(%x) : (tensor<4xf32>) -> tensor<4xf32>`: x^3, elementwise.
class CubeOp
    : public Op<
          CubeOp, OpTrait::OneOperand, OpTrait::OneResult, OpTrait::ZeroRegions,
          OpTrait::SameOperandsAndResultType, ConditionallySpeculatable::Trait,
          OpTrait::AlwaysSpeculatableImplTrait, MemoryEffectOpInterface::Trait,
          graph::DecomposableOpInterface::Trait,
          graph::DifferentiableOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "user.cube"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) {}

  SmallVector<Value> decompose(OpBuilder &builder) {
    Value x = getOperation()->getOperand(0);
    Value square = builder.create<graph::MulOp>(getLoc(), x, x);
    return {builder.create<graph::MulOp>(getLoc(), square, x)};
  }
  LogicalResult vjp(OpBuilder &builder, ArrayRef<Value> cotangents,
                    ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    Value x = getOperation()->getOperand(0);
    Value square = builder.create<graph::MulOp>(getLoc(), x, x);
    Value slope = builder.create<graph::MulOp>(
        getLoc(), square, graph::splatLike(builder, getLoc(), x, 3.0));
    gradients[0] =
        builder.create<graph::MulNoNanOp>(getLoc(), cotangents[0], slope);
    return success();
  }
};

struct SignSgdStorage : AttributeStorage {
  using KeyTy = double;
  explicit SignSgdStorage(double lr) : lr(lr) {}
  bool operator==(double other) const { return lr == other; }
  static SignSgdStorage *construct(AttributeStorageAllocator &allocator,
                                   double lr) {
    return new (allocator.allocate<SignSgdStorage>()) SignSgdStorage(lr);
  }
  static llvm::hash_code hashKey(double lr) {
    return llvm::hash_value(llvm::bit_cast<uint64_t>(lr));
  }
  double lr;
};

/// `#user.sign_sgd<0.1>`: steps of lr against the gradient's sign, counted.
class SignSgdAttr
    : public Attribute::AttrBase<SignSgdAttr, Attribute, SignSgdStorage,
                                 graph::OptimizerAttrInterface::Trait> {
public:
  using Base::Base;
  static constexpr StringLiteral name = "user.sign_sgd";

  double getLearningRate() const { return getImpl()->lr; }
  SmallVector<std::string> getStateNames() const { return {"steps_up"}; }
  bool needsStepCount() const { return false; }
  SmallVector<Value> emitUpdate(OpBuilder &builder, Location loc,
                                Value parameter, Value gradient,
                                ValueRange states, Value learningRate,
                                Value) const {
    ArrayRef<int64_t> shape = graph::tensorTypeOf(parameter).getShape();
    Value lr = graph::broadcastScalar(builder, loc, learningRate, shape);
    Value sign =
        builder.create<graph::SignOp>(loc, gradient.getType(), gradient);
    Value step = builder.create<graph::MulOp>(loc, lr, sign);
    Value next = builder.create<graph::SubOp>(loc, parameter, step);
    Value up = builder.create<graph::SubOp>(loc, states[0], sign);
    return {next, up};
  }
};

class UserDialect : public Dialect {
public:
  explicit UserDialect(MLIRContext *context)
      : Dialect("user", context, TypeID::get<UserDialect>()) {
    addOperations<CubeOp>();
    addAttributes<SignSgdAttr>();
  }
  static StringRef getDialectNamespace() { return "user"; }

  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    StringRef keyword;
    double lr = 0;
    if (parser.parseKeyword(&keyword))
      return {};
    if (keyword != "sign_sgd") {
      parser.emitError(parser.getNameLoc(), "expects sign_sgd, but got ")
          << keyword;
      return {};
    }
    if (parser.parseLess() || parser.parseFloat(lr) || parser.parseGreater())
      return {};
    return SignSgdAttr::get(getContext(), lr);
  }
  void printAttribute(Attribute attribute,
                      DialectAsmPrinter &printer) const override {
    printer << "sign_sgd<" << cast<SignSgdAttr>(attribute).getLearningRate()
            << ">";
  }
};

/// Names the ops of each kind and how many there are.
struct CountOps : PassWrapper<CountOps, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountOps)
  StringRef getArgument() const override { return "user-count-ops"; }
  StringRef getDescription() const override { return "Counts ops by name"; }
  void runOnOperation() override {
    std::map<std::string, int> counts;
    getOperation()->walk(
        [&](Operation *op) { ++counts[op->getName().getStringRef().str()]; });
    for (const auto &[name, count] : counts)
      llvm::outs() << "// " << count << " " << name << "\n";
  }
};

} // namespace user

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "user", "1", [](DialectRegistry *registry) {
            registry->insert<user::UserDialect>();
          }};
}
extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "user", "1",
          [] { PassRegistration<user::CountOps>(); }};
}
