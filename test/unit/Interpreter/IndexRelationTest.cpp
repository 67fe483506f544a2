// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops say of the elements that they depend on, against the interpreter: an
// operand's element is changed, and only elements of the result that may depend
// on it may change with it.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "test/unit/Interpreter/Run.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace graphc;
using namespace graphc::interpreter;
using graphc::graph::IndexRelation;

namespace {

std::vector<int64_t> indexOf(int64_t position, llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t k = shape.size(); k-- > 0; position /= shape[k])
    index[k] = position % shape[k];
  return index;
}

std::vector<int64_t> without(const std::vector<int64_t> &index,
                             llvm::ArrayRef<int64_t> axes) {
  std::vector<int64_t> rest;
  for (size_t k = 0; k < index.size(); ++k)
    if (!llvm::is_contained(axes, int64_t(k)))
      rest.push_back(index[k]);
  return rest;
}

struct Case {
  const char *text; // of @f, whose arguments are the operands of its one op
  std::vector<IndexRelation> relations;
};

constexpr auto S = IndexRelation::Same, B = IndexRelation::Broadcast,
               M = IndexRelation::Movement, R = IndexRelation::Row,
               D = IndexRelation::Reduction, P = IndexRelation::Product,
               O = IndexRelation::Opaque;

const Case kCases[] = {
    {R"(func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = graph.mul %x, %y : tensor<2x3xf32>
      return %r : tensor<2x3xf32> })",
     {S, S}},
    {R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = graph.gelu %x : tensor<2x3xf32>
      return %r : tensor<2x3xf32> })",
     {S}},
    {R"(func.func @f(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
      %r = graph.tril %x : tensor<3x3xf32>
      return %r : tensor<3x3xf32> })",
     {S}},
    {R"(func.func @f(%x: tensor<3xf32>) -> tensor<2x3xf32> {
      %r = graph.broadcast %x dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
      return %r : tensor<2x3xf32> })",
     {B}},
    {R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<6xf32> {
      %r = graph.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
      return %r : tensor<6xf32> })",
     {M}},
    {R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
      %r = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
      return %r : tensor<3x2xf32> })",
     {M}},
    {R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<1x2xf32> {
      %r = graph.slice %x starts = [0, 0] limits = [1, 3] strides = [1, 2] : tensor<2x3xf32> -> tensor<1x2xf32>
      return %r : tensor<1x2xf32> })",
     {M}},
    {R"(func.func @f(%x: tensor<2xf32>, %v: tensor<f32>) -> tensor<5xf32> {
      %r = graph.pad %x, %v low = [1] high = [1] interior = [1] : tensor<2xf32> -> tensor<5xf32>
      return %r : tensor<5xf32> })",
     {M, B}},
    {R"(func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<5xf32> {
      %r = graph.concat %x, %y axis = 0 : tensor<2xf32>, tensor<3xf32> -> tensor<5xf32>
      return %r : tensor<5xf32> })",
     {M, M}},
    {R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = graph.reverse %x axes = [1] : tensor<2x3xf32>
      return %r : tensor<2x3xf32> })",
     {M}},
    {R"(func.func @f(%x: tensor<5xf32>) -> tensor<3x3xf32> {
      %r = graph.unfold %x kernel = [3] strides = [1] dilation = [1] : tensor<5xf32> -> tensor<3x3xf32>
      return %r : tensor<3x3xf32> })",
     {B}},
    {R"(func.func @f(%x: tensor<2x3x4xf32>) -> tensor<2x4xf32> {
      %r = graph.reduce_sum %x axes = [1] : tensor<2x3x4xf32> -> tensor<2x4xf32>
      return %r : tensor<2x4xf32> })",
     {D}},
    {R"(func.func @f(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
      %r = graph.reduce_mean %x axes = [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>
      return %r : tensor<3xf32> })",
     {D}},
    {R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = graph.softmax %x axis = 0 : tensor<2x3xf32>
      return %r : tensor<2x3xf32> })",
     {R}},
    {R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = graph.log_softmax %x axis = 1 : tensor<2x3xf32>
      return %r : tensor<2x3xf32> })",
     {R}},
    {R"(func.func @f(%x: tensor<2x3xf32>, %w: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
      %r = graph.layer_norm %x, %w, %b normalized_rank = 1 eps = 1.0e-5 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
      return %r : tensor<2x3xf32> })",
     {R, B, B}},
    {R"(func.func @f(%x: tensor<2x2x3xf32>, %w: tensor<2x3xf32>) -> tensor<2x2x3xf32> {
      %r = graph.rms_norm %x, %w normalized_rank = 2 eps = 1.0e-5 : tensor<2x2x3xf32>, tensor<2x3xf32>
      return %r : tensor<2x2x3xf32> })",
     {R, B}},
    {R"(func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<f32> {
      %r = graph.mse_loss %x, %y : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<f32>
      return %r : tensor<f32> })",
     {D, D}},
    {R"(func.func @f(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
      %r = graph.linear %x, %w, %b : tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32> -> tensor<2x4xf32>
      return %r : tensor<2x4xf32> })",
     {P, P, B}},
    {R"(func.func @f(%x: tensor<6xf32>) -> tensor<6xf32> {
      %r = graph.cumsum %x axis = 0 : tensor<6xf32>
      return %r : tensor<6xf32> })",
     {O}},
};

