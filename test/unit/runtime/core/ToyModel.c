/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A model.so written by hand: what the compiler emits, small enough to check by
 * eye. Compiled several times; macros choose what is wrong or special about it:
 *
 *   TOY_LEVELS       0: one variant that any x86-64-v2 or aarch64 machine runs
 *                    1: a variant that no CPU runs, then one that any runs
 *                    2: only a variant that no CPU runs
 *   TOY_ABI_MAJOR    version that the tables claim
 *   TOY_MAX_THREADS  of the variants
 */
#include "graphc/abi/model_abi.h"

#ifndef TOY_LEVELS
#define TOY_LEVELS 0
#endif
#ifndef TOY_ABI_MAJOR
#define TOY_ABI_MAJOR GRAPHC_ABI_MAJOR
#endif
#ifndef TOY_MAX_THREADS
#define TOY_MAX_THREADS 8
#endif

#define COUNT(ARRAY) (uint32_t)(sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* ---- Kernels ---------------------------------------------------------------
 */

/* out[i] = table[ids[i]]; args: count, rows, columns */
static void lookup(const graphc_env *env, void *const *buffers,
                   const int64_t *args) {
  const int64_t *ids = buffers[0];
  const float *table = buffers[1];
  float *out = buffers[2];
  for (int64_t i = 0; i < args[0]; ++i) {
    int64_t id = ids[i];
    if (id < 0 || id >= args[1]) {
      env->fail_index(env, i, id, args[1]);
      id = 0;
    }
    for (int64_t j = 0; j < args[2]; ++j)
      out[i * args[2] + j] = table[id * args[2] + j];
  }
}

/* y = x * w + b; args: batch. w is 4x3. */
static void affine(const graphc_env *env, void *const *buffers,
                   const int64_t *args) {
  const float *x = buffers[0], *w = buffers[1], *b = buffers[2];
  float *y = buffers[3];
  (void)env;
  for (int64_t i = 0; i < args[0]; ++i)
    for (int64_t j = 0; j < 3; ++j) {
      float sum = b[j];
      for (int64_t k = 0; k < 4; ++k)
        sum += x[i * 4 + k] * w[k * 3 + j];
      y[i * 3 + j] = sum;
    }
}

/* loss = sum(a * b); args: count */
static void dot(const graphc_env *env, void *const *buffers,
                const int64_t *args) {
  const float *a = buffers[0], *b = buffers[1];
  float sum = 0;
  (void)env;
  for (int64_t i = 0; i < args[0]; ++i)
    sum += a[i] * b[i];
  *(float *)buffers[2] = sum;
}

/* w -= loss / 8; args: count */
static void update(const graphc_env *env, void *const *buffers,
                   const int64_t *args) {
  const float *loss = buffers[0];
  float *w = buffers[1];
  (void)env;
  for (int64_t i = 0; i < args[0]; ++i)
    w[i] -= *loss * 0.125f;
}

static void increment(const graphc_env *env, void *const *buffers,
                      const int64_t *args) {
  (void)env;
  (void)args;
  ++*(int64_t *)buffers[0];
}

static void square_body(const graphc_env *env, void *const *buffers,
                        const int64_t *args, int64_t begin, int64_t end) {
  const float *x = buffers[0];
  float *y = buffers[1];
  (void)env;
  (void)args;
  for (int64_t i = begin; i < end; ++i)
    y[i] = x[i] * x[i];
}

/* y = x * x in parallel; args: count */
static void square(const graphc_env *env, void *const *buffers,
                   const int64_t *args) {
  env->parallel_for(env, square_body, buffers, args, args[0]);
}

static void lookup_body(const graphc_env *env, void *const *buffers,
                        const int64_t *args, int64_t begin, int64_t end) {
  const int64_t *ids = buffers[0];
  int64_t *out = buffers[1];
  for (int64_t i = begin; i < end; ++i) {
    if (ids[i] < 0 || ids[i] >= args[1])
      env->fail_index(env, i, ids[i], args[1]);
    out[i] = ids[i];
  }
}

/* Checks ids in parallel; args: count, limit */
static void check_ids(const graphc_env *env, void *const *buffers,
                      const int64_t *args) {
  env->parallel_for(env, lookup_body, buffers, args, args[0]);
}

/* out = (out, row sum + 100 * outer + 10 * inner); buffers: row, outer slot,
   inner slot, out; args: columns */
