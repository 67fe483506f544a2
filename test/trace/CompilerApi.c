/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graphc/compiler.h from C: a model built by hand, every kind of mistake. */
#include <graphc/compiler.h>

#include <stdio.h>
#include <string.h>

static int failures;

static void expect(int condition, const char *what) {
  if (!condition) {
    printf("FAILED: %s (last error: %s)\n", what, graphc_error_message());
    ++failures;
  }
}

int main(void) {
  graphc_module *module = NULL;
  const graphc_source source = {"app.c", 10, 3};
  const int64_t dims[] = {2, 3}, negative[] = {-1},
                huge[] = {1LL << 40, 1LL << 40};
  const graphc_tensor_type matrix = {GRAPHC_DTYPE_F32, 2, dims};
  const graphc_tensor_type bad_dtype = {(graphc_dtype)99, 0, NULL};
  const graphc_tensor_type bad_dims = {GRAPHC_DTYPE_F32, 1, negative};
  const graphc_tensor_type too_large = {GRAPHC_DTYPE_F32, 2, huge};
  const graphc_tensor_type too_deep = {GRAPHC_DTYPE_F32, 17, dims};
  graphc_value x = -1, y = -1;
  const char *text = NULL;

  expect(graphc_module_create("bad name", &module) == GRAPHC_INVALID_ARGUMENT,
         "a name with a space is refused");
  expect(graphc_module_create(NULL, &module) == GRAPHC_INVALID_ARGUMENT,
         "NULL is refused");
  expect(module == NULL, "a failed create leaves the out-parameter");
  expect(graphc_module_create("m", &module) == GRAPHC_OK, "create");

  expect(graphc_build_op(module, "graph.neg", &x, 1, NULL, NULL, 0, &source,
                         &y) == GRAPHC_COMPILE_ERROR,
         "no op outside functions");
  expect(graphc_function_begin(module, "f", &bad_dtype, NULL, 1, NULL, 0,
                               &source, &x) == GRAPHC_INVALID_ARGUMENT,
         "unknown dtype");
  expect(graphc_function_begin(module, "f", &bad_dims, NULL, 1, NULL, 0,
                               &source, &x) == GRAPHC_INVALID_ARGUMENT,
         "negative dim");
  expect(graphc_function_begin(module, "f", &too_large, NULL, 1, NULL, 0,
                               &source, &x) == GRAPHC_INVALID_ARGUMENT,
         "size overflow");
  expect(graphc_function_begin(module, "f", &too_deep, NULL, 1, NULL, 0,
                               &source, &x) == GRAPHC_INVALID_ARGUMENT,
         "rank 17");
  expect(graphc_function_begin(module, "f", &matrix, NULL, 1, NULL, 0, &source,
                               &x) == GRAPHC_OK,
         "begin");
  expect(graphc_module_text(module, &text) == GRAPHC_INVALID_ARGUMENT,
         "no text while a function is open");

  expect(graphc_build_op(module, "graph.nonsense", &x, 1, NULL, NULL, 0,
                         &source, &y) == GRAPHC_COMPILE_ERROR,
         "unknown op");
  expect(graphc_build_op(module, "func.return", &x, 1, NULL, NULL, 0, &source,
                         &y) == GRAPHC_COMPILE_ERROR,
         "only ops of the graph dialect");
  expect(graphc_build_op(module, "graph.reduce_sum", &x, 1, "{axes = [[[", NULL,
                         0, &source, &y) == GRAPHC_COMPILE_ERROR,
         "broken attribute text");
  expect(graphc_build_op(module, "graph.reduce_sum", &x, 1, NULL, NULL, 0,
                         &source, &y) == GRAPHC_COMPILE_ERROR,
         "missing attribute");
  expect(strstr(graphc_error_message(), "requires attribute 'axes'") != NULL,
         "its name");
  expect(graphc_build_op(module, "graph.pad", &x, 1, NULL, NULL, 0, &source,
                         &y) == GRAPHC_COMPILE_ERROR,
         "too few operands and no attributes");
  expect(strstr(graphc_error_message(), "expects 2 operands, but got 1") !=
             NULL,
         "their number");
  expect(graphc_build_op(module, "graph.linear", &x, 1, NULL, NULL, 0, &source,
                         &y) == GRAPHC_COMPILE_ERROR,
         "too few operands of an op with optional ones");
  expect(graphc_build_op(module, "graph.neg", NULL, 0, NULL, NULL, 0, &source,
                         &y) == GRAPHC_COMPILE_ERROR,
         "no operand");
  expect(graphc_build_op(module, "graph.argmax", &x, 1, "{axis = 0 : i32}",
                         NULL, 0, &source, &y) == GRAPHC_COMPILE_ERROR,
         "attribute of the wrong width");
  expect(graphc_build_op(module, "graph.reduce_sum", &x, 1, "{axes = \"text\"}",
                         NULL, 0, &source, &y) == GRAPHC_COMPILE_ERROR,
         "attribute of the wrong kind");
  expect(graphc_build_op(module, "graph.add", &x, 1, NULL, NULL, 0, &source,
                         &y) == GRAPHC_COMPILE_ERROR,
         "too few operands");
  expect(graphc_build_op(module, "graph.for", &x, 1, NULL, NULL, 0, &source,
                         &y) == GRAPHC_COMPILE_ERROR,
         "ops with regions are refused");
  y = 12345;
  expect(graphc_build_op(module, "graph.neg", &y, 1, NULL, NULL, 0, &source,
                         &y) == GRAPHC_COMPILE_ERROR,
         "a value that is not there");
  expect(y == 12345, "a failed op leaves the out-parameter");
  expect(graphc_build_op(module, "graph.reduce_sum", &x, 1,
                         "{axes = array<i64: 1>}", NULL, 0, &source,
                         &y) == GRAPHC_OK,
         "a good op");
  expect(graphc_function_end(module, &y, NULL, 1) == GRAPHC_OK, "end");
  expect(graphc_module_text(module, &text) == GRAPHC_OK, "text");
  expect(strstr(text, "loc(\"app.c\":10:3)") != NULL, "the text has locations");
  expect(strstr(text, "graph.neg") == NULL, "failed ops leave nothing");
  graphc_module_destroy(module);

  module = NULL;
  expect(graphc_module_read("func.func @", 11, "bad.mlir", &module) ==
             GRAPHC_COMPILE_ERROR,
         "text that is no model");
  expect(strstr(graphc_error_message(), "bad.mlir:1:") != NULL,
         "its error is located");
  expect(module == NULL, "a failed read leaves the out-parameter");
  graphc_module_destroy(NULL);
  return failures ? 1 : 0;
}
