// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each composite's decomposition, run by the interpreter, against the
// interpreter's own formula for the composite.
#include "test/unit/Conformance/Program.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace graphc::conformance;
using namespace graphc::interpreter;

namespace {

// T stands for the element type.
const char *kComposites[] = {
    R"(func.func @f(%x: tensor<5x7xT>) -> tensor<5x7xT> {
      %0 = graph.relu %x : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> tensor<5x7xT> {
      %0 = graph.sigmoid %x : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<T>) -> tensor<T> {
      %0 = graph.silu %x : tensor<T>
      return %0 : tensor<T>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> tensor<5x7xT> {
      %0 = graph.gelu %x : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> tensor<5x7xT> {
      %0 = graph.gelu %x approximate = tanh : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> tensor<5x7xT> {
      %0 = graph.clamp %x low = -0.3 high = 0.7 : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> tensor<5xT> {
      %0 = graph.reduce_mean %x axes = [1] : tensor<5x7xT> -> tensor<5xT>
      return %0 : tensor<5xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> tensor<T> {
      %0 = graph.reduce_mean %x axes = [0, 1] : tensor<5x7xT> -> tensor<T>
      return %0 : tensor<T>
    })",
    R"(func.func @f(%x: tensor<5x0xT>) -> tensor<5xT> {
      %0 = graph.reduce_mean %x axes = [1] : tensor<5x0xT> -> tensor<5xT>
      return %0 : tensor<5xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %w: tensor<3x7xT>, %b: tensor<3xT>) -> tensor<5x3xT> {
      %0 = graph.linear %x, %w, %b : tensor<5x7xT>, tensor<3x7xT>, tensor<3xT> -> tensor<5x3xT>
      return %0 : tensor<5x3xT>
    })",
    R"(func.func @f(%x: tensor<7xT>, %w: tensor<3x7xT>) -> tensor<3xT> {
      %0 = graph.linear %x, %w : tensor<7xT>, tensor<3x7xT> -> tensor<3xT>
      return %0 : tensor<3xT>
    })",
    R"(func.func @f(%x: tensor<5x0xT>, %w: tensor<3x0xT>, %b: tensor<3xT>) -> tensor<5x3xT> {
      %0 = graph.linear %x, %w, %b : tensor<5x0xT>, tensor<3x0xT>, tensor<3xT> -> tensor<5x3xT>
      return %0 : tensor<5x3xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> tensor<5x7xT> {
      %0 = graph.softmax %x axis = 1 : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<3x5x2xT>) -> tensor<3x5x2xT> {
      %0 = graph.softmax %x axis = 0 : tensor<3x5x2xT>
      return %0 : tensor<3x5x2xT>
    })",
    R"(func.func @f(%x: tensor<3x5x2xT>) -> tensor<3x5x2xT> {
      %0 = graph.log_softmax %x axis = 1 : tensor<3x5x2xT>
      return %0 : tensor<3x5x2xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %t: tensor<5xi64>) -> tensor<T> {
      %0 = graph.cross_entropy %x, %t : tensor<5x7xT>, tensor<5xi64> -> tensor<T>
      return %0 : tensor<T>
    })",
    R"(func.func @f(%x: tensor<2x3x7xT>, %t: tensor<2x3xi32>) -> tensor<2x3xT> {
      %0 = graph.cross_entropy %x, %t reduction = none {ignore_index = 2, label_smoothing = 0.2}
          : tensor<2x3x7xT>, tensor<2x3xi32> -> tensor<2x3xT>
      return %0 : tensor<2x3xT>
    })",
    R"(func.func @f(%x: tensor<9x3xT>, %t: tensor<9xi64>) -> tensor<T> {
      %0 = graph.cross_entropy %x, %t {ignore_index = 1, label_smoothing = 1.0}
          : tensor<9x3xT>, tensor<9xi64> -> tensor<T>
      return %0 : tensor<T>
    })",
    R"(func.func @f(%x: tensor<9x3xT>, %t: tensor<9xi64>) -> tensor<T> {
      %0 = graph.cross_entropy %x, %t reduction = sum {ignore_index = 1}
          : tensor<9x3xT>, tensor<9xi64> -> tensor<T>
      return %0 : tensor<T>
    })",
    R"(func.func @f(%x: tensor<7xT>, %t: tensor<i64>) -> tensor<T> {
      %0 = graph.cross_entropy %x, %t : tensor<7xT>, tensor<i64> -> tensor<T>
      return %0 : tensor<T>
    })",
    // Every position is ignored: the mean is NaN, the sum 0.
    R"(func.func @f(%x: tensor<5x1xT>, %t: tensor<5xi64>) -> (tensor<T>, tensor<T>) {
      %0 = graph.cross_entropy %x, %t {ignore_index = 0} : tensor<5x1xT>, tensor<5xi64> -> tensor<T>
      %1 = graph.cross_entropy %x, %t reduction = sum {ignore_index = 0}
          : tensor<5x1xT>, tensor<5xi64> -> tensor<T>
      return %0, %1 : tensor<T>, tensor<T>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %t: tensor<5x7xT>) -> tensor<T> {
      %0 = graph.mse_loss %x, %t : tensor<5x7xT>, tensor<5x7xT> -> tensor<T>
      return %0 : tensor<T>
    })",
    R"(func.func @f(%x: tensor<0x7xT>, %t: tensor<0x7xT>) -> tensor<T> {
      %0 = graph.mse_loss %x, %t : tensor<0x7xT>, tensor<0x7xT> -> tensor<T>
      return %0 : tensor<T>
    })",
    R"(func.func @f(%x: tensor<5xT>, %t: tensor<5xT>) -> (tensor<T>, tensor<5xT>) {
      %0 = graph.mse_loss %x, %t reduction = sum : tensor<5xT>, tensor<5xT> -> tensor<T>
      %1 = graph.mse_loss %x, %t reduction = none : tensor<5xT>, tensor<5xT> -> tensor<5xT>
      return %0, %1 : tensor<T>, tensor<5xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %t: tensor<5x7xT>) -> tensor<5x7xT> {
      %0 = graph.binary_cross_entropy %x, %t reduction = none : tensor<5x7xT>, tensor<5x7xT> -> tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %t: tensor<5x7xT>) -> tensor<T> {
      %0 = graph.binary_cross_entropy %x, %t : tensor<5x7xT>, tensor<5x7xT> -> tensor<T>
      return %0 : tensor<T>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %t: tensor<5x7xT>) -> tensor<5x7xT> {
      %0 = graph.binary_cross_entropy_with_logits %x, %t reduction = none
          : tensor<5x7xT>, tensor<5x7xT> -> tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %t: tensor<5x7xT>) -> tensor<T> {
      %0 = graph.binary_cross_entropy_with_logits %x, %t : tensor<5x7xT>, tensor<5x7xT> -> tensor<T>
      return %0 : tensor<T>
    })",
    R"(func.func @f(%w: tensor<5x7xT>, %i: tensor<2x3xi64>) -> tensor<2x3x7xT> {
      %0 = graph.embedding %w, %i padding_idx = 2 : tensor<5x7xT>, tensor<2x3xi64> -> tensor<2x3x7xT>
      return %0 : tensor<2x3x7xT>
    })",
    R"(func.func @f(%i: tensor<2x3xi32>) -> tensor<2x3x5xT> {
      %0 = graph.one_hot %i : tensor<2x3xi32> -> tensor<2x3x5xT>
      return %0 : tensor<2x3x5xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> (tensor<5x3xT>, tensor<5x3xi64>) {
      %0, %1 = graph.top_k %x k = 3 axis = 1 : tensor<5x7xT> -> tensor<5x3xT>, tensor<5x3xi64>
      return %0, %1 : tensor<5x3xT>, tensor<5x3xi64>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> (tensor<2x7xT>, tensor<2x7xi64>) {
      %0, %1 = graph.top_k %x k = 2 axis = 0 smallest : tensor<5x7xT> -> tensor<2x7xT>, tensor<2x7xi64>
      return %0, %1 : tensor<2x7xT>, tensor<2x7xi64>
    })",
    R"(func.func @f(%x: tensor<3x5x7xT>) -> (tensor<3x5x7xT>, tensor<3x5x7xT>) {
      %0 = graph.tril %x diagonal = 1 : tensor<3x5x7xT>
      %1 = graph.triu %x diagonal = -9223372036854775808 : tensor<3x5x7xT>
      return %0, %1 : tensor<3x5x7xT>, tensor<3x5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %k: tensor<3xi64>) -> tensor<5x7xT> {
      %0 = graph.dropout %x key %k p = 0.25 op_id = 3 mode = train : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %k: tensor<3xi64>) -> tensor<5x7xT> {
      %0 = graph.dropout %x key %k p = 0.0 op_id = 3 mode = train : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %k: tensor<3xi64>) -> tensor<5x7xT> {
      %0 = graph.dropout %x key %k p = 1.0 op_id = 3 mode = train : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>) -> tensor<5x7xT> {
      %0 = graph.dropout %x p = 0.25 mode = eval : tensor<5x7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<2x4x7xT>, %w: tensor<6x2x3xT>, %b: tensor<6xT>) -> tensor<2x6x4xT> {
      %0 = graph.conv %x, %w, %b strides = [2] low = [2] high = [1] dilation = [1] groups = 2 : tensor<2x4x7xT>, tensor<6x2x3xT>, tensor<6xT> -> tensor<2x6x4xT>
      return %0 : tensor<2x6x4xT>
    })",
    R"(func.func @f(%x: tensor<1x3x5x6xT>, %w: tensor<2x3x2x3xT>) -> tensor<1x2x4x4xT> {
      %0 = graph.conv %x, %w strides = [1, 2] low = [0, 2] high = [0, 1] dilation = [1, 1] groups = 1 : tensor<1x3x5x6xT>, tensor<2x3x2x3xT> -> tensor<1x2x4x4xT>
      return %0 : tensor<1x2x4x4xT>
    })",
    R"(func.func @f(%x: tensor<2x4x3xT>, %w: tensor<4x3x3xT>, %b: tensor<6xT>) -> tensor<2x6x6xT> {
      %0 = graph.conv_transpose %x, %w, %b strides = [2] low = [1] high = [1] dilation = [1] output_padding = [1] groups = 2 : tensor<2x4x3xT>, tensor<4x3x3xT>, tensor<6xT> -> tensor<2x6x6xT>
      return %0 : tensor<2x6x6xT>
    })",
    R"(func.func @f(%x: tensor<1x1x5xT>, %w: tensor<1x1x1xT>) -> tensor<1x1x2xT> {
      %0 = graph.conv_transpose %x, %w strides = [1] low = [2] high = [1] dilation = [1] output_padding = [0] groups = 1 : tensor<1x1x5xT>, tensor<1x1x1xT> -> tensor<1x1x2xT>
      return %0 : tensor<1x1x2xT>
    })",
    R"(func.func @f(%x: tensor<2x4x7xT>, %g: tensor<2x6x4xT>) -> tensor<6x2x3xT> {
      %0 = graph.conv_weight_grad %x, %g strides = [2] low = [2] high = [1] dilation = [1] groups = 2 : tensor<2x4x7xT>, tensor<2x6x4xT> -> tensor<6x2x3xT>
      return %0 : tensor<6x2x3xT>
    })",
    R"(func.func @f(%x: tensor<2x5x7xT>) -> (tensor<2x3x4xT>, tensor<2x3x4xT>, tensor<2x3x4xT>) {
      %0 = graph.max_pool %x kernel = [3, 2] strides = [2, 2] low = [1, 1] high = [1, 0] dilation = [1, 1] : tensor<2x5x7xT> -> tensor<2x3x4xT>
      %1 = graph.avg_pool %x kernel = [3, 2] strides = [2, 2] low = [1, 1] high = [1, 0] dilation = [1, 1] : tensor<2x5x7xT> -> tensor<2x3x4xT>
      %2 = graph.avg_pool %x kernel = [3, 2] strides = [2, 2] low = [1, 1] high = [1, 0] dilation = [1, 1] exclude_padding : tensor<2x5x7xT> -> tensor<2x3x4xT>
      return %0, %1, %2 : tensor<2x3x4xT>, tensor<2x3x4xT>, tensor<2x3x4xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %w: tensor<7xT>, %b: tensor<7xT>) -> tensor<5x7xT> {
      %0 = graph.layer_norm %x, %w, %b normalized_rank = 1 eps = 1.0e-5 : tensor<5x7xT>, tensor<7xT>, tensor<7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<3x2x5xT>) -> tensor<3x2x5xT> {
      %0 = graph.layer_norm %x normalized_rank = 2 eps = 0.5 : tensor<3x2x5xT>
      return %0 : tensor<3x2x5xT>
    })",
    R"(func.func @f(%x: tensor<3x0xT>, %w: tensor<0xT>) -> tensor<3x0xT> {
      %0 = graph.layer_norm %x, %w normalized_rank = 1 eps = 0.5 : tensor<3x0xT>, tensor<0xT>
      return %0 : tensor<3x0xT>
    })",
    R"(func.func @f(%x: tensor<5x7xT>, %w: tensor<7xT>) -> tensor<5x7xT> {
      %0 = graph.rms_norm %x, %w normalized_rank = 1 eps = 1.0e-5 : tensor<5x7xT>, tensor<7xT>
      return %0 : tensor<5x7xT>
    })",
    R"(func.func @f(%x: tensor<3x2x5xT>) -> tensor<3x2x5xT> {
      %0 = graph.rms_norm %x normalized_rank = 2 eps = 0.5 : tensor<3x2x5xT>
      return %0 : tensor<3x2x5xT>
    })",
    R"(func.func @f(%x: tensor<2x6x3x2xT>, %w: tensor<6xT>, %b: tensor<6xT>) -> tensor<2x6x3x2xT> {
      %0 = graph.group_norm %x, %w, %b groups = 3 eps = 1.0e-5 : tensor<2x6x3x2xT>, tensor<6xT>, tensor<6xT>
      return %0 : tensor<2x6x3x2xT>
    })",
    R"(func.func @f(%x: tensor<3x4xT>) -> tensor<3x4xT> {
      %0 = graph.group_norm %x groups = 1 eps = 0.5 : tensor<3x4xT>
      return %0 : tensor<3x4xT>
    })",
    R"(func.func @f(%x: tensor<3x4x2xT>, %m: tensor<4xT>, %v: tensor<4xT>, %w: tensor<4xT>, %b: tensor<4xT>) -> (tensor<3x4x2xT>, tensor<4xT>, tensor<4xT>) {
      %0:3 = graph.batch_norm %x, %m, %v, %w, %b momentum = 0.1 eps = 1.0e-5 mode = train
          : tensor<3x4x2xT>, tensor<4xT>, tensor<4xT>, tensor<4xT>, tensor<4xT>
      return %0#0, %0#1, %0#2 : tensor<3x4x2xT>, tensor<4xT>, tensor<4xT>
    })",
    R"(func.func @f(%x: tensor<6x4xT>, %m: tensor<4xT>, %v: tensor<4xT>) -> (tensor<6x4xT>, tensor<4xT>, tensor<4xT>) {
      %0:3 = graph.batch_norm %x, %m, %v momentum = 0.7 eps = 0.5 mode = train
          : tensor<6x4xT>, tensor<4xT>, tensor<4xT>
      return %0#0, %0#1, %0#2 : tensor<6x4xT>, tensor<4xT>, tensor<4xT>
    })",
    R"(func.func @f(%x: tensor<3x4x2xT>, %m: tensor<4xT>, %v: tensor<4xT>, %w: tensor<4xT>, %b: tensor<4xT>) -> (tensor<3x4x2xT>, tensor<4xT>, tensor<4xT>) {
      %0:3 = graph.batch_norm %x, %m, %v, %w, %b momentum = 0.1 eps = 1.0e-5 mode = eval
          : tensor<3x4x2xT>, tensor<4xT>, tensor<4xT>, tensor<4xT>, tensor<4xT>
      return %0#0, %0#1, %0#2 : tensor<3x4x2xT>, tensor<4xT>, tensor<4xT>
    })",
    R"(func.func @f() -> (tensor<i1>, tensor<i1>) {
      %0 = graph.is_training mode = train : tensor<i1>
      %1 = graph.is_training mode = eval : tensor<i1>
      return %0, %1 : tensor<i1>, tensor<i1>
    })",
    R"(func.func @f(%q: tensor<2x3x4xT>, %k: tensor<2x5x4xT>, %v: tensor<2x5x3xT>) -> tensor<2x3x3xT> {
      %0 = graph.attention %q, %k, %v : tensor<2x3x4xT>, tensor<2x5x4xT>, tensor<2x5x3xT> -> tensor<2x3x3xT>
      return %0 : tensor<2x3x3xT>
    })",
};

