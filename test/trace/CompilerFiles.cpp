// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What graphc/compiler.h reads and writes: hostile text, full disks, options of
// other versions, small stacks.
#include "Compiled.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <functional>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace graphc;
using namespace graphc::test;

namespace {

std::unique_ptr<graphc_module, graphc::detail::DestroyModule>
read(const std::string &text) {
  graphc_module *module = nullptr;
  graphc_module_read(text.data(), text.size(), "in.mlir", &module);
  return std::unique_ptr<graphc_module, graphc::detail::DestroyModule>(module);
}

const char kModel[] = R"(
module @small {
  graph.variable @w : tensor<4xf32> = #graph.zeros trainable
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %w = graph.get @w : tensor<4xf32>
    %y = graph.add %x, %w : tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
)";

/// A limit on file sizes refuses a write as a full disk does.
graphc_status onFullDisk(size_t bytes,
                         const std::function<graphc_status()> &body) {
  rlimit saved, small;
  getrlimit(RLIMIT_FSIZE, &saved);
  small = saved;
  small.rlim_cur = bytes;
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  graphc_status status = body();
  setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, handler);
  return status;
}

TEST(CompilerFiles, FullDiskKeepsTheOldFile) {
  auto module = read(kModel);
  ASSERT_TRUE(module) << graphc_error_message();
  Folder folder;
  std::string path = folder.file("m");
  for (bool compiles : {false, true}) {
    writeFile(path, "old");
    graphc_status status = onFullDisk(16, [&] {
      return compiles
                 ? graphc_module_compile(module.get(), nullptr, path.c_str())
                 : graphc_module_save(module.get(), path.c_str());
    });
    // The linker needs the disk as well, before there is anything to write.
    if (!compiles)
      EXPECT_EQ(status, GRAPHC_IO_ERROR) << graphc_error_message();
    EXPECT_NE(status, GRAPHC_OK);
    EXPECT_EQ(readFile(path), "old");
    EXPECT_EQ(folder.list(), "m\n") << "no temporary file is left";
  }
}

TEST(CompilerFiles, EachPathIsWhatItSays) {
  auto module = read(kModel);
  ASSERT_TRUE(module) << graphc_error_message();
  const char *text = nullptr;
  ASSERT_EQ(graphc_module_text(module.get(), &text), GRAPHC_OK);
  std::string want = text;
  Folder folder;
  auto save = [&](const std::string &path) {
    return graphc_module_save(module.get(), path.c_str());
  };
  EXPECT_EQ(save(""), GRAPHC_IO_ERROR);
  EXPECT_EQ(save(folder.file("")), GRAPHC_IO_ERROR);
  EXPECT_EQ(save(folder.file("none/m")), GRAPHC_IO_ERROR);
  EXPECT_NE(std::string(graphc_error_message()).find(folder.file("none/m")),
            std::string::npos);
  // Through links, also to what is not there yet.
  ASSERT_EQ(symlink("target", folder.file("link").c_str()), 0);
  ASSERT_EQ(symlink(folder.file("link").c_str(), folder.file("chain").c_str()),
            0);
  struct stat status;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(save(folder.file("chain")), GRAPHC_OK) << graphc_error_message();
    EXPECT_EQ(readFile(folder.file("target")), want);
    EXPECT_EQ(folder.list(), "chain\nlink\ntarget\n");
    ASSERT_EQ(lstat(folder.file("link").c_str(), &status), 0);
    EXPECT_TRUE(S_ISLNK(status.st_mode));
  }
  ASSERT_EQ(chmod(folder.file("target").c_str(), 0751), 0);
  EXPECT_EQ(save(folder.file("link")), GRAPHC_OK);
  ASSERT_EQ(stat(folder.file("target").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0751u);
  ASSERT_EQ(symlink("loop", folder.file("loop").c_str()), 0);
  EXPECT_EQ(save(folder.file("loop")), GRAPHC_IO_ERROR);
  // A device stays one.
  EXPECT_EQ(save("/dev/null"), GRAPHC_OK);
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(save("/dev/full"), GRAPHC_IO_ERROR);
  // "-" is a file like others here.
  char *before = getcwd(nullptr, 0);
  ASSERT_EQ(chdir(folder.file("").c_str()), 0);
  EXPECT_EQ(save("-"), GRAPHC_OK);
  EXPECT_EQ(readFile(folder.file("-")), want);
  ASSERT_EQ(chdir(before), 0);
  std::free(before);
}

