// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the host program that a model's graph.custom ops call.
#ifndef GRAPHC_RUNTIME_CORE_HOSTFUNCTIONS_H
#define GRAPHC_RUNTIME_CORE_HOSTFUNCTIONS_H

#include <vector>

#include "graphc/abi/model_abi.h"
#include "graphc/runtime.h"

namespace graphc::runtime {

class HostFunctions {
public:
  HostFunctions() = default;
  explicit HostFunctions(const graphc_model_root &root);

  /// Registers `function` for all of this name. Throws NOT_FOUND if the model
  /// calls none.
  void set(const char *name, graphc_host_function function, void *user);

  const graphc_abi_host_function &operator[](int64_t number) const {
    return table[number];
  }
  bool isRegistered(int64_t number) const {
    return slots[static_cast<size_t>(number)].function != nullptr;
  }
  /// Calls number `number`, which is registered, on its buffers. Allocates
  /// nothing; an exception of the function is GRAPHC_INTERNAL.
  graphc_status call(int64_t number, void *const *buffers) const noexcept;

private:
  struct Slot {
    graphc_host_function function = nullptr;
    void *user = nullptr;
  };
  const char *moduleName = "";
  const graphc_abi_host_function *table = nullptr;
  std::vector<Slot> slots;
};

/// How many host functions a model calls: none before ABI 1.1.
inline uint32_t hostFunctionCount(const graphc_model_root &root) {
  return root.struct_bytes >= sizeof(root) ? root.host_function_count : 0;
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_HOSTFUNCTIONS_H
