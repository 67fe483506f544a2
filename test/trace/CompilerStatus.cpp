// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One test for each row about graphc/compiler.h in docs/status.md: the status,
// and that nothing else has changed.
#include <graphc/compiler.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

namespace {

struct DestroyModule {
  void operator()(graphc_module *module) const {
    graphc_module_destroy(module);
  }
};
using ModulePtr = std::unique_ptr<graphc_module, DestroyModule>;

const graphc_source source = {"app.c", 10, 3};
const int64_t dims[] = {2, 3};
const graphc_tensor_type matrix = {GRAPHC_DTYPE_F32, 2, dims};

ModulePtr create() {
  graphc_module *module = nullptr;
  EXPECT_EQ(graphc_module_create("m", &module), GRAPHC_OK);
  return ModulePtr(module);
}

/// Begins a function with one argument, whose value it returns.
graphc_value begin(const ModulePtr &module) {
  graphc_value x = -1;
  EXPECT_EQ(graphc_function_begin(module.get(), "f", &matrix, nullptr, 1,
                                  nullptr, 0, &source, &x),
            GRAPHC_OK);
  return x;
}

std::string textOf(const ModulePtr &module) {
  const char *text = "";
  EXPECT_EQ(graphc_module_text(module.get(), &text), GRAPHC_OK)
      << graphc_error_message();
  return text;
}

std::string message() { return graphc_error_message(); }

/// A folder that goes away with its files.
struct Folder {
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) /
      ("graphc-compiler-status-" + std::to_string(getpid()));
};

