// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fashion-MNIST: a small ResNet with batch norm on 60,000 images of clothes,
// tested on 10,000. The data is Debian's package dataset-fashion-mnist.
//
//   fashion [--epochs=N] [--images=N] [--seed=N] [--threads=N] [--data=folder]
//           [--dtype=f32|f64] [--amp=off|bf16|f16] [--keep=model.so]
#include <graphc/data.hpp>
#include <graphc/lr_scheduler.hpp>
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include "examples/common/Example.h"
#include "examples/fashion/Idx.h"

using namespace graphc;

namespace {

constexpr int64_t kBatch = 100, kSide = 28, kClasses = 10;

nn::Conv2d conv(int64_t in, int64_t out, int64_t size, int64_t stride) {
  nn::ConvOptions options;
  options.stride = stride;
  options.padding = size / 2;
  options.bias = false; // The batch norm after it has one.
  return nn::Conv2d(in, out, size, options);
}

/// Two convolutions around which the input goes, through one of size 1 where
/// the shape changes.
struct Block : nn::Module {
  Block(int64_t in, int64_t out, int64_t stride)
      : conv1(register_module("conv1", conv(in, out, 3, stride))),
        bn1(register_module("bn1", nn::BatchNorm2d(out))),
        conv2(register_module("conv2", conv(out, out, 3, 1))),
        bn2(register_module("bn2", nn::BatchNorm2d(out))) {
    if (in != out || stride != 1)
      shortcut =
          register_module("shortcut", nn::Sequential(conv(in, out, 1, stride),
                                                     nn::BatchNorm2d(out)));
  }
  Tensor forward(const Tensor &x) override {
    Tensor y = bn2(conv2(relu(bn1(conv1(x)))));
    return relu(y + (shortcut->named_children().empty() ? x : shortcut(x)));
  }
  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  nn::Conv2d conv2;
  nn::BatchNorm2d bn2;
  nn::Sequential shortcut;
};

struct ResNet : nn::Module {
  ResNet()
      : stem(register_module("stem",
                             nn::Sequential(conv(1, 16, 3, 2),
                                            nn::BatchNorm2d(16), nn::ReLU()))),
        blocks(register_module(
            "blocks", nn::Sequential(std::make_shared<Block>(16, 16, 1),
                                     std::make_shared<Block>(16, 32, 2),
                                     std::make_shared<Block>(32, 64, 2)))),
        pool(register_module("pool", nn::AdaptiveAvgPool2d(1))),
        fc(register_module("fc", nn::Linear(64, kClasses))) {}
  Tensor forward(const Tensor &x) override {
    Tensor image = reshape(x, {-1, 1, kSide, kSide});
    return fc(flatten(pool(blocks(stem(image))), 1));
  }
  nn::Sequential stem, blocks;
  nn::AdaptiveAvgPool2d pool;
  nn::Linear fc;
};

void build(const std::string &path, graphc_dtype dtype,
           const graphc_compile_options &compile) {
  ResNet net;
  net.to(dtype);
  print(net);
  std::cout << net.num_parameters() << " parameters\n";
  Tracer tracer("fashion");
  tracer.add(net);
  tracer.function(
      "predict", [&](Tensor x) { return argmax(net(x), 1); },
      input("images", dtype, {kBatch, kSide, kSide}));
  tracer.function(
      "loss", [&](Tensor x, Tensor y) { return cross_entropy(net(x), y); },
      input("images", dtype, {kBatch, kSide, kSide}),
      input("labels", i64, {kBatch}));
  optim::SGDOptions sgd;
  sgd.momentum = 0.9;
  sgd.nesterov = true;
  sgd.weight_decay = 5e-4;
  tracer.train("step", "loss", optim::SGD(0.1, sgd));
  tracer.compile(path, compile);
}

Array firstRows(const Array &all, int64_t count) {
  Array::Shape shape;
  return Array::convert(all.rows(0, count, shape), all.dtype());
}

void run(const example::Options &options) {
  LoadOptions load;
  load.seed = static_cast<uint64_t>(options.number("seed"));
  load.threads = static_cast<uint32_t>(options.number("threads"));
  int64_t epochs = options.number("epochs", 1);
  int64_t most = options.number("images", kBatch);
  graphc_dtype dtype = options.dtype();
  std::string folder = options.text("data") + "/";
  Array images = loadIdx<float>(folder + "train-images-idx3-ubyte.gz");
  Array labels = loadIdx<int64_t>(folder + "train-labels-idx1-ubyte.gz");
  Array testImages = loadIdx<float>(folder + "t10k-images-idx3-ubyte.gz");
  Array testLabels = loadIdx<int64_t>(folder + "t10k-labels-idx1-ubyte.gz");
  int64_t count = std::min(most, labels.size());
  images = Array::convert(firstRows(images, count), dtype);
  testImages = Array::convert(testImages, dtype);
  labels = firstRows(labels, count);

  example::TemporaryFolder temporary;
  std::string path =
      example::compileModel(temporary, "fashion.so", options.text("keep"),
                            [&](const std::string &to) {
                              build(to, dtype, options.compileOptions());
                            });
  Model model(path, load);
  Generator generator(load.seed);
  DataLoaderOptions loaderOptions;
  loaderOptions.batchSize = kBatch;
  loaderOptions.shuffle = true;
  loaderOptions.dropLast = true;
  DataLoader loader(TensorDataset({images, labels}), loaderOptions, generator);

  // Up to the learning rate and down to nearly 0 again, over all steps.
  int64_t steps = count / kBatch;
  lr_scheduler::OneCycleLR schedule(0.2, epochs * steps);
  Array loss = example::scalar(dtype);
  double start = example::seconds();
  int64_t step = 0;
  for (int64_t epoch = 0; epoch < epochs; ++epoch) {
    double sum = 0;
    for (const Batch &batch : loader) {
      model.setVariable("step.lr", example::scalar(dtype, schedule.at(step++)));
      model.run("step", {batch[0], batch[1]}, {loss});
      sum += example::number(loss);
    }
    std::printf("epoch %jd/%jd  train loss %.4f  %.1f s\n",
                std::intmax_t(epoch + 1), std::intmax_t(epochs),
                sum / static_cast<double>(steps), example::seconds() - start);
    std::fflush(stdout);
  }

  Array classes(GRAPHC_DTYPE_I64, {kBatch});
  int64_t right = 0, tested = testLabels.size() / kBatch * kBatch;
  for (int64_t k = 0; k < tested; k += kBatch) {
    Array::Shape shape;
    model.run("predict", {testImages.rows(k, k + kBatch, shape)}, {classes});
    for (int64_t i = 0; i < kBatch; ++i)
      right += classes.data<int64_t>()[i] == testLabels.data<int64_t>()[k + i];
  }
  std::printf("test accuracy %.4f after %.0f s\n",
              static_cast<double>(right) / static_cast<double>(tested),
              example::seconds() - start);
}

} // namespace

int main(int argc, char **argv) {
  return example::runMain(argc, argv,
                          {{"data", "/usr/share/datasets/fashion-mnist"},
                           {"keep", ""},
                           {"dtype", "f32"},
                           {"amp", "off"},
                           {"epochs", "3"},
                           {"images", "60000"},
                           {"seed", "1"},
                           {"threads", "0"}},
                          run);
}
