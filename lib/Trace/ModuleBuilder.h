// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a module of the graph dialect op by op, for a program that runs its
// model once to record it.
#ifndef GRAPHC_LIB_TRACE_MODULEBUILDER_H
#define GRAPHC_LIB_TRACE_MODULEBUILDER_H

#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace graphc::trace {

/// A value as the outside names it: a number of its ModuleBuilder.
using ValueId = int64_t;

struct Source {
  std::string file;
  unsigned line = 0, column = 0;
};

struct OpRequest {
  llvm::StringRef name;
  llvm::ArrayRef<ValueId> operands;
  llvm::StringRef attributes; // Dictionary text, or empty.
  /// Absent: one result, whose type is inferred.
  std::optional<llvm::ArrayRef<mlir::Type>> resultTypes;
  Source source;
};

/// What a train op may say beside its loss and optimizer; "" and 0 say nothing.
struct TrainOptions {
  llvm::StringRef specializes, groups;
  double clipNorm = 0, clipValue = 0;
  int64_t accumulate = 0;
  bool weighted = false;
};

/// Every method that fails leaves the module as it was and explains in error().
class ModuleBuilder {
public:
  /// `name` must be a plain symbol name; see isPlainName().
  explicit ModuleBuilder(llvm::StringRef name);
  ~ModuleBuilder();
  ModuleBuilder(const ModuleBuilder &) = delete;
  ModuleBuilder &operator=(const ModuleBuilder &) = delete;

  /// Takes `module`, of context() and verified, in place of what there is.
  void adopt(mlir::OwningOpRef<mlir::ModuleOp> module) {
    module_ = std::move(module);
  }

  mlir::ModuleOp module() { return *module_; }
  mlir::MLIRContext &context() { return *context_; }
  /// Whether a function is being built, so that the module is incomplete.
  bool isOpen() const { return !scopes_.empty(); }
  /// The module's text, with locations.
  std::string text();
  const std::string &error() const { return error_; }

  //===--------------------------------------------------------------------===//
  // Symbols
  //===--------------------------------------------------------------------===//

  /// `data` (row-major bytes of `type`), if given, holds the initial elements;
  /// else `initializer` is attribute text.
  mlir::LogicalResult addVariable(llvm::StringRef name,
                                  mlir::RankedTensorType type,
                                  llvm::StringRef initializer,
                                  std::optional<llvm::ArrayRef<char>> data,
                                  bool trainable, const Source &source);
  mlir::LogicalResult addTrain(llvm::StringRef name, llvm::StringRef loss,
                               llvm::StringRef optimizer,
                               const TrainOptions &options,
                               const Source &source);
  mlir::LogicalResult addGrad(llvm::StringRef name, llvm::StringRef function,
                              llvm::ArrayRef<llvm::StringRef> variables,
                              llvm::ArrayRef<int64_t> inputs,
                              const Source &source);

  //===--------------------------------------------------------------------===//
  // Functions
  //===--------------------------------------------------------------------===//

  mlir::FailureOr<std::vector<ValueId>>
  beginFunction(llvm::StringRef name, llvm::ArrayRef<mlir::Type> types,
                llvm::ArrayRef<llvm::StringRef> argumentNames,
                llvm::StringRef specializes, bool isPrivate,
                const Source &source);
  mlir::LogicalResult endFunction(llvm::ArrayRef<ValueId> results,
                                  llvm::ArrayRef<llvm::StringRef> names);
  void abandonFunction();

  //===--------------------------------------------------------------------===//
  // Ops of the innermost function
  //===--------------------------------------------------------------------===//

  mlir::FailureOr<std::vector<ValueId>> buildOp(const OpRequest &request);
  mlir::FailureOr<ValueId> buildConstant(mlir::RankedTensorType type,
                                         llvm::ArrayRef<char> data,
                                         const Source &source);
  /// `resultCount`, here and below, is how many results the caller expects.
  mlir::FailureOr<std::vector<ValueId>>
  buildCall(llvm::StringRef function, llvm::ArrayRef<ValueId> operands,
            const Source &source, size_t resultCount);
  mlir::FailureOr<std::vector<ValueId>>
  buildValueAndGrad(llvm::StringRef function, llvm::ArrayRef<ValueId> operands,
                    llvm::ArrayRef<int64_t> inputs,
                    llvm::ArrayRef<llvm::StringRef> variables,
                    const Source &source, size_t resultCount);

  //===--------------------------------------------------------------------===//
  // Regions of the innermost function: what is built from now on goes into the
  // innermost one
  //===--------------------------------------------------------------------===//

  /// Begins a graph.for and returns the iteration number and what is carried.
  mlir::FailureOr<std::vector<ValueId>>
  beginFor(int64_t count, llvm::ArrayRef<ValueId> inits, const Source &source);
  mlir::LogicalResult beginCheckpoint(const Source &source);
  mlir::LogicalResult beginPrecision(const Source &source);
  /// Ends the innermost region, which yields `yielded`.
  mlir::FailureOr<std::vector<ValueId>>
  endRegion(llvm::ArrayRef<ValueId> yielded, size_t resultCount);
  void abandonRegion();

  /// Null if `value` is no value of this module.
  mlir::RankedTensorType typeOf(ValueId value);
  /// "graph.linear at app.cpp:40", or "argument 0 (x) of @loss at app.cpp:31".
  std::string originOf(ValueId value);

private:
  struct Scope {
    mlir::func::FuncOp function;
    mlir::OpBuilder builder;
    size_t firstValue;
    struct OpenRegion {
      mlir::Operation *op;
      size_t firstValue;
    };
    llvm::SmallVector<OpenRegion> regions = {};
  };
  class Diagnostics;

  mlir::Location locationOf(const Source &source);
  mlir::LogicalResult fail(const Source &source, const llvm::Twine &message);
  ValueId remember(mlir::Value value);
  mlir::Block *openRegion(mlir::Operation *op);
  void closeRegion();
  mlir::LogicalResult checkOpen(const Source &source);
  mlir::LogicalResult lookup(llvm::ArrayRef<ValueId> ids, const Source &source,
                             llvm::SmallVectorImpl<mlir::Value> &values);
  /// Verifies `op` with its symbol uses; erases it if it does not hold.
  mlir::LogicalResult settle(mlir::Operation *op, const Source &source,
                             llvm::ArrayRef<ValueId> operands = {});
  /// Adds a note about each of `operands` to error().
  void noteOperands(llvm::ArrayRef<ValueId> operands);
  mlir::LogicalResult checkResultCount(size_t have, size_t expected,
                                       const Source &source);
  /// A tensor of row-major elements, `data`, as `what` in an error.
  mlir::FailureOr<mlir::DenseElementsAttr> elements(mlir::RankedTensorType type,
                                                    llvm::ArrayRef<char> data,
                                                    const llvm::Twine &what,
                                                    const Source &source);
  mlir::LogicalResult checkName(llvm::StringRef name, const Source &source);
  mlir::func::FuncOp lookupFunction(llvm::StringRef name);
  std::vector<ValueId> rememberResults(mlir::Operation *op);

  std::unique_ptr<mlir::MLIRContext> context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::vector<Scope> scopes_;
  std::vector<mlir::Value> values_; // Null once its function was abandoned.
  std::string error_;
};

/// Whether `name` consists of letters, digits, '_', '.', '$': PyTorch's names
/// ("0.weight") do.
bool isPlainName(llvm::StringRef name);

} // namespace graphc::trace

#endif // GRAPHC_LIB_TRACE_MODULEBUILDER_H