std::string repeated(const std::string &text, int count) {
  std::string all;
  for (int k = 0; k < count; ++k)
    all += text;
  return all;
}

// Each once crashed MLIR, hung it or was accepted.
TEST(CompilerFiles, HostileTextIsALocatedError) {
  const int n = 40000;
  for (const std::string &text : {
           repeated("builtin.module {", n) + repeated("}", n),
           "func.func private @f(" + repeated("tuple<", n) + "i32" +
               repeated(">", n) + ")",
           std::string("%0 = arith.addi %0, %0 : i32"),
           std::string("func.func @f(%x: tensor<4611686018427387904x4xf32>)"),
           std::string("func.func @f(%x: tensor<?xf32>) { return }"),
           std::string("module {}\0", 10),
           std::string("\xff\xfe func"),
           std::string("ML\xefR\0\0", 6),
           std::string("module { graph.variable @w : tensor<2xf32> = 7 }"),
           std::string("func.func @f() attributes {\"a\" = #graph.nonsense} "),
       }) {
    auto module = read(text);
    EXPECT_FALSE(module) << text.substr(0, 60);
    EXPECT_EQ(std::string(graphc_error_message()).substr(0, 10), "in.mlir:1:")
        << graphc_error_message();
  }
}

TEST(CompilerFiles, AttributeTextIsHeldToTheSameLimits) {
  const int n = 200000;
  std::string deep = "{a = " + repeated("[", n) + repeated("]", n) + "}";
  const graphc_source source = {"app.c", 7, 0};
  auto module = read(kModel);
  ASSERT_TRUE(module);
  graphc_value x = -1;
  const int64_t dims[] = {4};
  const graphc_tensor_type type = {f32, 1, dims};
  ASSERT_EQ(graphc_function_begin(module.get(), "g", &type, nullptr, 1, nullptr,
                                  0, &source, &x),
            GRAPHC_OK);
  auto expectRefused = [&](graphc_status status) {
    EXPECT_EQ(status, GRAPHC_COMPILE_ERROR);
    EXPECT_NE(std::strstr(graphc_error_message(), "app.c:7: error:"), nullptr)
        << graphc_error_message();
  };
  expectRefused(graphc_build_op(module.get(), "graph.neg", &x, 1, deep.c_str(),
                                nullptr, 0, &source, &x));
  expectRefused(graphc_module_add_variable(module.get(), "v", &type,
                                           deep.c_str(), 1, &source));
  expectRefused(graphc_module_add_train(module.get(), "t", "f", deep.c_str(),
                                        nullptr, &source));
}

struct OnThread {
  std::function<void()> body;
};
void runOnSmallStack(std::function<void()> body) {
  OnThread task{std::move(body)};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 64 << 10), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void *raw) -> void * {
                  static_cast<OnThread *>(raw)->body();
                  return nullptr;
                },
                &task),
            0);
  pthread_join(thread, nullptr);
}

TEST(CompilerFiles, TheCallersStackMayBeSmall) {
  Folder folder;
  std::string path = folder.file("m.so");
  std::string nested = "module attributes {a = " + repeated("[", 50) + "1" +
                       repeated("]", 50) + "} {" + kModel + "}";
  graphc_status status = GRAPHC_INTERNAL;
  runOnSmallStack([&] {
    auto module = read(kModel);
    if (module)
      status = graphc_module_compile(module.get(), nullptr, path.c_str());
    EXPECT_EQ(status, GRAPHC_OK) << graphc_error_message();
    read(nested); // An error or not.
  });
  EXPECT_EQ(Model(path).function("f").inputs.size(), 1u);
}

