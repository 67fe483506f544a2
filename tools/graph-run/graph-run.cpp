// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs compiled models from the command line.
#include <cstdio>
#include <exception>
#include <new>

#include "graphc/version.h"
#include "tools/graph-run/Model.h"

namespace {

/// Exit status.
int run(const graph_run::Options &options) {
  using namespace graph_run;
  if (options.help) {
    std::fputs(helpText().c_str(), stdout);
    return 0;
  }
  if (options.version) {
    std::printf("graph-run %s\n", GRAPHC_VERSION_STRING);
    return 0;
  }
  if (options.devices) {
    listDevices();
    return 0;
  }
  if (options.model.empty())
    throw UsageError("expects a model: graph-run model.so; --help tells more");

  const uint64_t baseline = processPeakBytes();
  graphc::Model model = loadModel(options);
  bool isAsExpected = true;
  bool acts = true;
  if (options.bench)
    bench(model, options);
  else if (!options.dumpGrads.empty())
    dumpGradients(model, options);
  else if (!options.train.empty())
    train(model, options);
  else if (!options.function.empty())
    isAsExpected = runFunction(model, options);
  else
    acts = false;

  if (!acts && options.saveState.empty() && options.printVariables.empty() &&
      !options.memory)
    listModel(model);
  printVariables(model, options);
  if (!options.saveState.empty())
    model.saveState(options.saveState);
  if (options.profile)
    printProfile(model);
  if (options.memory)
    printMemory(model, baseline);
  return isAsExpected ? 0 : 1;
}

int fail(const char *message, int status = 1) {
  std::fflush(stdout);
  std::fprintf(stderr, "graph-run: error: %s\n", message);
  return status;
}

} // namespace

int main(int argc, char **argv) {
  try {
    int status = run(graph_run::parseOptions(argc, argv));
    if (std::fflush(stdout) != 0)
      return fail("cannot write to standard output");
    return status;
  } catch (const graph_run::UsageError &error) {
    return fail(error.what(), 2);
  } catch (const std::bad_alloc &) {
    return fail("out of memory");
  } catch (const std::exception &error) {
    return fail(error.what());
  }
}
