// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appending one op, whichever, to the innermost function.
#include "lib/Trace/ModuleBuilder.h"

#include "lib/Trace/Diagnostics.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;

namespace graphc::trace {

/// Checks operand count and required attributes, which inference takes for
/// granted. They are known to a whole op's verifier only, so a trial op is made
/// with a stand-in for the result; what the verifier then says about the result
/// means nothing.
static LogicalResult checkBeforeInference(const OperationState &state) {
  MLIRContext *context = state.getContext();
  OperationState trial(state.location, state.name);
  trial.addOperands(state.operands);
  trial.addAttributes(state.attributes);
  trial.addTypes(state.operands.empty()
                     ? RankedTensorType::get({}, Float32Type::get(context))
                     : state.operands.front().getType());
  std::string message;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    Operation *op = Operation::create(trial);
    (void)state.name.verifyInvariants(op);
    op->destroy();
  }
  llvm::StringRef text(message);
  if (text.contains("requires attribute") || text.contains("operand"))
    return emitError(state.location) << message;
  return success();
}

/// Asks the op's own inference for the result types of `state`.
static LogicalResult inferTypes(OperationState &state) {
  std::optional<RegisteredOperationName> info = state.name.getRegisteredInfo();
  auto *infer = info->getInterface<InferTypeOpInterface>();
  MLIRContext *context = state.getContext();
  if (!infer)
    return emitError(state.location)
           << "'" << state.name << "' needs its result type to be given";
  if (failed(checkBeforeInference(state)))
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
    for (auto [k, id] : llvm::enumerate(request.operands)) {
      std::string type;
      llvm::raw_string_ostream(type) << typeOf(id);
      error_ += "\nnote: operand " + std::to_string(k) + " is " + type +
                " from " + originOf(id);
    }
    return failure();
  }
  Operation *op = scopes_.back().builder.create(state);
  if (failed(settle(op, source, request.operands)))
    return failure();
  return rememberResults(op);
}

FailureOr<ValueId> ModuleBuilder::buildConstant(RankedTensorType type,
                                                llvm::ArrayRef<char> data,
                                                const Source &source) {
  if (failed(lookup({}, source, *std::make_unique<llvm::SmallVector<Value>>())))
    return failure();
  bool isSplat = false;
  if (!DenseElementsAttr::isValidRawBuffer(type, data, isSplat))
    return fail(source, "the constant's data does not fit its type");
  auto op = scopes_.back().builder.create<graph::ConstantOp>(
      locationOf(source), type,
      DenseElementsAttr::getFromRawBuffer(type, data));
  return remember(op);
}

} // namespace graphc::trace
