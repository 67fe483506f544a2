// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included before an example: it writes its model's text to the file that
// GRAPHC_SAVE_MODEL names, where it would compile it, and ends.
#include <graphc/trace.hpp>

#include <cstdlib>

#define compile(...) save(std::getenv("GRAPHC_SAVE_MODEL")), std::exit(0)
