// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <string>

#include "runtime/core/CheckTables.h"
#include "runtime/core/DType.h"
#include "runtime/core/HostFunctions.h"
#include "runtime/core/TableReader.h"

namespace graphc::runtime {
namespace {

void checkType(const TableReader &reader, const graphc_abi_type &type,
               const char *what, const char *name) {
  if (!isValidDType(type.dtype))
    corrupt("%s '%s' has unknown element type %u", what, name, type.dtype);
  if (type.rank > GRAPHC_ABI_MAX_RANK)
    corrupt("%s '%s' expects a rank of at most %u, but got %u", what, name,
            GRAPHC_ABI_MAX_RANK, type.rank);
  reader.array(type.dims, type.rank, "dims");
  uint64_t bytes;
  if (!tensorBytes(type.dtype, type.rank, type.dims, bytes))
    corrupt("%s '%s' has impossible type %s", what, name,
            typeText(type).c_str());
}

void checkInit(const TableReader &reader, const graphc_abi_variable &variable) {
  const graphc_abi_init &init = variable.init;
  bool isFloat = isFloatDType(variable.type.dtype);
  switch (init.kind) {
  case GRAPHC_ABI_INIT_ZEROS:
  case GRAPHC_ABI_INIT_CONSTANT:
    return;
  case GRAPHC_ABI_INIT_UNIFORM:
  case GRAPHC_ABI_INIT_NORMAL:
    if (!isFloat)
      corrupt("variable '%s' expects a float type for a random initial value, "
              "but got %s",
              variable.name, typeText(variable.type).c_str());
    if (init.kind == GRAPHC_ABI_INIT_NORMAL && init.a_int != 0 &&
        (variable.type.rank == 0 || init.a_int < 0 ||
         init.a_int > variable.type.dims[0]))
      corrupt("variable '%s' of type %s has no row %lld to set to 0",
              variable.name, typeText(variable.type).c_str(),
              static_cast<long long>(init.a_int - 1));
    return;
  case GRAPHC_ABI_INIT_DATA:
    if (init.data_bytes != bytesOf(variable.type))
      corrupt("variable '%s' expects %llu bytes of data, but got %llu",
              variable.name,
              static_cast<unsigned long long>(bytesOf(variable.type)),
              static_cast<unsigned long long>(init.data_bytes));
    reader.bytes(init.data, init.data_bytes, "initial data");
    return;
  case GRAPHC_ABI_INIT_SEED:
    if (variable.type.dtype != GRAPHC_DTYPE_I64)
      corrupt("variable '%s' expects i64 for a seed, but got %s", variable.name,
              typeText(variable.type).c_str());
    return;
  default:
    corrupt("variable '%s' has unknown initializer %u", variable.name,
            init.kind);
  }
}

void checkValues(const TableReader &reader, const graphc_abi_value *values,
                 uint32_t count, const char *what) {
  reader.array(values, count, what);
  for (uint32_t i = 0; i < count; ++i) {
    reader.string(values[i].name, "value name");
    checkType(reader, values[i].type, what, values[i].name);
  }
}

void checkHostFunctions(const TableReader &reader,
                        const graphc_model_root &root) {
  const uint32_t count = hostFunctionCount(root);
  if (count == 0)
    return;
  reader.array(root.host_functions, count, "host functions");
  for (uint32_t i = 0; i < count; ++i) {
    const graphc_abi_host_function &function = root.host_functions[i];
    reader.string(function.name, "host function name");
    if (function.input_count > GRAPHC_ABI_MAX_HOST_TENSORS ||
        function.output_count >
            GRAPHC_ABI_MAX_HOST_TENSORS - function.input_count)
      corrupt("host function '%s' expects at most %u tensors", function.name,
              GRAPHC_ABI_MAX_HOST_TENSORS);
    reader.array(function.inputs, function.input_count, "host inputs");
    reader.array(function.outputs, function.output_count, "host outputs");
    for (uint32_t k = 0; k < function.input_count; ++k)
      checkType(reader, function.inputs[k], "host function", function.name);
    for (uint32_t k = 0; k < function.output_count; ++k)
      checkType(reader, function.outputs[k], "host function", function.name);
  }
}

} // namespace

void checkModel(const Library &library, const graphc_model_root *root) {
  TableReader reader(library);
  reader.array(root, 1, "root");
  if (root->abi_major != GRAPHC_ABI_MAJOR)
    fail(GRAPHC_UNSUPPORTED,
         "the model's tables have ABI version %u.%u, but this runtime expects "
         "%u.x",
         root->abi_major, root->abi_minor, GRAPHC_ABI_MAJOR);
  constexpr size_t least = offsetof(graphc_model_root, host_function_count);
  if (root->struct_bytes < least)
    corrupt("the root expects at least %zu bytes, but got %u", least,
            root->struct_bytes);
  reader.string(root->compiler_version, "compiler version");
  reader.string(root->module_name, "module name");

  reader.array(root->variables, root->variable_count, "variables");
  for (uint32_t i = 0; i < root->variable_count; ++i) {
    const graphc_abi_variable &variable = root->variables[i];
    reader.string(variable.name, "variable name");
    checkType(reader, variable.type, "variable", variable.name);
    checkInit(reader, variable);
  }
  reader.array(root->functions, root->function_count, "functions");
  for (uint32_t i = 0; i < root->function_count; ++i) {
    const graphc_abi_function &function = root->functions[i];
    reader.string(function.name, "function name");
    reader.string(function.family, "function family");
    if (function.kind > GRAPHC_ABI_FUNCTION_GRAD)
      corrupt("function '%s' has unknown kind %u", function.name,
              function.kind);
    checkValues(reader, function.inputs, function.input_count, "input");
    checkValues(reader, function.outputs, function.output_count, "output");
  }
  reader.array(root->variants, root->variant_count, "variants");
  for (uint32_t i = 0; i < root->variant_count; ++i) {
    reader.string(root->variants[i].target, "target");
    reader.string(root->variants[i].level, "level");
  }
  checkHostFunctions(reader, *root);
}

} // namespace graphc::runtime
