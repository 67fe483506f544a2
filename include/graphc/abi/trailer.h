// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ only. Writes and checks the trailer of a model.so: shared by the
// packager, the loader and tests. Header-only, because the first two share no
// library.
#ifndef GRAPHC_ABI_TRAILER_H
#define GRAPHC_ABI_TRAILER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "graphc/abi/model_abi.h"

namespace graphc::abi {

/// SHA-256 (FIPS 180-4) of a byte stream.
class Sha256 {
public:
  using Digest = std::array<uint8_t, 32>;

  void update(const void *data, size_t bytes) {
    const auto *next = static_cast<const uint8_t *>(data);
    totalBytes += bytes;
    if (filled != 0) {
      size_t part = bytes < 64 - filled ? bytes : 64 - filled;
      std::memcpy(block + filled, next, part);
      filled += part;
      next += part;
      bytes -= part;
      if (filled < 64)
        return;
      compress(block);
      filled = 0;
    }
    for (; bytes >= 64; next += 64, bytes -= 64)
      compress(next);
    if (bytes != 0)
      std::memcpy(block, next, bytes);
    filled = bytes;
  }

  /// Ends the stream; the object is then used up.
  Digest finish() {
    uint64_t bits = totalBytes * 8;
    const uint8_t one = 0x80, zero = 0;
    update(&one, 1);
    while (filled != 56)
      update(&zero, 1);
    uint8_t length[8];
    for (int i = 0; i < 8; ++i)
      length[i] = static_cast<uint8_t>(bits >> (56 - 8 * i));
    update(length, 8);
    Digest digest;
    for (int i = 0; i < 32; ++i)
      digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
  }

private:
  static uint32_t rotate(uint32_t x, int by) {
    return (x >> by) | (x << (32 - by));
  }

  void compress(const uint8_t *data) {
    // Fractional parts of the cube roots of the first 64 primes.
    static constexpr uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
        0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
        0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
        0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
        0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
        0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
        0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
        0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64];
    for (int i = 0; i < 16; ++i)
      w[i] = uint32_t{data[4 * i]} << 24 | uint32_t{data[4 * i + 1]} << 16 |
             uint32_t{data[4 * i + 2]} << 8 | uint32_t{data[4 * i + 3]};
    for (int i = 16; i < 64; ++i) {
      uint32_t s0 =
          rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
      uint32_t s1 =
          rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; ++i) {
      uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + k[i] + w[i];
      uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    const uint32_t next[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; ++i)
      state[i] += next[i];
  }

  // Fractional parts of the square roots of the first 8 primes.
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint64_t totalBytes = 0;
  size_t filled = 0;
  uint8_t block[64];
};

using TrailerBytes = std::array<uint8_t, GRAPHC_ABI_TRAILER_BYTES>;

inline uint64_t fnv1a(const uint8_t *data, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ data[i]) * 0x100000001b3u;
  return hash;
}

namespace detail {
inline void putLittleEndian(uint8_t *to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    to[i] = static_cast<uint8_t>(value >> (8 * i));
}
inline uint64_t getLittleEndian(const uint8_t *from, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= uint64_t{from[i]} << (8 * i);
  return value;
}
inline constexpr size_t checkOffset = 56;
} // namespace detail

/// What follows an ELF image of `imageBytes` bytes with the given hash.
inline TrailerBytes encodeTrailer(const Sha256::Digest &digest,
                                  uint64_t imageBytes) {
  TrailerBytes out = {};
  std::memcpy(out.data(), GRAPHC_ABI_TRAILER_MAGIC, 8);
  detail::putLittleEndian(out.data() + 8, GRAPHC_ABI_MAJOR, 4);
  detail::putLittleEndian(out.data() + 12, GRAPHC_ABI_MINOR, 4);
  detail::putLittleEndian(out.data() + 16, imageBytes, 8);
  std::memcpy(out.data() + 24, digest.data(), digest.size());
  detail::putLittleEndian(out.data() + detail::checkOffset,
                          fnv1a(out.data(), detail::checkOffset), 8);
  return out;
}

/// Trailer of a whole image in memory.
inline TrailerBytes makeTrailer(const void *image, uint64_t imageBytes) {
  Sha256 hash;
  hash.update(image, imageBytes);
  return encodeTrailer(hash.finish(), imageBytes);
}

/// The fields of a trailer, or false if it is none or is damaged.
inline bool decodeTrailer(const TrailerBytes &bytes, graphc_abi_trailer &out) {
  if (std::memcmp(bytes.data(), GRAPHC_ABI_TRAILER_MAGIC, 8) != 0)
    return false;
  uint64_t check =
      detail::getLittleEndian(bytes.data() + detail::checkOffset, 8);
  if (check != fnv1a(bytes.data(), detail::checkOffset))
    return false;
  std::memcpy(out.magic, bytes.data(), 8);
  out.abi_major =
      static_cast<uint32_t>(detail::getLittleEndian(bytes.data() + 8, 4));
  out.abi_minor =
      static_cast<uint32_t>(detail::getLittleEndian(bytes.data() + 12, 4));
  out.image_bytes = detail::getLittleEndian(bytes.data() + 16, 8);
  std::memcpy(out.sha256, bytes.data() + 24, 32);
  out.check = check;
  return true;
}

} // namespace graphc::abi

#endif // GRAPHC_ABI_TRAILER_H
