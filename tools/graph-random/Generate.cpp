// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-random/Generate.h"

#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

#include <functional>

using namespace mlir;

namespace graphc::random {

using interpreter::RandomStream;

namespace {

/// Which element types an op takes.
enum class Kind { Float, Number, Integer, Bits, Any };

class Generator {
public:
  Generator(func::FuncOp function, RandomStream &stream)
      : function(function), block(&function.getBody().front()),
        b(OpBuilder::atBlockEnd(block)), loc(function.getLoc()),
        stream(stream) {}

  int64_t pick(int64_t low, int64_t high) { return stream.integer(low, high); }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }

  Type element(Kind kind) {
    SmallVector<Type> types;
    if (kind != Kind::Integer && kind != Kind::Bits)
      types.append({b.getF32Type(), b.getF32Type(), b.getF64Type(),
                    b.getF16Type(), b.getBF16Type()});
    if (kind != Kind::Float)
      types.append({b.getIntegerType(8), b.getIntegerType(8, false),
                    b.getI32Type(), b.getI64Type()});
    if (kind == Kind::Bits || kind == Kind::Any)
      types.push_back(b.getI1Type());
    return types[pick(0, types.size() - 1)];
  }
  int64_t size() {
    static constexpr int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33};
    return chance(2) ? 0 : sizes[pick(0, 10)];
  }
  SmallVector<int64_t> shape(int64_t minRank = 0) {
    SmallVector<int64_t> sizes(pick(minRank, std::max<int64_t>(minRank, 3)));
    for (int64_t &s : sizes)
      s = size();
    return sizes;
  }
  RankedTensorType type(Kind kind, int64_t minRank = 0) {
    return RankedTensorType::get(shape(minRank), element(kind));
  }
  static RankedTensorType typeOf(Value value) {
    return mlir::cast<RankedTensorType>(value.getType());
  }
  static bool matches(Type type, Kind kind) {
    Type element = getElementTypeOrSelf(type);
    bool isFloat = isa<FloatType>(element), isBool = element.isInteger(1);
    switch (kind) {
    case Kind::Float:
      return isFloat;
    case Kind::Number:
      return !isBool;
    case Kind::Integer:
      return !isFloat && !isBool;
    case Kind::Bits:
      return !isFloat;
    case Kind::Any:
      return true;
    }
    return false;
  }

  Value input(RankedTensorType type) { return block->addArgument(type, loc); }
  /// A value there is, or a new input.
  Value operand(Kind kind, int64_t minRank = 0) {
    if (chance(60))
      for (int attempt = 0; attempt < 8 && !pool.empty(); ++attempt) {
        Value value = pool[pick(0, pool.size() - 1)];
        if (matches(value.getType(), kind) &&
            typeOf(value).getRank() >= minRank)
          return value;
      }
    return input(type(kind, minRank));
  }
  Value operandOf(RankedTensorType type) {
    if (chance(60))
      for (int attempt = 0; attempt < 8 && !pool.empty(); ++attempt)
        if (Value value = pool[pick(0, pool.size() - 1)];
            value.getType() == type)
          return value;
    return input(type);
  }

