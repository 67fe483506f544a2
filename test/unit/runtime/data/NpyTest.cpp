// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "graphc/data.hpp"
#include "test/unit/runtime/data/FailingAllocator.h"
#include "test/unit/runtime/data/TestFiles.h"

namespace {

/// A file with this header text, padded as NumPy pads it.
std::string npy(const std::string &dict, const std::string &data,
                char major = 1) {
  std::string header = dict;
  size_t fixed = major == 1 ? 10 : 12;
  header.append(127 - (fixed + header.size()) % 128, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY", 6);
  bytes += major;
  bytes += '\0';
  for (size_t i = 0; i < fixed - 8; ++i)
    bytes += static_cast<char>(header.size() >> 8 * i);
  return bytes + header + data;
}

std::string dict(const std::string &descr, const std::string &shape,
                 const std::string &fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }";
}

template <class T> std::string raw(const std::vector<T> &values) {
  return std::string(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(T));
}

class Npy : public TempFolderTest {
protected:
  graphc_array *array = nullptr;
  std::string message;

  void TearDown() override {
    graphc_array_destroy(array);
    TempFolderTest::TearDown();
  }

  graphc_status read(const std::string &bytes) {
    graphc_array_destroy(array);
    array = nullptr;
    graphc_status status = graphc_npy_read(put("a.npy", bytes).c_str(), &array);
    EXPECT_EQ(array != nullptr, status == GRAPHC_OK);
    message = status ? graphc_error_message() : "";
    return status;
  }

  std::vector<int64_t> shape() {
    graphc_tensor tensor = graphc_array_tensor(array);
    return {tensor.shape, tensor.shape + tensor.rank};
  }

  template <class T> std::vector<T> values() {
    graphc_tensor tensor = graphc_array_tensor(array);
    size_t count = 1;
    for (uint32_t i = 0; i < tensor.rank; ++i)
      count *= static_cast<size_t>(tensor.shape[i]);
    const T *data = static_cast<const T *>(tensor.data);
    return {data, data + count};
  }
};

const std::vector<float> ramp = {0, 1, 2, 3, 4, 5};

TEST_F(Npy, EveryTypeAndVersion) {
  struct Case {
    const char *descr;
    graphc_dtype dtype;
    size_t bytes;
  };
  const Case cases[] = {
      {"<f8", GRAPHC_DTYPE_F64, 8},  {"<f4", GRAPHC_DTYPE_F32, 4},
      {"<f2", GRAPHC_DTYPE_F16, 2},  {"|V2", GRAPHC_DTYPE_BF16, 2},
      {"<V2", GRAPHC_DTYPE_BF16, 2}, {"|b1", GRAPHC_DTYPE_I1, 1},
      {"|i1", GRAPHC_DTYPE_I8, 1},   {"|u1", GRAPHC_DTYPE_UI8, 1},
      {"<i4", GRAPHC_DTYPE_I32, 4},  {"<i8", GRAPHC_DTYPE_I64, 8},
      {"=f4", GRAPHC_DTYPE_F32, 4}};
  for (char version : {1, 2, 3})
    for (const Case &c : cases) {
      std::string data =
          std::string(c.bytes, '\1') + std::string(c.bytes, '\0');
      ASSERT_EQ(read(npy(dict(c.descr, "(2,)"), data, version)), GRAPHC_OK)
          << message;
      graphc_tensor tensor = graphc_array_tensor(array);
      EXPECT_EQ(tensor.dtype, c.dtype);
      EXPECT_EQ(shape(), std::vector<int64_t>{2});
      EXPECT_EQ(std::memcmp(tensor.data, data.data(), data.size()), 0);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data) % 64, 0u);
    }
}

