// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients where central differences say nothing: kinks, ties, poles, and
// branches that were not taken.
#ifndef GRAPHC_TEST_UNIT_AUTODIFF_EXACTS_H
#define GRAPHC_TEST_UNIT_AUTODIFF_EXACTS_H

#include "Cases.h"

namespace graphc {

struct Exact {
  const char *name;
  std::string type;   // of the arguments
  std::string result; // of %y and its cotangent
  std::string body;
  std::vector<std::vector<double>> inputs;
  std::vector<double> cotangent;
  std::vector<std::vector<double>> gradients;
};

const std::vector<Exact> &exacts();
/// The function of it, with arguments %a0, %a1, ...
Case toCase(const Exact &e);

void PrintTo(const Exact &e, std::ostream *os);

} // namespace graphc

#endif // GRAPHC_TEST_UNIT_AUTODIFF_EXACTS_H
