// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading a compiled model (model.so) and running it. Links to nothing but the
// C and C++ standard libraries, libdl and pthreads.
//
// Rules for the whole header
//   Ownership  *_create and *_load give the caller an object that the matching
//              *_destroy ends. Every other pointer is borrowed: strings and
//              shapes in *_info structs live as long as the model.
//   Failure    On any status but GRAPHC_OK, out-parameters are left untouched
//              and graphc_error_message() says what went wrong. A failed step
//              changes no state; the contents of its output tensors are then
//              unspecified. docs/status.md lists every cause.
//   Structs    Set `struct_bytes` to sizeof the struct, in options and in
//              *_info alike, and zero the rest of an options struct for
//              defaults. Later versions only append fields.
//   Units      *_bytes are bytes, *_ns nanoseconds; a bare count is elements.
//   Threads    One model (with its calls) serves one thread at a time; a second
//              thread in the same model is told GRAPHC_INVALID_ARGUMENT.
//              Distinct models are free, also on one context.
//   Process    No exception or abort crosses this header, no signal handler is
//              installed. The floating-point control state is set to default
//              for a run and restored. After fork() the child may go on using
//              its models, on one thread.
#ifndef GRAPHC_RUNTIME_H
#define GRAPHC_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#include "graphc/dtype.h"
#include "graphc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Tensors ----------------------------------------------------------------

// A view of host memory. Nothing in it is owned.
typedef struct graphc_tensor {
  graphc_dtype dtype;
  uint32_t rank;          // 0 is a scalar of one element.
  const int64_t *shape;   // [rank]; may be NULL if rank is 0.
  const int64_t *strides; // [rank], in elements, any sign; NULL: row-major.
  void *data;             // Element [0, ..., 0]. May be NULL if there is none.
} graphc_tensor;

// Bytes of one element; 0 for GRAPHC_DTYPE_INVALID and unknown numbers.
size_t graphc_dtype_bytes(graphc_dtype dtype);

// Name as the IR spells it, such as "f32"; "invalid" for unknown numbers.
const char *graphc_dtype_name(graphc_dtype dtype);

// DLPack's struct, from its own header dlpack.h (any 0.x, unversioned layout).
struct DLManagedTensor;

// Views a DLPack tensor without copying. `out_tensor` borrows shape, strides
// and data from `managed`, whose deleter stays the caller's to call.
//
// Returns GRAPHC_UNSUPPORTED for memory that is not the host's and for element
// types that are not in graphc_dtype.
graphc_status graphc_tensor_from_dlpack(const struct DLManagedTensor *managed,
                                        graphc_tensor *out_tensor);

// Wraps `tensor` for a DLPack consumer without copying the data; shape and
// strides are copied. The consumer calls the deleter, which calls
// `release(owner)` if `release` is not NULL.
graphc_status graphc_tensor_to_dlpack(const graphc_tensor *tensor,
                                      void (*release)(void *owner), void *owner,
                                      struct DLManagedTensor **out_managed);

// ---- Contexts ---------------------------------------------------------------

// A device and a pool of threads that models share.
typedef struct graphc_context graphc_context;

typedef enum graphc_pinning {
  GRAPHC_PINNING_DEFAULT = 0, // On, unless there are more threads than CPUs.
  GRAPHC_PINNING_ON = 1,      // Worker i stays on the i-th allowed CPU.
  GRAPHC_PINNING_OFF = 2,
  GRAPHC_PINNING_MAX_ENUM = 0x7fffffff // As GRAPHC_DTYPE_MAX_ENUM.
} graphc_pinning;

typedef struct graphc_context_options {
  size_t struct_bytes;
  const char *device; // "auto", "cpu"; NULL is auto.
  uint32_t threads;   // The caller's included; 0: one for each allowed CPU.
  graphc_pinning pinning;
} graphc_context_options;

