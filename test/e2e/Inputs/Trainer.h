// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled model that is bound to inputs of its own and trains.
#ifndef GRAPHC_TEST_E2E_INPUTS_TRAINER_H
#define GRAPHC_TEST_E2E_INPUTS_TRAINER_H

#include <graphc/data.hpp>
#include <graphc/runtime.hpp>

#include <vector>

struct Trainer {
  /// Its initial values, and what it learns from, follow from `seed`. Integers
  /// are below `limit`.
  Trainer(const char *path, const char *function,
          const graphc::LoadOptions &options, int64_t limit)
      : model(path, options), call(model.call(function)) {
    graphc::Generator generator(options.seed);
    graphc::FunctionInfo info = model.function(std::string(function));
    for (size_t k = 0; k < info.inputs.size(); ++k) {
      inputs.emplace_back(info.inputs[k].dtype, info.inputs[k].shape);
      if (inputs[k].dtype() == GRAPHC_DTYPE_F32)
        generator.normal(inputs[k]);
      else
        generator.integers(inputs[k], 0, limit);
      call.bindInput(k, inputs[k]);
    }
    for (size_t k = 0; k < info.outputs.size(); ++k)
      loss = call.bindOwnOutput(info.outputs.size() - 1 - k);
  }
  float step() {
    call.run();
    return *static_cast<const float *>(loss.data);
  }

  graphc::Model model;
  graphc::Call call;
  std::vector<graphc::Array> inputs;
  graphc_tensor loss = {}; // Output 0.
};

#endif // GRAPHC_TEST_E2E_INPUTS_TRAINER_H
