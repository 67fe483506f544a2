// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/VerifyPlan/VerifyPlan.h"

#include "lib/Analysis/PlanCheck.h"

namespace graphc {
#define GEN_PASS_DEF_VERIFYPLAN
#include "passes/VerifyPlan/VerifyPlan.h.inc"

namespace {

struct VerifyPlanPass : impl::VerifyPlanBase<VerifyPlanPass> {
  using VerifyPlanBase::VerifyPlanBase;

  void runOnOperation() override {
    if (failed(plan::checkPlans(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace graphc
