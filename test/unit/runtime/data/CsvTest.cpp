// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <random>
#include <vector>

#include "graphc/data.hpp"
#include "test/unit/runtime/data/FailingAllocator.h"
#include "test/unit/runtime/data/TestFiles.h"

using graphc::Array;

namespace {

class Csv : public TempFolderTest {
protected:
  graphc::Csv parse(const std::string &text, char separator = ',',
                    graphc_csv_header header = GRAPHC_CSV_HEADER_AUTO) {
    return graphc::Csv(put("t.csv", text), separator, header);
  }

  /// The message, without the folder, of the Error that `body` throws.
  template <class Body> std::string errorOf(Body body) {
    try {
      body();
    } catch (const graphc::Error &error) {
      std::string message = error.what();
      size_t at = message.find(path("t.csv"));
      if (at != std::string::npos)
        message.erase(at, path("").size());
      return message;
    }
    return "no error";
  }
};

template <class T> std::vector<T> values(const Array &array) {
  return std::vector<T>(array.data<T>(), array.data<T>() + array.size());
}

TEST_F(Csv, HeaderNumbersAndSelection) {
  graphc::Csv csv = parse("a,b,label\n1,2.5,0\n-3,4e2,1\n");
  EXPECT_EQ(csv.rows(), 2);
  EXPECT_EQ(csv.columns(), 3);
  EXPECT_EQ(csv.columnName(2), "label");
  Array x = csv.array<float>(std::vector<std::string>{"b", "a"});
  EXPECT_EQ(x.shape(), (Array::Shape{2, 2}));
  EXPECT_EQ(values<float>(x), (std::vector<float>{2.5, 1, 400, -3}));
  EXPECT_EQ(values<int64_t>(csv.column<int64_t>("label")),
            (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(csv.find("-1"), 2);
  EXPECT_EQ(csv.find("0"), 0);
}

TEST_F(Csv, TheHeaderIsGuessedUnlessSaid) {
  EXPECT_EQ(parse("1,2\n3,4\n").rows(), 2);
  EXPECT_EQ(parse("x,y\n3,4\n").rows(), 1);
  // A row of data with a name in it is data.
  EXPECT_EQ(parse("1,setosa\n2,virginica\n").rows(), 2);
  EXPECT_EQ(parse("1,2\n3,4\n", ',', GRAPHC_CSV_HEADER_PRESENT).rows(), 1);
  EXPECT_EQ(parse("x,y\n3,4\n", ',', GRAPHC_CSV_HEADER_ABSENT).rows(), 2);
  EXPECT_EQ(parse("x,y\n").rows(), 0);
}

TEST_F(Csv, HeaderOfNoValueIsRefused) {
  EXPECT_EQ(
      errorOf([&] { parse("a\n1\n", ',', static_cast<graphc_csv_header>(9)); }),
      "header has no value 9");
}

TEST_F(Csv, QuotesSeparatorsAndLineEnds) {
  graphc::Csv csv = parse("\xef\xbb\xbf\"a;b\";\"say \"\"hi\"\"\"\r\n"
                          "\r\n\"1\";2\r\n\n 3 ;\t+4",
                          ';');
  EXPECT_EQ(csv.columnName(0), "a;b");
  EXPECT_EQ(csv.columnName(1), "say \"hi\"");
  EXPECT_EQ(values<int32_t>(csv.array<int32_t>(std::vector<int64_t>{0, 1})),
            (std::vector<int32_t>{1, 2, 3, 4}));
  EXPECT_EQ(parse("\"two\nlines\",b\n1,2\n").columnName(0), "two\nlines");
  EXPECT_EQ(parse("1\t2\n", '\t').columns(), 2);
}

TEST_F(Csv, NumbersOfEachType) {
  graphc::Csv csv = parse("v\n0\n1\n1.0\n1e0\n");
  EXPECT_EQ(values<int8_t>(csv.column<int8_t>("v")),
            (std::vector<int8_t>{0, 1, 1, 1}));
  EXPECT_EQ(values<bool>(csv.column<bool>("v")),
            (std::vector<bool>{false, true, true, true}));
  EXPECT_EQ(values<bool>(parse("v\ntrue\nFalse\n").column<bool>("v")),
            (std::vector<bool>{true, false}));
  std::vector<double> doubles = values<double>(
      parse("v\n0.1\n1e-400\n-1e-400\ninf\nnan\n9007199254740993\n"
            "-0.00000000000000000000001\n")
          .column<double>("v"));
  EXPECT_EQ(doubles[0], 0.1);
  EXPECT_EQ(doubles[1], 0);
  EXPECT_TRUE(std::signbit(doubles[2]));
  EXPECT_TRUE(std::isinf(doubles[3]));
  EXPECT_TRUE(std::isnan(doubles[4]));
  EXPECT_EQ(doubles[5], 9007199254740992.0);
  EXPECT_EQ(doubles[6], -1e-23);
  EXPECT_EQ(values<int64_t>(parse("v\n9223372036854775807\n-9223372036854775808"
                                  "\n9007199254740993")
                                .column<int64_t>("v")),
            (std::vector<int64_t>{INT64_MAX, INT64_MIN, 9007199254740993}));
}

// f64 is no detour for integers: it has no room for some and rounds others.
TEST_F(Csv, WholeNumbersAreExact) {
  EXPECT_EQ(
      values<int64_t>(parse("v\n9007199254740993.0\n-9223372036854775808.000\n"
                            "9.223372036854775807e18\n120e-1\n0e99999\n0.00\n"
                            "1e+2\n.5e1\n1e0000000000000000000000000000002\n")
                          .column<int64_t>("v")),
      (std::vector<int64_t>{9007199254740993, INT64_MIN, INT64_MAX, 12, 0, 0,
                            100, 5, 100}));
  auto problem = [&](const std::string &number) {
    std::string all = errorOf(
        [&] { parse("b\n" + number + "\n").column<int64_t>(int64_t{0}); });
    return all.substr(0, all.find(" (")).substr(all.find("expects"));
  };
  const char *const whole = "expects an integer";
  const char *const fits = "expects an integer that the element type can hold";
  for (const char *large :
       {"1e400", "-1e400", "1e19", "1e999999999999999999999",
        "9223372036854775808.0", "-9.223372036854775809e18"})
    EXPECT_EQ(problem(large), fits) << large;
  EXPECT_EQ(problem("1" + std::string(400, '0') + ".0"), fits);
  for (const char *broken :
       {"1e-400", "1.00000000000000000000000000000001",
        "1e-99999999999999999999", "inf", "nan", "1e", "5e-1"})
    EXPECT_EQ(problem(broken), whole) << broken;
}

TEST_F(Csv, NumbersOfManyDigits) {
  std::string large(5000, '7'), zeros(5000, '0');
  for (const std::string &number :
       {large, "-" + large + ".5", large + "e-10", std::string("1e400")})
    EXPECT_NE(errorOf([&] {
                parse("b\n" + number).column<double>("b");
              }).find("expects a number that the element type can hold"),
              std::string::npos);
  std::vector<double> doubles =
      values<double>(parse("b\n" + zeros + "3\n0." + zeros + "1\n-0." + zeros +
                           "1e10\n" + large + "e-5000\n1e-400\n")
                         .column<double>("b"));
  EXPECT_EQ(doubles[0], 3);
  EXPECT_EQ(doubles[1], 0);
  EXPECT_TRUE(doubles[2] == 0 && std::signbit(doubles[2]));
  EXPECT_EQ(doubles[3], 7.0 / 9);
  EXPECT_EQ(doubles[4], 0);
}

TEST_F(Csv, ErrorsSayWhere) {
  auto cell = [&](const std::string &text, auto zero) {
    return errorOf([&] { parse(text).template column<decltype(zero)>("b"); });
  };
  EXPECT_EQ(cell("a,b\n1,2\n3,four\n", 0.0f),
            "t.csv:3:3: expects a number (f32, column 'b'), but got 'four'");
  EXPECT_EQ(cell("a,b\n1,\n", 0.0f),
            "t.csv:2:3: expects a number (f32, column 'b'), but got ''");
  EXPECT_EQ(cell("a,b\n1,2.5\n", int64_t{}),
            "t.csv:2:3: expects an integer (i64, column 'b'), but got '2.5'");
  EXPECT_EQ(
      cell("a,b\n1,300\n", uint8_t{}),
      "t.csv:2:3: expects an integer that the element type can hold (ui8, "
      "column 'b'), but got '300'");
  EXPECT_EQ(cell("a,b\n1,1e39\n", 0.0f),
            "t.csv:2:3: expects a number that the element type can hold (f32, "
            "column 'b'), but got '1e39'");
  EXPECT_EQ(cell("a,b\n1,1e999\n", 0.0),
            "t.csv:2:3: expects a number that the element type can hold (f64, "
            "column 'b'), but got '1e999'");
  EXPECT_EQ(cell("a,b\n1,1e99999\n", 0.0),
            "t.csv:2:3: expects a number that the element type can hold (f64, "
            "column 'b'), but got '1e99999'");
  EXPECT_EQ(
      cell("a,b\n1,9223372036854775808\n", int64_t{}),
      "t.csv:2:3: expects an integer that the element type can hold (i64, "
      "column 'b'), but got '9223372036854775808'");
  EXPECT_EQ(cell("a,b\n1,2\n", true),
            "t.csv:2:3: expects 0, 1, false or true (i1, column 'b'), but got "
            "'2'");
  EXPECT_EQ(cell("a,b\n1,0x10\n", 0.0f),
            "t.csv:2:3: expects a number (f32, column 'b'), but got '0x10'");
  EXPECT_EQ(cell("a,b\n1,+-2\n", 0.0f),
            "t.csv:2:3: expects a number (f32, column 'b'), but got '+-2'");
  EXPECT_EQ(cell("a,b\n1,1e300\n", int64_t{}),
            "t.csv:2:3: expects an integer that the element type can hold "
            "(i64, column 'b'), but got '1e300'");
  auto status = [&](auto body) {
    try {
      body();
    } catch (const graphc::Error &error) {
      return error.status();
    }
    return GRAPHC_OK;
  };
  EXPECT_EQ(status([&] { parse("a,b\n1,2\n").find("c"); }), GRAPHC_NOT_FOUND);
  for (const char *text : {"a,b\n1,2\n3\n", "a,b\n1,\"2\n", "b\n1,5\n"})
    EXPECT_EQ(status([&] { parse(text); }), GRAPHC_CORRUPT) << text;
  EXPECT_EQ(status([&] { parse("b\nx\n").column<float>("b"); }),
            GRAPHC_CORRUPT);
  auto table = [&](const std::string &text) {
    return errorOf([&] { parse(text); });
  };
  EXPECT_EQ(table("a,b\n1,2\n3\n"),
            "t.csv:3:1: expects 2 cells as in the first line, but got 1");
  EXPECT_EQ(table("a,b\n1,2\n\"x\n\n\",3,4\n"),
            "t.csv:3:2: expects 2 cells as in the first line, but got 3");
  EXPECT_EQ(table("a,b\n1,\"2\n"), "t.csv:2:3: this quote is never closed");
  EXPECT_EQ(table("a,b\n1,\"2\"x\n"),
            "t.csv:2:6: expects a separator or the end of the line after a "
            "closing quote, but got 'x'");
  EXPECT_NE(table("").find("t.csv' has no rows"), std::string::npos);
  EXPECT_NE(table("\n\r\n").find("has no rows"), std::string::npos);
  EXPECT_NE(errorOf([&] {
              parse("a,b\n1,2\n").find("c");
            }).find("has no column 'c'; it has 'a', 'b'"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              parse("1,2\n").find("2");
            }).find("has no column '2'; it has no header, and columns 0 to 1"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { parse("1,2\n", '"'); }).find("are the same"),
            std::string::npos);
}

TEST_F(Csv, TextInMemory) {
  graphc::Csv csv = graphc::Csv::parse("here", "a,b\n1,2\n3,x\n");
  EXPECT_EQ(values<int32_t>(csv.column<int32_t>("a")),
            (std::vector<int32_t>{1, 3}));
  EXPECT_EQ(errorOf([&] { csv.column<float>("b"); }),
            "here:3:3: expects a number (f32, column 'b'), but got 'x'");
  EXPECT_EQ(errorOf([&] { graphc::Csv::parse("here", ""); }),
            "'here' has no rows");
}

TEST_F(Csv, HostileTextNeverBreaksIt) {
  std::string good = "a,\"b\"\"c\",d\n1,\"2\",3\r\n4,5,6\n";
  std::mt19937 random(1);
  const char alphabet[] = "\",\n\r 1.e-+\0\xff";
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = good;
    for (int edits = 1 + i % 4; edits > 0; --edits)
      text[random() % text.size()] = alphabet[random() % sizeof alphabet];
    text.resize(text.size() - random() % 4);
    std::string path = put("t.csv", text);
    graphc_csv *csv = nullptr;
    graphc_status status = graphc_csv_read(path.c_str(), nullptr, &csv);
    if (status == GRAPHC_OK) {
      graphc_array *array = nullptr;
      status =
          graphc_csv_to_array(csv, nullptr, 0, GRAPHC_DTYPE_F32, 0, &array);
      graphc_array_destroy(array);
    }
    graphc_csv_destroy(csv);
    EXPECT_TRUE(status == GRAPHC_OK || status == GRAPHC_CORRUPT);
    refused += status != GRAPHC_OK;
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 4000);
}

TEST_F(Csv, AnyAllocationMayFail) {
  SKIP_UNLESS_ALLOCATIONS_CAN_FAIL();
  std::string in = put("t.csv", "a_name_too_long_to_be_stored_in_place,b\n1,2");
  graphc_status status = GRAPHC_OUT_OF_MEMORY;
  int64_t k = 0;
  for (; status != GRAPHC_OK && k < 1000; ++k) {
    int64_t live = liveAllocations();
    failAllocation(k);
    graphc_csv *csv = nullptr;
    graphc_array *array = nullptr;
    status = graphc_csv_read(in.c_str(), nullptr, &csv);
    if (status == GRAPHC_OK)
      status =
          graphc_csv_to_array(csv, nullptr, 0, GRAPHC_DTYPE_F32, 0, &array);
    failAllocation(-1);
    graphc_csv_destroy(csv);
    graphc_array_destroy(array);
    EXPECT_TRUE(status == GRAPHC_OK || status == GRAPHC_OUT_OF_MEMORY);
    EXPECT_EQ(liveAllocations(), live) << "leak after allocation " << k;
  }
  EXPECT_EQ(status, GRAPHC_OK);
  EXPECT_GT(k, 8);
}

} // namespace
