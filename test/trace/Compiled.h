// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traced models compiled in this process and run at once.
#ifndef GRAPHC_TEST_TRACE_COMPILED_H
#define GRAPHC_TEST_TRACE_COMPILED_H

#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace graphc::test {

/// A folder that goes with its owner.
class Folder {
public:
  Folder() {
    char name[] = "/tmp/graphc-trace-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { (void)!std::system(("rm -rf '" + path_ + "'").c_str()); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string file(const std::string &name) const { return path_ + "/" + name; }
  /// Names in the folder, one on a line.
  std::string list() const;

private:
  std::string path_;
};

inline std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void writeFile(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}
inline std::string Folder::list() const {
  std::string out = file(".list");
  (void)!std::system(("ls '" + path_ + "' > '" + out + "'").c_str());
  std::string text = readFile(out);
  std::remove(out.c_str());
  return text;
}

inline Model load(const Tracer &tracer, const LoadOptions &options = {}) {
  Folder folder;
  tracer.compile(folder.file("m.so"));
  return Model(folder.file("m.so"), options);
}

/// What `<<` writes of a module, as PyTorch's print() does.
template <class M> std::string printed(const M &module) {
  std::ostringstream os;
  os << module;
  return os.str();
}

/// The message of the error that `body` ends in, or "no error".
inline std::string messageOf(const std::function<void()> &body) {
  try {
    body();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

/// Elements and shape in one, as a model takes and gives them.
template <class T> struct Values {
  Values(std::vector<int64_t> shape, std::vector<T> data)
      : shape(std::move(shape)), data(std::move(data)) {}
  explicit Values(const ValueInfo &like) : shape(like.shape) {
    size_t count = 1;
    for (int64_t size : shape)
      count *= size;
    data.resize(count);
    dtype = like.dtype;
  }
  operator graphc_tensor() {
    return {dtype, static_cast<uint32_t>(shape.size()), shape.data(), nullptr,
            data.data()};
  }

  std::vector<int64_t> shape;
  std::vector<T> data;
  graphc_dtype dtype = std::is_same_v<T, float>     ? f32
                       : std::is_same_v<T, double>  ? f64
                       : std::is_same_v<T, int64_t> ? i64
                       : std::is_same_v<T, int32_t> ? i32
                                                    : ui8;
};

/// Elements of each result of `name`, which all have the type T.
template <class T>
std::vector<std::vector<T>>
results(Model &model, const std::string &name,
        const std::vector<graphc_tensor> &inputs = {}) {
  std::vector<Values<T>> outputs;
  for (const ValueInfo &info : model.function(name).outputs)
    outputs.emplace_back(info);
  std::vector<graphc_tensor> views(outputs.begin(), outputs.end());
  model.run(name, inputs, views);
  std::vector<std::vector<T>> all;
  for (const Values<T> &output : outputs)
    all.push_back(output.data);
  return all;
}

} // namespace graphc::test

#endif // GRAPHC_TEST_TRACE_COMPILED_H