// Creates a context. Its threads start when a model that can use them is
// loaded. Of a context that asks for no number of threads, the process's default
// one included, the environment variable GRAPHC_NUM_THREADS may say it.
//
//   options      borrowed for the call; NULL means defaults.
//   out_context  receives the context; end it with graphc_context_destroy().
//
// Returns GRAPHC_UNSUPPORTED for a device that is not here, and
// GRAPHC_INVALID_ARGUMENT if GRAPHC_NUM_THREADS is asked and is no number of
// threads.
graphc_status graphc_context_create(const graphc_context_options *options,
                                    graphc_context **out_context);

// Gives the caller's hold back; the threads end with the last model that uses
// them. NULL is allowed.
void graphc_context_destroy(graphc_context *context);

// ---- Models: loading --------------------------------------------------------

typedef struct graphc_model graphc_model;

typedef struct graphc_load_options {
  size_t struct_bytes;
  graphc_context *context; // NULL: the process's default context.
  const char *device;      // "auto", "cpu"; NULL is auto: the context's.
  uint32_t threads; // 0: min(context's threads, the model's max_threads).
  uint64_t max_arena_bytes; // 0: as much as the plan asks for.
  uint64_t seed;            // For the initial values of variables.
  int check_numerics;       // Non-zero: look for NaN and inf after each entry.
  int profile;              // Non-zero: time each entry.
  const char *state_path;   // Safetensors file; NULL: initial values.
} graphc_load_options;

// Opens a compiled model, allocates its arena and state in one piece each, and
// initialises its variables from `seed`, or reads every one of them from
// `state_path` (graphc_model_load_state() with no options): then none is drawn
// first, and no second copy of the state is made.
//
//   path       model.so written by graphc; read fully before this returns, so
//              the file may be replaced or removed afterwards.
//   options    borrowed for the call; NULL means defaults.
//   out_model  receives the model; end it with graphc_model_destroy().
//
// Returns GRAPHC_NOT_FOUND if there is no such file, GRAPHC_CORRUPT if it is
// truncated, damaged or no model, GRAPHC_UNSUPPORTED if it has another ABI
// major version or no code for this CPU, GRAPHC_OUT_OF_MEMORY if the plan needs
// more than `max_arena_bytes`, and GRAPHC_INVALID_ARGUMENT if `threads` is more
// than the model was compiled for or than `context` has, or if names, dtypes or
// shapes in the state file are not the model's. Without `context`, more
// `threads` than the default context has give the model a pool of its own.
graphc_status graphc_model_load(const char *path,
                                const graphc_load_options *options,
                                graphc_model **out_model);

// Ends `model`. Its calls must have been destroyed before. NULL is allowed.
void graphc_model_destroy(graphc_model *model);

// Blocks of memory that the runtime holds in this process: arenas and states of
// models, and copies of tensors. Its tables, and each model's image, which is
// as large as its file, are apart.
typedef struct graphc_memory_info {
  size_t struct_bytes;
  uint64_t current_bytes;
  uint64_t peak_bytes; // The most there were at once.
} graphc_memory_info;

graphc_status graphc_memory_describe(graphc_memory_info *out_info);

// ---- Models: what is inside -------------------------------------------------

typedef struct graphc_model_info {
  size_t struct_bytes;
  const char *name;             // Name of the module.
  const char *compiler_version; // That wrote the file.
  uint32_t abi_major, abi_minor;
  const char *target; // "cpu"
  const char *level;  // Of the chosen variant, such as "x86-64-v3".
  uint32_t threads;   // A run uses at most this many.
  uint32_t max_threads;
  uint64_t arena_bytes, state_bytes, constant_bytes;
  size_t function_count, variable_count;
} graphc_model_info;

graphc_status graphc_model_describe(const graphc_model *model,
                                    graphc_model_info *out_info);

typedef enum graphc_function_kind {
  GRAPHC_FUNCTION_PLAIN = 0,
  GRAPHC_FUNCTION_TRAIN = 1, // One training step; output 0 is the loss.
  GRAPHC_FUNCTION_GRAD = 2   // Output 0 is the loss, then the gradients.
} graphc_function_kind;

