// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A PyTorch beginner's tutorial in C++: each model is traced, compiled in this
// process, loaded and run, and each number is compared with the one that
// PyTorch prints.
//
//   tutorial [--seed=N]   exit status 1 if a number is missed, which with any
//                         seed but 123 all that depend on it are
#include <graphc/data.hpp>
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "examples/tutorial/Gold.h"
#include "examples/tutorial/Report.h"

using namespace graphc;

namespace {

/// Two hidden layers, as the tutorial's NeuralNetwork.
struct NeuralNetwork : nn::Module {
  NeuralNetwork(int64_t inputs, int64_t outputs)
      : layers(register_module(
            "layers", nn::Sequential(nn::Linear(inputs, 30), nn::ReLU(),
                                     nn::Linear(30, 20), nn::ReLU(),
                                     nn::Linear(20, outputs)))) {}
  Tensor forward(const Tensor &x) override { return layers(x); }
  nn::Sequential layers;
};

/// A folder that goes away with the program.
struct Workspace {
  Workspace() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "tutorial-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("cannot make a temporary folder");
    path = pattern;
  }
  ~Workspace() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string file(const std::string &name) const { return path / name; }
  std::filesystem::path path;
};

Model build(const Workspace &workspace, const Tracer &tracer,
            const std::string &name, uint64_t seed) {
  std::string path = workspace.file(name);
  tracer.compile(path);
  LoadOptions options;
  options.seed = seed;
  return Model(path, options);
}

/// Runs a function of f32 results and returns them one after the other.
Array run(Model &model, const std::string &function,
          const std::vector<graphc_tensor> &inputs,
          const Array::Shape &resultShape) {
  Array result(GRAPHC_DTYPE_F32, resultShape);
  model.run(function, inputs, {result});
  return result;
}

std::string text(const std::vector<int64_t> &indices) {
  std::string text = "[";
  for (size_t k = 0; k < indices.size(); ++k)
    text += (k ? ", " : "") + std::to_string(indices[k]);
  return text + "]";
}

/// Gradients of logistic regression, by graph.grad.
void logistic(const Workspace &workspace, Report &report) {
  Tracer tracer("logistic");
  nn::Parameter w = tracer.variable("w", {2.2});
  nn::Parameter b = tracer.variable("b", {0.0});
  tracer.function(
      "loss",
      [&](Tensor x, Tensor y) {
        Tensor z = x * w + b;
        return binary_cross_entropy(sigmoid(z), y);
      },
      input("x", f32, {1}), input("y", f32, {1}));
  tracer.grad("gradients", "loss", {"w", "b"});
  Model model = build(workspace, tracer, "logistic.so", 0);

  Array x = Array::from<float>({1}, {1.1f}), y = Array::from<float>({1}, {1});
  Array loss(GRAPHC_DTYPE_F32, {}), gradW(GRAPHC_DTYPE_F32, {1}),
      gradB(GRAPHC_DTYPE_F32, {1});
  model.run("gradients", {x, y}, {loss, gradW, gradB});
  report.number("logistic loss", gold::logisticLoss, *loss.data<float>());
  report.number("logistic grad w", gold::logisticGradW, *gradW.data<float>());
  report.number("logistic grad b", gold::logisticGradB, *gradB.data<float>());
}

/// A seeded network: parameters, input, logits.
void network(const Workspace &workspace, Report &report, uint64_t seed) {
  NeuralNetwork net(50, 3);
  print(net);
  report.number("parameters 50-30-20-3", gold::numParams, net.num_parameters());
  report.number("parameters 50-30-20-30", gold::numParams50x30x20x30,
                NeuralNetwork(50, 30).num_parameters());
  report.number("parameters 2-30-20-2", gold::numParams2x30x20x2,
                NeuralNetwork(2, 2).num_parameters());

  Tracer tracer("network");
  tracer.add(net);
  tracer.function(
      "forward",
      [&](Tensor x) {
        Tensor logits = net(x);
        return std::pair(logits, softmax(logits, 1));
      },
      input("x", f32, {1, 50}));
  Model model = build(workspace, tracer, "network.so", seed);

  Array weight(GRAPHC_DTYPE_F32, {30, 50});
  model.getVariable("layers.0.weight", weight);
  const float *w = weight.data<float>();
  report.numbers("weight first row", gold::layer0WeightRow0First3, w,
                 Report::Seeded);
  report.numbers("weight end of first row", gold::layer0WeightRow0Last3, w + 47,
                 Report::Seeded);
  report.numbers("weight end of last row", gold::layer0WeightLastRowLast3,
                 w + 29 * 50 + 47, Report::Seeded);

  Array x(GRAPHC_DTYPE_F32, {1, 50});
  Generator(seed).uniform(x);
  report.numbers("input first", gold::rand1x50First3, x.data<float>(),
                 Report::Seeded);
  report.numbers("input last", gold::rand1x50Last3, x.data<float>() + 47,
                 Report::Seeded);
  Array logits(GRAPHC_DTYPE_F32, {1, 3}),
      probabilities(GRAPHC_DTYPE_F32, {1, 3});
  model.run("forward", {x}, {logits, probabilities});
  report.numbers("logits", gold::logits, logits.data<float>(), Report::Seeded);
  report.numbers("softmax", gold::softmax, probabilities.data<float>(),
                 Report::Seeded);
}

