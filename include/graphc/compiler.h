// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building a model and compiling it to a model.so, in process. C++ programs use
// graphc/trace.hpp, which is a thin layer over this header.
//
// Rules for the whole header
//   Ownership  *_create and *_read give the caller an object that
//              graphc_module_destroy() ends. Every other pointer is borrowed.
//   Failure    On any status but GRAPHC_OK, out-parameters are left untouched,
//              the module is as before, and graphc_error_message() says what
//              went wrong and where in the user's source.
//   Text       Attributes, initializers and optimizers are given as MLIR
//              attribute text, such as "[1, 0]" or "#graph.sgd<lr = 0.1>".
//   Threads    One module, one thread at a time. Distinct modules are free.
//   Process    A wrong or hostile model is an error, never an exception or an
//              abort. Memory is the exception: MLIR and LLVM end the process if
//              an allocation of theirs fails; where that must not happen,
//              compile with the program `graphc`, which limits a child process.
//              Reading and compiling run on a thread of their own, with a stack
//              of 512 MiB of address space, and wait for it. A child process is
//              started only if the linker inside this library failed in a way
//              that it cannot recover from: later compiles then run `ld.lld`.
#ifndef GRAPHC_COMPILER_H
#define GRAPHC_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#include "graphc/dtype.h"
#include "graphc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// A model: variables, functions, train steps.
typedef struct graphc_module graphc_module;

// A value of the function being built: a small number, of its module only.
typedef int64_t graphc_value;

typedef struct graphc_tensor_type {
  graphc_dtype dtype;
  uint32_t rank;       // At most 16.
  const int64_t *dims; // [rank]; may be NULL if rank is 0.
} graphc_tensor_type;

// Where in the user's program something was asked for.
typedef struct graphc_source {
  const char *file;
  uint32_t line;
  uint32_t column; // 0: not known.
} graphc_source;

// ---- Modules ----------------------------------------------------------------

// Creates an empty model called `name` (letters, digits, '_', '.', '$').
graphc_status graphc_module_create(const char *name,
                                   graphc_module **out_module);

// Reads a model's text, which may come from anywhere: it is held to the limits
// that graphc holds files to. `file_name` is used in messages and locations.
//
// Returns GRAPHC_COMPILE_ERROR with a located message if the text is no model.
graphc_status graphc_module_read(const char *text, size_t text_bytes,
                                 const char *file_name,
                                 graphc_module **out_module);

// Ends `module`. NULL is allowed.
void graphc_module_destroy(graphc_module *module);

// The model's text, borrowed until the module's next call.
graphc_status graphc_module_text(graphc_module *module, const char **out_text);

// Writes the model's text to `path`: temporary file, then rename, so that a
// failure leaves the file that was there. A link is followed; a device or pipe
// is written through. "-" is a file of that name.
//
// Returns GRAPHC_IO_ERROR if `path` cannot be written.
graphc_status graphc_module_save(graphc_module *module, const char *path);

typedef struct graphc_compile_options {
  size_t struct_bytes;
  const char *cpu;             // Levels as of graphc --cpu; NULL: its default.
  uint32_t optimization_level; // 1 to 4 for -O0 to -O3; 0: its default.
  uint32_t max_threads;        // 0: its default.
  const char *target_triple; // As of graphc --target-triple; NULL: its default.
  uint32_t strict_math;      // Not 0: as of graphc --strict-math.
  uint32_t reserved;         // 0.
  const char *amp;           // As of graphc --amp: "bf16", "f16"; NULL: none.
} graphc_compile_options;

// Compiles the model to the library `path`. The module stays as it was.
//
//   options  borrowed for the call; NULL means defaults. Set `struct_bytes` to
//            sizeof(graphc_compile_options) and zero the rest for defaults.
//
// Returns GRAPHC_COMPILE_ERROR with located messages; GRAPHC_IO_ERROR if `path`
// cannot be written, which leaves the file that was there, as for
// graphc_module_save(); GRAPHC_OUT_OF_MEMORY if there is none for the thread's
// stack; GRAPHC_UNSUPPORTED if an option is set that only a newer library has.
graphc_status graphc_module_compile(graphc_module *module,
                                    const graphc_compile_options *options,
                                    const char *path);

// Warnings of the module's last compile that succeeded, one on a line and each
// located; "" if there are none. Never NULL; borrowed until the module's next
// compile.
const char *graphc_module_warnings(const graphc_module *module);

// ---- Building ---------------------------------------------------------------

// Adds `graph.variable @name : type = initializer`.
//
// Returns GRAPHC_COMPILE_ERROR if the name is taken.
graphc_status graphc_module_add_variable(graphc_module *module,
                                         const char *name,
                                         const graphc_tensor_type *type,
                                         const char *initializer, int trainable,
                                         const graphc_source *source);

// As above, with the initial elements given: row-major, `bytes` in all, which
// is the elements' number times their size (see graphc/dtype.h).
graphc_status graphc_module_add_variable_data(
    graphc_module *module, const char *name, const graphc_tensor_type *type,
    const void *data, size_t bytes, int trainable, const graphc_source *source);

// Starts a function; what is built from now on goes into it. Functions may
// nest: the outer one goes on when the inner one ends.
//
//   specializes    name of the function of which this is another size, or NULL.
//   is_private     non-zero: only called or differentiated by other functions.
//   out_arguments  [argument_count] receives the arguments' values.
graphc_status graphc_function_begin(graphc_module *module, const char *name,
                                    const graphc_tensor_type *types,
                                    const char *const *argument_names,
                                    size_t argument_count,
                                    const char *specializes, int is_private,
                                    const graphc_source *source,
                                    graphc_value *out_arguments);

