// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdint>
#include <utility>

#include "runtime/core/DType.h"
#include "runtime/data/Array.h"
#include "runtime/data/GeneratorHandle.h"
#include "runtime/data/Message.h"

using namespace graphc::runtime;

namespace {

/// Elements of a tensor that can be filled in place.
size_t checkFill(const graphc_generator *generator, const graphc_tensor *tensor,
                 bool isFloat) {
  if (!generator)
    fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
  checkTensor(tensor, "the tensor");
  if (isFloatDType(tensor->dtype) != isFloat)
    fail(GRAPHC_INVALID_ARGUMENT, "expects %s elements, but got %s",
         isFloat ? "float" : "integer", graphc_dtype_name(tensor->dtype));
  if (!isRowMajor(*tensor))
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a row-major tensor, but got strides %s",
         listText(tensor->strides, tensor->rank).c_str());
  return graphc::runtime::tensorBytes(*tensor) /
         graphc_dtype_bytes(tensor->dtype);
}

/// The least and the greatest integer of a type.
std::pair<int64_t, int64_t> integersOf(graphc_dtype dtype) {
  switch (dtype) {
  case GRAPHC_DTYPE_I1:
    return {0, 1};
  case GRAPHC_DTYPE_I8:
    return {INT8_MIN, INT8_MAX};
  case GRAPHC_DTYPE_UI8:
    return {0, UINT8_MAX};
  case GRAPHC_DTYPE_I32:
    return {INT32_MIN, INT32_MAX};
  default:
    return {INT64_MIN, INT64_MAX};
  }
}

void fillUniform(graphc_generator *generator, const graphc_tensor *tensor,
                 double lo, double hi) {
  size_t count = checkFill(generator, tensor, true);
  if (!(lo <= hi) || !std::isfinite(hi - lo))
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a finite range with lo <= hi, but got [%g, %g)", lo, hi);
  generator->stream.uniform(tensor->dtype, lo, hi, tensor->data, count);
}

void fillNormal(graphc_generator *generator, const graphc_tensor *tensor,
                double mean, double deviation) {
  size_t count = checkFill(generator, tensor, true);
  if (!(deviation >= 0) || !std::isfinite(deviation) || !std::isfinite(mean))
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a finite mean and a standard deviation of 0 or more, but got "
         "%g and %g",
         mean, deviation);
  generator->stream.normal(tensor->dtype, mean, deviation, tensor->data, count);
}

struct Fan {
  double in, out;
};

Fan fanOf(const graphc_tensor *tensor) {
  checkTensor(tensor, "the tensor");
  if (tensor->rank < 2)
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a tensor of rank 2 or more to have a fan-in, but got %s",
         typeText(tensor->dtype, tensor->rank, tensor->shape).c_str());
  double rest = 1;
  for (uint32_t i = 2; i < tensor->rank; ++i)
    rest *= static_cast<double>(tensor->shape[i]);
  Fan fan = {static_cast<double>(tensor->shape[1]) * rest,
             static_cast<double>(tensor->shape[0]) * rest};
  if (fan.in == 0 || fan.out == 0)
    fail(GRAPHC_INVALID_ARGUMENT, "expects no empty dimension, but got %s",
         typeText(tensor->dtype, tensor->rank, tensor->shape).c_str());
  return fan;
}

/// Of leaky_relu with this slope: sqrt(2 / (1 + slope^2)).
double gainOf(double negativeSlope) {
  return std::sqrt(2.0 / (1 + negativeSlope * negativeSlope));
}

} // namespace

graphc_status graphc_generator_create(uint64_t seed,
                                      graphc_generator **out_generator) {
  return guarded([&] {
    if (!out_generator)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    *out_generator = new graphc_generator{Generator(seed)};
  });
}

void graphc_generator_destroy(graphc_generator *generator) { delete generator; }

void graphc_generator_reseed(graphc_generator *generator, uint64_t seed) {
  generator->stream.reseed(seed);
}

uint32_t graphc_generator_random(graphc_generator *generator) {
  return generator->stream.random();
}

