// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ over graphc/data.h: the same functions with ownership and exceptions.
// Everything here throws graphc::Error where the C function returns a status.
//
//   graphc::Csv csv("flowers.csv");
//   graphc::Array x = csv.array<float>({"length", "width"});
//   graphc::Array y = csv.column<int64_t>("kind");
//   graphc::Generator generator(123);
//   graphc::DataLoader loader(graphc::TensorDataset({x, y}),
//                             {2, /*shuffle=*/true}, generator);
//   for (const graphc::Batch &batch : loader)
//     model.run("step", {batch[0], batch[1]}, ...);
#ifndef GRAPHC_DATA_HPP
#define GRAPHC_DATA_HPP

#include "graphc/data/array.hpp"
#include "graphc/data/csv.hpp"
#include "graphc/data/generator.hpp"
#include "graphc/data/loader.hpp"
#include "graphc/data/npy.hpp"
#include "graphc/data/safetensors.hpp"
#include "graphc/data/sampler.hpp"

#endif // GRAPHC_DATA_HPP
