// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, files of arrays, random numbers and batches: what feeds a model.
//
// The rules at the top of graphc/runtime.h hold here too. Functions that return
// a plain number or pointer cannot fail on a valid object.
#ifndef GRAPHC_DATA_H
#define GRAPHC_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "graphc/dtype.h"
#include "graphc/runtime.h"
#include "graphc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Arrays -----------------------------------------------------------------

// An array that owns its memory: row-major, aligned to 64 bytes.
typedef struct graphc_array graphc_array;

// Creates an array of zeros. `rank` is at most 16.
graphc_status graphc_array_create(graphc_dtype dtype, uint32_t rank,
                                  const int64_t *shape,
                                  graphc_array **out_array);

// Copies `source`, which may be strided, into a new array of `dtype`. Floats
// round to nearest even and become integers by truncation, saturated, NaN to 0;
// integers that do not fit wrap around; anything but 0 becomes 1 in an i1.
graphc_status graphc_array_convert(const graphc_tensor *source,
                                   graphc_dtype dtype,
                                   graphc_array **out_array);

// NULL is allowed.
void graphc_array_destroy(graphc_array *array);

// Views the whole array. Valid until the array is destroyed.
graphc_tensor graphc_array_tensor(const graphc_array *array);

// ---- npy files --------------------------------------------------------------

// Reads a NumPy array file, format 1.0, 2.0 or 3.0. Big-endian and Fortran
// order are converted. '|V2' is bf16, which is how NumPy stores it. NumPy's
// types map to f8 f64, f4 f32, f2 f16, b1 i1, i1 i8, u1 ui8, i4 i32, i8 i64.
//
// Returns GRAPHC_CORRUPT for anything but one whole array, GRAPHC_UNSUPPORTED
// for other element types and ranks above 16.
graphc_status graphc_npy_read(const char *path, graphc_array **out_array);

// Writes `tensor`, which may be strided, as format 1.0. The file appears whole
// or not at all.
graphc_status graphc_npy_write(const char *path, const graphc_tensor *tensor);

// ---- csv files --------------------------------------------------------------

// A table of text cells. Quoted cells may hold separators, line ends and, when
// doubled, quotes. Blank lines are skipped; all others have as many cells.
typedef struct graphc_csv graphc_csv;

typedef enum graphc_csv_header {
  // There is one if no cell of the first line is a number.
  GRAPHC_CSV_HEADER_AUTO = 0,
  GRAPHC_CSV_HEADER_PRESENT = 1,
  GRAPHC_CSV_HEADER_ABSENT = 2,
  GRAPHC_CSV_HEADER_MAX_ENUM = 0x7fffffff // As GRAPHC_DTYPE_MAX_ENUM.
} graphc_csv_header;

typedef struct graphc_csv_options {
  size_t struct_bytes;
  char separator; // 0 is a comma.
  char quote;     // 0 is a double quote.
  graphc_csv_header header;
} graphc_csv_options;

// Reads a table. Errors name the file, line and column: "d.csv:12:8: ...".
graphc_status graphc_csv_read(const char *path,
                              const graphc_csv_options *options,
                              graphc_csv **out_csv);

// The same from `bytes` bytes of text in memory, which are copied. `name`
// stands for the path in messages.
graphc_status graphc_csv_parse(const char *name, const char *text, size_t bytes,
                               const graphc_csv_options *options,
                               graphc_csv **out_csv);

// NULL is allowed.
void graphc_csv_destroy(graphc_csv *csv);

int64_t graphc_csv_row_count(const graphc_csv *csv);
int64_t graphc_csv_column_count(const graphc_csv *csv);

// Name of a column, "" if the file has no header. NULL if there is no such
// column.
const char *graphc_csv_column_name(const graphc_csv *csv, int64_t column);

// Finds a column by its name or else by its number: "0" is the first, "-1" the
// last. The message of GRAPHC_NOT_FOUND lists the names.
graphc_status graphc_csv_find_column(const graphc_csv *csv, const char *column,
                                     int64_t *out_column);