  template <typename Op, typename... Args> void make(Args &&...args) {
    Operation *op = b.create<Op>(loc, std::forward<Args>(args)...);
    llvm::append_range(pool, op->getResults());
  }
  template <typename Op> void unary(Kind kind) {
    Value x = operand(kind);
    make<Op>(x.getType(), x);
  }
  template <typename Op> void binary(Kind kind) {
    Value x = operand(kind);
    Value y = operandOf(typeOf(x));
    make<Op>(x.getType(), x, y);
  }
  SmallVector<int64_t> someDims(int64_t rank) {
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < rank; ++d)
      if (chance(60))
        dims.push_back(d);
    return dims;
  }
  template <typename Op> void reduce(Kind kind) {
    Value x = operand(kind);
    make<Op>(x, b.getDenseI64ArrayAttr(someDims(typeOf(x).getRank())));
  }
  template <typename Op> void arg() {
    Value x = operand(Kind::Number, 1);
    int64_t axis = pick(0, typeOf(x).getRank() - 1);
    if (typeOf(x).getDimSize(axis) != 0)
      make<Op>(x, b.getI64IntegerAttr(axis));
  }
  template <typename Op> void softmax() {
    Value x = operand(Kind::Float, 1);
    make<Op>(x.getType(), x,
             b.getI64IntegerAttr(pick(0, typeOf(x).getRank() - 1)));
  }
  template <typename Op> void pairLoss() {
    Value x = operand(Kind::Float);
    make<Op>(x, operandOf(typeOf(x)), reduction());
  }
  graph::ReductionAttr reduction() {
    return graph::ReductionAttr::get(b.getContext(),
                                     static_cast<graph::Reduction>(pick(0, 2)));
  }

  void cast() {
    Value x = operand(Kind::Any);
    make<graph::CastOp>(typeOf(x).clone(element(Kind::Any)), x);
  }
  void select() {
    Value x = operand(Kind::Any);
    Value c = operandOf(typeOf(x).clone(b.getI1Type()));
    make<graph::SelectOp>(c, x, operandOf(typeOf(x)));
  }
  void compare() {
    Value x = operand(Kind::Any);
    make<graph::CompareOp>(static_cast<graph::ComparePredicate>(pick(0, 5)), x,
                           operandOf(typeOf(x)));
  }
  void constant() {
    RankedTensorType t = type(Kind::Float);
    SmallVector<APFloat> values;
    for (int64_t k = 0; k < t.getNumElements(); ++k) {
      APFloat value(stream.uniform(-2, 2));
      bool lost = false;
      value.convert(
          mlir::cast<FloatType>(t.getElementType()).getFloatSemantics(),
          APFloat::rmNearestTiesToEven, &lost);
      values.push_back(value);
    }
    make<graph::ConstantOp>(DenseElementsAttr::get(t, values));
  }
  void iota() {
    RankedTensorType t = type(Kind::Number, 1);
    make<graph::IotaOp>(t, b.getI64IntegerAttr(pick(0, t.getRank() - 1)));
  }
  void broadcast() {
    Value x = operand(Kind::Any);
    SmallVector<int64_t> sizes, dims;
    for (int64_t s : typeOf(x).getShape()) {
      if (chance(40) && sizes.size() < 4)
        sizes.push_back(size());
      dims.push_back(sizes.size());
      sizes.push_back(s);
    }
    if (chance(50) && sizes.size() < 4)
      sizes.push_back(size());
    make<graph::BroadcastOp>(typeOf(x).clone(sizes), x,
                             b.getDenseI64ArrayAttr(dims));
  }
  void reshape() {
    Value x = operand(Kind::Any);
    SmallVector<int64_t> sizes(typeOf(x).getShape());
    if (!sizes.empty() && chance(60)) { // Join the last two, or split off a 1.
      int64_t last = sizes.pop_back_val();
      if (!sizes.empty() && chance(70))
        sizes.back() *= last;
      else
        sizes.append({last, 1});
    } else {
      sizes.insert(sizes.begin(), 1);
    }
    make<graph::ReshapeOp>(typeOf(x).clone(sizes), x);
  }
  void transpose() {
    Value x = operand(Kind::Any);
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < typeOf(x).getRank(); ++d)
      dims.insert(dims.begin() + pick(0, d), d);
    make<graph::TransposeOp>(x, b.getDenseI64ArrayAttr(dims));
  }
  void slice() {
    Value x = operand(Kind::Any);
    SmallVector<int64_t> starts, limits, strides;
    for (int64_t s : typeOf(x).getShape()) {
      starts.push_back(pick(0, s));
      limits.push_back(pick(starts.back(), s));
      strides.push_back(pick(1, 3));
    }
    make<graph::SliceOp>(x, b.getDenseI64ArrayAttr(starts),
                         b.getDenseI64ArrayAttr(limits),
                         b.getDenseI64ArrayAttr(strides));
  }
  void pad() {
    Value x = operand(Kind::Any);
    SmallVector<int64_t> low, high, interior;
    for (int64_t d = 0; d < typeOf(x).getRank(); ++d) {
      low.push_back(pick(0, 2));
      high.push_back(pick(0, 2));
      interior.push_back(pick(0, 1));
    }
    Value value =
        operandOf(RankedTensorType::get({}, typeOf(x).getElementType()));
    make<graph::PadOp>(x, value, b.getDenseI64ArrayAttr(low),
                       b.getDenseI64ArrayAttr(high),
                       b.getDenseI64ArrayAttr(interior));
  }
  void concat() {
    Value x = operand(Kind::Any, 1);
    int64_t axis = pick(0, typeOf(x).getRank() - 1);
    SmallVector<Value> inputs = {x};
    for (int64_t more = pick(0, 2); more > 0; --more) {
      SmallVector<int64_t> sizes(typeOf(x).getShape());
      sizes[axis] = size();
      inputs.push_back(operandOf(typeOf(x).clone(sizes)));
    }
    make<graph::ConcatOp>(inputs, b.getI64IntegerAttr(axis));
  }
  void dotGeneral() {
    Type e = element(Kind::Number);
    int64_t batch = size(), m = size(), n = size(), k = size();
    bool hasBatch = chance(40), lhsT = chance(40), rhsT = chance(40);
    SmallVector<int64_t> lhs, rhs, batching;
    if (hasBatch) {
      lhs = rhs = {batch};
      batching = {0};
    }
    int64_t first = hasBatch;
    lhs.append(lhsT ? std::initializer_list<int64_t>{k, m}
                    : std::initializer_list<int64_t>{m, k});
    rhs.append(rhsT ? std::initializer_list<int64_t>{n, k}
                    : std::initializer_list<int64_t>{k, n});
    Value x = operandOf(RankedTensorType::get(lhs, e));
    Value y = operandOf(RankedTensorType::get(rhs, e));
    SmallVector<int64_t> lhsContract = {first + (lhsT ? 0 : 1)},
                         rhsContract = {first + (rhsT ? 1 : 0)};
    make<graph::DotGeneralOp>(x, y, b.getDenseI64ArrayAttr(batching),
                              b.getDenseI64ArrayAttr(batching),
                              b.getDenseI64ArrayAttr(lhsContract),
                              b.getDenseI64ArrayAttr(rhsContract));
  }
  void linear() {
    Type e = element(Kind::Float);
    int64_t in = size(), out = size();
    SmallVector<int64_t> sizes = shape();
    sizes.push_back(in);
    Value x = operandOf(RankedTensorType::get(sizes, e));
    Value w = operandOf(RankedTensorType::get({out, in}, e));
    Value bias =
        chance(70) ? operandOf(RankedTensorType::get({out}, e)) : Value();
    make<graph::LinearOp>(x, w, bias);
  }
  void crossEntropy() {
    Value x = operand(Kind::Float, 1);
    if (typeOf(x).getShape().back() == 0)
      return;
    Type index = chance(50) ? b.getI64Type() : b.getI32Type();
    // A fresh input: its range is taken from this reader.
    Value target =
        input(RankedTensorType::get(typeOf(x).getShape().drop_back(), index));
    make<graph::CrossEntropyOp>(x, target, reduction(),
                                b.getI64IntegerAttr(chance(50) ? -100 : 0),
                                b.getF64FloatAttr(chance(50) ? 0.0 : 0.1));
  }
  /// A value there is, held to a range in which no square overflows.
  Value moderate(Value x, double bound) {
    make<graph::ClampOp>(x.getType(), x, b.getF64FloatAttr(-bound),
                         b.getF64FloatAttr(bound));
    return pool.back();
  }
  /// Up to `most` operands of `sizes`, weight and bias of a norm.
  SmallVector<Value, 2> affine(RankedTensorType t, ArrayRef<int64_t> sizes,
                               int most) {
    SmallVector<Value, 2> parameters;
    for (int count = static_cast<int>(pick(0, most)); count > 0; --count)
      parameters.push_back(operandOf(t.clone(sizes)));
    parameters.resize(2);
    return parameters;
  }
  void layerNorm() {
    Value x = moderate(operand(Kind::Float, 1), 100);
    RankedTensorType t = typeOf(x);
    int64_t rank = pick(1, t.getRank());
    auto parameters = affine(t, t.getShape().take_back(rank), 2);
    make<graph::LayerNormOp>(t, x, parameters[0], parameters[1],
                             b.getI64IntegerAttr(rank), b.getF64FloatAttr(0.1));
  }
  void rmsNorm() {
    Value x = moderate(operand(Kind::Float, 1), 100);
    RankedTensorType t = typeOf(x);
    int64_t rank = pick(1, t.getRank());
    auto parameters = affine(t, t.getShape().take_back(rank), 1);
    make<graph::RmsNormOp>(t, x, parameters[0], b.getI64IntegerAttr(rank),
                           b.getF64FloatAttr(0.1));
  }
  void groupNorm() {
    Value x = moderate(operand(Kind::Float, 2), 100);
    RankedTensorType t = typeOf(x);
    int64_t channels = t.getDimSize(1), groups = pick(1, channels + 1);
    auto parameters = affine(t, channels, 2);
    make<graph::GroupNormOp>(
        t, x, parameters[0], parameters[1],
        b.getI64IntegerAttr(channels % groups ? 1 : groups),
        b.getF64FloatAttr(0.1));
  }
  void batchNorm() {
    Value x = moderate(operand(Kind::Float, 2), 100);
    RankedTensorType t = typeOf(x);
    int64_t channels = t.getDimSize(1), values = 1;
    for (int64_t d = 0; d < t.getRank(); ++d)
      values *= d == 1 ? 1 : t.getDimSize(d);
    auto statistics = t.clone(channels);
    auto parameters = affine(t, channels, 2);
    auto mode =
        values > 1 && chance(60) ? graph::Mode::Train : graph::Mode::Eval;
    // A fresh variance: its range is taken from this reader.
    make<graph::BatchNormOp>(
        TypeRange{t, statistics, statistics}, x, operandOf(statistics),
        input(statistics), parameters[0], parameters[1], b.getF64FloatAttr(0.3),
        b.getF64FloatAttr(0.1), graph::ModeAttr::get(b.getContext(), mode));
  }
  void attention() {
    Type e = element(Kind::Float);
    SmallVector<int64_t> q, kv;
    if (chance(50)) {
      int64_t batch = size(), heads = pick(1, 2), group = pick(1, 3);
      q = {batch, heads * group};
      kv = {batch, heads};
    }
    int64_t queries = size(), keys = size(), depth = pick(1, 9);
    SmallVector<int64_t> mask;
    for (int64_t d : q)
      mask.push_back(chance(50) ? d : 1);
    mask.append({chance(50) ? queries : 1, chance(50) ? keys : 1});
    q.append({queries, depth});
    kv.append({keys, depth});
    // Values are fresh: those of keys that do not take part must be finite.
    Value query = moderate(operandOf(RankedTensorType::get(q, e)), 4);
    Value key = moderate(operandOf(RankedTensorType::get(kv, e)), 4);
    Value value = input(RankedTensorType::get(kv, e)), bias;
    if (chance(60))
      bias = chance(50)
                 ? operandOf(RankedTensorType::get(mask, b.getI1Type()))
                 : moderate(operandOf(RankedTensorType::get(mask, e)), 4);
    make<graph::AttentionOp>(RankedTensorType::get(q, e), query, key, value,
                             bias, chance(50) ? b.getUnitAttr() : UnitAttr(),
                             chance(30) ? b.getF64FloatAttr(0.7) : FloatAttr());
  }
  void checkIndex() {
    Value x = input(RankedTensorType::get(
        shape(), chance(50) ? b.getI64Type() : b.getI32Type()));
    OperationState state(loc, graph::CheckIndexOp::getOperationName());
    state.addOperands(x);
    state.addTypes(x.getType());
    state.addAttribute("limit", b.getI64IntegerAttr(pick(5, 9)));
    llvm::append_range(pool, b.create(state)->getResults());
  }
  /// Fresh indices, whose range is taken from their reader.
  Value indices(ArrayRef<int64_t> sizes) {
    return input(RankedTensorType::get(sizes, chance(50) ? b.getI64Type()
                                                         : b.getI32Type()));
  }
  /// Of a tensor and of indices into dimension `axis` of it.
  struct Place {
    Value x, indices;
    IntegerAttr axis, batchDims;
    RankedTensorType slices;
  };
  std::optional<Place> place(Kind kind) {
    Value x = operand(kind, 1);
    RankedTensorType t = typeOf(x);
    int64_t axis = pick(0, t.getRank() - 1), batch = pick(0, axis);
    if (t.getDimSize(axis) == 0)
      return std::nullopt;
    SmallVector<int64_t> sizes(t.getShape().take_front(batch));
    for (int64_t more = pick(0, 2); more > 0; --more)
      sizes.push_back(size());
    SmallVector<int64_t> sliced(t.getShape().take_front(axis));
    llvm::append_range(sliced, ArrayRef(sizes).drop_front(batch));
    llvm::append_range(sliced, t.getShape().drop_front(axis + 1));
    return Place{x, indices(sizes), b.getI64IntegerAttr(axis),
                 b.getI64IntegerAttr(batch), t.clone(sliced)};
  }
  void gather() {
    if (auto p = place(Kind::Any))
      make<graph::GatherOp>(p->x, p->indices, p->axis, p->batchDims);
  }
  void scatterAdd() {
    if (auto p = place(Kind::Number))
      make<graph::ScatterAddOp>(p->x, p->indices, operandOf(p->slices), p->axis,
                                p->batchDims);
  }
  void embedding() {
    int64_t rows = pick(1, 9);
    Value weight =
        operandOf(RankedTensorType::get({rows, size()}, element(Kind::Float)));
    IntegerAttr padding =
        chance(50) ? b.getI64IntegerAttr(pick(0, rows - 1)) : IntegerAttr();
    make<graph::EmbeddingOp>(weight, indices(shape()), padding);
  }
  void oneHot() {
    SmallVector<int64_t> sizes = shape();
    Value which = indices(sizes);
    sizes.push_back(pick(1, 9));
    make<graph::OneHotOp>(RankedTensorType::get(sizes, element(Kind::Any)),
                          which);
  }
  SmallVector<Value> starts(int64_t rank) {
    SmallVector<Value> values;
    for (int64_t d = 0; d < rank; ++d)
      values.push_back(operandOf(RankedTensorType::get({}, b.getI64Type())));
    return values;
  }
  SmallVector<int64_t> sliceSizes(Value x) {
    SmallVector<int64_t> sizes;
    for (int64_t s : typeOf(x).getShape())
      sizes.push_back(chance(90) ? s - s / pick(1, 3) : pick(0, s));
    return sizes;
  }
  void dynamicSlice() {
    Value x = operand(Kind::Any);
    make<graph::DynamicSliceOp>(x, starts(typeOf(x).getRank()),
                                b.getDenseI64ArrayAttr(sliceSizes(x)));
  }
  void dynamicUpdateSlice() {
    Value x = operand(Kind::Any);
    Value update = operandOf(typeOf(x).clone(sliceSizes(x)));
    make<graph::DynamicUpdateSliceOp>(x, update, starts(typeOf(x).getRank()));
  }
  /// A window over the last `slides` dimensions of `shape`, which fits.
  struct Window {
    SmallVector<int64_t> kernel, strides, dilation, low, high, positions;
  };
  std::optional<Window> window(ArrayRef<int64_t> shape, int64_t slides,
                               bool pads) {
    Window w;
    for (int64_t size : shape.take_back(slides)) {
      int64_t dilation = pick(1, 2), kernel = pick(1, 4);
      int64_t reach = dilation * (kernel - 1) + 1;
      int64_t low = pads ? pick(0, reach / 2) : 0,
              high = pads ? pick(0, reach / 2) : 0;
      if (reach > size + low + high)
        return std::nullopt;
      w.kernel.push_back(kernel);
      w.dilation.push_back(dilation);
      w.strides.push_back(pick(1, 3));
      w.low.push_back(low);
      w.high.push_back(high);
      w.positions.push_back((size + low + high - reach) / w.strides.back() + 1);
    }
    return w;
  }
  void reverse() {
    Value x = operand(Kind::Any);
    make<graph::ReverseOp>(
        x.getType(), x, b.getDenseI64ArrayAttr(someDims(typeOf(x).getRank())));
  }
  void unfold() {
    Value x = operand(Kind::Any, 1);
    int64_t slides = pick(1, std::min<int64_t>(2, typeOf(x).getRank()));
    if (auto w = window(typeOf(x).getShape(), slides, false))
      make<graph::UnfoldOp>(x, w->kernel, w->strides, w->dilation);
  }
  void fold() {
    RankedTensorType t = type(Kind::Number, 1);
    int64_t slides = pick(1, std::min<int64_t>(2, t.getRank()));
    auto w = window(t.getShape(), slides, false);
    if (!w)
      return;
    SmallVector<int64_t> sizes(t.getShape().drop_back(slides));
    llvm::append_range(sizes, w->positions);
    llvm::append_range(sizes, w->kernel);
    make<graph::FoldOp>(t, operandOf(t.clone(sizes)), w->strides, w->dilation);
  }
  void maxPool() {
    Value x = operand(Kind::Number, 1);
    int64_t slides = pick(1, std::min<int64_t>(2, typeOf(x).getRank()));
    if (auto w = window(typeOf(x).getShape(), slides, true))
      make<graph::MaxPoolOp>(x, w->kernel, w->strides, w->low, w->high,
                             w->dilation);
  }
  void avgPool() {
    Value x = operand(Kind::Float, 1);
    int64_t slides = pick(1, std::min<int64_t>(2, typeOf(x).getRank()));
    if (auto w = window(typeOf(x).getShape(), slides, true))
      make<graph::AvgPoolOp>(x, w->kernel, w->strides, w->low, w->high,
                             w->dilation, chance(50));
  }
  /// One of the three convolutions of an input, a weight and a result that fit.
  enum class ConvKind { Plain, Transpose, WeightGrad };
  void conv(ConvKind kind) {
    int64_t slides = pick(1, 2), groups = pick(1, 2);
    SmallVector<int64_t> x = {pick(1, 3), groups * pick(1, 3)};
    for (int64_t k = 0; k < slides; ++k)
      x.push_back(pick(1, 9));
    auto w = window(x, slides, true);
    if (!w)
      return;
    SmallVector<int64_t> weight = {groups * pick(1, 4), x[1] / groups};
    llvm::append_range(weight, w->kernel);
    SmallVector<int64_t> y = {x[0], weight[0]}, extra;
    llvm::append_range(y, w->positions);
    for (int64_t k = 0; k < slides; ++k)
      extra.push_back(x[k + 2] + w->low[k] + w->high[k] -
                      w->dilation[k] * (w->kernel[k] - 1) - 1 -
                      (w->positions[k] - 1) * w->strides[k]);
    Type e = element(Kind::Float);
    auto tensor = [&](ArrayRef<int64_t> shape) {
      return RankedTensorType::get(shape, e);
    };
    auto bias = [&](int64_t channels) {
      return chance(50) ? operandOf(tensor(channels)) : Value();
    };
    if (kind == ConvKind::Plain)
      make<graph::ConvOp>(tensor(y), operandOf(tensor(x)),
                          operandOf(tensor(weight)), bias(weight[0]),
                          w->strides, w->low, w->high, w->dilation, groups);
    else if (kind == ConvKind::Transpose)
      make<graph::ConvTransposeOp>(
          tensor(x), operandOf(tensor(y)), operandOf(tensor(weight)),
          bias(x[1]), w->strides, w->low, w->high, w->dilation, extra, groups);
    else
      make<graph::ConvWeightGradOp>(tensor(weight), operandOf(tensor(x)),
                                    operandOf(tensor(y)), w->strides, w->low,
                                    w->high, w->dilation, groups);
  }
  void cumsum() {
    Value x = operand(Kind::Number, 1);
    make<graph::CumsumOp>(x.getType(), x,
                          b.getI64IntegerAttr(pick(0, typeOf(x).getRank() - 1)),
                          chance(50) ? b.getUnitAttr() : UnitAttr());
  }
  void sort() {
    Value x = operand(Kind::Number, 1);
    make<graph::SortOp>(x,
                        b.getI64IntegerAttr(pick(0, typeOf(x).getRank() - 1)),
                        chance(50) ? b.getUnitAttr() : UnitAttr());
  }
  void topK() {
    Value x = operand(Kind::Number, 1);
    int64_t axis = pick(0, typeOf(x).getRank() - 1);
    make<graph::TopKOp>(
        x, b.getI64IntegerAttr(pick(0, typeOf(x).getDimSize(axis))),
        b.getI64IntegerAttr(axis), chance(50) ? b.getUnitAttr() : UnitAttr());
  }
  template <typename Op> void triangle() {
    Value x = operand(Kind::Any, 2);
    make<Op>(x.getType(), x, b.getI64IntegerAttr(pick(-3, 3)));
  }
  Value key() { return input(RankedTensorType::get({3}, b.getI64Type())); }
  void randomUniform() {
    Type e = chance(50) ? Type(b.getF32Type()) : Type(b.getF64Type());
    make<graph::RandomUniformOp>(RankedTensorType::get(shape(), e), key(),
                                 b.getI64IntegerAttr(nextId++));
  }
  void dropout() {
    static constexpr double rates[] = {0, 0.3, 0.5, 1};
    Value x = operand(Kind::Float);
    make<graph::DropoutOp>(
        x.getType(), x, key(), b.getF64FloatAttr(rates[pick(0, 3)]),
        b.getI64IntegerAttr(nextId++),
        graph::ModeAttr::get(b.getContext(), graph::Mode::Train));
  }
  void clamp() {
    Value x = operand(Kind::Float);
    make<graph::ClampOp>(x.getType(), x, b.getF64FloatAttr(-0.5),
                         b.getF64FloatAttr(1));
  }
  void gelu() {
    Value x = operand(Kind::Float);
    make<graph::GeluOp>(
        x.getType(), x,
        graph::ApproximateAttr::get(
            b.getContext(), static_cast<graph::Approximate>(pick(0, 1))));
  }
  void loop() {
    Value x = operand(Kind::Float);
    OperationState state(loc, graph::ForOp::getOperationName());
    state.addOperands(x);
    state.addTypes(x.getType());
    state.addAttribute("count", b.getI64IntegerAttr(pick(0, 3)));
    Region *body = state.addRegion();
    Block *inner = new Block;
    body->push_back(inner);
    inner->addArgument(RankedTensorType::get({}, b.getI64Type()), loc);
    Value carried = inner->addArgument(x.getType(), loc);
    // The region has no op yet that would know the context.
    OpBuilder nested(b.getContext());
    nested.setInsertionPointToEnd(inner);
    // Exact ops only: a check knows no bounds for what a loop makes of errors.
    Value next;
    switch (pick(0, 2)) {
    case 0:
      next = nested.create<graph::SubOp>(loc, x, carried);
      break;
    case 1:
      next = nested.create<graph::MaximumOp>(
          loc, x, nested.create<graph::NegOp>(loc, carried));
      break;
    default:
      next = nested.create<graph::MulOp>(
          loc, nested.create<graph::AddOp>(loc, carried, carried), x);
    }
    nested.create<graph::YieldOp>(loc, ValueRange{next});
    llvm::append_range(pool, b.create(state)->getResults());
  }

  func::FuncOp function;
  Block *block;
  OpBuilder b;
  Location loc;
  RandomStream &stream;
  SmallVector<Value> pool; // Results of ops, in order.
  int64_t nextId = 0;
};

