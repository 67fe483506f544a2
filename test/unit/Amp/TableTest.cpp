// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checked-in table of PyTorch's autocast says of each op what the op says of
// itself.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace graphc;

namespace {

struct Row {
  StringRef torch, op, list;
};

class Table : public ::testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<graph::GraphDialect>();
    auto file = llvm::MemoryBuffer::getFile(GRAPHC_AUTOCAST_TABLE);
    ASSERT_TRUE(bool(file));
    text = std::move(*file);
    SmallVector<StringRef> lines;
    text->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : llvm::ArrayRef(lines).drop_front()) {
      SmallVector<StringRef> fields;
      line.split(fields, ',');
      ASSERT_EQ(fields.size(), 4u) << line.str();
      rows.push_back({fields[0], fields[1], fields[2]});
    }
  }

  /// The class that the op called `name` names as its own.
  std::string classOf(StringRef name) {
    OperationState state(UnknownLoc::get(&context), ("graph." + name).str());
    if (!state.name.isRegistered())
      return "no such op";
    if (!state.name.hasInterface<graph::PrecisionOpInterface>())
      return "none";
    Operation *op = Operation::create(state);
    std::string list =
        graph::precisionClassName(graph::getPrecisionClass(op)).str();
    op->destroy();
    return list;
  }

  MLIRContext context;
  std::unique_ptr<llvm::MemoryBuffer> text;
  SmallVector<Row> rows;
};

TEST_F(Table, EveryRowIsTheOpsOwnFact) {
  for (const Row &row : rows)
    if (row.op != "-")
      EXPECT_EQ(classOf(row.op), row.list)
          << row.torch.str() << ", graph." << row.op.str();
  EXPECT_GE(rows.size(), 150u);
}

TEST_F(Table, EveryOpThatComputesHasARow) {
  llvm::StringSet<> listed;
  for (const Row &row : rows)
    listed.insert(row.op);
  // Structure: their types are what others make of them, or declared.
  for (const char *name :
       {"checkpoint", "custom", "custom_vjp", "for", "fused", "get", "grad",
        "precision", "recompute_barrier", "set", "train", "value_and_grad",
        "variable", "yield"}) {
    EXPECT_EQ(classOf(name), "none") << name;
    listed.insert(name);
  }
  for (RegisteredOperationName op : context.getRegisteredOperations()) {
    StringRef name = op.getStringRef();
    if (name.consume_front("graph.")) {
      EXPECT_TRUE(listed.contains(name)) << name.str();
    }
  }
}

} // namespace