// Some keys do not take part; they must be finite.
const char *kMaskedAttention[] = {
    R"(func.func @f(%q: tensor<2x4x3x4xT>, %k: tensor<2x2x5x4xT>, %v: tensor<2x2x5x3xT>) -> tensor<2x4x3x3xT> {
      %0 = graph.attention %q, %k, %v causal scale = 0.3 : tensor<2x4x3x4xT>, tensor<2x2x5x4xT>, tensor<2x2x5x3xT> -> tensor<2x4x3x3xT>
      return %0 : tensor<2x4x3x3xT>
    })",
    R"(func.func @f(%q: tensor<5x4xT>, %k: tensor<3x4xT>, %v: tensor<3x2xT>) -> tensor<5x2xT> {
      %0 = graph.attention %q, %k, %v causal : tensor<5x4xT>, tensor<3x4xT>, tensor<3x2xT> -> tensor<5x2xT>
      return %0 : tensor<5x2xT>
    })",
    R"(func.func @f(%q: tensor<3x4xT>, %k: tensor<0x4xT>, %v: tensor<0x2xT>) -> tensor<3x2xT> {
      %0 = graph.attention %q, %k, %v : tensor<3x4xT>, tensor<0x4xT>, tensor<0x2xT> -> tensor<3x2xT>
      return %0 : tensor<3x2xT>
    })",
    R"(func.func @f(%q: tensor<0x4xT>, %k: tensor<3x4xT>, %v: tensor<3x2xT>) -> tensor<0x2xT> {
      %0 = graph.attention %q, %k, %v causal : tensor<0x4xT>, tensor<3x4xT>, tensor<3x2xT> -> tensor<0x2xT>
      return %0 : tensor<0x2xT>
    })",
    R"(func.func @f(%q: tensor<2x4x3x4xT>, %k: tensor<2x2x5x4xT>, %v: tensor<2x2x5x3xT>, %m: tensor<2x1x1x5xi1>) -> tensor<2x4x3x3xT> {
      %0 = graph.attention %q, %k, %v, %m : tensor<2x4x3x4xT>, tensor<2x2x5x4xT>, tensor<2x2x5x3xT>, tensor<2x1x1x5xi1> -> tensor<2x4x3x3xT>
      return %0 : tensor<2x4x3x3xT>
    })",
    R"(func.func @f(%q: tensor<2x4x3x4xT>, %k: tensor<2x2x5x4xT>, %v: tensor<2x2x5x3xT>, %m: tensor<4x3x5xT>) -> tensor<2x4x3x3xT> {
      %0 = graph.attention %q, %k, %v, %m causal : tensor<2x4x3x4xT>, tensor<2x2x5x4xT>, tensor<2x2x5x3xT>, tensor<4x3x5xT> -> tensor<2x4x3x3xT>
      return %0 : tensor<2x4x3x3xT>
    })",
    R"(func.func @f(%q: tensor<2x150x4xT>, %k: tensor<2x150x4xT>, %v: tensor<2x150x3xT>) -> tensor<2x150x3xT> {
      %0 = graph.attention %q, %k, %v causal : tensor<2x150x4xT>, tensor<2x150x4xT>, tensor<2x150x3xT> -> tensor<2x150x3xT>
      return %0 : tensor<2x150x3xT>
    })",
    R"(func.func @f(%q: tensor<70x4xT>, %k: tensor<150x4xT>, %v: tensor<150x3xT>, %m: tensor<70x150xi1>) -> tensor<70x3xT> {
      %0 = graph.attention %q, %k, %v, %m causal : tensor<70x4xT>, tensor<150x4xT>, tensor<150x3xT>, tensor<70x150xi1> -> tensor<70x3xT>
      return %0 : tensor<70x3xT>
    })",
    R"(func.func @f(%q: tensor<90x4xT>, %k: tensor<70x4xT>, %v: tensor<70x3xT>, %m: tensor<1x70xT>) -> tensor<90x3xT> {
      %0 = graph.attention %q, %k, %v, %m causal : tensor<90x4xT>, tensor<70x4xT>, tensor<70x3xT>, tensor<1x70xT> -> tensor<90x3xT>
      return %0 : tensor<90x3xT>
    })",
    R"(func.func @f(%q: tensor<2x4xT>, %k: tensor<1030x4xT>, %v: tensor<1030x3xT>) -> tensor<2x3xT> {
      %0 = graph.attention %q, %k, %v : tensor<2x4xT>, tensor<1030x4xT>, tensor<1030x3xT> -> tensor<2x3xT>
      return %0 : tensor<2x3xT>
    })",
    R"(func.func @f(%q: tensor<2x4x3x4xT>, %k: tensor<2x2x5x4xT>, %v: tensor<2x2x5x3xT>, %o: tensor<2x4x3x3xT>, %g: tensor<2x4x3x3xT>) -> (tensor<2x4x3x4xT>, tensor<2x2x5x4xT>, tensor<2x2x5x3xT>) {
      %0:3 = graph.attention_grad %q, %k, %v, %o, %g causal scale = 0.3 : tensor<2x4x3x4xT>, tensor<2x2x5x4xT>, tensor<2x2x5x3xT>, tensor<2x4x3x3xT>, tensor<2x4x3x3xT>
      return %0#0, %0#1, %0#2 : tensor<2x4x3x4xT>, tensor<2x2x5x4xT>, tensor<2x2x5x3xT>
    })",
    R"(func.func @f(%q: tensor<5x4xT>, %k: tensor<3x4xT>, %v: tensor<3x2xT>, %o: tensor<5x2xT>, %g: tensor<5x2xT>) -> (tensor<5x4xT>, tensor<3x4xT>, tensor<3x2xT>) {
      %0:3 = graph.attention_grad %q, %k, %v, %o, %g causal : tensor<5x4xT>, tensor<3x4xT>, tensor<3x2xT>, tensor<5x2xT>, tensor<5x2xT>
      return %0#0, %0#1, %0#2 : tensor<5x4xT>, tensor<3x4xT>, tensor<3x2xT>
    })",
    R"(func.func @f(%q: tensor<3x4xT>, %k: tensor<0x4xT>, %v: tensor<0x2xT>, %o: tensor<3x2xT>, %g: tensor<3x2xT>) -> (tensor<3x4xT>, tensor<0x4xT>, tensor<0x2xT>) {
      %0:3 = graph.attention_grad %q, %k, %v, %o, %g  : tensor<3x4xT>, tensor<0x4xT>, tensor<0x2xT>, tensor<3x2xT>, tensor<3x2xT>
      return %0#0, %0#1, %0#2 : tensor<3x4xT>, tensor<0x4xT>, tensor<0x2xT>
    })",
    R"(func.func @f(%q: tensor<2x4x3x4xT>, %k: tensor<2x2x5x4xT>, %v: tensor<2x2x5x3xT>, %o: tensor<2x4x3x3xT>, %g: tensor<2x4x3x3xT>, %m: tensor<4x3x5xi1>) -> (tensor<2x4x3x4xT>, tensor<2x2x5x4xT>, tensor<2x2x5x3xT>) {
      %0:3 = graph.attention_grad %q, %k, %v, %o, %g, %m  : tensor<2x4x3x4xT>, tensor<2x2x5x4xT>, tensor<2x2x5x3xT>, tensor<2x4x3x3xT>, tensor<2x4x3x3xT>, tensor<4x3x5xi1>
      return %0#0, %0#1, %0#2 : tensor<2x4x3x4xT>, tensor<2x2x5x4xT>, tensor<2x2x5x3xT>
    })",
};

