// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects MLIR's diagnostics of one call into one text.
#ifndef GRAPHC_LIB_TRACE_DIAGNOSTICS_H
#define GRAPHC_LIB_TRACE_DIAGNOSTICS_H

#include "lib/Trace/ModuleBuilder.h"

#include "mlir/IR/Diagnostics.h"

namespace graphc::trace {

/// "app.cpp:40:3", or "app.cpp:40" if the column is not known, else "".
std::string locationText(mlir::Location location);

/// Adds a line "app.cpp:40: error: ...", and one for each note, to `text`.
void appendDiagnostic(std::string &text, mlir::Diagnostic &diagnostic);

class ModuleBuilder::Diagnostics {
public:
  explicit Diagnostics(ModuleBuilder &owner)
      : handler_(owner.context_.get(), [&](mlir::Diagnostic &diagnostic) {
          appendDiagnostic(owner.error_, diagnostic);
          return mlir::success();
        }) {
    owner.error_.clear();
  }

private:
  mlir::ScopedDiagnosticHandler handler_;
};

} // namespace graphc::trace

#endif // GRAPHC_LIB_TRACE_DIAGNOSTICS_H
