// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trains custom.mlir for one step, with the function that it calls.
#include <cstdio>

#include <graphc/runtime.h>

/// Adds what `user` points to.
static graphc_status shift(void *user, const graphc_tensor *inputs, size_t,
                           const graphc_tensor *outputs, size_t) {
  const float *x = static_cast<const float *>(inputs[0].data);
  float *y = static_cast<float *>(outputs[0].data);
  for (int64_t k = 0; k < inputs[0].shape[0]; ++k)
    y[k] = x[k] + *static_cast<const float *>(user);
  return GRAPHC_OK;
}

static bool isDone(graphc_status status) {
  if (status != GRAPHC_OK)
    std::printf("%s\n", graphc_error_message());
  return status == GRAPHC_OK;
}

int main(int, char **argv) {
  graphc_model *model = nullptr;
  float by = 10, x[] = {2, -1}, loss = 0, w[2];
  const int64_t shape[] = {2};
  const graphc_tensor input = {GRAPHC_DTYPE_F32, 1, shape, nullptr, x},
                      output = {GRAPHC_DTYPE_F32, 0, nullptr, nullptr, &loss},
                      weight = {GRAPHC_DTYPE_F32, 1, shape, nullptr, w};
  bool done =
      isDone(graphc_model_load(argv[1], nullptr, &model)) &&
      isDone(graphc_model_set_host_function(model, "shift", shift, &by)) &&
      isDone(graphc_model_run(model, "step", &input, 1, &output, 1)) &&
      isDone(graphc_model_get_variable(model, "w", &weight));
  if (done)
    std::printf("loss %g, w %g %g\n", loss, w[0], w[1]);
  graphc_model_destroy(model);
  return done ? 0 : 1;
}
