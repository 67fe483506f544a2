// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts of ops as kinds of loops and of reads. Policy is here: which facts
// a kernel can make use of.
#include "passes/Fuse/FuseProblem.h"

#include "dialects/Graph/IR/CheckedIndex.h"
#include "dialects/Graph/IR/GraphBuilders.h"
#include "lib/Analysis/Cost.h"
#include "lib/Analysis/ReductionShape.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace graphc::fuse {

using algorithms::FusionKind;
using algorithms::FusionNode;
using algorithms::FusionRead;
using graph::IndexRelation;

bool isCompute(Operation *op) {
  bool isOurs = isa_and_nonnull<graph::GraphDialect>(op->getDialect()) ||
                isa<graph::DecomposableOpInterface>(op); // of a plugin
  return isOurs && op->getNumRegions() == 0 && isPure(op) &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<SymbolOpInterface, graph::RecomputeBarrierOp>(op);
}

Value skipBarriers(Value value) {
  while (auto barrier = value.getDefiningOp<graph::RecomputeBarrierOp>())
    value = barrier.getSaved();
  return value;
}

bool isAttention(Operation *op) {
  return isa_and_nonnull<graph::AttentionOp, graph::AttentionGradOp>(op);
}

bool isOfAttention(Value value, llvm::function_ref<Value(Value)> resolve) {
  Operation *op = resolve(value).getDefiningOp();
  while (isa_and_nonnull<graph::TransposeOp, graph::ReshapeOp>(op))
    op = resolve(op->getOperand(0)).getDefiningOp();
  return isAttention(op);
}

