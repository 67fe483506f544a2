// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a model's tables before anything follows a pointer in them.
#ifndef GRAPHC_RUNTIME_CORE_CHECKTABLES_H
#define GRAPHC_RUNTIME_CORE_CHECKTABLES_H

#include "graphc/abi/model_abi.h"
#include "runtime/core/Image.h"

namespace graphc::runtime {

/// Checks everything but the variants' plans: enough to describe the model and
/// to choose a variant. Throws CORRUPT, naming the table.
void checkModel(const Library &library, const graphc_model_root *root);

/// Checks one variant with all of its plans: every buffer lies inside its
/// space, loops nest, kernels exist, state is written after the commit only.
void checkVariant(const Library &library, const graphc_model_root &root,
                  const graphc_abi_variant &variant);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_CHECKTABLES_H
