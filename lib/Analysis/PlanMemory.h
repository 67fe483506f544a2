// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that holds symbols: which whole values the bytes of each space are.
#ifndef GRAPHC_LIB_ANALYSIS_PLANMEMORY_H
#define GRAPHC_LIB_ANALYSIS_PLANMEMORY_H

#include "lib/Analysis/PlanTerms.h"

namespace graphc::plan {

class PlanMemory {
public:
  /// Puts a value there. What it overlaps is no whole value any longer.
  void write(RefAttr ref, Term term) {
    if (ref.getBytes() == 0)
      return;
    erase(ref);
    spaceOf(ref)[ref.getOffset()] = {ref.getEnd(), term};
  }

  /// Forgets what lies there.
  void erase(RefAttr ref) {
    auto &space = spaceOf(ref);
    auto it = space.upper_bound(ref.getOffset());
    if (it != space.begin() && std::prev(it)->second.end > ref.getOffset())
      --it;
    while (it != space.end() && it->first < ref.getEnd())
      it = space.erase(it);
  }

  /// The value that is exactly these bytes, if they are one.
  std::optional<Term> read(RefAttr ref, Terms &terms) const {
    if (ref.getBytes() == 0)
      return terms.getEmpty();
    auto space = spaces.find({ref.getSpace(), ref.getIndex()});
    if (space == spaces.end())
      return std::nullopt;
    auto segment = space->second.find(ref.getOffset());
    if (segment == space->second.end() || segment->second.end != ref.getEnd())
      return std::nullopt;
    return segment->second.term;
  }

private:
  struct Segment {
    int64_t end;
    Term term;
  };
  using SpaceMap = std::map<int64_t, Segment>;

  SpaceMap &spaceOf(RefAttr ref) {
    return spaces[{ref.getSpace(), ref.getIndex()}];
  }

  std::map<std::pair<Space, int64_t>, SpaceMap> spaces;
};

} // namespace graphc::plan

#endif // GRAPHC_LIB_ANALYSIS_PLANMEMORY_H