// A function has fixed sizes. Functions of one family are the same computation
// in several sizes over the same variables.
typedef struct graphc_function_info {
  size_t struct_bytes;
  const char *name; // Unique.
  const char *family;
  graphc_function_kind kind;
  int writes_state;
  size_t input_count, output_count;
  size_t entry_count; // Of its plan; see graphc_model_profile_entry().
  uint64_t arena_bytes;
} graphc_function_info;

graphc_status graphc_model_describe_function(const graphc_model *model,
                                             size_t function,
                                             graphc_function_info *out_info);

// Number of the function called exactly `name`, or GRAPHC_NOT_FOUND with a
// message that lists the functions there are.
graphc_status graphc_model_find_function(const graphc_model *model,
                                         const char *name,
                                         size_t *out_function);

typedef struct graphc_value_info {
  size_t struct_bytes;
  const char *name; // Never NULL, may be "".
  graphc_dtype dtype;
  uint32_t rank;
  const int64_t *shape;
  uint64_t bytes;
} graphc_value_info;

graphc_status graphc_model_describe_input(const graphc_model *model,
                                          size_t function, size_t input,
                                          graphc_value_info *out_info);
graphc_status graphc_model_describe_output(const graphc_model *model,
                                           size_t function, size_t output,
                                           graphc_value_info *out_info);

// ---- State: variables by name, always in logical row-major layout -----------
// Inside, a model may keep a variable in the order in which it reads it: get,
// set, save and load then convert, on one thread, with a copy for its time.

enum {
  GRAPHC_VARIABLE_TRAINABLE = 1u << 0,
  GRAPHC_VARIABLE_OPTIMIZER = 1u << 1, // Optimizer state, learning rate.
  GRAPHC_VARIABLE_INTERNAL = 1u << 2   // Random-number key and the like.
};

typedef struct graphc_variable_info {
  size_t struct_bytes;
  const char *name;
  graphc_dtype dtype;
  uint32_t rank;
  const int64_t *shape;
  uint64_t bytes;
  uint32_t flags;
} graphc_variable_info;

graphc_status graphc_model_describe_variable(const graphc_model *model,
                                             size_t variable,
                                             graphc_variable_info *out_info);

// Copies a variable into `destination`, which has its dtype and shape and may
// be strided. The result is a snapshot; later steps do not change it.
graphc_status graphc_model_get_variable(graphc_model *model, const char *name,
                                        const graphc_tensor *destination);

// Copies `source`, which has the variable's dtype and shape and may be strided.
graphc_status graphc_model_set_variable(graphc_model *model, const char *name,
                                        const graphc_tensor *source);

// What a graph.custom op of the model calls: reads `inputs`, fills `outputs`,
// all row-major and borrowed for the call. Called on the thread that runs the
// step, which is in use meanwhile: it must not call this model. Returns
// GRAPHC_OK, or an error, after graphc_error_set(): then the step fails with it
// and changes no state. Must not throw.
typedef graphc_status (*graphc_host_function)(void *user,
                                              const graphc_tensor *inputs,
                                              size_t input_count,
                                              const graphc_tensor *outputs,
                                              size_t output_count);

// Registers `function` under `name` for all graph.custom ops of that name; NULL
// takes it away. `user` is handed to each call. Without one, a step that needs
// it fails with GRAPHC_INVALID_ARGUMENT.
//
// Returns GRAPHC_NOT_FOUND, with a list of those there are, if the model calls
// no such function.
graphc_status graphc_model_set_host_function(graphc_model *model,
                                             const char *name,
                                             graphc_host_function function,
                                             void *user);

// Sets every variable to its initial value, in declaration order, from `seed`.
graphc_status graphc_model_initialize(graphc_model *model, uint64_t seed);

// Writes all variables to a safetensors file: temporary file, fsync, rename. On
// failure a file that was there before is still whole.
graphc_status graphc_model_save_state(graphc_model *model, const char *path);

typedef struct graphc_load_state_options {
  size_t struct_bytes;
  int ignore_missing;    // Variables that the file lacks keep their values.
  int ignore_unexpected; // Tensors that the model lacks are skipped.
} graphc_load_state_options;

