// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error of each math function of compiled code: every 1009th f32, and
// random f64, against long double libm. docs/math.md quotes what this prints.
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace graphc;

namespace {

constexpr int64_t kChunk = 1 << 16;

struct Function {
  const char *name;
  Tensor (*build)(const Operand &);
  long double (*reference)(long double);
  double maxUlp32, maxUlp64;
  double domain64; // f64 inputs are drawn up to this magnitude.
};

const Function functions[] = {
    {"exp", exp, expl, 1.5, 1.5, 750},   {"expm1", expm1, expm1l, 2, 2, 720},
    {"log", log, logl, 1.5, 1.5, 1e300}, {"log1p", log1p, log1pl, 2, 2, 1e300},
    {"sin", sin, sinl, 1, 1.5, 1e6},     {"cos", cos, cosl, 1, 1.5, 1e6},
    {"tanh", tanh, tanhl, 3.5, 3.5, 30}, {"erf", erf, erfl, 2, 2, 7},
};

/// One model with every function in both types.
class Compiled {
public:
  Compiled() {
    Tracer tracer("math");
    for (const Function &function : functions)
      for (graphc_dtype dtype : {f32, f64})
        tracer.function(
            std::string(function.name) + (dtype == f32 ? "32" : "64"),
            [&](Tensor x) { return function.build(x); },
            input("x", dtype, {kChunk}));
    for (graphc_dtype dtype : {f32, f64})
      tracer.function(
          dtype == f32 ? "pow32" : "pow64",
          [](Tensor x, Tensor y) { return graphc::pow(x, y); },
          input("x", dtype, {kChunk}), input("y", dtype, {kChunk}));
    for (graphc_dtype dtype : {f32, f64})
      tracer.function(
          dtype == f32 ? "rem32" : "rem64",
          [](Tensor x, Tensor y) { return graphc::fmod(x, y); },
          input("x", dtype, {kChunk}), input("y", dtype, {kChunk}));
    char path[] = "/tmp/math-sweep-XXXXXX";
    int file = mkstemp(path);
    close(file);
    tracer.compile(path);
    model = std::make_unique<Model>(path);
    unlink(path);
  }
  std::unique_ptr<Model> model;
};

Model &model() {
  static Compiled compiled;
  return *compiled.model;
}

template <class T> graphc_tensor view(std::vector<T> &data) {
  static const int64_t shape[] = {kChunk};
  return {sizeof(T) == 4 ? GRAPHC_DTYPE_F32 : GRAPHC_DTYPE_F64, 1, shape,
          nullptr, data.data()};
}

/// |got - want| in units of the last place of T at `want`; 0 for what must be
/// equal and is (inf, NaN, signed zero), infinity where it is not.
template <class T> double ulps(T got, long double want) {
  T rounded = static_cast<T>(want);
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(got)) {
    // Next to the largest number either side of the edge is one unit off.
    if (got == rounded)
      return 0;
    T largest = std::numeric_limits<T>::max();
    return std::fabs(got) >= largest && std::fabs(rounded) >= largest
               ? 1
               : INFINITY;
  }
  int exponent = 0;
  std::frexp(want, &exponent);
  int lowest = std::numeric_limits<T>::min_exponent;
  long double unit = std::ldexp(1.0L, std::max(exponent, lowest) -
                                          std::numeric_limits<T>::digits);
  if (got == 0 && rounded == 0 && std::signbit(got) != std::signbit(rounded) &&
      want != 0)
    return std::fabs(static_cast<double>(want / unit));
  if (got == 0 && want == 0 && std::signbit(got) != std::signbit(want))
    return INFINITY;
  return static_cast<double>(std::fabs(got - want) / unit);
}

struct Worst {
  double ulp = 0, x = 0, y = 0;
  void add(double candidate, double atX, double atY = 0) {
    if (!(candidate <= ulp))
      ulp = candidate, x = atX, y = atY;
  }
};

TEST(MathSweep, EveryFunctionInF32) {
  std::vector<float> in(kChunk), out(kChunk);
  for (const Function &function : functions) {
    Worst worst;
    uint64_t next = 0;
    while (next < (uint64_t(1) << 32)) {
      for (float &x : in) {
        uint32_t bits =
            static_cast<uint32_t>(std::min<uint64_t>(next, UINT32_MAX));
        std::memcpy(&x, &bits, sizeof(x));
        next += 1009;
      }
      model().run(std::string(function.name) + "32", {view(in)}, {view(out)});
      for (int64_t k = 0; k < kChunk; ++k)
        worst.add(ulps(out[k], function.reference(in[k])), in[k]);
    }
    std::printf("%-6s f32 %.3f ulp at %.9g\n", function.name, worst.ulp,
                worst.x);
    EXPECT_LE(worst.ulp, function.maxUlp32)
        << function.name << " at " << worst.x;
  }
}

/// A stream of 64-bit numbers (an LCG's high bits, twice).
struct Stream {
  uint64_t state = 12345;
  uint32_t half() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 32);
  }
  double unit() { return half() * 0x1p-32 + half() * 0x1p-64; }
};

