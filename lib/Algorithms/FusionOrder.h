// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_LIB_ALGORITHMS_FUSIONORDER_H
#define GRAPHC_LIB_ALGORITHMS_FUSIONORDER_H

#include "lib/Algorithms/FusionGroups.h"

namespace graphc::algorithms {

/// Numbers the groups in the order in which they run: each at the place of its
/// product or reduction, or of its last node, but not before what it waits for.
/// `roots` names the group of each node by one of its nodes.
void orderFusion(const FusionProblem &problem, const std::vector<int> &roots,
                 FusionSolution &solution);

} // namespace graphc::algorithms

#endif // GRAPHC_LIB_ALGORITHMS_FUSIONORDER_H
