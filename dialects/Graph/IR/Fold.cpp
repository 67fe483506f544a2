// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
using namespace graphc::graph;

OpFoldResult NegOp::fold(FoldAdaptor) { return {}; }
OpFoldResult AbsOp::fold(FoldAdaptor) { return {}; }
OpFoldResult AddOp::fold(FoldAdaptor) { return {}; }
OpFoldResult SubOp::fold(FoldAdaptor) { return {}; }
OpFoldResult MulOp::fold(FoldAdaptor) { return {}; }
OpFoldResult DivOp::fold(FoldAdaptor) { return {}; }
OpFoldResult RemOp::fold(FoldAdaptor) { return {}; }
OpFoldResult MaximumOp::fold(FoldAdaptor) { return {}; }
OpFoldResult MinimumOp::fold(FoldAdaptor) { return {}; }
OpFoldResult SqrtOp::fold(FoldAdaptor) { return {}; }
OpFoldResult AndOp::fold(FoldAdaptor) { return {}; }
OpFoldResult OrOp::fold(FoldAdaptor) { return {}; }
OpFoldResult XorOp::fold(FoldAdaptor) { return {}; }
OpFoldResult NotOp::fold(FoldAdaptor) { return {}; }
OpFoldResult ShiftLeftOp::fold(FoldAdaptor) { return {}; }
OpFoldResult ShiftRightOp::fold(FoldAdaptor) { return {}; }
OpFoldResult CompareOp::fold(FoldAdaptor) { return {}; }
OpFoldResult SelectOp::fold(FoldAdaptor) { return {}; }
OpFoldResult CastOp::fold(FoldAdaptor) { return {}; }
OpFoldResult ReduceSumOp::fold(FoldAdaptor) { return {}; }
