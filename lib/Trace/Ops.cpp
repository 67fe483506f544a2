// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appending one op, whichever, to the innermost function.
#include "lib/Trace/ModuleBuilder.h"

#include "lib/Trace/Diagnostics.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;

namespace graphc::trace {

/// Holds the number of operands to the op's own: inference reads them before
/// anything verifies the op.
static LogicalResult checkOperandCount(const OperationState &state) {
  OperationName name = state.name;
  auto expects = [&](const char *text, bool fits) -> LogicalResult {
    if (fits)
      return success();
    return emitError(state.location) << "'" << name << "' expects " << text
                                     << ", but got " << state.operands.size();
  };
  size_t count = state.operands.size();
  if (name.hasTrait<OpTrait::ZeroOperands>())
    return expects("no operands", count == 0);
  if (name.hasTrait<OpTrait::OneOperand>())
    return expects("1 operand", count == 1);
  if (name.hasTrait<OpTrait::NOperands<2>::Impl>())
    return expects("2 operands", count == 2);
  if (name.hasTrait<OpTrait::NOperands<3>::Impl>())
    return expects("3 operands", count == 3);
  if (name.hasTrait<OpTrait::AtLeastNOperands<1>::Impl>())
    return expects("1 operand or more", count >= 1);
  if (name.hasTrait<OpTrait::AtLeastNOperands<2>::Impl>())
    return expects("2 operands or more", count >= 2);
  if (name.hasTrait<OpTrait::AtLeastNOperands<3>::Impl>())
    return expects("3 operands or more", count >= 3);
  if (name.hasTrait<OpTrait::VariadicOperands>())
    return success();
  return emitError(state.location)
         << "'" << name << "' needs its result type to be given";
}

/// Asks the op's own inference for the result types of `state`.
static LogicalResult inferTypes(OperationState &state) {
  std::optional<RegisteredOperationName> info = state.name.getRegisteredInfo();
  if (state.name.hasTrait<OpTrait::ZeroResults>())
    return emitError(state.location)
           << "'" << state.name
           << "' has no result: give a list of no result types";
  auto *infer = info->getInterface<InferTypeOpInterface>();
  MLIRContext *context = state.getContext();
  if (!infer)
    return emitError(state.location)
           << "'" << state.name << "' needs its result type to be given";
  if (failed(checkOperandCount(state)))
    return failure();
  // Properties have to be made from the attributes by hand, before there is an
  // op: inference reads attributes from them only.
  size_t bytes = info->getOpPropertyByteSize();
  llvm::SmallVector<uint64_t> storage((bytes + 7) / 8);
  OpaqueProperties properties(bytes ? storage.data() : nullptr);
  DictionaryAttr attributes = state.attributes.getDictionary(context);
  if (bytes) {
    info->initOpProperties(properties, nullptr);
    if (failed(info->setOpPropertiesFromAttribute(
            state.name, properties, attributes, [&] {
              return emitError(state.location) << "'" << state.name << "' ";
            })))
      return failure();
    info->populateDefaultProperties(properties);
  }
  llvm::SmallVector<Type> types;
  LogicalResult result =
      infer->inferReturnTypes(context, state.location, state.operands,
                              attributes, properties, state.regions, types);
  if (bytes)
    info->destroyOpProperties(properties);
  state.addTypes(types);
  return result;
}

FailureOr<std::vector<ValueId>>
ModuleBuilder::buildOp(const OpRequest &request) {
  const Source &source = request.source;
  llvm::SmallVector<Value> operands;
  if (failed(lookup(request.operands, source, operands)))
    return failure();
  OperationName name(request.name, context_.get());
  if (!name.isRegistered() || name.getDialectNamespace() != "graph")
    return fail(source,
                "no op of the graph dialect is called '" + request.name + "'");

  if (!name.hasTrait<OpTrait::ZeroRegions>() ||
      name.hasTrait<OpTrait::IsTerminator>())
    return fail(source, "'" + request.name + "' cannot be built op by op");

  Diagnostics diagnostics(*this);
  OperationState state(locationOf(source), name);
  state.addOperands(operands);
  if (!request.attributes.empty()) {
    auto dictionary = dyn_cast_if_present<DictionaryAttr>(
        parseAttribute(request.attributes, context_.get()));
    if (!dictionary) {
      std::string detail = error_;
      return fail(source, "expects a dictionary of attributes for '" +
                              request.name + "', but got '" +
                              request.attributes + "'\n" + detail);
    }
    state.addAttributes(dictionary.getValue());
  }
  if (request.resultTypes)
    state.addTypes(*request.resultTypes);
  else if (failed(inferTypes(state))) {
    if (error_.empty())
      return fail(source, "'" + request.name + "' does not fit its operands");
    noteOperands(request.operands);
    return failure();
  }
  if (failed(checkResultCount(
          state.types.size(),
          request.resultTypes ? request.resultTypes->size() : 1, source)))
    return failure();
  Operation *op = scopes_.back().builder.create(state);
  if (failed(settle(op, source, request.operands)))
    return failure();
  return rememberResults(op);
}

FailureOr<ValueId> ModuleBuilder::buildConstant(RankedTensorType type,
                                                llvm::ArrayRef<char> data,
                                                const Source &source) {
  if (failed(checkOpen(source)))
    return failure();
  FailureOr<DenseElementsAttr> value =
      elements(type, data, "the constant's elements", source);
  if (failed(value))
    return failure();
  auto op = scopes_.back().builder.create<graph::ConstantOp>(locationOf(source),
                                                             type, *value);
  return remember(op);
}

} // namespace graphc::trace
