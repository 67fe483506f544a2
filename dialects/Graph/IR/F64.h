// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finite double as an attribute parameter: compared by bits, and printed so
// that it reads back to the same bits.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_F64_H
#define GRAPHC_DIALECTS_GRAPH_IR_F64_H

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

namespace graphc::graph {

struct F64 {
  double value = 0;
  F64() = default;
  F64(double value) : value(value) {}
  operator double() const { return value; }
  /// Whether the bits are equal: +0 and -0 differ.
  bool operator==(const F64 &other) const {
    return llvm::bit_cast<uint64_t>(value) ==
           llvm::bit_cast<uint64_t>(other.value);
  }
};

inline llvm::hash_code hash_value(const F64 &f) {
  return llvm::hash_value(llvm::bit_cast<uint64_t>(f.value));
}

/// Prints the shortest text that reads back to `f`, with a `.` or an exponent.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const F64 &f);

/// Parses a finite float or integer literal, with an optional minus.
mlir::FailureOr<F64> parseF64(mlir::AsmParser &parser);

} // namespace graphc::graph

namespace mlir {
template <> struct FieldParser<graphc::graph::F64> {
  static FailureOr<graphc::graph::F64> parse(AsmParser &parser) {
    return graphc::graph::parseF64(parser);
  }
};
} // namespace mlir

#endif // GRAPHC_DIALECTS_GRAPH_IR_F64_H
