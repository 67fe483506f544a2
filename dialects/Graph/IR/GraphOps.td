// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_GRAPH_OPS_TD
#define GRAPHC_GRAPH_OPS_TD

include "dialects/Graph/IR/GraphElementwise.td"
include "dialects/Graph/IR/GraphShape.td"
include "dialects/Graph/IR/GraphReduce.td"
include "dialects/Graph/IR/GraphProduct.td"
include "dialects/Graph/IR/GraphNN.td"
include "dialects/Graph/IR/GraphIndex.td"
include "dialects/Graph/IR/GraphConv.td"
include "dialects/Graph/IR/GraphNorm.td"
include "dialects/Graph/IR/GraphState.td"

#endif // GRAPHC_GRAPH_OPS_TD
