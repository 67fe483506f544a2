// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Context.h"

#include <cstdlib>
#include <cstring>

#include "runtime/core/Error.h"
#include "runtime/core/InfoStruct.h"
#include "runtime/cpu/CpuFeatures.h"

namespace graphc::runtime {
namespace {

constexpr unsigned maxThreads = 4096;

/// What GRAPHC_NUM_THREADS asks for; 0 if it is not set. Half a number, which a
/// program would run with unnoticed, is an error.
unsigned threadsOfEnvironment() {
  const char *text = std::getenv("GRAPHC_NUM_THREADS");
  if (!text || !*text)
    return 0;
  unsigned long threads = 0;
  const char *at = text;
  for (; *at >= '0' && *at <= '9' && threads <= maxThreads; ++at)
    threads = 10 * threads + static_cast<unsigned long>(*at - '0');
  if (*at || threads < 1 || threads > maxThreads)
    fail(GRAPHC_INVALID_ARGUMENT,
         "the environment variable GRAPHC_NUM_THREADS expects a number from 1 "
         "to %u, but got '%.40s'",
         maxThreads, text);
  return static_cast<unsigned>(threads);
}

} // namespace

void checkDevice(const char *device) {
  if (!device || !std::strcmp(device, "auto") || !std::strcmp(device, "cpu"))
    return;
  fail(GRAPHC_UNSUPPORTED,
       "device '%s' is not here; this runtime has: auto, cpu", device);
}

std::shared_ptr<Context> createContext(const graphc_context_options &options) {
  checkDevice(options.device);
  if (options.threads > maxThreads)
    fail(GRAPHC_INVALID_ARGUMENT,
         "a context expects at most %u threads, but got %u", maxThreads,
         options.threads);
  unsigned cpus = usableCpuCount();
  unsigned threads = options.threads;
  if (threads == 0)
    threads = threadsOfEnvironment();
  if (threads == 0)
    threads = cpus;
  bool pin;
  switch (options.pinning) {
  case GRAPHC_PINNING_DEFAULT:
    pin = threads <= cpus;
    break;
  case GRAPHC_PINNING_ON:
    pin = true;
    break;
  case GRAPHC_PINNING_OFF:
    pin = false;
    break;
  default:
    fail(GRAPHC_INVALID_ARGUMENT, "pinning has no value %d",
         static_cast<int>(options.pinning));
  }
  return std::make_shared<Context>(threads, pin);
}

std::shared_ptr<Context> defaultContext() {
  static auto *context = new std::shared_ptr<Context>(createContext({}));
  return *context;
}

} // namespace graphc::runtime

using namespace graphc::runtime;

extern "C" graphc_status
graphc_context_create(const graphc_context_options *options,
                      graphc_context **out_context) {
  return guarded([&] {
    if (!out_context)
      fail(GRAPHC_INVALID_ARGUMENT, "out_context is NULL");
    *out_context = new graphc_context{createContext(readOptions(options))};
  });
}

extern "C" void graphc_context_destroy(graphc_context *context) {
  delete context;
}
