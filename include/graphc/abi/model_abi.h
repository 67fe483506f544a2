/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where compiler and runtime meet: the layout of what a model.so exports.
 *
 * A model.so exports one symbol, graphc_model_query(). Everything it returns is
 * constant data inside the library: no writable global, no allocation, so one
 * mapping serves any number of loaded models. All arrays are `count` + pointer;
 * a pointer may be NULL when its count is 0. Strings are NUL-terminated UTF-8.
 *
 * Changing the meaning or place of a field raises GRAPHC_ABI_MAJOR; appending
 * fields or enumerators that an older runtime may ignore raises _MINOR.
 *
 * File layout: the ELF image, then a trailer (graphc_abi_trailer) of the last
 * GRAPHC_ABI_TRAILER_BYTES bytes. The runtime checks it before dlopen(), which
 * would kill the host on a truncated library.
 */
#ifndef GRAPHC_ABI_MODEL_ABI_H
#define GRAPHC_ABI_MODEL_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "graphc/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GRAPHC_ABI_MAJOR 1u
#define GRAPHC_ABI_MINOR 2u

#define GRAPHC_ABI_MAX_RANK 16u
#define GRAPHC_ABI_MAX_HOST_TENSORS 64u /* inputs and outputs of one call */
#define GRAPHC_ABI_ALIGNMENT 64u /* bytes; of the arena, state, constants */

/* ---- Kernels ------------------------------------------------------------ */

typedef struct graphc_env graphc_env;

/* Runs items [begin, end) of one parallel loop of a kernel. */
typedef void (*graphc_body_fn)(const graphc_env *env, void *const *buffers,
                               const int64_t *args, int64_t begin, int64_t end);

/* One kernel. `buffers` are the entry's buffers, in order; `args` its integers
   (op ids, runtime offsets). A kernel calls back only through `env`. */
typedef void (*graphc_kernel_fn)(const graphc_env *env, void *const *buffers,
                                 const int64_t *args);

/* What a kernel may call. The runtime owns it; only appended to. */
struct graphc_env {
  uint32_t struct_bytes;
  uint32_t reserved;
  /* Calls `body` on disjoint ranges that cover [0, count), in any order and on
     any thread; returns when all are done. Results never depend on the split.
   */
  void (*parallel_for)(const graphc_env *env, graphc_body_fn body,
                       void *const *buffers, const int64_t *args,
                       int64_t count);
  /* Notes an out-of-range index: `value` was met where 0 <= value < `limit`
     holds. `position` is its element index. The lowest position of the first
     failing entry wins, whatever the threads. The kernel goes on with index 0.
   */
  void (*fail_index)(const graphc_env *env, int64_t position, int64_t value,
                     int64_t limit);
  /* Calls host_functions[number] on buffers in its order, inputs first. Notes
     a failure if there is none or it fails. Since 1.1. */
  void (*call_host)(const graphc_env *env, int64_t number,
                    void *const *buffers);
};

/* ---- Logical part: shared by all variants ------------------------------- */

typedef struct graphc_abi_type {
  uint32_t dtype; /* graphc_dtype */
  uint32_t rank;
  const int64_t *dims; /* [rank] */
} graphc_abi_type;

typedef enum graphc_abi_init_kind {
  GRAPHC_ABI_INIT_ZEROS = 0,
  GRAPHC_ABI_INIT_CONSTANT = 1, /* a; integers from a_int */
  GRAPHC_ABI_INIT_UNIFORM = 2,  /* [a, b), PyTorch's generator stream */
  GRAPHC_ABI_INIT_NORMAL = 3,   /* mean a, standard deviation b, same stream;
                                   then row a_int - 1, unless a_int is 0, is 0 */
  GRAPHC_ABI_INIT_DATA = 4,     /* logical row-major bytes at `data` */
  GRAPHC_ABI_INIT_SEED = 5 /* i64 data: element 0 is the load's seed, rest 0 */
} graphc_abi_init_kind;

typedef struct graphc_abi_init {
  uint32_t kind;
  uint32_t reserved;
  double a, b;
  int64_t a_int;
  const void *data;
  uint64_t data_bytes;
} graphc_abi_init;

enum {
  GRAPHC_ABI_VARIABLE_TRAINABLE = 1u << 0,
  GRAPHC_ABI_VARIABLE_OPTIMIZER = 1u << 1, /* optimizer state, learning rate */
  GRAPHC_ABI_VARIABLE_INTERNAL = 1u << 2   /* random-number key and the like */
};