/// What is stable and what is not.
void overflow(const Workspace &workspace, Report &report) {
  Tracer tracer("overflow");
  tracer.function(
      "naive",
      [](Tensor x) {
        Tensor e = exp(x);
        return std::pair(e, e / sum(e));
      },
      input("x", f32, {3}));
  tracer.function(
      "stable", [](Tensor x) { return log_softmax(x, 0); },
      input("x", f32, {3}));
  tracer.function(
      "loss", [](Tensor x, Tensor y) { return cross_entropy(x, y); },
      input("x", f32, {1, 3}), input("y", i64, {1}));
  Model model = build(workspace, tracer, "overflow.so", 0);

  Array x = Array::from<float>({3}, {1000, 2, -1});
  Array e(GRAPHC_DTYPE_F32, {3}), ratio(GRAPHC_DTYPE_F32, {3});
  model.run("naive", {x}, {e, ratio});
  report.number("naive exp(1000)", INFINITY, e.data<float>()[0]);
  report.number("naive inf / inf", NAN, ratio.data<float>()[0]);
  report.numbers("log_softmax", gold::overflowLogSoftmax,
                 run(model, "stable", {x}, {3}).data<float>());
  Array row = Array::from<float>({1, 3}, {1000, 2, -1});
  for (int64_t target = 0; target < 3; ++target) {
    Array y = Array::from<int64_t>({1}, {target});
    report.number("cross_entropy of class " + std::to_string(target),
                  -gold::overflowLogSoftmax[target],
                  *run(model, "loss", {row, y}, {}).data<float>());
  }
}

/// One product in two element types; literals choose the type.
void product(const Workspace &workspace, Report &report) {
  Tracer tracer("product");
  tracer.function("product", [] {
    Tensor integers = tensor({{1, 2, 3}, {4, 5, 6}});
    Tensor floats = tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
    return std::pair(matmul(integers, transpose(integers, 0, 1)),
                     matmul(floats, transpose(floats, 0, 1)));
  });
  Model model = build(workspace, tracer, "product.so", 0);
  Array integers(GRAPHC_DTYPE_I64, {2, 2}), floats(GRAPHC_DTYPE_F32, {2, 2});
  model.run("product", {}, {integers, floats});
  report.numbers("product i64", gold::product, integers.data<int64_t>());
  report.numbers("product f32", gold::product, floats.data<float>());
}

struct Samples {
  Array x = Array::from<float>({5, 2}, {-1.2f, 3.1f, -0.9f, 2.9f, -0.5f, 2.6f,
                                        2.3f, -1.1f, 2.7f, -1.5f});
  Array y = Array::from<int64_t>({5}, {0, 0, 0, 1, 1});
  Array xTest = Array::from<float>({2, 2}, {-0.8f, 2.8f, 2.6f, -1.6f});
  Array yTest = Array::from<int64_t>({2}, {0, 1});
};

std::string epochText(DataLoader &loader) {
  std::string all;
  for (const Batch &batch : loader)
    all += text(batch.indices());
  return all;
}

/// The order in which a seeded loader draws its batches.
void loader(const Samples &samples, Report &report, uint64_t seed) {
  TensorDataset dataset({samples.x, samples.y});
  Generator generator(seed);
  DataLoaderOptions options;
  options.batchSize = 2;
  options.shuffle = true;
  DataLoader all(dataset, options, generator);
  report.text("loader epoch 0", gold::loaderEpoch0, epochText(all),
              Report::Seeded);
  report.text("loader epoch 1", gold::loaderEpoch1, epochText(all),
              Report::Seeded);
  generator.reseed(seed);
  options.dropLast = true;
  DataLoader whole(dataset, options, generator);
  report.text("loader drop_last epoch 0", gold::loaderDropLastEpoch0,
              epochText(whole), Report::Seeded);
}

