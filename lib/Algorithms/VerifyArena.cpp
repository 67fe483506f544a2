// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What packArena() is held to.
#include "lib/Algorithms/ArenaPacking.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace graphc::algorithms {
namespace {

/// An item that begins or has ended; sorted, what has ended comes first.
struct Event {
  int64_t step;
  bool begins;
  size_t item;
  bool operator<(const Event &other) const {
    return std::tie(step, begins, item) <
           std::tie(other.step, other.begins, other.item);
  }
};

std::vector<Event> eventsOf(const std::vector<ArenaItem> &items) {
  std::vector<Event> events;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].bytes == 0)
      continue;
    events.push_back({items[i].first, true, i});
    events.push_back({items[i].last + 1, false, i});
  }
  std::sort(events.begin(), events.end());
  return events;
}

} // namespace

int64_t maxLiveBytes(const std::vector<ArenaItem> &items, int64_t alignment) {
  int64_t live = 0, most = 0;
  for (const Event &event : eventsOf(items)) {
    int64_t aligned =
        (items[event.item].bytes + alignment - 1) / alignment * alignment;
    live += event.begins ? aligned : -aligned;
    most = std::max(most, live);
  }
  return most;
}

std::string verifyArena(const std::vector<ArenaItem> &items, int64_t alignment,
                        const ArenaSolution &solution) {
  auto name = [](size_t item) { return "item " + std::to_string(item); };
  if (solution.offsets.size() != items.size())
    return "expects one offset an item";
  for (size_t i = 0; i < items.size(); ++i) {
    int64_t offset = solution.offsets[i];
    if (offset < 0 || offset % alignment != 0)
      return name(i) + " is not aligned";
    if (offset + items[i].bytes > solution.bytes)
      return name(i) + " ends outside the arena";
  }
  // Those alive, by offset: neighbours there are all that can overlap.
  std::map<int64_t, size_t> alive;
  for (const Event &event : eventsOf(items)) {
    int64_t begin = solution.offsets[event.item];
    if (!event.begins) {
      alive.erase(begin);
      continue;
    }
    auto after = alive.lower_bound(begin);
    if (after != alive.end() && after->first < begin + items[event.item].bytes)
      return name(event.item) + " overlaps " + name(after->second);
    if (after != alive.begin()) {
      auto before = std::prev(after);
      if (before->first + items[before->second].bytes > begin)
        return name(event.item) + " overlaps " + name(before->second);
    }
    alive.emplace(begin, event.item);
  }
  return "";
}

} // namespace graphc::algorithms
