// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of passes, from an imported module to plans and kernels.
#ifndef GRAPHC_LIB_PIPELINES_PIPELINES_H
#define GRAPHC_LIB_PIPELINES_PIPELINES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace graphc {

/// What the module has become; each ends in a gate.
/// Amp is one only where mixed precision is asked for.
enum class Phase { Import, Autodiff, Amp, Fuse, Plan };

llvm::StringRef phaseName(Phase phase);
std::optional<Phase> parsePhase(llvm::StringRef name);
/// "import, autodiff, amp, fuse, plan"
llvm::StringRef phaseNames();

/// How ops are grouped into kernels; the results are the same, bit for bit.
struct FuseSettings {
  bool isOn = true;
  int64_t maxGroups = -1; // merges of two groups a function; -1: no limit
  int64_t maxOps = 256;
  int64_t maxBuffers = 64;
};

/// How many rungs there are.
int countRematRungs();

/// Reads "on", "off" or limits with commas, "max-groups=3,max-ops=20". Returns
/// what is expected instead, or "".
std::string parseFuse(llvm::StringRef text, FuseSettings &settings);

/// What is computed again in the backward pass instead of kept; the results are
/// the same, bit for bit.
struct RematSettings {
  bool isOn = true;
  int rung = 0; // of passes/Remat's ladder; 0: graph.checkpoint regions alone
};

struct PipelineOptions {
  /// The last phase to run; the kernels' own arithmetic comes after Plan.
  Phase stopAfter = Phase::Plan;
  /// The module has been through Autodiff: what comes first is left out.
  bool startsAfterAutodiff = false;
  /// The low type of mixed precision, "bf16" or "f16"; "" for none. Before
  /// Autodiff it makes the steps ready for it.
  std::string amp;
  /// Print what mixed precision makes of each op.
  bool ampReport = false;
  /// Remove what is computed twice or never used.
  bool cleanUp = true;
  FuseSettings fuse;
  RematSettings remat;
  /// Entries in a row that do very little become one launch.
  bool mergeTiny = true;
  /// exp, pow and their like are libm's.
  bool strictMath = false;
  /// Store weights between calls as products read them.
  bool packWeights = false;
};

/// Appends the passes that take an imported module through its phases.
void buildPipeline(mlir::OpPassManager &manager,
                   const PipelineOptions &options);

/// Makes `--graphc-pipeline` known to command lines.
void registerPipelines();

} // namespace graphc

#endif // GRAPHC_LIB_PIPELINES_PIPELINES_H
