/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A model that calls back: its graph.custom ops run functions of this program.
 *
 *   host-function model.so
 *
 * The model (see docs/extending.md) has `grad`, which squares x on the host and
 * returns the sum and its gradient, and `step`, a training step around it.
 */
#include <stdio.h>

#include "graphc/runtime.h"

/* What "square" is told by its `user`. */
struct Square {
  double limit;
};

static graphc_status square(void *user, const graphc_tensor *inputs,
                            size_t input_count, const graphc_tensor *outputs,
                            size_t output_count) {
  const struct Square *options = user;
  const double *x = inputs[0].data;
  double *y = outputs[0].data;
  if (input_count != 1 || output_count != 1 ||
      inputs[0].dtype != GRAPHC_DTYPE_F64 || inputs[0].rank != 1)
    return graphc_error_set(GRAPHC_INVALID_ARGUMENT, "expects one f64 vector");
  for (int64_t k = 0; k < inputs[0].shape[0]; ++k) {
    if (x[k] > options->limit)
      return graphc_error_set(GRAPHC_NUMERIC, "too hot");
    y[k] = x[k] * x[k];
  }
  return GRAPHC_OK;
}

static graphc_status count(void *user, const graphc_tensor *inputs,
                           size_t input_count, const graphc_tensor *outputs,
                           size_t output_count) {
  (void)inputs, (void)input_count, (void)outputs, (void)output_count;
  ++*(int *)user;
  return GRAPHC_OK;
}

static void complain(const char *what, graphc_status status) {
  printf("%s: %s: %s\n", what, graphc_status_name(status),
         graphc_error_message());
}

int main(int argc, char **argv) {
  graphc_model *model = NULL;
  if (argc != 2) {
    fprintf(stderr, "usage: host-function model.so\n");
    return 2;
  }
  graphc_status status = graphc_model_load(argv[1], NULL, &model);
  if (status) {
    fprintf(stderr, "%s\n", graphc_error_message());
    return 1;
  }

  double x[2] = {3, -5}, sum = 0, slope[2] = {0, 0}, w = 0;
  const int64_t shape[1] = {2};
  graphc_tensor input = {GRAPHC_DTYPE_F64, 1, shape, NULL, x};
  graphc_tensor outputs[2] = {{GRAPHC_DTYPE_F64, 0, NULL, NULL, &sum},
                              {GRAPHC_DTYPE_F64, 1, shape, NULL, slope}};
  graphc_tensor weight = {GRAPHC_DTYPE_F64, 0, NULL, NULL, &w};

  status = graphc_model_run(model, "grad", &input, 1, outputs, 2);
  complain("not registered", status);
  status = graphc_model_set_host_function(model, "cube", square, NULL);
  complain("no such", status);

  struct Square options = {100};
  int calls = 0;
  graphc_model_set_host_function(model, "square", square, &options);
  graphc_model_set_host_function(model, "count", count, &calls);
  for (int k = 0; k < 2; ++k) {
    if (graphc_model_run(model, "grad", &input, 1, outputs, 2)) {
      fprintf(stderr, "%s\n", graphc_error_message());
      return 1;
    }
    printf("%g [%g, %g], counted %d\n", sum, slope[0], slope[1], calls);
  }

  if (graphc_model_run(model, "step", &input, 1, outputs, 1) ||
      graphc_model_get_variable(model, "w", &weight)) {
    fprintf(stderr, "%s\n", graphc_error_message());
    return 1;
  }
  printf("step: w %g, counted %d\n", w, calls);

  /* A function that fails fails the step, which changes no state. */
  options.limit = 1;
  status = graphc_model_run(model, "step", &input, 1, outputs, 1);
  complain("failed", status);
  graphc_model_get_variable(model, "w", &weight);
  printf("w %g\n", w);
  graphc_model_destroy(model);
  return 0;
}
