// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the math functions of a compiled model against libm in a wider type:
//   sweep model.so docs/math.md stride
// f32 functions meet every stride-th f32, f64 functions as many random numbers.
// Prints one line each and fails if one is worse than the table says.
#include "graphc/runtime.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int64_t kBlock = 65536;

template <class Real> struct Traits;
template <> struct Traits<float> {
  using Wide = double;
  using Bits = uint32_t;
  static constexpr graphc_dtype dtype = GRAPHC_DTYPE_F32;
  static constexpr int digits = 24, minExponent = -149;
};
template <> struct Traits<double> {
  using Wide = long double;
  using Bits = uint64_t;
  static constexpr graphc_dtype dtype = GRAPHC_DTYPE_F64;
  static constexpr int digits = 53, minExponent = -1074;
};

template <class Real> Real fromBits(typename Traits<Real>::Bits bits) {
  Real value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// |got - want| in units of the last place of `want`.
template <class Real>
double ulpsBetween(Real got, typename Traits<Real>::Wide want) {
  Real rounded = static_cast<Real>(want);
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) == std::isnan(got) ? 0 : HUGE_VAL;
  if (std::isinf(rounded) || std::isinf(got)) {
    // Overflow next to the largest number is one place away.
    Real finite = std::fabs(std::isinf(got) ? rounded : got);
    bool isNear = finite == std::numeric_limits<Real>::max() &&
                  std::signbit(got) == std::signbit(rounded);
    return got == rounded ? 0 : isNear ? 1 : HUGE_VAL;
  }
  if (got == 0 && want == 0)
    return std::signbit(got) == std::signbit(want) ? 0 : HUGE_VAL;
  int exponent;
  std::frexp(want, &exponent);
  int last =
      std::max(exponent - Traits<Real>::digits, Traits<Real>::minExponent);
  return static_cast<double>(
      std::fabs(std::ldexp(typename Traits<Real>::Wide(got) - want, -last)));
}

template <class Wide> Wide reference(const std::string &name, Wide x, Wide y) {
  if (name == "exp")
    return std::exp(x);
  if (name == "expm1")
    return std::expm1(x);
  if (name == "log")
    return std::log(x);
  if (name == "log1p")
    return std::log1p(x);
  if (name == "sin")
    return std::sin(x);
  if (name == "cos")
    return std::cos(x);
  if (name == "tanh")
    return std::tanh(x);
  if (name == "erf")
    return std::erf(x);
  if (name == "rem")
    return std::fmod(x, y);
  if (name == "pow")
    return std::pow(x, y);
  std::fprintf(stderr, "no reference for %s\n", name.c_str());
  std::exit(2);
}

const double kSpecial[] = {
    0.0,     -0.0,     1.0,       -1.0,   0.5,   2.0,    3.0,
    -2.0,    -3.0,     1e-300,    1e38,   -1e38, 1e-40,  -1e-40,
    1e-45,   HUGE_VAL, -HUGE_VAL, NAN,    88.7,  -103.9, 709.78,
    -745.1,  1e22,     1e300,     -1e300, 2.5,   1e16,   9007199254740993.0,
    0.99999, 1.00001};

