// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and their symbols: the other half of graphc/compiler.h.
#include "lib/CAPI/Convert.h"
#include "lib/Driver/Compile.h"
#include "lib/Driver/LargeStack.h"
#include "lib/Driver/ReadModel.h"
#include "lib/Driver/WriteFile.h"
#include "lib/Trace/Diagnostics.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cstring>

using namespace graphc::capi;
using graphc::trace::isPlainName;

graphc_status graphc_module_create(const char *name,
                                   graphc_module **out_module) {
  if (!name || !out_module)
    return missing("a name and room for the module");
  if (!isPlainName(name))
    return fail(GRAPHC_INVALID_ARGUMENT,
                std::string("expects a name of letters, digits, '_', '.' and "
                            "'$', but got '") +
                    name + "'");
  *out_module = new graphc_module(name);
  return GRAPHC_OK;
}

static graphc_status noThread() {
  return fail(GRAPHC_OUT_OF_MEMORY,
              "cannot start the compiler's thread, with a stack of " +
                  std::to_string(graphc::kLargeStackBytes >> 20) + " MiB");
}

static void addText(llvm::SourceMgr &sources, llvm::StringRef text,
                    llvm::StringRef name) {
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                             llvm::SMLoc());
}

graphc_status graphc_module_read(const char *text, size_t text_bytes,
                                 const char *file_name,
                                 graphc_module **out_module) {
  if (!text || !file_name || !out_module)
    return missing("a text, a file name and room for the module");
  auto module = std::make_unique<graphc_module>("model");
  mlir::MLIRContext &context = module->builder.context();
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        graphc::trace::appendDiagnostic(messages, diagnostic);
        return mlir::success();
      });
  mlir::OwningOpRef<mlir::ModuleOp> read;
  if (!graphc::runOnLargeStack([&] {
        llvm::SourceMgr sources;
        addText(sources, {text, text_bytes}, file_name);
        read = graphc::readCheckedModel(sources, context);
      }))
    return noThread();
  if (!read)
    return fail(GRAPHC_COMPILE_ERROR, messages);
  module->builder.adopt(std::move(read));
  *out_module = module.release();
  return GRAPHC_OK;
}

void graphc_module_destroy(graphc_module *module) { delete module; }

static graphc_status stillOpen() {
  return fail(GRAPHC_INVALID_ARGUMENT,
              "a function of the module is still being built");
}

graphc_status graphc_module_text(graphc_module *module, const char **out_text) {
  if (!module || !out_text)
    return missing("a module and room for the text");
  if (module->builder.isOpen())
    return stillOpen();
  module->text = module->builder.text();
  *out_text = module->text.c_str();
  return GRAPHC_OK;
}

static graphc_status write(const char *path, llvm::StringRef bytes) {
  if (llvm::Error error = graphc::writeFile(path, bytes))
    return fail(GRAPHC_IO_ERROR, std::string("cannot write '") + path +
                                     "': " + llvm::toString(std::move(error)));
  return GRAPHC_OK;
}

graphc_status graphc_module_save(graphc_module *module, const char *path) {
  if (!module || !path)
    return missing("a module and a path");
  if (module->builder.isOpen())
    return stillOpen();
  return write(path, module->builder.text());
}

static graphc_status addVariable(graphc_module *module, const char *name,
                                 const graphc_tensor_type *type,
                                 llvm::StringRef initializer,
                                 std::optional<llvm::ArrayRef<char>> data,
                                 int trainable, const graphc_source *source) {
  if (!module || !name)
    return missing("a module and a name");
  mlir::RankedTensorType converted = toType(&module->builder.context(), type);
  if (!converted)
    return GRAPHC_INVALID_ARGUMENT;
  if (!isReadable(module, initializer, "initializer", source))
    return GRAPHC_COMPILE_ERROR;
  return mlir::failed(module->builder.addVariable(
             name, converted, initializer, data, trainable, toSource(source)))
             ? failed(module)
             : GRAPHC_OK;
}

graphc_status graphc_module_add_variable(graphc_module *module,
                                         const char *name,
                                         const graphc_tensor_type *type,
                                         const char *initializer, int trainable,
                                         const graphc_source *source) {
  return addVariable(module, name, type, toString(initializer), std::nullopt,
                     trainable, source);
}

graphc_status graphc_module_add_variable_data(graphc_module *module,
                                              const char *name,
                                              const graphc_tensor_type *type,
                                              const void *data, size_t bytes,
                                              int trainable,
                                              const graphc_source *source) {
  if (bytes && !data)
    return missing("data");
  return addVariable(module, name, type, "",
                     llvm::ArrayRef(static_cast<const char *>(data), bytes),
                     trainable, source);
}