/// What a change at `from` in the operand may change at `to` in the result.
bool mayDepend(IndexRelation relation, llvm::ArrayRef<int64_t> axes,
               const std::vector<int64_t> &from,
               const std::vector<int64_t> &to) {
  switch (relation) {
  case IndexRelation::Same:
    return from == to;
  case IndexRelation::Row:
    return without(from, axes) == without(to, axes);
  case IndexRelation::Reduction:
    return without(from, axes) == to;
  default:
    return true;
  }
}

TEST(IndexRelation, IsWhatTheInterpreterDoes) {
  for (const Case &test : kCases) {
    SCOPED_TRACE(test.text);
    Parsed parsed(test.text);
    ASSERT_TRUE(parsed.module) << parsed.errors;
    auto function = parsed.module->lookupSymbol<mlir::func::FuncOp>("f");
    mlir::Operation *op = &function.getBody().front().front();
    std::vector<Tensor> inputs;
    double next = 0.25;
    for (mlir::Type type : function.getArgumentTypes()) {
      auto tensor = mlir::cast<mlir::RankedTensorType>(type);
      std::vector<double> values;
      for (int64_t k = 0; k < tensor.getNumElements(); ++k)
        values.push_back(next += 0.375);
      inputs.push_back(parsed.f32(tensor.getShape().vec(), values));
    }
    auto before = parsed.run(inputs);
    ASSERT_EQ(before.size(), 1u) << parsed.errors;
    auto resultShape =
        mlir::cast<mlir::RankedTensorType>(function.getResultTypes().front())
            .getShape();
    llvm::SmallVector<int64_t> axes = graph::getReducedAxes(op);
    for (size_t k = 0; k < inputs.size(); ++k) {
      IndexRelation relation = graph::getIndexRelation(op, k);
      EXPECT_EQ(relation, test.relations[k]) << "operand " << k;
      auto shape =
          mlir::cast<mlir::RankedTensorType>(function.getArgumentTypes()[k])
              .getShape();
      std::vector<int> sources(before[0].floats.size());
      for (size_t e = 0; e < inputs[k].floats.size(); ++e) {
        std::vector<Tensor> changed = inputs;
        changed[k].floats[e] += 1;
        auto after = parsed.run(changed);
        int64_t changes = 0;
        for (size_t r = 0; r < after[0].floats.size(); ++r) {
          if (after[0].floats[r] == before[0].floats[r])
            continue;
          ++changes;
          ++sources[r];
          EXPECT_TRUE(mayDepend(relation, axes, indexOf(e, shape),
                                indexOf(r, resultShape)))
              << "element " << e << " of operand " << k << " changes element "
              << r;
        }
        if (relation == IndexRelation::Movement ||
            relation == IndexRelation::Same)
          EXPECT_LE(changes, 1) << "element " << e << " of operand " << k;
      }
      bool isOne = relation == IndexRelation::Same ||
                   relation == IndexRelation::Broadcast ||
                   relation == IndexRelation::Movement;
      for (size_t r = 0; isOne && r < sources.size(); ++r)
        EXPECT_LE(sources[r], 1) << "element " << r << " of the result";
    }
  }
}

} // namespace
