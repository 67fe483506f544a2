// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// graphc_model_*: thin C functions over Model.
#include "runtime/core/Call.h"
#include "runtime/core/DType.h"
#include "runtime/core/Error.h"
#include "runtime/core/InfoStruct.h"
#include "runtime/core/Memory.h"
#include "runtime/core/Model.h"

using namespace graphc::runtime;

namespace {

void describeValue(const graphc_abi_value &value, graphc_value_info *out) {
  graphc_value_info info = {};
  info.name = value.name;
  info.dtype = static_cast<graphc_dtype>(value.type.dtype);
  info.rank = value.type.rank;
  info.shape = value.type.dims;
  info.bytes = bytesOf(value.type);
  writeInfo(out, info);
}

} // namespace

extern "C" {

graphc_status graphc_model_load(const char *path,
                                const graphc_load_options *options,
                                graphc_model **out_model) {
  return guarded([&] {
    require(path, "path");
    require(out_model, "out_model");
    *out_model = new graphc_model(path, readOptions(options));
  });
}

void graphc_model_destroy(graphc_model *model) { delete model; }

graphc_status graphc_memory_describe(graphc_memory_info *out_info) {
  return guarded([&] {
    const MemoryUse use = memoryUse();
    graphc_memory_info info = {};
    info.current_bytes = use.current;
    info.peak_bytes = use.peak;
    writeInfo(out_info, info);
  });
}

graphc_status graphc_model_describe(const graphc_model *model,
                                    graphc_model_info *out_info) {
  return guarded([&] {
    require(model, "model");
    graphc_model_info info = {};
    info.name = model->root->module_name;
    info.compiler_version = model->root->compiler_version;
    info.abi_major = model->root->abi_major;
    info.abi_minor = model->root->abi_minor;
    info.target = model->variant->target;
    info.level = model->variant->level;
    info.threads = model->threads;
    info.max_threads = model->variant->max_threads;
    info.arena_bytes = model->arenaBytes;
    info.state_bytes = model->variant->state_bytes;
    info.constant_bytes = model->variant->constant_bytes;
    info.function_count = model->root->function_count;
    info.variable_count = model->root->variable_count;
    writeInfo(out_info, info);
  });
}

graphc_status graphc_model_describe_function(const graphc_model *model,
                                             size_t function,
                                             graphc_function_info *out_info) {
  return guarded([&] {
    require(model, "model");
    const graphc_abi_function &from = model->function(function);
    graphc_function_info info = {};
    info.name = from.name;
    info.family = from.family;
    info.kind = static_cast<graphc_function_kind>(from.kind);
    info.writes_state = from.writes_state != 0;
    info.input_count = from.input_count;
    info.output_count = from.output_count;
    info.entry_count = model->plan(function).entry_count;
    info.arena_bytes = model->plan(function).arena_bytes;
    writeInfo(out_info, info);
  });
}

graphc_status graphc_model_find_function(const graphc_model *model,
                                         const char *name,
                                         size_t *out_function) {
  return guarded([&] {
    require(model, "model");
    require(out_function, "out_function");
    *out_function = model->findFunction(name);
  });
}

graphc_status graphc_model_describe_input(const graphc_model *model,
                                          size_t function, size_t input,
                                          graphc_value_info *out_info) {
  return guarded([&] {
    require(model, "model");
    const graphc_abi_function &from = model->function(function);
    if (input >= from.input_count)
      fail(GRAPHC_INVALID_ARGUMENT,
           "@%s expects an input number below %u, but got %zu", from.name,
           from.input_count, input);
    describeValue(from.inputs[input], out_info);
  });
}

graphc_status graphc_model_describe_output(const graphc_model *model,
                                           size_t function, size_t output,
                                           graphc_value_info *out_info) {
  return guarded([&] {
    require(model, "model");
    const graphc_abi_function &from = model->function(function);
    if (output >= from.output_count)
      fail(GRAPHC_INVALID_ARGUMENT,
           "@%s expects an output number below %u, but got %zu", from.name,
           from.output_count, output);
    describeValue(from.outputs[output], out_info);
  });
}

graphc_status graphc_model_describe_variable(const graphc_model *model,
                                             size_t variable,
                                             graphc_variable_info *out_info) {
  return guarded([&] {
    require(model, "model");
    const graphc_abi_variable &from = model->variable(variable);
    graphc_variable_info info = {};
    info.name = from.name;
    info.dtype = static_cast<graphc_dtype>(from.type.dtype);
    info.rank = from.type.rank;
    info.shape = from.type.dims;
    info.bytes = bytesOf(from.type);
    info.flags = from.flags;
    writeInfo(out_info, info);
  });
}

graphc_status graphc_model_get_variable(graphc_model *model, const char *name,
                                        const graphc_tensor *destination) {
  return guarded([&] {
    require(model, "model");
    require(destination, "destination");
    ModelUse use(*model);
    model->getVariable(model->findVariable(name), *destination);
  });
}

graphc_status graphc_model_set_variable(graphc_model *model, const char *name,
                                        const graphc_tensor *source) {
  return guarded([&] {
    require(model, "model");
    require(source, "source");
    ModelUse use(*model);
    model->setVariable(model->findVariable(name), *source);
  });
}

graphc_status graphc_model_set_host_function(graphc_model *model,
                                             const char *name,
                                             graphc_host_function function,
                                             void *user) {
  return guarded([&] {
    require(model, "model");
    ModelUse use(*model);
    model->host.set(name, function, user);
  });
}

graphc_status graphc_model_initialize(graphc_model *model, uint64_t seed) {
  return guarded([&] {
    require(model, "model");
    ModelUse use(*model);
    model->initialize(seed);
  });
}

graphc_status graphc_model_save_state(graphc_model *model, const char *path) {
  return guarded([&] {
    require(model, "model");
    require(path, "path");
    ModelUse use(*model);
    model->saveState(path);
  });
}

graphc_status
graphc_model_load_state(graphc_model *model, const char *path,
                        const graphc_load_state_options *options) {
  return guarded([&] {
    require(model, "model");
    require(path, "path");
    graphc_load_state_options known = readOptions(options);
    ModelUse use(*model);
    model->loadState(path, known);
  });
}

graphc_status graphc_model_profile_entry(const graphc_model *model,
                                         size_t function, size_t entry,
                                         graphc_profile_entry *out_entry) {
  return guarded([&] {
    require(model, "model");
    const char *functionName = model->function(function).name;
    const graphc_abi_plan &plan = model->plan(function);
    if (model->times.empty())
      fail(GRAPHC_INVALID_ARGUMENT, "the model was loaded without `profile`");
    if (entry >= plan.entry_count)
      fail(GRAPHC_INVALID_ARGUMENT,
           "@%s expects an entry number below %u, but got %zu", functionName,
           plan.entry_count, entry);
    static const char *const kinds[] = {"launch",     "copy",     "memset",
                                        "loop_begin", "loop_end", "commit"};
    const graphc_abi_entry &from = plan.entries[entry];
    graphc_profile_entry info = {};
    info.name = from.kind == GRAPHC_ABI_LAUNCH
                    ? model->variant->kernels[from.kernel].name
                    : kinds[from.kind];
    info.op_name = from.op_name;
    info.location = from.location;
    info.run_count = model->times[function][entry].runCount;
    info.total_ns = model->times[function][entry].totalNs;
    for (uint32_t i = 0; i < from.buffer_count; ++i)
      info.bytes += from.buffers[i].bytes;
    writeInfo(out_entry, info);
  });
}

graphc_status graphc_model_reset_profile(graphc_model *model) {
  return guarded([&] {
    require(model, "model");
    ModelUse use(*model);
    model->resetProfile();
  });
}

} // extern "C"
