// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops with a body: begun, filled like a function, ended. The op stands in the
// function from the start, so that symbols inside it resolve; it is made anew
// at the end, when the types of its results are known.
#include "lib/Trace/ModuleBuilder.h"

#include "lib/Trace/Diagnostics.h"

using namespace mlir;

namespace graphc::trace {

FailureOr<std::vector<ValueId>>
ModuleBuilder::beginFor(int64_t count, llvm::ArrayRef<ValueId> inits,
                        const Source &source) {
  llvm::SmallVector<Value> values;
  if (failed(lookup(inits, source, values)))
    return failure();
  if (count < 0)
    return fail(source,
                "expects a count of 0 or more, but got " + llvm::Twine(count));
  OpBuilder &builder = scopes_.back().builder;
  Location loc = locationOf(source);
  auto op = builder.create<graph::ForOp>(loc, TypeRange(ValueRange(values)),
                                         static_cast<uint64_t>(count), values);
  Block *body = openRegion(op);
  body->addArgument(RankedTensorType::get({}, builder.getI64Type()), loc);
  for (Value value : values)
    body->addArgument(value.getType(), loc);
  std::vector<ValueId> ids;
  for (BlockArgument argument : body->getArguments())
    ids.push_back(remember(argument));
  return ids;
}

LogicalResult ModuleBuilder::beginCheckpoint(const Source &source) {
  if (failed(checkOpen(source)))
    return failure();
  openRegion(scopes_.back().builder.create<graph::CheckpointOp>(
      locationOf(source), TypeRange()));
  return success();
}

LogicalResult ModuleBuilder::beginPrecision(const Source &source) {
  if (failed(checkOpen(source)))
    return failure();
  OpBuilder &builder = scopes_.back().builder;
  openRegion(builder.create<graph::PrecisionOp>(
      locationOf(source), TypeRange(), TypeAttr::get(builder.getF32Type())));
  return success();
}

Block *ModuleBuilder::openRegion(Operation *op) {
  Block &body = op->getRegion(0).emplaceBlock();
  Scope &scope = scopes_.back();
  scope.regions.push_back({op, values_.size()});
  scope.builder.setInsertionPointToEnd(&body);
  return &body;
}

/// Goes on after the innermost region's op.
void ModuleBuilder::closeRegion() {
  Scope &scope = scopes_.back();
  scope.builder.setInsertionPointAfter(scope.regions.back().op);
  scope.regions.pop_back();
}

FailureOr<std::vector<ValueId>>
ModuleBuilder::endRegion(llvm::ArrayRef<ValueId> yielded, size_t resultCount) {
  if (scopes_.empty() || scopes_.back().regions.empty())
    return fail({}, "no region is being traced here");
  Operation *op = scopes_.back().regions.back().op;
  Source source;
  if (auto file = dyn_cast<FileLineColLoc>(op->getLoc()))
    source = {file.getFilename().str(), file.getLine(), file.getColumn()};
  llvm::SmallVector<Value> values;
  if (failed(lookup(yielded, source, values)) ||
      failed(checkResultCount(values.size(), resultCount, source)))
    return failure();
  auto loop = dyn_cast<graph::ForOp>(op);
  if (loop && loop.getInits().getTypes() != TypeRange(ValueRange(values)))
    return fail(source, "expects the loop to carry on with values of the "
                        "shapes and dtypes that it began with");

  scopes_.back().builder.create<graph::YieldOp>(op->getLoc(), values);
  closeRegion();
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addAttributes(op->getAttrs());
  state.addTypes(TypeRange(ValueRange(values)));
  state.addRegion()->takeBody(op->getRegion(0));
  Operation *done = scopes_.back().builder.create(state);
  op->erase();
  return rememberResults(done);
}

void ModuleBuilder::abandonRegion() {
  if (scopes_.empty() || scopes_.back().regions.empty())
    return;
  Scope::OpenRegion region = scopes_.back().regions.back();
  for (size_t k = region.firstValue; k < values_.size(); ++k)
    values_[k] = Value();
  closeRegion();
  region.op->erase();
}

} // namespace graphc::trace
