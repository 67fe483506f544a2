// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics with the line of the source, which may be hostile.
#ifndef GRAPHC_LIB_DRIVER_SOURCEDIAGNOSTICS_H
#define GRAPHC_LIB_DRIVER_SOURCEDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

namespace graphc {

/// As its base class, but a line that is too long or holds what a terminal
/// would obey is shown in part and escaped. A model may be one line of 1 GiB.
class SourceDiagnostics : public mlir::SourceMgrDiagnosticHandler {
public:
  SourceDiagnostics(llvm::SourceMgr &sources, mlir::MLIRContext *context);

private:
  bool showsPlainly(mlir::Location loc) const;
  void show(mlir::Location loc, const llvm::Twine &message,
            mlir::DiagnosticSeverity severity);
};

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_SOURCEDIAGNOSTICS_H