TEST(CompilerFiles, OptionsOfOtherVersions) {
  auto module = read(kModel);
  ASSERT_TRUE(module);
  Folder folder;
  std::string path = folder.file("m.so");
  struct Newer {
    graphc_compile_options known;
    uint64_t next;
  } options = {};
  auto compile = [&] {
    return graphc_module_compile(module.get(), &options.known, path.c_str());
  };
  EXPECT_EQ(compile(), GRAPHC_INVALID_ARGUMENT); // No size.
  EXPECT_NE(std::strstr(graphc_error_message(), "struct_bytes"), nullptr);
  options.known.struct_bytes = sizeof(options);
  EXPECT_EQ(compile(), GRAPHC_OK) << graphc_error_message();
  options.next = 1;
  EXPECT_EQ(compile(), GRAPHC_UNSUPPORTED);
  // An older header's struct ends before these.
  options.known.struct_bytes = offsetof(graphc_compile_options, cpu);
  options.known.cpu = "pentium";
  options.known.optimization_level = 77;
  options.known.target_triple = "pdp11";
  EXPECT_EQ(compile(), GRAPHC_OK) << graphc_error_message();
  options.known.struct_bytes = sizeof(options.known);
  EXPECT_EQ(compile(), GRAPHC_INVALID_ARGUMENT); // The level.
  options.known.optimization_level = 0;
  EXPECT_EQ(compile(), GRAPHC_COMPILE_ERROR);
  EXPECT_NE(std::strstr(graphc_error_message(), "pdp11"), nullptr);
  options.known.target_triple = nullptr;
  EXPECT_EQ(compile(), GRAPHC_COMPILE_ERROR);
  EXPECT_NE(std::strstr(graphc_error_message(), "pentium"), nullptr);
}

TEST(CompilerFiles, OptionsReachTheCompiler) {
  auto module = read(kModel);
  ASSERT_TRUE(module);
  Folder folder;
  std::string path = folder.file("m.so");
  graphc_compile_options options = {};
  options.struct_bytes = sizeof(options);
  options.cpu = "x86-64-v2";
  options.max_threads = 3;
  ASSERT_EQ(graphc_module_compile(module.get(), &options, path.c_str()),
            GRAPHC_OK)
      << graphc_error_message();
  EXPECT_STREQ(Model(path).info().level, "x86-64-v2");
  LoadOptions threads;
  threads.threads = 4;
  EXPECT_THROW(Model(path, threads), Error);
  std::string v2 = readFile(path);
  options.optimization_level = 1;
  ASSERT_EQ(graphc_module_compile(module.get(), &options, path.c_str()),
            GRAPHC_OK);
  EXPECT_NE(readFile(path), v2);
}

TEST(CompilerFiles, MathAndMachineReachTheCompiler) {
  auto module = read("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                     "  %y = graph.tanh %x : tensor<4xf32>\n"
                     "  return %y : tensor<4xf32>\n"
                     "}\n");
  ASSERT_TRUE(module);
  Folder folder;
  std::string path = folder.file("m.so");
  graphc_compile_options options = {};
  options.struct_bytes = sizeof(options);
  auto compile = [&] {
    ASSERT_EQ(graphc_module_compile(module.get(), &options, path.c_str()),
              GRAPHC_OK)
        << graphc_error_message();
  };
  // The name of a function of libm that is called.
  auto callsLibm = [&] {
    return readFile(path).find("tanhf") != std::string::npos;
  };
  compile();
  EXPECT_FALSE(callsLibm());
  options.strict_math = 1;
  compile();
  EXPECT_TRUE(callsLibm());
  // e_machine of ELF.
  auto machine = [&] { return readFile(path).at(18); };
  EXPECT_EQ(machine(), 62);
  options.target_triple = "aarch64-linux-gnu";
  compile();
  EXPECT_EQ(machine(), char(183));
}

