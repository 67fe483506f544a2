// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols for tensor values: two values get one number exactly if they are made
// in the same way from the same things.
#ifndef GRAPHC_LIB_ANALYSIS_PLANTERMS_H
#define GRAPHC_LIB_ANALYSIS_PLANTERMS_H

#include "dialects/Plan/IR/Plan.h"

#include <map>
#include <vector>

namespace graphc::plan {

using Term = int;

class Terms {
public:
  /// Any tensor without elements.
  Term getEmpty() { return intern({Empty}); }
  Term getInput(unsigned number) { return intern({Input, number}); }
  /// What a variable holds when the call begins.
  Term getVariable(mlir::StringAttr name) {
    return intern({Variable, idOf(name)});
  }
  Term getConstant(mlir::ElementsAttr value);
  Term getFill(uint8_t byte, int64_t bytes) {
    return intern({Fill, byte, bytes});
  }
  /// A launch as a whole, and one of its results.
  Term getLaunch(mlir::FlatSymbolRefAttr kernel, llvm::ArrayRef<int64_t> args,
                 mlir::ArrayAttr inplace, bool mayFail, bool parallel,
                 llvm::ArrayRef<Term> inputs);
  Term getResult(Term of, unsigned number) {
    return intern({Result, of, number});
  }
  /// Inside `depth` loops, the value that the innermost carries as `number`.
  Term getCarried(unsigned depth, unsigned number) {
    return intern({Carried, depth, number});
  }
  /// The number of the iteration.
  Term getIteration(unsigned depth) { return intern({Iteration, depth}); }
  /// A loop as a whole; `nexts` are made of getCarried() and getIteration().
  Term getLoop(int64_t count, llvm::ArrayRef<Term> inits,
               llvm::ArrayRef<Term> nexts);

private:
  enum Kind : int64_t {
    Empty,
    Input,
    Variable,
    Constant,
    Fill,
    Launch,
    Result,
    Carried,
    Iteration,
    Loop
  };

  Term intern(std::vector<int64_t> key) {
    return terms.try_emplace(std::move(key), terms.size()).first->second;
  }
  int64_t idOf(mlir::Attribute attribute) {
    return ids.try_emplace(attribute, ids.size()).first->second;
  }

  std::map<std::vector<int64_t>, Term> terms;
  llvm::DenseMap<mlir::Attribute, int64_t> ids;
  std::map<uint64_t, llvm::SmallVector<mlir::ElementsAttr, 1>> contents;
};

} // namespace graphc::plan

#endif // GRAPHC_LIB_ANALYSIS_PLANTERMS_H