using Draw = std::function<void(Generator &)>;

template <typename Op> std::pair<std::string, Draw> entry(Draw draw) {
  return {Op::getOperationName().str(), std::move(draw)};
}
template <typename Op> std::pair<std::string, Draw> unary(Kind kind) {
  return entry<Op>([kind](Generator &g) { g.unary<Op>(kind); });
}
template <typename Op> std::pair<std::string, Draw> binary(Kind kind) {
  return entry<Op>([kind](Generator &g) { g.binary<Op>(kind); });
}

const std::map<std::string, Draw> &draws() {
  using namespace graph;
  static const std::map<std::string, Draw> all = {
      unary<NegOp>(Kind::Number),
      unary<AbsOp>(Kind::Number),
      unary<SignOp>(Kind::Number),
      unary<NotOp>(Kind::Bits),
      unary<FloorOp>(Kind::Float),
      unary<CeilOp>(Kind::Float),
      unary<RoundOp>(Kind::Float),
      unary<SqrtOp>(Kind::Float),
      unary<RsqrtOp>(Kind::Float),
      unary<ReciprocalOp>(Kind::Float),
      unary<ExpOp>(Kind::Float),
      unary<Expm1Op>(Kind::Float),
      unary<LogOp>(Kind::Float),
      unary<Log1pOp>(Kind::Float),
      unary<SinOp>(Kind::Float),
      unary<CosOp>(Kind::Float),
      unary<TanhOp>(Kind::Float),
      unary<ErfOp>(Kind::Float),
      unary<ReluOp>(Kind::Float),
      unary<SigmoidOp>(Kind::Float),
      unary<SiluOp>(Kind::Float),
      unary<StopGradientOp>(Kind::Any),
      binary<AddOp>(Kind::Number),
      binary<SubOp>(Kind::Number),
      binary<MulOp>(Kind::Number),
      binary<DivOp>(Kind::Number),
      binary<RemOp>(Kind::Number),
      binary<MaximumOp>(Kind::Number),
      binary<MinimumOp>(Kind::Number),
      binary<PowOp>(Kind::Float),
      binary<MulNoNanOp>(Kind::Float),
      binary<AndOp>(Kind::Bits),
      binary<OrOp>(Kind::Bits),
      binary<XorOp>(Kind::Bits),
      binary<ShiftLeftOp>(Kind::Integer),
      binary<ShiftRightOp>(Kind::Integer),
      entry<IsFiniteOp>(
          [](Generator &g) { g.make<IsFiniteOp>(g.operand(Kind::Float)); }),
      entry<IsNanOp>(
          [](Generator &g) { g.make<IsNanOp>(g.operand(Kind::Float)); }),
      entry<GeluOp>(&Generator::gelu),
      entry<ClampOp>(&Generator::clamp),
      entry<CompareOp>(&Generator::compare),
      entry<SelectOp>(&Generator::select),
      entry<CastOp>(&Generator::cast),
      entry<ConstantOp>(&Generator::constant),
      entry<IotaOp>(&Generator::iota),
      entry<BroadcastOp>(&Generator::broadcast),
      entry<ReshapeOp>(&Generator::reshape),
      entry<TransposeOp>(&Generator::transpose),
      entry<SliceOp>(&Generator::slice),
      entry<PadOp>(&Generator::pad),
      entry<ConcatOp>(&Generator::concat),
      entry<ReduceSumOp>(
          [](Generator &g) { g.reduce<ReduceSumOp>(Kind::Number); }),
      entry<ReduceMeanOp>(
          [](Generator &g) { g.reduce<ReduceMeanOp>(Kind::Float); }),
      entry<ReduceMaxOp>(
          [](Generator &g) { g.reduce<ReduceMaxOp>(Kind::Number); }),
      entry<ReduceMinOp>(
          [](Generator &g) { g.reduce<ReduceMinOp>(Kind::Number); }),
      entry<ReduceProdOp>(
          [](Generator &g) { g.reduce<ReduceProdOp>(Kind::Number); }),
      entry<ArgmaxOp>([](Generator &g) { g.arg<ArgmaxOp>(); }),
      entry<ArgminOp>([](Generator &g) { g.arg<ArgminOp>(); }),
      entry<DotGeneralOp>(&Generator::dotGeneral),
      entry<LinearOp>(&Generator::linear),
      entry<SoftmaxOp>([](Generator &g) { g.softmax<SoftmaxOp>(); }),
      entry<LogSoftmaxOp>([](Generator &g) { g.softmax<LogSoftmaxOp>(); }),
      entry<CrossEntropyOp>(&Generator::crossEntropy),
      entry<MseLossOp>([](Generator &g) { g.pairLoss<MseLossOp>(); }),
      entry<BceOp>([](Generator &g) { g.pairLoss<BceOp>(); }),
      entry<BceWithLogitsOp>(
          [](Generator &g) { g.pairLoss<BceWithLogitsOp>(); }),
      entry<RandomUniformOp>(&Generator::randomUniform),
      entry<DropoutOp>(&Generator::dropout),
      entry<LayerNormOp>(&Generator::layerNorm),
      entry<RmsNormOp>(&Generator::rmsNorm),
      entry<GroupNormOp>(&Generator::groupNorm),
      entry<BatchNormOp>(&Generator::batchNorm),
      entry<AttentionOp>(&Generator::attention),
      entry<ReverseOp>(&Generator::reverse),
      entry<UnfoldOp>(&Generator::unfold),
      entry<FoldOp>(&Generator::fold),
      entry<MaxPoolOp>(&Generator::maxPool),
      entry<AvgPoolOp>(&Generator::avgPool),
      entry<ConvOp>([](Generator &g) { g.conv(Generator::ConvKind::Plain); }),
      entry<ConvTransposeOp>(
          [](Generator &g) { g.conv(Generator::ConvKind::Transpose); }),
      entry<ConvWeightGradOp>(
          [](Generator &g) { g.conv(Generator::ConvKind::WeightGrad); }),
      entry<CheckIndexOp>(&Generator::checkIndex),
      entry<GatherOp>(&Generator::gather),
      entry<ScatterAddOp>(&Generator::scatterAdd),
      entry<EmbeddingOp>(&Generator::embedding),
      entry<OneHotOp>(&Generator::oneHot),
      entry<DynamicSliceOp>(&Generator::dynamicSlice),
      entry<DynamicUpdateSliceOp>(&Generator::dynamicUpdateSlice),
      entry<CumsumOp>(&Generator::cumsum),
      entry<SortOp>(&Generator::sort),
      entry<TopKOp>(&Generator::topK),
      entry<TrilOp>([](Generator &g) { g.triangle<TrilOp>(); }),
      entry<TriuOp>([](Generator &g) { g.triangle<TriuOp>(); }),
      entry<ForOp>(&Generator::loop),
  };
  return all;
}

} // namespace

