// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Compare.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

/// Whether two floats are no further apart than `bound`, and how far they are.
static bool isClose(double actual, double expected, double bound,
                    bool signedZeros, double &error) {
  error = 0;
  if (bound == kAnyValue)
    return true;
  if (std::isnan(actual) || std::isnan(expected))
    return std::isnan(actual) && std::isnan(expected);
  if (actual == expected)
    return !signedZeros || std::signbit(actual) == std::signbit(expected);
  if (std::isinf(actual) || std::isinf(expected))
    return false;
  error = std::fabs(actual - expected);
  return error <= bound;
}

/// Integers exactly: a double does not hold all of them.
static std::string printElement(const Tensor &tensor, int64_t place) {
  if (!tensor.isFloat())
    return std::to_string(tensor.ints[place]);
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", tensor.floats[place]);
  return text;
}

static std::string printIndex(ArrayRef<int64_t> shape, int64_t place) {
  llvm::SmallVector<int64_t> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; place /= shape[dim])
    index[dim] = place % shape[dim];
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(index, os);
  os << "]";
  return text;
}

static Comparison compareWith(const Tensor &actual, const Tensor &expected,
                              bool signedZeros,
                              llvm::function_ref<double(int64_t place)> bound) {
  Comparison out;
  if (actual.type != expected.type) {
    llvm::raw_string_ostream(out.typeMismatch)
        << "expects " << expected.type << ", but got " << actual.type;
    out.equal = false;
    return out;
  }
  out.elements = expected.size();
  FloatFormat format = getFloatFormat(expected.kind());
  for (int64_t i = 0; i < out.elements; ++i) {
    double error;
    bool close;
    if (expected.isFloat()) {
      close = isClose(actual.floats[i], expected.floats[i], bound(i),
                      signedZeros, error);
    } else {
      auto [less, more] = std::minmax(actual.ints[i], expected.ints[i]);
      close = less == more;
      error = static_cast<double>(static_cast<uint64_t>(more) -
                                  static_cast<uint64_t>(less));
    }
    out.maxError = std::max(out.maxError, error);
    if (expected.isFloat())
      out.maxUlps =
          std::max(out.maxUlps, error / format.ulp(expected.floats[i]));
    if (close)
      continue;
    if (out.mismatches++ == 0) {
      out.firstMismatch = i;
      out.firstActual = printElement(actual, i);
      out.firstExpected = printElement(expected, i);
      out.firstIndex = printIndex(expected.shape(), i);
    }
  }
  out.equal = out.mismatches == 0;
  return out;
}

Comparison compareTensors(const Tensor &actual, const Tensor &expected,
                          const Tolerance &tolerance) {
  FloatFormat format = getFloatFormat(expected.kind());
  return compareWith(actual, expected, tolerance.signedZeros, [&](int64_t i) {
    double e = expected.floats[i];
    return tolerance.absolute + tolerance.relative * std::fabs(e) +
           tolerance.ulps * format.ulp(e);
  });
}

Comparison compareTensors(const Tensor &actual, const Tensor &expected,
                          ArrayRef<double> bounds) {
  return compareWith(actual, expected, /*signedZeros=*/false,
                     [&](int64_t i) { return bounds[i]; });
}

std::string Comparison::describe() const {
  if (!typeMismatch.empty())
    return typeMismatch;
  std::string errors =
      llvm::formatv("max error {0:e2} ({1:f2} ulp)", maxError, maxUlps);
  if (equal)
    return llvm::formatv("equal: {0} elements, {1}", elements, errors);
  return llvm::formatv("{0} of {1} elements differ, {2}; first at {3}: expects "
                       "{4}, but got {5}",
                       mismatches, elements, errors, firstIndex, firstExpected,
                       firstActual);
}

} // namespace graphc::interpreter
