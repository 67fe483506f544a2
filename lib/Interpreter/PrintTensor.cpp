// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Tensor.h"

#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

static void printFloat(llvm::raw_ostream &os, double value) {
  if (std::isnan(value)) {
    os << "nan";
    return;
  }
  if (std::isinf(value)) {
    os << (value < 0 ? "-inf" : "inf");
    return;
  }
  char text[32];
  auto end = std::to_chars(text, text + sizeof text, value).ptr;
  os << llvm::StringRef(text, end - text);
}

/// Shortest text that reads back, in `tensor`'s own type, to the element.
static void printElement(llvm::raw_ostream &os, const Tensor &tensor,
                         int64_t place) {
  if (!tensor.isFloat()) {
    if (tensor.kind() == ElementKind::I1)
      os << (tensor.ints[place] ? "true" : "false");
    else
      os << tensor.ints[place];
    return;
  }
  double value = tensor.floats[place];
  float narrow = static_cast<float>(value);
  if (tensor.kind() == ElementKind::F64 || narrow != value ||
      !std::isfinite(value)) {
    printFloat(os, value);
    return;
  }
  char text[32];
  auto end = std::to_chars(text, text + sizeof text, narrow).ptr;
  os << llvm::StringRef(text, end - text);
}

static void printDim(llvm::raw_ostream &os, const Tensor &tensor, int64_t dim,
                     int64_t base, int64_t edge) {
  if (dim == tensor.rank()) {
    printElement(os, tensor, base);
    return;
  }
  int64_t size = tensor.shape()[dim];
  int64_t stride = 1;
  for (int64_t inner : tensor.shape().drop_front(dim + 1))
    stride *= inner;
  os << "[";
  for (int64_t i = 0; i < size; ++i) {
    if (i)
      os << ", ";
    if (edge && size > 2 * edge && i == edge) {
      os << "..., ";
      i = size - edge;
    }
    printDim(os, tensor, dim + 1, base + i * stride, edge);
  }
  os << "]";
}

void printTensor(llvm::raw_ostream &os, const Tensor &tensor,
                 const PrintOptions &options) {
  int64_t edge = tensor.size() > options.maxElements ? 3 : 0;
  tensor.type.print(os);
  os << " ";
  printDim(os, tensor, 0, 0, edge);
}

} // namespace graphc::interpreter