TEST(MathSweep, EveryFunctionInF64) {
  std::vector<double> in(kChunk), out(kChunk);
  Stream stream;
  for (const Function &function : functions) {
    Worst worst;
    for (int round = 0; round < 8; ++round) {
      // Wide and narrow in turn: logarithms are hardest around 1.
      double domain =
          round % 2 ? std::fmin(function.domain64, 4) : function.domain64;
      for (double &x : in) {
        // Half evenly over the domain, half over the exponents below it.
        double sign = stream.half() & 1 ? -1 : 1;
        x = sign * domain *
            (stream.half() & 1
                 ? stream.unit()
                 : std::ldexp(1 + stream.unit(),
                              -static_cast<int>(stream.half() % 60)));
      }
      in[0] = 0, in[1] = -0.0, in[2] = INFINITY, in[3] = -INFINITY, in[4] = NAN;
      in[5] = 5e-324, in[6] = -5e-324, in[7] = 1, in[8] = -1;
      model().run(std::string(function.name) + "64", {view(in)}, {view(out)});
      for (int64_t k = 0; k < kChunk; ++k)
        worst.add(ulps(out[k], function.reference(in[k])), in[k]);
    }
    std::printf("%-6s f64 %.3f ulp at %.17g\n", function.name, worst.ulp,
                worst.x);
    EXPECT_LE(worst.ulp, function.maxUlp64)
        << function.name << " at " << worst.x;
  }
}

TEST(MathSweep, AnglesOfAnySizeInF64) {
  std::vector<double> in(kChunk), out(kChunk);
  Stream stream;
  for (const Function &function : functions) {
    bool isSine = !std::strcmp(function.name, "sin");
    if (!isSine && std::strcmp(function.name, "cos"))
      continue;
    Worst worst;
    for (int round = 0; round < 8; ++round) {
      for (double &x : in) // Every exponent alike.
        x = std::ldexp(stream.unit() - 0.5,
                       static_cast<int>(stream.half() % 2046) - 1022);
      in[0] = std::numeric_limits<double>::max();
      model().run(std::string(function.name) + "64", {view(in)}, {view(out)});
      for (int64_t k = 0; k < kChunk; ++k)
        worst.add(ulps(out[k], function.reference(in[k])), in[k]);
    }
    std::printf("%-6s f64, any size, %.3f ulp at %.17g\n", function.name,
                worst.ulp, worst.x);
    EXPECT_LE(worst.ulp, function.maxUlp64)
        << function.name << " at " << worst.x;
  }
}

template <class T> void sweepRemainder(const char *name) {
  const double special[] = {0,        -0.0,      1,   -1,     3,     0.1,
                            INFINITY, -INFINITY, NAN, 5e-324, 1e300, -7};
  constexpr int count = sizeof(special) / sizeof(*special);
  std::vector<T> x(kChunk), y(kChunk), out(kChunk);
  Stream stream;
  int range = 2 * std::numeric_limits<T>::max_exponent - 4;
  int64_t wrong = 0;
  for (int round = 0; round < 4; ++round) {
    for (int64_t k = 0; k < kChunk; ++k) {
      auto draw = [&] {
        int exponent = static_cast<int>(stream.half() % range) - range / 2;
        return static_cast<T>(std::ldexp(stream.unit() - 0.5, exponent));
      };
      x[k] = draw(), y[k] = draw();
      if (round == 0 && k < count * count)
        x[k] = static_cast<T>(special[k / count]),
        y[k] = static_cast<T>(special[k % count]);
    }
    model().run(name, {view(x), view(y)}, {view(out)});
    for (int64_t k = 0; k < kChunk; ++k) {
      T want = std::fmod(x[k], y[k]);
      bool same = std::isnan(want) ? std::isnan(out[k])
                                   : out[k] == want && std::signbit(out[k]) ==
                                                           std::signbit(want);
      wrong += !same;
      if (!same && wrong < 5)
        ADD_FAILURE() << name << ": fmod(" << x[k] << ", " << y[k] << ") is "
                      << want << ", got " << out[k];
    }
  }
  EXPECT_EQ(wrong, 0) << name;
}

TEST(MathSweep, RemainderIsExact) {
  sweepRemainder<float>("rem32");
  sweepRemainder<double>("rem64");
}

template <class T> void sweepPow(const char *name, double bound) {
  const double special[] = {0,        -0.0,      1,   -1,  2,   -2,
                            0.5,      3,         -3,  1e9, 0.1, -0.1,
                            INFINITY, -INFINITY, NAN, 7,   -7,  2.5};
  constexpr int count = sizeof(special) / sizeof(*special);
  std::vector<T> x(kChunk), y(kChunk), out(kChunk);
  Stream stream;
  Worst worst;
  for (int round = 0; round < 8; ++round) {
    for (int64_t k = 0; k < kChunk; ++k) {
      x[k] = static_cast<T>(std::exp((stream.unit() - 0.5) * 40));
      y[k] =
          static_cast<T>((stream.unit() - 0.5) * (stream.half() & 1 ? 60 : 4));
      if (stream.half() % 8 == 0)
        x[k] = -x[k], y[k] = std::round(y[k]);
      if (round == 0 && k < count * count)
        x[k] = static_cast<T>(special[k / count]),
        y[k] = static_cast<T>(special[k % count]);
    }
    model().run(name, {view(x), view(y)}, {view(out)});
    for (int64_t k = 0; k < kChunk; ++k)
      worst.add(ulps(out[k], powl(x[k], y[k])), x[k], y[k]);
  }
  std::printf("%s %.3f ulp at %.17g, %.17g\n", name, worst.ulp, worst.x,
              worst.y);
  EXPECT_LE(worst.ulp, bound) << name << " at " << worst.x << ", " << worst.y;
}

TEST(MathSweep, PowWithItsSpecialCases) {
  sweepPow<float>("pow32", 1);
  sweepPow<double>("pow64", 8);
}

} // namespace