const char *kTypes[] = {"f64", "f32", "f16", "bf16"};

/// Runs `text` before and after its composites are decomposed and compares the
/// results, each within the bounds of the op that gives it.
void expectConforms(StringRef text, Mode mode,
                    function_ref<void(std::vector<Tensor> &, uint64_t)> edit) {
  SCOPED_TRACE(text.str());
  Program program(text);
  ASSERT_TRUE(program.module);
  for (uint64_t seed = 0; seed < 4; ++seed) {
    auto inputs = drawInputs(program.function(), seed);
    ASSERT_TRUE(succeeded(inputs));
    edit(*inputs, seed);
    std::vector<std::vector<double>> bounds;
    Options options;
    options.mode = mode;
    options.observer = [&](Operation *op, ArrayRef<const Tensor *> operands,
                           ArrayRef<Tensor> results) {
      if (isa<graphc::graph::DecomposableOpInterface>(op))
        for (auto [k, result] : llvm::enumerate(results))
          bounds.push_back(
              errorBounds(op, operands, result, static_cast<unsigned>(k)));
    };
    std::vector<Tensor> expected = program.run(*inputs, options);
    ASSERT_FALSE(expected.empty()) << program.errors;
    ASSERT_EQ(expected.size(), bounds.size());

    Program other(text);
    other.decompose();
    options.observer = {};
    // Types are unique by context only.
    std::vector<Tensor> otherInputs = *inputs;
    for (auto [k, input] : llvm::enumerate(otherInputs))
      input.type =
          cast<RankedTensorType>(other.function().getArgumentTypes()[k]);
    std::vector<Tensor> actual = other.run(otherInputs, options);
    ASSERT_EQ(actual.size(), expected.size()) << other.errors;
    for (size_t k = 0; k < actual.size(); ++k) {
      actual[k].type = expected[k].type;
      // Where an element is not finite, the reference has to be met exactly.
      for (double &bound : bounds[k])
        bound = std::isfinite(bound) ? bound : 0;
      Comparison comparison =
          mode == Mode::F64 ? compareTensors(actual[k], expected[k],
                                             Tolerance::of(1e-12, 1e-12))
                            : compareTensors(actual[k], expected[k], bounds[k]);
      EXPECT_TRUE(comparison.equal) << "seed " << seed << ", result " << k
                                    << ": " << comparison.describe();
    }
  }
}

