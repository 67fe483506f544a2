// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compile may leave out without becoming wrong, counted, so that a wrong
// result can be bisected.
#ifndef GRAPHC_LIB_SUPPORT_OPTBISECT_OPTBISECT_H
#define GRAPHC_LIB_SUPPORT_OPTBISECT_OPTBISECT_H

#include "mlir/IR/Action.h"
#include "mlir/IR/MLIRContext.h"

namespace graphc {

/// A choice that makes a program better and that may be left out.
class OptionalStep : public mlir::tracing::ActionImpl<OptionalStep> {
public:
  static constexpr llvm::StringLiteral tag = "optional-step";
  static constexpr llvm::StringLiteral desc =
      "A choice that may be left out without changing results";

  OptionalStep(llvm::ArrayRef<mlir::IRUnit> units, llvm::StringRef what,
               llvm::StringRef where)
      : ActionImpl(units), what(what), where(where) {}

  void print(llvm::raw_ostream &os) const override {
    os << what << " of " << where;
  }

private:
  llvm::StringRef what, where;
};

/// True if the choice `what` ("vectorize") is to be made for `where`
/// ("graph.add"): always, unless the context is bisected.
bool takeOptionalStep(mlir::MLIRContext *context, llvm::StringRef what,
                      llvm::StringRef where);

/// From now on makes the first `limit` choices only that `context` meets, and
/// tells `os` of each; of all of them, with -1. Choices are those of
/// takeOptionalStep() and the passes that only clean up. Ends the context's
/// threads: the order is the same in each compile.
void bisectOptionalSteps(mlir::MLIRContext &context, int64_t limit,
                         llvm::raw_ostream &os);

} // namespace graphc

#endif // GRAPHC_LIB_SUPPORT_OPTBISECT_OPTBISECT_H
