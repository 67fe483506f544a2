// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Pipelines/Pipelines.h"

#include "passes/Amp/Amp.h"
#include "passes/Autodiff/Autodiff.h"
#include "passes/ChannelsLast/ChannelsLast.h"
#include "passes/ExpandMath/ExpandMath.h"
#include "passes/Fuse/Fuse.h"
#include "passes/LowerKernel/LowerKernel.h"
#include "passes/MergeTiny/MergeTiny.h"
#include "passes/PackWeights/PackWeights.h"
#include "passes/Plan/Plan.h"
#include "passes/PromoteState/PromoteState.h"
#include "passes/Remat/Remat.h"
#include "passes/TrainStep/TrainStep.h"
#include "passes/VerifyPhase/VerifyPhase.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace graphc {

static constexpr llvm::StringLiteral kNames[] = {"import", "autodiff", "amp",
                                                 "fuse", "plan"};

llvm::StringRef phaseName(Phase phase) {
  return kNames[static_cast<int>(phase)];
}

std::optional<Phase> parsePhase(llvm::StringRef name) {
  for (auto [k, known] : llvm::enumerate(kNames))
    if (name == known)
      return static_cast<Phase>(k);
  return std::nullopt;
}

llvm::StringRef phaseNames() { return "import, autodiff, amp, fuse, plan"; }

int countRematRungs() { return remat::kRungs; }

std::string parseFuse(llvm::StringRef text, FuseSettings &settings) {
  settings = {};
  if (text == "on")
    return "";
  if (text == "off") {
    settings.isOn = false;
    return "";
  }
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [name, number] = part.split('=');
    int64_t *limit = name == "max-groups"    ? &settings.maxGroups
                     : name == "max-ops"     ? &settings.maxOps
                     : name == "max-buffers" ? &settings.maxBuffers
                                             : nullptr;
    if (!limit || number.getAsInteger(10, *limit) || *limit < 0 ||
        *limit > INT32_MAX)
      return "on, off, max-groups=<n>, max-ops=<n> or max-buffers=<n>, but got "
             "'" +
             part.str() + "'";
  }
  return "";
}

void buildPipeline(OpPassManager &manager, const PipelineOptions &options) {
  auto cleanUp = [&] {
    if (!options.cleanUp)
      return;
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
  };
  // Checks the boundary. Returns true at the last phase asked for, so that
  // stop-after and the full compile share one list of passes.
  auto endPhase = [&](Phase phase) {
    VerifyPhaseOptions gate;
    gate.phase = phaseName(phase).str();
    manager.addPass(createVerifyPhase(gate));
    return phase == options.stopAfter;
  };

  if (!options.startsAfterAutodiff) {
    if (endPhase(Phase::Import))
      return;

    TrainStepOptions step;
    step.amp = options.amp;
    manager.addPass(createTrainStep(step));
    manager.addPass(createAutodiff());
    // After Autodiff, which brings the loss's reads and writes into the step.
    manager.addPass(createPromoteState());
  }
  cleanUp();
  if (endPhase(Phase::Autodiff))
    return;

  // On the gradients too, which PyTorch computes in the types that the forward
  // pass had. Before Fuse, which then sees the casts.
  if (!options.amp.empty()) {
    if (options.ampReport) {
      AmpReportOptions report;
      report.dtype = options.amp;
      manager.addPass(createAmpReport(report));
    }
    AmpOptions amp;
    amp.dtype = options.amp;
    manager.addPass(createAmp(amp));
    // No CSE: it would make one f32 copy for the forward and the backward pass of
    // what each widens for itself.
    if (options.cleanUp)
      manager.addPass(createCanonicalizerPass());
    if (endPhase(Phase::Amp))
      return;
  } else if (options.stopAfter == Phase::Amp) {
    return;
  }

  // Before Fuse: products whose epilogue is an update are still to be found.
  if (options.packWeights)
    manager.addPass(createPackWeights());
  manager.addPass(createChannelsLast());
  // Before Fuse, so that what is repeated shares kernels with what reads it.
  if (options.remat.isOn) {
    RematOptions remat;
    remat.rung = options.remat.rung;
    manager.addPass(createRemat(remat));
  }
  FuseOptions fuse;
  fuse.off = !options.fuse.isOn;
  fuse.maxGroups = options.fuse.maxGroups;
  fuse.maxOps = options.fuse.maxOps;
  fuse.maxBuffers = options.fuse.maxBuffers;
  manager.addPass(createFuse(fuse));
  if (endPhase(Phase::Fuse))
    return;

  manager.addPass(createLowerKernel());
  ExpandMathOptions math;
  math.strict = options.strictMath;
  manager.addPass(createExpandMath(math));
  // The gate of this phase is in it: the proof needs the functions, which it
  // then erases.
  manager.addPass(createPlan());
  if (options.mergeTiny)
    manager.addPass(createMergeTiny());
}

namespace {
struct CommandLineOptions : PassPipelineOptions<CommandLineOptions> {
  Option<std::string> stopAfter{
      *this, "stop-after",
      llvm::cl::desc(
          "The last phase to run: import, autodiff, amp, fuse, plan"),
      llvm::cl::init("plan")};
  Option<std::string> fuse{
      *this, "fuse",
      llvm::cl::desc("on, off, or limits: max-groups=<n>,max-ops=<n>"),
      llvm::cl::init("on")};
  Option<std::string> amp{*this, "amp",
                          llvm::cl::desc("Mixed precision: bf16, f16 or off"),
                          llvm::cl::init("off")};
  Option<int64_t> remat{
      *this, "remat",
      llvm::cl::desc("Rung of what is computed again; -1: nothing"),
      llvm::cl::init(0)};
  Option<bool> mergeTiny{
      *this, "merge-tiny",
      llvm::cl::desc("Make one launch of tiny entries in a row"),
      llvm::cl::init(true)};
  Option<bool> strictMath{
      *this, "strict-math",
      llvm::cl::desc("Leave exp, pow and their like to libm")};
  Option<bool> packWeights{
      *this, "pack-weights",
      llvm::cl::desc("Store weights between calls as products read them"),
      llvm::cl::init(false)};
};
} // namespace

void registerPipelines() {
  // Not PassPipelineRegistration, whose builder cannot fail.
  registerPassPipeline(
      "graphc-pipeline",
      "What graphc runs after --import, up to the plan, in order",
      [](OpPassManager &manager, llvm::StringRef text,
         llvm::function_ref<LogicalResult(const llvm::Twine &)> fail)
          -> LogicalResult {
        CommandLineOptions commandLine;
        if (failed(commandLine.parseFromString(text)))
          return failure();
        PipelineOptions options;
        std::optional<Phase> phase = parsePhase(commandLine.stopAfter);
        if (!phase)
          return fail("stop-after expects one of " + phaseNames() +
                      ", but got '" + commandLine.stopAfter + "'");
        options.stopAfter = *phase;
        if (std::string fault = parseFuse(commandLine.fuse, options.fuse);
            !fault.empty())
          return fail("fuse expects " + fault);
        if (commandLine.amp != "off")
          options.amp = commandLine.amp;
        options.remat.isOn = commandLine.remat >= 0;
        options.remat.rung = int(commandLine.remat);
        options.mergeTiny = commandLine.mergeTiny;
        options.strictMath = commandLine.strictMath;
        options.packWeights = commandLine.packWeights;
        buildPipeline(manager, options);
        return success();
      },
      [](llvm::function_ref<void(const detail::PassOptions &)> handle) {
        handle(CommandLineOptions());
      });
}

} // namespace graphc
