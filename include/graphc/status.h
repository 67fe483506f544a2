/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The one status enum of every graphc C function. */
#ifndef GRAPHC_STATUS_H
#define GRAPHC_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Codes differ by what the caller should do next. On any code but GRAPHC_OK
   out-parameters are untouched and graphc_error_message() says what happened.
   Never renumber; only append. */
typedef enum graphc_status {
  GRAPHC_OK = 0,
  /* The caller broke a rule; retrying cannot help. */
  GRAPHC_INVALID_ARGUMENT = 1,
  /* No such function, variable, file or size. */
  GRAPHC_NOT_FOUND = 2,
  /* Another ABI version, or no such device or CPU here. */
  GRAPHC_UNSUPPORTED = 3,
  /* Nothing was allocated; the object still works. */
  GRAPHC_OUT_OF_MEMORY = 4,
  /* A file is truncated, damaged or malformed. */
  GRAPHC_CORRUPT = 5,
  /* The system refused a read or write; old data is kept. */
  GRAPHC_IO_ERROR = 6,
  /* An index in the data; the step changed no state. */
  GRAPHC_OUT_OF_RANGE = 7,
  /* --check-numerics met a NaN or inf; no state changed. */
  GRAPHC_NUMERIC = 8,
  /* Only *_destroy may be called from now on. */
  GRAPHC_DEVICE_LOST = 9,
  /* A peer was late; the group is broken. */
  GRAPHC_TIMEOUT = 10,
  /* The model is wrong; the message is located. */
  GRAPHC_COMPILE_ERROR = 11,
  /* A defect of graphc; please report it. */
  GRAPHC_INTERNAL = 12
} graphc_status;

/* Name of `status`, such as "GRAPHC_OUT_OF_MEMORY". Never NULL. */
const char *graphc_status_name(graphc_status status);

/* Text of this thread's last failed call. Never NULL; borrowed until the
   thread's next graphc call. */
const char *graphc_error_message(void);

/* Sets this thread's message and returns `status`: for libraries on top of
   graphc that fail with its statuses. A NULL message is "". */
graphc_status graphc_error_set(graphc_status status, const char *message);

#ifdef __cplusplus
}
#endif
#endif /* GRAPHC_STATUS_H */