TEST(CompilerStatus, NullArgument) {
  graphc_module *none = nullptr;
  graphc_value y = 77;
  EXPECT_EQ(graphc_module_create(nullptr, &none), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_module_create("m", nullptr), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_module_read(nullptr, 0, "m", &none),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
  ModulePtr module = create();
  std::string before = textOf(module);
  EXPECT_EQ(graphc_module_save(module.get(), nullptr), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_module_compile(module.get(), nullptr, nullptr),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_module_add_variable(module.get(), nullptr, &matrix,
                                       "#graph.zeros", 1, &source),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_build_op(module.get(), nullptr, nullptr, 0, nullptr, nullptr,
                            0, &source, &y),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(y, 77);
  EXPECT_EQ(textOf(module), before);
}

TEST(CompilerStatus, BadName) {
  graphc_module *module = nullptr;
  EXPECT_EQ(graphc_module_create("two words", &module),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(module, nullptr);
  EXPECT_NE(message().find("two words"), std::string::npos) << message();
}

TEST(CompilerStatus, BadType) {
  const int64_t negative[] = {-1},
                huge[] = {int64_t{1} << 40, int64_t{1} << 40};
  const graphc_tensor_type types[] = {
      {static_cast<graphc_dtype>(99), 0, nullptr},
      {GRAPHC_DTYPE_F32, 1, negative},
      {GRAPHC_DTYPE_F32, 2, huge},
      {GRAPHC_DTYPE_F32, 17, dims}};
  ModulePtr module = create();
  std::string before = textOf(module);
  for (const graphc_tensor_type &type : types) {
    graphc_value x = 77;
    EXPECT_EQ(graphc_function_begin(module.get(), "f", &type, nullptr, 1,
                                    nullptr, 0, &source, &x),
              GRAPHC_INVALID_ARGUMENT);
    EXPECT_EQ(x, 77);
    EXPECT_EQ(graphc_module_add_variable(module.get(), "w", &type,
                                         "#graph.zeros", 1, &source),
              GRAPHC_INVALID_ARGUMENT);
  }
  EXPECT_EQ(textOf(module), before);
}

TEST(CompilerStatus, FunctionStillOpen) {
  Folder folder;
  std::string path = (folder.path / "m").string();
  ModulePtr module = create();
  graphc_value x = begin(module);
  const char *text = nullptr;
  EXPECT_EQ(graphc_module_text(module.get(), &text), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(graphc_module_save(module.get(), path.c_str()),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_module_compile(module.get(), nullptr, path.c_str()),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
  EXPECT_EQ(graphc_function_end(module.get(), &x, nullptr, 1), GRAPHC_OK);
  EXPECT_NE(textOf(module).find("@f"), std::string::npos);
}

TEST(CompilerStatus, TextThatIsNoModel) {
  graphc_module *module = nullptr;
  for (std::string text : {"func.func @", "nonsense", "module {"}) {
    EXPECT_EQ(graphc_module_read(text.data(), text.size(), "bad.mlir", &module),
              GRAPHC_COMPILE_ERROR);
    EXPECT_NE(message().find("bad.mlir:1:"), std::string::npos) << message();
    EXPECT_EQ(module, nullptr);
  }
}

TEST(CompilerStatus, WrongOp) {
  ModulePtr module = create();
  graphc_value x = begin(module), y = 77;
  for (const char *op : {"graph.add", "graph.nonsense", "func.return"})
    EXPECT_EQ(graphc_build_op(module.get(), op, &x, 1, nullptr, nullptr, 0,
                              &source, &y),
              GRAPHC_COMPILE_ERROR)
        << op;
  EXPECT_NE(message().find("app.c:10"), std::string::npos) << message();
  EXPECT_EQ(y, 77);
  EXPECT_EQ(graphc_function_end(module.get(), &x, nullptr, 1), GRAPHC_OK);
  EXPECT_EQ(textOf(module).find("graph.add"), std::string::npos);
}

TEST(CompilerStatus, AttributesThatNoOpHas) {
  ModulePtr module = create();
  graphc_value x = begin(module), y = 77;
  EXPECT_EQ(graphc_build_op(module.get(), "graph.neg", &x, 1, "{foo = 1}",
                            nullptr, 0, &source, &y),
            GRAPHC_COMPILE_ERROR);
  EXPECT_NE(message().find("app.c:10"), std::string::npos) << message();
  EXPECT_NE(message().find("expects no attribute \"foo\" on 'graph.neg'"),
            std::string::npos)
      << message();
  EXPECT_EQ(y, 77);
}

TEST(CompilerStatus, OpWithoutResults) {
  ModulePtr module = create();
  graphc_value x = begin(module), y = 77;
  EXPECT_EQ(graphc_build_op(module.get(), "graph.set", &x, 1, "{variable = @v}",
                            nullptr, 0, &source, &y),
            GRAPHC_COMPILE_ERROR);
  EXPECT_NE(message().find(
                "'graph.set' has no result: give a list of no result types"),
            std::string::npos)
      << message();
}

TEST(CompilerStatus, ArgumentNameTwice) {
  ModulePtr module = create();
  const int64_t dims[] = {2};
  const graphc_tensor_type types[] = {{GRAPHC_DTYPE_F32, 1, dims},
                                      {GRAPHC_DTYPE_F32, 1, dims}};
  const char *names[] = {"x", "x"};
  graphc_value arguments[2];
  EXPECT_EQ(graphc_function_begin(module.get(), "g", types, names, 2, nullptr,
                                  0, &source, arguments),
            GRAPHC_COMPILE_ERROR);
  EXPECT_NE(message().find("expects names of arguments to differ, but got 'x'"),
            std::string::npos)
      << message();
}

TEST(CompilerStatus, ModelThatDoesNotCompile) {
  Folder folder;
  std::string path = (folder.path / "m").string();
  ModulePtr module = create();
  graphc_value x = begin(module);
  ASSERT_EQ(graphc_function_end(module.get(), &x, nullptr, 1), GRAPHC_OK);
  // A loss is one number; this function gives a matrix.
  graphc_status status = graphc_module_add_train(
      module.get(), "step", "f", "#graph.sgd<lr = 0.1>", nullptr, &source);
  if (status == GRAPHC_OK)
    status = graphc_module_compile(module.get(), nullptr, path.c_str());
  EXPECT_EQ(status, GRAPHC_COMPILE_ERROR);
  EXPECT_NE(message().find("app.c:10"), std::string::npos) << message();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

TEST(CompilerStatus, PathThatCannotBeWritten) {
  Folder folder;
  std::string path = (folder.path / "no/such/folder").string();
  ModulePtr module = create();
  graphc_value x = begin(module);
  ASSERT_EQ(graphc_function_end(module.get(), &x, nullptr, 1), GRAPHC_OK);
  std::string before = textOf(module);
  EXPECT_EQ(graphc_module_save(module.get(), path.c_str()), GRAPHC_IO_ERROR);
  EXPECT_NE(message().find(path), std::string::npos) << message();
  EXPECT_EQ(graphc_module_compile(module.get(), nullptr, path.c_str()),
            GRAPHC_IO_ERROR);
  EXPECT_NE(message().find(path), std::string::npos) << message();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
  EXPECT_EQ(textOf(module), before);
}

} // namespace
