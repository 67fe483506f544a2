// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/RandomInputs.h"

#include "lib/Interpreter/Philox.h"

#include <cmath>
#include <optional>

using namespace mlir;

namespace graphc::interpreter {

uint32_t RandomStream::word() {
  uint64_t place = next++;
  return philox({static_cast<uint32_t>(place / 4), 0, 0, 0x7465736F},
                {static_cast<uint32_t>(seed),
                 static_cast<uint32_t>(seed >> 32)})[place % 4];
}

double RandomStream::uniform(double low, double high) {
  double unit = (word() + word() * 0x1p-32) * 0x1p-32;
  return low + (high - low) * unit;
}

int64_t RandomStream::integer(int64_t low, int64_t high) {
  uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  uint64_t draw = static_cast<uint64_t>(word()) << 32 | word();
  return static_cast<int64_t>(static_cast<uint64_t>(low) +
                              (span ? draw % span : draw));
}

/// What one use of a value asks of it, if anything.
static std::optional<Range> rangeOfUse(OpOperand &use, int depth);

static std::optional<Range> rangeOfUses(Value value, int depth) {
  if (depth > 16)
    return std::nullopt;
  std::optional<Range> range;
  for (OpOperand &use : value.getUses())
    if (std::optional<Range> wanted = rangeOfUse(use, depth + 1))
      range = range ? Range{std::max(range->low, wanted->low),
                            std::min(range->high, wanted->high)}
                    : *wanted;
  return range;
}

/// Of indices of dimension `axis` of `value`.
static Range indexRange(Value value, int64_t axis) {
  auto type = cast<RankedTensorType>(value.getType());
  return {0, static_cast<double>(type.getDimSize(axis)) - 1};
}

static std::optional<Range> rangeOfUse(OpOperand &use, int depth) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto loss = dyn_cast<graph::CrossEntropyOp>(op); loss && number == 1) {
    auto logits = cast<RankedTensorType>(loss.getLogits().getType());
    return Range{0, static_cast<double>(logits.getShape().back()) - 1};
  }
  if (auto check = dyn_cast<graph::CheckIndexOp>(op))
    return Range{0, static_cast<double>(check.getLimit()) - 1};
  if (auto gather = dyn_cast<graph::GatherOp>(op); gather && number == 1)
    return indexRange(gather.getInput(), gather.getAxis());
  if (auto scatter = dyn_cast<graph::ScatterAddOp>(op); scatter && number == 1)
    return indexRange(scatter.getInput(), scatter.getAxis());
  if (auto embedding = dyn_cast<graph::EmbeddingOp>(op);
      embedding && number == 1)
    return indexRange(embedding.getWeight(), 0);
  if (auto oneHot = dyn_cast<graph::OneHotOp>(op))
    return indexRange(oneHot.getResult(),
                      cast<RankedTensorType>(oneHot.getType()).getRank() - 1);
  if (isa<graph::BceOp>(op))
    return Range{0.1, 0.9};
  if (isa<graph::BceWithLogitsOp>(op) && number == 1)
    return Range{0, 1};
  // Where a function is real, and its slope not too steep.
  bool isFloat = isa<FloatType>(
      cast<RankedTensorType>(use.get().getType()).getElementType());
  if (isa<graph::LogOp, graph::SqrtOp, graph::RsqrtOp>(op) ||
      (isa<graph::PowOp>(op) && number == 0) ||
      (isa<graph::BatchNormOp>(op) && number == 2))
    return Range{0.1, 2};
  if (isa<graph::Log1pOp>(op))
    return Range{-0.8, 2};
  if (isa<graph::ReciprocalOp>(op) ||
      (isFloat && isa<graph::DivOp, graph::RemOp>(op) && number == 1))
    return Range{0.5, 2};
  if (isa<graph::ReshapeOp, graph::BroadcastOp, graph::TransposeOp,
          graph::SliceOp, graph::StopGradientOp>(op))
    return rangeOfUses(op->getResult(0), depth);
  if (auto fused = dyn_cast<graph::FusedOp>(op))
    return rangeOfUses(fused.getBody().getArgument(number), depth);
  if (auto loop = dyn_cast<graph::ForOp>(op))
    return rangeOfUses(loop.getBody().getArgument(number + 1), depth);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (callee && !callee.isExternal())
      return rangeOfUses(callee.getArgument(number), depth);
  }
  return std::nullopt;
}

Range inferRange(Value value) {
  if (std::optional<Range> range = rangeOfUses(value, 0))
    return *range;
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  if (isa<FloatType>(element))
    return {-2, 2};
  return element.isUnsignedInteger() ? Range{0, 4} : Range{-4, 4};
}

Tensor drawTensor(RankedTensorType type, Range range, RandomStream &stream) {
  Tensor tensor(type);
  for (double &element : tensor.floats)
    element = stream.uniform(range.low, range.high);
  for (int64_t &element : tensor.ints)
    element = tensor.kind() == ElementKind::I1
                  ? stream.word() & 1
                  : stream.integer(static_cast<int64_t>(range.low),
                                   static_cast<int64_t>(range.high));
  tensor.roundToType();
  return tensor;
}

Initializer drawInitialValues(uint64_t seed) {
  return [seed](graph::VariableOp variable) -> FailureOr<Tensor> {
    uint64_t hash = seed;
    for (char c : variable.getSymName())
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    RandomStream stream(hash);
    Attribute init = variable.getInitialValue();
    if (auto uniform = dyn_cast<graph::UniformAttr>(init))
      return drawTensor(variable.getTensorType(),
                        {uniform.getLow(), uniform.getHigh()}, stream);
    auto normal = dyn_cast<graph::NormalAttr>(init);
    if (!normal)
      return variable.emitOpError("has an initial value that is not drawn: ")
             << init;
    Tensor tensor(variable.getTensorType());
    for (double &element : tensor.floats) {
      double radius = std::sqrt(-2 * std::log(1 - stream.uniform(0, 1)));
      double angle = stream.uniform(0, 6.283185307179586);
      element = normal.getMean() + normal.getStd() * radius * std::cos(angle);
    }
    if (std::optional<int64_t> row = normal.getZeroRow()) {
      size_t width = tensor.floats.size() / tensor.shape().front();
      std::fill_n(tensor.floats.begin() + *row * width, width, 0.0);
    }
    tensor.roundToType();
    return tensor;
  };
}

FailureOr<std::vector<Tensor>> drawInputs(func::FuncOp function,
                                          uint64_t seed) {
  if (function.isExternal())
    return function.emitError("expects a body to draw arguments for");
  RandomStream stream(seed);
  std::vector<Tensor> inputs;
  for (Value argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !getElementKind(type.getElementType()) || !countElements(type))
      return function.emitError("expects tensor arguments, but got ")
             << argument.getType();
    Range range = inferRange(argument);
    if (range.low > range.high)
      return function.emitError("has no value to draw for argument ")
             << cast<BlockArgument>(argument).getArgNumber();
    inputs.push_back(drawTensor(type, range, stream));
  }
  return inputs;
}

} // namespace graphc::interpreter
