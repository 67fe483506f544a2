// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Captures.h"
#include "lib/Target/Cpu/Kernels.h"

#include "dialects/Plan/IR/Plan.h"
#include "graphc/abi/model_abi.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

/// The three arguments every kernel and every loop body starts with.
struct Frame {
  Value env, buffers, args;
};

Frame frameOf(func::FuncOp function) {
  return {function.getArgument(0), function.getArgument(1),
          function.getArgument(2)};
}

/// Element `index` of an array of pointers or of i64.
Value loadElement(OpBuilder &builder, Location loc, Type type, Value array,
                  int64_t index) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value at = builder.create<LLVM::GEPOp>(loc, pointer, type, array,
                                         ArrayRef<LLVM::GEPArg>(index));
  return builder.create<LLVM::LoadOp>(loc, type, at);
}

/// Makes the memrefs and integers a kernel of type `kernel` works on from what
/// its caller passes. `places` is its plan.places, or empty: LLVM then knows
/// which buffers are one, and which share no byte.
SmallVector<Value> loadArguments(OpBuilder &builder, Location loc,
                                 FunctionType kernel, ArrayRef<int64_t> places,
                                 const LLVMTypeConverter &converter,
                                 Frame frame) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  int64_t argCount = 0;
  SmallVector<Value> values, buffers;
  auto loadBuffer = [&](int64_t number) -> Value {
    if (places.empty() || places[2 * number] == number)
      return loadElement(builder, loc, pointer, frame.buffers, number);
    Value distance = builder.create<LLVM::ConstantOp>(
        loc, builder.getI64IntegerAttr(places[2 * number + 1]));
    return builder.create<LLVM::GEPOp>(loc, pointer, builder.getI8Type(),
                                       buffers[places[2 * number]],
                                       ArrayRef<LLVM::GEPArg>(distance));
  };
  for (Type type : kernel.getInputs()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      values.push_back(loadElement(builder, loc, type, frame.args, argCount++));
      continue;
    }
    // A descriptor of constants around the pointer: none of it reaches memory.
    buffers.push_back(loadBuffer(buffers.size()));
    Value descriptor = MemRefDescriptor::fromStaticShape(
        builder, loc, converter, memref, buffers.back());
    values.push_back(
        builder.create<UnrealizedConversionCastOp>(loc, type, descriptor)
            .getResult(0));
  }
  return values;
}

/// Calls the function pointer at byte `offset` of the environment.
void callEnv(OpBuilder &builder, Location loc, Frame frame, size_t offset,
             ArrayRef<Value> arguments) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value at = builder.create<LLVM::GEPOp>(
      loc, pointer, builder.getI8Type(), frame.env,
      ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(offset)));
  SmallVector<Value> operands = {
      builder.create<LLVM::LoadOp>(loc, pointer, at)};
  operands.push_back(frame.env);
  llvm::append_range(operands, arguments);
  SmallVector<Type> types;
  for (Value operand : ArrayRef(operands).drop_front())
    types.push_back(operand.getType());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), types);
  builder.create<LLVM::CallOp>(loc, type, operands);
}

FunctionType abiType(MLIRContext *context, bool isBody) {
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto i64 = IntegerType::get(context, 64);
  SmallVector<Type> types(3, pointer);
  if (isBody)
    types.append(2, i64);
  return FunctionType::get(context, types, {});
}