double accuracy(const Array &logits, const Array &labels) {
  int64_t right = 0, count = labels.size();
  for (int64_t row = 0; row < count; ++row) {
    const float *pair = logits.data<float>() + 2 * row;
    right += (pair[1] > pair[0]) == (labels.data<int64_t>()[row] == 1);
  }
  return static_cast<double>(right) / static_cast<double>(count);
}

/// Trains, evaluates, saves and loads again.
void training(const Workspace &workspace, const Samples &samples,
              Report &report, uint64_t seed) {
  NeuralNetwork net(2, 2);
  Tracer tracer("toy");
  tracer.add(net);
  tracer.batch_sizes({2, 5});
  tracer.function(
      "forward", [&](Tensor x) { return net(x); }, input("x", f32, {batch, 2}));
  tracer.function(
      "predict", [&](Tensor x) { return softmax(net(x), 1); },
      input("x", f32, {batch, 2}));
  tracer.function(
      "loss", [&](Tensor x, Tensor y) { return cross_entropy(net(x), y); },
      input("x", f32, {batch, 2}), input("y", i64, {batch}));
  tracer.train("step", "loss", optim::SGD(0.5));
  Model model = build(workspace, tracer, "toy.so", seed);

  // In the tutorial one generator draws the parameters and then the batches.
  Generator generator(seed);
  for (const auto &[name, parameter] : net.named_parameters())
    generator.uniform(Array(parameter.dtype(), parameter.shape()));
  DataLoaderOptions options;
  options.batchSize = 2;
  options.shuffle = true;
  options.dropLast = true;
  TensorDataset dataset({samples.x, samples.y});
  DataLoader loader(dataset, options, generator);

  const int epochs = 3;
  size_t step = 0;
  Array loss(GRAPHC_DTYPE_F32, {});
  for (int epoch = 0; epoch < epochs; ++epoch) {
    int number = 0;
    for (const Batch &batch : loader) {
      model.run("step", {batch[0], batch[1]}, {loss});
      char line[80];
      std::snprintf(line, sizeof(line),
                    "Epoch: %03d/%03d | Batch %03d/%03d | Train Loss: %5.2f",
                    epoch + 1, epochs, number++, int(loader.size()),
                    *loss.data<float>());
      std::printf("%s\n", line);
      if (step >= gold::stepLosses.size())
        throw std::runtime_error("the loader gave more than six batches");
      report.text("batch of the step", gold::stepIndices[step],
                  text(batch.indices()), Report::Seeded);
      report.text("log line", gold::logLines[step], line, Report::Fixed);
      report.number("loss", gold::stepLosses[step++], *loss.data<float>(),
                    Report::Seeded);
    }
  }

  Array logits = run(model, "forward", {samples.x}, {5, 2});
  report.numbers("logits after", gold::logitsAfter, logits.data<float>(),
                 Report::Seeded);
  report.numbers("softmax after", gold::softmaxAfter,
                 run(model, "predict", {samples.x}, {5, 2}).data<float>(),
                 Report::Seeded);
  report.number("accuracy on training data", gold::accuracyTrain,
                accuracy(logits, samples.y));
  report.number(
      "accuracy on test data", gold::accuracyTest,
      accuracy(run(model, "forward", {samples.xTest}, {2, 2}), samples.yTest));

  std::string state = workspace.file("toy.safetensors");
  model.saveState(state);
  LoadOptions other;
  other.seed = seed + 1;
  Model again(workspace.file("toy.so"), other);
  Array before = run(again, "forward", {samples.x}, {5, 2});
  again.loadState(state);
  Array after = run(again, "forward", {samples.x}, {5, 2});
  auto same = [&](const Array &array) {
    return std::memcmp(array.data(), logits.data(), 10 * sizeof(float)) == 0;
  };
  report.text("reloaded model", "other, then equal",
              std::string(same(before) ? "equal" : "other") + ", then " +
                  (same(after) ? "equal" : "other"));
}

} // namespace

int main(int argc, char **argv) {
  uint64_t seed = 123;
  for (int k = 1; k < argc; ++k) {
    char *end = nullptr;
    if (std::strncmp(argv[k], "--seed=", 7) == 0 && argv[k][7])
      seed = std::strtoull(argv[k] + 7, &end, 10);
    if (!end || *end) {
      std::fprintf(stderr, "usage: tutorial [--seed=N]\n");
      return 2;
    }
  }
  try {
    Workspace workspace;
    Samples samples;
    Report report;
    logistic(workspace, report);
    network(workspace, report, seed);
    overflow(workspace, report);
    product(workspace, report);
    loader(samples, report, seed);
    training(workspace, samples, report, seed);
    std::printf("%d numbers, %d missed\n", report.count(), report.misses());
    return report.misses() ? 1 : 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
