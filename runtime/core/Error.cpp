// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Error.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

#include "graphc/runtime.h"
#include "runtime/core/InfoStruct.h"

namespace graphc::runtime {
namespace {

struct ErrorRecord {
  graphc_status status = GRAPHC_OK;
  int64_t entry = -1, position = -1, value = -1, limit = -1;
  char message[3072] = "";
  char function[256] = "";
  char opName[128] = "";
  char location[512] = "";
};

thread_local ErrorRecord record;

template <size_t N> void copyText(char (&to)[N], const char *from) {
  std::snprintf(to, N, "%s", from);
}

void note(const FailurePlace &place, graphc_status status, const char *format,
          va_list arguments) {
  // Formatted apart: an argument may be the old message.
  char message[sizeof(record.message)];
  std::vsnprintf(message, sizeof(message), format, arguments);
  std::memcpy(record.message, message, std::strlen(message) + 1);
  record.status = status;
  record.entry = place.entry;
  record.position = place.position;
  record.value = place.value;
  record.limit = place.limit;
  copyText(record.function, place.function);
  copyText(record.opName, place.opName);
  copyText(record.location, place.location);
}

} // namespace

graphc_status setError(graphc_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  note({}, status, format, arguments);
  va_end(arguments);
  return status;
}

graphc_status setErrorAt(const FailurePlace &place, graphc_status status,
                         const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  note(place, status, format, arguments);
  va_end(arguments);
  return status;
}

void fail(graphc_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  note({}, status, format, arguments);
  va_end(arguments);
  throw Failure{status};
}

graphc_status statusOfCurrentException() noexcept {
  try {
    throw;
  } catch (const Failure &failure) {
    return failure.status;
  } catch (const std::bad_alloc &) {
    return setError(GRAPHC_OUT_OF_MEMORY, "out of memory");
  } catch (const std::length_error &) {
    return setError(GRAPHC_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return setError(GRAPHC_INTERNAL, "internal error: %s", error.what());
  } catch (...) {
    return setError(GRAPHC_INTERNAL, "internal error: unknown exception");
  }
}

} // namespace graphc::runtime

using namespace graphc::runtime;

extern "C" const char *graphc_status_name(graphc_status status) {
  switch (status) {
#define CASE(NAME)                                                             \
  case NAME:                                                                   \
    return #NAME
    CASE(GRAPHC_OK);
    CASE(GRAPHC_INVALID_ARGUMENT);
    CASE(GRAPHC_NOT_FOUND);
    CASE(GRAPHC_UNSUPPORTED);
    CASE(GRAPHC_OUT_OF_MEMORY);
    CASE(GRAPHC_CORRUPT);
    CASE(GRAPHC_IO_ERROR);
    CASE(GRAPHC_OUT_OF_RANGE);
    CASE(GRAPHC_NUMERIC);
    CASE(GRAPHC_DEVICE_LOST);
    CASE(GRAPHC_TIMEOUT);
    CASE(GRAPHC_COMPILE_ERROR);
    CASE(GRAPHC_INTERNAL);
#undef CASE
  }
  return "unknown status";
}

extern "C" const char *graphc_error_message(void) { return record.message; }

extern "C" graphc_status graphc_error_set(graphc_status status,
                                          const char *message) {
  return graphc::runtime::setError(status, "%s", message ? message : "");
}

extern "C" graphc_status graphc_error_describe(graphc_error_info *out_info) {
  graphc_error_info info = {};
  info.status = record.status;
  info.function = record.function;
  info.op_name = record.opName;
  info.location = record.location;
  info.entry = record.entry;
  info.position = record.position;
  info.value = record.value;
  info.limit = record.limit;
  return guarded([&] { writeInfo(out_info, info); });
}