TEST(CompilerFiles, MixedPrecisionIsAnOption) {
  Folder folder;
  std::string path = folder.file("m.so");
  Tracer tracer("m");
  nn::Parameter w = tracer.variable("w", {{1.0f, 2.0f}, {3.0f, 4.0f}});
  tracer.function(
      "f", [&](Tensor x) { return matmul(x, Tensor(w)); },
      input("x", f32, {1, 2}));
  graphc_compile_options options = {};
  options.struct_bytes = sizeof(options);
  // bf16 has 8 bits: 1 + 2^-10 is 1.
  Values<float> x({1, 2}, {1.0009765625f, 0.0f}), y({1, 2}, {0, 0});
  for (auto [amp, want] : {std::pair<const char *, float>{nullptr, x.data[0]},
                           {"bf16", 1.0f},
                           {"f16", x.data[0]}}) {
    options.amp = amp;
    tracer.compile(path, options);
    Model(path).run("f", {x}, {y});
    EXPECT_EQ(y.data[0], want) << (amp ? amp : "none");
  }
  options.amp = "f8";
  EXPECT_THROW(tracer.compile(path, options), Error);
}

TEST(CompilerFiles, MessagesOfTheCompilerAreLocatedInTheProgram) {
  Folder folder;
  std::string path = folder.file("m.so");
  Tracer tracer("m");
  nn::Parameter w = tracer.variable("w", {1.0f, 2.0f});
  tracer.function("f", [&] { return sum(Tensor(w) * 2); });
  EXPECT_EQ(tracer.compile(path), "");
  // A trainable variable that the loss does not reach is a warning.
  tracer.train("step", "f", optim::SGD(0.1));
  tracer.variable("unused", {1.0f});
  std::string warnings = tracer.compile(path);
  EXPECT_NE(warnings.find(": warning: "), std::string::npos) << warnings;
  EXPECT_NE(warnings.find("unused"), std::string::npos) << warnings;
  EXPECT_NE(warnings.find("CompilerFiles.cpp:"), std::string::npos) << warnings;

  auto errorOf = [&](const std::string &to, graphc_compile_options options) {
    try {
      tracer.compile(to, options);
    } catch (const Error &error) {
      return std::string(graphc_status_name(error.status())) + " " +
             error.what();
    }
    return std::string();
  };
  writeFile(path, "old");
  graphc_compile_options options = {};
  EXPECT_EQ(errorOf(folder.file("none/m.so"), options).substr(0, 15),
            "GRAPHC_IO_ERROR");
  // What tracing takes, but the limits of a model do not.
  std::string at = "CompilerFiles.cpp:" + std::to_string(__LINE__ + 1);
  tracer.variable(std::string(300, 'n'), {1.0f});
  std::string error = errorOf(path, options);
  EXPECT_EQ(error.substr(0, 20), "GRAPHC_COMPILE_ERROR") << error;
  EXPECT_NE(error.find(at), std::string::npos) << error;
  EXPECT_EQ(readFile(path), "old");
}

// What is saved is what graphc compiles, to the same bytes.
TEST(CompilerFiles, SavedTextCompilesToTheSameFile) {
  Tracer tracer("m");
  nn::Sequential net(nn::Linear(4, 8), nn::Tanh(), nn::Linear(8, 3));
  tracer.add(net);
  tracer.batch_sizes({8, 5});
  tracer.function(
      "loss", [&](Tensor x, Tensor y) { return cross_entropy(net(x), y); },
      input("x", f32, {batch, 4}), input("y", i64, {batch}));
  tracer.train("step", "loss", optim::SGD(0.1));
  Folder folder;
  std::string text = folder.file("m.mlir"), direct = folder.file("direct.so"),
              saved = folder.file("saved.so");
  tracer.save(text);
  EXPECT_EQ(readFile(text), tracer.text());
  tracer.compile(direct);
  std::string command =
      std::string(GRAPHC_PROGRAM) + " '" + text + "' -o '" + saved + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  EXPECT_FALSE(readFile(direct).empty());
  EXPECT_TRUE(readFile(direct) == readFile(saved));
  EXPECT_EQ(Model(saved).function("step").inputs.size(), 2u);
}

