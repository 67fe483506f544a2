// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/CompileLog.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace graphc {

static double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

void CompileLog::enter(StringRef phase) {
  finish();
  phases.push_back({phase.str(), "", 0});
  phaseStart = Clock::now();
  isOpen = true;
  if (onPhase)
    onPhase(phase);
}

void CompileLog::finish() {
  if (isOpen)
    phases.back().seconds = secondsSince(phaseStart);
  isOpen = false;
}

/// The passes of the module itself, which run one after the other. Each phase
/// ends in a verify-phase.
class PassWatch : public PassInstrumentation {
public:
  PassWatch(CompileLog &log, Phase phase, Phase last, bool hasAmp)
      : log(log), phase(phase), last(last), hasAmp(hasAmp) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (isOurs(pass, op))
      start = CompileLog::Clock::now();
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isOurs(pass, op))
      return;
    log.passes.push_back({pass->getArgument().str(), log.phases.back().name,
                          secondsSince(start)});
    if (pass->getArgument() != "verify-phase" || phase >= last)
      return;
    phase = static_cast<Phase>(static_cast<int>(phase) + 1);
    if (phase == Phase::Amp && !hasAmp)
      phase = Phase::Fuse;
    log.enter(phaseName(phase));
  }

private:
  static bool isOurs(Pass *pass, Operation *op) {
    // Adaptors, which run passes inside, have no argument.
    return isa<ModuleOp>(op) && !op->getParentOp() &&
           !pass->getArgument().empty();
  }

  CompileLog &log;
  Phase phase, last;
  bool hasAmp;
  CompileLog::Clock::time_point start;
};

std::unique_ptr<PassInstrumentation> CompileLog::watch(Phase phase, Phase last,
                                                       bool hasAmp) {
  return std::make_unique<PassWatch>(*this, phase, last, hasAmp);
}

void CompileLog::print(raw_ostream &os, StringRef model,
                       int64_t outputBytes) const {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("format", 1);
    json.attribute("compiler", GRAPHC_VERSION);
    json.attribute("model", llvm::json::fixUTF8(model));
    json.attributeObject("target", [&] {
      json.attribute("triple", triple);
      json.attributeArray("cpu", [&] {
        for (const std::string &level : levels)
          json.value(level);
      });
      json.attribute("math", strictMath ? "libm" : "own");
    });
    json.attributeArray("phases", [&] {
      for (const Time &time : phases)
        json.object([&] {
          json.attribute("name", time.name);
          json.attribute("seconds", time.seconds);
        });
    });
    json.attributeArray("passes", [&] {
      for (const Time &time : passes)
        json.object([&] {
          json.attribute("name", time.name);
          json.attribute("phase", time.phase);
          json.attribute("seconds", time.seconds);
        });
    });
    if (outputBytes >= 0)
      json.attribute("output_bytes", outputBytes);
    if (!isPlanned)
      return;
    json.attributeObject("state", [&] {
      json.attribute("parameter_bytes", parameterBytes);
      json.attribute("other_bytes", otherStateBytes);
    });
    json.attribute("constant_bytes", constantBytes);
    json.attributeArray("layouts", [&] {
      for (const Layout &layout : layouts)
        json.object([&] {
          json.attribute("variable", llvm::json::fixUTF8(layout.variable));
          json.attribute("dim", layout.dim);
          json.attribute("width", layout.width);
        });
    });
    json.attributeArray("functions", [&] {
      for (const Function &function : functions)
        json.object([&] {
          json.attribute("name", llvm::json::fixUTF8(function.name));
          json.attribute("kind", function.kind);
          json.attribute("entries", function.entries);
          json.attribute("launches", function.launches);
          json.attribute("bundles", function.bundles);
          json.attribute("arena_bytes", function.arenaBytes);
          json.attribute("live_bytes", function.liveBytes);
          json.attribute("activation_bytes", function.activationBytes);
          json.attribute("gradient_bytes", function.gradientBytes);
          json.attribute("workspace_bytes", function.workspaceBytes);
          json.attribute("input_bytes", function.inputBytes);
          json.attribute("output_bytes", function.outputBytes);
        });
    });
    json.attributeArray("kernels", [&] {
      for (const Kernel &kernel : kernels)
        json.object([&] {
          json.attribute("name", llvm::json::fixUTF8(kernel.name));
          json.attribute("op", llvm::json::fixUTF8(kernel.op));
          json.attribute("entries", kernel.entries);
          json.attributeObject("launches", [&] {
            for (const auto &[name, count] : kernel.launches)
              json.attribute(llvm::json::fixUTF8(name), count);
          });
        });
    });
  });
  os << "\n";
}

} // namespace graphc
