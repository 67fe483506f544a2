// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One test for each row of docs/status.md: the status, and the state
// afterwards.
#include "test/unit/runtime/core/ToyModel.h"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <regex>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "runtime/cpu/CpuFeatures.h"

namespace {

struct StepData {
  Array<float> x{{2, 4}, {1, 2, 3, 4, -1, 0.5f, 2, 1}};
  Array<int64_t> ids{{2}, {3, 1}};
  std::vector<graphc_tensor> inputs() { return {x.tensor(), ids.tensor()}; }
};

TEST(Status, NullArgument) {
  EXPECT_EQ(graphc_model_load(nullptr, nullptr, nullptr),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(message(), "path is NULL");
  EXPECT_EQ(graphc_model_load("x.so", nullptr, nullptr),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_context_create(nullptr, nullptr), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_call_run(nullptr), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_model_run(nullptr, "f", nullptr, 0, nullptr, 0),
            GRAPHC_INVALID_ARGUMENT);
  ModelPtr model = loadModel(toyPath("toy"));
  EXPECT_EQ(graphc_model_run(model.get(), nullptr, nullptr, 0, nullptr, 0),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_model_run(model.get(), "loop", nullptr, 1, nullptr, 0),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_model_get_variable(model.get(), "w", nullptr),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_model_save_state(model.get(), nullptr),
            GRAPHC_INVALID_ARGUMENT);
  graphc_call *call = nullptr;
  EXPECT_EQ(graphc_call_create(model.get(), nullptr, &call),
            GRAPHC_INVALID_ARGUMENT);
  graphc_model_destroy(nullptr);
  graphc_call_destroy(nullptr);
  graphc_context_destroy(nullptr);
}

TEST(Status, StructBytesNotSet) {
  graphc_load_options options = {};
  EXPECT_EQ(loadStatus(toyPath("toy"), options), GRAPHC_INVALID_ARGUMENT);
  ModelPtr model = loadModel(toyPath("toy"));
  graphc_model_info info = {};
  EXPECT_EQ(graphc_model_describe(model.get(), &info), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(info.name, nullptr);
}

TEST(Status, NoSuchFile) {
  EXPECT_EQ(loadStatus("no/such/model.so"), GRAPHC_NOT_FOUND);
  EXPECT_EQ(message(),
            "cannot open model 'no/such/model.so': No such file or directory");
}

TEST(Status, UnreadableFile) {
  TemporaryFolder folder;
  std::string loop = folder.file("loop.so"), pipe = folder.file("pipe.so");
  ASSERT_EQ(symlink(loop.c_str(), loop.c_str()), 0);
  EXPECT_EQ(loadStatus(loop), GRAPHC_IO_ERROR);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(loadStatus(pipe), GRAPHC_IO_ERROR);
  EXPECT_EQ(loadStatus(folder.file("")), GRAPHC_IO_ERROR);
}

TEST(Status, OtherAbiVersion) {
  EXPECT_EQ(loadStatus(toyPath("future-abi")), GRAPHC_UNSUPPORTED);
  EXPECT_NE(message().find("ABI version 99.2, but this runtime expects 1.x"),
            std::string::npos)
      << message();
  // The same in the trailer, which is read before anything is mapped.
  std::string model = readFile(toyPath("toy"));
  char *trailer = &model[model.size() - GRAPHC_ABI_TRAILER_BYTES];
  trailer[8] = 98;
  uint64_t check =
      graphc::abi::fnv1a(reinterpret_cast<const uint8_t *>(trailer), 56);
  std::memcpy(trailer + 56, &check, sizeof(check));
  TemporaryFolder folder;
  writeFile(folder.file("m.so"), model);
  EXPECT_EQ(loadStatus(folder.file("m.so")), GRAPHC_UNSUPPORTED);
  EXPECT_NE(message().find("ABI version 98.2"), std::string::npos);
}

TEST(Status, WrongCpu) {
  EXPECT_EQ(loadStatus(toyPath("future-level")), GRAPHC_UNSUPPORTED);
  std::string cpu =
      graphc::runtime::cpuFeatureText(graphc::runtime::cpuFeatures());
  EXPECT_NE(message().find("has no code for this CPU, which is " + cpu +
                           "; the model has: cpu future"),
            std::string::npos)
      << message();
}

TEST(Status, OtherSystem) {
  // Another architecture in the ELF header, with a trailer that fits: one that
  // the dynamic linker refuses, and then one that graphc compiles for.
  std::string model = readFile(toyPath("toy"));
  std::string image = model.substr(0, model.size() - GRAPHC_ABI_TRAILER_BYTES);
  image[18] = 8; // e_machine: MIPS
  TemporaryFolder folder;
  writeFile(folder.file("m.so"), signImage(image));
  EXPECT_EQ(loadStatus(folder.file("m.so")), GRAPHC_UNSUPPORTED);
  EXPECT_NE(message().find("on this system"), std::string::npos) << message();
#if defined(__x86_64__)
  image[18] = static_cast<char>(183);
  const char *expected = "compiled for aarch64, but this machine is x86_64";
#else
  image[18] = 62;
  const char *expected = "compiled for x86_64, but this machine is aarch64";
#endif
  writeFile(folder.file("m.so"), signImage(image));
  EXPECT_EQ(loadStatus(folder.file("m.so")), GRAPHC_UNSUPPORTED);
  EXPECT_NE(message().find(expected), std::string::npos) << message();
}

TEST(Status, NoSuchDevice) {
  graphc_load_options options = loadOptions();
  options.device = "cuda:0";
  EXPECT_EQ(loadStatus(toyPath("toy"), options), GRAPHC_UNSUPPORTED);
  graphc_context_options contextOptions = {};
  contextOptions.struct_bytes = sizeof(contextOptions);
  contextOptions.device = "tpu";
  graphc_context *context = nullptr;
  EXPECT_EQ(graphc_context_create(&contextOptions, &context),
            GRAPHC_UNSUPPORTED);
  EXPECT_EQ(context, nullptr);
}

TEST(Status, ArenaLimit) {
  graphc_load_options options = loadOptions();
  options.max_arena_bytes = 127;
  EXPECT_EQ(loadStatus(toyPath("toy"), options), GRAPHC_OUT_OF_MEMORY);
  EXPECT_NE(message().find("needs an arena of 128 bytes, but max_arena_bytes "
                           "is 127"),
            std::string::npos);
  options.max_arena_bytes = 128;
  loadModel(toyPath("toy"), options);
}

TEST(Status, TooManyThreadsForTheModel) {
  graphc_load_options options = loadOptions();
  options.threads = 9;
  EXPECT_EQ(loadStatus(toyPath("toy"), options), GRAPHC_INVALID_ARGUMENT);
  EXPECT_NE(message().find("at most 8 threads, but got a request for 9"),
            std::string::npos);
}

TEST(Status, TooManyThreadsForTheContext) {
  graphc_context_options contextOptions = {};
  contextOptions.struct_bytes = sizeof(contextOptions);
  contextOptions.threads = 2;
  graphc_context *context = nullptr;
  ASSERT_EQ(graphc_context_create(&contextOptions, &context), GRAPHC_OK);
  ContextPtr owner(context);
  graphc_load_options options = loadOptions();
  options.context = context;
  options.threads = 3;
  EXPECT_EQ(loadStatus(toyPath("toy"), options), GRAPHC_INVALID_ARGUMENT);
}

TEST(Status, NumberOfThreadsInTheEnvironment) {
  auto create = [](uint32_t threads) {
    graphc_context_options options = {};
    options.struct_bytes = sizeof(options);
    options.threads = threads;
    graphc_context *context = nullptr;
    graphc_status status = graphc_context_create(&options, &context);
    graphc_context_destroy(context);
    return status;
  };
  for (const char *text : {"0", "-1", "+2", " 2", "2 ", "two", "2.5", "0x2",
                           "4097", "99999999999999999999"}) {
    ASSERT_EQ(setenv("GRAPHC_NUM_THREADS", text, 1), 0);
    EXPECT_EQ(create(0), GRAPHC_INVALID_ARGUMENT) << text;
    EXPECT_EQ(message(), "the environment variable GRAPHC_NUM_THREADS expects "
                         "a number from 1 to 4096, but got '" +
                             std::string(text) + "'");
    EXPECT_EQ(create(2), GRAPHC_OK) << text; // It is not asked.
  }
  for (const char *text : {"", "1", "007", "4096"}) {
    ASSERT_EQ(setenv("GRAPHC_NUM_THREADS", text, 1), 0);
    EXPECT_EQ(create(0), GRAPHC_OK) << text;
  }
  ASSERT_EQ(unsetenv("GRAPHC_NUM_THREADS"), 0);
}

TEST(Status, NoSuchName) {
  ModelPtr model = loadModel(toyPath("toy"));
  size_t number = 77;
  EXPECT_EQ(graphc_model_find_function(model.get(), "stop", &number),
            GRAPHC_NOT_FOUND);
  EXPECT_EQ(number, 77u);
  EXPECT_EQ(
      message(),
      "model 'toy' has no function 'stop'; there are: step, step.3, loop, "
      "square, check_ids, divide, scale, copy");
  EXPECT_EQ(run(model, "stop", {}, {}), GRAPHC_NOT_FOUND);
  graphc_call *call = nullptr;
  EXPECT_EQ(graphc_call_create(model.get(), "stop", &call), GRAPHC_NOT_FOUND);
  Array<float> w({4, 3});
  graphc_tensor tensor = w.tensor();
  EXPECT_EQ(graphc_model_get_variable(model.get(), "v", &tensor),
            GRAPHC_NOT_FOUND);
  EXPECT_EQ(graphc_model_set_variable(model.get(), "v", &tensor),
            GRAPHC_NOT_FOUND);
}

TEST(Status, WrongType) {
  ModelPtr model = loadModel(toyPath("toy"));
  StepData data;
  graphc_call *call = nullptr;
  ASSERT_EQ(graphc_call_create(model.get(), "step", &call), GRAPHC_OK);
  CallPtr owner(call);
  Array<double> wrongType({2, 4});
  Array<float> wrongShape({4, 2}), wrongRank({8});
  graphc_tensor tensor = wrongType.tensor();
  EXPECT_EQ(graphc_call_bind_input(call, 0, &tensor), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(message(),
            "input 0 ('x') of @step expects tensor<2x4xf32>, but got "
            "tensor<2x4xf64>");
  tensor = wrongShape.tensor();
  EXPECT_EQ(graphc_call_bind_input(call, 0, &tensor), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(message(),
            "input 0 ('x') of @step expects tensor<2x4xf32>, but got "
            "tensor<4x2xf32>");
  tensor = wrongRank.tensor();
  EXPECT_EQ(graphc_call_bind_output(call, 1, &tensor), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(message(), "output 1 of @step expects tensor<2x3xf32>, but got "
                       "tensor<8xf32>");
  EXPECT_EQ(graphc_call_bind_input(call, 2, &tensor), GRAPHC_INVALID_ARGUMENT);
  tensor.rank = 1000;
  EXPECT_EQ(graphc_call_bind_input(call, 0, &tensor), GRAPHC_INVALID_ARGUMENT);
  tensor.rank = 2;
  tensor.shape = nullptr;
  EXPECT_EQ(graphc_call_bind_input(call, 0, &tensor), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(graphc_model_set_variable(model.get(), "w", &tensor),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(run(model, "step", data.inputs(), {wrongShape.tensor()}),
            GRAPHC_INVALID_ARGUMENT);
  std::vector<graphc_tensor> outputs(3, wrongShape.tensor());
  EXPECT_EQ(run(model, "step", data.inputs(), outputs),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(getVariable<int64_t>(model, "steps", {}).values[0], 0);
}

TEST(Status, NullData) {
  ModelPtr model = loadModel(toyPath("toy"));
  StepData data;
  std::vector<graphc_tensor> inputs = data.inputs();
  inputs[1].data = nullptr;
  EXPECT_EQ(run(model, "step", inputs, {}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(message(), "input 1 ('ids') of @step expects data, but got NULL");
}

TEST(Status, SecondThreadInOneModel) {
  ModelPtr model = loadModel(toyPath("toy"));
  StepData data;
  // Whichever thread comes second while the other is inside is told so. Neither
  // may see anything else, and the steps that ran are all counted.
  std::atomic<int64_t> ran{0}, refused{0};
  auto work = [&] {
    StepData own;
    for (int i = 0; i < 200000 && refused.load() == 0; ++i) {
      graphc_status status = run(model, "step", own.inputs(), {});
      if (status == GRAPHC_OK)
        ++ran;
      else if (status == GRAPHC_INVALID_ARGUMENT)
        ++refused;
      else
        ADD_FAILURE() << message();
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(getVariable<int64_t>(model, "steps", {}).values[0], ran.load());
  EXPECT_GT(refused.load(), 0) << "the two threads never met";
}

TEST(Status, IndexOutOfRange) {
  ModelPtr model = loadModel(toyPath("toy"));
  std::string before = stateOf(model);
  StepData data;
  data.ids.values = {3, -1};
  EXPECT_EQ(run(model, "step", data.inputs(), {}), GRAPHC_OUT_OF_RANGE);
  EXPECT_EQ(message(), "toy.mlir:4:7: graph.gather expects indices in [0, 4), "
                       "but got -1 at element 1; @step changed no state");
  graphc_error_info info = {};
  info.struct_bytes = sizeof(info);
  ASSERT_EQ(graphc_error_describe(&info), GRAPHC_OK);
  EXPECT_EQ(info.status, GRAPHC_OUT_OF_RANGE);
  EXPECT_STREQ(info.function, "step");
  EXPECT_STREQ(info.op_name, "graph.gather");
  EXPECT_STREQ(info.location, "toy.mlir:4:7");
  EXPECT_EQ(info.entry, 0);
  EXPECT_EQ(info.position, 1);
  EXPECT_EQ(info.value, -1);
  EXPECT_EQ(info.limit, 4);
  EXPECT_EQ(stateOf(model), before);
  data.ids.values = {3, 1};
  EXPECT_EQ(run(model, "step", data.inputs(), {}), GRAPHC_OK)
      << "the model goes on working";
}

TEST(Status, NanInAResult) {
  graphc_load_options options = loadOptions();
  Array<float> a({4}, {1, 1, 0, 1}), b({4}, {1, 1, 0, 0}), q({4});
  ModelPtr unchecked = loadModel(toyPath("toy"), options);
  EXPECT_EQ(run(unchecked, "divide", {a.tensor(), b.tensor()}, {q.tensor()}),
            GRAPHC_OK);
  options.check_numerics = 1;
  ModelPtr model = loadModel(toyPath("toy"), options);
  std::string before = stateOf(model);
  EXPECT_EQ(run(model, "divide", {a.tensor(), b.tensor()}, {q.tensor()}),
            GRAPHC_NUMERIC);
  EXPECT_NE(message().find("toy.mlir:50:5: graph.div gave"), std::string::npos)
      << message();
  EXPECT_NE(message().find("nan at element 2"), std::string::npos);
  EXPECT_EQ(stateOf(model), before);
  b.values = {1, 1, 1, 1};
  EXPECT_EQ(run(model, "divide", {a.tensor(), b.tensor()}, {q.tensor()}),
            GRAPHC_OK);
}

TEST(Status, InfInTheNewState) {
  graphc_load_options options = loadOptions();
  options.check_numerics = 1;
  ModelPtr model = loadModel(toyPath("toy"), options);
  std::string before = stateOf(model);
  Array<float> factor({}, {std::numeric_limits<float>::max()});
  EXPECT_EQ(run(model, "scale", {factor.tensor()}, {}), GRAPHC_NUMERIC);
  EXPECT_NE(message().find("toy.mlir:61:5: graph.mul gave inf at element 0"),
            std::string::npos)
      << message();
  EXPECT_EQ(stateOf(model), before) << "the counter is put back as well";
}

graphc_status loadStatusWithState(const std::string &path) {
  graphc_load_options options = loadOptions();
  options.state_path = path.c_str();
  return loadStatus(toyPath("toy"), options);
}

TEST(Status, NoSuchStateFile) {
  ModelPtr model = loadModel(toyPath("toy"));
  std::string before = stateOf(model);
  EXPECT_EQ(graphc_model_load_state(model.get(), "no/such/file", nullptr),
            GRAPHC_NOT_FOUND);
  EXPECT_EQ(stateOf(model), before);
  EXPECT_EQ(loadStatusWithState("no/such/file"), GRAPHC_NOT_FOUND);
}

TEST(Status, TruncatedStateFile) {
  ModelPtr model = loadModel(toyPath("toy"));
  TemporaryFolder folder;
  std::string path = folder.file("s");
  std::string whole = stateOf(model);
  ASSERT_EQ(graphc_model_initialize(model.get(), 5), GRAPHC_OK);
  std::string before = stateOf(model);
  for (size_t bytes = 0; bytes < whole.size(); bytes += 5) {
    writeFile(path, whole.substr(0, bytes));
    ASSERT_EQ(graphc_model_load_state(model.get(), path.c_str(), nullptr),
              GRAPHC_CORRUPT)
        << bytes << " bytes: " << message();
    ASSERT_EQ(loadStatusWithState(path), GRAPHC_CORRUPT) << bytes << " bytes";
  }
  EXPECT_EQ(stateOf(model), before);
}

TEST(Status, StateOfAnotherModel) {
  ModelPtr model = loadModel(toyPath("toy"));
  TemporaryFolder folder;
  std::string path = folder.file("s");
  std::string state = stateOf(model);
  // The names all have their quotes, so this renames one variable.
  size_t at = state.find("\"lr\"");
  ASSERT_NE(at, std::string::npos);
  state[at + 1] = 'x';
  writeFile(path, state);
  ASSERT_EQ(graphc_model_initialize(model.get(), 5), GRAPHC_OK);
  std::string before = stateOf(model);
  EXPECT_EQ(graphc_model_load_state(model.get(), path.c_str(), nullptr),
            GRAPHC_INVALID_ARGUMENT);
  const std::string misfits =
      "does not fit model 'toy': 'lr' is missing; 'xr' is unexpected";
  EXPECT_NE(message().find(misfits), std::string::npos) << message();
  EXPECT_EQ(stateOf(model), before);
  EXPECT_EQ(loadStatusWithState(path), GRAPHC_INVALID_ARGUMENT);
  EXPECT_NE(message().find(misfits), std::string::npos) << message();

  graphc_load_state_options options = {};
  options.struct_bytes = sizeof(options);
  options.ignore_missing = 1;
  EXPECT_EQ(graphc_model_load_state(model.get(), path.c_str(), &options),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(stateOf(model), before);
  Array<float> lr({}, {0.25f});
  graphc_tensor tensor = lr.tensor();
  ASSERT_EQ(graphc_model_set_variable(model.get(), "lr", &tensor), GRAPHC_OK);
  options.ignore_unexpected = 1;
  EXPECT_EQ(graphc_model_load_state(model.get(), path.c_str(), &options),
            GRAPHC_OK)
      << message();
  EXPECT_EQ(getVariable<float>(model, "lr", {}).values[0], 0.25f)
      << "a missing variable keeps its value";
  EXPECT_EQ(getVariable<int64_t>(model, "key", {2}).values[0], 0)
      << "the others are read";
}

TEST(Status, SaveToNowhere) {
  ModelPtr model = loadModel(toyPath("toy"));
  EXPECT_EQ(graphc_model_save_state(model.get(), "no/such/folder/state"),
            GRAPHC_IO_ERROR);
}

TEST(Status, DiskFull) {
  ModelPtr model = loadModel(toyPath("toy"));
  TemporaryFolder folder;
  std::string path = folder.file("state");
  ASSERT_EQ(graphc_model_save_state(model.get(), path.c_str()), GRAPHC_OK);
  std::string old = readFile(path);
  ASSERT_EQ(graphc_model_initialize(model.get(), 5), GRAPHC_OK);
  // A limit on file sizes refuses a write as a full disk does.
  rlimit saved, small;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &saved), 0);
  small = saved;
  small.rlim_cur = old.size() - 1;
  auto *oldHandler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  graphc_status status = graphc_model_save_state(model.get(), path.c_str());
  setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, oldHandler);
  EXPECT_EQ(status, GRAPHC_IO_ERROR) << message();
  EXPECT_EQ(readFile(path), old);
  EXPECT_EQ(
      std::system(("test \"$(ls '" + folder.file("") + "')\" = state").c_str()),
      0)
      << "no temporary file is left";
}

/// The sources in `folder` and its folders that declare tests, by test name.
std::map<std::string, std::string> declaredTests(const std::string &folder) {
  std::map<std::string, std::string> sourceOf;
  std::regex declaration("\\nTEST(_F|_P)?\\(\\s*(\\w+),\\s*(\\w+)\\)");
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp")
      continue;
    std::string text = readFile(entry.path().string());
    for (std::sregex_iterator it(text.begin(), text.end(), declaration), end;
         it != end; ++it)
      sourceOf[(*it)[2].str() + "." + (*it)[3].str()] = text;
  }
  return sourceOf;
}

/// The text of the test `name`, empty where there is none. A name with a
/// slash is the path of a lit test in the sources.
std::string sourceOfTest(const std::string &name,
                         const std::map<std::string, std::string> &declared) {
  if (name.find('/') != std::string::npos) {
    std::string path = GRAPHC_SOURCE_DIR "/" + name;
    return std::filesystem::is_regular_file(path) ? readFile(path) : "";
  }
  auto source = declared.find(name);
  return source == declared.end() ? "" : source->second;
}

/// The cells of a row of a table, without the blanks around them.
std::vector<std::string> cellsOf(const std::string &row) {
  std::vector<std::string> cells;
  for (size_t at = 1, bar; (bar = row.find('|', at)) != std::string::npos;
       at = bar + 1) {
    std::string cell = row.substr(at, bar - at);
    size_t first = cell.find_first_not_of(' '),
           last = cell.find_last_not_of(' ');
    cells.push_back(
        first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

/// What is between backticks.
std::vector<std::string> codeIn(const std::string &cell) {
  std::vector<std::string> words;
  std::regex code("`([^`]+)`");
  for (std::sregex_iterator it(cell.begin(), cell.end(), code), end; it != end;
       ++it)
    words.push_back((*it)[1]);
  return words;
}

// Each row of the documentation's tables names a status and tests. The tests
// must exist, and their sources speak of the status.
TEST(StatusTable, EveryRowHasATest) {
  std::map<std::string, std::string> tests =
      declaredTests(GRAPHC_SOURCE_DIR "/test/unit");
  tests.merge(declaredTests(GRAPHC_SOURCE_DIR "/test/trace"));
  std::istringstream table(readFile(GRAPHC_SOURCE_DIR "/docs/status.md"));
  size_t rows = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] != '|')
      continue;
    std::vector<std::string> cells = cellsOf(line);
    ASSERT_EQ(cells.size(), 4u) << line;
    if (cells[0] == "cause" ||
        cells[0].find_first_not_of('-') == std::string::npos)
      continue;
    ++rows;
    std::vector<std::string> status = codeIn(cells[1]);
    EXPECT_TRUE(status.size() == 1 || cells[1] == "that error") << line;
    EXPECT_NE(cells[2], "") << line;
    std::vector<std::string> named = codeIn(cells[3]);
    EXPECT_FALSE(named.empty()) << line;
    for (const std::string &test : named) {
      std::string source = sourceOfTest(test, tests);
      if (source.empty())
        ADD_FAILURE() << "no test is called " << test << ": " << line;
      else if (!status.empty())
        EXPECT_NE(source.find(status[0]), std::string::npos)
            << test << " says nothing of " << status[0];
    }
  }
  EXPECT_GE(rows, 55u);
}

} // namespace
