// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The casts between the low type and f32: one of each value, where it costs
// least.
#ifndef GRAPHC_PASSES_AMP_CASTS_H
#define GRAPHC_PASSES_AMP_CASTS_H

#include "passes/Amp/Regions.h"

#include <map>

namespace graphc::amp {

class Casts {
public:
  explicit Casts(Regions &regions) : regions(regions) {}

  /// `value` as `reader` wants to have it. A narrower copy is made once, where
  /// the value is: a wider one where it is read, since that is in registers, and
  /// once for a section. Readers come in program order.
  mlir::Value get(mlir::Value value, mlir::FloatType type,
                  mlir::Operation *reader);

  /// What is read from now on is far from what was read before: a product lies
  /// between, or the edge of a block.
  void startSection() { ++section; }

private:
  mlir::Value makeConstant(graph::ConstantOp constant, mlir::FloatType type,
                           mlir::Operation *reader);
  mlir::Value makeAfter(mlir::Value value, mlir::FloatType type);
  mlir::Value makeBefore(mlir::Value value, mlir::FloatType type,
                         mlir::Operation *reader, std::optional<int> group);

  Regions &regions;
  /// By value, type and the group of the reader: -1 for all, below that sections.
  llvm::DenseMap<std::pair<mlir::Value, std::pair<mlir::Type, int>>,
                 mlir::Value>
      known;
  int section = 0;
};

} // namespace graphc::amp

#endif // GRAPHC_PASSES_AMP_CASTS_H
