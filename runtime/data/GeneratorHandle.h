// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_DATA_GENERATORHANDLE_H
#define GRAPHC_RUNTIME_DATA_GENERATORHANDLE_H

#include "graphc/data.h"
#include "runtime/data/Generator.h"

struct graphc_generator {
  graphc::runtime::Generator stream;
};

#endif // GRAPHC_RUNTIME_DATA_GENERATORHANDLE_H
