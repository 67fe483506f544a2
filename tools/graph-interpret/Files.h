// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in files: npy and safetensors.
#ifndef GRAPHC_TOOLS_GRAPH_INTERPRET_FILES_H
#define GRAPHC_TOOLS_GRAPH_INTERPRET_FILES_H

#include "graphc/data.h"
#include "lib/Interpreter/Interpreter.h"

#include <memory>
#include <string>
#include <vector>

namespace graphc::interpreter {

struct ArrayDeleter {
  void operator()(graphc_array *array) const { graphc_array_destroy(array); }
};
using Array = std::unique_ptr<graphc_array, ArrayDeleter>;

// All of these print what is wrong to stderr and fail.

/// Takes an array as a tensor of `type`, which it must have; in f64 mode any
/// float array may stand for a float tensor. `what` names it in errors.
mlir::FailureOr<Tensor> toTensor(const graphc_tensor &array,
                                 mlir::RankedTensorType type, Mode mode,
                                 llvm::StringRef what);

mlir::FailureOr<Tensor> readNpy(const std::string &path,
                                mlir::RankedTensorType type, Mode mode);
/// Writes floats as f64 in f64 mode.
mlir::LogicalResult writeNpy(const std::string &path, const Tensor &tensor,
                             Mode mode);

/// Sets the variables that the file names.
mlir::LogicalResult readState(const std::string &path, Interpreter &interpreter,
                              Mode mode);
mlir::LogicalResult writeState(const std::string &path,
                               const Interpreter &interpreter, Mode mode);

/// An initializer that draws as the runtime does when it loads a model with
/// `seed`, and reads files relative to `folder`.
Initializer makeInitializer(uint64_t seed, std::string folder);

} // namespace graphc::interpreter

#endif // GRAPHC_TOOLS_GRAPH_INTERPRET_FILES_H
