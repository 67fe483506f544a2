// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of places: an LSTM reads a name letter by letter and says in which part
// of the world it lies. The names are those of the system's time zones.
//
//   names [--epochs=N] [--seed=N] [--threads=N] [--data=file]
//         [--keep=model.so]
#include <graphc/data.hpp>
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include <sstream>

#include "examples/common/Example.h"
#include "examples/common/Gzip.h"

using namespace graphc;

namespace {

// A letter is 1 to 26, any other sign 27; shorter names have zeros in front.
constexpr int64_t kLength = 16, kLetters = 28, kHidden = 64, kBatch = 32;

const std::vector<std::string> kRegions = {"Africa", "America", "Asia",
                                           "Europe", "Pacific"};

struct Net : nn::Module {
  /// Logits [N, regions] of names [N, kLength].
  Tensor forward(const Tensor &x) override {
    nn::RecurrentOutput read = lstm(letters(x));
    return fc(reshape(read.h_n, {-1, kHidden}));
  }
  static nn::RecurrentOptions batchFirst() {
    nn::RecurrentOptions options;
    options.batch_first = true;
    return options;
  }
  nn::Embedding letters =
      register_module("letters", nn::Embedding(kLetters, 16, 0));
  nn::LSTM lstm = register_module("lstm", nn::LSTM(16, kHidden, batchFirst()));
  nn::Linear fc = register_module(
      "fc", nn::Linear(kHidden, static_cast<int64_t>(kRegions.size())));
};

void build(const std::string &path) {
  Net net;
  print(net);
  std::cout << net.num_parameters() << " parameters\n";
  Tracer tracer("names");
  tracer.add(net);
  tracer.function(
      "predict", [&](Tensor x) { return argmax(net(x), 1); },
      input("names", i64, {1, kLength}));
  tracer.function(
      "loss", [&](Tensor x, Tensor y) { return cross_entropy(net(x), y); },
      input("names", i64, {kBatch, kLength}), input("regions", i64, {kBatch}));
  TrainOptions options;
  options.clip_norm = 1;
  tracer.train("step", "loss", optim::Adam(3e-3), options);
  tracer.compile(path);
}

void encode(const std::string &name, int64_t *out) {
  std::string end = name.substr(name.size() - std::min<size_t>(name.size(),
                                                              kLength));
  std::fill(out, out + kLength - end.size(), 0);
  for (size_t k = 0; k < end.size(); ++k) {
    int lower = std::tolower(static_cast<unsigned char>(end[k]));
    out[kLength - end.size() + k] =
        lower >= 'a' && lower <= 'z' ? lower - 'a' + 1 : 27;
  }
}

struct Place {
  std::string name;
  int64_t region;
};

/// The last parts of the zone names in `path`, the third column of a table.
std::vector<Place> readPlaces(const std::string &path) {
  std::istringstream lines(example::readFile(path));
  std::vector<Place> places;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream columns(line);
    std::string country, where, zone;
    if (line.empty() || line[0] == '#' || !(columns >> country >> where >> zone))
      continue;
    std::string region = zone.substr(0, zone.find('/'));
    auto known = std::find(kRegions.begin(), kRegions.end(), region);
    if (known != kRegions.end())
      places.push_back({zone.substr(zone.rfind('/') + 1),
                        known - kRegions.begin()});
  }
  if (places.size() < 2 * kBatch)
    throw Error(GRAPHC_CORRUPT, "'" + path + "' holds too few time zones");
  return places;
}

void run(const example::Options &options) {
  std::vector<Place> places = readPlaces(options.text("data"));
  example::TemporaryFolder folder;
  std::string path = example::compileModel(folder, "names.so",
                                           options.text("keep"), build);
  LoadOptions load;
  load.seed = static_cast<uint64_t>(options.number("seed"));
  load.threads = static_cast<uint32_t>(options.number("threads"));
  Model model(path, load);
  Generator generator(load.seed);

  // Every fifth name, in an order of its own, is for the test.
  std::vector<int64_t> order =
      generator.permutation(static_cast<int64_t>(places.size()));
  size_t tested = places.size() / 5, trained = places.size() - tested;
  auto count = static_cast<int64_t>(trained);
  Array names(GRAPHC_DTYPE_I64, {count, kLength});
  Array regions(GRAPHC_DTYPE_I64, {count});
  for (size_t k = 0; k < trained; ++k) {
    const Place &place = places[order[k]];
    encode(place.name, names.data<int64_t>() + k * kLength);
    regions.data<int64_t>()[k] = place.region;
  }
  DataLoaderOptions loaderOptions;
  loaderOptions.batchSize = kBatch;
  loaderOptions.shuffle = true;
  loaderOptions.dropLast = true;
  DataLoader loader(TensorDataset({names, regions}), loaderOptions, generator);
  Array loss(GRAPHC_DTYPE_F32, {});
  double start = example::seconds();
  int64_t epochs = options.number("epochs", 1);
  for (int64_t epoch = 0; epoch < epochs; ++epoch) {
    double sum = 0;
    int64_t batches = 0;
    for (const Batch &batch : loader) {
      model.run("step", {batch[0], batch[1]}, {loss});
      sum += *loss.data<float>();
      ++batches;
    }
    if ((epoch + 1) % 5 == 0 || epoch + 1 == epochs)
      std::printf("epoch %2jd/%jd  train loss %.4f\n", std::intmax_t(epoch + 1),
                  std::intmax_t(epochs), sum / static_cast<double>(batches));
  }
  std::printf("trained %zu names in %.2f s\n", trained,
              example::seconds() - start);

  Array name(GRAPHC_DTYPE_I64, {1, kLength}), region(GRAPHC_DTYPE_I64, {1});
  size_t right = 0;
  for (size_t k = trained; k < places.size(); ++k) {
    const Place &place = places[order[k]];
    encode(place.name, name.data<int64_t>());
    model.run("predict", {name}, {region});
    int64_t guess = *region.data<int64_t>();
    right += guess == place.region;
    if (k < trained + 5)
      std::printf("%-16s %-8s (%s)\n", place.name.c_str(),
                  kRegions[guess].c_str(), kRegions[place.region].c_str());
  }
  std::printf("test accuracy %.3f\n",
              static_cast<double>(right) / static_cast<double>(tested));
}

} // namespace

int main(int argc, char **argv) {
  example::Options options(argc, argv,
                           {{"data", "/usr/share/zoneinfo/zone.tab"},
                            {"keep", ""},
                            {"epochs", "30"},
                            {"seed", "1"},
                            {"threads", "0"}});
  return example::runMain([&] { run(options); });
}
