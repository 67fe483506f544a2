// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_CORE_NAMELIST_H
#define GRAPHC_RUNTIME_CORE_NAMELIST_H

#include <string>

namespace graphc::runtime {

/// "@forward, @step": names for a message, cut off when there are many.
template <class Name> std::string nameList(size_t count, const Name &name) {
  constexpr size_t maxNames = 20;
  std::string text;
  for (size_t i = 0; i < count && i < maxNames; ++i)
    text += (i ? ", " : "") + std::string(name(i));
  if (count > maxNames)
    text += ", and " + std::to_string(count - maxNames) + " more";
  return count ? text : "none";
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_NAMELIST_H
