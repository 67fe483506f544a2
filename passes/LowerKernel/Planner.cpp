// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/LowerKernel/Planner.h"
#include "passes/LowerKernel/NestBuilder.h"

using namespace mlir;
namespace graphc::kernel {

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Ops whose result is stored before anything else reads it.
static bool isHeavy(Operation *op) {
  return isa<graph::ReduceSumOp, graph::ReduceMaxOp, graph::ReduceMinOp,
             graph::ReduceProdOp, graph::ArgmaxOp, graph::ArgminOp,
             graph::DotGeneralOp, graph::CheckIndexOp>(op);
}

static bool isInlined(Operation *op) {
  return op->hasTrait<graph::ElementwiseOp>() ||
         isa<graph::ConstantOp, graph::BroadcastOp, graph::ReshapeOp,
             graph::TransposeOp, graph::SliceOp, graph::PadOp, graph::ConcatOp,
             graph::IotaOp, graph::RandomUniformOp>(op);
}

void decomposeRegion(graph::FusedOp fused) {
  Block &body = fused.getBody().front();
  SmallVector<graph::DecomposableOpInterface> work;
  auto collect = [&] {
    work.clear();
    for (Operation &op : body)
      if (auto composite = dyn_cast<graph::DecomposableOpInterface>(op))
        work.push_back(composite);
    return !work.empty();
  };
  while (collect()) {
    for (graph::DecomposableOpInterface composite : work) {
      OpBuilder builder(composite);
      SmallVector<Value> values = composite.decompose(builder);
      composite->replaceAllUsesWith(values);
      composite->erase();
    }
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (op.use_empty() && isPure(&op) && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();

  OpBuilder outside(fused);
  for (auto constant :
       llvm::make_early_inc_range(body.getOps<graph::ConstantOp>())) {
    if (isa<SplatElementsAttr>(constant.getValue()))
      continue;
    Value operand = outside.clone(*constant)->getResult(0);
    fused.getInputsMutable().append(operand);
    constant.replaceAllUsesWith(
        Value(body.addArgument(constant.getType(), constant.getLoc())));
    constant.erase();
  }
}

namespace {

class Planner {
public:
  Planner(graph::FusedOp fused, Kernel &kernel)
      : body(fused.getBody().front()), kernel(kernel) {}

  LogicalResult run();

private:
  Nest &addNest(Nest::Kind kind, Location loc) {
    return kernel.nests.emplace_back(kind, loc);
  }
  bool isReady(Value value) const;
  Value findEpilogue(Value result) const;
  Buffer *place(Value value);
  void storeResult(Nest &nest, NestBuilder &builder, Value result,
                   ArrayRef<Index> kept);

  void planReduction(Operation *op);
  void planArg(Operation *op);
  void planCheck(graph::CheckIndexOp op);
  void planProduct(graph::DotGeneralOp op);
  Expr *prepareFactor(Nest &nest, NestBuilder &builder, Value factor,
                      ArrayRef<Index> indices);
  Buffer *pack(Value factor, ArrayRef<int64_t> dims, Type type, Location loc);
  void planResults();
  void planMap(Value value, Buffer *buffer);
  void planConcat(graph::ConcatOp op, Buffer *buffer);
  void planPad(graph::PadOp op, Buffer *buffer);

  Block &body;
  Kernel &kernel;
  Placement placement;
  DenseMap<Value, Buffer *> results; // not yet stored
};

/// True if `value` can be computed without a heavy op that has no buffer yet.
bool Planner::isReady(Value value) const {
  SmallVector<Value> work = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (placement.buffers.contains(next) || !seen.insert(next).second)
      continue;
    if (isHeavy(next.getDefiningOp()))
      return false;
    llvm::append_range(work, next.getDefiningOp()->getOperands());
  }
  return true;
}

/// The last value of the elementwise chain that alone reads `result`: it is
/// computed where the result is, and stored instead.
Value Planner::findEpilogue(Value result) const {
  Value end = result;
  while (!end.use_empty()) {
    Operation *user = *end.getUsers().begin();
    if (llvm::any_of(end.getUsers(), [&](Operation *o) { return o != user; }))
      break;
    if (!user->hasTrait<graph::ElementwiseOp>() || results.contains(end))
      break;
    if (!llvm::all_of(user->getOperands(), [&](Value operand) {
          return operand == end || isReady(operand);
        }))
      break;
    end = user->getResult(0);
  }
  return end;
}

Buffer *Planner::place(Value value) {
  auto result = results.find(value);
  Buffer *buffer = nullptr;
  if (result != results.end()) {
    buffer = result->second;
    results.erase(result);
  } else {
    buffer = kernel.addWorkspace(typeOf(value).getElementType(),
                                 typeOf(value).getNumElements());
  }
  placement.buffers[value] = buffer;
  return buffer;
}

void Planner::storeResult(Nest &nest, NestBuilder &builder, Value result,
                          ArrayRef<Index> kept) {
  builder.setAccumulated(result);
  Value end = findEpilogue(result);
  Expr *value = builder.element(end, kept);
  nest.stores.push_back(
      {value, place(end), builder.linearize(kept, typeOf(end).getShape())});
  nest.finish();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

void Planner::planReduction(Operation *op) {
  Value input = op->getOperand(0);
  ArrayRef<int64_t> shape = typeOf(input).getShape();
  auto axes = op->getAttrOfType<DenseI64ArrayAttr>("axes").asArrayRef();
  auto isReduced = [&](size_t k) { return llvm::is_contained(axes, k); };

  // Dimensions of size 1 are nobody's. The last of the others decides.
  SmallVector<unsigned> dims;
  for (auto [k, size] : llvm::enumerate(shape))
    if (size != 1)
      dims.push_back(k);
  bool reduces = llvm::any_of(dims, isReduced);
  bool isRow = dims.empty() || isReduced(dims.back());
  size_t tail = dims.size(); // first dim of the last group
  while (tail > 0 && isReduced(dims[tail - 1]) == isRow)
    --tail;
  if (!reduces)
    tail = 0;

  Nest &nest =
      addNest(isRow ? Nest::RowReduce : Nest::ColumnReduce, op->getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices(shape.size());
  SmallVector<unsigned> outerReduced, reduced;
  for (auto [k, dim] : llvm::enumerate(dims)) {
    if (isReduced(dim))
      (isRow && k < tail ? outerReduced : reduced).push_back(dim);
    else if (k < tail)
      indices[dim] = builder.addLoop(shape[dim], Outer);
  }
  auto sizesOf = [&](ArrayRef<unsigned> dims) {
    return llvm::map_to_vector(dims, [&](unsigned d) { return shape[d]; });
  };
  int64_t outerCount = ShapedType::getNumElements(sizesOf(outerReduced));
  int64_t count = ShapedType::getNumElements(sizesOf(reduced));
  Index outerLoop = builder.addLoop(outerCount, OuterReduced);
  Index loop = builder.addLoop(count, Reduced);
  for (auto [k, dim] : llvm::enumerate(dims))
    if (!isReduced(dim) && k >= tail)
      indices[dim] = builder.addLoop(shape[dim], Inner);
  auto spread = [&](ArrayRef<unsigned> dims, const Index &position) {
    for (auto [dim, index] :
         llvm::zip_equal(dims, builder.delinearize(position, sizesOf(dims))))
      indices[dim] = index;
  };
  spread(outerReduced, outerLoop);
  spread(reduced, loop);

  nest.op = op;
  nest.accumulationType =
      graph::getAccumulationType(typeOf(input).getElementType());
  nest.element = builder.element(input, indices);

  SmallVector<Index> kept;
  SmallVector<int64_t> outerShape, innerShape;
  SmallVector<Index> outerKept, innerKept;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (isReduced(k))
      continue;
    kept.push_back(indices[k]);
    bool isInner = !isRow && (!reduces || k >= dims[tail]) && shape[k] != 1;
    (isInner ? innerKept : outerKept).push_back(indices[k]);
    (isInner ? innerShape : outerShape).push_back(shape[k]);
  }
  ReductionShape chunks =
      isRow ? ReductionShape::ofRow(count) : ReductionShape::ofColumn(count);
  int64_t total = outerCount * chunks.chunks,
          width = ShapedType::getNumElements(innerShape);
  if (total > 1) {
    nest.partials =
        kernel.addWorkspace(nest.accumulationType,
                            typeOf(op->getResult(0)).getNumElements() * total);
    nest.partialIndex =
        Index()
            .add(builder.linearize(outerKept, outerShape), total * width)
            .add(outerLoop, chunks.chunks)
            .add(builder.linearize(innerKept, innerShape));
  }
  storeResult(nest, builder, op->getResult(0), kept);
}

void Planner::planArg(Operation *op) {
  Value input = op->getOperand(0);
  ArrayRef<int64_t> shape = typeOf(input).getShape();
  unsigned axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  Nest &nest = addNest(Nest::ArgReduce, op->getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices;
  for (auto [k, size] : llvm::enumerate(shape))
    indices.push_back(builder.addLoop(size, k < axis    ? Outer
                                            : k == axis ? Reduced
                                                        : Inner));
  nest.op = op;
  nest.element = builder.element(input, indices);
  indices.erase(indices.begin() + axis);
  storeResult(nest, builder, op->getResult(0), indices);
}

/// A nest of its own, so that each index is looked at once.
void Planner::planCheck(graph::CheckIndexOp op) {
  ArrayRef<int64_t> shape = typeOf(op.getResult()).getShape();
  Nest &nest = addNest(Nest::Check, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices = builder.addLoops(shape, Outer);
  nest.op = op;
  nest.element = builder.element(op.getIndex(), indices);
  nest.partialIndex = builder.linearize(indices, shape);
  kernel.mayFail = true;
  storeResult(nest, builder, op.getResult(), indices);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Copies `factor`, its dimensions in the order `dims`, to the workspace.
Buffer *Planner::pack(Value factor, ArrayRef<int64_t> dims, Type type,
                      Location loc) {
  ArrayRef<int64_t> shape = typeOf(factor).getShape();
  Nest &nest = addNest(Nest::Map, loc);
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices(shape.size()), packed;
  SmallVector<int64_t> packedShape;
  for (int64_t dim : dims) {
    packed.push_back(indices[dim] = builder.addLoop(shape[dim], Outer));
    packedShape.push_back(shape[dim]);
  }
  Expr *value = builder.element(factor, indices);
  nest.exprs.push_back({Expr::Convert, type});
  nest.exprs.back().operands = {value};
  Buffer *buffer = kernel.addWorkspace(type, typeOf(factor).getNumElements());
  nest.stores.push_back(
      {&nest.exprs.back(), buffer, builder.linearize(packed, packedShape)});
  nest.finish();
  return buffer;
}

/// True if `value` is read where it lies, through views alone.
static bool isViewOfBuffer(Value value, const Placement &placement) {
  while (!placement.buffers.contains(value)) {
    Operation *op = value.getDefiningOp();
    if (!isa<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp,
             graph::SliceOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return true;
}

void Planner::planProduct(graph::DotGeneralOp op) {
  ArrayRef<int64_t> lhsShape = typeOf(op.getLhs()).getShape();
  ArrayRef<int64_t> rhsShape = typeOf(op.getRhs()).getShape();
  Type operandType = typeOf(op.getLhs()).getElementType();
  Type resultType = typeOf(op).getElementType();
  Type type = isa<FloatType>(operandType)
                  ? graph::getAccumulationType(operandType)
                  : resultType;
  auto without = [](size_t rank, ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    SmallVector<int64_t> rest;
    for (int64_t k = 0; k < int64_t(rank); ++k)
      if (!llvm::is_contained(a, k) && !llvm::is_contained(b, k))
        rest.push_back(k);
    return rest;
  };
  SmallVector<int64_t> lhsFree =
      without(lhsShape.size(), op.getLhsBatching(), op.getLhsContracting());
  SmallVector<int64_t> rhsFree =
      without(rhsShape.size(), op.getRhsBatching(), op.getRhsContracting());

  // Vectors run along the last free dimension of rhs, so that must be
  // contiguous; and a factor that is not lying ready in the accumulation type
  // would be computed again for each row or column.
  auto mustPack = [&](Value factor, ArrayRef<int64_t> free, bool contiguous) {
    if (operandType != type || !isViewOfBuffer(factor, placement))
      return true;
    if (!contiguous)
      return false;
    Nest probe(Nest::Product, op.getLoc());
    NestBuilder builder(probe, placement);
    SmallVector<Index> indices;
    unsigned lane = 0;
    int64_t size = 1;
    for (auto [k, s] : llvm::enumerate(typeOf(factor).getShape())) {
      indices.push_back(builder.addLoop(s, Outer));
      if (llvm::is_contained(free, k) && s != 1)
        lane = k, size = s;
    }
    Expr *expr = builder.element(factor, indices);
    return size != 1 && expr->index.coefficient(lane) != 1;
  };
  auto order = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                  ArrayRef<int64_t> c) {
    SmallVector<int64_t> all(a);
    llvm::append_range(all, b);
    llvm::append_range(all, c);
    return all;
  };
  SmallVector<int64_t> lhsOrder =
      order(op.getLhsBatching(), lhsFree, op.getLhsContracting());
  SmallVector<int64_t> rhsOrder =
      order(op.getRhsBatching(), op.getRhsContracting(), rhsFree);
  Buffer *lhsPacked = mustPack(op.getLhs(), lhsFree, false)
                          ? pack(op.getLhs(), lhsOrder, type, op.getLoc())
                          : nullptr;
  Buffer *rhsPacked = mustPack(op.getRhs(), rhsFree, true)
                          ? pack(op.getRhs(), rhsOrder, type, op.getLoc())
                          : nullptr;

  Nest &nest = addNest(Nest::Product, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> lhs(lhsShape.size()), rhs(rhsShape.size()), kept;
  auto loop = [&](int64_t size, unsigned role) {
    return size == 1 ? Index() : builder.addLoop(size, role);
  };
  for (auto [l, r] : llvm::zip_equal(op.getLhsBatching(), op.getRhsBatching()))
    kept.push_back(lhs[l] = rhs[r] = loop(lhsShape[l], Outer));
  for (int64_t l : lhsFree)
    kept.push_back(lhs[l] = loop(lhsShape[l], M));
  for (int64_t r : rhsFree)
    kept.push_back(rhs[r] = loop(rhsShape[r], N));
  for (auto [l, r] :
       llvm::zip_equal(op.getLhsContracting(), op.getRhsContracting()))
    lhs[l] = rhs[r] = loop(lhsShape[l], K);

  nest.op = op;
  nest.accumulationType = type;
  auto factor = [&](Value value, Buffer *packed, ArrayRef<int64_t> dims,
                    ArrayRef<Index> indices) {
    if (!packed)
      return builder.element(value, indices);
    ArrayRef<int64_t> shape = typeOf(value).getShape();
    Expr expr{Expr::Load, type};
    expr.buffer = packed;
    expr.index = builder.linearize(
        llvm::map_to_vector(dims, [&](int64_t d) { return indices[d]; }),
        llvm::map_to_vector(dims, [&](int64_t d) { return shape[d]; }));
    nest.exprs.push_back(expr);
    return &nest.exprs.back();
  };
  nest.element = factor(op.getLhs(), lhsPacked, lhsOrder, lhs);
  nest.other = factor(op.getRhs(), rhsPacked, rhsOrder, rhs);
  storeResult(nest, builder, op, kept);
}

//===----------------------------------------------------------------------===//
// Results that are not stored by another nest
//===----------------------------------------------------------------------===//

void Planner::planMap(Value value, Buffer *buffer) {
  Nest &nest = addNest(Nest::Map, value.getLoc());
  NestBuilder builder(nest, placement);
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  SmallVector<Index> indices = builder.addLoops(shape, Outer);
  Expr *expr = builder.element(value, indices);
  nest.stores.push_back({expr, buffer, builder.linearize(indices, shape)});
}

void Planner::planConcat(graph::ConcatOp op, Buffer *buffer) {
  ArrayRef<int64_t> shape = typeOf(op).getShape();
  int64_t start = 0;
  for (Value input : op.getInputs()) {
    Nest &nest = addNest(Nest::Map, op.getLoc());
    NestBuilder builder(nest, placement);
    SmallVector<Index> indices =
        builder.addLoops(typeOf(input).getShape(), Outer);
    Expr *expr = builder.element(input, indices);
    indices[op.getAxis()].constant += start;
    start += typeOf(input).getDimSize(op.getAxis());
    nest.stores.push_back({expr, buffer, builder.linearize(indices, shape)});
  }
}

void Planner::planPad(graph::PadOp op, Buffer *buffer) {
  ArrayRef<int64_t> shape = typeOf(op).getShape();
  {
    Nest &nest = addNest(Nest::Map, op.getLoc());
    NestBuilder builder(nest, placement);
    SmallVector<Index> indices = builder.addLoops(shape, Outer);
    Expr *expr = builder.element(op.getValue(), {});
    nest.stores.push_back({expr, buffer, builder.linearize(indices, shape)});
  }
  Nest &nest = addNest(Nest::Map, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices =
      builder.addLoops(typeOf(op.getInput()).getShape(), Outer);
  Expr *expr = builder.element(op.getInput(), indices);
  for (auto [k, index] : llvm::enumerate(indices))
    index =
        Index::ofConstant(op.getLow()[k]).add(index, op.getInterior()[k] + 1);
  nest.stores.push_back({expr, buffer, builder.linearize(indices, shape)});
}

void Planner::planResults() {
  // Results of one shape share a nest, and so what they have in common.
  struct Group {
    Nest *nest;
    NestBuilder builder;
    SmallVector<Index> indices;
  };
  std::deque<Group> groups;
  size_t first = kernel.nests.size();
  for (auto [value, buffer] :
       llvm::zip_equal(body.getTerminator()->getOperands(), kernel.outputs)) {
    auto pending = results.find(value);
    bool isStored = pending == results.end() || pending->second != buffer;
    if (isStored && placement.buffers.lookup(value) == buffer)
      continue;
    if (!placement.buffers.contains(value)) {
      if (auto concat = value.getDefiningOp<graph::ConcatOp>()) {
        planConcat(concat, buffer);
        continue;
      }
      if (auto pad = value.getDefiningOp<graph::PadOp>()) {
        planPad(pad, buffer);
        continue;
      }
    }
    ArrayRef<int64_t> shape = typeOf(value).getShape();
    Group *group = nullptr;
    for (Group &g : groups)
      if (g.indices.size() == shape.size() &&
          llvm::all_of(llvm::enumerate(shape), [&](auto dim) {
            return g.nest->variables[dim.index()].size == dim.value();
          }))
        group = &g;
    if (!group) {
      Nest &nest = addNest(Nest::Map, value.getLoc());
      groups.push_back({&nest, NestBuilder(nest, placement), {}});
      group = &groups.back();
      group->indices = group->builder.addLoops(shape, Outer);
    }
    Expr *expr = group->builder.element(value, group->indices);
    group->nest->stores.push_back(
        {expr, buffer, group->builder.linearize(group->indices, shape)});
  }
  for (size_t k = first; k < kernel.nests.size(); ++k)
    kernel.nests[k].finish();
}

LogicalResult Planner::run() {
  for (auto [k, argument] : llvm::enumerate(body.getArguments())) {
    RankedTensorType type = typeOf(argument);
    kernel.buffers.push_back({Buffer::Input, unsigned(k), 0,
                              type.getElementType(), type.getNumElements()});
    kernel.inputs.push_back(&kernel.buffers.back());
    placement.buffers[argument] = &kernel.buffers.back();
  }
  for (auto [k, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    RankedTensorType type = typeOf(value);
    kernel.buffers.push_back({Buffer::Output, unsigned(k), 0,
                              type.getElementType(), type.getNumElements()});
    kernel.outputs.push_back(&kernel.buffers.back());
    if (!isa<BlockArgument>(value))
      results.try_emplace(value, &kernel.buffers.back());
  }
  for (Operation &op : body.without_terminator()) {
    if (auto random = dyn_cast<graph::RandomUniformOp>(op)) {
      placement.opIds[&op] = kernel.args.size();
      kernel.args.push_back(random.getOpId());
    }
    if (!isHeavy(&op) && !isInlined(&op))
      return op.emitError() << "expects an op that a kernel can compute, but "
                               "got '"
                            << op.getName() << "'";
  }
  for (Operation &op : body.without_terminator()) {
    if (auto product = dyn_cast<graph::DotGeneralOp>(op))
      planProduct(product);
    else if (isa<graph::ArgmaxOp, graph::ArgminOp>(op))
      planArg(&op);
    else if (auto check = dyn_cast<graph::CheckIndexOp>(op))
      planCheck(check);
    else if (isHeavy(&op))
      planReduction(&op);
  }
  planResults();
  return success();
}

} // namespace

LogicalResult planKernel(graph::FusedOp fused, Kernel &kernel) {
  return Planner(fused, kernel).run();
}

} // namespace graphc::kernel