template <class Real> struct Source {
  using Bits = typename Traits<Real>::Bits;
  uint64_t next, stride;
  bool isBinary;
  std::mt19937_64 random{1};
  size_t specials = 0;

  Source(uint64_t stride, bool isBinary)
      : next(0), stride(stride), isBinary(isBinary) {}

  uint64_t total() const {
    return (uint64_t(1) << 32) / stride / (isBinary ? 4 : 1);
  }
  Real unary() {
    if (specials < std::size(kSpecial))
      return static_cast<Real>(kSpecial[specials++]);
    if (sizeof(Real) == 4) {
      Bits bits = static_cast<Bits>(next);
      next += stride;
      return fromBits<Real>(bits);
    }
    // Half of all numbers in the range where most functions happen.
    if (random() & 1)
      return fromBits<Real>(static_cast<Bits>(random()));
    return static_cast<Real>(std::ldexp(double(int64_t(random())), -63) *
                             std::exp2(double(random() % 24) - 10));
  }
  void binary(Real &x, Real &y) {
    constexpr size_t count = std::size(kSpecial);
    if (specials < count * count) {
      x = static_cast<Real>(kSpecial[specials / count]);
      y = static_cast<Real>(kSpecial[specials % count]);
      ++specials;
      return;
    }
    x = fromBits<Real>(static_cast<Bits>(random()));
    y = fromBits<Real>(static_cast<Bits>(random()));
    if (random() & 1) { // a power that neither vanishes nor overflows
      x = static_cast<Real>(std::ldexp(double(random()), -64) *
                            std::exp2(double(random() % 16) - 8));
      double range = (sizeof(Real) == 4 ? 100 : 720) /
                     std::max(1e-3, std::fabs(std::log(double(x))));
      y = static_cast<Real>(std::ldexp(double(int64_t(random())), -63) * range);
    }
  }
};

template <class Real>
double sweep(graphc::Model &model, const std::string &function,
             const std::string &name, uint64_t stride, Real &worstX,
             Real &worstY) {
  bool isBinary = name == "pow" || name == "rem";
  std::vector<Real> x(kBlock), y(kBlock), result(kBlock);
  const int64_t shape[] = {kBlock};
  graphc::Call call(model, function);
  graphc_tensor tensor = {Traits<Real>::dtype, 1, shape, nullptr, x.data()};
  call.bindInput(0, tensor);
  if (isBinary) {
    tensor.data = y.data();
    call.bindInput(1, tensor);
  }
  tensor.data = result.data();
  call.bindOutput(0, tensor);

  Source<Real> source(stride, isBinary);
  double worst = 0;
  for (uint64_t done = 0; done < source.total(); done += kBlock) {
    for (int64_t k = 0; k < kBlock; ++k) {
      if (isBinary)
        source.binary(x[k], y[k]);
      else
        x[k] = source.unary();
    }
    call.run();
    for (int64_t k = 0; k < kBlock; ++k) {
      using Wide = typename Traits<Real>::Wide;
      Wide want = reference<Wide>(name, x[k], y[k]);
      double ulps = ulpsBetween<Real>(result[k], want);
      if (ulps > worst)
        worst = ulps, worstX = x[k], worstY = y[k];
    }
  }
  return worst;
}

/// Rows `| exp | f32 | 1.2 | ...` of the table.
std::map<std::string, double> readBounds(const char *path) {
  std::map<std::string, double> bounds;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::replace(line.begin(), line.end(), '|', ' ');
    std::istringstream words(line);
    std::string name, type;
    double bound;
    if (words >> name >> type >> bound && (type == "f32" || type == "f64"))
      bounds[name + "_" + type] = bound;
  }
  return bounds;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: sweep model.so math.md stride\n");
    return 2;
  }
  graphc::Model model(argv[1]);
  std::map<std::string, double> bounds = readBounds(argv[2]);
  uint64_t stride = std::strtoull(argv[3], nullptr, 10);
  int failures = 0;
  for (const graphc::FunctionInfo &function : model.functions()) {
    std::string name = function.name.substr(0, function.name.find('_'));
    bool isSingle = function.name.find("f32") != std::string::npos;
    double worst, x, y;
    if (isSingle) {
      float fx = 0, fy = 0;
      worst = sweep<float>(model, function.name, name, stride, fx, fy);
      x = fx, y = fy;
    } else {
      x = y = 0;
      worst = sweep<double>(model, function.name, name, stride, x, y);
    }
    auto bound = bounds.find(function.name);
    bool holds = bound != bounds.end() && worst <= bound->second;
    failures += !holds;
    std::printf("%-10s %6.3f ulp at %a, %a%s\n", function.name.c_str(), worst,
                x, y, holds ? "" : "  WORSE THAN DOCUMENTED");
  }
  std::printf("%d failures\n", failures);
  return failures != 0;
}
