// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise composites. Where the textbook formula cancels, an equal one that
// does not is written here, so that the reference is right to the last bits.

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {

double relu(double x) { return maximum(x, 0.0); }

double sigmoid(double x) {
  // exp of a large number would overflow.
  if (x >= 0)
    return 1 / (1 + std::exp(-x));
  double e = std::exp(x);
  return e / (1 + e);
}

double silu(double x) { return x * sigmoid(x); }

/// 1 + erf(z) = erfc(-z).
double gelu(double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// 0.5 (1 + tanh(z)) = sigmoid(2 z).
double geluTanh(double x) {
  const double pi = 3.14159265358979323846;
  double z = std::sqrt(2 / pi) * (x + 0.044715 * x * x * x);
  return x * sigmoid(2 * z);
}

LogicalResult geluOp(graph::GeluOp op, Call &call) {
  bool tanh = op.getApproximate() == graph::Approximate::Tanh;
  return mapFloats(tanh ? geluTanh : gelu)(call);
}

LogicalResult clamp(graph::ClampOp op, Call &call) {
  double low = op.getLow().convertToDouble();
  double high = op.getHigh().convertToDouble();
  const Tensor &x = call.operand();
  for (int64_t i : upTo(x.floats.size()))
    call.result().floats[i] = minimum(maximum(x.floats[i], low), high);
  return success();
}

} // namespace

void addActivations(OpTable &table) {
  table.add<graph::ReluOp>(mapFloats(relu));
  table.add<graph::SigmoidOp>(mapFloats(sigmoid));
  table.add<graph::SiluOp>(mapFloats(silu));
  table.add<graph::GeluOp>(geluOp);
  table.add<graph::ClampOp>(clamp);
}

} // namespace graphc::interpreter
