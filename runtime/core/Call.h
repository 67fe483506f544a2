// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function with tensors bound to it.
#ifndef GRAPHC_RUNTIME_CORE_CALL_H
#define GRAPHC_RUNTIME_CORE_CALL_H

#include <vector>

#include "runtime/core/Model.h"
#include "runtime/core/Tensors.h"

namespace graphc::runtime {

class Call {
public:
  Call(Model &model, size_t function);

  /// The bind functions throw INVALID_ARGUMENT and change nothing then.
  void bindInput(size_t index, const graphc_tensor &tensor);
  void bindOutput(size_t index, const graphc_tensor &tensor);
  /// Binds memory of the call's own, or of another owner, of the right type.
  void bindOwnOutput(size_t index);
  void bindInputData(size_t index, void *data);
  void bindOutputData(size_t index, void *data);

  graphc_tensor output(size_t index) const;
  TensorName inputName(size_t index) const;
  TensorName outputName(size_t index) const;
  const graphc_abi_function &signature() const { return function; }
  Model &owner() const { return model; }

  /// Runs once, while the caller holds the model. Returns OUT_OF_RANGE or
  /// NUMERIC with the error noted; throws INVALID_ARGUMENT if something is not
  /// bound or overlaps.
  graphc_status run();

private:
  struct Binding {
    void *data = nullptr;
    bool isBound = false;
    AlignedBuffer own;
  };
  struct Range {
    uintptr_t begin, end;
    uint32_t index;
    bool isOutput;
  };

  void checkBindings();
  graphc_status report(const RunOutcome &outcome) const;

  Model &model;
  const size_t number;
  const graphc_abi_function &function;
  Program program;
  std::vector<Binding> inputs, outputs;
  std::vector<Range> ranges; // Room for checkBindings().
  bool isChecked = false;
};

/// A call with room to copy what cannot be used in place; graphc_model_run()
/// keeps one for each function.
class ConvenientCall {
public:
  ConvenientCall(Model &model, size_t function);
  /// As Call::run().
  graphc_status run(const graphc_tensor *inputs, const graphc_tensor *outputs,
                    size_t outputCount);

private:
  Call call;
  std::vector<AlignedBuffer> inputCopies, outputCopies;
};

/// Number of the function that `name` means for inputs of these types. Throws
/// NOT_FOUND, listing the sizes there are.
size_t chooseFunction(const Model &model, const char *name,
                      const graphc_tensor *inputs, size_t inputCount);

} // namespace graphc::runtime

struct graphc_call : graphc::runtime::Call {
  using Call::Call;
};

#endif // GRAPHC_RUNTIME_CORE_CALL_H
