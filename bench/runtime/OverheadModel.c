/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Plans of kernels that do nothing: what is left is the runtime. */
#include "graphc/abi/model_abi.h"

static void nothing(const graphc_env *env, void *const *buffers,
                    const int64_t *args) {
  (void)env;
  (void)buffers;
  (void)args;
}

static void nothing_body(const graphc_env *env, void *const *buffers,
                         const int64_t *args, int64_t begin, int64_t end) {
  (void)env;
  (void)buffers;
  (void)args;
  (void)begin;
  (void)end;
}

static void nothing_in_parallel(const graphc_env *env, void *const *buffers,
                                const int64_t *args) {
  env->parallel_for(env, nothing_body, buffers, args, 32);
}

static const graphc_abi_kernel kernels[] = {
    {"nothing", nothing}, {"nothing_in_parallel", nothing_in_parallel}};

static const graphc_abi_ref buffers[] = {
    {GRAPHC_ABI_SPACE_ARENA, 0, 0, 64, 0},
    {GRAPHC_ABI_SPACE_INPUT, 0, 0, 64, 0},
    {GRAPHC_ABI_SPACE_ARENA, 0, 64, 64, 0}};

#define ENTRY(KERNEL, FLAGS)                                                   \
  {.kind = GRAPHC_ABI_LAUNCH,                                                  \
   .flags = FLAGS,                                                             \
   .kernel = KERNEL,                                                           \
   .buffer_count = 3,                                                          \
   .written_count = 1,                                                         \
   .buffers = buffers,                                                         \
   .op_name = "bench.nothing",                                                 \
   .location = "bench"}
static const graphc_abi_entry entries[500] = {[0 ... 499] = ENTRY(0, 0)};
static const graphc_abi_entry parallel_entries[100] = {
    [0 ... 99] = ENTRY(1, GRAPHC_ABI_ENTRY_PARALLEL)};
static const uint8_t dtypes[1500];

static const int64_t dims[] = {16};
static const graphc_abi_value inputs[] = {{"x", {GRAPHC_DTYPE_F32, 1, dims}}};
#define FUNCTION(NAME)                                                         \
  {NAME, NAME, GRAPHC_ABI_FUNCTION_PLAIN, 0, 1, 0, inputs, 0}
static const graphc_abi_function functions[] = {
    FUNCTION("entries0"), FUNCTION("entries50"), FUNCTION("entries500"),
    FUNCTION("parallel100")};
static const graphc_abi_plan plans[] = {
    {128, 0, 0, entries, dtypes},
    {128, 50, 0, entries, dtypes},
    {128, 500, 0, entries, dtypes},
    {128, 100, 0, parallel_entries, dtypes}};

static const graphc_abi_variant variants[] = {
    {"cpu", "any", 0, 64, 2, kernels, 0, 0, 0, 0, plans}};
static const graphc_model_root root = {sizeof(graphc_model_root),
                                       GRAPHC_ABI_MAJOR,
                                       GRAPHC_ABI_MINOR,
                                       0,
                                       "hand-written",
                                       "overhead",
                                       0,
                                       4,
                                       1,
                                       0,
                                       0,
                                       functions,
                                       variants};

__attribute__((visibility("default"))) const graphc_model_root *
graphc_model_query(uint32_t abi_major) {
  return abi_major == GRAPHC_ABI_MAJOR ? &root : 0;
}
