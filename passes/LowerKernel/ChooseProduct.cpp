// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a matrix product is computed: along which dimension vectors run, and
// which factors are packed into panels before. Costs are counted in operations
// on one vector, and are rough: they only have to tell the better choice.
#include "passes/LowerKernel/Emitter.h"
#include "passes/LowerKernel/PlanRegion.h"

#include <numeric>

using namespace mlir;
namespace graphc::kernel {

namespace {

/// One factor, seen from the last loop of its free dimensions.
struct FactorFacts {
  Expr *expr;
  std::optional<unsigned> loop;
  int64_t size = 1;       // of that loop
  double elements;        // all
  bool liesReady;         // may be read in place, at linear positions
  bool alongFree, alongK; // what vectors can be loaded along
  int64_t freeStride = 0, termStride = 0;
};

struct Choice {
  ProductPlan plan;
  double cost = std::numeric_limits<double>::infinity();
};

class Chooser {
public:
  Chooser(const Nest &nest, int64_t vectorBits)
      : nest(nest), vectorBits(vectorBits),
        type(getComputeType(nest.accumulationType)),
        left(factsOf(nest.element, M)), right(factsOf(nest.other, N)) {
    for (unsigned role : {Outer, M, N})
      results *= double(nest.sizeOf(role));
    depth = double(nest.sizeOf(K));
  }

  Choice best() const {
    Choice alongN = choose(false);
    // Vectors along a loop of M need one.
    if (!left.loop)
      return alongN;
    Choice alongM = choose(true);
    return alongM.cost < alongN.cost ? alongM : alongN;
  }

private:
  FactorFacts factsOf(Expr *expr, unsigned role) const;
  double repeatsOf(const FactorFacts &f) const;
  Choice choose(bool lanesAlongM) const;
  double storeCost(const FactorFacts &f, double lanes) const;