TEST_F(Npy, BigEndianAndFortranOrderAreConverted) {
  std::string big("\x3f\x80\0\0\x40\0\0\0", 8);
  ASSERT_EQ(read(npy(dict(">f4", "(2,)"), big)), GRAPHC_OK) << message;
  EXPECT_EQ(values<float>(), (std::vector<float>{1, 2}));

  ASSERT_EQ(read(npy(dict("<f4", "(2, 3)", "True"), raw(ramp))), GRAPHC_OK);
  EXPECT_EQ(shape(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(values<float>(), (std::vector<float>{0, 2, 4, 1, 3, 5}));

  ASSERT_EQ(read(npy(dict("<f4", "(1, 2, 3)", "True"), raw(ramp))), GRAPHC_OK);
  EXPECT_EQ(values<float>(), (std::vector<float>{0, 2, 4, 1, 3, 5}));
}

TEST_F(Npy, ScalarsAndEmptyArrays) {
  ASSERT_EQ(read(npy(dict("<i8", "()"), raw<int64_t>({7}))), GRAPHC_OK);
  EXPECT_EQ(shape(), std::vector<int64_t>{});
  EXPECT_EQ(values<int64_t>(), std::vector<int64_t>{7});
  ASSERT_EQ(read(npy(dict("<f4", "(3, 0)", "True"), "")), GRAPHC_OK);
  EXPECT_EQ(shape(), (std::vector<int64_t>{3, 0}));
  // Dimensions beside a 0 may be of any size: strides of theirs would overflow.
  const std::string huge = "4611686018427387904, 4611686018427387904";
  for (const std::string &dims :
       {"(0, " + huge + ")", "(" + huge + ", 0)",
        "(4611686018427387904, 0, 4611686018427387904)" + std::string()})
    for (const char *order : {"True", "False"}) {
      ASSERT_EQ(read(npy(dict("<f4", dims, order), "")), GRAPHC_OK) << message;
      graphc::Array whole(std::exchange(array, nullptr));
      EXPECT_EQ(whole.size(), 0);
      graphc::Array::Shape rows;
      EXPECT_EQ(whole.rows(0, 0, rows).shape[0], 0);
      graphc_tensor tensor = whole;
      EXPECT_EQ(graphc_npy_write(path("e.npy").c_str(), &tensor), GRAPHC_OK);
      const int64_t strides[] = {1, 1, 1};
      tensor.strides = strides;
      EXPECT_EQ(graphc_npy_write(path("e.npy").c_str(), &tensor), GRAPHC_OK);
    }
}

TEST_F(Npy, OtherSpellingsOfTheHeader) {
  // Double quotes, other key order, no trailing comma, Python 2 integers.
  ASSERT_EQ(read(npy("{\"shape\": (2L, 3L), \"fortran_order\": False, "
                     "\"descr\": \"<f4\"}",
                     raw(ramp))),
            GRAPHC_OK)
      << message;
  EXPECT_EQ(shape(), (std::vector<int64_t>{2, 3}));
}

TEST_F(Npy, BoolsAreNormalised) {
  ASSERT_EQ(read(npy(dict("|b1", "(3,)"), std::string("\0\2\xff", 3))),
            GRAPHC_OK);
  EXPECT_EQ(values<uint8_t>(), (std::vector<uint8_t>{0, 1, 1}));
}

TEST_F(Npy, EachViolationHasItsOwnError) {
  struct Case {
    std::string bytes;
    graphc_status status;
    const char *message;
  };
  const std::string good = npy(dict("<f4", "(2, 3)"), raw(ramp));
  auto withHeader = [&](const std::string &header) {
    return npy(header, raw(ramp));
  };
  const Case cases[] = {
      {"", GRAPHC_CORRUPT, "is no npy file"},
      {"PK\3\4 a zip file", GRAPHC_CORRUPT, "is no npy file"},
      {npy(dict("<f4", "()"), "", 4), GRAPHC_UNSUPPORTED,
       "expects npy format 1.0, 2.0 or 3.0, but got 4.0"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12), GRAPHC_CORRUPT,
       "expects an npy header of at most 65536 bytes, but got 4294967295"},
      {good.substr(0, 60), GRAPHC_CORRUPT, "ends within the npy header"},
      {good.substr(0, 150), GRAPHC_CORRUPT,
       "expects 24 bytes of data for shape [2, 3], but the file has 22"},
      {good + "x", GRAPHC_CORRUPT, "but the file has 25"},
      {withHeader("{'descr': '<f4', 'shape': (2, 3)}"), GRAPHC_CORRUPT,
       "lacks 'fortran_order'"},
      {withHeader("{'descr': '<f4', 'descr': '<f4'}"), GRAPHC_CORRUPT,
       "has 'descr' twice"},
      {withHeader("{'shape': (), 'shape': ()}"), GRAPHC_CORRUPT,
       "has 'shape' twice"},
      {withHeader("{'colour': 1}"), GRAPHC_CORRUPT,
       "the npy header has the unknown key 'colour'"},
      {withHeader(dict("<f4", "(2, 3)") + "!"), GRAPHC_CORRUPT,
       "expects nothing after the dictionary, but got '!'"},
      {withHeader("[1]"), GRAPHC_CORRUPT, "expects '{', but got '['"},
      {withHeader("{'descr: 1"), GRAPHC_CORRUPT, "a plain, closed string"},
      {withHeader(dict("<f4", "(-2, 3)")), GRAPHC_CORRUPT,
       "expects a dimension of 0 or more, but got '-'"},
      {withHeader(dict("<f4", "(2)")), GRAPHC_CORRUPT, "is no tuple"},
      {withHeader(dict("<f4", "(2, 3")), GRAPHC_CORRUPT, "but got '}'"},
      {withHeader(dict("<f4", "(2, 3 4)")), GRAPHC_CORRUPT,
       "expects ')', but got '4'"},
      {withHeader(dict("<f4", "2")), GRAPHC_CORRUPT, "expects '('"},
      {withHeader(dict("<f4", "(9223372036854775808,)")), GRAPHC_CORRUPT,
       "a dimension does not fit 63 bits"},
      {withHeader(dict("<f4", "(4611686018427387904, 4)")), GRAPHC_CORRUPT,
       "has more than 2^63 bytes"},
      {withHeader(dict("<f4", "(2305843009213693952,)")), GRAPHC_CORRUPT,
       "has more than 2^63 bytes"},
      {withHeader(dict("<f4", "(1000000000000,)")), GRAPHC_CORRUPT,
       "expects 4000000000000 bytes of data"},
      {withHeader(dict("<f4", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,6)")),
       GRAPHC_UNSUPPORTED, "expects a rank of at most 16"},
      {withHeader(dict("<f4", "(2, 3)", "1")), GRAPHC_CORRUPT,
       "expects True or False, but got '1'"},
      {withHeader(dict("<c8", "(3,)")), GRAPHC_UNSUPPORTED, "but got '<c8'"},
      {withHeader(dict("<i2", "(3,)")), GRAPHC_UNSUPPORTED, "but got '<i2'"},
      {withHeader(dict("|f4", "(6,)")), GRAPHC_UNSUPPORTED, "but got '|f4'"},
      {withHeader(dict("f4", "(6,)")), GRAPHC_UNSUPPORTED, "but got 'f4'"},
      {withHeader(dict("", "(6,)")), GRAPHC_UNSUPPORTED, "but got ''"},
      {withHeader(dict("|O", "(3,)")), GRAPHC_UNSUPPORTED, "but got '|O'"},
      {withHeader("{'descr': [('a', '<f4')], }"), GRAPHC_UNSUPPORTED,
       "arrays of structures are not supported"},
  };
  for (const Case &c : cases) {
    EXPECT_EQ(read(c.bytes), c.status) << c.message;
    EXPECT_NE(message.find(c.message), std::string::npos)
        << "expected: " << c.message << "\ngot:      " << message;
    EXPECT_NE(message.find("a.npy"), std::string::npos) << message;
  }
  EXPECT_EQ(graphc_npy_read(path("none.npy").c_str(), &array),
            GRAPHC_NOT_FOUND);
  EXPECT_EQ(graphc_npy_read(nullptr, &array), GRAPHC_INVALID_ARGUMENT);
}

TEST_F(Npy, EveryTruncationIsRefused) {
  std::string good = npy(dict("<f4", "(2, 3)"), raw(ramp));
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(read(good.substr(0, size)), GRAPHC_CORRUPT) << size;
}

TEST_F(Npy, FlippedBytesAreRefusedOrHarmless) {
  std::string good = npy(dict("<f4", "(2, 3)"), raw(ramp));
  std::mt19937 random(1);
  size_t refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string bytes = good;
    for (int flips = 1 + i % 3; flips > 0; --flips)
      bytes[random() % 70] ^= 1 << random() % 8;
    graphc_status status = read(bytes);
    EXPECT_TRUE(status == GRAPHC_OK || status == GRAPHC_CORRUPT ||
                status == GRAPHC_UNSUPPORTED)
        << message;
    refused += status != GRAPHC_OK;
  }
  EXPECT_GT(refused, 2000u);
}

TEST_F(Npy, WritesWhatNumPyWrites) {
  // The first bytes of numpy.save() for these, NumPy 2.4.
  struct Case {
    graphc_dtype dtype;
    std::vector<int64_t> shape;
    const char *text;
    size_t bytes;
  };
  const Case cases[] = {
      {GRAPHC_DTYPE_F32,
       {2, 3},
       "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
       24},
      {GRAPHC_DTYPE_F64,
       {},
       "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
       8},
      {GRAPHC_DTYPE_I8,
       {5},
       "{'descr': '|i1', 'fortran_order': False, 'shape': (5,), }",
       5},
      {GRAPHC_DTYPE_I1,
       {123456, 0, 2},
       "{'descr': '|b1', 'fortran_order': False, 'shape': (123456, 0, 2), }",
       0},
      {GRAPHC_DTYPE_BF16,
       {2},
       "{'descr': '|V2', 'fortran_order': False, 'shape': (2,), }",
       4}};
  for (const Case &c : cases) {
    std::string data(c.bytes, '\1');
    graphc_tensor tensor = {c.dtype, static_cast<uint32_t>(c.shape.size()),
                            c.shape.data(), nullptr, &data[0]};
    ASSERT_EQ(graphc_npy_write(path("w.npy").c_str(), &tensor), GRAPHC_OK);
    EXPECT_EQ(get(path("w.npy")), npy(c.text, data));
  }
}

TEST_F(Npy, WritesStridedTensorsRowMajor) {
  int64_t shape[] = {3, 2}, strides[] = {1, 3}, reversed[] = {-2, 1};
  graphc_tensor transposed = {GRAPHC_DTYPE_F32, 2, shape, strides,
                              const_cast<float *>(ramp.data())};
  ASSERT_EQ(graphc_npy_write(path("t.npy").c_str(), &transposed), GRAPHC_OK);
  ASSERT_EQ(read(get(path("t.npy"))), GRAPHC_OK);
  EXPECT_EQ(values<float>(), (std::vector<float>{0, 3, 1, 4, 2, 5}));

  graphc_tensor backwards = {GRAPHC_DTYPE_F32, 2, shape, reversed,
                             const_cast<float *>(ramp.data() + 4)};
  ASSERT_EQ(graphc_npy_write(path("t.npy").c_str(), &backwards), GRAPHC_OK);
  ASSERT_EQ(read(get(path("t.npy"))), GRAPHC_OK);
  EXPECT_EQ(values<float>(), (std::vector<float>{4, 5, 2, 3, 0, 1}));
}

TEST_F(Npy, WriterRefusesBadTensors) {
  int64_t shape[] = {2, -1};
  float data[4] = {};
  std::string out = path("w.npy");
  graphc_tensor tensor = {GRAPHC_DTYPE_F32, 2, shape, nullptr, data};
  EXPECT_EQ(graphc_npy_write(out.c_str(), &tensor), GRAPHC_INVALID_ARGUMENT);
  tensor = {static_cast<graphc_dtype>(12), 0, nullptr, nullptr, data};
  EXPECT_EQ(graphc_npy_write(out.c_str(), &tensor), GRAPHC_INVALID_ARGUMENT);
  tensor = {GRAPHC_DTYPE_F32, 0, nullptr, nullptr, nullptr};
  EXPECT_EQ(graphc_npy_write(out.c_str(), &tensor), GRAPHC_INVALID_ARGUMENT);
  tensor = {GRAPHC_DTYPE_F32, 17, shape, nullptr, data};
  EXPECT_EQ(graphc_npy_write(out.c_str(), &tensor), GRAPHC_UNSUPPORTED);
  EXPECT_EQ(graphc_npy_write(out.c_str(), nullptr), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(Npy, AnyAllocationMayFail) {
  SKIP_UNLESS_ALLOCATIONS_CAN_FAIL();
  std::string in = put("a.npy", npy(dict("<f4", "(2, 3)", "True"), raw(ramp)));
  graphc_status status = GRAPHC_OUT_OF_MEMORY;
  int64_t k = 0;
  for (; status != GRAPHC_OK && k < 1000; ++k) {
    int64_t live = liveAllocations();
    failAllocation(k);
    status = graphc_npy_read(in.c_str(), &array);
    failAllocation(-1);
    if (status == GRAPHC_OK)
      break;
    EXPECT_EQ(status, GRAPHC_OUT_OF_MEMORY);
    EXPECT_EQ(array, nullptr);
    EXPECT_EQ(liveAllocations(), live) << "leak after allocation " << k;
  }
  EXPECT_EQ(status, GRAPHC_OK);
  EXPECT_GT(k, 5);
}

} // namespace
