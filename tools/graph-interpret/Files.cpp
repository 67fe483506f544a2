// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/graph-interpret/Files.h"

#include "lib/Support/Dtype/Dtype.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace graphc::interpreter {

/// How an array holds `tensor`.
static graphc_dtype getDtype(const Tensor &tensor, Mode mode) {
  return mode == Mode::F64 && tensor.isFloat()
             ? GRAPHC_DTYPE_F64
             : toDtype(tensor.type.getElementType());
}

static bool isFloatDtype(graphc_dtype dtype) {
  return dtype == GRAPHC_DTYPE_F64 || dtype == GRAPHC_DTYPE_F32 ||
         dtype == GRAPHC_DTYPE_F16 || dtype == GRAPHC_DTYPE_BF16;
}

/// Prints the message of the data library's last failure.
static LogicalResult reportFailure() {
  llvm::errs() << "error: " << graphc_error_message() << "\n";
  return failure();
}

FailureOr<Tensor> toTensor(const graphc_tensor &array, RankedTensorType type,
                           Mode mode, StringRef what) {
  Tensor tensor(type);
  ArrayRef<int64_t> shape(array.shape, array.rank);
  bool sameType =
      array.dtype == getDtype(tensor, Mode::Declared) ||
      (mode == Mode::F64 && tensor.isFloat() && isFloatDtype(array.dtype));
  if (!sameType || shape != type.getShape()) {
    llvm::errs() << "error: " << what << ": expects " << type << ", but got [";
    llvm::interleaveComma(shape, llvm::errs());
    llvm::errs() << "] of " << graphc_dtype_name(array.dtype) << "\n";
    return failure();
  }
  graphc_array *wide;
  if (graphc_array_convert(
          &array, tensor.isFloat() ? GRAPHC_DTYPE_F64 : GRAPHC_DTYPE_I64,
          &wide) != GRAPHC_OK)
    return reportFailure();
  Array owner(wide);
  const void *data = graphc_array_tensor(wide).data;
  if (tensor.isFloat())
    std::copy_n(static_cast<const double *>(data), tensor.size(),
                tensor.floats.begin());
  else
    std::copy_n(static_cast<const int64_t *>(data), tensor.size(),
                tensor.ints.begin());
  return tensor;
}

/// Converts to the declared element type, which holds the values exactly.
static FailureOr<Array> fromTensor(const Tensor &tensor, Mode mode) {
  graphc_tensor wide = {};
  wide.dtype = tensor.isFloat() ? GRAPHC_DTYPE_F64 : GRAPHC_DTYPE_I64;
  wide.rank = static_cast<uint32_t>(tensor.rank());
  wide.shape = tensor.shape().data();
  wide.data =
      tensor.isFloat()
          ? static_cast<void *>(const_cast<double *>(tensor.floats.data()))
          : static_cast<void *>(const_cast<int64_t *>(tensor.ints.data()));
  graphc_array *array;
  if (graphc_array_convert(&wide, getDtype(tensor, mode), &array) != GRAPHC_OK)
    return reportFailure();
  return Array(array);
}

FailureOr<Tensor> readNpy(const std::string &path, RankedTensorType type,
                          Mode mode) {
  graphc_array *array;
  if (graphc_npy_read(path.c_str(), &array) != GRAPHC_OK)
    return reportFailure();
  Array owner(array);
  return toTensor(graphc_array_tensor(array), type, mode, path);
}

LogicalResult writeNpy(const std::string &path, const Tensor &tensor,
                       Mode mode) {
  FailureOr<Array> array = fromTensor(tensor, mode);
  if (failed(array))
    return failure();
  graphc_tensor view = graphc_array_tensor(array->get());
  if (graphc_npy_write(path.c_str(), &view) != GRAPHC_OK)
    return reportFailure();
  return success();
}

LogicalResult readState(const std::string &path, Interpreter &interpreter,
                        Mode mode) {
  graphc_safetensors *file;
  if (graphc_safetensors_open(path.c_str(), &file) != GRAPHC_OK)
    return reportFailure();
  std::unique_ptr<graphc_safetensors, void (*)(graphc_safetensors *)> owner(
      file, graphc_safetensors_close);
  SymbolTable symbols(interpreter.getModule());
  for (size_t i = 0; i < graphc_safetensors_count(file); ++i) {
    graphc_value_info info = {};
    info.struct_bytes = sizeof info;
    graphc_array *array;
    if (graphc_safetensors_describe(file, i, &info) != GRAPHC_OK ||
        graphc_safetensors_read(file, i, &array) != GRAPHC_OK)
      return reportFailure();
    Array arrayOwner(array);
    auto variable = symbols.lookup<graph::VariableOp>(info.name);
    if (!variable) {
      llvm::errs() << "error: " << path << ": holds '" << info.name
                   << "', which is not a variable of the model\n";
      return failure();
    }
    FailureOr<Tensor> value =
        toTensor(graphc_array_tensor(array), variable.getTensorType(), mode,
                 path + ": " + info.name);
    if (failed(value) ||
        failed(interpreter.setVariable(info.name, std::move(*value))))
      return failure();
  }
  return success();
}

LogicalResult writeState(const std::string &path,
                         const Interpreter &interpreter, Mode mode) {
  std::vector<Array> arrays;
  std::vector<std::string> names;
  ModuleOp module = interpreter.getModule();
  for (auto variable : module.getOps<graph::VariableOp>()) {
    const Tensor *value = interpreter.getVariable(variable.getSymName());
    if (!value)
      continue;
    FailureOr<Array> array = fromTensor(*value, mode);
    if (failed(array))
      return failure();
    arrays.push_back(std::move(*array));
    names.push_back(variable.getSymName().str());
  }
  std::vector<graphc_named_tensor> tensors;
  for (auto [name, array] : llvm::zip_equal(names, arrays))
    tensors.push_back({name.c_str(), graphc_array_tensor(array.get())});
  if (graphc_safetensors_write(path.c_str(), tensors.data(), tensors.size(),
                               nullptr, 0) != GRAPHC_OK)
    return reportFailure();
  return success();
}

} // namespace graphc::interpreter