/// Bytes of constants and variables are counted: too few must not be a splat.
TEST(CompilerFiles, DataFitsItsType) {
  auto module = read(kModel);
  ASSERT_TRUE(module);
  const graphc_source source = {"app.c", 7, 0};
  const int64_t dims[] = {10};
  const float floats[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const uint8_t flags[10] = {1, 0, 1, 0, 0, 1, 1, 0, 0, 1};
  const graphc_tensor_type vector = {f32, 1, dims}, mask = {i1, 1, dims};
  auto add = [&](const char *name, const graphc_tensor_type &type,
                 const void *data, size_t bytes) {
    return graphc_module_add_variable_data(module.get(), name, &type, data,
                                           bytes, 0, &source);
  };
  for (size_t bytes :
       {size_t(0), sizeof(float), sizeof(floats) - 1, sizeof(floats) + 1})
    EXPECT_EQ(add("v", vector, floats, bytes), GRAPHC_COMPILE_ERROR) << bytes;
  EXPECT_EQ(add("v", vector, floats, sizeof(floats)), GRAPHC_OK);
  for (size_t bytes : {1, 2, 9, 11})
    EXPECT_EQ(add("mask", mask, flags, bytes), GRAPHC_COMPILE_ERROR) << bytes;
  EXPECT_EQ(add("mask", mask, flags, sizeof(flags)), GRAPHC_OK)
      << graphc_error_message();
  graphc_value value = 77;
  ASSERT_EQ(graphc_function_begin(module.get(), "g", nullptr, nullptr, 0,
                                  nullptr, 0, &source, nullptr),
            GRAPHC_OK);
  EXPECT_EQ(
      graphc_build_constant(module.get(), &vector, floats, 4, &source, &value),
      GRAPHC_COMPILE_ERROR);
  EXPECT_EQ(value, 77);
  EXPECT_EQ(
      graphc_build_constant(module.get(), &mask, flags, 10, &source, &value),
      GRAPHC_OK);
  EXPECT_EQ(graphc_function_end(module.get(), &value, nullptr, 1), GRAPHC_OK);
  Folder folder;
  ASSERT_EQ(
      graphc_module_compile(module.get(), nullptr, folder.file("m.so").c_str()),
      GRAPHC_OK)
      << graphc_error_message();
  Model model(folder.file("m.so"));
  std::vector<uint8_t> want(flags, flags + 10);
  EXPECT_EQ(results<uint8_t>(model, "g")[0], want);
  Values<uint8_t> got({10}, std::vector<uint8_t>(10));
  got.dtype = i1;
  model.getVariable("mask", got);
  EXPECT_EQ(got.data, want);
}

/// A call that fails leaves nothing in the module.
TEST(CompilerFiles, WrongResultCountsLeaveTheModule) {
  auto module = read(kModel);
  ASSERT_TRUE(module);
  const graphc_source source = {"app.c", 7, 0};
  const int64_t dims[] = {4};
  const graphc_tensor_type type = {f32, 1, dims};
  graphc_value x = -1, out[3] = {77, 77, 77};
  graphc_module *m = module.get();
  ASSERT_EQ(graphc_function_begin(m, "loss", &type, nullptr, 1, nullptr, 0,
                                  &source, &x),
            GRAPHC_OK);
  graphc_value y = -1;
  ASSERT_EQ(graphc_build_op(m, "graph.reduce_sum", &x, 1,
                            "{axes = array<i64: 0>}", nullptr, 0, &source, &y),
            GRAPHC_OK);
  ASSERT_EQ(graphc_function_end(m, &y, nullptr, 1), GRAPHC_OK);
  ASSERT_EQ(
      graphc_function_begin(m, "g", &type, nullptr, 1, nullptr, 0, &source, &x),
      GRAPHC_OK);
  const int64_t inputs[] = {0};
  for (size_t count : {0, 2, 3})
    EXPECT_NE(graphc_build_call(m, "f", &x, 1, &source, out, count), GRAPHC_OK);
  for (size_t count : {0, 1, 3})
    EXPECT_NE(graphc_build_value_and_grad(m, "loss", &x, 1, inputs, 1, nullptr,
                                          0, &source, out, count),
              GRAPHC_OK);
  EXPECT_EQ(out[0], 77);
  ASSERT_EQ(graphc_function_end(m, &x, nullptr, 1), GRAPHC_OK);
  const char *text = nullptr;
  ASSERT_EQ(graphc_module_text(m, &text), GRAPHC_OK);
  EXPECT_EQ(std::strstr(text, "call @"), nullptr) << text;
  EXPECT_EQ(std::strstr(text, "value_and_grad"), nullptr) << text;
}

} // namespace