typedef struct graphc_abi_variable {
  const char *name;
  graphc_abi_type type;
  uint32_t flags;
  uint32_t reserved;
  graphc_abi_init init; /* run at load, in declaration order */
} graphc_abi_variable;

typedef struct graphc_abi_value {
  const char *name; /* argument or result name; never NULL, may be "" */
  graphc_abi_type type;
} graphc_abi_value;

typedef enum graphc_abi_function_kind {
  GRAPHC_ABI_FUNCTION_PLAIN = 0,
  GRAPHC_ABI_FUNCTION_TRAIN = 1, /* from graph.train; output 0 is the loss */
  GRAPHC_ABI_FUNCTION_GRAD = 2   /* from graph.grad; loss, then gradients */
} graphc_abi_function_kind;

typedef struct graphc_abi_function {
  const char *name;
  const char *family; /* name shared by all sizes of one function */
  uint32_t kind;
  uint32_t writes_state; /* 1 if some variable may change */
  uint32_t input_count, output_count;
  const graphc_abi_value *inputs;
  const graphc_abi_value *outputs;
} graphc_abi_function;

/* A function that the host program registers, as one graph.custom op calls it.
 */
typedef struct graphc_abi_host_function {
  const char *name;
  uint32_t input_count, output_count; /* MAX_HOST_TENSORS at most together */
  const graphc_abi_type *inputs;
  const graphc_abi_type *outputs;
} graphc_abi_host_function;

/* ---- Physical part: one per target and level ----------------------------- */

/* Bits of graphc_abi_variant.cpu_features: what the code may execute. */
enum {
  GRAPHC_ABI_X86_V2 = 1u << 0, /* the psABI level, complete */
  GRAPHC_ABI_X86_V3 = 1u << 1,
  GRAPHC_ABI_X86_V4 = 1u << 2,
  GRAPHC_ABI_X86_AVX512BF16 = 1u << 3,
  GRAPHC_ABI_X86_AVX512VNNI = 1u << 4,
  GRAPHC_ABI_AARCH64 = 1u << 16, /* Armv8-A with its vectors */
  GRAPHC_ABI_AARCH64_N1 = 1u
                          << 17 /* what Neoverse N1 adds: atomics, CRC32, half
                                      precision, dot products, RCpc. Since 1.2
                                    */
};

typedef enum graphc_abi_space {
  GRAPHC_ABI_SPACE_ARENA = 0,
  GRAPHC_ABI_SPACE_STATE = 1,
  GRAPHC_ABI_SPACE_CONSTANT = 2,
  GRAPHC_ABI_SPACE_INPUT = 3, /* `index` is the function's input */
  GRAPHC_ABI_SPACE_OUTPUT = 4 /* `index` is the function's output */
} graphc_abi_space;

/* Arena, state and constants start at GRAPHC_ABI_ALIGNMENT. Inputs and outputs
   are the host's memory, used in place: aligned to their element and no more.
   Inputs and constants are never written, outputs may be read back; the runtime
   makes sure that no output overlaps another output or an input. */

/* A buffer as a plan names it. */
typedef struct graphc_abi_ref {
  uint32_t space;
  uint32_t index;
  uint64_t offset; /* bytes into the space, or into the input or output */
  uint64_t bytes;
  /* Added to `offset` for each finished iteration of the innermost loop around
     the entry; 0 outside loops. */
  int64_t iteration_stride_bytes;
} graphc_abi_ref;

typedef enum graphc_abi_entry_kind {
  GRAPHC_ABI_LAUNCH = 0,     /* kernels[kernel](env, buffers, args) */
  GRAPHC_ABI_COPY = 1,       /* buffers[1] <- buffers[0]; same bytes; never
                                overlap */
  GRAPHC_ABI_MEMSET = 2,     /* buffers[0] filled with byte args[0] */
  GRAPHC_ABI_LOOP_BEGIN = 3, /* `count` iterations up to entry `partner`; if
                                buffer_count is 1, buffers[0] is an i64 slot
                                that receives the iteration number */
  GRAPHC_ABI_LOOP_END = 4,   /* back to entry `partner` */
  GRAPHC_ABI_COMMIT = 5 /* a noted failure ends the step here at the latest;
                           before it no entry writes state, after it none
                           may fail. A plan that writes state has exactly
                           one, outside loops */
} graphc_abi_entry_kind;

