// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module, its text, its values and its errors.
#include "lib/Trace/ModuleBuilder.h"

#include "dialects/Graph/IR/KnownAttributes.h"
#include "lib/Trace/Diagnostics.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace graphc::trace {

bool isPlainName(llvm::StringRef name) {
  auto plain = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
  };
  return !name.empty() && llvm::all_of(name, plain);
}

std::string locationText(Location location) {
  std::string text;
  if (auto file = location->findInstanceOf<FileLineColLoc>()) {
    text = file.getFilename().str() + ":" + std::to_string(file.getLine());
    if (file.getColumn())
      text += ":" + std::to_string(file.getColumn());
  }
  return text;
}

void appendDiagnostic(std::string &text, Diagnostic &diagnostic) {
  if (!text.empty())
    text += "\n";
  if (std::string place = locationText(diagnostic.getLocation());
      !place.empty())
    text += place + ": ";
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    text += "error: ";
    break;
  case DiagnosticSeverity::Warning:
    text += "warning: ";
    break;
  case DiagnosticSeverity::Note:
  case DiagnosticSeverity::Remark:
    text += "note: ";
    break;
  }
  text += diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    appendDiagnostic(text, note);
}

ModuleBuilder::ModuleBuilder(llvm::StringRef name)
    // No threads of MLIR's own: this runs inside the user's process.
    : context_(
          std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED)) {
  context_->loadDialect<graph::GraphDialect, func::FuncDialect>();
  module_ = ModuleOp::create(UnknownLoc::get(context_.get()), name);
}

ModuleBuilder::~ModuleBuilder() {
  while (!scopes_.empty())
    abandonFunction();
}

std::string ModuleBuilder::text() {
  std::string text;
  llvm::raw_string_ostream os(text);
  module_->print(os, OpPrintingFlags().enableDebugInfo());
  os << "\n";
  return text;
}

Location ModuleBuilder::locationOf(const Source &source) {
  return FileLineColLoc::get(context_.get(), source.file, source.line,
                             source.column);
}

LogicalResult ModuleBuilder::fail(const Source &source,
                                  const llvm::Twine &message) {
  error_ = locationText(locationOf(source)) + ": error: " + message.str();
  return failure();
}

ValueId ModuleBuilder::remember(Value value) {
  values_.push_back(value);
  return static_cast<ValueId>(values_.size()) - 1;
}

std::vector<ValueId> ModuleBuilder::rememberResults(Operation *op) {
  std::vector<ValueId> ids;
  for (Value result : op->getResults())
    ids.push_back(remember(result));
  return ids;
}

LogicalResult ModuleBuilder::checkOpen(const Source &source) {
  if (scopes_.empty())
    return fail(source, "no function is being traced here");
  return success();
}

LogicalResult ModuleBuilder::lookup(llvm::ArrayRef<ValueId> ids,
                                    const Source &source,
                                    llvm::SmallVectorImpl<Value> &values) {
  if (failed(checkOpen(source)))
    return failure();
  for (ValueId id : ids) {
    if (id < 0 || static_cast<size_t>(id) >= values_.size() || !values_[id])
      return fail(source, "a tensor of another model, or of a function that "
                          "failed, is used here");
    Value value = values_[id];
    const Scope &scope = scopes_.back();
    bool isInside =
        value.getParentRegion() == &scopes_.back().function.getBody() ||
        llvm::any_of(scope.regions, [&](const Scope::OpenRegion &region) {
          return value.getParentRegion() == &region.op->getRegion(0);
        });
    if (!isInside && value.getParentRegion()->getParentOfType<func::FuncOp>() ==
                         scope.function)
      return fail(source, "a tensor made inside a region is used after it: " +
                              originOf(id) + "; let the region return it");
    if (!isInside)
      return fail(source, "a tensor made outside function '" +
                              scopes_.back().function.getSymName() +
                              "' is used in it: " + originOf(id) +
                              "; pass it as an argument");
    values.push_back(value);
  }
  return success();
}

