/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Element types as they appear in artifacts, host tensors and saved state. */
#ifndef GRAPHC_DTYPE_H
#define GRAPHC_DTYPE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are part of the model ABI: never renumber, only append. */
typedef enum graphc_dtype {
  GRAPHC_DTYPE_INVALID = 0,
  GRAPHC_DTYPE_F64 = 1,
  GRAPHC_DTYPE_F32 = 2,
  GRAPHC_DTYPE_F16 = 3,
  GRAPHC_DTYPE_BF16 = 4,
  GRAPHC_DTYPE_I1 = 5, /* one byte an element, 0 or 1 */
  GRAPHC_DTYPE_I8 = 6,
  GRAPHC_DTYPE_UI8 = 7,
  GRAPHC_DTYPE_I32 = 8,
  GRAPHC_DTYPE_I64 = 9,
  /* No type: gives the enum the range of an int, so that C++ may read any
     number that a caller stores in it, and refuse it. */
  GRAPHC_DTYPE_MAX_ENUM = 0x7fffffff
} graphc_dtype;

#ifdef __cplusplus
}
#endif
#endif /* GRAPHC_DTYPE_H */
