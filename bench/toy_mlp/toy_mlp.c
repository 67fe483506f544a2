/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Times the train step of a toy_mlp.so through the C API, on one thread, and
   prints the microseconds of processor time of one step: the median of `repeats`
   timings. */
#define _POSIX_C_SOURCE 200809L
#include <graphc/runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { repeats = 101, steps = 2000 };

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void need(graphc_status status) {
  if (status == GRAPHC_OK)
    return;
  fprintf(stderr, "toy_mlp: %s\n", graphc_error_message());
  exit(1);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: toy_mlp <toy_mlp.so>\n");
    return 2;
  }
  graphc_load_options options = {0};
  options.struct_bytes = sizeof(options);
  options.threads = 1;
  graphc_model *model = NULL;
  need(graphc_model_load(argv[1], &options, &model));
  graphc_call *call = NULL;
  need(graphc_call_create(model, "step", &call));
  const int64_t shape[] = {2, 2};
  float x[4] = {0.1f, -1.2f, 0.7f, 0.4f}, y[4] = {1, 0, 0, 1}, loss = 0;
  graphc_tensor tx = {GRAPHC_DTYPE_F32, 2, shape, NULL, x};
  graphc_tensor ty = {GRAPHC_DTYPE_F32, 2, shape, NULL, y};
  graphc_tensor tl = {GRAPHC_DTYPE_F32, 0, NULL, NULL, &loss};
  need(graphc_call_bind_input(call, 0, &tx));
  need(graphc_call_bind_input(call, 1, &ty));
  need(graphc_call_bind_output(call, 0, &tl));
  double times[repeats];
  for (int k = 0; k < repeats; ++k) {
    double start = now_us();
    for (int step = 0; step < steps; ++step)
      need(graphc_call_run(call));
    times[k] = (now_us() - start) / steps;
  }
  qsort(times, repeats, sizeof(double), compare);
  printf("%.4f\n", times[repeats / 2]);
  graphc_call_destroy(call);
  graphc_model_destroy(model);
  return 0;
}