void keep(std::vector<Tensor> &, uint64_t) {}

/// Puts values at which formulas break among the floats.
void addSpecialValues(std::vector<Tensor> &inputs, uint64_t seed) {
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {0.0,          -0.0, 1.0,   -1.0,   90.0,   -90.0,
                           inf,          -inf, 200.0, -200.0, 6.0e-8, 0.5,
                           std::nan(""), 11.0, -11.0, 1.0e-40};
  RandomStream stream(seed + 17);
  for (Tensor &input : inputs) {
    for (double &element : input.floats)
      if (stream.integer(0, 2) == 0)
        element = values[stream.integer(0, std::size(values) - 1)];
    input.roundToType();
  }
}

TEST(Decompose, ValuesAreWithinTheBoundsOfTheComposite) {
  for (StringRef text : kComposites)
    for (StringRef type : kTypes)
      expectConforms(withType(text, type), Mode::Declared, keep);
}

TEST(Decompose, MaskedAttentionIsWithinItsBounds) {
  for (StringRef text : kMaskedAttention) {
    expectConforms(withType(text, "f64"), Mode::F64, keep);
    for (StringRef type : kTypes)
      expectConforms(withType(text, type), Mode::Declared, keep);
  }
}

TEST(Decompose, SpecialValuesGiveWhatTheCompositeGives) {
  for (StringRef text : kComposites)
    for (StringRef type : kTypes)
      expectConforms(withType(text, type), Mode::Declared, addSpecialValues);
}