static void accumulate(const graphc_env *env, void *const *buffers,
                       const int64_t *args) {
  const float *row = buffers[0];
  const int64_t *outer = buffers[1], *inner = buffers[2];
  float *out = buffers[3];
  (void)env;
  for (int64_t i = 0; i < args[0]; ++i)
    *out += row[i];
  *out += (float)(100 * *outer + 10 * *inner);
}

/* q = a / b; args: count */
static void divide(const graphc_env *env, void *const *buffers,
                   const int64_t *args) {
  const float *a = buffers[0], *b = buffers[1];
  float *q = buffers[2];
  (void)env;
  for (int64_t i = 0; i < args[0]; ++i)
    q[i] = a[i] / b[i];
}

/* state *= factor */
static void scale(const graphc_env *env, void *const *buffers,
                  const int64_t *args) {
  (void)env;
  (void)args;
  *(float *)buffers[1] *= *(const float *)buffers[0];
}

/* 2x3 row-major to 3x2 row-major, and back. */
static void pack_transposed(const graphc_env *env, void *const *buffers,
                            const int64_t *args) {
  const float *from = buffers[0];
  float *to = buffers[1];
  (void)env;
  (void)args;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      to[j * 2 + i] = from[i * 3 + j];
}

static void unpack_transposed(const graphc_env *env, void *const *buffers,
                              const int64_t *args) {
  const float *from = buffers[0];
  float *to = buffers[1];
  (void)env;
  (void)args;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      to[i * 3 + j] = from[j * 2 + i];
}

/* In the place of divide and increment; not what they do, so that tests see
   which ran: q = -a / b, state += 100. */
static void bundle(const graphc_env *env, void *const *buffers,
                   const int64_t *args) {
  const float *a = buffers[0], *b = buffers[1];
  float *q = buffers[2];
  (void)env;
  (void)args;
  for (int64_t i = 0; i < 4; ++i)
    q[i] = -a[i] / b[i];
  *(int64_t *)buffers[3] += 100;
}

enum {
  K_LOOKUP,
  K_AFFINE,
  K_DOT,
  K_UPDATE,
  K_INCREMENT,
  K_SQUARE,
  K_CHECK_IDS,
  K_ACCUMULATE,
  K_DIVIDE,
  K_SCALE,
  K_PACK,
  K_UNPACK,
  K_BUNDLE
};

static const graphc_abi_kernel kernels[] = {
    {"lookup", lookup},
    {"affine", affine},
    {"dot", dot},
    {"update", update},
    {"increment", increment},
    {"square", square},
    {"check_ids", check_ids},
    {"accumulate", accumulate},
    {"divide", divide},
    {"scale", scale},
    {"pack", pack_transposed},
    {"unpack", unpack_transposed},
    {"bundle", bundle},
};

/* ---- Variables and where they live ------------------------------------------
 */

static const int64_t d1[] = {1}, d2[] = {2}, d3[] = {3}, d4[] = {4};
static const int64_t d4x3[] = {4, 3}, d2x3[] = {2, 3}, d3x3[] = {3, 3};
static const int64_t d2x4[] = {2, 4}, d3x4[] = {3, 4}, d0x3[] = {0, 3};
static const int64_t d1000[] = {1000};
static const int32_t table_data[3] = {7, -8, 9};

#define TYPE(DTYPE, DIMS) {GRAPHC_DTYPE_##DTYPE, COUNT(DIMS), DIMS}
#define SCALAR(DTYPE) {GRAPHC_DTYPE_##DTYPE, 0, 0}

static const graphc_abi_variable variables[] = {
    {"w",
     TYPE(F32, d4x3),
     GRAPHC_ABI_VARIABLE_TRAINABLE,
     0,
     {.kind = GRAPHC_ABI_INIT_UNIFORM, .a = -0.5, .b = 0.5}},
    {"b",
     TYPE(F32, d3),
     GRAPHC_ABI_VARIABLE_TRAINABLE,
     0,
     {.kind = GRAPHC_ABI_INIT_ZEROS}},
    {"packed",
     TYPE(F32, d2x3),
     GRAPHC_ABI_VARIABLE_TRAINABLE,
     0,
     {.kind = GRAPHC_ABI_INIT_NORMAL, .a = 1.0, .b = 2.0}},
    {"steps",
     SCALAR(I64),
     GRAPHC_ABI_VARIABLE_INTERNAL,
     0,
     {.kind = GRAPHC_ABI_INIT_ZEROS}},
    {"key",
     TYPE(I64, d2),
     GRAPHC_ABI_VARIABLE_INTERNAL,
     0,
     {.kind = GRAPHC_ABI_INIT_SEED}},
    {"lr",
     SCALAR(F32),
     GRAPHC_ABI_VARIABLE_OPTIMIZER,
     0,
     {.kind = GRAPHC_ABI_INIT_CONSTANT, .a = 3.0}},
    {"table",
     TYPE(I32, d3),
     0,
     0,
     {.kind = GRAPHC_ABI_INIT_DATA,
      .data = table_data,
      .data_bytes = sizeof(table_data)}},
    {"half",
     TYPE(BF16, d2),
     0,
     0,
     {.kind = GRAPHC_ABI_INIT_CONSTANT, .a = 1.01171875}},
    {"flag",
     TYPE(I1, d1),
     0,
     0,
     {.kind = GRAPHC_ABI_INIT_CONSTANT, .a_int = -7}},
};

