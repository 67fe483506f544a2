// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what a user wrote to what the passes expect: checks a module that may be
// hostile, resolves modes, expands calls, numbers random draws.
#ifndef GRAPHC_LIB_IMPORT_IMPORT_H
#define GRAPHC_LIB_IMPORT_IMPORT_H

#include "dialects/Graph/IR/Sizes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace graphc {

/// What a model may at most be. Above each limit is an error that names it.
struct ImportLimits {
  int64_t maxTextBytes = int64_t{1} << 30;
  /// Brackets inside one another, in text.
  int64_t maxTextNesting = 200;
  /// Regions inside one another.
  int64_t maxRegionNesting = 32;
  /// Ops as written, and after all calls and gradients are expanded, where a
  /// gradient counts as twice its function and an op of many operands as
  /// several.
  int64_t maxOps = int64_t{1} << 22;
  /// Operands and results of one op.
  int64_t maxValues = 100000;
  int64_t maxRank = 16;
  /// Of one tensor.
  int64_t maxElements = graph::maxElements;
  int64_t maxBytes = graph::maxTensorBytes;
  int64_t maxNameBytes = 256;
  /// Attributes inside one another, and of one attribute with all it holds.
  int64_t maxAttributeNesting = 64;
  int64_t maxAttributeParts = 1000000;
};

/// Parses the main buffer of `source` after checkText. The module has not been
/// verified: it is only fit for importModule(). Null after an error.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::SourceMgr &source,
                                              mlir::MLIRContext *context,
                                              const ImportLimits &limits = {});

/// Checks text before a parser sees it: its size, that it is UTF-8 without zero
/// bytes, and how deeply its brackets nest. `name` is for diagnostics.
mlir::LogicalResult checkText(llvm::StringRef text, llvm::StringRef name,
                              mlir::MLIRContext *context,
                              const ImportLimits &limits = {});

/// Holds a module to the limits and to the shape that every pass relies on.
/// Safe on a module that has not been verified, and verifies it.
mlir::LogicalResult checkModule(mlir::ModuleOp module,
                                const ImportLimits &limits = {});

/// Checks `module`, then leaves what the passes expect:
///  - no func.call, and no private function but those that a graph.train, a
///    graph.grad or a graph.value_and_grad names;
///  - every dropout resolved: none in evaluation mode; a key and an op_id in
///    training mode. A loss named by a graph.train is in training mode, one
///    named by a graph.grad or a graph.value_and_grad in the mode it states,
///    else in that of the function it stands in; public functions and
///    graph.grad are in evaluation mode;
///  - constants and initial values in the IR, none in resources;
///  - random ops with an op_id of their own, and `@graphc.rng_key` where
///    something draws. A public function that draws counts its step in it.
/// What has been imported may be imported again: it keeps its meaning and its
/// op ids.
mlir::LogicalResult importModule(mlir::ModuleOp module,
                                 const ImportLimits &limits = {});

/// Registers importModule() as a pass, `--import`, for graph-opt.
void registerImportPass();

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_IMPORT_H
