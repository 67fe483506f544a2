// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other batch sizes of the functions of a model's text.
#ifndef GRAPHC_LIB_IMPORT_SPECIALIZE_H
#define GRAPHC_LIB_IMPORT_SPECIALIZE_H

#include "mlir/IR/BuiltinOps.h"

namespace graphc {

/// For each size, adds `name.b<size>` beside each public function, graph.train
/// and graph.grad: the same ops with the inputs' leading dimension replaced.
/// Result types are inferred anew; where that is not possible the error names
/// the op. The leading dimension of a function is that of its first input;
/// other inputs with the same one change with it. Run on a module that was not
/// imported yet.
mlir::LogicalResult specializeBatches(mlir::ModuleOp module,
                                      llvm::ArrayRef<int64_t> sizes);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_SPECIALIZE_H
