// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_TOOLS_GRAPHRUN_OPTIONS_H
#define GRAPHC_TOOLS_GRAPHRUN_OPTIONS_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace graph_run {

/// The command line is wrong, or cannot be carried out with this model.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::string model;
  bool help = false, version = false, devices = false;

  // What to do.
  std::string function, train, dumpGrads;
  bool bench = false;
  double benchSeconds = 1;

  // One run.
  std::vector<std::string> inputs, outputs, expects;
  bool convert = false;
  double rtol = 1e-5, atol = 1e-8;

  // Training.
  std::string data, labelColumn, featureColumns;
  char separator = ',';
  int64_t epochs = 1, batch = 0;
  bool shuffle = false, dropLast = false;
  std::string learningRate; // a number, or ""

  // State.
  std::string loadState, saveState;
  std::vector<std::string> sets;
  std::vector<std::string> printVariables;

  // Printing.
  bool print = false, scientific = false, full = false;
  int precision = 4;

  // The runtime.
  std::string device;
  uint64_t seed = 0;
  uint32_t threads = 0;
  uint64_t maxArenaBytes = 0;
  bool checkNumerics = false, profile = false, memory = false;
};

/// Throws UsageError.
Options parseOptions(int argc, char **argv);

std::string helpText();

inline bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace graph_run

#endif // GRAPHC_TOOLS_GRAPHRUN_OPTIONS_H
