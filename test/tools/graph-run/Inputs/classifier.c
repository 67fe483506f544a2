/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A model.so written by hand: a linear classifier of 2 features and 3 classes
 * with softmax cross entropy and SGD, in batches of 4 and 3. Its formulas are
 * the textbook's, so tests can say what comes out.
 */
#include <math.h>

#include "graphc/abi/model_abi.h"

#define COUNT(ARRAY) (uint32_t)(sizeof(ARRAY) / sizeof((ARRAY)[0]))
enum { F = 2, C = 3 };

/* logits = x * w^T + b; args: batch */
static void forward(const graphc_env *env, void *const *buffers,
                    const int64_t *args) {
  const float *x = buffers[0], *w = buffers[1], *b = buffers[2];
  float *logits = buffers[3];
  (void)env;
  for (int64_t i = 0; i < args[0]; ++i)
    for (int c = 0; c < C; ++c) {
      logits[i * C + c] = b[c];
      for (int f = 0; f < F; ++f)
        logits[i * C + c] += x[i * F + f] * w[c * F + f];
    }
}

/* Mean cross entropy and its gradients; buffers: x, y, w, b, loss, dw, db */
static void backward(const graphc_env *env, void *const *buffers,
                     const int64_t *args) {
  const float *x = buffers[0];
  const int64_t *y = buffers[1];
  float *loss = buffers[4], *dw = buffers[5], *db = buffers[6];
  *loss = 0;
  for (int i = 0; i < C * F; ++i)
    dw[i] = 0;
  for (int i = 0; i < C; ++i)
    db[i] = 0;
  for (int64_t i = 0; i < args[0]; ++i) {
    float p[C], sum = 0;
    void *one[] = {(void *)(x + i * F), buffers[2], buffers[3], p};
    int64_t single = 1, label = y[i];
    if (label < 0 || label >= C) {
      env->fail_index(env, i, label, C);
      label = 0;
    }
    forward(env, one, &single);
    for (int c = 0; c < C; ++c)
      sum += p[c] = expf(p[c]);
    for (int c = 0; c < C; ++c) {
      float g = (p[c] / sum - (c == label)) / (float)args[0];
      db[c] += g;
      for (int f = 0; f < F; ++f)
        dw[c * F + f] += g * x[i * F + f];
    }
    *loss -= logf(p[label] / sum) / (float)args[0];
  }
}

/* buffers: lr, dw, db, w, b */
static void update(const graphc_env *env, void *const *buffers,
                   const int64_t *args) {
  const float *lr = buffers[0], *dw = buffers[1], *db = buffers[2];
  float *w = buffers[3], *b = buffers[4];
  (void)env;
  (void)args;
  for (int i = 0; i < C * F; ++i)
    w[i] -= *lr * dw[i];
  for (int i = 0; i < C; ++i)
    b[i] -= *lr * db[i];
}

static const graphc_abi_kernel kernels[] = {
    {"forward", forward}, {"backward", backward}, {"update", update}};
enum { K_FORWARD, K_BACKWARD, K_UPDATE };

static const int64_t d3[] = {3}, d4[] = {4}, d3x2[] = {3, 2}, d4x2[] = {4, 2};
static const int64_t d3x3[] = {3, 3}, d4x3[] = {4, 3};
#define TYPE(DTYPE, DIMS) {GRAPHC_DTYPE_##DTYPE, COUNT(DIMS), DIMS}
#define SCALAR(DTYPE) {GRAPHC_DTYPE_##DTYPE, 0, 0}

static const graphc_abi_variable variables[] = {
    {"fc.weight",
     TYPE(F32, d3x2),
     GRAPHC_ABI_VARIABLE_TRAINABLE,
     0,
     {.kind = GRAPHC_ABI_INIT_ZEROS}},
    {"fc.bias",
     TYPE(F32, d3),
     GRAPHC_ABI_VARIABLE_TRAINABLE,
     0,
     {.kind = GRAPHC_ABI_INIT_ZEROS}},
    {"step.lr",
     SCALAR(F32),
     GRAPHC_ABI_VARIABLE_OPTIMIZER,
     0,
     {.kind = GRAPHC_ABI_INIT_CONSTANT, .a = 0.5}},
};
enum { AT_W = 0, AT_B = 64, AT_LR = 128, STATE_BYTES = 192 };
static const graphc_abi_layout layouts[] = {
    {AT_W, 24, 0, 0}, {AT_B, 12, 0, 0}, {AT_LR, 4, 0, 0}};

