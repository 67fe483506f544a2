// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/PrintOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphc::cuda {

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

static std::string literal(APFloat value) {
  bool isDouble = &value.getSemantics() == &APFloat::IEEEdouble();
  if (!value.isFinite()) {
    std::string bits =
        "0x" + llvm::utohexstr(value.bitcastToAPInt().getZExtValue(), true);
    return isDouble ? "gc::bitcast<double>(" + bits + "ll)"
                    : "gc::bitcast<float>(int(" + bits + "u))";
  }
  char text[64];
  value.convertToHexString(text, 0, /*UpperCase=*/false,
                           APFloat::rmNearestTiesToEven);
  return std::string(text) + (isDouble ? "" : "f");
}

static std::string literal(APInt value, Type type) {
  if (type.isInteger(1))
    return value.isZero() ? "false" : "true";
  int64_t number = value.getSExtValue();
  // There is no literal of the least number: it is one less than another.
  if (type.isInteger(64)) {
    if (number == INT64_MIN)
      return "(-0x7fffffffffffffffll - 1)";
    return std::to_string(number) + "ll";
  }
  if (type.isInteger(32) && number == INT32_MIN)
    return "(-0x7fffffff - 1)";
  std::string text = std::to_string(number);
  if (type.isInteger(8) || type.isInteger(16))
    return (type.isInteger(8) ? "(signed char)" : "(short)") +
           (number < 0 ? "(" + text + ")" : text);
  return text;
}

static std::string literal(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return literal(number.getValue());
  auto integer = cast<IntegerAttr>(value);
  return literal(integer.getValue(), integer.getType());
}

/// f16 and bf16 have no arithmetic, so no constants of them come up.
static bool hasLiteral(Type type) { return !type.isF16() && !type.isBF16(); }

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string Names::element(Type type) const {
  return typeName(getElementTypeOrSelf(type), wideIndex);
}

std::string Names::declare(Type type, StringRef name) const {
  std::string text = this->type(type);
  if (text.back() != '*')
    text += ' ';
  return text + name.str();
}

bool Names::isInline(Operation &op) const {
  return isa<arith::ConstantOp>(op) &&
         hasLiteral(getElementTypeOrSelf(op.getResult(0).getType()));
}

static std::string literals(DenseElementsAttr elements) {
  std::vector<std::string> texts;
  for (Attribute value : elements.getValues<Attribute>())
    texts.push_back(literal(value));
  return "{" + llvm::join(texts, ", ") + "}";
}

std::string Names::get(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  assert(constant && "a value without a name");
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements)
    return literal(constant.getValue()) +
           (wideIndex && value.getType().isIndex() ? "ll" : "");
  if (elements.isSplat())
    return "gc::splat<" + element(value.getType()) + ", " +
           std::to_string(elements.getNumElements()) + ">(" +
           literal(elements.getSplatValue<Attribute>()) + ")";
  return type(value.getType()) + "{" + literals(elements) + "}";
}