// Converts columns to an array of shape [rows, column_count], or [rows] if
// `flat` is non-zero, which takes one column.
//
//   columns  [column_count], in the order wanted; NULL: all of the table's.
//
// Returns GRAPHC_CORRUPT, naming file, line and column, for a cell that is
// empty, no number, or not a value of `dtype` (an i1 is 0, 1, false or true).
graphc_status graphc_csv_to_array(const graphc_csv *csv, const int64_t *columns,
                                  size_t column_count, graphc_dtype dtype,
                                  int flat, graphc_array **out_array);

// ---- safetensors files ------------------------------------------------------

typedef struct graphc_safetensors graphc_safetensors;

// Opens a file and checks its header: at most 100 MB, valid UTF-8 and JSON, no
// name twice, tensors that cover the data without gap or overlap. Returns
// GRAPHC_CORRUPT with a message of its own for each violation.
graphc_status graphc_safetensors_open(const char *path,
                                      graphc_safetensors **out_file);

// NULL is allowed.
void graphc_safetensors_close(graphc_safetensors *file);

size_t graphc_safetensors_count(const graphc_safetensors *file);

// Describes a tensor, numbered by place in the file. The dtype is
// GRAPHC_DTYPE_INVALID if graphc has no such type.
graphc_status graphc_safetensors_describe(const graphc_safetensors *file,
                                          size_t tensor,
                                          graphc_value_info *out_info);

graphc_status graphc_safetensors_find(const graphc_safetensors *file,
                                      const char *name, size_t *out_tensor);

graphc_status graphc_safetensors_read(const graphc_safetensors *file,
                                      size_t tensor, graphc_array **out_array);

// Value of a key of the file's metadata, or NULL.
const char *graphc_safetensors_metadata(const graphc_safetensors *file,
                                        const char *key);

typedef struct graphc_named_tensor {
  const char *name;
  graphc_tensor tensor; // May be strided.
} graphc_named_tensor;

typedef struct graphc_key_value {
  const char *key, *value;
} graphc_key_value;

// Writes a file, byte for byte as the format's own library does. It appears
// whole or not at all.
graphc_status graphc_safetensors_write(const char *path,
                                       const graphc_named_tensor *tensors,
                                       size_t tensor_count,
                                       const graphc_key_value *metadata,
                                       size_t metadata_count);

// ---- Random numbers ---------------------------------------------------------

// A stream of random numbers that follows PyTorch's CPU generator: a seed gives
// the numbers that it gives there, in the same order.
typedef struct graphc_generator graphc_generator;

// Only the low 32 bits of `seed` matter, as in PyTorch.
graphc_status graphc_generator_create(uint64_t seed,
                                      graphc_generator **out_generator);

// NULL is allowed.
void graphc_generator_destroy(graphc_generator *generator);

// Starts the stream anew: torch.manual_seed(seed).
void graphc_generator_reseed(graphc_generator *generator, uint64_t seed);

// 32 bits: one draw of the engine.
uint32_t graphc_generator_random(graphc_generator *generator);

// 63 bits: torch.empty((), dtype=torch.int64).random_().
int64_t graphc_generator_random_i64(graphc_generator *generator);

// tensor.uniform_(lo, hi) and tensor.normal_(mean, standard_deviation).
// `tensor` is row-major and of a float type.
graphc_status graphc_generator_uniform(graphc_generator *generator,
                                       const graphc_tensor *tensor, double lo,
                                       double hi);
graphc_status graphc_generator_normal(graphc_generator *generator,
                                      const graphc_tensor *tensor, double mean,
                                      double standard_deviation);

// torch.randint(lo, hi, ...) into a row-major integer tensor; lo < hi, and all
// numbers drawn from must be of the tensor's type.
graphc_status graphc_generator_integers(graphc_generator *generator,
                                        const graphc_tensor *tensor, int64_t lo,
                                        int64_t hi);

// torch.randperm(count) into `out_order`, which has room for `count`.
graphc_status graphc_generator_permutation(graphc_generator *generator,
                                           int64_t count, int64_t *out_order);

// ---- Initial values: torch.nn.init ------------------------------------------

// Each fills a row-major float tensor. Fan-in and fan-out of a shape
// [out, in, ...] are in and out times the rest, so the rank is 2 or more.

