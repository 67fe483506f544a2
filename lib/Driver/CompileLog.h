// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compile did and what it planned: phases and passes with their times,
// memory, kernels.
#ifndef GRAPHC_LIB_DRIVER_COMPILELOG_H
#define GRAPHC_LIB_DRIVER_COMPILELOG_H

#include "lib/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class PassInstrumentation;
} // namespace mlir

namespace graphc {

/// Given to compileModel() by who wants to know. Its phases are import,
/// autodiff, amp (with mixed precision), fuse, plan (each named by what it ends
/// in), kernels, tables, link.
class CompileLog {
public:
  struct Time {
    std::string name;
    std::string phase; // of a pass
    double seconds = 0;
  };
  struct Function {
    std::string name, kind;
    int64_t arenaBytes = 0;      // planned
    int64_t liveBytes = 0;       // the most that lives at once
    int64_t activationBytes = 0; // kept from the forward for the backward pass
    int64_t gradientBytes = 0;   // kept from there for the update
    int64_t workspaceBytes = 0;  // of the kernel that has most
    int64_t inputBytes = 0, outputBytes = 0;
    int64_t entries = 0, launches = 0; // of the table; of one call
    int64_t bundles = 0;               // of the table
  };
  struct Kernel {
    std::string name, op;
    int64_t entries = 0; // lines of the tables that launch it
    std::vector<std::pair<std::string, int64_t>> launches; // of one call each
  };

  /// What was asked for: set by who compiles.
  std::string triple;
  std::vector<std::string> levels;
  bool strictMath = false;

  /// Called at the start of each phase.
  std::function<void(llvm::StringRef)> onPhase;

  /// Ends the phase before.
  void enter(llvm::StringRef phase);
  void finish();
  /// Times the passes of a pipeline that starts in `phase`, and has phase Amp or
  /// not.
  std::unique_ptr<mlir::PassInstrumentation> watch(Phase phase, Phase last,
                                                   bool hasAmp);
  /// Reads a module in table form.
  void readPlan(mlir::ModuleOp module);

  /// JSON; docs/debugging.md describes it.
  void print(llvm::raw_ostream &os, llvm::StringRef model,
             int64_t outputBytes) const;

  struct Layout {
    std::string variable;
    int64_t dim = 0, width = 0; // of #graph.panels
  };

private:
  friend class PassWatch;
  using Clock = std::chrono::steady_clock;

  std::vector<Time> phases, passes;
  Clock::time_point phaseStart;
  bool isOpen = false;
  bool isPlanned = false;
  int64_t parameterBytes = 0, otherStateBytes = 0, constantBytes = 0;
  std::vector<Layout> layouts;
  std::vector<Function> functions;
  std::vector<Kernel> kernels;
};

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_COMPILELOG_H
