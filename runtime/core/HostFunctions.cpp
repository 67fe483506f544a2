// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/HostFunctions.h"

#include <cstring>

#include "runtime/core/Error.h"
#include "runtime/core/NameList.h"

namespace graphc::runtime {

HostFunctions::HostFunctions(const graphc_model_root &root)
    : moduleName(root.module_name), slots(hostFunctionCount(root)) {
  if (!slots.empty())
    table = root.host_functions;
}

void HostFunctions::set(const char *name, graphc_host_function function,
                        void *user) {
  bool isKnown = false;
  for (size_t k = 0; name && k < slots.size(); ++k) {
    if (std::strcmp(table[k].name, name) != 0)
      continue;
    slots[k] = {function, user};
    isKnown = true;
  }
  if (!isKnown)
    fail(name ? GRAPHC_NOT_FOUND : GRAPHC_INVALID_ARGUMENT,
         "model '%s' calls no host function '%s'; it calls: %s", moduleName,
         name ? name : "(null)", nameList(slots.size(), [&](size_t k) {
                                   return table[k].name;
                                 }).c_str());
}

graphc_status HostFunctions::call(int64_t number,
                                  void *const *buffers) const noexcept {
  const graphc_abi_host_function &function = table[number];
  graphc_tensor tensors[GRAPHC_ABI_MAX_HOST_TENSORS];
  const size_t inputs = function.input_count, outputs = function.output_count;
  for (size_t k = 0; k < inputs + outputs; ++k) {
    const graphc_abi_type &type =
        k < inputs ? function.inputs[k] : function.outputs[k - inputs];
    tensors[k] = {};
    tensors[k].dtype = static_cast<graphc_dtype>(type.dtype);
    tensors[k].rank = type.rank;
    tensors[k].shape = type.dims;
    tensors[k].data = buffers[k];
  }
  const Slot &slot = slots[static_cast<size_t>(number)];
  graphc_error_set(GRAPHC_OK, "");
  try {
    return slot.function(slot.user, tensors, inputs, tensors + inputs, outputs);
  } catch (...) {
    return graphc_error_set(GRAPHC_INTERNAL, "it threw an exception");
  }
}

} // namespace graphc::runtime
