// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/TargetModel.h"

#include "dialects/Plan/IR/Plan.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace graphc {

TargetModel getTargetModel(ModuleOp module) {
  TargetModel model;
  auto targets =
      module->getAttrOfType<ArrayAttr>(plan::PlanDialect::getTargetsAttrName());
  if (!targets)
    return model;
  TargetModel defaults;
  model = {INT64_MAX, 1};
  for (auto target : targets.getAsRange<plan::TargetAttr>()) {
    auto bits = llvm::StringSwitch<int64_t>(target.getLevel())
                    .Cases("generic", "neoverse-n1", "x86-64-v2", 128)
                    .Case("x86-64-v3", 256)
                    .Case("x86-64-v4", 512)
                    .Default(defaults.vectorBits);
    model.vectorBits = std::min(model.vectorBits, bits);
    model.maxThreads = std::max(model.maxThreads, target.getMaxThreads());
  }
  return model;
}

} // namespace graphc
