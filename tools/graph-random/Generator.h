// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What draws random graphs: values and types, and one function per op, by family.
#ifndef GRAPHC_TOOLS_GRAPH_RANDOM_GENERATOR_H
#define GRAPHC_TOOLS_GRAPH_RANDOM_GENERATOR_H

#include "dialects/Graph/IR/Graph.h"
#include "lib/Interpreter/RandomInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>
#include <map>
#include <string>

namespace graphc::random {

/// Which element types an op takes.
enum class Kind { Float, Number, Integer, Bits, Any };

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// A function that grows, and what it draws from.
class Generator {
public:
  Generator(mlir::func::FuncOp function, interpreter::RandomStream &stream)
      : block(&function.getBody().front()),
        b(mlir::OpBuilder::atBlockEnd(block)), loc(function.getLoc()),
        stream(stream) {}

  int64_t pick(int64_t low, int64_t high) { return stream.integer(low, high); }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }

  mlir::Type element(Kind kind);
  int64_t size();
  llvm::SmallVector<int64_t> shape(int64_t minRank = 0);
  mlir::RankedTensorType type(Kind kind, int64_t minRank = 0) {
    return mlir::RankedTensorType::get(shape(minRank), element(kind));
  }

  mlir::Value input(mlir::RankedTensorType type) {
    return block->addArgument(type, loc);
  }
  /// A value there is, or a new input.
  mlir::Value operand(Kind kind, int64_t minRank = 0);
  mlir::Value operandOf(mlir::RankedTensorType type);

  template <typename Op, typename... Args> void make(Args &&...args) {
    mlir::Operation *op = b.create<Op>(loc, std::forward<Args>(args)...);
    llvm::append_range(pool, op->getResults());
  }

  mlir::Block *block;
  mlir::OpBuilder b;
  mlir::Location loc;
  interpreter::RandomStream &stream;
  llvm::SmallVector<mlir::Value> pool; // Results of ops, in order.
  int64_t nextId = 0;
};

/// Adds an op to a graph, or nothing if what it drew does not fit.
using Draw = std::function<void(Generator &)>;

/// By the op's name.
using Draws = std::map<std::string, Draw>;

template <typename Op> Draws::value_type entry(Draw draw) {
  return {Op::getOperationName().str(), std::move(draw)};
}

void addElementwiseDraws(Draws &draws);
void addShapeDraws(Draws &draws);
void addNetsDraws(Draws &draws);
void addConvDraws(Draws &draws);
void addIndexDraws(Draws &draws);

} // namespace graphc::random

#endif // GRAPHC_TOOLS_GRAPH_RANDOM_GENERATOR_H
