// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalisations and attention.
#ifndef GRAPHC_GRAPH_NORM_TD
#define GRAPHC_GRAPH_NORM_TD

include "dialects/Graph/IR/GraphAttrs.td"

#endif // GRAPHC_GRAPH_NORM_TD
