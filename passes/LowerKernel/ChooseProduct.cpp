// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a matrix product is computed: along which dimension vectors run, and
// which factors are packed into panels before. Costs are counted in operations
// on one vector, and are rough: they only have to tell the better choice.
#include "passes/LowerKernel/EmitProduct.h"
#include "passes/LowerKernel/PlanRegion.h"

#include <numeric>

using namespace mlir;
namespace graphc::kernel {

namespace {

// Elements that stay in the first-level cache, and those that do not stay in
// the second-level one and cost their way to memory and back.
constexpr double cached = 4096, large = 262144;

/// One factor, seen from the last loop of its free dimensions.
struct FactorFacts {
  Expr *expr;
  std::optional<unsigned> loop;
  int64_t size = 1;       // of that loop
  double elements;        // all
  bool liesReady;         // may be read in place, at linear positions
  bool alongFree, alongK; // what vectors can be loaded along
  int64_t freeStride = 0, termStride = 0;

  // Of no results there are no tiles, but each loop counts as one.
  double loops() const { return double(std::max<int64_t>(size, 1)); }
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
    Choice best;
    auto consider = [&](bool lanesAlongM, int64_t usedBits, bool isWide) {
      Choice choice = choose(lanesAlongM, usedBits, isWide);
      if (choice.cost < best.cost)
        best = choice;
    };
    int64_t bits = type.getIntOrFloatBitWidth();
    for (bool lanesAlongM : {false, true}) {
      // Vectors along a loop of M need one.
      if (lanesAlongM && !left.loop)
        continue;
      consider(lanesAlongM, vectorBits, false);
      // Where a whole vector is a good part of a row, smaller ones may fit it
      // better, or more of them in a row.
      for (int64_t used = vectorBits; isSmall() && used >= bits; used /= 2)
        for (bool isWide : {false, true})
          consider(lanesAlongM, used, isWide);
    }
    return best;
  }

private:
  FactorFacts factsOf(Expr *expr, unsigned role) const;
  double repeatsOf(const FactorFacts &f) const;
  Choice choose(bool lanesAlongM, int64_t usedBits, bool isWide) const;
  /// True if all is in registers and the first-level cache, and a vector is a
  /// good part of a row: then what counts is how full the vectors are.
  bool isSmall() const {
    int64_t lanes = vectorBits / type.getIntOrFloatBitWidth();
    return std::max(left.size, right.size) < 4 * lanes &&
           std::max(left.elements, right.elements) <= cached;
  }
  bool mayPackInBlocks() const;
  bool isOneBlock(const ProductTile &tile, const FactorFacts &tall) const {
    return llvm::divideCeil(tall.size, tile.rows) <=
           uint64_t(kMostBlockRows / tile.rows);
  }
  double weightOf(const ProductTile &tile) const;
  double sumCost(const ProductTile &tile, const FactorFacts &wide,
                 const FactorFacts &tall) const;
  double turnCost(int64_t lanes) const;
  double elementCost(const FactorFacts &f, double lanes) const;
  double storeCost(const ProductPlan &plan, const FactorFacts &wide,
                   const FactorFacts &tall) const;
  bool storesFlat(const FactorFacts &wide, const FactorFacts &tall) const;
  void cutForNearest(ProductPlan &plan, const FactorFacts &tall,
                     const FactorFacts &wide) const;
  bool storesAlong(const FactorFacts &f) const {
    return llvm::all_of(nest.stores, [&](const Store &store) {
      return f.loop && store.index.coefficient(*f.loop) == 1;
    });
  }

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

/// True if neither rows nor terms that follow each other are near in memory.
static bool isFarApart(const FactorFacts &f) {
  constexpr int64_t near = 8;
  return f.loop && std::abs(f.freeStride) > near &&
         std::abs(f.termStride) > near;
}

/// What it costs to store one element of a vector along `f`.
double Chooser::elementCost(const FactorFacts &f, double lanes) const {
  double cost = 0;
  for (const Store &store : nest.stores) {
    int64_t stride = f.loop ? store.index.coefficient(*f.loop) : 0;
    // It jumps about.
    if (f.loop && stride == 0 && (nest.loopsIn(store.index) >> *f.loop & 1))
      stride = INT32_MAX;
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

/// Loads of the epilogue and stores: what a finished element meets in memory.
static SmallVector<const Index *> accessesOf(const Nest &nest) {
  SmallVector<const Index *> indices;
  SmallVector<Expr *> values;
  for (const Store &store : nest.stores) {
    indices.push_back(&store.index);
    values.push_back(store.value);
  }
  for (const Expr *expr : reachableFrom(values)) {
    indices.push_back(&expr->index);
    for (const Condition &condition : expr->conditions)
      indices.push_back(&condition.index);
  }
  return indices;
}

/// True if the elements of all rows, one of each in turn, are a run of memory
/// that every access follows.
bool Chooser::storesFlat(const FactorFacts &wide,
                         const FactorFacts &tall) const {
  if (!wide.loop || !tall.loop)
    return false;
  uint64_t both = (uint64_t(1) << *wide.loop) | (uint64_t(1) << *tall.loop);
  auto isLinear = [&](const Index &index) {
    for (auto [v, coefficient] : llvm::enumerate(index.coefficients))
      if (coefficient != 0 && nest.variables[v].kind != Variable::Loop &&
          (nest.loopsInVariable(v) & both))
        return false;
    return index.coefficient(*wide.loop) ==
           tall.size * index.coefficient(*tall.loop);
  };
  return storesAlong(tall) &&
         llvm::all_of(accessesOf(nest),
                      [&](const Index *index) { return isLinear(*index); });
}

/// True if blocks may pack what they need of a factor themselves, into memory of
/// their thread: it is one matrix by another.
bool Chooser::mayPackInBlocks() const {
  return nest.sizeOf(Outer) == 1 && nest.loopsOf(M).size() <= 1 &&
         nest.loopsOf(N).size() <= 1 && nest.loopsOf(K).size() == 1;
}

/// Of an operation on a vector. Where a product is small, also against half a
/// vector: many processors take 512 bits in two steps.
double Chooser::weightOf(const ProductTile &tile) const {
  bool isLong = tile.lanes * type.getIntOrFloatBitWidth() >= 512;
  return isSmall() && isLong ? 2 : 1;
}

/// The multiply-adds of all tiles.
double Chooser::sumCost(const ProductTile &tile, const FactorFacts &wide,
                        const FactorFacts &tall) const {
  constexpr double latency = 8;
  double rows = double(tile.rows), weight = weightOf(tile);
  double panels = double(llvm::divideCeil(wide.size, tile.columns()));
  int64_t rest = wide.size - (int64_t(panels) - 1) * tile.columns();
  bool isUnrolled = isTileUnrolled(int64_t(depth), tile.rows * tile.vectors,
                                   results <= rows * double(tile.columns()));
  auto ofTile = [&](double vectors, bool isMasked) {
    if (!isSmall())
      return depth * (std::max(rows * vectors, latency) + 2);
    double perTerm = std::max(rows * vectors * weight, rows + vectors * weight);
    double overhead = isUnrolled ? 0 : 3;
    if (isMasked)
      overhead += weight;
    constexpr double setUp = 12;
    return setUp + depth * (std::max(perTerm, latency) + overhead);
  };
  double tiles = results / tall.loops() / wide.loops() *
                 double(llvm::divideCeil(tall.size, tile.rows));
  return tiles * ((panels - 1) * ofTile(double(tile.vectors), false) +
                  ofTile(double(llvm::divideCeil(rest, tile.lanes)),
                         rest < tile.lanes));
}

/// To turn a square of vectors. Shuffles of 512 bits take twice as long, and
/// 16 vectors and what becomes of them leave no register.
double Chooser::turnCost(int64_t lanes) const {
  if (!canTranspose(type, lanes))
    return double(lanes) * 64;
  bool isLong = lanes * type.getIntOrFloatBitWidth() >= 512;
  double weight = isLong ? 3 : 1;
  return double(lanes) * double(llvm::Log2_64(lanes)) * weight;
}

/// What becomes of finished sums.
double Chooser::storeCost(const ProductPlan &plan, const FactorFacts &wide,
                          const FactorFacts &tall) const {
  const ProductTile &tile = plan.tile;
  SmallVector<Expr *> values;
  for (const Store &store : nest.stores)
    values.push_back(store.value);
  // Of one vector: loads, arithmetic and stores.
  double epilogue = costOf(values) + double(nest.stores.size());
  for (const Expr *expr : reachableFrom(values))
    epilogue += expr->kind == Expr::Load && expr->loops != 0;
  epilogue *= weightOf(tile);
  double rows = results / wide.loops();
  // Elements of a row that fill no vector are in pieces of powers of two.
  auto ofRun = [&](int64_t elements, bool slides) {
    int64_t rest = elements % tile.lanes, full = elements / tile.lanes;
    if (rest && slides && full)
      return epilogue * double(full + 1);
    return epilogue * double(full + (rest != 0)) +
           2 * epilogue * double(llvm::popcount(uint64_t(rest)) > 1) *
               double(llvm::popcount(uint64_t(rest)) - 1);
  };
  if (tile.lanes == 1)
    return results * epilogue;
  if (plan.storesFlat) {
    double perElement = 0;
    int64_t odd = tall.size;
    for (; odd % 2 == 0; odd /= 2)
      perElement += 2;
    perElement += 2 * double(odd - 1);
    return results / (wide.loops() * tall.loops()) *
           (ofRun(wide.size * tall.size, false) +
            double(tall.size) *
                double(llvm::divideCeil(wide.size, tile.lanes)) * perElement);
  }
  if (plan.storesAcross) {
    // Squares of lanes by lanes, however few of them are there.
    double squares = results / (wide.loops() * tall.loops()) *
                     double(llvm::divideCeil(tall.size, tile.rows)) *
                     double(llvm::divideCeil(tile.rows, tile.lanes)) *
                     double(llvm::divideCeil(wide.size, tile.lanes));
    return squares * turnCost(tile.lanes) +
           results / tall.loops() * ofRun(tall.size, false);
  }
  if (!storesAlong(wide))
    return results * (2 + epilogue);
  return rows * ofRun(wide.size, true);
}

/// Cuts K so that what all tiles read for some terms, of rows that lie side by
/// side for each term, stays in the first-level cache from tile to tile.
void Chooser::cutForNearest(ProductPlan &plan, const FactorFacts &tall,
                            const FactorFacts &wide) const {
  constexpr int64_t near = 24576, fewest = 64, most = 512;
  SmallVector<unsigned> terms = nest.loopsOf(K);
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  // Rows of one term may be those of the next, too.
  int64_t apart = std::abs(tall.expr->index.coefficient(terms.back()));
  int64_t read = std::min(apart ? apart : tall.size, tall.size) + wide.size;
  int64_t count = std::clamp(near / (read * bytes), fewest, most);
  SmallVector<int64_t> inside(terms.size(), 1); // terms of one of each loop
  for (size_t k = terms.size() - 1; k-- > 0;)
    inside[k] = inside[k + 1] * nest.variables[terms[k + 1]].size;
  if (nest.variables[terms[0]].size * inside[0] <= count)
    return;
  plan.depth = std::clamp<int64_t>(count / std::max<int64_t>(inside[0], 1), 1,
                                   nest.variables[terms[0]].size);
  if (inside[0] > count)
    plan.innerDepth =
        std::clamp<int64_t>(count / std::max<int64_t>(inside[1], 1), 1,
                            nest.variables[terms[1]].size);
}

Choice Chooser::choose(bool lanesAlongM, int64_t usedBits, bool isWide) const {
  const FactorFacts &wide = lanesAlongM ? left : right;
  const FactorFacts &tall = lanesAlongM ? right : left;
  int64_t bits = type.getIntOrFloatBitWidth();
  Choice choice;
  ProductPlan &plan = choice.plan;
  plan.overlaps = nest.product.overlaps;
  plan.lanesAlongM = lanesAlongM;
  plan.tile = ProductTile::choose(vectorBits, usedBits, bits, tall.size,
                                  wide.size, isWide);
  const ProductTile &tile = plan.tile;
  plan.storesFlat =
      tile.lanes > 1 && tile.rows == tall.size && storesFlat(wide, tall);
  double lanes = double(tile.lanes);
  double along = elementCost(wide, lanes);
  double across = (canTranspose(type, tile.lanes) ? 8 : 64) / lanes +
                  elementCost(tall, lanes);
  plan.storesAcross =
      tile.lanes > 1 && !plan.storesFlat && tall.loop && across < along;
  double rowTiles = double(llvm::divideCeil(tall.size, tile.rows));
  double panels = double(llvm::divideCeil(wide.size, tile.columns()));
  choice.cost = sumCost(tile, wide, tall);
  if (isSmall())
    choice.cost += storeCost(plan, wide, tall);
  else if (tile.lanes > 1)
    choice.cost +=
        results * (plan.storesAcross || plan.storesFlat ? across : along);

  SmallVector<unsigned> terms = nest.loopsOf(K);
  int64_t lastTerms = terms.empty() ? 1 : nest.variables[terms.back()].size;
  auto squaresOf = [&](const FactorFacts &f) {
    return f.elements / (f.loops() * double(std::max<int64_t>(lastTerms, 1))) *
           double(llvm::divideCeil(f.size, tile.lanes)) *
           double(llvm::divideCeil(lastTerms, tile.lanes));
  };
  // `isFar`: the panels go to memory and come back.
  auto packCost = [&](const FactorFacts &f, bool isFar) {
    // What has just been stored is not at hand at once.
    double wait = isSmall() ? 40 : 0, perElement = 2;
    if (f.alongFree)
      perElement = (isFar ? 12 : 4) / lanes;
    else if (f.alongK && canTranspose(type, tile.lanes) && isSmall())
      return wait + squaresOf(f) * (turnCost(tile.lanes) + 2 * lanes);
    else if (f.alongK && canTranspose(type, tile.lanes))
      perElement = (isFar ? 20 : 10) / lanes;
    return wait + f.elements * perElement;
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
    turned = isSmall() ? squaresOf(wide) * (turnCost(tile.lanes) + lanes)
                       : wide.elements * 6 / lanes;
  // It comes from memory, and all rows that meet it are one block: packed
  // there, it never goes back to memory.
  bool packsInBlocks =
      wide.elements > large && mayPackInBlocks() && isOneBlock(tile, tall);
  double packed = packCost(wide, wide.elements > large && !packsInBlocks);
  ProductPlan::Packed &widePanels = lanesAlongM ? plan.left : plan.right;
  if (std::min(inPlace, turned) <= packed) {
    plan.turnsVectors = turned < inPlace;
    // The square to turn takes twice its registers.
    if (plan.turnsVectors) {
      int64_t registers = vectorBits >= 512 ? 32 : 16;
      int64_t sums = isSmall() ? registers - 2 * tile.lanes : 1;
      plan.tile.vectors =
          std::clamp<int64_t>(sums / tile.rows, 1, tile.vectors);
    }
    choice.cost += std::min(inPlace, turned);
  } else {
    int64_t pitch =
        llvm::alignTo(std::min(tile.columns(), wide.size), tile.lanes);
    widePanels.layout = {wide.size, int64_t(depth), tile.columns(), pitch};
    widePanels.isInBlock = packsInBlocks;
    choice.cost += packed;
  }

  // Few rows of a large factor read in place: lines of memory in order, some
  // terms at a time.
  constexpr double streamed = 65536;
  plan.streams = !widePanels.layout.free && !plan.turnsVectors && !isPanel &&
                 tile.lanes > 1 && wide.elements > streamed;

  // The factor of the rows.
  ProductPlan::Packed &tallPanels = lanesAlongM ? plan.right : plan.left;
  packed = packCost(tall, tall.elements > large);
  // Or each block packs its rows: once for all columns that it has.
  double perBlock = never;
  if (mayPackInBlocks() && !widePanels.isInBlock && !plan.streams &&
      !plan.turnsVectors)
    perBlock = packCost(tall, /*isFar=*/false) *
               double(llvm::divideCeil(wide.size, kMostBlockColumns));
  packsInBlocks = perBlock < packed;
  packed = std::min(packed, perBlock);
  if (!isSmall())
    packed *= double(llvm::alignTo(tile.rows, tile.lanes)) / double(tile.rows);
  inPlace = never;
  if (tall.liesReady) {
    bool strided = tall.alongFree && !tall.alongK;
    bool aliases = isAliasing(tall.freeStride * bits / 8, tile.rows);
    // With a stride, each term is in another line of memory, if not another
    // page: where a tile needs a small part of it, no multiply-adds hide the
    // wait. Terms of several loops are cut for the first-level cache below.
    constexpr int64_t lineBits = 512;
    bool wastesLines = 2 * tile.rows * bits <= lineBits;
    double perUse = 0;
    if (terms.size() == 1 && double(tall.size) * depth > large && strided &&
        wastesLines)
      perUse = 8;
    else if (tall.elements > cached && strided)
      perUse = tall.elements > large && tile.vectors == 1 ? 3 : 1;
    else if (tall.elements > cached && isFarApart(tall) &&
             nest.loopsOf(K).size() == 1)
      // Each element is in a line of memory of its own; windows, with more
      // loops over terms, come back to lines soon.
      perUse = 4 * lanes;
    else if (tall.elements > cached && aliases)
      perUse = 2;
    inPlace = tall.elements * panels * repeatsOf(tall) * perUse / lanes;
  }
  if (inPlace > packed) {
    int64_t width = tall.loop ? tile.rows : 1;
    int64_t pitch = tall.loop ? llvm::alignTo(width, tile.lanes) : 1;
    tallPanels.layout = {tall.size, int64_t(depth), width, pitch,
                         /*overlaps=*/plan.overlaps};
    tallPanels.isInBlock = packsInBlocks;
    choice.cost += packed;
  } else {
    choice.cost += inPlace;
    // Code of two sizes of tile, where full ones would compute much again.
    int64_t again = int64_t(rowTiles) * tile.rows - tall.size;
    if (!isSmall() && !plan.storesFlat && 16 * again >= tall.size)
      plan.shorterTiles = again;
  }

  // What a tile reads of both factors should stay in the second-level cache.
  constexpr int64_t mostTerms = 512;
  int64_t outermost = terms.empty() ? 1 : nest.variables[terms[0]].size;
  int64_t blocks = llvm::divideCeil(int64_t(depth), mostTerms + mostTerms / 4);
  blocks = std::clamp<int64_t>(blocks, 1, std::max<int64_t>(outermost, 1));
  // What a block packs is on the stack.
  bool isOnStack = widePanels.isInBlock || tallPanels.isInBlock;
  if (plan.turnsVectors || (rowTiles == 1 && !isOnStack))
    blocks = 1;
  if (plan.streams)
    blocks = std::max<int64_t>(1, outermost / (tile.rows > 4 ? 16 : 8));
  plan.depth = llvm::divideCeil(std::max<int64_t>(outermost, 1), blocks);
  if (!tallPanels.layout.free && tall.alongFree && !tall.alongK &&
      terms.size() > 1 && rowTiles * panels >= 4 && !plan.turnsVectors)
    cutForNearest(plan, tall, wide);
  if (isOnStack)
    plan.depth = llvm::alignTo(plan.depth, kBlockTerms);
  return choice;
}

} // namespace

/// True if the epilogue reads what may lie in the memory of a result: the
/// weight that it updates, say.
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
    if (packed.layout.free == 0 || packed.isInBlock)
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
