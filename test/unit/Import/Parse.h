// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses text as a tool does and keeps the errors.
#ifndef GRAPHC_TEST_UNIT_IMPORT_PARSE_H
#define GRAPHC_TEST_UNIT_IMPORT_PARSE_H

#include "dialects/Graph/IR/Graph.h"
#include "lib/Import/Import.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>

namespace graphc {

struct Parse {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::string errors; // each "line: message\n"
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Parse(llvm::StringRef text, const ImportLimits &limits = {}) {
    context.loadDialect<graph::GraphDialect, mlir::func::FuncDialect,
                        mlir::arith::ArithDialect>();
    context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diag) {
      llvm::raw_string_ostream os(errors);
      if (auto loc = diag.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
        os << loc.getLine() << ": ";
      os << diag.str() << "\n";
    });
    llvm::SourceMgr source;
    source.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "model.mlir"), {});
    module = parseModule(source, &context, limits);
  }
};

} // namespace graphc

#endif // GRAPHC_TEST_UNIT_IMPORT_PARSE_H
