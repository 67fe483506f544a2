/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Trains and uses a compiled classifier from plain C11: what a program on a
 * device would do. It needs the runtime and the C library, nothing else.
 *
 *   embed model.so [state.safetensors]
 *
 * The model has a training step @step(x [B, F] f32, y [B] i64) -> loss and a
 * function @forward(x [N, F]) -> logits [N, C], for any sizes. The program
 * makes up a data set of C clusters for it, trains on that, predicts the
 * clusters of new points, and, given a second argument, saves what was learned
 * and loads it again.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "graphc/runtime.h"

enum { EPOCHS = 40, BATCHES = 8 };

/* Every call returns a status; this program gives up at the first bad one. */
static void check(graphc_status status) {
  if (status == GRAPHC_OK)
    return;
  fprintf(stderr, "embed: error: %s\n", graphc_error_message());
  exit(1);
}

static void *allocate(int64_t count, size_t element_bytes) {
  void *memory = calloc((size_t)count, element_bytes);
  if (!memory) {
    fprintf(stderr, "embed: error: out of memory\n");
    exit(1);
  }
  return memory;
}

/* What the model says about one of its inputs or outputs. */
static graphc_value_info describe(const graphc_model *model, const char *name,
                                  int is_output, graphc_dtype dtype,
                                  uint32_t rank) {
  size_t function;
  graphc_value_info info = {.struct_bytes = sizeof info};
  check(graphc_model_find_function(model, name, &function));
  if (is_output)
    check(graphc_model_describe_output(model, function, 0, &info));
  else
    check(graphc_model_describe_input(model, function, 0, &info));
  if (info.dtype != dtype || info.rank != rank) {
    fprintf(stderr, "embed: error: %s of @%s expects rank %u of %s\n",
            is_output ? "output 0" : "input 0", name, (unsigned)rank,
            graphc_dtype_name(dtype));
    exit(1);
  }
  return info;
}

/* A number from [-1, 1); a generator small enough to read. */
static float noise(void) {
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (float)(state >> 40) / (float)(1 << 23) - 1.0f;
}

/* Points around the centre of class i % classes, for each i. */
static void make_points(int64_t count, int64_t features, int64_t classes,
                        float *x, int64_t *y) {
  for (int64_t i = 0; i < count; ++i) {
    y[i] = i % classes;
    for (int64_t f = 0; f < features; ++f) {
      double angle = 6.28318530718 * (double)y[i] / (double)classes;
      double centre = f % 2 ? sin(angle * (double)(f / 2 + 1))
                            : cos(angle * (double)(f / 2 + 1));
      x[i * features + f] = (float)(2.0 * centre) + 0.5f * noise();
    }
  }
}

static float train(graphc_model *model, int64_t batch, int64_t features,
                   float *x, int64_t *y) {
  /* Bound once, run many times: a step then allocates nothing. */
  float *batch_x = allocate(batch * features, sizeof *batch_x);
  int64_t *batch_y = allocate(batch, sizeof *batch_y);
  float loss = 0;
  const int64_t shape_x[] = {batch, features}, shape_y[] = {batch};
  const graphc_tensor input_x = {GRAPHC_DTYPE_F32, 2, shape_x, NULL, batch_x};
  const graphc_tensor input_y = {GRAPHC_DTYPE_I64, 1, shape_y, NULL, batch_y};
  const graphc_tensor output = {GRAPHC_DTYPE_F32, 0, NULL, NULL, &loss};
  graphc_call *step;
  check(graphc_call_create(model, "step", &step));
  check(graphc_call_bind_input(step, 0, &input_x));
  check(graphc_call_bind_input(step, 1, &input_y));
  check(graphc_call_bind_output(step, 0, &output));

  for (int epoch = 1; epoch <= EPOCHS; ++epoch) {
    float sum = 0;
    for (int64_t b = 0; b < BATCHES; ++b) {
      for (int64_t i = 0; i < batch * features; ++i)
        batch_x[i] = x[b * batch * features + i];
      for (int64_t i = 0; i < batch; ++i)
        batch_y[i] = y[b * batch + i];
      check(graphc_call_run(step));
      sum += loss;
    }
    loss = sum / BATCHES;
    if (epoch == 1 || epoch % 10 == 0)
      printf("epoch %2d  loss %.4f\n", epoch, (double)loss);
  }
  graphc_call_destroy(step);
  free(batch_x);
  free(batch_y);
  return loss;
}

/* Share of `x` whose largest logit is that of their class. */
static double accuracy(graphc_model *model, int64_t count, int64_t features,
                       int64_t classes, float *x, const int64_t *y) {
  float *logits = allocate(count * classes, sizeof *logits);
  const int64_t shape_x[] = {count, features}, shape_y[] = {count, classes};
  const graphc_tensor input = {GRAPHC_DTYPE_F32, 2, shape_x, NULL, x};
  const graphc_tensor output = {GRAPHC_DTYPE_F32, 2, shape_y, NULL, logits};
  int64_t right = 0;
  /* The convenient way: no objects to keep, by name, in one call. */
  check(graphc_model_run(model, "forward", &input, 1, &output, 1));
  for (int64_t i = 0; i < count; ++i) {
    int64_t best = 0;
    for (int64_t c = 1; c < classes; ++c)
      if (logits[i * classes + c] > logits[i * classes + best])
        best = c;
    right += best == y[i];
  }
  free(logits);
  return (double)right / (double)count;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: embed model.so [state.safetensors]\n");
    return 1;
  }
  graphc_model *model;
  check(graphc_model_load(argv[1], NULL, &model));
  graphc_value_info in = describe(model, "step", 0, GRAPHC_DTYPE_F32, 2);
  graphc_value_info new_in = describe(model, "forward", 0, GRAPHC_DTYPE_F32, 2);
  graphc_value_info out = describe(model, "forward", 1, GRAPHC_DTYPE_F32, 2);
  int64_t batch = in.shape[0], features = in.shape[1];
  int64_t fresh = new_in.shape[0], classes = out.shape[1];
  int64_t count = batch * BATCHES + fresh;

  float *x = allocate(count * features, sizeof *x);
  int64_t *y = allocate(count, sizeof *y);
  make_points(count, features, classes, x, y);
  float *new_x = x + batch * BATCHES * features;
  const int64_t *new_y = y + batch * BATCHES;

  train(model, batch, features, x, y);
  double after = accuracy(model, fresh, features, classes, new_x, new_y);
  printf("accuracy on %d new points %.3f\n", (int)fresh, after);

  if (argc == 3) {
    check(graphc_model_save_state(model, argv[2]));
    check(graphc_model_initialize(model, 0)); /* forgets */
    check(graphc_model_load_state(model, argv[2], NULL));
    double again = accuracy(model, fresh, features, classes, new_x, new_y);
    printf("accuracy after loading %s %.3f\n", argv[2], again);
    after = again == after ? after : 0;
  }
  free(x);
  free(y);
  graphc_model_destroy(model);
  return after >= 0.9 ? 0 : 1;
}