#define ARENA(OFFSET, BYTES) {GRAPHC_ABI_SPACE_ARENA, 0, OFFSET, BYTES, 0}
#define STATE(OFFSET, BYTES) {GRAPHC_ABI_SPACE_STATE, 0, OFFSET, BYTES, 0}
#define INPUT(INDEX, BYTES) {GRAPHC_ABI_SPACE_INPUT, INDEX, 0, BYTES, 0}
#define OUTPUT(INDEX, BYTES) {GRAPHC_ABI_SPACE_OUTPUT, INDEX, 0, BYTES, 0}
#define LAUNCH(KERNEL, FLAGS, BUFFERS, WRITTEN, ARGS, OP, LINE)                \
  {                                                                            \
      .kind = GRAPHC_ABI_LAUNCH,                                               \
      .flags = FLAGS,                                                          \
      .kernel = KERNEL,                                                        \
      .buffer_count = COUNT(BUFFERS),                                          \
      .written_count = WRITTEN,                                                \
      .buffers = BUFFERS,                                                      \
      .args = ARGS,                                                            \
      .arg_count = COUNT(ARGS),                                                \
      .op_name = OP,                                                           \
      .location = "classifier.mlir:" LINE,                                     \
  }
#define COMMIT                                                                 \
  {.kind = GRAPHC_ABI_COMMIT,                                                  \
   .op_name = "plan.commit",                                                   \
   .location = "classifier.mlir"}

static const graphc_abi_ref update_buffers[] = {STATE(AT_LR, 4), ARENA(0, 24),
                                                ARENA(64, 12), STATE(AT_W, 24),
                                                STATE(AT_B, 12)};
static const int64_t no_args[] = {0};

