// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describing a model in C++: code that looks eager is run once to record it.
//
//   #include <graphc/trace.hpp>
//   using namespace graphc;
//
//   nn::Sequential net(nn::Linear(2, 30), nn::ReLU(), nn::Linear(30, 2));
//   Tracer tracer("mlp");
//   tracer.add(net);
//   tracer.function("loss", [&](Tensor x, Tensor y) {
//     return cross_entropy(net(x), y);
//   }, input("x", f32, {8, 2}), input("y", i64, {8}));
//   tracer.train("step", "loss", optim::SGD(0.5));
//   tracer.compile("mlp.so");
//
// Shapes are static and checked at once: a mistake throws graphc::Error with
// the user's file and line and where each operand was made. Names, parameter
// names and default initialisations are PyTorch's. Links to libgraphc.
#ifndef GRAPHC_TRACE_HPP
#define GRAPHC_TRACE_HPP

#include "graphc/trace/functional.hpp"
#include "graphc/trace/nn.hpp"
#include "graphc/trace/nn_attention.hpp"
#include "graphc/trace/nn_conv.hpp"
#include "graphc/trace/nn_embedding.hpp"
#include "graphc/trace/nn_norm.hpp"
#include "graphc/trace/nn_recurrent.hpp"
#include "graphc/trace/region.hpp"
#include "graphc/trace/tensor.hpp"
#include "graphc/trace/tracer.hpp"

#endif // GRAPHC_TRACE_HPP
