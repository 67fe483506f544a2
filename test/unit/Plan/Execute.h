// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs functions in value form and tables on bytes, with made-up kernels.
#ifndef GRAPHC_TEST_UNIT_PLAN_EXECUTE_H
#define GRAPHC_TEST_UNIT_PLAN_EXECUTE_H

#include "dialects/Plan/IR/Plan.h"

#include <map>

/// A tensor or a piece of memory, in words of 4 bytes.
using Words = std::vector<uint32_t>;

/// What a call needs and what it leaves.
struct CallData {
  std::vector<Words> inputs;
  std::map<std::string, Words> variables;
  std::vector<Words> outputs;
};

/// Evaluates a function of the module, value by value.
void runValues(mlir::func::FuncOp function, CallData &data);

/// Walks the entries of a table on an arena and outputs full of rubbish. A
/// kernel reads and writes element by element where the buffers are: it goes
/// wrong if two are one that may not be. Returns false if it cannot go on.
bool runTable(graphc::plan::ProgramOp program, CallData &data);

#endif // GRAPHC_TEST_UNIT_PLAN_EXECUTE_H
