// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/graph-interpret/Checks.h"

#include "lib/Driver/ReadModel.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace graphc::interpreter {

OwningOpRef<ModuleOp> readVerified(const std::string &path,
                                   llvm::SourceMgr &sources,
                                   MLIRContext &context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> text = readText(path, message);
  if (!text) {
    llvm::errs() << "error: " << message << "\n";
    return {};
  }
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = readModel(sources, context);
  if (module && failed(verify(*module)))
    return {};
  return module;
}

static OwningOpRef<ModuleOp> parse(const std::string &path,
                                   MLIRContext *context) {
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, context);
  return readVerified(path, sources, *context);
}

LogicalResult compareModels(ModuleOp module, const std::string &otherPath,
                            StringRef function,
                            const EquivalenceOptions &options) {
  OwningOpRef<ModuleOp> other = parse(otherPath, module.getContext());
  if (!other)
    return failure();
  FailureOr<EquivalenceReport> report =
      compareModules(module, *other, function, options);
  if (failed(report))
    return failure();
  if (!report->equal) {
    llvm::outs() << report->mismatch << "\n";
    return failure();
  }
  llvm::outs() << "equal: " << report->compared << " elements compared\n";
  return success();
}

LogicalResult checkGrads(ModuleOp module, const std::string &gradientPath,
                         StringRef only, const GradCheckOptions &options) {
  OwningOpRef<ModuleOp> after = parse(gradientPath, module.getContext());
  if (!after)
    return failure();
  bool allRight = true, any = false;
  for (auto grad : module.getOps<graph::GradOp>()) {
    if (!only.empty() && grad.getSymName() != only)
      continue;
    any = true;
    GradCheckSubject subject;
    subject.module = module;
    subject.function = grad.getFunction().str();
    subject.gradientModule = *after;
    subject.gradient = grad.getSymName().str();
    subject.inputs.assign(grad.getInputs().begin(), grad.getInputs().end());
    for (auto name : grad.getVariables().getAsRange<FlatSymbolRefAttr>())
      subject.variables.push_back(name.getValue().str());
    FailureOr<GradCheckReport> report = checkGradients(subject, options);
    if (failed(report))
      return failure();
    allRight &= report->ok;
    llvm::outs() << "@" << subject.gradient << ": ";
    if (report->ok)
      llvm::outs() << llvm::formatv(
          "{0} derivatives agree, {1} of them not 0, max error {2:e1}\n",
          report->checked, report->nonZero, report->maxError);
    else
      llvm::outs() << report->mismatch << "\n";
  }
  if (any)
    return success(allRight);
  llvm::errs() << "error: expects a graph.grad to check\n";
  return failure();
}

} // namespace graphc::interpreter
