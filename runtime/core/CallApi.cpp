// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// graphc_call_* and graphc_model_run(): thin C functions over Call.
#include "runtime/core/Call.h"
#include "runtime/core/Error.h"

using namespace graphc::runtime;

extern "C" {

graphc_status graphc_call_create(graphc_model *model, const char *function,
                                 graphc_call **out_call) {
  return guarded([&] {
    require(model, "model");
    require(out_call, "out_call");
    *out_call = new graphc_call(*model, model->findFunction(function));
  });
}

void graphc_call_destroy(graphc_call *call) { delete call; }

graphc_status graphc_call_bind_input(graphc_call *call, size_t input,
                                     const graphc_tensor *tensor) {
  return guarded([&] {
    require(call, "call");
    require(tensor, "tensor");
    call->bindInput(input, *tensor);
  });
}

graphc_status graphc_call_bind_output(graphc_call *call, size_t output,
                                      const graphc_tensor *tensor) {
  return guarded([&] {
    require(call, "call");
    if (tensor)
      call->bindOutput(output, *tensor);
    else
      call->bindOwnOutput(output);
  });
}

graphc_status graphc_call_output(const graphc_call *call, size_t output,
                                 graphc_tensor *out_tensor) {
  return guarded([&] {
    require(call, "call");
    require(out_tensor, "out_tensor");
    *out_tensor = call->output(output);
  });
}

graphc_status graphc_call_run(graphc_call *call) {
  try {
    require(call, "call");
    ModelUse use(call->owner());
    return call->run();
  } catch (...) {
    return statusOfCurrentException();
  }
}

graphc_status graphc_model_run(graphc_model *model, const char *name,
                               const graphc_tensor *inputs, size_t input_count,
                               const graphc_tensor *outputs,
                               size_t output_count) {
  try {
    require(model, "model");
    ModelUse use(*model);
    size_t function = chooseFunction(*model, name, inputs, input_count);
    std::unique_ptr<ConvenientCall> &call = model->convenientCalls[function];
    if (!call)
      call = std::make_unique<ConvenientCall>(*model, function);
    return call->run(inputs, outputs, output_count);
  } catch (...) {
    return statusOfCurrentException();
  }
}

} // extern "C"