/// Turns a loop of a kernel into a function and a call to env->parallel_for.
/// `parameters` are the kernel's memrefs and integers, `frame` is what it is
/// called with.
FailureOr<func::FuncOp> outline(scf::ParallelOp loop, func::FuncOp kernel,
                                ArrayRef<Value> parameters, StringRef name,
                                Frame frame,
                                const LLVMTypeConverter &converter) {
  if (loop.getNumLoops() != 1 || loop.getNumResults() != 0)
    return loop.emitOpError("expects one induction variable and no results to "
                            "run in parallel");
  Location loc = loop.getLoc();
  MLIRContext *context = loop.getContext();
  FailureOr<Captures> captures = Captures::of(loop.getRegion(), kernel);
  if (failed(captures))
    return failure();

  OpBuilder builder(kernel);
  auto body = builder.create<func::FuncOp>(loc, name, abiType(context, true));
  body.setPrivate();
  body->setAttr("llvm.linkage",
                LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  builder.setInsertionPointToStart(body.addEntryBlock());
  Frame inside = frameOf(body);
  SmallVector<Value> arguments = loadArguments(
      builder, loc, kernel.getFunctionType(), /*places=*/{}, converter, inside);
  IRMapping mapping;
  mapping.map(parameters, arguments);
  captures->restore(builder, inside.args, mapping);

  auto toIndex = [&](Value value) -> Value {
    return builder.create<arith::IndexCastOp>(loc, builder.getIndexType(),
                                              value);
  };
  Value one = builder.create<arith::ConstantIndexOp>(loc, 1);
  auto serial = builder.create<scf::ForOp>(loc, toIndex(body.getArgument(3)),
                                           toIndex(body.getArgument(4)), one);
  builder.create<func::ReturnOp>(loc);
  builder.setInsertionPointToStart(serial.getBody());
  Value scaled = builder.create<arith::MulIOp>(
      loc, serial.getInductionVar(),
      mapping.lookupOrDefault(loop.getStep().front()));
  Value index = builder.create<arith::AddIOp>(
      loc, scaled, mapping.lookupOrDefault(loop.getLowerBound().front()));
  mapping.map(loop.getInductionVars().front(), index);
  for (Operation &op : loop.getBody()->without_terminator()) {
    Operation *clone = builder.clone(op, mapping);
    // Scratch memory of one iteration serves the next as well; the stack would
    // grow with each.
    if (isa<memref::AllocaOp>(clone))
      clone->moveBefore(serial);
  }

  builder.setInsertionPoint(loop);
  Value distance = builder.create<arith::SubIOp>(
      loc, loop.getUpperBound().front(), loop.getLowerBound().front());
  Value count = builder.create<arith::IndexCastOp>(
      loc, builder.getI64Type(),
      builder.create<arith::CeilDivSIOp>(loc, distance,
                                         loop.getStep().front()));
  // The function's address, by its MLIR type, for the conversion to fold.
  Value function = builder.create<func::ConstantOp>(
      loc, body.getFunctionType(), FlatSymbolRefAttr::get(body));
  Value address = builder
                      .create<UnrealizedConversionCastOp>(
                          loc, LLVM::LLVMPointerType::get(context), function)
                      .getResult(0);
  Value args = captures->save(builder, frame.args);
  callEnv(builder, loc, frame, offsetof(graphc_env, parallel_for),
          {address, frame.buffers, args, count});
  loop.erase();
  return body;
}

void replaceFailIndex(func::FuncOp function) {
  Frame frame = frameOf(function);
  function.walk([&](plan::FailIndexOp op) {
    OpBuilder builder(op);
    callEnv(builder, op.getLoc(), frame, offsetof(graphc_env, fail_index),
            {op.getPosition(), op.getValue(), op.getLimit()});
    op.erase();
  });
}

/// The body of a kernel that stands for a host function.
void callHostFunction(func::FuncOp kernel, Frame frame, int64_t number) {
  Block &entry = kernel.front();
  OpBuilder builder(entry.getTerminator());
  Value index = builder.create<arith::ConstantIntOp>(kernel.getLoc(), number,
                                                     /*width=*/64);
  callEnv(builder, kernel.getLoc(), frame, offsetof(graphc_env, call_host),
          {index, frame.buffers});
}

LogicalResult convertKernel(func::FuncOp kernel,
                            const LLVMTypeConverter &converter) {
  MLIRContext *context = kernel.getContext();
  FunctionType type = kernel.getFunctionType();
  for (Type input : type.getInputs()) {
    auto memref = dyn_cast<MemRefType>(input);
    if (memref ? !memref.hasStaticShape() || !memref.getLayout().isIdentity()
               : !input.isInteger(64))
      return kernel.emitOpError("expects static row-major memrefs and i64, but "
                                "got ")
             << input;
  }

  // First the three arguments come in front of those the loops still use.
  Location loc = kernel.getLoc();
  Block &entry = kernel.front();
  SmallVector<Value> old(entry.getArguments());
  auto pointer = LLVM::LLVMPointerType::get(context);
  for (unsigned i = 0; i < 3; ++i)
    entry.insertArgument(i, pointer, loc);
  Frame frame = frameOf(kernel);

  SmallVector<scf::ParallelOp> loops;
  for (auto loop : entry.getOps<scf::ParallelOp>())
    if (loop->hasAttr(plan::PlanDialect::getParallelAttrName()))
      loops.push_back(loop);
  SmallVector<func::FuncOp> functions = {kernel};
  for (auto [number, loop] : llvm::enumerate(loops)) {
    std::string name = (kernel.getName() + ".body" + Twine(number)).str();
    FailureOr<func::FuncOp> body =
        outline(loop, kernel, old, name, frame, converter);
    if (failed(body))
      return failure();
    functions.push_back(*body);
  }

  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  ArrayRef<int64_t> places;
  if (auto attribute = kernel->getAttrOfType<DenseI64ArrayAttr>(
          plan::PlanDialect::getPlacesAttrName()))
    places = attribute;
  for (auto [from, to] : llvm::zip_equal(
           old, loadArguments(builder, loc, type, places, converter, frame)))
    from.replaceAllUsesWith(to);
  entry.eraseArguments(3, old.size());
  kernel.setFunctionType(abiType(context, /*isBody=*/false));
  if (std::optional<int64_t> number = plan::getHostFunctionNumber(kernel))
    callHostFunction(kernel, frame, *number);
  // From here on it is no kernel as the plan dialect knows one.
  kernel->removeAttr(plan::PlanDialect::getKernelAttrName());
  kernel->removeAttr(plan::kHostFunctionAttrName);
  kernel->removeAttr(plan::PlanDialect::getPlacesAttrName());
  for (func::FuncOp function : functions)
    replaceFailIndex(function);
  return success();
}

} // namespace

LogicalResult applyKernelAbi(ModuleOp module) {
  LLVMTypeConverter converter(module.getContext());
  for (auto kernel : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (failed(convertKernel(kernel, converter)))
      return failure();
  return success();
}

} // namespace graphc::cpu