// With constants of f64 nothing but the formulas is left to differ.
TEST(Decompose, FormulasAreEqualInF64) {
  for (StringRef text : kComposites)
    expectConforms(withType(text, "f64"), Mode::F64, keep);
}

/// The results of `text` on `inputs`, decomposed.
std::vector<Tensor> runDecomposed(Program &program,
                                  ArrayRef<std::vector<double>> floats,
                                  ArrayRef<int64_t> ints = {}) {
  program.decompose();
  std::vector<Tensor> inputs;
  for (Type type : program.function().getArgumentTypes()) {
    Tensor tensor(cast<RankedTensorType>(type));
    if (tensor.isFloat()) {
      EXPECT_EQ(tensor.floats.size(), floats.front().size());
      tensor.floats = floats.front();
      floats = floats.drop_front();
    } else {
      tensor.ints.assign(ints.begin(), ints.end());
    }
    inputs.push_back(std::move(tensor));
  }
  return program.run(inputs);
}

// 70,000 ones overflow f16; their mean is 1.
TEST(Decompose, MeanOfManyOnesInF16IsOne) {
  Program program(R"(func.func @f(%x: tensor<70000xf16>) -> tensor<f16> {
    %0 = graph.reduce_mean %x axes = [0] : tensor<70000xf16> -> tensor<f16>
    return %0 : tensor<f16>
  })");
  auto results = runDecomposed(program, {std::vector<double>(70000, 1.0)});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].floats[0], 1.0);
}