// Reads variables from a safetensors file. Names, dtypes and shapes are checked
// before anything changes: either all variables are loaded or none.
graphc_status graphc_model_load_state(graphc_model *model, const char *path,
                                      const graphc_load_state_options *options);

// ---- Running: the convenient way --------------------------------------------

// Runs the function called `name`, or the one of family `name` whose sizes are
// those of `inputs`. Strided or unaligned arrays are copied.
//
//   inputs   [input_count], exact dtypes and shapes of one size.
//   outputs  [output_count], exact dtypes and shapes, written on success. An
//            output whose `data` is NULL is not wanted. `output_count` may be
//            less than the function has: the rest is not wanted.
//
// Returns GRAPHC_NOT_FOUND if no size fits; the message lists those there are.
// The first run of a function allocates; later ones of the same layout do not.
graphc_status graphc_model_run(graphc_model *model, const char *name,
                               const graphc_tensor *inputs, size_t input_count,
                               const graphc_tensor *outputs,
                               size_t output_count);

// ---- Running: zero-copy calls -----------------------------------------------

// One function with tensors bound to it, to be run many times. A run allocates
// nothing and costs tens of nanoseconds beside the kernels.
typedef struct graphc_call graphc_call;

// Creates a call of the function called exactly `function`.
graphc_status graphc_call_create(graphc_model *model, const char *function,
                                 graphc_call **out_call);

// Ends `call`; before its model. NULL is allowed.
void graphc_call_destroy(graphc_call *call);

// Binds memory that every later run reads (writes) in place. The descriptor is
// borrowed for the call, its `data` until the next bind or the destroy. It must
// have the exact dtype and shape, row-major strides and element alignment. An
// output must not overlap an input or another output; run says so if it does.
graphc_status graphc_call_bind_input(graphc_call *call, size_t input,
                                     const graphc_tensor *tensor);

// As for inputs. NULL lets the call own the memory: see graphc_call_output().
graphc_status graphc_call_bind_output(graphc_call *call, size_t output,
                                      const graphc_tensor *tensor);

// Views what is bound to an output; valid until the next bind or the destroy.
graphc_status graphc_call_output(const graphc_call *call, size_t output,
                                 graphc_tensor *out_tensor);

// Runs the function once. Every input and output must be bound.
//
// Returns GRAPHC_OUT_OF_RANGE for an index in the data that is outside its
// range and GRAPHC_NUMERIC under check_numerics; state is then unchanged.
graphc_status graphc_call_run(graphc_call *call);

// ---- Errors and profiles ----------------------------------------------------

// Where this thread's last failed call failed, for programs that want more than
// the message. Fields that do not apply are "" and -1; strings are borrowed
// until the thread's next graphc call.
typedef struct graphc_error_info {
  size_t struct_bytes;
  graphc_status status;
  const char *function; // "step"
  const char *op_name;  // "graph.gather"
  const char *location; // "model.mlir:12:8"
  int64_t entry;        // Of the function's plan.
  int64_t position;     // Element of the index tensor.
  int64_t value, limit; // The index, and what it must be less than.
} graphc_error_info;

graphc_status graphc_error_describe(graphc_error_info *out_info);

// Time spent in one entry of a function's plan, over all runs since the load or
// the last reset. `name` is the kernel's, or "copy", "memset",
// "loop_begin", "loop_end", "commit".
typedef struct graphc_profile_entry {
  size_t struct_bytes;
  const char *name;
  const char *op_name;
  const char *location;
  uint64_t run_count;
  uint64_t total_ns;
  uint64_t bytes; // Sum of its buffers' sizes.
} graphc_profile_entry;

// Returns GRAPHC_INVALID_ARGUMENT if the model was loaded without `profile`.
graphc_status graphc_model_profile_entry(const graphc_model *model,
                                         size_t function, size_t entry,
                                         graphc_profile_entry *out_entry);
graphc_status graphc_model_reset_profile(graphc_model *model);

#ifdef __cplusplus
} // extern "C"
#endif
#endif // GRAPHC_RUNTIME_H