RankedTensorType ModuleBuilder::typeOf(ValueId value) {
  if (value < 0 || static_cast<size_t>(value) >= values_.size() ||
      !values_[value])
    return {};
  return cast<RankedTensorType>(values_[value].getType());
}

std::string ModuleBuilder::originOf(ValueId id) {
  if (!typeOf(id))
    return "an unknown tensor";
  Value value = values_[id];
  std::string text;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    text = "argument " + std::to_string(argument.getArgNumber());
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (!function)
      return text + " of a graph.for at " + locationText(argument.getLoc());
    if (auto name = function.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), "graph.name"))
      text += " (" + name.str() + ")";
    text += " of @" + function.getSymName().str();
  } else {
    text = value.getDefiningOp()->getName().getStringRef().str();
    if (auto get = value.getDefiningOp<graph::GetOp>())
      text = "variable " + get.getVariable().str();
  }
  if (std::string place = locationText(value.getLoc()); !place.empty())
    text += " at " + place;
  return text;
}

LogicalResult ModuleBuilder::settle(Operation *op, const Source &source,
                                    llvm::ArrayRef<ValueId> operands) {
  LogicalResult valid = graph::checkAttributesAreKnown(op);
  if (succeeded(valid))
    valid = verify(op, /*verifyRecursively=*/false);
  if (succeeded(valid))
    if (auto user = dyn_cast<SymbolUserOpInterface>(op)) {
      SymbolTableCollection symbols;
      valid = user.verifySymbolUses(symbols);
    }
  if (succeeded(valid))
    return success();
  OperationName name = op->getName();
  op->erase();
  if (error_.empty())
    return fail(source, "'" + name.getStringRef() + "' is invalid");
  noteOperands(operands);
  return failure();
}

void ModuleBuilder::noteOperands(llvm::ArrayRef<ValueId> operands) {
  for (auto [k, id] : llvm::enumerate(operands)) {
    std::string type;
    llvm::raw_string_ostream(type) << typeOf(id);
    error_ += "\nnote: operand " + std::to_string(k) + " is " + type +
              " from " + originOf(id);
  }
}

LogicalResult ModuleBuilder::checkResultCount(size_t have, size_t expected,
                                              const Source &source) {
  if (have == expected)
    return success();
  return fail(source, "expects room for " + llvm::Twine(have) +
                          " results, but got " + llvm::Twine(expected));
}

FailureOr<DenseElementsAttr> ModuleBuilder::elements(RankedTensorType type,
                                                     llvm::ArrayRef<char> data,
                                                     const llvm::Twine &what,
                                                     const Source &source) {
  bool isFlags = type.getElementType().isInteger(1);
  size_t bytes =
      type.getNumElements() * (isFlags ? 1 : type.getElementTypeBitWidth() / 8);
  // MLIR would take the bytes of one element for all of them.
  if (data.size() != bytes)
    return fail(source, "expects " + llvm::Twine(bytes) + " bytes for " + what +
                            ", but got " + llvm::Twine(data.size()));
  if (!isFlags)
    return DenseElementsAttr::getFromRawBuffer(type, data);
  // A byte for each element outside, a bit in MLIR.
  llvm::SmallVector<bool> flags(data.begin(), data.end());
  return DenseElementsAttr::get(type, llvm::ArrayRef<bool>(flags));
}

LogicalResult ModuleBuilder::checkName(llvm::StringRef name,
                                       const Source &source) {
  if (!isPlainName(name))
    return fail(source, "expects a name of letters, digits, '_', '.' and '$', "
                        "but got '" +
                            name + "'");
  if (Operation *other = SymbolTable::lookupSymbolIn(module(), name))
    return fail(source, "the name '" + name + "' is taken at " +
                            locationText(other->getLoc()));
  return success();
}

func::FuncOp ModuleBuilder::lookupFunction(llvm::StringRef name) {
  return dyn_cast_if_present<func::FuncOp>(
      SymbolTable::lookupSymbolIn(module(), name));
}

} // namespace graphc::trace