#define F32 GRAPHC_DTYPE_F32
#define I64 GRAPHC_DTYPE_I64
#define SIZE(N)                                                                \
  static const int64_t args##N[] = {N};                                        \
  static const graphc_abi_ref forward##N##_buffers[] = {                       \
      INPUT(0, N * 8), STATE(AT_W, 24), STATE(AT_B, 12), OUTPUT(0, N * 12)};   \
  static const graphc_abi_entry forward##N##_entries[] = {LAUNCH(              \
      K_FORWARD, 0, forward##N##_buffers, 1, args##N, "graph.linear", "3:5")}; \
  static const uint8_t forward##N##_dtypes[] = {F32, F32, F32, F32};           \
  static const graphc_abi_value forward##N##_inputs[] = {                      \
      {"x", TYPE(F32, d##N##x2)}};                                             \
  static const graphc_abi_value forward##N##_outputs[] = {                     \
      {"logits", TYPE(F32, d##N##x3)}};                                        \
  static const graphc_abi_ref step##N##_buffers[] = {                          \
      INPUT(0, N * 8), INPUT(1, N * 8), STATE(AT_W, 24), STATE(AT_B, 12),      \
      OUTPUT(0, 4),    ARENA(0, 24),    ARENA(64, 12)};                        \
  static const graphc_abi_entry step##N##_entries[] = {                        \
      LAUNCH(K_BACKWARD, GRAPHC_ABI_ENTRY_MAY_FAIL, step##N##_buffers, 3,      \
             args##N, "graph.cross_entropy", "7:5"),                           \
      COMMIT,                                                                  \
      LAUNCH(K_UPDATE, GRAPHC_ABI_ENTRY_WRITES_STATE, update_buffers, 2,       \
             no_args, "graph.sub", "9:5")};                                    \
  static const uint8_t step##N##_dtypes[] = {F32, I64, F32, F32, F32, F32,     \
                                             F32, F32, F32, F32, F32, F32};    \
  static const graphc_abi_value step##N##_inputs[] = {                         \
      {"x", TYPE(F32, d##N##x2)}, {"y", TYPE(I64, d##N)}};                     \
  static const graphc_abi_value step##N##_outputs[] = {{"loss", SCALAR(F32)}}; \
  static const graphc_abi_ref dloss##N##_buffers[] = {                         \
      INPUT(0, N * 8), INPUT(1, N * 8), STATE(AT_W, 24), STATE(AT_B, 12),      \
      OUTPUT(0, 4),    OUTPUT(1, 24),   OUTPUT(2, 12)};                        \
  static const graphc_abi_entry dloss##N##_entries[] = {                       \
      LAUNCH(K_BACKWARD, GRAPHC_ABI_ENTRY_MAY_FAIL, dloss##N##_buffers, 3,     \
             args##N, "graph.cross_entropy", "7:5"),                           \
      COMMIT};                                                                 \
  static const graphc_abi_value dloss##N##_outputs[] = {                       \
      {"loss", SCALAR(F32)},                                                   \
      {"fc.weight", TYPE(F32, d3x2)},                                          \
      {"fc.bias", TYPE(F32, d3)}};

SIZE(4)
SIZE(3)

#define FUNCTION(NAME, FAMILY, KIND, WRITES, PREFIX, INPUTS)                   \
  {NAME,   FAMILY,          GRAPHC_ABI_FUNCTION_##KIND,                        \
   WRITES, COUNT(INPUTS),   COUNT(PREFIX##_outputs),                           \
   INPUTS, PREFIX##_outputs}
static const graphc_abi_function functions[] = {
    FUNCTION("forward", "forward", PLAIN, 0, forward4, forward4_inputs),
    FUNCTION("forward.3", "forward", PLAIN, 0, forward3, forward3_inputs),
    FUNCTION("step", "step", TRAIN, 1, step4, step4_inputs),
    FUNCTION("step.3", "step", TRAIN, 1, step3, step3_inputs),
    FUNCTION("dloss", "dloss", GRAD, 0, dloss4, step4_inputs),
    FUNCTION("dloss.3", "dloss", GRAD, 0, dloss3, step3_inputs),
};
#define PLAN(ARENA_BYTES, PREFIX, DTYPES)                                      \
  {ARENA_BYTES, COUNT(PREFIX##_entries), 0, PREFIX##_entries, DTYPES}
static const graphc_abi_plan plans[] = {
    PLAN(0, forward4, forward4_dtypes), PLAN(0, forward3, forward3_dtypes),
    PLAN(128, step4, step4_dtypes),     PLAN(128, step3, step3_dtypes),
    PLAN(0, dloss4, step4_dtypes),      PLAN(0, dloss3, step3_dtypes)};

static const graphc_abi_variant variants[] = {{
    .target = "cpu",
#if defined(__aarch64__)
    .level = "aarch64",
    .cpu_features = GRAPHC_ABI_AARCH64,
#else
    .level = "x86-64-v2",
    .cpu_features = GRAPHC_ABI_X86_V2,
#endif
    .max_threads = 1,
    .kernel_count = COUNT(kernels),
    .kernels = kernels,
    .state_bytes = STATE_BYTES,
    .layouts = layouts,
    .plans = plans,
}};

static const graphc_model_root root = {
    .struct_bytes = sizeof(graphc_model_root),
    .abi_major = GRAPHC_ABI_MAJOR,
    .abi_minor = GRAPHC_ABI_MINOR,
    .compiler_version = "hand-written",
    .module_name = "classifier",
    .variable_count = COUNT(variables),
    .function_count = COUNT(functions),
    .variant_count = COUNT(variants),
    .variables = variables,
    .functions = functions,
    .variants = variants,
};

__attribute__((visibility("default"))) const graphc_model_root *
graphc_model_query(uint32_t abi_major) {
  return abi_major == GRAPHC_ABI_MAJOR ? &root : 0;
}
