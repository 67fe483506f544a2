// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Safetensors.h"

#include <csignal>
#include <cstring>
#include <random>
#include <sys/resource.h>

#include "graphc/data.h"
#include "runtime/core/Error.h"
#include "test/unit/runtime/data/FailingAllocator.h"
#include "test/unit/runtime/data/TestFiles.h"

using namespace graphc::runtime;

namespace {

using Tensors = std::vector<SafetensorsWriter::Tensor>;

std::string withLength(uint64_t length, const std::string &rest) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>(length >> 8 * i);
  return bytes + rest;
}

/// A file of this header and `dataBytes` zero bytes.
std::string file(const std::string &header, size_t dataBytes = 0) {
  return withLength(header.size(), header + std::string(dataBytes, '\0'));
}

/// What the Python package safetensors 0.8.0 writes for the tensors below.
const std::string official = withLength(
    0x220, R"({"__metadata__":{"a":"b","k":"v"},)"
           R"("a":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
           R"("d":{"dtype":"F64","shape":[1],"data_offsets":[8,16]},)"
           R"("b":{"dtype":"F32","shape":[2,3],"data_offsets":[16,40]},)"
           R"("i":{"dtype":"I32","shape":[1],"data_offsets":[40,44]},)"
           R"("c":{"dtype":"F16","shape":[0,3],"data_offsets":[44,44]},)"
           R"("h":{"dtype":"F16","shape":[3],"data_offsets":[44,50]},)"
           "\"\xc3\xa9\\\"\\n\\u0001\""
           R"(:{"dtype":"I8","shape":[2],"data_offsets":[50,52]},)"
           R"("u":{"dtype":"U8","shape":[3],"data_offsets":[52,55]},)"
           R"("z":{"dtype":"BOOL","shape":[3],"data_offsets":[55,58]}}     )" +
               std::string("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f"
                           "\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f"
                           "\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f"
                           "\1\0\0\0\0\x3c\0\x3c\0\x3c\0\1\0\1\2\1\0\1",
                           58));

const Tensors officialTensors = {{"b", GRAPHC_DTYPE_F32, {2, 3}},
                                 {"a", GRAPHC_DTYPE_I64, {}},
                                 {"z", GRAPHC_DTYPE_I1, {3}},
                                 {"c", GRAPHC_DTYPE_F16, {0, 3}},
                                 {"\xc3\xa9\"\n\1", GRAPHC_DTYPE_I8, {2}},
                                 {"u", GRAPHC_DTYPE_UI8, {3}},
                                 {"d", GRAPHC_DTYPE_F64, {1}},
                                 {"i", GRAPHC_DTYPE_I32, {1}},
                                 {"h", GRAPHC_DTYPE_F16, {3}}};

class Safetensors : public TempFolderTest {
protected:
  void writeOfficial(const std::string &path) {
    SafetensorsWriter writer(path, officialTensors, {{"k", "v"}, {"a", "b"}});
    size_t data = official.size() - 58;
    for (const SafetensorsEntry &entry : writer.entries())
      writer.write(official.data() + data + entry.begin);
    writer.commit();
  }

  /// Reads a whole file; returns the status, with the message in `message`.
  graphc_status readAll(const std::string &path) {
    graphc_status status = guarded([&] {
      SafetensorsReader reader(path);
      for (const SafetensorsEntry &entry : reader.entries()) {
        std::vector<char> data(entry.bytes);
        reader.read(entry, data.data());
      }
    });
    message = status ? graphc_error_message() : "";
    return status;
  }

  std::string message;
};

