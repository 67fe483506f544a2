// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops in all their forms, each with inputs at which it is smooth.
#ifndef GRAPHC_TEST_UNIT_AUTODIFF_CASES_H
#define GRAPHC_TEST_UNIT_AUTODIFF_CASES_H

#include <string>
#include <vector>

namespace graphc {

enum class Domain {
  Any,      // magnitudes in [0.3, 1.7], both signs
  Positive, // [0.3, 1.7]
  Unit      // [0.1, 0.9]
};

struct Case {
  std::string name;
  /// Of a function; the gradient is taken with respect to every argument.
  std::string arguments, result;
  /// The last op, %y, is the one under test.
  std::string body;
  Domain domain = Domain::Any;
};

/// One op each.
const std::vector<Case> &opCases();
/// Several ops that share values, for the pass.
const std::vector<Case> &graphCases();

void PrintTo(const Case &c, std::ostream *os);

} // namespace graphc

#endif // GRAPHC_TEST_UNIT_AUTODIFF_CASES_H
