/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The whole C API once, from C: describe, train, fail, save, load, destroy. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graphc/runtime.h"

static int failures = 0;

static void expect(int holds, const char *what) {
  if (holds)
    return;
  ++failures;
  fprintf(stderr, "failed: %s (%s)\n", what, graphc_error_message());
}

static void train(graphc_model *model, float *out_losses, int steps) {
  float x[8] = {1, 2, 3, 4, -1, 0.5f, 2, 1}, loss = 0;
  int64_t ids[2] = {3, 1};
  const int64_t x_shape[] = {2, 4}, ids_shape[] = {2};
  graphc_tensor x_tensor = {GRAPHC_DTYPE_F32, 2, x_shape, NULL, x};
  graphc_tensor ids_tensor = {GRAPHC_DTYPE_I64, 1, ids_shape, NULL, ids};
  graphc_tensor loss_tensor = {GRAPHC_DTYPE_F32, 0, NULL, NULL, &loss};
  graphc_call *call = NULL;
  expect(graphc_call_create(model, "step", &call) == GRAPHC_OK, "create");
  expect(graphc_call_bind_input(call, 0, &x_tensor) == GRAPHC_OK, "bind x");
  expect(graphc_call_bind_input(call, 1, &ids_tensor) == GRAPHC_OK, "bind ids");
  expect(graphc_call_bind_output(call, 0, &loss_tensor) == GRAPHC_OK, "loss");
  expect(graphc_call_bind_output(call, 1, NULL) == GRAPHC_OK, "own output");
  for (int i = 0; i < steps; ++i) {
    expect(graphc_call_run(call) == GRAPHC_OK, "run");
    out_losses[i] = loss;
  }
  ids[0] = 4;
  expect(graphc_call_run(call) == GRAPHC_OUT_OF_RANGE, "index out of range");
  expect(strstr(graphc_error_message(), "toy.mlir:4:7") != NULL,
         "its location");
  graphc_call_destroy(call);
}

static void describe(const graphc_model *model) {
  graphc_model_info info = {0};
  info.struct_bytes = sizeof(info);
  expect(graphc_model_describe(model, &info) == GRAPHC_OK, "describe");
  expect(strcmp(info.name, "toy") == 0, "the module's name");
  for (size_t i = 0; i < info.function_count; ++i) {
    graphc_function_info function = {0};
    function.struct_bytes = sizeof(function);
    expect(graphc_model_describe_function(model, i, &function) == GRAPHC_OK,
           "describe function");
    for (size_t j = 0; j < function.output_count; ++j) {
      graphc_value_info value = {0};
      value.struct_bytes = sizeof(value);
      expect(graphc_model_describe_output(model, i, j, &value) == GRAPHC_OK,
             "describe output");
    }
  }
  for (size_t i = 0; i < info.variable_count; ++i) {
    graphc_variable_info variable = {0};
    variable.struct_bytes = sizeof(variable);
    expect(graphc_model_describe_variable(model, i, &variable) == GRAPHC_OK,
           "describe variable");
  }
}

int main(void) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  graphc_model *model = NULL, *other = NULL;
  graphc_load_options options = {0};
  float first[3], second[3];
  options.struct_bytes = sizeof(options);
  options.seed = 123;
  if (graphc_model_load(GRAPHC_TOY_MODELS_DIR "/toy.so", &options, &model) !=
      GRAPHC_OK) {
    fprintf(stderr, "cannot load: %s\n", graphc_error_message());
    return 1;
  }
  describe(model);

  snprintf(path, sizeof(path), "%s/graphc-capi-%p.safetensors",
           folder ? folder : "/tmp", (void *)model);
  expect(graphc_model_save_state(model, path) == GRAPHC_OK, "save");
  train(model, first, 3);
  expect(isfinite(first[2]) && first[0] != first[1], "losses move");

  options.seed = 1;
  expect(graphc_model_load(GRAPHC_TOY_MODELS_DIR "/toy.so", &options, &other) ==
             GRAPHC_OK,
         "second model");
  expect(graphc_model_load_state(other, path, NULL) == GRAPHC_OK, "load state");
  train(other, second, 3);
  expect(memcmp(first, second, sizeof(first)) == 0, "the same losses again");
  remove(path);

  expect(graphc_model_load("nowhere.so", NULL, &other) == GRAPHC_NOT_FOUND,
         "no such file");
  expect(strcmp(graphc_status_name(GRAPHC_NOT_FOUND), "GRAPHC_NOT_FOUND") == 0,
         "status name");
  graphc_model_destroy(other);
  graphc_model_destroy(model);
  return failures != 0;
}
