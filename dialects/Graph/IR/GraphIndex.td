// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers, scatters, dynamic slices, scans and sorts.
#ifndef GRAPHC_GRAPH_INDEX_TD
#define GRAPHC_GRAPH_INDEX_TD

include "dialects/Graph/IR/GraphAttrs.td"

#endif // GRAPHC_GRAPH_INDEX_TD