graph::ConstantOp getSplatConstant(Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  return constant && isa<SplatElementsAttr>(constant.getValue())
             ? constant
             : graph::ConstantOp();
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

static bool isCostly(Operation *op) {
  if (isa<graph::DivOp, graph::RemOp>(op) &&
      !isa<FloatType>(graph::elementTypeOf(op->getResult(0))))
    return true;
  return isa<graph::ExpOp, graph::Expm1Op, graph::LogOp, graph::Log1pOp,
             graph::SinOp, graph::CosOp, graph::TanhOp, graph::ErfOp,
             graph::PowOp, graph::RemOp, graph::RandomUniformOp>(op);
}

static void addContents(Operation *op, OpContents &contents) {
  auto composite = dyn_cast<graph::DecomposableOpInterface>(op);
  if (!composite) {
    // It becomes tens of instructions; LLVM is slow on thousands in a row.
    contents.ops += isCostly(op) ? 16 : 1;
    contents.isCostly |= isCostly(op);
    contents.checksIndices |=
        isa<graph::CheckIndexOp, graph::GatherOp, graph::ScatterAddOp>(op);
    contents.reductions += isa<graph::ReduceSumOp, graph::ReduceMaxOp,
                               graph::ReduceMinOp, graph::ReduceProdOp>(op);
    return;
  }
  OwningOpRef<ModuleOp> parts = partsOf(composite);
  for (Operation &part : *parts->getBody())
    addContents(&part, contents);
}

const OpContents &ContentsCache::get(Operation *op) {
  std::vector<const void *> key = {
      op->getName().getAsOpaquePointer(),
      op->getAttrDictionary().getAsOpaquePointer()};
  for (Type type : op->getOperandTypes())
    key.push_back(type.getAsOpaquePointer());
  for (Type type : op->getResultTypes())
    key.push_back(type.getAsOpaquePointer());
  // Equal operands are one argument of a kernel, but no matter here.
  auto [it, isNew] = known.try_emplace(std::move(key));
  if (isNew) {
    it->second.ops = 0;
    addContents(op, it->second);
  }
  return it->second;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// A row that is read again for each reduction should still be in the cache.
constexpr int64_t kMaxRowBytes = 128 << 10;

int64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  int64_t width =
      element.isInteger(1) ? 1 : (element.getIntOrFloatBitWidth() + 7) / 8;
  int64_t bytes = 0;
  return llvm::MulOverflow(tensor.getNumElements(), width, bytes)
             ? std::numeric_limits<int64_t>::max() / 4096
             : std::min(bytes, std::numeric_limits<int64_t>::max() / 4096);
}

bool isView(Operation *op) {
  return isa<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp,
             graph::SliceOp, graph::ReverseOp, graph::UnfoldOp>(op);
}

/// True if each dimension of the input is a run of dimensions of the result:
/// an index of the one is then a sum of indices of the other.
bool isRefinement(graph::ReshapeOp op) {
  ArrayRef<int64_t> from = graph::tensorTypeOf(op.getInput()).getShape();
  ArrayRef<int64_t> to = graph::tensorTypeOf(op).getShape();
  size_t k = 0;
  for (int64_t size : from) {
    int64_t run = 1;
    while (run < size && k < to.size())
      run *= to[k++];
    if (run != size)
      return false;
  }
  return true;
}

/// True if `op` is a transpose that one convolution alone reads.
bool isForConvolution(Operation *op) {
  return isa<graph::TransposeOp>(op) && op->hasOneUse() &&
         isa<graph::ConvOp, graph::ConvTransposeOp, graph::ConvWeightGradOp>(
             *op->user_begin());
}

class Reader {
public:
  Reader(Block &block, ContentsCache &contents, bool opens)
      : block(block), contents(contents), opens(opens) {}

  BlockProblem read() {
    for (Operation &op : block.without_terminator()) {
      // Constants are there from the start.
      if (op.hasTrait<OpTrait::ConstantLike>())
        continue;
      auto fused = dyn_cast<graph::FusedOp>(op);
      if (fused && opens)
        readRegion(fused);
      else
        readOp(&op, nextRegion++);
    }
    if (block.mightHaveTerminator())
      for (Value operand : block.getTerminator()->getOperands())
        leave(operand);
    result.regions.groupCount = nextRegion;
    findUpdates();
    return std::move(result);
  }

private:
  void readRegion(graph::FusedOp fused) {
    Block &body = fused.getBody().front();
    for (auto [argument, input] :
         llvm::zip_equal(body.getArguments(), fused.getInputs()))
      aliases[argument] = resolve(input);
    int region = -1;
    for (Operation &op : body.without_terminator()) {
      if (op.hasTrait<OpTrait::ConstantLike>())
        continue;
      if (region < 0)
        region = nextRegion++;
      readOp(&op, region);
    }
    for (auto [outer, inner] : llvm::zip_equal(
             fused.getResults(), body.getTerminator()->getOperands()))
      aliases[outer] = resolve(inner);
  }

  void readOp(Operation *op, int region) {
    int number = int(problem.nodes.size());
    result.nodes[op] = number;
    result.ops.push_back(op);
    result.regions.groups.push_back(region);
    problem.nodes.emplace_back();
    if (isCompute(op))
      classify(op, problem.nodes.back());
    bool isImpure = !isMemoryEffectFree(op);
    if (isImpure) {
      if (lastImpure >= 0)
        problem.nodes[number].after.push_back(lastImpure);
      lastImpure = number;
    }
    if (auto set = dyn_cast<graph::SetOp>(op)) {
      sets.push_back(set);
      leave(set.getValue());
      follow(number, set.getValue());
      return;
    }
    if (!isCompute(op))
      op->walk([&](Operation *inner) {
        problem.nodes[number].mayFail |=
            isa<graph::CustomOp>(inner) ||
            (isCompute(inner) && contents.get(inner).checksIndices &&
             !graph::hasHeldIndices(inner));
      });
    readOperands(op, number);
    // A variable is in memory already; its readers only follow the read.
    if (auto get = dyn_cast<graph::GetOp>(op)) {
      gets[get.getVariableAttr()].push_back(get.getResult());
      numberOf(get.getResult());
      return;
    }
    for (Value value : op->getResults()) {
      int v = numberOf(value);
      problem.values[v].producer = number;
      problem.values[v].isArena = true;
      if (Value replaced = replacedBy(cast<OpResult>(value)))
        if (auto it = valueNumbers.find(resolve(replaced));
            it != valueNumbers.end())
          problem.values[v].replaces = it->second;
    }
  }

  /// The operand whose memory `result` may take, though it is no elementwise
  /// op's.
  static Value replacedBy(OpResult result) {
    Operation *op = result.getOwner();
    if (isa<graph::DynamicUpdateSliceOp, graph::ScatterAddOp>(op))
      return op->getOperand(0);
    if (auto loop = dyn_cast<graph::ForOp>(op))
      return loop.getInits()[result.getResultNumber()];
    return {};
  }

  /// Node `number` runs after the one that computes `value`.
  void follow(int number, Value value) {
    if (auto it = valueNumbers.find(resolve(value)); it != valueNumbers.end())
      if (int producer = problem.values[it->second].producer; producer >= 0)
        problem.nodes[number].after.push_back(producer);
  }

  void readOperands(Operation *op, int number) {
    // It waits for the one operand and does not read it.
    if (auto barrier = dyn_cast<graph::RecomputeBarrierOp>(op)) {
      use(number, barrier.getSaved(), FusionRead::Whole);
      follow(number, barrier.getAfter());
      return;
    }
    llvm::DenseMap<Value, unsigned> counts;
    for (Value operand : op->getOperands())
      ++counts[operand];
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (getSplatConstant(value))
        continue;
      FusionRead read = readOf(op, operand.getOperandNumber(), number);
      if (read == FusionRead::Once && counts[value] > 1)
        read = FusionRead::Many;
      use(number, value, read);
      if (isa<graph::SliceOp>(op))
        problem.uses.back().bytes = bytesOf(op->getResult(0).getType());
    }
    if (op->getNumRegions() == 0)
      return;
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      if (!getSplatConstant(value))
        use(number, value, FusionRead::Whole);
  }

  void use(int number, Value value, FusionRead read) {
    value = resolve(value);
    problem.uses.push_back({number, numberOf(value), read});
    auto get = value.getDefiningOp<graph::GetOp>();
    if (auto it = get ? result.nodes.find(get) : result.nodes.end();
        it != result.nodes.end())
      problem.nodes[number].after.push_back(it->second);
  }

  //===--------------------------------------------------------------------===//
  // Kinds
  //===--------------------------------------------------------------------===//

  void classify(Operation *op, FusionNode &node) {
    const OpContents &inside = contents.get(op);
    node.ops = inside.ops;
    node.isCostly = inside.isCostly;
    node.mayFail = inside.checksIndices && !graph::hasHeldIndices(op);
    node.isView = isView(op);
    // An index out of range is reported with the place of its kernel.
    bool isPlain = (op->getNumResults() == 1 || isAttention(op)) &&
                   !inside.checksIndices &&
                   bytesOf(op->getResult(0).getType()) != 0;
    for (Value operand : op->getOperands())
      isPlain &= isa<RankedTensorType>(operand.getType()) &&
                 bytesOf(operand.getType()) != 0;
    if (!isPlain)
      return;
    node.domain = shapeOf(op->getResult(0));
    if (isAttention(op)) {
      // It takes views of what it multiplies and of what it gives, and nothing
      // else; no other kernel has its loops.
      node.kind = FusionKind::Product;
      node.domain = shapeNumber({-1, int64_t(problem.nodes.size())});
      node.ops = 1;
      return;
    }
    if (graph::isComputedByElement(op)) {
      node.kind = FusionKind::Map;
      return;
    }
    for (unsigned k = 0; k < op->getNumOperands(); ++k) {
      IndexRelation relation = graph::getIndexRelation(op, k);
      if (relation == IndexRelation::Product)
        node.kind = FusionKind::Product;
      else if (relation == IndexRelation::Row ||
               relation == IndexRelation::Reduction)
        return classifyReduction(op, relation, inside, node);
    }
  }

  void classifyReduction(Operation *op, IndexRelation relation,
                         const OpContents &inside, FusionNode &node) {
    Value input = op->getOperand(0);
    RankedTensorType type = graph::tensorTypeOf(input);
    SmallVector<int64_t> axes = graph::getReducedAxes(op);
    ArrayRef<int64_t> kept = type.getShape().drop_back(
        std::min<size_t>(axes.size(), type.getRank()));
    bool isTrailing = !axes.empty();
    for (auto [k, axis] : llvm::enumerate(axes))
      isTrailing &= axis == int64_t(kept.size() + k);
    int64_t rows = ShapedType::getNumElements(kept);
    bool isRow = isTrailing && rows > 1 &&
                 bytesOf(type) / rows <= kMaxRowBytes &&
                 !isa<graph::ArgmaxOp, graph::ArgminOp>(op);
    if (isRow) {
      node.kind = FusionKind::Rows;
      node.domain = shapeOf(input);
      node.rows = shapeNumber(kept);
      node.reductions = std::max(1, inside.reductions);
      node.sharesLoop = type.getNumElements() / rows >= kLeastRow &&
                        canShareRows(rows, double(type.getNumElements()));
    } else if (relation == IndexRelation::Reduction) {
      node.kind = FusionKind::Columns;
      addUpRows(op, axes, node);
    }
  }

  /// Where `op` reduces all rows, a loop over them can take one at a time.
  void addUpRows(Operation *op, ArrayRef<int64_t> axes, FusionNode &node) {
    if (!isa<graph::ReduceSumOp, graph::ReduceMeanOp, graph::ReduceMaxOp,
             graph::ReduceMinOp, graph::ReduceProdOp>(op))
      return;
    RankedTensorType type = graph::tensorTypeOf(op->getOperand(0));
    for (auto [k, axis] : llvm::enumerate(axes))
      if (axis != int64_t(k))
        return;
    int64_t rows =
        ShapedType::getNumElements(type.getShape().take_front(axes.size()));
    int64_t columns = type.getNumElements() / rows;
    Type sum = graph::getAccumulationType(type.getElementType());
    if (columns < kLeastRow ||
        !canAddRows(rows, double(columns) * sum.getIntOrFloatBitWidth() / 8))
      return;
    int rowShape = shapeNumber(type.getShape().take_front(axes.size()));
    // Equal shapes would hide what is a sum and what a value of each row.
    if (rowShape == node.domain)
      return;
    node.terms = shapeOf(op->getOperand(0));
    node.rows = rowShape;
    node.reductions = 1;
  }

  static Value maskOf(Operation *op) {
    if (auto attention = dyn_cast<graph::AttentionOp>(op))
      return attention.getMask();
    return cast<graph::AttentionGradOp>(op).getMask();
  }

  FusionRead readOf(Operation *op, unsigned operand, int number) {
    const FusionNode &node = problem.nodes[number];
    if (node.kind == FusionKind::Alone)
      return FusionRead::Whole;
    Value value = op->getOperand(operand);
    Operation *producer = resolve(value).getDefiningOp();
    // Joined or padded, it is written part by part.
    if (isa_and_nonnull<graph::ConcatOp, graph::PadOp>(producer))
      return FusionRead::Whole;
    if (isAttention(op))
      return value == maskOf(op) ? FusionRead::Whole : FusionRead::Factor;
    if (isOfAttention(value, [&](Value v) { return resolve(v); }))
      return isa<graph::TransposeOp, graph::ReshapeOp>(op)
                 ? FusionRead::Relayout
                 : FusionRead::Whole;
    switch (graph::getIndexRelation(op, operand)) {
    case IndexRelation::Same:
      return FusionRead::Same;
    case IndexRelation::Broadcast:
      return readOfBroadcast(op, value);
    case IndexRelation::Movement:
      if (auto reshape = dyn_cast<graph::ReshapeOp>(op)) {
        // Of a view, it would need divisions.
        bool isDirect =
            !producer || !isView(producer) || isa<graph::ReshapeOp>(producer);
        return isDirect || isRefinement(reshape) ? FusionRead::Relayout
                                                 : FusionRead::Whole;
      }
      // A convolution reads through it for nothing; to store it so is slow.
      if (producer && !isView(producer) && isForConvolution(op))
        return FusionRead::Whole;
      return isa<graph::TransposeOp>(op) ? FusionRead::Relayout
                                         : FusionRead::Once;
    case IndexRelation::Row:
    case IndexRelation::Reduction:
      // It would be read against its order, for each pass.
      if (isa_and_nonnull<graph::TransposeOp, graph::UnfoldOp>(producer))
        return FusionRead::Whole;
      return node.kind == FusionKind::Rows ? FusionRead::Row
                                           : FusionRead::Reduced;
    case IndexRelation::Product:
      return FusionRead::Factor;
    case IndexRelation::Opaque:
      return FusionRead::Whole;
    }
    return FusionRead::Whole;
  }

  FusionRead readOfBroadcast(Operation *op, Value value) {
    if (graph::tensorTypeOf(value).getNumElements() == 1)
      return FusionRead::Outer;
    auto broadcast = dyn_cast<graph::BroadcastOp>(op);
    if (!broadcast)
      return FusionRead::Many;
    if (graph::tensorTypeOf(value).getNumElements() ==
        graph::tensorTypeOf(broadcast).getNumElements())
      return FusionRead::Once;
    for (auto [k, dim] : llvm::enumerate(broadcast.getDims()))
      if (dim != int64_t(k))
        return FusionRead::Many;
    return FusionRead::Outer;
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  Value resolve(Value value) const {
    auto it = aliases.find(value);
    return it == aliases.end() ? value : it->second;
  }

  int numberOf(Value value) {
    auto [it, isNew] = valueNumbers.try_emplace(value, problem.values.size());
    if (isNew) {
      algorithms::FusionValue plain;
      if (isa<RankedTensorType>(value.getType())) {
        plain.bytes = bytesOf(value.getType());
        plain.shape = shapeOf(value);
      }
      problem.values.push_back(plain);
      result.values.push_back(value);
    }
    return it->second;
  }

  void leave(Value value) {
    if (getSplatConstant(value))
      return;
    int v = numberOf(resolve(value));
    problem.values[v].leaves = true;
    problem.values[v].isArena = false;
  }

  int shapeOf(Value value) {
    return shapeNumber(graph::tensorTypeOf(value).getShape());
  }
  int shapeNumber(ArrayRef<int64_t> shape) {
    return shapes
        .try_emplace(std::vector<int64_t>(shape.begin(), shape.end()),
                     int(shapes.size()))
        .first->second;
  }

  /// What becomes the value of a variable, and who reads the old one.
  void findUpdates() {
    llvm::DenseMap<int, SmallVector<int>> readers;
    for (const algorithms::FusionUse &use : problem.uses) {
      Value read = resolve(skipBarriers(result.values[use.value]));
      if (read.getDefiningOp<graph::GetOp>())
        readers[valueNumbers.lookup(read)].push_back(use.node);
    }
    for (graph::SetOp set : sets) {
      auto it = valueNumbers.find(resolve(set.getValue()));
      if (it == valueNumbers.end())
        continue;
      int producer = problem.values[it->second].producer;
      if (producer < 0 || problem.nodes[producer].kind == FusionKind::Alone)
        continue;
      FusionNode &node = problem.nodes[producer];
      node.isUpdate = true;
      for (Value old : gets.lookup(set.getVariableAttr()))
        if (auto found = valueNumbers.find(old); found != valueNumbers.end())
          for (int reader : readers.lookup(found->second))
            if (reader != producer)
              node.oldReaders.push_back(reader);
    }
  }

  Block &block;
  ContentsCache &contents;
  bool opens;
  BlockProblem result;
  algorithms::FusionProblem &problem = result.problem;
  llvm::DenseMap<Value, Value> aliases;
  llvm::DenseMap<Value, int> valueNumbers;
  std::map<std::vector<int64_t>, int> shapes;
  SmallVector<graph::SetOp> sets;
  llvm::DenseMap<Attribute, SmallVector<Value, 1>> gets;
  int lastImpure = -1;
  int nextRegion = 0;
};

} // namespace

BlockProblem readBlock(Block &block, ContentsCache &contents, bool opens) {
  return Reader(block, contents, opens).read();
}

} // namespace graphc::fuse
