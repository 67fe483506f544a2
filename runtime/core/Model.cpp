// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Model.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/Call.h"
#include "runtime/core/CheckTables.h"
#include "runtime/core/DType.h"
#include "runtime/core/Error.h"
#include "runtime/core/NameList.h"
#include "runtime/cpu/CpuFeatures.h"

namespace graphc::runtime {

ModelUse::ModelUse(Model &model) : model(model) {
  if (model.isInUse.exchange(true, std::memory_order_acquire))
    fail(GRAPHC_INVALID_ARGUMENT,
         "model '%s' is in use by another thread; load it once for each thread",
         model.root->module_name);
}

const graphc_abi_variant &chooseVariant(const graphc_model_root &root,
                                        uint64_t features, const char *path) {
  std::string levels;
  for (uint32_t i = 0; i < root.variant_count; ++i) {
    const graphc_abi_variant &variant = root.variants[i];
    if (std::strcmp(variant.target, "cpu") == 0 &&
        (variant.cpu_features & ~features) == 0)
      return variant;
    levels += (i ? "; " : "") + std::string(variant.target) + " " +
              variant.level + " (needs " +
              cpuFeatureText(variant.cpu_features) + ")";
  }
  fail(GRAPHC_UNSUPPORTED,
       "model '%s' has no code for this CPU, which is %s; the model has: %s",
       path, cpuFeatureText(features).c_str(),
       levels.empty() ? "none" : levels.c_str());
}

Model::Model(const char *path, const graphc_load_options &options) {
  checkDevice(options.device);
  library = Library(openVerifiedImage(path), path);
  auto query = reinterpret_cast<graphc_model_query_fn>(
      library.symbol(GRAPHC_ABI_QUERY_SYMBOL));
  if (!query)
    fail(GRAPHC_CORRUPT, "model '%s' does not export %s", path,
         GRAPHC_ABI_QUERY_SYMBOL);
  root = query(GRAPHC_ABI_MAJOR);
  if (!root)
    fail(GRAPHC_UNSUPPORTED,
         "model '%s' does not know ABI version %u; compile it again with a "
         "graphc of this version",
         path, GRAPHC_ABI_MAJOR);
  checkModel(library, root);
  variant = &chooseVariant(*root, cpuFeatures(), path);
  checkVariant(library, *root, *variant);
  host = HostFunctions(*root);
  chooseThreads(options);
  allocate(options, path);
  if (options.state_path)
    loadInitialState(options.state_path);
  else
    initialize(options.seed, /*isZeroed=*/true);
}

Model::~Model() = default;

void Model::chooseThreads(const graphc_load_options &options) {
  const unsigned compiledFor = std::max(1u, variant->max_threads);
  if (options.threads > compiledFor)
    fail(GRAPHC_INVALID_ARGUMENT,
         "the model was compiled for at most %u threads, but got a request for "
         "%u; compile it with a larger max_threads",
         compiledFor, options.threads);
  context = options.context ? options.context->shared : defaultContext();
  // A pool of the parent process has no workers here.
  const bool isInherited = !context->pool.belongsToThisProcess();
  const unsigned contextThreads = isInherited ? 1 : context->pool.size();
  if (options.threads > contextThreads) {
    if (options.context)
      fail(GRAPHC_INVALID_ARGUMENT,
           "the context has %u threads%s, but got a request for %u",
           contextThreads, isInherited ? " since this process was forked" : "",
           options.threads);
    graphc_context_options own = {};
    own.threads = options.threads;
    context = createContext(own);
  }
  threads =
      options.threads ? options.threads : std::min(contextThreads, compiledFor);
  bool isParallel = false;
  for (uint32_t i = 0; i < root->function_count; ++i)
    for (uint32_t e = 0; e < variant->plans[i].entry_count; ++e)
      isParallel |=
          (variant->plans[i].entries[e].flags & GRAPHC_ABI_ENTRY_PARALLEL) != 0;
  if (!isParallel || threads == 1)
    return;
  if (!context->pool.start(threads) && options.threads != 0)
    fail(GRAPHC_OUT_OF_MEMORY,
         "the system refuses to start the %u threads asked for", threads);
}

void Model::allocate(const graphc_load_options &options, const char *path) {
  for (uint32_t i = 0; i < root->function_count; ++i)
    arenaBytes = std::max(arenaBytes, variant->plans[i].arena_bytes);
  if (options.max_arena_bytes != 0 && arenaBytes > options.max_arena_bytes)
    fail(GRAPHC_OUT_OF_MEMORY,
         "model '%s' needs an arena of %llu bytes, but max_arena_bytes is %llu",
         path, static_cast<unsigned long long>(arenaBytes),
         static_cast<unsigned long long>(options.max_arena_bytes));
  arena = allocateAligned(arenaBytes, "arena");
  // Padding as well, so that a saved state is reproducible.
  state = allocateZeroed(variant->state_bytes, "state");
  if (options.check_numerics) {
    stateCopy = allocateAligned(variant->state_bytes, "state backup");
    const uint64_t features = cpuFeatures();
    for (uint32_t i = 0; i < root->function_count; ++i) {
      const graphc_abi_plan &plan = variant->plans[i];
      watches.emplace_back(plan, features);
      backups.emplace_back(plan, variant->state_bytes, state.get(),
                           stateCopy.get());
    }
  }
  convenientCalls.resize(root->function_count);
  if (options.profile) {
    times.resize(root->function_count);
    for (uint32_t i = 0; i < root->function_count; ++i)
      times[i].resize(variant->plans[i].entry_count);
  }
}

RunOptions Model::runOptions(size_t function) {
  RunOptions options;
  options.pool = &context->pool;
  options.threads = threads;
  options.times = times.empty() ? nullptr : times[function].data();
  if (!watches.empty()) {
    options.watch = &watches[function];
    options.backup = &backups[function];
  }
  options.host = &host;
  return options;
}

const graphc_abi_function &Model::function(size_t index) const {
  if (index >= root->function_count)
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a function number below %u, but got %zu",
         root->function_count, index);
  return root->functions[index];
}

const graphc_abi_variable &Model::variable(size_t index) const {
  if (index >= root->variable_count)
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a variable number below %u, but got %zu",
         root->variable_count, index);
  return root->variables[index];
}

size_t Model::findFunction(const char *name) const {
  for (uint32_t i = 0; name && i < root->function_count; ++i)
    if (!std::strcmp(root->functions[i].name, name))
      return i;
  fail(name ? GRAPHC_NOT_FOUND : GRAPHC_INVALID_ARGUMENT,
       "model '%s' has no function '%s'; there are: %s", root->module_name,
       name ? name : "(null)", nameList(root->function_count, [&](size_t i) {
                                 return root->functions[i].name;
                               }).c_str());
}

size_t Model::findVariable(const char *name) const {
  for (uint32_t i = 0; name && i < root->variable_count; ++i)
    if (!std::strcmp(root->variables[i].name, name))
      return i;
  fail(name ? GRAPHC_NOT_FOUND : GRAPHC_INVALID_ARGUMENT,
       "model '%s' has no variable '%s'; there are: %s", root->module_name,
       name ? name : "(null)", nameList(root->variable_count, [&](size_t i) {
                                 return root->variables[i].name;
                               }).c_str());
}

void Model::resetProfile() {
  for (auto &function : times)
    std::fill(function.begin(), function.end(), EntryTime());
}

} // namespace graphc::runtime
