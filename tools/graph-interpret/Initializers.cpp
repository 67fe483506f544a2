// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initial values that need the runtime's generator or a file.

#include "lib/Support/Dtype/Dtype.h"
#include "tools/graph-interpret/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace graphc::interpreter {

/// An array of zeros of `type`.
static Array makeArray(RankedTensorType type) {
  graphc_array *array = nullptr;
  graphc_array_create(toDtype(type.getElementType()),
                      static_cast<uint32_t>(type.getRank()),
                      type.getShape().data(), &array);
  return Array(array);
}

static void setRowToZero(Tensor &tensor, int64_t row) {
  size_t width = tensor.floats.size() / tensor.shape().front();
  std::fill_n(tensor.floats.begin() + row * width, width, 0.0);
}

Initializer makeInitializer(uint64_t seed, std::string folder) {
  graphc_generator *created = nullptr;
  graphc_generator_create(seed, &created);
  std::shared_ptr<graphc_generator> generator(created,
                                              graphc_generator_destroy);
  return [=](graph::VariableOp variable) -> FailureOr<Tensor> {
    Attribute init = variable.getInitialValue();
    RankedTensorType type = variable.getTensorType();
    if (auto file = dyn_cast<graph::FileAttr>(init)) {
      llvm::SmallString<128> path(folder);
      llvm::sys::path::append(path, file.getPath());
      return readNpy(path.str().str(), type, Mode::Declared);
    }
    Array array = makeArray(type);
    graphc_status status = GRAPHC_INTERNAL;
    if (array && generator) {
      graphc_tensor view = graphc_array_tensor(array.get());
      if (auto uniform = dyn_cast<graph::UniformAttr>(init))
        status = graphc_generator_uniform(generator.get(), &view,
                                          uniform.getLow(), uniform.getHigh());
      else if (auto normal = dyn_cast<graph::NormalAttr>(init))
        status = graphc_generator_normal(generator.get(), &view,
                                         normal.getMean(), normal.getStd());
    }
    if (status != GRAPHC_OK)
      return variable.emitOpError("cannot be drawn: ")
             << graphc_error_message();
    FailureOr<Tensor> tensor = toTensor(graphc_array_tensor(array.get()), type,
                                        Mode::Declared, variable.getSymName());
    if (auto normal = dyn_cast<graph::NormalAttr>(init);
        normal && normal.getZeroRow() && succeeded(tensor))
      setRowToZero(*tensor, *normal.getZeroRow());
    return tensor;
  };
}

} // namespace graphc::interpreter
