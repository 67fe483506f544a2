// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loaded model and what every action of graph-run needs of it.
#ifndef GRAPHC_TOOLS_GRAPHRUN_MODEL_H
#define GRAPHC_TOOLS_GRAPHRUN_MODEL_H

#include <string>
#include <utility>
#include <vector>

#include "graphc/data.hpp"
#include "graphc/runtime.hpp"
#include "tools/graph-run/Options.h"
#include "tools/graph-run/Text.h"

namespace graph_run {

/// Loads the model as `options` say, then its state, then --set and --lr.
graphc::Model loadModel(const Options &options);

/// The functions called `name` or of family `name`. Throws graphc::Error with
/// the names there are if there is none.
std::vector<graphc::FunctionInfo> functionsOf(const graphc::Model &model,
                                              const std::string &name);

/// Dimension 0 of the first input, or 1.
int64_t batchOf(const graphc::FunctionInfo &function);

/// Splits "NAME=FILE", where NAME is one of `values`, and holds no '/'; the
/// number is that of the value named, or of a mere FILE `next`. Throws
/// UsageError if there is no such value.
std::pair<size_t, std::string>
splitNamed(const std::string &argument,
           const std::vector<graphc::ValueInfo> &values, size_t next,
           const char *what);

Format formatOf(const Options &options);

// The actions.
void listModel(const graphc::Model &model);
void listDevices();
/// False if an output is not as expected.
bool runFunction(graphc::Model &model, const Options &options);
void dumpGradients(graphc::Model &model, const Options &options);
void train(graphc::Model &model, const Options &options);
void bench(graphc::Model &model, const Options &options);
void printVariables(const graphc::Model &model, const Options &options);
void printProfile(const graphc::Model &model);
/// `baselineBytes` is what the process took before the model was loaded.
void printMemory(const graphc::Model &model, uint64_t baselineBytes);
/// The most memory that this process has taken.
uint64_t processPeakBytes();

/// Inputs for `function` from --input, in order; throws unless all are given.
std::vector<graphc::Array> readInputs(const graphc::FunctionInfo &function,
                                      const Options &options);

/// Of the sizes of `name`, the one that fits the files given as --input, which
/// are read into `inputs`.
graphc::FunctionInfo chooseFunction(graphc::Model &model,
                                    const std::string &name,
                                    const Options &options,
                                    std::vector<graphc::Array> &inputs);

} // namespace graph_run

#endif // GRAPHC_TOOLS_GRAPHRUN_MODEL_H