enum {
  GRAPHC_ABI_ENTRY_MAY_FAIL = 1u << 0, /* the kernel may call fail_index
                                             or call_host */
  GRAPHC_ABI_ENTRY_PARALLEL = 1u << 1, /* the kernel calls parallel_for */
  GRAPHC_ABI_ENTRY_WRITES_STATE = 1u << 2,
  GRAPHC_ABI_ENTRY_GIVES_INF = 1u << 3 /* the model writes an infinity into the
                                          kernel: its results may hold it */
};

typedef struct graphc_abi_entry {
  uint16_t kind;
  uint16_t flags;
  uint32_t kernel;
  uint32_t buffer_count;
  uint32_t written_count; /* the last `written_count` buffers are written; a
                             written buffer may be read as well */
  const graphc_abi_ref *buffers;
  const int64_t *args;
  uint32_t arg_count;
  /* Since 1.2, of a LAUNCH: if `partner` is not 0, kernel number `count` is a
     *bundle*. Called with the buffers of the entries from this one up to, and
     without, entry `partner`, one after another, it does all that they do. They
     are launches, copies, memsets and commits, in one loop; none may fail or is
     parallel. Whether it is called or they are changes no bit. */
  uint32_t partner;
  int64_t count;
  const char *op_name;  /* "graph.linear"; for messages and profiles */
  const char *location; /* "model.mlir:12:8"; never NULL */
} graphc_abi_entry;

typedef struct graphc_abi_plan {
  uint64_t arena_bytes;
  uint32_t entry_count;
  uint32_t reserved;
  const graphc_abi_entry *entries;
  /* dtype of each buffer of each entry, for --check-numerics, in entry order.
   */
  const uint8_t *buffer_dtypes;
} graphc_abi_plan;

typedef struct graphc_abi_kernel {
  const char *name;
  graphc_kernel_fn function;
} graphc_abi_kernel;

/* Where a variable lives. pack/unpack are kernel numbers plus 1 that convert
   logical row-major bytes (buffers[0]) to physical (buffers[1]) and back, or 0
   when the two are the same bytes. There may be more physical bytes: what fills
   up a panel, which pack writes. They take no args, need no memory but the two
   buffers, and cannot fail. */
typedef struct graphc_abi_layout {
  uint64_t offset, bytes;
  uint32_t pack_kernel, unpack_kernel;
} graphc_abi_layout;

typedef struct graphc_abi_variant {
  const char *target; /* "cpu" */
  const char *level;  /* "x86-64-v3" */
  uint64_t cpu_features;
  uint32_t max_threads;
  uint32_t kernel_count;
  const graphc_abi_kernel *kernels;
  uint64_t state_bytes;
  const graphc_abi_layout *layouts; /* [variable_count] */
  uint64_t constant_bytes;
  const void *constants;
  const graphc_abi_plan *plans; /* [function_count] */
} graphc_abi_variant;

typedef struct graphc_model_root {
  uint32_t struct_bytes;
  uint32_t abi_major, abi_minor;
  uint32_t reserved;
  const char *compiler_version;
  const char *module_name;
  uint32_t variable_count, function_count, variant_count, reserved2;
  const graphc_abi_variable *variables;
  const graphc_abi_function *functions;
  const graphc_abi_variant *variants; /* best level first */
  /* Since 1.1: there only if struct_bytes says so. */
  uint32_t host_function_count, reserved3;
  const graphc_abi_host_function *host_functions;
} graphc_model_root;

/* The one exported symbol. Returns NULL if `abi_major` is not the library's. */
typedef const graphc_model_root *(*graphc_model_query_fn)(uint32_t abi_major);
#define GRAPHC_ABI_QUERY_SYMBOL "graphc_model_query"

/* ---- Trailer --------------------------------------------------------------
 */

#define GRAPHC_ABI_TRAILER_MAGIC "GRAPHCSO" /* 8 bytes, no NUL in the file */
#define GRAPHC_ABI_TRAILER_BYTES 64u

/* Little-endian. The hash is SHA-256 of the file up to the trailer, so that any
   flipped bit there, or in the trailer itself, is seen. */
typedef struct graphc_abi_trailer {
  char magic[8];
  uint32_t abi_major, abi_minor;
  uint64_t image_bytes; /* file size less the trailer */
  uint8_t sha256[32];
  uint64_t check; /* FNV-1a (64 bit) of the 56 bytes before it */
} graphc_abi_trailer;

#ifdef __cplusplus
}
#endif
#endif /* GRAPHC_ABI_MODEL_ABI_H */
