// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/LargeStack.h"

#include <pthread.h>

namespace graphc {

static void *run(void *body) {
  (*static_cast<llvm::function_ref<void()> *>(body))();
  return nullptr;
}

bool runOnLargeStack(llvm::function_ref<void()> body) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes))
    return false;
  pthread_t thread;
  // Not llvm::thread: it ends the process if there is no memory for a stack.
  bool started = !pthread_attr_setstacksize(&attributes, kLargeStackBytes) &&
                 !pthread_create(&thread, &attributes, run, &body);
  pthread_attr_destroy(&attributes);
  return started && !pthread_join(thread, nullptr);
}

} // namespace graphc