// Bound gain(negative_slope) * sqrt(3 / fan_in); sqrt(5) is what
// torch.nn.Linear and the convolutions use for weights.
graphc_status graphc_init_kaiming_uniform(graphc_generator *generator,
                                          const graphc_tensor *tensor,
                                          double negative_slope);
// Standard deviation gain(negative_slope) / sqrt(fan_in).
graphc_status graphc_init_kaiming_normal(graphc_generator *generator,
                                         const graphc_tensor *tensor,
                                         double negative_slope);
// Bound gain * sqrt(6 / (fan_in + fan_out)).
graphc_status graphc_init_xavier_uniform(graphc_generator *generator,
                                         const graphc_tensor *tensor,
                                         double gain);
// Standard deviation gain * sqrt(2 / (fan_in + fan_out)).
graphc_status graphc_init_xavier_normal(graphc_generator *generator,
                                        const graphc_tensor *tensor,
                                        double gain);

// ---- Batches ----------------------------------------------------------------

// Samples that a loader can ask for by number. Each has `field_count` arrays
// (such as features and label) whose types and shapes never vary.
typedef struct graphc_dataset {
  size_t struct_bytes;
  void *self; // First argument of `read`.
  int64_t size;
  size_t field_count;
  const graphc_tensor *fields; // [field_count]; dtype, rank and shape are read.
  // Writes sample `index` to `out_fields[0 .. field_count)`, row-major. A
  // status other than GRAPHC_OK ends graphc_loader_next() with the same;
  // graphc_error_set() gives its message a reason.
  graphc_status (*read)(void *self, int64_t index, void *const *out_fields);
} graphc_dataset;

typedef enum graphc_shuffle {
  GRAPHC_SHUFFLE_NONE = 0, // 0, 1, 2, ...
  // Each epoch draws a seed from the generator and shuffles by it:
  // DataLoader(shuffle=True) after torch.manual_seed(seed).
  GRAPHC_SHUFFLE_SEEDED = 1,
  // Each epoch shuffles by the generator itself:
  // DataLoader(shuffle=True, generator=g).
  GRAPHC_SHUFFLE_DIRECT = 2,
  GRAPHC_SHUFFLE_MAX_ENUM = 0x7fffffff // As GRAPHC_DTYPE_MAX_ENUM.
} graphc_shuffle;

typedef struct graphc_loader graphc_loader;

typedef struct graphc_loader_options {
  size_t struct_bytes;
  int64_t batch_size; // 0 is 1.
  int drop_last;      // Non-zero: no ragged last batch.
  graphc_shuffle shuffle;
  // Borrowed while the loader lives. Every epoch draws one number from it
  // before all others, shuffled or not, as a PyTorch DataLoader does. NULL: the
  // loader has one of its own, started with `seed`.
  graphc_generator *generator;
  uint64_t seed;
} graphc_loader_options;

// Creates a loader over `dataset`, whose pointers are borrowed while the loader
// lives.
graphc_status graphc_loader_create(const graphc_dataset *dataset,
                                   const graphc_loader_options *options,
                                   graphc_loader **out_loader);

// Creates a loader over the first dimension of arrays in memory, which is the
// same for all. Their data, which may be strided, is borrowed while the loader
// lives.
graphc_status graphc_loader_create_from_tensors(
    const graphc_tensor *tensors, size_t tensor_count,
    const graphc_loader_options *options, graphc_loader **out_loader);

// NULL is allowed.
void graphc_loader_destroy(graphc_loader *loader);

// Batches in one epoch.
int64_t graphc_loader_batch_count(const graphc_loader *loader);

// Starts an epoch: chooses its order.
graphc_status graphc_loader_begin_epoch(graphc_loader *loader);

typedef struct graphc_batch {
  size_t struct_bytes;
  int64_t size;                // Samples in it; 0 after the last batch.
  const int64_t *indices;      // [size], their numbers.
  const graphc_tensor *fields; // [field_count], of shape [size, ...].
  size_t field_count;
} graphc_batch;

// Gathers the epoch's next batch. What `out_batch` points to is valid until the
// loader's next call.
graphc_status graphc_loader_next(graphc_loader *loader,
                                 graphc_batch *out_batch);

#ifdef __cplusplus
} // extern "C"
#endif
#endif // GRAPHC_DATA_H
