// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/OptBisect/OptBisect.h"

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace graphc {

bool takeOptionalStep(MLIRContext *context, StringRef what, StringRef where) {
  bool isTaken = false;
  context->executeAction<OptionalStep>([&] { isTaken = true; }, {}, what,
                                       where);
  return isTaken;
}

/// Passes after which a program means the same, and which no other needs.
static bool isOptional(const Pass &pass) {
  static constexpr llvm::StringLiteral names[] = {
      "canonicalize", "cse", "symbol-dce", "loop-invariant-code-motion"};
  return llvm::is_contained(names, pass.getArgument());
}

void bisectOptionalSteps(MLIRContext &context, int64_t limit, raw_ostream &os) {
  context.disableMultithreading();
  context.registerActionHandler(
      [limit, &os, count = int64_t(0)](function_ref<void()> run,
                                       const tracing::Action &action) mutable {
        std::string name;
        llvm::raw_string_ostream text(name);
        if (auto *step = dyn_cast<OptionalStep>(&action)) {
          step->print(text);
        } else if (auto *execution = dyn_cast<PassExecutionAction>(&action);
                   execution && isOptional(execution->getPass())) {
          text << "pass " << execution->getPass().getArgument();
        } else {
          run();
          return;
        }
        ++count;
        bool isRun = limit < 0 || count <= limit;
        os << "BISECT: " << (isRun ? "running" : "NOT running") << " (" << count
           << ") " << name << "\n";
        if (isRun)
          run();
      });
}

} // namespace graphc
