/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fit model.so: trains the line y = w x + b on points of y = 3 x - 1. */
#include <graphc/runtime.h>

#include <stdio.h>
#include <stdlib.h>

static void check(graphc_status status) {
  if (status == GRAPHC_OK)
    return;
  fprintf(stderr, "fit: error: %s\n", graphc_error_message());
  exit(1);
}

int main(int argc, char **argv) {
  float x[] = {-1, 0, 1, 2}, y[] = {-4, -1, 2, 5}, loss, w, b;
  const int64_t shape[] = {4};
  const graphc_tensor inputs[] = {{GRAPHC_DTYPE_F32, 1, shape, NULL, x},
                                  {GRAPHC_DTYPE_F32, 1, shape, NULL, y}};
  const graphc_tensor output = {GRAPHC_DTYPE_F32, 0, NULL, NULL, &loss};
  const graphc_tensor w_tensor = {GRAPHC_DTYPE_F32, 0, NULL, NULL, &w};
  const graphc_tensor b_tensor = {GRAPHC_DTYPE_F32, 0, NULL, NULL, &b};
  graphc_model *model;

  check(graphc_model_load(argc > 1 ? argv[1] : "line.so", NULL, &model));
  for (int step = 0; step < 200; ++step)
    check(graphc_model_run(model, "step", inputs, 2, &output, 1));
  check(graphc_model_get_variable(model, "w", &w_tensor));
  check(graphc_model_get_variable(model, "b", &b_tensor));
  printf("y = %.3f x + %.3f\n", (double)w, (double)b);
  graphc_model_destroy(model);
  return 0;
}
