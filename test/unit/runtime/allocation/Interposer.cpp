// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/runtime/allocation/Interposer.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc's own names of what is replaced here.
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
}

namespace {

std::atomic<int64_t> requests{0};
std::atomic<int64_t> live{0};
std::atomic<int64_t> untilRefusal{-1};
std::atomic<bool> staysEmpty{false};
std::atomic<bool> refused{false};
std::atomic<bool> inLinker{false};

/// Notes a request; false if it is to be refused.
bool allow() {
  requests.fetch_add(1, std::memory_order_relaxed);
  if (inLinker || untilRefusal.load(std::memory_order_relaxed) < 0)
    return true;
  int64_t before = untilRefusal.fetch_sub(1, std::memory_order_relaxed);
  if (before > 0)
    return true;
  if (before == 0 || staysEmpty) {
    if (staysEmpty)
      untilRefusal = 0;
    refused = true;
    errno = ENOMEM;
    return false;
  }
  return true;
}

void *counted(void *memory) {
  if (memory)
    live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

std::atomic<int64_t> untilFileRefusal{-1};
std::atomic<bool> fileRefused{false};

bool allowFileAccess() {
  if (untilFileRefusal < 0 || untilFileRefusal.fetch_sub(1) != 0)
    return true;
  fileRefused = true;
  errno = ENOSPC;
  return false;
}

} // namespace

void refuseFileAccess(int64_t k) {
  fileRefused = false;
  untilFileRefusal = k;
}
bool wasFileAccessRefused() { return fileRefused; }

int64_t allocationRequests() { return requests; }
int64_t liveBlocks() { return live; }
bool wasRefused() { return refused; }

void refuseAllocation(int64_t k, bool stayEmpty) {
  refused = false;
  staysEmpty = stayEmpty;
  untilRefusal = k;
}

extern "C" {

void *malloc(size_t bytes) {
  return allow() ? counted(__libc_malloc(bytes)) : nullptr;
}

void *calloc(size_t count, size_t bytes) {
  return allow() ? counted(__libc_calloc(count, bytes)) : nullptr;
}

void *realloc(void *memory, size_t bytes) {
  if (!allow())
    return nullptr;
  void *result = __libc_realloc(memory, bytes);
  if (!memory)
    counted(result);
  else if (bytes == 0)
    live.fetch_sub(1, std::memory_order_relaxed);
  return result;
}

void *memalign(size_t alignment, size_t bytes) {
  return allow() ? counted(__libc_memalign(alignment, bytes)) : nullptr;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  return memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes) {
  void *memory = memalign(alignment, bytes);
  if (!memory)
    return ENOMEM;
  *out = memory;
  return 0;
}

void free(void *memory) {
  if (memory)
    live.fetch_sub(1, std::memory_order_relaxed);
  __libc_free(memory);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int file,
           off_t offset) noexcept {
  if (!allow())
    return MAP_FAILED;
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}

// One request, granted or refused as a whole: glibc's linker loses memory of
// its own when it runs out of it halfway.
void *dlopen(const char *path, int flags) {
  using Function = void *(*)(const char *, int);
  static auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "dlopen"));
  if (!allow())
    return nullptr;
  inLinker = true;
  void *handle = real(path, flags);
  inLinker = false;
  return handle;
}

ssize_t pread(int file, void *to, size_t bytes, off_t offset) {
  return allowFileAccess() ? syscall(SYS_pread64, file, to, bytes, offset) : -1;
}

ssize_t write(int file, const void *from, size_t bytes) {
  return allowFileAccess() ? syscall(SYS_write, file, from, bytes) : -1;
}

int fsync(int file) {
  return allowFileAccess() ? static_cast<int>(syscall(SYS_fsync, file)) : -1;
}

int rename(const char *from, const char *to) noexcept {
  return allowFileAccess() ? static_cast<int>(syscall(SYS_renameat2, AT_FDCWD,
                                                      from, AT_FDCWD, to, 0))
                           : -1;
}

} // extern "C"