enum {
  AT_W = 0,
  AT_B = 64,
  AT_PACKED = 128, /* with 8 bytes of padding */
  AT_STEPS = 192,
  AT_KEY = 256,
  AT_LR = 320,
  AT_TABLE = 384,
  AT_HALF = 448,
  AT_FLAG = 512,
  STATE_BYTES = 576
};

static const graphc_abi_layout layouts[] = {
    {AT_W, 48, 0, 0},
    {AT_B, 12, 0, 0},
    {AT_PACKED, 32, K_PACK + 1, K_UNPACK + 1},
    {AT_STEPS, 8, 0, 0},
    {AT_KEY, 16, 0, 0},
    {AT_LR, 4, 0, 0},
    {AT_TABLE, 12, 0, 0},
    {AT_HALF, 4, 0, 0},
    {AT_FLAG, 1, 0, 0},
};

_Alignas(64) static const float constants[4] = {1.5f, 2.5f, 3.5f, 4.5f};

/* ---- Functions
 * --------------------------------------------------------------- */

#define ARENA(OFFSET, BYTES) {GRAPHC_ABI_SPACE_ARENA, 0, OFFSET, BYTES, 0}
#define STATE(OFFSET, BYTES) {GRAPHC_ABI_SPACE_STATE, 0, OFFSET, BYTES, 0}
#define CONSTANT(OFFSET, BYTES) {GRAPHC_ABI_SPACE_CONSTANT, 0, OFFSET, BYTES, 0}
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
      .location = "toy.mlir:" LINE,                                            \
  }
#define COMMIT                                                                 \
  {.kind = GRAPHC_ABI_COMMIT, .op_name = "plan.commit", .location = "toy.mlir"}

