// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What generated kernels are written in: vectors of a few lanes, arithmetic
// with the meaning of MLIR's arith and math ops, memory, and the exchange of
// values between the threads of a group. No other header is needed; where
// __CUDACC_RTC__ is not defined, an emulator has defined CUDA's own names
// (__global__, threadIdx, __shfl_sync, ...) before.
#ifndef GC_PRELUDE_CUH
#define GC_PRELUDE_CUH

#ifdef __CUDACC_RTC__
#define GC_FN __device__ __forceinline__
#define GC_SHARED(type, name, count) __shared__ alignas(16) type name[count]
#define GC_TABLE static __device__ const
#define GC_CHECK_ALIGNED(pointer, bytes)
#endif

namespace gc {

template <typename T, int N> struct vec {
  T x[N];
};

// The bits of a small float; arithmetic is on float and double only.
struct half {
  unsigned short bits;
};
struct bfloat16 {
  unsigned short bits;
};

//===-- Types ---------------------------------------------------------------===//

template <typename T> struct unsigned_of;
template <> struct unsigned_of<bool> {
  using type = bool;
};
template <> struct unsigned_of<signed char> {
  using type = unsigned char;
};
template <> struct unsigned_of<short> {
  using type = unsigned short;
};
template <> struct unsigned_of<int> {
  using type = unsigned;
};
template <> struct unsigned_of<long long> {
  using type = unsigned long long;
};
template <> struct unsigned_of<float> {
  using type = unsigned;
};
template <> struct unsigned_of<double> {
  using type = unsigned long long;
};
template <typename T> using unsigned_t = typename unsigned_of<T>::type;

template <bool B, typename T = void> struct when {};
template <typename T> struct when<true, T> {
  using type = T;
};
template <typename T> constexpr bool is_float = false;
template <> constexpr bool is_float<float> = true;
template <> constexpr bool is_float<double> = true;

//===-- Vectors -------------------------------------------------------------===//

template <typename T, int N> GC_FN vec<T, N> splat(T value) {
  vec<T, N> r;
#pragma unroll
  for (int k = 0; k < N; ++k)
    r.x[k] = value;
  return r;
}

template <int Offset, int M, typename T, int N>
GC_FN vec<T, M> slice(const vec<T, N> &a) {
  vec<T, M> r;
#pragma unroll
  for (int k = 0; k < M; ++k)
    r.x[k] = a.x[Offset + k];
  return r;
}

// The first `count` lanes.
template <int N> GC_FN vec<bool, N> prefix(long long count) {
  vec<bool, N> r;
#pragma unroll
  for (int k = 0; k < N; ++k)
    r.x[k] = k < count;
  return r;
}

// A function of scalars, lane by lane.
#define GC_LIFT1(name)                                                         \
  template <typename T, int N>                                                 \
  GC_FN auto name(const vec<T, N> &a) -> vec<decltype(name(a.x[0])), N> {      \
    vec<decltype(name(a.x[0])), N> r;                                          \
    _Pragma("unroll") for (int k = 0; k < N; ++k) r.x[k] = name(a.x[k]);       \
    return r;                                                                  \
  }
#define GC_LIFT2(name)                                                         \
  template <typename T, int N>                                                 \
  GC_FN auto name(const vec<T, N> &a, const vec<T, N> &b)                      \
      -> vec<decltype(name(a.x[0], b.x[0])), N> {                              \
    vec<decltype(name(a.x[0], b.x[0])), N> r;                                  \
    _Pragma("unroll") for (int k = 0; k < N; ++k) r.x[k] =                     \
        name(a.x[k], b.x[k]);                                                  \
    return r;                                                                  \
  }

//===-- Bits ----------------------------------------------------------------===//

template <typename To, typename From> GC_FN To bitcast(From value) {
  static_assert(sizeof(To) == sizeof(From), "as many bits");
  To r;
  memcpy(&r, &value, sizeof r);
  return r;
}
template <typename To, typename From, int N>
GC_FN vec<To, N> bitcast(const vec<From, N> &a) {
  vec<To, N> r;
#pragma unroll
  for (int k = 0; k < N; ++k)
    r.x[k] = bitcast<To>(a.x[k]);
  return r;
}

//===-- Integers: modulo 2^n -------------------------------------------------===//

#define GC_INTEGER2(name, expression)                                          \
  template <typename T, typename = typename when<!is_float<T>>::type,          \
            typename U = unsigned_t<T>>                                        \
  GC_FN T name(T a, T b) {                                                     \
    return T(expression);                                                      \
  }
#define GC_FLOAT2(name, expression)                                            \
  GC_FN float name(float a, float b) { return expression; }                    \
  GC_FN double name(double a, double b) { return expression; }
#define GC_LIFTED_INTEGER2(name, expression)                                   \
  GC_INTEGER2(name, expression) GC_LIFT2(name)

GC_INTEGER2(add, U(U(a) + U(b)))
GC_FLOAT2(add, a + b)
GC_LIFT2(add)
GC_INTEGER2(sub, U(U(a) - U(b)))
GC_FLOAT2(sub, a - b)
GC_LIFT2(sub)
// Small types would be multiplied as int, which has an overflow.
GC_INTEGER2(mul, U((U(a) + 0u) * (U(b) + 0u)))
GC_FLOAT2(mul, a *b)
GC_LIFT2(mul)
GC_FLOAT2(div, a / b)
GC_LIFT2(div)
GC_LIFTED_INTEGER2(divs, a / b)
GC_LIFTED_INTEGER2(rems, a % b)
GC_LIFTED_INTEGER2(divu, U(a) / U(b))
GC_LIFTED_INTEGER2(remu, U(a) % U(b))
GC_LIFTED_INTEGER2(bit_and, U(a) & U(b))
GC_LIFTED_INTEGER2(bit_or, U(a) | U(b))
GC_LIFTED_INTEGER2(bit_xor, U(a) ^ U(b))
GC_LIFTED_INTEGER2(shl, U(U(a) << U(b)))
GC_LIFTED_INTEGER2(shru, U(a) >> U(b))
GC_LIFTED_INTEGER2(shrs, a >> U(b))
GC_LIFTED_INTEGER2(maxs, a > b ? a : b)
GC_LIFTED_INTEGER2(mins, a < b ? a : b)
GC_LIFTED_INTEGER2(maxu, U(a) > U(b) ? a : b)
GC_LIFTED_INTEGER2(minu, U(a) < U(b) ? a : b)

// The upper half of a product of unsigned numbers.
GC_FN int mulhu(int a, int b) {
  return int((unsigned long long)(unsigned)a * (unsigned)b >> 32);
}
GC_FN long long mulhu(long long a, long long b) {
  using U = unsigned long long;
  U a0 = U(a) & 0xffffffffu, a1 = U(a) >> 32;
  U b0 = U(b) & 0xffffffffu, b1 = U(b) >> 32;
  U middle = a1 * b0 + (a0 * b0 >> 32);
  U other = a0 * b1 + (middle & 0xffffffffu);
  return (long long)(a1 * b1 + (middle >> 32) + (other >> 32));
}
GC_LIFT2(mulhu)

#define GC_COMPARE(name, expression)                                           \
  template <typename T, typename U = unsigned_t<T>>                            \
  GC_FN bool is_##name(T a, T b) {                                             \
    return expression;                                                         \
  }                                                                            \
  GC_LIFT2(is_##name)

GC_COMPARE(eq, a == b)
GC_COMPARE(ne, a != b)
GC_COMPARE(slt, a < b)
GC_COMPARE(sle, a <= b)
GC_COMPARE(sgt, a > b)
GC_COMPARE(sge, a >= b)
GC_COMPARE(ult, U(a) < U(b))
GC_COMPARE(ule, U(a) <= U(b))
GC_COMPARE(ugt, U(a) > U(b))
GC_COMPARE(uge, U(a) >= U(b))

//===-- Floats --------------------------------------------------------------===//

GC_COMPARE(oeq, a == b)
GC_COMPARE(ogt, a > b)
GC_COMPARE(oge, a >= b)
GC_COMPARE(olt, a < b)
GC_COMPARE(ole, a <= b)
GC_COMPARE(one, a<b || a> b)
GC_COMPARE(ord, a == a && b == b)
GC_COMPARE(ueq, !(a < b || a > b))
GC_COMPARE(une, !(a == b))
GC_COMPARE(uno, a != a || b != b)

GC_FN float neg(float a) { return -a; }
GC_FN double neg(double a) { return -a; }
GC_LIFT1(neg)
GC_FN float abs(float a) { return fabsf(a); }
GC_FN double abs(double a) { return fabs(a); }
GC_LIFT1(abs)
GC_FN float floor(float a) { return floorf(a); }
GC_FN double floor(double a) { return ::floor(a); }
GC_LIFT1(floor)
GC_FN float ceil(float a) { return ceilf(a); }
GC_FN double ceil(double a) { return ::ceil(a); }
GC_LIFT1(ceil)
GC_FN float round_even(float a) { return rintf(a); }
GC_FN double round_even(double a) { return rint(a); }
GC_LIFT1(round_even)
GC_FN float sqrt(float a) { return sqrtf(a); }
GC_FN double sqrt(double a) { return ::sqrt(a); }
GC_LIFT1(sqrt)
GC_FN float copysign(float a, float b) { return copysignf(a, b); }
GC_FN double copysign(double a, double b) { return ::copysign(a, b); }
GC_LIFT2(copysign)

// NaN if either is; -0 is less than 0.
template <typename T, typename = typename when<is_float<T>>::type>
GC_FN T maximum(T a, T b) {
  using U = unsigned_t<T>;
  T larger = a > b ? a : b > a ? b : a + b;
  return a == b ? bitcast<T>(U(bitcast<U>(a) & bitcast<U>(b))) : larger;
}
template <typename T, typename = typename when<is_float<T>>::type>
GC_FN T minimum(T a, T b) {
  using U = unsigned_t<T>;
  T smaller = a < b ? a : b < a ? b : a + b;
  return a == b ? bitcast<T>(U(bitcast<U>(a) | bitcast<U>(b))) : smaller;
}
GC_LIFT2(maximum)
GC_LIFT2(minimum)

// Rounded once.
GC_FN float fma(float a, float b, float c) { return fmaf(a, b, c); }
GC_FN double fma(double a, double b, double c) { return ::fma(a, b, c); }
template <typename T, int N>
GC_FN vec<T, N> fma(const vec<T, N> &a, const vec<T, N> &b,
                    const vec<T, N> &c) {
  vec<T, N> r;
#pragma unroll
  for (int k = 0; k < N; ++k)
    r.x[k] = fma(a.x[k], b.x[k], c.x[k]);
  return r;
}

template <typename T> GC_FN T select(bool condition, T a, T b) {
  return condition ? a : b;
}
template <typename T, int N>
GC_FN vec<T, N> select(const vec<bool, N> &condition, const vec<T, N> &a,
                       const vec<T, N> &b) {
  vec<T, N> r;
#pragma unroll
  for (int k = 0; k < N; ++k)
    r.x[k] = condition.x[k] ? a.x[k] : b.x[k];
  return r;
}

//===-- Conversions ---------------------------------------------------------===//

// To the nearest float whose last bit is 1, unless exact: what has fewer bits
// is then rounded as from the double.
GC_FN float round_to_odd(double a) {
  float near = float(a);
  if (a != a || double(near) == a)
    return near;
  unsigned bits = bitcast<unsigned>(near);
  double magnitude = a < 0 ? -a : a;
  if (double(near < 0 ? -near : near) > magnitude)
    --bits;
  return bitcast<float>(bits | 1u);
}

// Ties to even. Any NaN becomes a quiet one.
GC_FN bfloat16 to_bfloat16(float a) {
  unsigned bits = bitcast<unsigned>(a);
  if (a != a)
    return {(unsigned short)(bits >> 16 | 0x40u)};
  return {(unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

#ifdef __CUDACC_RTC__
GC_FN half to_half(float a) {
  half r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r.bits) : "f"(a));
  return r;
}
GC_FN float from_half(half a) {
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(a.bits));
  return r;
}
#else
GC_FN half to_half(float a) { return bitcast<half>((_Float16)a); }
GC_FN float from_half(half a) { return (float)bitcast<_Float16>(a); }
#endif

template <typename To, typename From> struct float_cast;
template <> struct float_cast<double, float> {
  GC_FN static double of(float a) { return a; }
};
template <> struct float_cast<float, double> {
  GC_FN static float of(double a) { return float(a); }
};
template <> struct float_cast<float, bfloat16> {
  GC_FN static float of(bfloat16 a) {
    return bitcast<float>((unsigned)a.bits << 16);
  }
};
template <> struct float_cast<float, half> {
  GC_FN static float of(half a) { return from_half(a); }
};
template <> struct float_cast<bfloat16, float> {
  GC_FN static bfloat16 of(float a) { return to_bfloat16(a); }
};
template <> struct float_cast<half, float> {
  GC_FN static half of(float a) { return to_half(a); }
};
template <> struct float_cast<bfloat16, double> {
  GC_FN static bfloat16 of(double a) { return to_bfloat16(round_to_odd(a)); }
};
template <> struct float_cast<half, double> {
  GC_FN static half of(double a) { return to_half(round_to_odd(a)); }
};
template <> struct float_cast<double, half> {
  GC_FN static double of(half a) { return from_half(a); }
};
template <> struct float_cast<double, bfloat16> {
  GC_FN static double of(bfloat16 a) {
    return bitcast<float>((unsigned)a.bits << 16);
  }
};

#define GC_CONVERT(name, expression)                                           \
  template <typename To, typename From> GC_FN To name(From a) {                \
    return expression;                                                         \
  }                                                                            \
  template <typename To, typename From, int N>                                 \
  GC_FN vec<To, N> name(const vec<From, N> &a) {                               \
    vec<To, N> r;                                                              \
    _Pragma("unroll") for (int k = 0; k < N; ++k) r.x[k] = name<To>(a.x[k]);   \
    return r;                                                                  \
  }

GC_CONVERT(extf, (float_cast<To, From>::of(a)))
GC_CONVERT(truncf, (float_cast<To, From>::of(a)))

// To a bool goes the lowest bit, and true is -1 as a signed number.
template <typename To, typename From> struct integer_cast {
  GC_FN static To of(From a) { return To(a); }
};
template <typename From> struct integer_cast<bool, From> {
  GC_FN static bool of(From a) { return a & 1; }
};
template <typename To> struct integer_cast<To, bool> {
  GC_FN static To of(bool a) { return To(-int(a)); }
};
GC_CONVERT(resize, (integer_cast<To, From>::of(a)))
GC_CONVERT(resizeu, To(unsigned_t<From>(a)))
GC_CONVERT(sitofp, To(a))
GC_CONVERT(uitofp, To(unsigned_t<From>(a)))
GC_CONVERT(fptosi, To(a))

//===-- Memory --------------------------------------------------------------===//

template <int Bytes> struct chunk_of;
template <> struct chunk_of<1> {
  using type = unsigned char;
};
template <> struct chunk_of<2> {
  using type = unsigned short;
};
template <> struct chunk_of<4> {
  using type = unsigned;
};
template <> struct chunk_of<8> {
  struct alignas(8) type {
    unsigned x, y;
  };
};
template <> struct chunk_of<16> {
  struct alignas(16) type {
    unsigned x, y, z, w;
  };
};

// N elements from where addresses are multiples of `Bytes`.
template <int N, int Bytes, typename T> GC_FN vec<T, N> load(const T *from) {
  using chunk = typename chunk_of<Bytes>::type;
  constexpr int each = Bytes / sizeof(T);
  GC_CHECK_ALIGNED(from, Bytes);
  vec<T, N> r;
#pragma unroll
  for (int k = 0; k < N / each; ++k) {
    chunk part = *(const chunk *)(from + k * each);
    memcpy(&r.x[k * each], &part, Bytes);
  }
  return r;
}

template <int N, int Bytes, typename T>
GC_FN void store(T *to, const vec<T, N> &values) {
  using chunk = typename chunk_of<Bytes>::type;
  constexpr int each = Bytes / sizeof(T);
  GC_CHECK_ALIGNED(to, Bytes);
#pragma unroll
  for (int k = 0; k < N / each; ++k) {
    chunk part;
    memcpy(&part, &values.x[k * each], Bytes);
    *(chunk *)(to + k * each) = part;
  }
}

template <int N> GC_FN bool all(const vec<bool, N> &a) {
  bool r = true;
#pragma unroll
  for (int k = 0; k < N; ++k)
    r = r && a.x[k];
  return r;
}

template <int N, int Bytes, typename T>
GC_FN vec<T, N> load_masked(const T *from, const vec<bool, N> &mask,
                            const vec<T, N> &otherwise) {
  if (all(mask))
    return load<N, Bytes>(from);
  vec<T, N> r;
#pragma unroll
  for (int k = 0; k < N; ++k)
    r.x[k] = mask.x[k] ? from[k] : otherwise.x[k];
  return r;
}

template <int N, int Bytes, typename T>
GC_FN void store_masked(T *to, const vec<bool, N> &mask,
                        const vec<T, N> &values) {
  if (all(mask))
    return store<N, Bytes>(to, values);
#pragma unroll
  for (int k = 0; k < N; ++k)
    if (mask.x[k])
      to[k] = values.x[k];
}

//===-- Groups of `Width` threads, neighbours in a warp ------------------------===//

template <int Width> GC_FN unsigned group_mask() {
  unsigned ones = Width == 32 ? 0xffffffffu : (1u << Width % 32) - 1u;
  return ones << (threadIdx.x & (31u & ~(Width - 1u)));
}
template <int Width, typename T> GC_FN T shuffle_xor(T value, int with) {
  return __shfl_xor_sync(group_mask<Width>(), value, with, Width);
}
template <int Width, typename T> GC_FN T shuffle_from(T value, int thread) {
  return __shfl_sync(group_mask<Width>(), value, thread, Width);
}

} // namespace gc

#endif // GC_PRELUDE_CUH
