// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// append-trailer <image> <model.so>: turns a shared library into a model file.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "graphc/abi/trailer.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: append-trailer <image> <model.so>\n");
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  std::string image((std::istreambuf_iterator<char>(in)), {});
  auto trailer = graphc::abi::makeTrailer(image.data(), image.size());
  std::ofstream out(argv[2], std::ios::binary);
  out.write(image.data(), static_cast<std::streamsize>(image.size()));
  out.write(reinterpret_cast<const char *>(trailer.data()), trailer.size());
  out.close();
  if (in.bad() || image.empty() || !out) {
    std::fprintf(stderr, "append-trailer: cannot write '%s'\n", argv[2]);
    return 1;
  }
  return 0;
}
