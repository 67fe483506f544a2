// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/KnownAttributes.h"
#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace graphc::graph {
namespace {

constexpr llvm::StringLiteral kSpecializes = "graph.specializes";
constexpr llvm::StringLiteral kCheckpoint = "graph.checkpoint";

/// The name with what a terminal would obey, or choke on, left out.
std::string printable(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::printEscapedString(name.take_front(64), os);
  return text + (name.size() > 64 ? "..." : "");
}

LogicalResult refuse(Operation *op, StringRef name, const char *where,
                     ArrayRef<StringRef> known) {
  InFlightDiagnostic diag = op->emitError("expects no attribute \"")
                            << printable(name) << "\" " << where;
  if (name == "graph.kind" || name == "graph.family")
    return diag << ": it is for the compiler to set";
  StringRef best;
  unsigned least = name.size() / 3 + 2;
  for (StringRef candidate : known) {
    if (name.size() > 64)
      break;
    unsigned distance = name.edit_distance(candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  if (!best.empty())
    diag << "; did you mean \"" << best << "\"?";
  return diag;
}

/// Attributes of the op that are not among its own.
LogicalResult checkDiscardable(Operation *op) {
  SmallVector<StringRef> known;
  for (StringAttr name : op->getName().getAttributeNames())
    known.push_back(name.getValue());
  bool specializes = isa<func::FuncOp, GradOp>(op);
  bool inFunction =
      !isa<ModuleOp, func::FuncOp, VariableOp, TrainOp, GradOp>(op);
  if (specializes)
    known.push_back(kSpecializes);
  for (NamedAttribute named : op->getDiscardableAttrs()) {
    StringRef name = named.getName();
    if (specializes && name == kSpecializes) {
      if (!isa<FlatSymbolRefAttr>(named.getValue()))
        return op->emitError("expects graph.specializes to be a symbol");
      continue;
    }
    if (inFunction && name == kCheckpoint) {
      auto number = dyn_cast<IntegerAttr>(named.getValue());
      if (!number || !number.getType().isSignlessInteger(64))
        return op->emitError("expects graph.checkpoint to be an i64");
      continue;
    }
    if (inFunction && name == kPrecisionAttr) {
      auto type = dyn_cast<TypeAttr>(named.getValue());
      if (!type || !type.getValue().isF32())
        return op->emitError("expects graph.precision to be f32");
      continue;
    }
    std::string where = ("on '" + op->getName().getStringRef() + "'").str();
    return refuse(op, name, where.c_str(), known);
  }
  return success();
}

/// Attributes of arguments or results.
LogicalResult checkEach(Operation *op, StringRef list, const char *what) {
  auto all = op->getAttrOfType<ArrayAttr>(list);
  if (!all)
    return success();
  llvm::DenseSet<StringRef> names;
  for (auto [k, attribute] : llvm::enumerate(all)) {
    auto dictionary = dyn_cast<DictionaryAttr>(attribute);
    if (!dictionary)
      continue; // The verifier's to refuse.
    for (NamedAttribute named : dictionary) {
      std::string where = "on " + std::string(what) + " " + std::to_string(k);
      if (named.getName() != kNameAttr)
        return refuse(op, named.getName(), where.c_str(), {kNameAttr});
      auto name = dyn_cast<StringAttr>(named.getValue());
      if (!name)
        return op->emitError("expects graph.name ")
               << where << " to be a string";
      if (name.getValue().contains('\0'))
        return op->emitError("expects graph.name ")
               << where << " to have no zero bytes";
      if (!name.getValue().empty() && !names.insert(name.getValue()).second)
        return op->emitError("expects names of ")
               << what << "s to differ, but got \"" << printable(name)
               << "\" again, " << where;
    }
  }
  return success();
}

} // namespace

LogicalResult checkAttributesAreKnown(Operation *op) {
  if (failed(checkDiscardable(op)))
    return failure();
  if (!isa<func::FuncOp>(op))
    return success();
  return failure(failed(checkEach(op, "arg_attrs", "argument")) ||
                 failed(checkEach(op, "res_attrs", "result")));
}

} // namespace graphc::graph