TEST_F(Safetensors, WritesWhatTheFormatsOwnLibraryWrites) {
  writeOfficial(path("out"));
  EXPECT_EQ(get(path("out")), official);
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(Safetensors, ReadsWhatTheFormatsOwnLibraryWrites) {
  SafetensorsReader reader(put("in", official));
  EXPECT_EQ(reader.entries().size(), 9u);
  EXPECT_EQ(reader.metadata().at("k"), "v");
  EXPECT_EQ(reader.find("missing"), nullptr);
  const SafetensorsEntry *b = reader.find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->dtype, GRAPHC_DTYPE_F32);
  EXPECT_EQ(b->shape, (std::vector<int64_t>{2, 3}));
  float ones[6] = {};
  reader.read(*b, ones);
  EXPECT_EQ(ones[5], 1.0f);
  const SafetensorsEntry *i8 = reader.find("\xc3\xa9\"\n\1");
  ASSERT_NE(i8, nullptr);
  EXPECT_EQ(reader.find("c")->shape, (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(reader.find("a")->shape, std::vector<int64_t>{});
}

TEST_F(Safetensors, EachViolationHasItsOwnError) {
  const std::string f32 = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  auto entry = [](const std::string &dtype, const std::string &shape,
                  const std::string &offsets) {
    return R"({"t":{"dtype":)" + dtype + R"(,"shape":)" + shape +
           R"(,"data_offsets":)" + offsets + "}}";
  };
  struct Case {
    std::string bytes;
    const char *message;
  };
  const Case cases[] = {
      {"", "expects at least 8 bytes, but the file has 0"},
      {"1234567", "expects at least 8 bytes, but the file has 7"},
      {withLength(100000001, "{}"),
       "expects a header of at most 100000000 bytes, but got 100000001"},
      {withLength(UINT64_MAX, "{}"), "expects a header of at most"},
      {withLength(3, "{}"),
       "the header should have 3 bytes, but the file ends after 2"},
      {file(""), "header byte 0: expects '{' to begin the header, but got the "
                 "end of the header"},
      {file(" {}"), "header byte 0: expects '{'"},
      {file("[]"), "expects '{' to begin the header, but got '['"},
      {file("{\"a\xff\":1}"), "header byte 3: invalid UTF-8"},
      {file("{\"\xed\xa0\x80\":1}"), "header byte 2: invalid UTF-8"},
      {file("{\"\xc0\x80\":1}"), "header byte 2: invalid UTF-8"},
      {file("{\"\xf4\x90\x80\x80\":1}"), "header byte 2: invalid UTF-8"},
      {file("{\"t\":" + f32 + ",\"t\":" + f32 + "}", 4),
       "the name 't' occurs twice"},
      {file(R"({"__metadata__":{},"__metadata__":{}})"),
       "the name '__metadata__' occurs twice"},
      {file(R"({"__metadata__":{"k":"v","k":"w"}})"),
       "__metadata__ has the key 'k' twice"},
      {file(R"({"__metadata__":{"k":1}})"),
       "expects '\"' to begin a value of __metadata__ (all are strings), but "
       "got '1'"},
      {file(R"({"__metadata__":{"k":{}}})"), "a value of __metadata__"},
      {file(R"({"__metadata__":[]})"), "expects '{' to begin __metadata__"},
      {file(R"({"t":{"dtype":"F32","dtype":"F32","shape":[]}})"),
       "tensor 't' has the key 'dtype' twice"},
      {file(R"({"t":{"dtype":"F32","extra":3}})"),
       "tensor 't' has the unknown key 'extra'"},
      {file(R"({"t":{"dtype":"F32","shape":[1]}})"),
       "tensor 't' lacks the key 'data_offsets'"},
      {file(R"({"t":{"shape":[1],"data_offsets":[0,4]}})"),
       "tensor 't' lacks the key 'dtype'"},
      {file(R"({"t":{}})"), "to begin a key of a tensor's description"},
      {file(entry("\"F31\"", "[1]", "[0,4]"), 4),
       "tensor 't' has the unknown dtype 'F31'"},
      {file(entry("7", "[1]", "[0,4]"), 4), "expects '\"' to begin a dtype"},
      {file(entry("\"F32\"", "[-1]", "[0,4]"), 4),
       "expects a non-negative integer as a dimension, but got '-'"},
      {file(entry("\"F32\"", "[1.0]", "[0,4]"), 4),
       "expects ']' a dimension, but got '.'"},
      {file(entry("\"F32\"", "[1e0]", "[0,4]"), 4), "but got 'e'"},
      {file(entry("\"F32\"", "[01]", "[0,4]"), 4),
       "an integer without leading zeros"},
      {file(entry("\"F32\"", "[9223372036854775808]", "[0,4]"), 4),
       "a dimension does not fit 63 bits"},
      {file(entry("\"F32\"", "[99999999999999999999999]", "[0,4]"), 4),
       "a dimension does not fit 63 bits"},
      {file(entry("\"F32\"", "[4611686018427387904,4]", "[0,4]"), 4),
       "tensor 't' has a shape of more than 2^63 bytes"},
      {file(entry("\"U8\"", "[4611686018427387904,2]", "[0,4]"), 4),
       "tensor 't' has a shape of more than 2^63 bytes"},
      {file(entry("\"F32\"", "[4611686018427387904,4,0]", "[0,0]")),
       "tensor 't' has a shape of more than 2^63 bytes"},
      {file(entry("\"F32\"", "[2]", "[0,4]"), 4),
       "tensor 't' expects 8 bytes by dtype and shape, but its data_offsets "
       "span 4"},
      {file(entry("\"F32\"", "[1]", "[4,0]"), 4),
       "tensor 't' begins at byte 4 after its end at 0"},
      {file(entry("\"F32\"", "[1]", "[0]"), 4),
       "tensor 't' expects two data_offsets, but got 1"},
      {file(entry("\"F32\"", "[1]", "[0,4,8]"), 4), "but got 3"},
      {file(entry("\"F32\"", "[1]", "[4,8]"), 8),
       "tensor 't' begins at byte 4 and leaves a gap after byte 0"},
      {file(R"({"s":)" + f32 +
                R"(,"t":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
            6),
       "tensor 't' begins at byte 2 and overlaps the one before it, which ends "
       "at 4"},
      {file("{\"t\":" + f32 + "}", 5),
       "tensors cover 4 bytes, but the file has 5 bytes of data"},
      {file("{\"t\":" + f32 + "}", 3),
       "tensors cover 4 bytes, but the file has 3 bytes of data"},
      {file("{}", 1), "tensors cover 0 bytes, but the file has 1"},
      {file("{\"t\":" + f32 + ",}", 4), "to begin a tensor's name"},
      {file("{\"t\":" + f32, 4), "expects '}' to end the header"},
      {file("{}\n"), "header byte 2: expects only spaces after the header"},
      {file("{} {}"), "header byte 3: expects only spaces after the header"},
      {file("{\"a\nb\":1}"),
       "expects a string's closing '\"', but got '\\x0a'"},
      {file(R"({"\q":1})"), "expects an escape sequence of JSON, but got 'q'"},
      {file(R"({"\u12":1})"), "expects four hexadecimal digits after \\u"},
      {file(R"({"\ud800":1})"), "expects a whole surrogate pair"},
      {file(R"({"\udc00":1})"), "expects a whole surrogate pair"},
      {file(R"({"\ud800\u0041":1})"), "the second half of a surrogate pair"},
      {file(R"({"a\u0000b":1})"), "expects no NUL"},
  };
  for (const Case &c : cases) {
    EXPECT_NE(readAll(put("bad", c.bytes)), GRAPHC_OK) << c.message;
    EXPECT_NE(message.find(c.message), std::string::npos)
        << "expected: " << c.message << "\ngot:      " << message;
    EXPECT_NE(message.find("bad"), std::string::npos) << "no path: " << message;
  }
}

TEST_F(Safetensors, LegalOddities) {
  const std::string odd[] = {
      file("{}"),
      file("{}      "),
      file("{ \"t\" :\t{ \"data_offsets\" : [ 0 , 4 ] ,\r\n\"shape\":[1],"
           "\"dtype\":\"F32\"} }",
           4),
      file(R"({"\ud83d\ude00\/\t":{"dtype":"U8","shape":[0],)"
           R"("data_offsets":[0,0]}})"),
      // Empty tensors before, between and after others.
      file(R"({"b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
           R"("z":{"dtype":"U8","shape":[0],"data_offsets":[2,2]},)"
           R"("a":{"dtype":"U8","shape":[0,5],"data_offsets":[0,0]}})",
           2),
      file(R"({"":{"dtype":"I64","shape":[],"data_offsets":[0,8]}})", 8),
  };
  for (const std::string &bytes : odd)
    EXPECT_EQ(readAll(put("odd", bytes)), GRAPHC_OK) << message;
  SafetensorsReader reader(put("odd", odd[3]));
  EXPECT_NE(reader.find("\xf0\x9f\x98\x80/\t"), nullptr);
}

TEST_F(Safetensors, TypesWeLackAreListedButNotRead) {
  std::string header =
      R"({"t":{"dtype":"I16","shape":[2],"data_offsets":[0,4]}})";
  SafetensorsReader reader(put("i16", file(header, 4)));
  EXPECT_EQ(reader.find("t")->dtype, GRAPHC_DTYPE_INVALID);
  EXPECT_EQ(readAll(path("i16")), GRAPHC_UNSUPPORTED);
  EXPECT_NE(message.find("dtype I16, which graphc does not have"),
            std::string::npos);
}

TEST_F(Safetensors, BoolsAreNormalised) {
  std::string bytes =
      file(R"({"t":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})");
  SafetensorsReader reader(put("bool", bytes + std::string("\0\2\xff", 3)));
  uint8_t bools[3];
  reader.read(*reader.find("t"), bools);
  EXPECT_EQ(bools[0], 0);
  EXPECT_EQ(bools[1], 1);
  EXPECT_EQ(bools[2], 1);
}

TEST_F(Safetensors, FilesThatCannotBeOpened) {
  EXPECT_EQ(readAll(path("none")), GRAPHC_NOT_FOUND);
  EXPECT_EQ(readAll(folder.string()), GRAPHC_IO_ERROR);
  EXPECT_NE(message.find("is not a regular file"), std::string::npos);
  EXPECT_EQ(guarded([&] { SafetensorsWriter(path("no/such"), {}); }),
            GRAPHC_IO_ERROR);
}

TEST_F(Safetensors, EveryTruncationIsRefused) {
  for (size_t size = 0; size < official.size(); ++size)
    EXPECT_EQ(readAll(put("cut", official.substr(0, size))), GRAPHC_CORRUPT)
        << size;
}

TEST_F(Safetensors, FlippedBytesAreRefusedOrHarmless) {
  std::mt19937 random(1);
  size_t refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string bytes = official;
    for (int flips = 1 + i % 3; flips > 0; --flips)
      bytes[random() % (official.size() - 58)] ^= 1 << random() % 8;
    graphc_status status = readAll(put("flip", bytes));
    EXPECT_TRUE(status == GRAPHC_OK || status == GRAPHC_CORRUPT ||
                status == GRAPHC_UNSUPPORTED)
        << message;
    refused += status != GRAPHC_OK;
  }
  EXPECT_GT(refused, 2000u);
}

TEST_F(Safetensors, WriterRefusesWhatCannotBeRead) {
  auto status = [&](const Tensors &tensors,
                    const std::map<std::string, std::string> &metadata = {}) {
    graphc_status result =
        guarded([&] { SafetensorsWriter(path("w"), tensors, metadata); });
    EXPECT_EQ(fileCount(), 0u);
    return result;
  };
  constexpr auto f32 = GRAPHC_DTYPE_F32;
  constexpr int64_t big = int64_t{1} << 62;
  EXPECT_EQ(status({{"t", f32, {}}, {"t", f32, {}}}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status({{"\xff", f32, {}}}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status({{std::string("a\0b", 3), f32, {}}}),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status({{"__metadata__", f32, {}}}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status({{"t", GRAPHC_DTYPE_INVALID, {}}}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status({{"t", f32, {-1}}}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status({{"t", f32, {big}}}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(
      status({{"t", GRAPHC_DTYPE_I8, {big}}, {"u", GRAPHC_DTYPE_I8, {big}}}),
      GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status({{"t", f32, {}}}, {{"k", "\xff"}}), GRAPHC_INVALID_ARGUMENT);
}

TEST_F(Safetensors, AnUnfinishedOrFailedSaveLeavesTheOldFile) {
  put("state", "old");
  {
    SafetensorsWriter abandoned(path("state"), officialTensors);
  }
  EXPECT_EQ(get(path("state")), "old");
  EXPECT_EQ(fileCount(), 1u);

  // A full disk, by a limit on the size of files.
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = {600, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  graphc_status status = guarded([&] { writeOfficial(path("state")); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(status, GRAPHC_IO_ERROR);
  EXPECT_EQ(get(path("state")), "old");
  EXPECT_EQ(fileCount(), 1u);

  writeOfficial(path("state"));
  EXPECT_EQ(get(path("state")), official);
}

TEST_F(Safetensors, ThroughTheCApi) {
  float data[] = {0, 1, 2, 3, 4, 5};
  int64_t shape[] = {3, 2}, strides[] = {1, 3}, none[] = {0};
  graphc_named_tensor tensors[] = {
      {"empty", {GRAPHC_DTYPE_I8, 1, none, nullptr, nullptr}},
      {"t", {GRAPHC_DTYPE_F32, 2, shape, strides, data}}};
  graphc_key_value metadata[] = {{"made_by", "a test"}};
  ASSERT_EQ(
      graphc_safetensors_write(path("c").c_str(), tensors, 2, metadata, 1),
      GRAPHC_OK)
      << graphc_error_message();

  graphc_safetensors *file = nullptr;
  ASSERT_EQ(graphc_safetensors_open(path("c").c_str(), &file), GRAPHC_OK);
  EXPECT_EQ(graphc_safetensors_count(file), 2u);
  EXPECT_STREQ(graphc_safetensors_metadata(file, "made_by"), "a test");
  EXPECT_EQ(graphc_safetensors_metadata(file, "other"), nullptr);
  EXPECT_EQ(graphc_safetensors_metadata(file, nullptr), nullptr);
  size_t t = 99;
  EXPECT_EQ(graphc_safetensors_find(file, "none", &t), GRAPHC_NOT_FOUND);
  EXPECT_EQ(t, 99u);
  ASSERT_EQ(graphc_safetensors_find(file, "t", &t), GRAPHC_OK);
  graphc_value_info info = {};
  info.struct_bytes = sizeof info;
  ASSERT_EQ(graphc_safetensors_describe(file, t, &info), GRAPHC_OK);
  EXPECT_STREQ(info.name, "t");
  EXPECT_EQ(info.dtype, GRAPHC_DTYPE_F32);
  ASSERT_EQ(info.rank, 2u);
  EXPECT_EQ(info.shape[0], 3);
  EXPECT_EQ(info.bytes, 24u);
  graphc_array *array = nullptr;
  ASSERT_EQ(graphc_safetensors_read(file, t, &array), GRAPHC_OK);
  auto *read = static_cast<float *>(graphc_array_tensor(array).data);
  EXPECT_EQ(std::vector<float>(read, read + 6),
            (std::vector<float>{0, 3, 1, 4, 2, 5}));
  graphc_array_destroy(array);
  array = nullptr;
  EXPECT_EQ(graphc_safetensors_read(file, 2, &array), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(array, nullptr);
  graphc_safetensors_close(file);

  // A tensor without data, a name or a shape; a key that occurs twice.
  std::string before = get(path("c"));
  auto status = [&](const graphc_named_tensor &tensor) {
    return graphc_safetensors_write(path("c").c_str(), &tensor, 1, nullptr, 0);
  };
  EXPECT_EQ(status({"t", {GRAPHC_DTYPE_F32, 2, shape, nullptr, nullptr}}),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status({nullptr, {GRAPHC_DTYPE_F32, 2, shape, nullptr, data}}),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(status({"t", {GRAPHC_DTYPE_F32, 2, nullptr, nullptr, data}}),
            GRAPHC_INVALID_ARGUMENT);
  graphc_key_value twice[] = {{"k", "a"}, {"k", "b"}};
  EXPECT_EQ(graphc_safetensors_write(path("c").c_str(), nullptr, 0, twice, 2),
            GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(get(path("c")), before);
}

TEST_F(Safetensors, AnyAllocationMayFail) {
  SKIP_UNLESS_ALLOCATIONS_CAN_FAIL();
  put("state", official);
  auto failsCleanly = [&](auto body) {
    graphc_status status = GRAPHC_OUT_OF_MEMORY;
    int64_t k = 0;
    for (; status != GRAPHC_OK && k < 10000; ++k) {
      int64_t live = liveAllocations();
      failAllocation(k);
      status = guarded(body);
      failAllocation(-1);
      EXPECT_EQ(liveAllocations(), live) << "leak after allocation " << k;
      EXPECT_TRUE(status == GRAPHC_OK || status == GRAPHC_OUT_OF_MEMORY);
      EXPECT_EQ(get(path("state")), official);
      EXPECT_EQ(fileCount(), 1u);
    }
    EXPECT_EQ(status, GRAPHC_OK);
    EXPECT_GT(k, 10) << "the test meets no allocation";
  };
  failsCleanly([&] { SafetensorsReader reader(path("state")); });
  failsCleanly([&] { writeOfficial(path("state")); });
}

} // namespace
