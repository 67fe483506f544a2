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
  /// the value is: a wider one where it is read, since that is in registers.
  mlir::Value get(mlir::Value value, mlir::FloatType type,
                  mlir::Operation *reader);

  int64_t count() const { return made; }

private:
  mlir::Value makeConstant(graph::ConstantOp constant, mlir::FloatType type,
                           mlir::Operation *reader);
  mlir::Value makeAfter(mlir::Value value, mlir::FloatType type);
  mlir::Value makeBefore(mlir::Value value, mlir::FloatType type,
                         mlir::Operation *reader, int group);

  Regions &regions;
  /// By value, type and the group of the reader, -1 for all.
  llvm::DenseMap<std::pair<mlir::Value, std::pair<mlir::Type, int>>,
                 mlir::Value>
      known;
  int64_t made = 0;
};

} // namespace graphc::amp

#endif // GRAPHC_PASSES_AMP_CASTS_H