int64_t graphc_generator_random_i64(graphc_generator *generator) {
  return generator->stream.randomInt64();
}

graphc_status graphc_generator_uniform(graphc_generator *generator,
                                       const graphc_tensor *tensor, double lo,
                                       double hi) {
  return guarded([&] { fillUniform(generator, tensor, lo, hi); });
}

graphc_status graphc_generator_normal(graphc_generator *generator,
                                      const graphc_tensor *tensor, double mean,
                                      double standard_deviation) {
  return guarded(
      [&] { fillNormal(generator, tensor, mean, standard_deviation); });
}

graphc_status graphc_generator_integers(graphc_generator *generator,
                                        const graphc_tensor *tensor, int64_t lo,
                                        int64_t hi) {
  return guarded([&] {
    size_t count = checkFill(generator, tensor, false);
    if (lo >= hi)
      fail(GRAPHC_INVALID_ARGUMENT, "expects lo < hi, but got %lld and %lld",
           static_cast<long long>(lo), static_cast<long long>(hi));
    auto [least, most] = integersOf(tensor->dtype);
    if (lo < least || hi - 1 > most)
      fail(GRAPHC_INVALID_ARGUMENT,
           "expects a range within that of %s, [%lld, %lld], but got "
           "[%lld, %lld)",
           graphc_dtype_name(tensor->dtype), static_cast<long long>(least),
           static_cast<long long>(most), static_cast<long long>(lo),
           static_cast<long long>(hi));
    auto range = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
    size_t unit = graphc_dtype_bytes(tensor->dtype);
    // PyTorch draws 64 bits only for a range that needs them.
    for (size_t i = 0; i < count; ++i) {
      uint64_t bits = range >> 32 ? generator->stream.random64()
                                  : generator->stream.random();
      auto value =
          static_cast<int64_t>(bits % range + static_cast<uint64_t>(lo));
      convert(GRAPHC_DTYPE_I64, &value, tensor->dtype,
              static_cast<char *>(tensor->data) + i * unit, 1);
    }
  });
}

graphc_status graphc_generator_permutation(graphc_generator *generator,
                                           int64_t count, int64_t *out_order) {
  return guarded([&] {
    if (!generator || count < 0 || (count > 0 && !out_order))
      fail(GRAPHC_INVALID_ARGUMENT,
           "expects a generator, a count of 0 or more and room for the order");
    generator->stream.randperm(count, out_order);
  });
}

// The order of operations below is PyTorch's, so that bounds agree to the bit.

graphc_status graphc_init_kaiming_uniform(graphc_generator *generator,
                                          const graphc_tensor *tensor,
                                          double negative_slope) {
  return guarded([&] {
    double deviation = gainOf(negative_slope) / std::sqrt(fanOf(tensor).in);
    double bound = std::sqrt(3.0) * deviation;
    fillUniform(generator, tensor, -bound, bound);
  });
}

graphc_status graphc_init_kaiming_normal(graphc_generator *generator,
                                         const graphc_tensor *tensor,
                                         double negative_slope) {
  return guarded([&] {
    fillNormal(generator, tensor, 0,
               gainOf(negative_slope) / std::sqrt(fanOf(tensor).in));
  });
}

graphc_status graphc_init_xavier_uniform(graphc_generator *generator,
                                         const graphc_tensor *tensor,
                                         double gain) {
  return guarded([&] {
    Fan fan = fanOf(tensor);
    double deviation = gain * std::sqrt(2.0 / (fan.in + fan.out));
    double bound = std::sqrt(3.0) * deviation;
    fillUniform(generator, tensor, -bound, bound);
  });
}

graphc_status graphc_init_xavier_normal(graphc_generator *generator,
                                        const graphc_tensor *tensor,
                                        double gain) {
  return guarded([&] {
    Fan fan = fanOf(tensor);
    fillNormal(generator, tensor, 0,
               gain * std::sqrt(2.0 / (fan.in + fan.out)));
  });
}