/* One training step for a batch of N rows, in two sizes. */
#define STEP(N)                                                                \
  static const graphc_abi_ref step##N##_lookup[] = {                           \
      INPUT(1, N * 8), STATE(AT_W, 48), ARENA(64, N * 12)};                    \
  static const int64_t step##N##_lookup_args[] = {N, 4, 3};                    \
  static const graphc_abi_ref step##N##_affine[] = {                           \
      INPUT(0, N * 16), STATE(AT_W, 48), STATE(AT_B, 12), OUTPUT(1, N * 12)};  \
  static const int64_t step##N##_affine_args[] = {N};                          \
  static const graphc_abi_ref step##N##_dot[] = {                              \
      OUTPUT(1, N * 12), ARENA(64, N * 12), ARENA(0, 4)};                      \
  static const int64_t step##N##_dot_args[] = {N * 3};                         \
  static const graphc_abi_ref step##N##_copy[] = {ARENA(0, 4), OUTPUT(0, 4)};  \
  static const graphc_abi_ref step##N##_update[] = {ARENA(0, 4),               \
                                                    STATE(AT_W, 48)};          \
  static const int64_t step##N##_update_args[] = {12};                         \
  static const graphc_abi_ref step##N##_count[] = {STATE(AT_STEPS, 8)};        \
  static const int64_t step##N##_count_args[] = {0};                           \
  static const graphc_abi_entry step##N##_entries[] = {                        \
      LAUNCH(K_LOOKUP, GRAPHC_ABI_ENTRY_MAY_FAIL, step##N##_lookup, 1,         \
             step##N##_lookup_args, "graph.gather", "4:7"),                    \
      LAUNCH(K_AFFINE, 0, step##N##_affine, 1, step##N##_affine_args,          \
             "graph.linear", "5:7"),                                           \
      LAUNCH(K_DOT, 0, step##N##_dot, 1, step##N##_dot_args,                   \
             "graph.dot_general", "6:7"),                                      \
      {.kind = GRAPHC_ABI_COPY,                                                \
       .buffer_count = 2,                                                      \
       .written_count = 1,                                                     \
       .buffers = step##N##_copy,                                              \
       .op_name = "plan.copy",                                                 \
       .location = "toy.mlir:7:3"},                                            \
      COMMIT,                                                                  \
      LAUNCH(K_UPDATE, GRAPHC_ABI_ENTRY_WRITES_STATE, step##N##_update, 1,     \
             step##N##_update_args, "graph.sub", "8:7"),                       \
      LAUNCH(K_INCREMENT, GRAPHC_ABI_ENTRY_WRITES_STATE, step##N##_count, 1,   \
             step##N##_count_args, "graph.add", "9:7"),                        \
  };                                                                           \
  static const uint8_t step##N##_dtypes[] = {                                  \
      GRAPHC_DTYPE_I64, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32,  \
      GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32,  \
      GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32,  \
      GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_I64};                   \
  static const graphc_abi_value step##N##_inputs[] = {                         \
      {"x", TYPE(F32, d##N##x4)}, {"ids", TYPE(I64, d##N)}};                   \
  static const graphc_abi_value step##N##_outputs[] = {                        \
      {"loss", SCALAR(F32)}, {"", TYPE(F32, d##N##x3)}};

STEP(2)
STEP(3)

/* Two loops, one in the other, with moving buffers: three rows in two halves.
   Arena: outer slot at 0, inner slot at 8, a copy of the row's sum at 16. */
static const graphc_abi_ref loop_memset[] = {OUTPUT(0, 12)};
static const int64_t loop_memset_args[] = {0};
static const graphc_abi_ref loop_outer[] = {ARENA(0, 8)};
static const graphc_abi_ref loop_row_in[] = {
    {GRAPHC_ABI_SPACE_INPUT, 0, 0, 16, 16}, ARENA(32, 16)};
static const graphc_abi_ref loop_clear[] = {ARENA(16, 4)};
static const graphc_abi_ref loop_inner[] = {ARENA(8, 8)};
static const graphc_abi_ref loop_body[] = {
    {GRAPHC_ABI_SPACE_ARENA, 0, 40, 8, -8},
    ARENA(0, 8),
    ARENA(8, 8),
    ARENA(16, 4)};
static const int64_t loop_body_args[] = {2};
static const graphc_abi_ref loop_row_out[] = {
    ARENA(16, 4), {GRAPHC_ABI_SPACE_OUTPUT, 0, 0, 4, 4}};
#define ENTRY_NAMES .op_name = "graph.for", .location = "toy.mlir:20:3"
static const graphc_abi_entry loop_entries[] = {
    {.kind = GRAPHC_ABI_MEMSET,
     .buffer_count = 1,
     .written_count = 1,
     .buffers = loop_memset,
     .args = loop_memset_args,
     .arg_count = 1,
     ENTRY_NAMES},
    {.kind = GRAPHC_ABI_LOOP_BEGIN,
     .buffer_count = 1,
     .written_count = 1,
     .buffers = loop_outer,
     .partner = 8,
     .count = 3,
     ENTRY_NAMES},
    {.kind = GRAPHC_ABI_COPY,
     .buffer_count = 2,
     .written_count = 1,
     .buffers = loop_row_in,
     ENTRY_NAMES},
    {.kind = GRAPHC_ABI_MEMSET,
     .buffer_count = 1,
     .written_count = 1,
     .buffers = loop_clear,
     .args = loop_memset_args,
     .arg_count = 1,
     ENTRY_NAMES},
    {.kind = GRAPHC_ABI_LOOP_BEGIN,
     .buffer_count = 1,
     .written_count = 1,
     .buffers = loop_inner,
     .partner = 6,
     .count = 2,
     ENTRY_NAMES},
    LAUNCH(K_ACCUMULATE, 0, loop_body, 1, loop_body_args, "graph.reduce_sum",
           "21:5"),
    {.kind = GRAPHC_ABI_LOOP_END, .partner = 4, ENTRY_NAMES},
    {.kind = GRAPHC_ABI_COPY,
     .buffer_count = 2,
     .written_count = 1,
     .buffers = loop_row_out,
     ENTRY_NAMES},
    {.kind = GRAPHC_ABI_LOOP_END, .partner = 1, ENTRY_NAMES},
    /* No iteration at all: the copy must not run. */
    {.kind = GRAPHC_ABI_LOOP_BEGIN, .partner = 11, .count = 0, ENTRY_NAMES},
    {.kind = GRAPHC_ABI_MEMSET,
     .buffer_count = 1,
     .written_count = 1,
     .buffers = loop_memset,
     .args = loop_memset_args,
     .arg_count = 1,
     ENTRY_NAMES},
    {.kind = GRAPHC_ABI_LOOP_END, .partner = 9, ENTRY_NAMES},
};
static const uint8_t loop_dtypes[] = {
    GRAPHC_DTYPE_F32, GRAPHC_DTYPE_I64, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32,
    GRAPHC_DTYPE_F32, GRAPHC_DTYPE_I64, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_I64,
    GRAPHC_DTYPE_I64, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32,
    GRAPHC_DTYPE_F32};
static const graphc_abi_value loop_inputs[] = {{"m", TYPE(F32, d3x4)}};
static const graphc_abi_value loop_outputs[] = {{"sums", TYPE(F32, d3)}};

/* Parallel loops. */
static const graphc_abi_ref square_buffers[] = {INPUT(0, 4000),
                                                OUTPUT(0, 4000)};
static const int64_t square_args[] = {1000};
static const graphc_abi_entry square_entries[] = {
    LAUNCH(K_SQUARE, GRAPHC_ABI_ENTRY_PARALLEL, square_buffers, 1, square_args,
           "graph.mul", "30:5"),
};
static const uint8_t square_dtypes[] = {GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32};
static const graphc_abi_value square_inputs[] = {{"x", TYPE(F32, d1000)}};
static const graphc_abi_value square_outputs[] = {{"y", TYPE(F32, d1000)}};

static const graphc_abi_ref check_buffers[] = {INPUT(0, 8000), OUTPUT(0, 8000)};
static const int64_t check_args[] = {1000, 50};
static const graphc_abi_entry check_entries[] = {
    LAUNCH(K_CHECK_IDS, GRAPHC_ABI_ENTRY_PARALLEL | GRAPHC_ABI_ENTRY_MAY_FAIL,
           check_buffers, 1, check_args, "graph.gather", "40:5"),
};
static const uint8_t check_dtypes[] = {GRAPHC_DTYPE_I64, GRAPHC_DTYPE_I64};
static const graphc_abi_value check_inputs[] = {{"ids", TYPE(I64, d1000)}};
static const graphc_abi_value check_outputs[] = {{"", TYPE(I64, d1000)}};

/* What check_numerics may find: before the commit, and in the new state. */
static const graphc_abi_ref divide_buffers[] = {INPUT(0, 16), INPUT(1, 16),
                                                OUTPUT(0, 16)};
static const int64_t divide_args[] = {4};
static const graphc_abi_ref divide_count[] = {STATE(AT_STEPS, 8)};
static const graphc_abi_entry divide_entries[] = {
    LAUNCH(K_DIVIDE, 0, divide_buffers, 1, divide_args, "graph.div", "50:5"),
    COMMIT,
    LAUNCH(K_INCREMENT, GRAPHC_ABI_ENTRY_WRITES_STATE, divide_count, 1,
           divide_args, "graph.add", "51:5"),
};
static const uint8_t divide_dtypes[] = {GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32,
                                        GRAPHC_DTYPE_F32, GRAPHC_DTYPE_I64};
static const graphc_abi_value divide_inputs[] = {{"a", TYPE(F32, d4)},
                                                 {"b", TYPE(F32, d4)}};
static const graphc_abi_value divide_outputs[] = {{"q", TYPE(F32, d4)}};

static const graphc_abi_ref scale_buffers[] = {INPUT(0, 4), STATE(AT_LR, 4)};
static const graphc_abi_entry scale_entries[] = {
    COMMIT,
    LAUNCH(K_INCREMENT, GRAPHC_ABI_ENTRY_WRITES_STATE, divide_count, 1,
           divide_args, "graph.add", "60:5"),
    LAUNCH(K_SCALE, GRAPHC_ABI_ENTRY_WRITES_STATE, scale_buffers, 1,
           divide_args, "graph.mul", "61:5"),
};
static const uint8_t scale_dtypes[] = {GRAPHC_DTYPE_I64, GRAPHC_DTYPE_F32,
                                       GRAPHC_DTYPE_F32};
static const graphc_abi_value scale_inputs[] = {{"factor", SCALAR(F32)}};

/* A constant, an empty tensor and an input as outputs. */
static const graphc_abi_ref copy_constant[] = {CONSTANT(4, 8), OUTPUT(0, 8)};
static const graphc_abi_ref copy_empty[] = {INPUT(0, 0), OUTPUT(1, 0)};
static const graphc_abi_ref copy_input[] = {INPUT(1, 8), OUTPUT(2, 8)};
static const graphc_abi_entry copy_entries[] = {
    {.kind = GRAPHC_ABI_COPY,
     .buffer_count = 2,
     .written_count = 1,
     .buffers = copy_constant,
     ENTRY_NAMES},
    {.kind = GRAPHC_ABI_COPY,
     .buffer_count = 2,
     .written_count = 1,
     .buffers = copy_empty,
     ENTRY_NAMES},
    {.kind = GRAPHC_ABI_COPY,
     .buffer_count = 2,
     .written_count = 1,
     .buffers = copy_input,
     ENTRY_NAMES},
};
static const uint8_t copy_dtypes[] = {GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32,
                                      GRAPHC_DTYPE_F32, GRAPHC_DTYPE_F32,
                                      GRAPHC_DTYPE_F64, GRAPHC_DTYPE_F64};
static const graphc_abi_value copy_inputs[] = {{"empty", TYPE(F32, d0x3)},
                                               {"scalar", SCALAR(F64)}};
static const graphc_abi_value copy_outputs[] = {{"constant", TYPE(F32, d2)},
                                                {"empty", TYPE(F32, d0x3)},
                                                {"scalar", SCALAR(F64)}};

#define FUNCTION(NAME, FAMILY, KIND, WRITES, PREFIX)                           \
  {NAME,                                                                       \
   FAMILY,                                                                     \
   GRAPHC_ABI_FUNCTION_##KIND,                                                 \
   WRITES,                                                                     \
   COUNT(PREFIX##_inputs),                                                     \
   COUNT(PREFIX##_outputs),                                                    \
   PREFIX##_inputs,                                                            \
   PREFIX##_outputs}
static const graphc_abi_function functions[] = {
    FUNCTION("step", "step", TRAIN, 1, step2),
    FUNCTION("step.3", "step", TRAIN, 1, step3),
    FUNCTION("loop", "loop", PLAIN, 0, loop),
    FUNCTION("square", "square", PLAIN, 0, square),
    FUNCTION("check_ids", "check_ids", PLAIN, 0, check),
    FUNCTION("divide", "divide", PLAIN, 1, divide),
    {"scale", "scale", GRAPHC_ABI_FUNCTION_PLAIN, 1, 1, 0, scale_inputs, 0},
    FUNCTION("copy", "copy", PLAIN, 0, copy),
};

#define PLAN(ARENA_BYTES, PREFIX)                                              \
  {ARENA_BYTES, COUNT(PREFIX##_entries), 0, PREFIX##_entries, PREFIX##_dtypes}
static const graphc_abi_plan plans[] = {
    PLAN(128, step2), PLAN(128, step3), PLAN(48, loop), PLAN(0, square),
    PLAN(0, check),   PLAN(0, divide),  PLAN(0, scale), PLAN(0, copy),
};

#if defined(__aarch64__)
#define COMMON_FEATURES GRAPHC_ABI_AARCH64
#define COMMON_LEVEL "aarch64"
#else
#define COMMON_FEATURES GRAPHC_ABI_X86_V2
#define COMMON_LEVEL "x86-64-v2"
#endif

#define VARIANT(LEVEL, FEATURES)                                               \
  {"cpu",   LEVEL,       FEATURES, TOY_MAX_THREADS,   COUNT(kernels),          \
   kernels, STATE_BYTES, layouts,  sizeof(constants), constants,               \
   plans}
static const graphc_abi_variant variants[] = {
#if TOY_LEVELS != 0
    VARIANT("future", UINT64_C(1) << 40),
#endif
#if TOY_LEVELS != 2
    VARIANT(COMMON_LEVEL, COMMON_FEATURES),
#endif
};

static const graphc_model_root root = {sizeof(graphc_model_root),
                                       TOY_ABI_MAJOR,
                                       GRAPHC_ABI_MINOR,
                                       0,
                                       "hand-written",
                                       "toy",
                                       COUNT(variables),
                                       COUNT(functions),
                                       COUNT(variants),
                                       0,
                                       variables,
                                       functions,
                                       variants,
                                       0,
                                       0,
                                       NULL};

__attribute__((visibility("default"))) const graphc_model_root *
graphc_model_query(uint32_t abi_major) {
  return abi_major == GRAPHC_ABI_MAJOR ? &root : 0;
}
