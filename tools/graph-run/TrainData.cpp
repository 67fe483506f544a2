// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-run/TrainData.h"

#include <algorithm>

namespace graph_run {
namespace {

std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (;;) {
    size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos)
      return parts;
    begin = comma + 1;
  }
}

/// Elements of one sample of an input.
int64_t sampleSize(const graphc::ValueInfo &input) {
  int64_t size = 1;
  for (size_t i = 1; i < input.shape.size(); ++i)
    size *= input.shape[i];
  return size;
}

void readCsv(const graphc::FunctionInfo &step, const Options &options,
             TrainData &data) {
  graphc::Csv csv(options.data, options.separator);
  size_t inputs = step.inputs.size();
  bool hasLabel = !options.labelColumn.empty();
  if (inputs != (hasLabel ? 2u : 1u))
    throw UsageError(
        "@" + step.name + " has " + std::to_string(inputs) +
        " inputs; from a csv file come features and, with --label-column, "
        "labels");
  int64_t label = hasLabel ? csv.find(options.labelColumn) : -1;
  std::vector<int64_t> features;
  if (!options.featureColumns.empty())
    for (const std::string &column : split(options.featureColumns))
      features.push_back(csv.find(column));
  else
    for (int64_t i = 0; i < csv.columns(); ++i)
      if (i != label)
        features.push_back(i);
  data.arrays.push_back(csv.array(features, step.inputs[0].dtype));
  if (hasLabel)
    data.arrays.push_back(csv.array({label}, step.inputs[1].dtype));
}

void readNpyFiles(const graphc::FunctionInfo &step, const Options &options,
                  TrainData &data) {
  std::vector<std::string> paths = split(options.data);
  if (paths.size() != step.inputs.size())
    throw UsageError(
        "@" + step.name + " has " + std::to_string(step.inputs.size()) +
        " inputs, but --data names " + std::to_string(paths.size()) + " files");
  for (size_t i = 0; i < paths.size(); ++i) {
    graphc::Array array = graphc::readNpy(paths[i]);
    graphc_dtype wanted = step.inputs[i].dtype;
    if (array.dtype() != wanted && !options.convert)
      throw UsageError(paths[i] + " has " + graphc_dtype_name(array.dtype()) +
                       " elements, but input " + std::to_string(i) + " of @" +
                       step.name + " expects " + graphc_dtype_name(wanted) +
                       "; --convert converts them");
    if (array.dtype() != wanted)
      array = graphc::Array::convert(array, wanted);
    data.arrays.push_back(std::move(array));
  }
}

} // namespace

std::vector<graphc_tensor> TrainData::tensors() const {
  std::vector<graphc_tensor> result;
  for (size_t i = 0; i < arrays.size(); ++i) {
    graphc_tensor tensor = arrays[i];
    tensor.rank = static_cast<uint32_t>(shapes[i].size());
    tensor.shape = shapes[i].data();
    result.push_back(tensor);
  }
  return result;
}

TrainData readTrainData(const graphc::FunctionInfo &step,
                        const Options &options) {
  if (options.data.empty())
    throw UsageError("--train expects --data");
  if (step.inputs.empty())
    throw UsageError("@" + step.name + " has no inputs to feed data to");
  for (size_t i = 0; i < step.inputs.size(); ++i)
    if (step.inputs[i].shape.empty() ||
        step.inputs[i].shape[0] != batchOf(step))
      throw UsageError("input " + std::to_string(i) + " of @" + step.name +
                       " has no batch dimension like input 0: " +
                       typeText(step.inputs[i].dtype, step.inputs[i].shape));
  TrainData data;
  if (endsWith(options.data, ".csv"))
    readCsv(step, options, data);
  else
    readNpyFiles(step, options, data);

  for (size_t i = 0; i < data.arrays.size(); ++i) {
    std::vector<int64_t> shape = step.inputs[i].shape;
    const graphc::Array &array = data.arrays[i];
    int64_t samples = array.shape().empty() ? 0 : array.shape()[0];
    if (array.size() != samples * sampleSize(step.inputs[i]))
      throw UsageError(
          "input " + std::to_string(i) + " of @" + step.name + " expects " +
          std::to_string(sampleSize(step.inputs[i])) +
          " elements a sample, but the data is " + typeText(array.tensor()));
    if (i > 0 && samples != data.size())
      throw UsageError("input 0 has " + std::to_string(data.size()) +
                       " samples, but input " + std::to_string(i) + " has " +
                       std::to_string(samples));
    shape[0] = samples;
    data.shapes.push_back(std::move(shape));
  }
  if (data.size() == 0)
    throw UsageError("the data has no samples");
  return data;
}

} // namespace graph_run
