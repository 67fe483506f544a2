// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loaded model: its library, the variant that runs here, its memory.
#ifndef GRAPHC_RUNTIME_CORE_MODEL_H
#define GRAPHC_RUNTIME_CORE_MODEL_H

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "graphc/abi/model_abi.h"
#include "graphc/runtime.h"
#include "runtime/core/Context.h"
#include "runtime/core/Executor.h"
#include "runtime/core/Image.h"
#include "runtime/core/Memory.h"

namespace graphc::runtime {

class ConvenientCall;
class SafetensorsReader;

class Model {
public:
  Model(const char *path, const graphc_load_options &options);
  ~Model();

  const graphc_abi_function &function(size_t index) const;
  const graphc_abi_variable &variable(size_t index) const;
  /// Throws NOT_FOUND with a list of what there is.
  size_t findFunction(const char *name) const;
  size_t findVariable(const char *name) const;
  const graphc_abi_plan &plan(size_t function) const {
    return variant->plans[function];
  }
  Spaces spaces() const {
    return {arena.get(), state.get(),
            static_cast<const std::byte *>(variant->constants)};
  }
  RunOptions runOptions(size_t function);

  void getVariable(size_t index, const graphc_tensor &to);
  void setVariable(size_t index, const graphc_tensor &from);
  /// `isZeroed`: the whole state is zeros already.
  void initialize(uint64_t seed, bool isZeroed = false);
  void saveState(const char *path);
  void loadState(const char *path, const graphc_load_state_options &options);
  void resetProfile();

  Library library;
  const graphc_model_root *root = nullptr;
  const graphc_abi_variant *variant = nullptr;
  std::shared_ptr<Context> context;
  unsigned threads = 1;
  uint64_t arenaBytes = 0;
  AlignedBuffer arena, state;
  // Under check_numerics, else empty; [function].
  AlignedBuffer stateCopy;
  std::vector<NumericsWatch> watches;
  std::vector<StateBackup> backups;
  std::vector<std::vector<EntryTime>> times; // [function][entry], if profiling.
  /// What graphc_model_run() keeps between runs, [function].
  std::vector<std::unique_ptr<ConvenientCall>> convenientCalls;
  HostFunctions host;
  std::atomic<bool> isInUse{false};

private:
  void chooseThreads(const graphc_load_options &options);
  void allocate(const graphc_load_options &options, const char *path);
  /// Every variable from `path`, instead of its initial value.
  void loadInitialState(const char *path);

  /// Throws unless what the file holds suits this model.
  void checkStateFile(const SafetensorsReader &reader, const char *path,
                      const graphc_load_state_options &options) const;
  /// Reads the variables that the file has into `stateBlock`, which is laid out
  /// as the state. `scratch` has room for any that is packed.
  void readStateFile(const SafetensorsReader &reader, std::byte *scratch,
                     std::byte *stateBlock) const;
  /// A variable's logical bytes: in the state itself if `layout` is plain, else
  /// unpacked into `scratch`, which has room for them.
  const std::byte *logicalBytes(size_t index, std::byte *scratch) const;
  /// Stores logical bytes into `stateBlock`, which is laid out as the state.
  void storeLogical(size_t index, const std::byte *logical,
                    std::byte *stateBlock) const;
  void runPackKernel(uint32_t kernelPlusOne, const void *from, void *to) const;
  uint64_t maxPackedBytes() const;
};

/// One thread's hold on a model. Throws INVALID_ARGUMENT if another has it.
class ModelUse {
public:
  explicit ModelUse(Model &model);
  ~ModelUse() { model.isInUse.store(false, std::memory_order_release); }
  ModelUse(const ModelUse &) = delete;
  ModelUse &operator=(const ModelUse &) = delete;

private:
  Model &model;
};

/// The variant to run on a CPU with `features`: the first that fits. Throws
/// UNSUPPORTED, naming what the model has and what the CPU is.
const graphc_abi_variant &chooseVariant(const graphc_model_root &root,
                                        uint64_t features, const char *path);

} // namespace graphc::runtime

struct graphc_model : graphc::runtime::Model {
  using Model::Model;
};

#endif // GRAPHC_RUNTIME_CORE_MODEL_H