  const Nest &nest;
  int64_t vectorBits;
  Type type;
  FactorFacts left, right;
  double results = 1, depth;
};

FactorFacts Chooser::factsOf(Expr *expr, unsigned role) const {
  FactorFacts f;
  f.expr = expr;
  SmallVector<unsigned> loops = nest.loopsOf(role), terms = nest.loopsOf(K);
  if (!loops.empty()) {
    f.loop = loops.back();
    f.size = nest.variables[*f.loop].size;
  }
  f.elements = double(f.size) * double(nest.sizeOf(K));
  for (unsigned v : nest.panelLoops(expr, role))
    f.elements *= double(nest.variables[v].size);
  f.alongFree = f.loop && nest.isContiguous(expr, *f.loop);
  f.alongK = !terms.empty() && nest.isContiguous(expr, terms.back());

  uint64_t inner = 0;
  for (unsigned v : terms)
    inner |= uint64_t(1) << v;
  if (f.loop)
    inner |= uint64_t(1) << *f.loop;
  f.liesReady = expr->kind == Expr::Load && expr->elementType == type &&
                getStorageType(type) == type;
  for (auto [v, coefficient] : llvm::enumerate(expr->index.coefficients))
    if (coefficient != 0 && nest.variables[v].kind != Variable::Loop &&
        (nest.loopsInVariable(v) & inner))
      f.liesReady = false;
  if (f.loop)
    f.freeStride = expr->index.coefficient(*f.loop);
  if (!terms.empty())
    f.termStride = expr->index.coefficient(terms.back());
  return f;
}

/// What it costs to store one element of a vector along `f`.
double Chooser::storeCost(const FactorFacts &f, double lanes) const {
  double cost = 0;
  for (const Store &store : nest.stores) {
    int64_t stride = f.loop ? store.index.coefficient(*f.loop) : 0;
    // Element by element; far apart, each needs a line of the cache.
    constexpr int64_t near = 8;
    cost += stride == 1 ? 1 / lanes : std::abs(stride) <= near ? 1.5 : 4;
  }
  return cost;
}

/// How often the loops around the last ones of each factor come back to all of
/// `f`.
double Chooser::repeatsOf(const FactorFacts &f) const {
  double repeats = 1;
  for (unsigned role : {Outer, M, N})
    for (unsigned v : nest.loopsOf(role))
      if (v != left.loop && v != right.loop && !(f.expr->loops >> v & 1))
        repeats *= double(nest.variables[v].size);
  return repeats;
}

/// True if `rows` lines of memory, `strideBytes` from one to the next, do not
/// stay in a first-level cache of 64 sets by 8 lines together with others.
bool isAliasing(int64_t strideBytes, int64_t rows) {
  constexpr int64_t setsBytes = 4096, ways = 6;
  int64_t distinct =
      setsBytes / std::max<int64_t>(std::gcd(strideBytes, setsBytes), 64);
  return rows > ways * distinct;
}

Choice Chooser::choose(bool lanesAlongM) const {
  const FactorFacts &wide = lanesAlongM ? left : right;
  const FactorFacts &tall = lanesAlongM ? right : left;
  int64_t bits = type.getIntOrFloatBitWidth();
  Choice choice;
  ProductPlan &plan = choice.plan;
  plan.overlaps = nest.product.overlaps;
  plan.lanesAlongM = lanesAlongM;
  plan.tile = ProductTile::choose(vectorBits, bits, tall.size, wide.size);
  const ProductTile &tile = plan.tile;
  double lanes = double(tile.lanes), rows = double(tile.rows);
  double rowTiles = double(llvm::divideCeil(tall.size, tile.rows));
  double panels = double(llvm::divideCeil(wide.size, tile.columns()));
  // Of no results there are no tiles, but each loop counts as one.
  double tileCount = results / double(std::max<int64_t>(tall.size, 1)) /
                     double(std::max<int64_t>(wide.size, 1));
  double rest = double(llvm::divideCeil(
      wide.size - (int64_t(panels) - 1) * tile.columns(), tile.lanes));
  auto term = [&](double vectors) {
    constexpr double latency = 8, overhead = 2;
    return std::max(rows * vectors, latency) + overhead;
  };
  choice.cost = depth * tileCount * rowTiles *
                ((panels - 1) * term(double(tile.vectors)) + term(rest));
  if (tile.lanes > 1) {
    double along = storeCost(wide, lanes);
    double across = (canTranspose(type, tile.lanes) ? 8 : 64) / lanes +
                    storeCost(tall, lanes);
    plan.storesAcross = tall.loop && across < along;
    choice.cost +=
        results * std::min(along, plan.storesAcross ? across : along);
  }

  // Elements that stay in the first-level cache, and those that do not stay in
  // the second-level one and cost their way to memory and back.
  constexpr double cached = 4096, large = 262144;
  auto packCost = [&](const FactorFacts &f) {
    double perElement = 2;
    if (f.alongFree)
      perElement = (f.elements > large ? 12 : 4) / lanes;
    else if (f.alongK && canTranspose(type, tile.lanes))
      perElement = (f.elements > large ? 20 : 10) / lanes;
    return f.elements * perElement;
  };
  double never = std::numeric_limits<double>::infinity();

  // The factor of the vectors.
  double inPlace = never, turned = never;
  // Lines of one term that follow those of the term before are a panel.
  constexpr int64_t shortBits = 1024;
  bool isPanel = wide.loop && wide.freeStride == 1 && wide.termStride > 0 &&
                 wide.termStride * bits <= shortBits;
  if (wide.liesReady && (wide.freeStride == 1 || !wide.loop))
    inPlace = rowTiles > 1 && wide.elements > cached && !isPanel
                  ? wide.elements * rowTiles / lanes
                  : 0;
  if (wide.alongK && !wide.alongFree && rowTiles == 1 && tile.rows <= 4 &&
      tile.lanes > 1 && canTranspose(type, tile.lanes))
    turned = wide.elements * 6 / lanes;
  double packed = packCost(wide);
  ProductPlan::Packed &widePanels = lanesAlongM ? plan.left : plan.right;
  if (std::min(inPlace, turned) <= packed) {
    plan.turnsVectors = turned < inPlace;
    if (plan.turnsVectors)
      plan.tile.vectors = 1; // the square to turn takes the registers
    choice.cost += std::min(inPlace, turned);
  } else {
    int64_t pitch =
        llvm::alignTo(std::min(tile.columns(), wide.size), tile.lanes);
    widePanels.layout = {wide.size, int64_t(depth), tile.columns(), pitch};
    choice.cost += packed;
  }

  // The factor of the rows.
  ProductPlan::Packed &tallPanels = lanesAlongM ? plan.right : plan.left;
  packed = packCost(tall);
  inPlace = never;
  if (tall.liesReady) {
    bool strided = tall.alongFree && !tall.alongK;
    bool aliases = isAliasing(tall.freeStride * bits / 8, tile.rows);
    // With a stride, each term is in another line of memory, if not another
    // page: one vector's multiply-adds do not hide the wait.
    double perUse = 0;
    if (tall.elements > cached && strided)
      perUse = tall.elements > large && tile.vectors == 1 ? 3 : 1;
    else if (tall.elements > cached && aliases)
      perUse = 2;
    inPlace = tall.elements * panels * repeatsOf(tall) * perUse / lanes;
  }
  if (inPlace > packed) {
    int64_t width = tall.loop ? tile.rows : 1;
    int64_t pitch = tall.loop ? llvm::alignTo(width, tile.lanes) : 1;
    tallPanels.layout = {tall.size, int64_t(depth), width, pitch,
                         /*overlaps=*/plan.overlaps};
    choice.cost += packed;
  } else {
    choice.cost += inPlace;
  }

  // What a tile reads of both factors should stay in the second-level cache.
  constexpr int64_t mostTerms = 512;
  SmallVector<unsigned> terms = nest.loopsOf(K);
  int64_t outermost = terms.empty() ? 1 : nest.variables[terms[0]].size;
  int64_t blocks = llvm::divideCeil(int64_t(depth), mostTerms + mostTerms / 4);
  blocks = std::clamp<int64_t>(blocks, 1, std::max<int64_t>(outermost, 1));
  if (plan.turnsVectors || rowTiles == 1)
    blocks = 1;
  // Few rows of a large factor read in place: lines of memory in order, some
  // terms at a time.
  constexpr double streamed = 65536;
  plan.streams = !widePanels.layout.free && !plan.turnsVectors && !isPanel &&
                 tile.lanes > 1 && wide.elements > streamed;
  if (plan.streams)
    blocks = std::max<int64_t>(1, outermost / (tile.rows > 4 ? 16 : 8));
  plan.depth = llvm::divideCeil(std::max<int64_t>(outermost, 1), blocks);
  return choice;
}

} // namespace

/// True if the epilogue reads what may lie in the memory of a result: the weight
/// that it updates, say.
static bool mayWorkInPlace(const Nest &nest) {
  return llvm::any_of(nest.exprs, [&](const Expr &expr) {
    return expr.kind == Expr::Load && expr.buffer->place == Buffer::Input &&
           &expr != nest.element && &expr != nest.other &&
           llvm::any_of(nest.stores, [&](const Store &store) {
             return !store.buffer ||
                    store.buffer->elements == expr.buffer->elements;
           });
  });
}

double Planner::chooseProduct(Nest &nest) const {
  nest.product.overlaps = !mayWorkInPlace(nest);
  Choice choice = Chooser(nest, kernel.vectorBits).best();
  nest.product = choice.plan;
  return choice.cost;
}

void Planner::addPanels(Nest &nest) {
  auto add = [&](ProductPlan::Packed &packed, Expr *expr, unsigned role) {
    if (packed.layout.free == 0)
      return;
    int64_t count = packed.layout.elements();
    for (unsigned v : nest.panelLoops(expr, role))
      count *= nest.variables[v].size;
    packed.buffer = kernel.addWorkspace(nest.accumulationType, count);
  };
  add(nest.product.left, nest.element, M);
  add(nest.product.right, nest.other, N);
}

} // namespace graphc::kernel
