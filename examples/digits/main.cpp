// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handwritten digits: traces a network, compiles its training step, trains it
// on 1,437 images and tests it on 360 by other writers.
//
//   digits [--model=mlp] [--epochs=N] [--seed=N] [--threads=N] [--data=file]
//          [--keep=model.so]
#include <graphc/data.hpp>
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "examples/digits/DigitsData.h"
#include "examples/digits/Plot.h"

using namespace graphc;

namespace {

constexpr int64_t kBatch = 64, kTest = 360;

struct Options {
  std::string model = "mlp", data = defaultDigitsPath(), keep;
  int epochs = 30;
  uint64_t seed = 1;
  uint32_t threads = 0;
};

/// 64-128-10 with one hidden layer.
nn::Sequential mlp() {
  return nn::Sequential(nn::Linear(64, 128), nn::ReLU(), nn::Linear(128, 10));
}

/// Traces the network with its training step and compiles it to `path`.
void build(const std::string &path, int64_t lastBatch) {
  nn::Sequential net = mlp();
  print(*net);
  std::cout << net->num_parameters() << " parameters\n";
  Tracer tracer("digits");
  tracer.add(net);
  tracer.function(
      "predict", [&](Tensor x) { return argmax(net(x), 1); },
      input("images", f32, {kTest, 64}));
  // The last batch of an epoch is smaller: a second size of the same step.
  tracer.batch_sizes({kBatch, lastBatch});
  tracer.function(
      "loss", [&](Tensor x, Tensor y) { return cross_entropy(net(x), y); },
      input("images", f32, {batch, 64}), input("labels", i64, {batch}));
  optim::SGDOptions sgd;
  sgd.momentum = 0.9;
  tracer.train("step", "loss", optim::SGD(0.1, sgd));
  tracer.compile(path);
}

double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

void run(const Options &options) {
  DigitsData data = loadDigits(options.data);
  int64_t count = data.trainLabels.size();

  std::string folder =
      (std::filesystem::temp_directory_path() / "digits-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    throw std::runtime_error("cannot make a temporary folder");
  struct Remove {
    std::string path;
    ~Remove() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } remove{folder};
  std::string path =
      options.keep.empty() ? folder + "/digits.so" : options.keep;
  double start = seconds();
  build(path, count % kBatch ? count % kBatch : kBatch / 2);
  std::printf("compiled to %s (%ju bytes) in %.2f s\n",
              options.keep.empty() ? "digits.so" : path.c_str(),
              std::uintmax_t(std::filesystem::file_size(path)),
              seconds() - start);

  LoadOptions load;
  load.seed = options.seed;
  load.threads = options.threads;
  Model model(path, load);
  Generator generator(options.seed);
  DataLoaderOptions loaderOptions;
  loaderOptions.batchSize = kBatch;
  loaderOptions.shuffle = true;
  DataLoader loader(TensorDataset({data.trainImages, data.trainLabels}),
                    loaderOptions, generator);
  Array loss(GRAPHC_DTYPE_F32, {});
  std::vector<double> losses;
  start = seconds();
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    double sum = 0;
    for (const Batch &batch : loader) {
      model.run("step", {batch[0], batch[1]}, {loss});
      sum += *loss.data<float>() * static_cast<double>(batch.size());
    }
    losses.push_back(sum / static_cast<double>(count));
    std::printf("epoch %2d/%d  train loss %.4f\n", epoch + 1, options.epochs,
                losses.back());
  }
  std::printf("trained %d epochs of %jd images in %.2f s\n", options.epochs,
              std::intmax_t(count), seconds() - start);
  std::cout << plot(losses, "train loss by epoch");

  Array classes(GRAPHC_DTYPE_I64, {kTest});
  model.run("predict", {data.testImages}, {classes});
  int64_t right = 0;
  for (int64_t k = 0; k < kTest; ++k)
    right += classes.data<int64_t>()[k] == data.testLabels.data<int64_t>()[k];
  std::printf("test accuracy %.3f\n",
              static_cast<double>(right) / static_cast<double>(kTest));
}

[[noreturn]] void usage() {
  std::fprintf(stderr, "usage: digits [--model=mlp] [--epochs=N] [--seed=N] "
                       "[--threads=N] [--data=file] [--keep=model.so]\n");
  std::exit(2);
}

int64_t toNumber(const char *text, int64_t low) {
  char *end = nullptr;
  long long number = std::strtoll(text, &end, 10);
  if (!*text || *end || number < low)
    usage();
  return number;
}

Options parse(int argc, char **argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const char *value = std::strchr(argv[k], '=');
    if (!value)
      usage();
    std::string name(argv[k], value - argv[k]);
    ++value;
    if (name == "--model")
      options.model = value;
    else if (name == "--data")
      options.data = value;
    else if (name == "--keep")
      options.keep = value;
    else if (name == "--epochs")
      options.epochs = static_cast<int>(toNumber(value, 1));
    else if (name == "--seed")
      options.seed = static_cast<uint64_t>(toNumber(value, 0));
    else if (name == "--threads")
      options.threads = static_cast<uint32_t>(toNumber(value, 1));
    else
      usage();
  }
  if (options.model != "mlp") {
    std::fprintf(stderr, "digits: expects --model=mlp, but got '%s'\n",
                 options.model.c_str());
    std::exit(2);
  }
  return options;
}

} // namespace

int main(int argc, char **argv) {
  Options options = parse(argc, argv);
  try {
    run(options);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
