// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of places: an LSTM learns to spell them, letter by letter, and makes up
// new ones. The names are those of the system's time zones.
//
//   names [--epochs=N] [--seed=N] [--threads=N] [--data=file] [--print=N]
//         [--dropout=P] [--dtype=f32|f64] [--amp=off|bf16|f16] [--keep=model.so]
#include <graphc/data.hpp>
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include <set>
#include <sstream>

#include "examples/common/Example.h"
#include "examples/common/Gzip.h"

using namespace graphc;

namespace {

// A letter is 1 to 26, any other sign 27; 0 begins and ends a name.
constexpr int64_t kLength = 16, kLetters = 28, kHidden = 96, kBatch = 32;

struct Net : nn::Module {
  explicit Net(double dropout)
      : drop(register_module("drop", nn::Dropout(dropout))) {}
  /// Logits [N, L, letters] of the letter after each of [N, L].
  Tensor forward(const Tensor &x) override {
    return fc(drop(lstm(letters(x)).output));
  }
  static nn::RecurrentOptions batchFirst() {
    nn::RecurrentOptions options;
    options.batch_first = true;
    return options;
  }
  nn::Embedding letters =
      register_module("letters", nn::Embedding(kLetters, 24));
  nn::LSTM lstm = register_module("lstm", nn::LSTM(24, kHidden, batchFirst()));
  nn::Dropout drop;
  nn::Linear fc = register_module("fc", nn::Linear(kHidden, kLetters));
};

void build(const std::string &path, double dropout, graphc_dtype dtype,
           const graphc_compile_options &compile) {
  Net net(dropout);
  net.to(dtype);
  print(net);
  std::cout << net.num_parameters() << " parameters\n";
  Tracer tracer("names");
  tracer.add(net);
  tracer.function(
      "predict", [&](Tensor x) { return to(softmax(net(x), -1), f32); },
      input("letters", i64, {1, kLength}));
  // Letters after the end of a name, marked -100, do not count.
  tracer.function(
      "loss",
      [&](Tensor x, Tensor y) {
        return cross_entropy(reshape(net(x), {-1, kLetters}), flatten(y));
      },
      input("letters", i64, {kBatch, kLength}),
      input("next", i64, {kBatch, kLength}));
  TrainOptions options;
  options.clip_norm = 1;
  tracer.train("step", "loss", optim::AdamW(4e-3), options);
  tracer.compile(path, compile);
}

/// The last parts of the zone names in `path`, the third column of a table;
/// each once, in the order of the alphabet, those that fit.
std::vector<std::string> readNames(const std::string &path) {
  std::istringstream lines(example::readFile(path));
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream columns(line);
    std::string country, where, zone;
    if (line.empty() || line[0] == '#' ||
        !(columns >> country >> where >> zone))
      continue;
    std::string name = zone.substr(zone.rfind('/') + 1);
    if (name.size() < kLength)
      names.insert(name);
  }
  if (names.size() < 2 * kBatch)
    throw Error(GRAPHC_CORRUPT, "'" + path + "' holds too few time zones");
  return {names.begin(), names.end()};
}

int64_t encode(char sign) {
  int lower = std::tolower(static_cast<unsigned char>(sign));
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 1 : 27;
}

/// A name, letter by letter until it ends.
std::string makeUp(Model &model, Generator &generator) {
  Array letters(GRAPHC_DTYPE_I64, {1, kLength});
  Array next(GRAPHC_DTYPE_F32, {1, kLength, kLetters});
  std::fill_n(letters.data<int64_t>(), kLength, 0);
  std::string name;
  for (int64_t at = 0; at + 1 < kLength; ++at) {
    model.run("predict", {letters}, {next});
    const float *probabilities = next.data<float>() + at * kLetters;
    double drawn = generator.random() / 4294967296.0;
    int64_t letter = 0;
    while (letter + 1 < kLetters && (drawn -= probabilities[letter]) >= 0)
      ++letter;
    if (letter == 0)
      break;
    char sign = letter == 27 ? '_' : static_cast<char>('a' + letter - 1);
    bool isFirst = name.empty() || name.back() == '_';
    name += isFirst ? static_cast<char>(std::toupper(sign)) : sign;
    letters.data<int64_t>()[at + 1] = letter;
  }
  return name;
}

void run(const example::Options &options) {
  LoadOptions load;
  load.seed = static_cast<uint64_t>(options.number("seed"));
  load.threads = static_cast<uint32_t>(options.number("threads"));
  int64_t epochs = options.number("epochs", 1);
  int64_t print = options.number("print");
  graphc_dtype dtype = options.dtype();
  double dropout = options.probability("dropout");
  std::vector<std::string> names = readNames(options.text("data"));
  example::TemporaryFolder folder;
  std::string path = example::compileModel(
      folder, "names.so", options.text("keep"), [&](const std::string &to) {
        build(to, dropout, dtype, options.compileOptions());
      });
  Model model(path, load);
  Generator generator(load.seed);

  auto count = static_cast<int64_t>(names.size());
  Array letters(GRAPHC_DTYPE_I64, {count, kLength});
  Array next(GRAPHC_DTYPE_I64, {count, kLength});
  for (int64_t n = 0; n < count; ++n) {
    int64_t *from = letters.data<int64_t>() + n * kLength;
    int64_t *to = next.data<int64_t>() + n * kLength;
    std::fill_n(from, kLength, 0);
    std::fill_n(to, kLength, -100);
    const std::string &name = names[n];
    for (size_t k = 0; k < name.size(); ++k)
      from[k + 1] = to[k] = encode(name[k]);
    to[name.size()] = 0;
  }
  DataLoaderOptions loaderOptions;
  loaderOptions.batchSize = kBatch;
  loaderOptions.shuffle = true;
  loaderOptions.dropLast = true;
  DataLoader loader(TensorDataset({letters, next}), loaderOptions, generator);
  Array loss = example::scalar(dtype);
  double start = example::seconds(), mean = 0;
  for (int64_t epoch = 0; epoch < epochs; ++epoch) {
    double sum = 0;
    int64_t batches = 0;
    for (const Batch &batch : loader) {
      model.run("step", {batch[0], batch[1]}, {loss});
      sum += example::number(loss);
      ++batches;
    }
    mean = sum / static_cast<double>(batches);
    if ((epoch + 1) % 10 == 0 || epoch + 1 == epochs)
      std::printf("epoch %3jd/%jd  train loss %.4f\n", std::intmax_t(epoch + 1),
                  std::intmax_t(epochs), mean);
  }
  std::printf("trained %jd names in %.2f s\nnew names:", std::intmax_t(count),
              example::seconds() - start);
  for (int64_t k = print; k > 0; --k)
    std::printf(" %s", makeUp(model, generator).c_str());
  std::printf("\nloss %.3f\n", mean);
}

} // namespace

int main(int argc, char **argv) {
  return example::runMain(argc, argv,
                          {{"data", "/usr/share/zoneinfo/zone.tab"},
                           {"keep", ""},
                           {"dropout", "0.3"},
                           {"dtype", "f32"},
                           {"amp", "off"},
                           {"epochs", "60"},
                           {"print", "10"},
                           {"seed", "1"},
                           {"threads", "0"}},
                          run);
}
