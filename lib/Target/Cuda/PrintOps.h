// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of values, and the expressions of ops.

#ifndef GRAPHC_LIB_TARGET_CUDA_PRINTOPS_H
#define GRAPHC_LIB_TARGET_CUDA_PRINTOPS_H

#include "lib/Target/Cuda/Print.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace graphc::cuda {

class Names {
public:
  Names(bool wideIndex, llvm::StringRef function, llvm::raw_ostream &tables)
      : wideIndex(wideIndex), function(function), tables(tables) {}

  std::string fresh() { return "v" + std::to_string(count++); }
  void set(mlir::Value value, const std::string &name) { known[value] = name; }
  std::string define(mlir::Value value) {
    std::string name = fresh();
    set(value, name);
    return name;
  }
  /// A variable, or the text of a constant.
  std::string get(mlir::Value value);
  std::string type(mlir::Type type) const { return typeName(type, wideIndex); }
  /// Of the element, for templates.
  std::string element(mlir::Type type) const;
  std::string declare(mlir::Type type, llvm::StringRef name) const;
  /// True if an op has no line of its own.
  bool isInline(mlir::Operation &op) const;
  /// The name of a table of constants, which is written once.
  std::string table(mlir::Value constant);

private:
  bool wideIndex;
  llvm::StringRef function;
  llvm::raw_ostream &tables;
  int64_t count = 0;
  llvm::DenseMap<mlir::Value, std::string> known;
};

/// One expression for each result, or a statement for none; nothing for an op
/// without text.
std::vector<std::string> printExpressions(mlir::Operation &op, Names &names);

} // namespace graphc::cuda

#endif // GRAPHC_LIB_TARGET_CUDA_PRINTOPS_H