std::string Names::table(Value constant) {
  std::string &name = known[constant];
  if (name.empty()) {
    auto elements = cast<DenseElementsAttr>(
        constant.getDefiningOp<arith::ConstantOp>().getValue());
    name = (function + "_t" + Twine(count++)).str();
    tables << "GC_TABLE " << element(constant.getType()) << " " << name << "["
           << elements.getNumElements() << "] = " << literals(elements)
           << ";\n";
  }
  return name;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// The prelude's function for an op whose operands are all that it needs.
static StringRef functionOf(Operation &op) {
  return llvm::StringSwitch<StringRef>(op.getName().getStringRef())
      .Cases("arith.addf", "arith.addi", "add")
      .Cases("arith.subf", "arith.subi", "sub")
      .Cases("arith.mulf", "arith.muli", "mul")
      .Case("arith.divf", "div")
      .Case("arith.negf", "neg")
      .Case("arith.divsi", "divs")
      .Case("arith.divui", "divu")
      .Case("arith.remsi", "rems")
      .Case("arith.remui", "remu")
      .Case("arith.andi", "bit_and")
      .Case("arith.ori", "bit_or")
      .Case("arith.xori", "bit_xor")
      .Case("arith.shli", "shl")
      .Case("arith.shrui", "shru")
      .Case("arith.shrsi", "shrs")
      .Case("arith.maxsi", "maxs")
      .Case("arith.maxui", "maxu")
      .Case("arith.minsi", "mins")
      .Case("arith.minui", "minu")
      .Case("arith.maximumf", "maximum")
      .Case("arith.minimumf", "minimum")
      .Case("arith.select", "select")
      .Case("math.absf", "abs")
      .Case("math.ceil", "ceil")
      .Case("math.floor", "floor")
      .Case("math.roundeven", "round_even")
      .Case("math.sqrt", "sqrt")
      .Case("math.copysign", "copysign")
      .Case("math.fma", "fma")
      .Default("");
}

/// The same for conversions, which name the type that they give.
static StringRef conversionOf(Operation &op) {
  return llvm::StringSwitch<StringRef>(op.getName().getStringRef())
      .Case("arith.extf", "extf")
      .Case("arith.truncf", "truncf")
      .Case("arith.sitofp", "sitofp")
      .Case("arith.uitofp", "uitofp")
      .Case("arith.fptosi", "fptosi")
      .Cases("arith.extsi", "arith.trunci", "arith.index_cast", "resize")
      .Cases("arith.extui", "arith.index_castui", "resizeu")
      .Case("arith.bitcast", "bitcast")
      .Default("");
}

static StringRef operatorOf(Operation &op) {
  if (op.getNumResults() != 1 || (!op.getResult(0).getType().isIndex() &&
                                  !isa<FloatType>(op.getResult(0).getType())))
    return "";
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return " + "; })
      .Case<arith::SubFOp, arith::SubIOp>([](auto) { return " - "; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return " * "; })
      .Case([](arith::DivFOp) { return " / "; })
      .Default([](Operation *) { return ""; });
}

static std::string call(const std::string &function,
                        ArrayRef<std::string> arguments) {
  return "gc::" + function + "(" + llvm::join(arguments, ", ") + ")";
}

/// memory + index, or memory.
static std::string address(Value memory, ValueRange indices, Names &names) {
  std::string text = names.get(memory);
  return indices.empty() ? text : text + " + " + names.get(indices.front());
}

static std::string vectorAccess(StringRef function, VectorType type,
                                Value memory, ValueRange indices,
                                ArrayRef<std::string> others, Names &names) {
  // Of all lanes at once, where addresses allow it.
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  int64_t alignment = std::min(bytes, knownAlignment(memory, indices.front()));
  std::vector<std::string> arguments = {address(memory, indices, names)};
  llvm::append_range(arguments, others);
  return call((function + "<" + Twine(type.getNumElements()) + ", " +
               Twine(alignment) + ">")
                  .str(),
              arguments);
}

static std::string memoryAccess(Operation &op, Names &names) {
  return llvm::TypeSwitch<Operation *, std::string>(&op)
      .Case([&](memref::LoadOp load) {
        return "*(" + address(load.getMemRef(), load.getIndices(), names) + ")";
      })
      .Case([&](memref::StoreOp store) {
        return "*(" + address(store.getMemRef(), store.getIndices(), names) +
               ") = " + names.get(store.getValue());
      })
      .Case([&](vector::LoadOp load) {
        return vectorAccess("load", load.getVectorType(), load.getBase(),
                            load.getIndices(), {}, names);
      })
      .Case([&](vector::StoreOp store) {
        return vectorAccess("store", store.getVectorType(), store.getBase(),
                            store.getIndices(),
                            {names.get(store.getValueToStore())}, names);
      })
      .Case([&](vector::MaskedLoadOp load) {
        return vectorAccess(
            "load_masked", load.getVectorType(), load.getBase(),
            load.getIndices(),
            {names.get(load.getMask()), names.get(load.getPassThru())}, names);
      })
      .Case([&](vector::MaskedStoreOp store) {
        return vectorAccess(
            "store_masked", store.getVectorType(), store.getBase(),
            store.getIndices(),
            {names.get(store.getMask()), names.get(store.getValueToStore())},
            names);
      })
      .Case([&](memref::ViewOp view) {
        return "(" + names.type(view.getType()) + ")(" +
               address(view.getSource(), view.getByteShift(), names) + ")";
      })
      .Case([&](memref::ExtractAlignedPointerAsIndexOp pointer) {
        return "(long long)" + names.get(pointer.getSource());
      })
      .Default([](Operation *) { return ""; });
}

static int64_t numberOf(Attribute value) {
  return cast<IntegerAttr>(value).getInt();
}