/// Reads what the caller's header knows of options, which may be older or newer
/// than this library. `given` may be NULL.
template <class Options>
static graphc_status readKnown(const Options *given, Options &known) {
  known = {};
  if (!given)
    return GRAPHC_OK;
  size_t bytes = given->struct_bytes;
  if (bytes < sizeof(size_t))
    return fail(GRAPHC_INVALID_ARGUMENT,
                "options expect struct_bytes to be the size of the struct (" +
                    std::to_string(sizeof(known)) + "), but got " +
                    std::to_string(bytes));
  std::memcpy(&known, given, std::min(bytes, sizeof(known)));
  const char *raw = reinterpret_cast<const char *>(given);
  for (size_t k = sizeof(known); k < bytes; ++k)
    if (raw[k])
      return fail(GRAPHC_UNSUPPORTED,
                  "options ask for something newer than this library: byte " +
                      std::to_string(k) + " of the struct is set");
  return GRAPHC_OK;
}

graphc_status graphc_module_add_train(graphc_module *module, const char *name,
                                      const char *loss, const char *optimizer,
                                      const graphc_train_options *options,
                                      const graphc_source *source) {
  if (!module || !name || !loss || !optimizer)
    return missing("a module, a name, a loss and an optimizer");
  graphc_train_options known;
  if (graphc_status status = readKnown(options, known))
    return status;
  graphc::trace::TrainOptions train = {toString(known.specializes),
                                       toString(known.groups),
                                       known.clip_norm,
                                       known.clip_value,
                                       known.accumulate,
                                       known.weighted != 0};
  if (known.reserved)
    return fail(GRAPHC_UNSUPPORTED, "options expect reserved to be 0");
  if (!isReadable(module, optimizer, "optimizer", source) ||
      !isReadable(module, train.groups, "groups", source))
    return GRAPHC_COMPILE_ERROR;
  return mlir::failed(module->builder.addTrain(name, loss, optimizer, train,
                                               toSource(source)))
             ? failed(module)
             : GRAPHC_OK;
}

graphc_status graphc_module_add_grad(graphc_module *module, const char *name,
                                     const char *function,
                                     const char *const *variables,
                                     size_t variable_count,
                                     const int64_t *inputs, size_t input_count,
                                     const graphc_source *source) {
  if (!module || !name || !function || (variable_count && !variables) ||
      (input_count && !inputs))
    return missing("a module, a name, a function and what to differentiate by");
  return mlir::failed(module->builder.addGrad(
             name, function, toStrings(variables, variable_count),
             {inputs, input_count}, toSource(source)))
             ? failed(module)
             : GRAPHC_OK;
}

static graphc_status readOptions(const graphc_compile_options *options,
                                 graphc::CompileOptions &out) {
  graphc_compile_options known;
  if (graphc_status status = readKnown(options, known))
    return status;
  if (known.cpu)
    out.cpu = known.cpu;
  if (known.optimization_level > 4)
    return fail(GRAPHC_INVALID_ARGUMENT,
                "expects an optimization_level of at most 4, but got " +
                    std::to_string(known.optimization_level));
  if (known.optimization_level)
    out.optLevel = known.optimization_level - 1;
  if (known.max_threads)
    out.maxThreads = known.max_threads;
  if (known.target_triple)
    out.triple = known.target_triple;
  out.strictMath = known.strict_math != 0;
  if (known.amp)
    out.amp = known.amp;
  if (known.amp && out.amp != "bf16" && out.amp != "f16")
    return fail(GRAPHC_INVALID_ARGUMENT,
                "expects amp to be bf16 or f16, but got '" + out.amp + "'");
  return GRAPHC_OK;
}

/// Compiles a copy, in a context of its own, read back from the module's text:
/// passes change what they run on, and need dialects that tracing does not.
static mlir::FailureOr<llvm::SmallVector<char, 0>>
compileCopy(graphc_module *module, const graphc::CompileOptions &options,
            std::string &messages) {
  std::unique_ptr<mlir::MLIRContext> context =
      graphc::createContext(/*threads=*/false);
  mlir::ScopedDiagnosticHandler handler(
      context.get(), [&](mlir::Diagnostic &diagnostic) {
        graphc::trace::appendDiagnostic(messages, diagnostic);
        return mlir::success();
      });
  llvm::SourceMgr sources;
  addText(sources, module->builder.text(), "model");
  mlir::OwningOpRef<mlir::ModuleOp> copy = graphc::readModel(sources, *context);
  if (!copy)
    return mlir::failure();
  return graphc::compileModel(*copy, options);
}

graphc_status graphc_module_compile(graphc_module *module,
                                    const graphc_compile_options *options,
                                    const char *path) {
  if (!module || !path)
    return missing("a module and a path");
  if (module->builder.isOpen())
    return stillOpen();
  graphc::CompileOptions compile;
  if (graphc_status status = readOptions(options, compile))
    return status;
  std::string messages;
  mlir::FailureOr<llvm::SmallVector<char, 0>> bytes = mlir::failure();
  if (!graphc::runOnLargeStack(
          [&] { bytes = compileCopy(module, compile, messages); }))
    return noThread();
  if (mlir::failed(bytes))
    return fail(GRAPHC_COMPILE_ERROR, messages);
  if (graphc_status status = write(path, {bytes->data(), bytes->size()}))
    return status;
  module->warnings = std::move(messages);
  return GRAPHC_OK;
}

const char *graphc_module_warnings(const graphc_module *module) {
  return module ? module->warnings.c_str() : "";
}
