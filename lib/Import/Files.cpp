// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Files.h"

#include "dialects/Graph/IR/Graph.h"
#include "graphc/data.h"
#include "lib/Support/Dtype/Dtype.h"

#include "llvm/Support/Path.h"

#include <memory>

using namespace mlir;

namespace graphc {

/// Whether `path` names something below the folder it is taken against.
static bool staysBelow(StringRef path) {
  if (path.empty() || path.contains('\0') || llvm::sys::path::is_absolute(path))
    return false;
  return llvm::none_of(llvm::make_range(llvm::sys::path::begin(path),
                                        llvm::sys::path::end(path)),
                       [](StringRef part) { return part == ".."; });
}

static LogicalResult readFile(graph::VariableOp variable, StringRef path,
                              StringRef folder) {
  if (!staysBelow(path))
    return variable.emitError("expects a relative path without '..', but got '")
           << path << "'";
  SmallString<256> full(folder.empty() ? "." : folder);
  llvm::sys::path::append(full, path);
  graphc_array *raw = nullptr;
  if (graphc_npy_read(full.c_str(), &raw) != GRAPHC_OK)
    return variable.emitError() << graphc_error_message();
  std::unique_ptr<graphc_array, void (*)(graphc_array *)> array(
      raw, graphc_array_destroy);
  graphc_tensor tensor = graphc_array_tensor(raw);

  RankedTensorType type = variable.getTensorType();
  ArrayRef<int64_t> shape(tensor.shape, tensor.rank);
  if (tensor.dtype != toDtype(type.getElementType()) ||
      shape != type.getShape())
    return variable.emitError("expects elements of type ")
           << type << " in '" << path << "', but got "
           << graphc_dtype_name(tensor.dtype) << " of shape [" << shape << "]";
  size_t bytes = type.getNumElements() * graphc_dtype_bytes(tensor.dtype);
  auto *data = static_cast<const char *>(tensor.data);
  DenseElementsAttr elements;
  if (type.getElementType().isInteger(1)) {
    // MLIR packs i1 into bits; a file has bytes.
    SmallVector<bool> flags(data, data + bytes);
    elements = DenseElementsAttr::get(type, ArrayRef<bool>(flags));
  } else {
    elements = DenseElementsAttr::getFromRawBuffer(type, {data, bytes});
  }
  variable.setInitialValueAttr(elements);
  return success();
}

LogicalResult readFiles(ModuleOp module, StringRef folder) {
  for (auto variable : module.getOps<graph::VariableOp>())
    if (auto file = dyn_cast<graph::FileAttr>(variable.getInitialValue());
        file && failed(readFile(variable, file.getPath(), folder)))
      return failure();
  return success();
}

} // namespace graphc