static std::string vectorExpression(Operation &op, Names &names) {
  auto count = [](Type type) {
    return std::to_string(cast<VectorType>(type).getNumElements());
  };
  return llvm::TypeSwitch<Operation *, std::string>(&op)
      .Case([&](vector::BroadcastOp broadcast) {
        Type type = broadcast.getType();
        if (isa<VectorType>(broadcast.getSourceType()))
          return std::string();
        return call("splat<" + names.element(type) + ", " + count(type) + ">",
                    names.get(broadcast.getSource()));
      })
      .Case([&](vector::ExtractOp extract) {
        if (extract.getStaticPosition().size() != 1 ||
            extract.hasDynamicPosition())
          return std::string();
        return names.get(extract.getVector()) + ".x[" +
               std::to_string(extract.getStaticPosition().front()) + "]";
      })
      .Case([&](vector::FromElementsOp elements) {
        std::vector<std::string> texts;
        for (Value value : elements.getElements())
          texts.push_back(names.get(value));
        return names.type(elements.getType()) + "{{" + llvm::join(texts, ", ") +
               "}}";
      })
      .Case([&](vector::CreateMaskOp mask) {
        return call("prefix<" + count(mask.getType()) + ">",
                    names.get(mask.getOperand(0)));
      })
      .Case([&](vector::ConstantMaskOp mask) {
        return call("prefix<" + count(mask.getType()) + ">",
                    std::to_string(numberOf(mask.getMaskDimSizes()[0])));
      })
      .Case([&](vector::ExtractStridedSliceOp slice) {
        return call("slice<" + std::to_string(numberOf(slice.getOffsets()[0])) +
                        ", " + count(slice.getType()) + ">",
                    names.get(slice.getVector()));
      })
      .Case([&](vector::ExtractElementOp element) {
        return names.table(element.getVector()) + "[" +
               names.get(element.getPosition()) + "]";
      })
      .Default([](Operation *) { return ""; });
}

static std::string threadExpression(Operation &op, Names &names) {
  return llvm::TypeSwitch<Operation *, std::string>(&op)
      .Case([&](gpu::ThreadIdOp) { return "(int)threadIdx.x"; })
      .Case([&](gpu::BlockIdOp) { return "(int)blockIdx.x"; })
      .Case([&](NVVM::SyncWarpOp sync) {
        return "__syncwarp(" + names.get(sync.getMask()) + ")";
      })
      .Case([&](gpu::ReturnOp) { return "return"; })
      .Default([](Operation *) { return ""; });
}

std::vector<std::string> printExpressions(Operation &op, Names &names) {
  std::vector<std::string> arguments;
  auto readArguments = [&] {
    for (Value operand : op.getOperands())
      arguments.push_back(names.get(operand));
  };
  if (StringRef sign = operatorOf(op); !sign.empty()) {
    readArguments();
    return {arguments[0] + sign.str() + arguments[1]};
  }
  if (StringRef function = functionOf(op); !function.empty()) {
    readArguments();
    return {call(function.str(), arguments)};
  }
  if (StringRef function = conversionOf(op); !function.empty()) {
    readArguments();
    return {call(
        (function + "<" + names.element(op.getResult(0).getType()) + ">").str(),
        arguments)};
  }
  if (isa<arith::CmpIOp, arith::CmpFOp>(op)) {
    readArguments();
    // In textbook names: slt, ult, oge, ...
    StringRef predicate = isa<arith::CmpIOp>(op)
                              ? arith::stringifyCmpIPredicate(
                                    cast<arith::CmpIOp>(op).getPredicate())
                              : arith::stringifyCmpFPredicate(
                                    cast<arith::CmpFOp>(op).getPredicate());
    return {call(("is_" + predicate).str(), arguments)};
  }
  if (isa<arith::MulUIExtendedOp>(op)) {
    readArguments();
    return {call("mul", arguments), call("mulhu", arguments)};
  }
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    bool isXor = shuffle.getMode() == gpu::ShuffleMode::XOR;
    return {
        call(std::string(isXor ? "shuffle_xor<" : "shuffle_from<") +
                 names.get(shuffle.getWidth()) + ">",
             {names.get(shuffle.getValue()), names.get(shuffle.getOffset())})};
  }
  for (auto print : {memoryAccess, vectorExpression, threadExpression})
    if (std::string text = print(op, names); !text.empty())
      return {text};
  return {};
}

} // namespace graphc::cuda
