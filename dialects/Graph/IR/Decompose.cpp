// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
using namespace graphc::graph;

llvm::SmallVector<Value> ReluOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> SigmoidOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> SiluOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> GeluOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> ClampOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> ReduceMeanOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> LinearOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> SoftmaxOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> LogSoftmaxOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> CrossEntropyOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> MseLossOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> BceOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> BceWithLogitsOp::decompose(OpBuilder &) { return {}; }
llvm::SmallVector<Value> DropoutOp::decompose(OpBuilder &) { return {}; }