Counts allOps() {
  Counts counts;
  for (const auto &draw : draws())
    counts[draw.first] = 0;
  return counts;
}

OwningOpRef<ModuleOp> generate(MLIRContext *context, RandomStream &stream,
                               Counts &counts, int ops) {
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc, "random");
  auto function =
      func::FuncOp::create(loc, "f", FunctionType::get(context, {}, {}));
  module->push_back(function);
  function.addEntryBlock();
  Generator generator(function, stream);
  for (int k = 0; k < ops; ++k) {
    // Of four ops the one that was drawn least so far.
    auto chosen = counts.end();
    for (int candidate = 0; candidate < 4; ++candidate) {
      auto it = std::next(counts.begin(), stream.integer(0, counts.size() - 1));
      if (chosen == counts.end() || it->second < chosen->second)
        chosen = it;
    }
    size_t before = generator.pool.size();
    draws().at(chosen->first)(generator);
    chosen->second += generator.pool.size() > before;
  }
  generator.b.create<func::ReturnOp>(loc, generator.pool);
  function.setFunctionType(FunctionType::get(
      context, generator.block->getArgumentTypes(),
      llvm::to_vector(ValueRange(generator.pool).getTypes())));
  return module;
}

bool addGradient(ModuleOp module, RandomStream &stream) {
  auto f = module.lookupSymbol<func::FuncOp>("f");
  func::FuncOp loss = f.clone();
  loss.setSymName("loss");
  auto ret = cast<func::ReturnOp>(loss.getBody().front().getTerminator());
  OpBuilder b(ret);
  Location loc = ret.getLoc();
  auto scalar = RankedTensorType::get({}, b.getF32Type());
  Value sum;
  for (Value value : ret.getOperands()) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!isa<FloatType>(type.getElementType()) || stream.integer(0, 2) == 0)
      continue;
    SmallVector<int64_t> axes =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    Value wide =
        b.create<graph::CastOp>(loc, type.clone(b.getF32Type()), value);
    Value part =
        b.create<graph::ReduceSumOp>(loc, wide, b.getDenseI64ArrayAttr(axes));
    sum = sum ? Value(b.create<graph::AddOp>(loc, scalar, sum, part)) : part;
  }
  SmallVector<int64_t> inputs;
  for (auto [k, type] : llvm::enumerate(loss.getArgumentTypes()))
    if (isa<FloatType>(getElementTypeOrSelf(type)))
      inputs.push_back(k);
  if (!sum || inputs.empty()) {
    loss.erase();
    return false;
  }
  b.create<func::ReturnOp>(loc, sum);
  ret.erase();
  loss.setFunctionType(
      FunctionType::get(b.getContext(), loss.getArgumentTypes(), {scalar}));
  module.push_back(loss);
  b.setInsertionPointToEnd(module.getBody());
  b.create<graph::GradOp>(loc, b.getStringAttr("dloss"),
                          FlatSymbolRefAttr::get(b.getContext(), "loss"),
                          b.getArrayAttr({}), b.getDenseI64ArrayAttr(inputs),
                          graph::ModeAttr());
  return true;
}

} // namespace graphc::random