// Ends the innermost function, which returns `results`.
graphc_status graphc_function_end(graphc_module *module,
                                  const graphc_value *results,
                                  const char *const *result_names,
                                  size_t result_count);

// Ends the innermost function and forgets it.
void graphc_function_abandon(graphc_module *module);

// Appends an op of the graph dialect.
//
//   op            such as "graph.add".
//   attributes    MLIR dictionary text such as "{axes = array<i64: 1>}"; may be
//                 NULL.
//   result_types  [result_count]; NULL: one result whose type is inferred.
//   out_results   [result_count, or 1] receives the results' values.
//
// Returns GRAPHC_COMPILE_ERROR if the op's constraints do not hold; the message
// names `source` and where each operand was made.
graphc_status graphc_build_op(graphc_module *module, const char *op,
                              const graphc_value *operands,
                              size_t operand_count, const char *attributes,
                              const graphc_tensor_type *result_types,
                              size_t result_count, const graphc_source *source,
                              graphc_value *out_results);

// Appends a constant of row-major elements, `bytes` in all, which is their
// number times their size (see graphc/dtype.h).
graphc_status graphc_build_constant(graphc_module *module,
                                    const graphc_tensor_type *type,
                                    const void *data, size_t bytes,
                                    const graphc_source *source,
                                    graphc_value *out_value);

// Appends a call of `function`. `out_results` has room for `result_count`,
// which must be the function's.
graphc_status graphc_build_call(graphc_module *module, const char *function,
                                const graphc_value *operands,
                                size_t operand_count,
                                const graphc_source *source,
                                graphc_value *out_results, size_t result_count);

// Appends graph.value_and_grad: the results of `function`, then the gradients
// of its first with respect to the arguments `inputs`, then `variables`.
// `out_results` has room for `result_count`, which must be as many.
graphc_status
graphc_build_value_and_grad(graphc_module *module, const char *function,
                            const graphc_value *operands, size_t operand_count,
                            const int64_t *inputs, size_t input_count,
                            const char *const *variables, size_t variable_count,
                            const graphc_source *source,
                            graphc_value *out_results, size_t result_count);

// Begins a loop of `count` iterations; what is built from now on is its body.
//
//   inits          [init_count] what the loop carries, at first.
//   out_arguments  [init_count + 1] receives the iteration number, an i64 of
//                  rank 0, and what is carried.
graphc_status graphc_for_begin(graphc_module *module, int64_t count,
                               const graphc_value *inits, size_t init_count,
                               const graphc_source *source,
                               graphc_value *out_arguments);

// Begins a checkpoint: values made in it are computed again for the gradient.
graphc_status graphc_checkpoint_begin(graphc_module *module,
                                      const graphc_source *source);

// Begins a region that mixed precision computes in f32, and its gradient too.
graphc_status graphc_precision_begin(graphc_module *module,
                                     const graphc_source *source);

// Ends the innermost loop or other region, with what a loop carries on or a
// region gives. `out_results` has room for as many.
graphc_status graphc_region_end(graphc_module *module,
                                const graphc_value *values, size_t value_count,
                                graphc_value *out_results);

// Ends the innermost loop or other region and forgets it.
void graphc_region_abandon(graphc_module *module);

// The type of a value; `out_type->dims` is borrowed until the module ends.
graphc_status graphc_value_type(graphc_module *module, graphc_value value,
                                graphc_tensor_type *out_type);

// Where a value was made: "graph.linear at app.cpp:40". Borrowed until the
// module's next call.
graphc_status graphc_value_origin(graphc_module *module, graphc_value value,
                                  const char **out_origin);

typedef struct graphc_train_options {
  size_t struct_bytes;
  const char *specializes; // The step of which this is another size, or NULL.
  const char *groups;      // An array of #graph.param_group, as text, or NULL.
  double clip_norm;  // Largest norm of all gradients together; 0: no limit.
  double clip_value; // Largest magnitude of an element; 0: no limit.
  // Micro-batches of a step, each a slice of its arguments; 0 or 1: one.
  int64_t accumulate;
  // Not 0: `loss` returns a sum and its weight, and the step their quotient.
  int32_t weighted;
  int32_t reserved; // 0
} graphc_train_options;

// Adds `graph.train @name loss(@loss) optimizer(optimizer)`.
//
//   options  borrowed for the call; NULL means defaults. Set `struct_bytes` to
//            sizeof(graphc_train_options) and zero the rest for defaults.
//
// Returns GRAPHC_COMPILE_ERROR if the name is taken, `loss` returns no loss or
// an optimizer, group or limit is none; GRAPHC_UNSUPPORTED if an option is set
// that only a newer library has.
graphc_status graphc_module_add_train(graphc_module *module, const char *name,
                                      const char *loss, const char *optimizer,
                                      const graphc_train_options *options,
                                      const graphc_source *source);

// Adds `graph.grad @name of @function`, with respect to variables and inputs.
graphc_status graphc_module_add_grad(graphc_module *module, const char *name,
                                     const char *function,
                                     const char *const *variables,
                                     size_t variable_count,
                                     const int64_t *inputs, size_t input_count,
                                     const graphc_source *source);

#ifdef __cplusplus
} // extern "C"
#endif
#endif // GRAPHC_COMPILER_H
