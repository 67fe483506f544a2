// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers are not marked: they are where few bytes go from what comes before to
// what comes after.
#include "passes/Remat/JointBlock.h"

#include "lib/Algorithms/CutPoints.h"

namespace graphc::remat {
namespace {

/// Where to cut is chosen in quadratic time.
constexpr size_t kMostPlaces = 512;

/// The last node that reads each value, itself or a view of it; -1 for none.
std::vector<int> findLastReaders(const JointBlock &joint) {
  std::vector<int> last(joint.values.size(), -1);
  for (size_t n = joint.nodes.size(); n-- > 0;)
    for (int read : joint.problem.nodes[n].reads) {
      int root = joint.rootOf(read);
      last[root] = std::max(last[root], int(n));
    }
  return last;
}

/// Nodes after which no more is at hand than just before, nor than just after
/// the next one.
std::vector<int> findPlaces(const JointBlock &joint,
                            const std::vector<int> &last) {
  const int count = int(joint.nodes.size());
  std::vector<int64_t> live(count + 1, 0);
  for (size_t v = 0; v < joint.values.size(); ++v) {
    const algorithms::SaveValue &value = joint.problem.values[v];
    if (value.node < 0 || joint.nodes[value.node].isView ||
        last[v] <= value.node)
      continue;
    live[value.node] += value.bytes;
    live[last[v]] -= value.bytes;
  }
  for (int n = 1; n < count; ++n)
    live[n] += live[n - 1];
  std::vector<int> places;
  for (int n = 0; n + 1 < count; ++n) {
    bool isLow = (n == 0 || live[n] <= live[n - 1]) && live[n] <= live[n + 1];
    int region = joint.nodes[n].region;
    if (isLow && !joint.nodes[n].isView &&
        (region < 0 || region != joint.nodes[n + 1].region))
      places.push_back(n);
  }
  // Of too many those where least goes over, evenly.
  while (places.size() > kMostPlaces) {
    std::vector<int64_t> bytes;
    for (int place : places)
      bytes.push_back(live[place]);
    std::nth_element(bytes.begin(), bytes.begin() + bytes.size() / 2,
                     bytes.end());
    int64_t middle = bytes[bytes.size() / 2];
    std::vector<int> fewer;
    bool takes = false;
    for (int place : places)
      if (live[place] < middle || (live[place] == middle && (takes = !takes)))
        fewer.push_back(place);
    if (fewer.size() == places.size())
      fewer.resize(kMostPlaces);
    places = std::move(fewer);
  }
  return places;
}

} // namespace

std::vector<int> findSegments(const JointBlock &joint,
                              const std::vector<bool> &inner, double scale) {
  std::vector<int> last = findLastReaders(joint);
  std::vector<int> places = findPlaces(joint, last);
  std::vector<int> pieces(joint.nodes.size());
  int piece = 0;
  for (size_t n = 0; n < pieces.size(); ++n) {
    pieces[n] = piece;
    if (size_t(piece) < places.size() && places[piece] == int(n))
      ++piece;
  }
  std::vector<algorithms::ChainValue> chain;
  for (size_t v = 0; v < joint.values.size(); ++v) {
    const algorithms::SaveValue &value = joint.problem.values[v];
    if (value.node < 0 || joint.nodes[value.node].isView)
      continue;
    int made = pieces[value.node];
    chain.push_back({made, last[v] < 0 ? made : pieces[last[v]], value.bytes,
                     inner[v] && !value.isKept});
  }
  const int count = int(places.size()) + 1;
  algorithms::Segments segments = algorithms::cutChainBest(count, chain);
  if (scale != 1)
    segments = algorithms::cutChain(
        count, chain, int64_t(double(segments.innerBytes) * scale));
  std::vector<int> segmentOf(count, 0);
  for (size_t s = 0, p = 0; s < segments.ends.size(); ++s)
    for (; p <= size_t(segments.ends[s]); ++p)
      segmentOf[p] = int(s);
  for (size_t n = 0; n < pieces.size(); ++n)
    pieces[n] = segmentOf[pieces[n]];
  return pieces;
}

} // namespace graphc::remat