// A class that is ruled out by -inf does not matter to the others.
TEST(Decompose, InfiniteLogitsOfOtherClassesLeakNothing) {
  Program program(
      R"(func.func @f(%x: tensor<1x3xf32>, %t: tensor<1xi64>) -> tensor<f32> {
    %0 = graph.cross_entropy %x, %t : tensor<1x3xf32>, tensor<1xi64> -> tensor<f32>
    return %0 : tensor<f32>
  })");
  auto results = runDecomposed(program, {{-INFINITY, 2.0, 2.0}}, {1});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_NEAR(results[0].floats[0], std::log(2.0), 1e-7);
}

// A class below 0 or past the last fails decomposed too, and is named.
TEST(Decompose, TargetsOutOfRangeFail) {
  for (int64_t target : {-1, 3}) {
    Program program(
        R"(func.func @f(%x: tensor<1x3xf32>, %t: tensor<1xi64>) -> tensor<f32> {
      %0 = graph.cross_entropy %x, %t : tensor<1x3xf32>, tensor<1xi64> -> tensor<f32>
      return %0 : tensor<f32>
    })");
    EXPECT_TRUE(runDecomposed(program, {{0.0, 1.0, 2.0}}, {target}).empty());
    EXPECT_NE(program.errors.find(std::to_string(target)), std::string::npos)
        << program.errors;
  }
}

} // namespace
