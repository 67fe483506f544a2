// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handwritten digits: traces a network, compiles its training step, trains it
// on 1,437 images and tests it on 360 by other writers.
//
//   digits [--model=mlp|cnn] [--epochs=N] [--seed=N] [--threads=N]
//          [--data=file] [--dtype=f32|f64] [--amp=off|bf16|f16] [--keep=model.so]
#include <graphc/data.hpp>
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include "examples/common/Example.h"
#include "examples/digits/DigitsData.h"
#include "examples/digits/Plot.h"

using namespace graphc;

namespace {

constexpr int64_t kBatch = 64, kTest = 360;

/// 64-128-10 with one hidden layer.
nn::Sequential mlp() {
  return nn::Sequential(nn::Linear(64, 128), nn::ReLU(), nn::Linear(128, 10));
}

/// Two convolutions of 16 and 32 channels, the larger half of each 2 x 2, and a
/// layer over what is left.
nn::Sequential cnn() {
  nn::ConvOptions same;
  same.padding = 1;
  return nn::Sequential(
      nn::Conv2d(1, 16, 3, same), nn::ReLU(), nn::Conv2d(16, 32, 3, same),
      nn::ReLU(), nn::MaxPool2d(2), nn::Flatten(), nn::Linear(32 * 4 * 4, 10));
}

/// Traces the network with its training step and compiles it to `path`.
void build(const std::string &path, bool isCnn, int64_t lastBatch,
           graphc_dtype dtype, const graphc_compile_options &compile) {
  nn::Sequential net = isCnn ? cnn() : mlp();
  net->to(dtype);
  print(*net);
  std::cout << net->num_parameters() << " parameters\n";
  auto forward = [&](const Tensor &x) {
    return net(isCnn ? reshape(x, {-1, 1, 8, 8}) : x);
  };
  Tracer tracer("digits");
  tracer.add(net);
  tracer.function(
      "predict", [&](Tensor x) { return argmax(forward(x), 1); },
      input("images", dtype, {kTest, 64}));
  // The last batch of an epoch is smaller: a second size of the same step.
  tracer.batch_sizes({kBatch, lastBatch});
  tracer.function(
      "loss", [&](Tensor x, Tensor y) { return cross_entropy(forward(x), y); },
      input("images", dtype, {batch, 64}), input("labels", i64, {batch}));
  optim::SGDOptions sgd;
  sgd.momentum = 0.9;
  tracer.train("step", "loss", optim::SGD(0.1, sgd));
  tracer.compile(path, compile);
}

void run(const example::Options &options) {
  if (options.text("model") != "mlp" && options.text("model") != "cnn")
    options.fail("expects --model=mlp or cnn, but got '" +
                 options.text("model") + "'");
  int64_t epochs = options.number("epochs", 1);
  LoadOptions load;
  load.seed = static_cast<uint64_t>(options.number("seed"));
  load.threads = static_cast<uint32_t>(options.number("threads"));
  graphc_dtype dtype = options.dtype();
  DigitsData data = loadDigits(options.text("data"));
  for (Array *images : {&data.trainImages, &data.testImages})
    *images = Array::convert(*images, dtype);
  int64_t count = data.trainLabels.size();

  example::TemporaryFolder folder;
  std::string path = example::compileModel(
      folder, "digits.so", options.text("keep"), [&](const std::string &to) {
        build(to, options.text("model") == "cnn",
              count % kBatch ? count % kBatch : kBatch / 2, dtype,
              options.compileOptions());
      });

  Model model(path, load);
  Generator generator(load.seed);
  DataLoaderOptions loaderOptions;
  loaderOptions.batchSize = kBatch;
  loaderOptions.shuffle = true;
  DataLoader loader(TensorDataset({data.trainImages, data.trainLabels}),
                    loaderOptions, generator);
  Array loss = example::scalar(dtype);
  std::vector<double> losses;
  double start = example::seconds();
  for (int64_t epoch = 0; epoch < epochs; ++epoch) {
    double sum = 0;
    for (const Batch &batch : loader) {
      model.run("step", {batch[0], batch[1]}, {loss});
      sum += example::number(loss) * static_cast<double>(batch.size());
    }
    losses.push_back(sum / static_cast<double>(count));
    std::printf("epoch %2jd/%jd  train loss %.4f\n", std::intmax_t(epoch + 1),
                std::intmax_t(epochs), losses.back());
  }
  std::printf("trained %jd epochs of %jd images in %.2f s\n",
              std::intmax_t(epochs), std::intmax_t(count),
              example::seconds() - start);
  std::cout << plot(losses, "train loss by epoch");

  Array classes(GRAPHC_DTYPE_I64, {kTest});
  model.run("predict", {data.testImages}, {classes});
  int64_t right = 0;
  for (int64_t k = 0; k < kTest; ++k)
    right += classes.data<int64_t>()[k] == data.testLabels.data<int64_t>()[k];
  std::printf("test accuracy %.3f\n",
              static_cast<double>(right) / static_cast<double>(kTest));
}

} // namespace

int main(int argc, char **argv) {
  return example::runMain(argc, argv,
                          {{"model", "mlp"},
                           {"data", defaultDigitsPath()},
                           {"dtype", "f32"},
                           {"amp", "off"},
                           {"keep", ""},
                           {"epochs", "30"},
                           {"seed", "1"},
                           {"threads", "0"}},
                          run);
}
