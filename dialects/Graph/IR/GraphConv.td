// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions, pooling and the windows that they slide.
#ifndef GRAPHC_GRAPH_CONV_TD
#define GRAPHC_GRAPH_CONV_TD

include "dialects/Graph/IR/GraphAttrs.td"

#endif // GRAPHC_GRAPH_CONV_TD
