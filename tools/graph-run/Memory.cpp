// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was planned, and what it came to.
#include <algorithm>
#include <cstdio>
#include <sys/resource.h>

#include "tools/graph-run/Model.h"

namespace graph_run {

uint64_t processPeakBytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

void printMemory(const graphc::Model &model, uint64_t baselineBytes) {
  graphc_model_info info = model.info();
  graphc_memory_info memory = {};
  memory.struct_bytes = sizeof memory;
  graphc::check(graphc_memory_describe(&memory));
  // As lib/Analysis/PeakModel adds it up: large blocks are whole pages.
  auto block = [](uint64_t bytes) {
    const uint64_t unit = bytes < (4 << 20) ? 64 : 4096;
    return (bytes + unit - 1) / unit * unit;
  };
  uint64_t outputs = 0;
  for (const graphc::FunctionInfo &function : model.functions()) {
    uint64_t all = 0;
    for (const graphc::ValueInfo &output : function.outputs)
      all += block(output.bytes);
    outputs = std::max(outputs, all);
  }
  const uint64_t planned =
      block(info.arena_bytes) + block(info.state_bytes) + outputs;
  auto text = [](uint64_t bytes) { return grouped(bytes); };
  std::printf("memory in bytes: planned %s (arena %s, state %s, outputs %s)\n",
              text(planned).c_str(), text(info.arena_bytes).c_str(),
              text(info.state_bytes).c_str(), text(outputs).c_str());
  std::printf("measured peak %s of the runtime's blocks; of the process %s "
              "above its start\n",
              text(memory.peak_bytes).c_str(),
              text(processPeakBytes() - baselineBytes).c_str());
}

} // namespace graph_run
