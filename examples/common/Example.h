// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the examples share: options, a temporary folder, a clock.
#ifndef GRAPHC_EXAMPLES_COMMON_EXAMPLE_H
#define GRAPHC_EXAMPLES_COMMON_EXAMPLE_H

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "graphc/data.hpp"

namespace example {

/// The user asked for what there is not.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `--name=value` options. What is not one of them throws UsageError.
class Options {
public:
  /// `defaults` holds each option's name and value.
  Options(int argc, char **argv, std::map<std::string, std::string> defaults)
      : program(std::filesystem::path(argv[0]).filename().string()),
        defaults(std::move(defaults)), values(this->defaults) {
    for (int k = 1; k < argc; ++k) {
      const char *equals = std::strchr(argv[k], '=');
      std::string name(argv[k], equals ? equals - argv[k] : 0);
      auto known =
          name.rfind("--", 0) == 0 ? values.find(name.substr(2)) : values.end();
      if (known == values.end())
        fail(std::string("expects an option, but got '") + argv[k] + "'");
      known->second = equals + 1;
    }
  }

  const std::string &text(const std::string &name) const {
    return values.at(name);
  }
  /// A whole number of at least `low`.
  int64_t number(const std::string &name, int64_t low = 0) const {
    const std::string &text = values.at(name);
    int64_t number = 0;
    const char *last = text.data() + text.size();
    auto [end, error] = std::from_chars(text.data(), last, number);
    if (end != last || error != std::errc() || number < low)
      fail("expects --" + name + " to be a number of at least " +
           std::to_string(low) + ", but got '" + text + "'");
    return number;
  }

  /// f32 or f64, the elements of the model and its data.
  graphc_dtype dtype() const {
    const std::string &text = values.at("dtype");
    if (text != "f32" && text != "f64")
      fail("expects --dtype=f32 or f64, but got '" + text + "'");
    return text == "f32" ? GRAPHC_DTYPE_F32 : GRAPHC_DTYPE_F64;
  }
  /// How the model is compiled: in mixed precision, with --amp. Borrows from
  /// the options.
  graphc_compile_options compileOptions() const {
    const std::string &text = values.at("amp");
    if (text != "off" && text != "bf16" && text != "f16")
      fail("expects --amp=off, bf16 or f16, but got '" + text + "'");
    graphc_compile_options options = {};
    options.amp = text == "off" ? nullptr : text.c_str();
    return options;
  }
  /// A probability.
  double probability(const std::string &name) const {
    const std::string &text = values.at(name);
    char *end = nullptr;
    double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || !(number >= 0 && number <= 1))
      fail("expects --" + name + " to be a number from 0 to 1, but got '" +
           text + "'");
    return number;
  }

  [[noreturn]] void fail(const std::string &message) const {
    std::string usage = program + ": " + message + "\nusage: " + program;
    for (const auto &[name, value] : defaults)
      usage += " [--" + name + "=" + (value.empty() ? "..." : value) + "]";
    throw UsageError(usage);
  }

private:
  std::string program;
  std::map<std::string, std::string> defaults, values;
};

/// A folder that goes with this object.
class TemporaryFolder {
public:
  TemporaryFolder()
      : path((std::filesystem::temp_directory_path() / "graphc-XXXXXX")
                 .string()) {
    if (!mkdtemp(path.data()))
      throw std::runtime_error("cannot make a temporary folder");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }

private:
  std::string path;
};

/// An array of one element of `dtype`, f32 or f64.
inline graphc::Array scalar(graphc_dtype dtype, double value = 0) {
  return graphc::Array::convert(graphc::Array::from<double>({}, {value}),
                                dtype);
}
/// The element of such an array.
inline double number(const graphc::Array &scalar) {
  return scalar.dtype() == GRAPHC_DTYPE_F32 ? *scalar.data<float>()
                                            : *scalar.data<double>();
}

inline double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Calls `build(path)` for a model library in `keep`, or in `folder` if that is
/// empty, and says how long that took. Returns the path.
template <class Build>
std::string compileModel(const TemporaryFolder &folder, const std::string &name,
                         const std::string &keep, Build build) {
  std::string path = keep.empty() ? folder / name : keep;
  double start = seconds();
  build(path);
  std::printf("compiled to %s (%ju bytes) in %.2f s\n",
              keep.empty() ? name.c_str() : path.c_str(),
              std::uintmax_t(std::filesystem::file_size(path)),
              seconds() - start);
  std::fflush(stdout);
  return path;
}

/// Runs `program(options)`. An exception becomes a message and status 1, one of
/// the options the usage and status 2.
template <class Program>
int runMain(int argc, char **argv, std::map<std::string, std::string> defaults,
            Program program) {
  try {
    program(Options(argc, argv, std::move(defaults)));
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return dynamic_cast<const UsageError *>(&error) ? 2 : 1;
  }
}

} // namespace example

#endif // GRAPHC_EXAMPLES_COMMON_EXAMPLE_H
