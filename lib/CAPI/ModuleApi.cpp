// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and their symbols: the other half of graphc/compiler.h.
#include "lib/CAPI/Convert.h"
#include "lib/Driver/Compile.h"
#include "lib/Trace/Diagnostics.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace graphc::capi;
using graphc::trace::isPlainName;

static graphc_status missing(const char *what) {
  return fail(GRAPHC_INVALID_ARGUMENT,
              std::string("expects ") + what + ", but got NULL");
}

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

graphc_status graphc_module_read(const char *text, size_t text_bytes,
                                 const char *file_name,
                                 graphc_module **out_module) {
  if (!text || !file_name || !out_module)
    return missing("a text, a file name and room for the module");
  auto module = std::make_unique<graphc_module>("model");
  if (mlir::failed(module->builder.read({text, text_bytes}, file_name)))
    return failed(module.get());
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

/// Under a temporary name first, so that a failure leaves the old file.
static graphc_status write(const char *path, llvm::StringRef bytes) {
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << bytes;
    return llvm::Error::success();
  });
  if (error)
    return fail(GRAPHC_IO_ERROR, std::string("cannot write ") + path + ": " +
                                     llvm::toString(std::move(error)));
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

graphc_status graphc_module_add_train(graphc_module *module, const char *name,
                                      const char *loss, const char *optimizer,
                                      const char *specializes,
                                      const graphc_source *source) {
  if (!module || !name || !loss || !optimizer)
    return missing("a module, a name, a loss and an optimizer");
  return mlir::failed(module->builder.addTrain(
             name, loss, optimizer, toString(specializes), toSource(source)))
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

/// Compiles a copy, in a context of its own, read back from the module's text:
/// passes change what they run on, and need dialects that tracing does not.
graphc_status graphc_module_compile(graphc_module *module,
                                    const graphc_compile_options *options,
                                    const char *path) {
  if (!module || !path)
    return missing("a module and a path");
  if (module->builder.isOpen())
    return stillOpen();
  graphc::CompileOptions compile;
  if (options && options->cpu)
    compile.cpu = options->cpu;
  if (options && options->optimization_level > 4)
    return fail(GRAPHC_INVALID_ARGUMENT,
                "expects an optimization_level of at most 4, but got " +
                    std::to_string(options->optimization_level));
  if (options && options->optimization_level)
    compile.optLevel = options->optimization_level - 1;
  if (options && options->max_threads)
    compile.maxThreads = options->max_threads;

  std::unique_ptr<mlir::MLIRContext> context =
      graphc::createContext(/*threads=*/false);
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(
      context.get(), [&](mlir::Diagnostic &diagnostic) {
        graphc::trace::appendDiagnostic(messages, diagnostic);
        return mlir::success();
      });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(module->builder.text(), "model"),
      llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> copy = graphc::readModel(sources, *context);
  if (!copy)
    return fail(GRAPHC_COMPILE_ERROR, messages);
  auto bytes = graphc::compileModel(*copy, compile);
  if (mlir::failed(bytes))
    return fail(GRAPHC_COMPILE_ERROR, messages);
  return write(path, {bytes->data(), bytes->size()});
}
