// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_TOOLS_GRAPHRUN_TRAINDATA_H
#define GRAPHC_TOOLS_GRAPHRUN_TRAINDATA_H

#include "tools/graph-run/Model.h"

namespace graph_run {

/// All samples, one array for each input of a training step.
struct TrainData {
  std::vector<graphc::Array> arrays;
  std::vector<std::vector<int64_t>> shapes; // [samples, as the input wants]

  int64_t size() const { return shapes.at(0)[0]; }
  std::vector<graphc_tensor> tensors() const;
};

/// Reads --data as the inputs of `step`, whatever its batch size.
TrainData readTrainData(const graphc::FunctionInfo &step,
                        const Options &options);

} // namespace graph_run

#endif // GRAPHC_TOOLS_GRAPHRUN_TRAINDATA_H
