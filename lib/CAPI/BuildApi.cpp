// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The building half of graphc/compiler.h.
#include "lib/CAPI/Convert.h"
#include "lib/Support/Dtype/Dtype.h"

using namespace graphc::capi;
using graphc::trace::ValueId;

/// Copies ids to the caller, who has room for as many.
static graphc_status
giveResults(graphc_module *module,
            const mlir::FailureOr<std::vector<ValueId>> &ids,
            graphc_value *out_results) {
  if (mlir::failed(ids))
    return failed(module);
  std::copy(ids->begin(), ids->end(), out_results);
  return GRAPHC_OK;
}

graphc_status graphc_function_begin(graphc_module *module, const char *name,
                                    const graphc_tensor_type *types,
                                    const char *const *argument_names,
                                    size_t argument_count,
                                    const char *specializes, int is_private,
                                    const graphc_source *source,
                                    graphc_value *out_arguments) {
  if (!module || !name)
    return missing("a module and a name");
  if (argument_count && (!types || !out_arguments))
    return missing("argument types and room for the arguments");
  llvm::SmallVector<mlir::Type> converted;
  for (size_t k = 0; k < argument_count; ++k) {
    mlir::Type type = toType(&module->builder.context(), &types[k]);
    if (!type)
      return GRAPHC_INVALID_ARGUMENT;
    converted.push_back(type);
  }
  return giveResults(module,
                     module->builder.beginFunction(
                         name, converted,
                         toStrings(argument_names, argument_count),
                         toString(specializes), is_private, toSource(source)),
                     out_arguments);
}

graphc_status graphc_function_end(graphc_module *module,
                                  const graphc_value *results,
                                  const char *const *result_names,
                                  size_t result_count) {
  if (!module || (result_count && !results))
    return missing("a module and results");
  return mlir::failed(module->builder.endFunction(
             {results, result_count}, toStrings(result_names, result_count)))
             ? failed(module)
             : GRAPHC_OK;
}

void graphc_function_abandon(graphc_module *module) {
  if (module)
    module->builder.abandonFunction();
}

graphc_status graphc_build_op(graphc_module *module, const char *op,
                              const graphc_value *operands,
                              size_t operand_count, const char *attributes,
                              const graphc_tensor_type *result_types,
                              size_t result_count, const graphc_source *source,
                              graphc_value *out_results) {
  if (!module || !op)
    return missing("a module and an op name");
  if (operand_count && !operands)
    return missing("operands");
  graphc::trace::OpRequest request;
  request.name = op;
  request.operands = {operands, operand_count};
  request.attributes = toString(attributes);
  request.source = toSource(source);
  llvm::SmallVector<mlir::Type> types;
  if (result_types) {
    for (size_t k = 0; k < result_count; ++k) {
      mlir::Type type = toType(&module->builder.context(), &result_types[k]);
      if (!type)
        return GRAPHC_INVALID_ARGUMENT;
      types.push_back(type);
    }
    request.resultTypes = llvm::ArrayRef<mlir::Type>(types);
  }
  if ((!result_types || result_count) && !out_results)
    return missing("room for the results");
  if (!isReadable(module, request.attributes, "attributes", source))
    return GRAPHC_COMPILE_ERROR;
  return giveResults(module, module->builder.buildOp(request), out_results);
}

graphc_status graphc_build_constant(graphc_module *module,
                                    const graphc_tensor_type *type,
                                    const void *data, size_t bytes,
                                    const graphc_source *source,
                                    graphc_value *out_value) {
  if (!module || !out_value || (bytes && !data))
    return missing("a module, data and room for the value");
  mlir::RankedTensorType converted = toType(&module->builder.context(), type);
  if (!converted)
    return GRAPHC_INVALID_ARGUMENT;
  mlir::FailureOr<ValueId> value = module->builder.buildConstant(
      converted, {static_cast<const char *>(data), bytes}, toSource(source));
  if (mlir::failed(value))
    return failed(module);
  *out_value = *value;
  return GRAPHC_OK;
}

graphc_status graphc_build_call(graphc_module *module, const char *function,
                                const graphc_value *operands,
                                size_t operand_count,
                                const graphc_source *source,
                                graphc_value *out_results,
                                size_t result_count) {
  if (!module || !function || (operand_count && !operands) ||
      (result_count && !out_results))
    return missing("a module, a function, operands and room for results");
  return giveResults(module,
                     module->builder.buildCall(function,
                                               {operands, operand_count},
                                               toSource(source), result_count),
                     out_results);
}

graphc_status
graphc_build_value_and_grad(graphc_module *module, const char *function,
                            const graphc_value *operands, size_t operand_count,
                            const int64_t *inputs, size_t input_count,
                            const char *const *variables, size_t variable_count,
                            const graphc_source *source,
                            graphc_value *out_results, size_t result_count) {
  if (!module || !function || (operand_count && !operands) ||
      (input_count && !inputs) || (variable_count && !variables) ||
      (result_count && !out_results))
    return missing("a module, a function and the arrays that go with counts");
  return giveResults(
      module,
      module->builder.buildValueAndGrad(
          function, {operands, operand_count}, {inputs, input_count},
          toStrings(variables, variable_count), toSource(source), result_count),
      out_results);
}

graphc_status graphc_value_type(graphc_module *module, graphc_value value,
                                graphc_tensor_type *out_type) {
  if (!module || !out_type)
    return missing("a module and room for the type");
  mlir::RankedTensorType type = module->builder.typeOf(value);
  if (!type)
    return fail(GRAPHC_INVALID_ARGUMENT,
                "expects a value of this module, but got " +
                    std::to_string(value));
  module->shapes.emplace_back(type.getShape().begin(), type.getShape().end());
  *out_type = {graphc::toDtype(type.getElementType()),
               static_cast<uint32_t>(type.getRank()),
               module->shapes.back().data()};
  return GRAPHC_OK;
}

graphc_status graphc_value_origin(graphc_module *module, graphc_value value,
                                  const char **out_origin) {
  if (!module || !out_origin)
    return missing("a module and room for the text");
  module->text = module->builder.originOf(value);
  *out_origin = module->text.c_str();
  return GRAPHC_OK;
}

graphc_status graphc_for_begin(graphc_module *module, int64_t count,
                               const graphc_value *inits, size_t init_count,
                               const graphc_source *source,
                               graphc_value *out_arguments) {
  if (!module || (init_count && !inits) || !out_arguments)
    return missing("a module, values and room for the arguments");
  return giveResults(
      module,
      module->builder.beginFor(count, {inits, init_count}, toSource(source)),
      out_arguments);
}

graphc_status graphc_checkpoint_begin(graphc_module *module,
                                      const graphc_source *source) {
  if (!module)
    return missing("a module");
  return mlir::failed(module->builder.beginCheckpoint(toSource(source)))
             ? failed(module)
             : GRAPHC_OK;
}

graphc_status graphc_precision_begin(graphc_module *module,
                                     const graphc_source *source) {
  if (!module)
    return missing("a module");
  return mlir::failed(module->builder.beginPrecision(toSource(source)))
             ? failed(module)
             : GRAPHC_OK;
}

graphc_status graphc_region_end(graphc_module *module,
                                const graphc_value *values, size_t value_count,
                                graphc_value *out_results) {
  if (!module || (value_count && (!values || !out_results)))
    return missing("a module, values and room for the results");
  return giveResults(
      module, module->builder.endRegion({values, value_count}, value_count),
      out_results);
}

void graphc_region_abandon(graphc_module *module) {
  if (module)
    module->builder.abandonRegion();
}
