// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "runtime/core/Error.h"
#include "runtime/core/Image.h"

namespace graphc::runtime {
namespace {

/// A path to descriptor `fd` that no dlopen() of this process has seen. The
/// dynamic linker gives back a loaded library for a path it knows, and a
/// descriptor's number is soon used again, so each load spells the path
/// differently: the bits of a counter choose "/" or "/.".
void uniquePath(int fd, char (&out)[128]) {
  static std::atomic<uint32_t> counter{0};
  uint32_t number = counter.fetch_add(1, std::memory_order_relaxed);
  char *end = out + std::snprintf(out, sizeof(out), "/proc/self/fd");
  for (int bit = 0; bit < 32; ++bit) {
    *end++ = '/';
    if (number >> bit & 1)
      *end++ = '.';
  }
  std::snprintf(end, static_cast<size_t>(out + sizeof(out) - end), "/%d", fd);
}

struct SegmentSearch {
  ElfW(Addr) base;
  const void *dynamic;
  Library::Segment *segments;
  int capacity, count;
};

int collectSegments(dl_phdr_info *info, size_t, void *data) {
  auto &search = *static_cast<SegmentSearch *>(data);
  if (info->dlpi_addr != search.base)
    return 0;
  // Two objects may have base 0; the dynamic section tells them apart.
  bool isOurs = false;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    isOurs |=
        info->dlpi_phdr[i].p_type == PT_DYNAMIC &&
        reinterpret_cast<const void *>(
            info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) == search.dynamic;
  if (!isOurs)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || search.count == search.capacity)
      continue;
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    search.segments[search.count++] = {begin, begin + header.p_memsz,
                                       header.p_flags};
  }
  return 1;
}

} // namespace

Library::Library(const UniqueFd &fd, const char *path) {
  char fdPath[128];
  uniquePath(fd.get(), fdPath);
  if (access(fdPath, R_OK) != 0)
    fail(GRAPHC_IO_ERROR, "cannot load model '%s': /proc is not mounted", path);
  errno = 0;
  handle = dlopen(fdPath, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    int error = errno;
    const char *reason = dlerror();
    // The linker speaks of the copy; the user knows the file.
    const char *rest = reason ? std::strstr(reason, ": ") : nullptr;
    reason = rest ? rest + 2 : reason ? reason : "unknown error";
    // The content is whole, so it is this system that does not suit it.
    // Not every message of the linker says so when memory is out.
    bool isMemory = error == ENOMEM || std::strstr(reason, "memory");
    graphc_status status = isMemory ? GRAPHC_OUT_OF_MEMORY : GRAPHC_UNSUPPORTED;
    setError(status, "cannot load model '%s' on this system: %s", path, reason);
    dlerror(); // Frees the text.
    throw Failure{status};
  }
  link_map *map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
    return;
  SegmentSearch search = {map->l_addr, map->l_ld, segments, maxSegments, 0};
  dl_iterate_phdr(collectSegments, &search);
  segmentCount = search.count;
}

Library &Library::operator=(Library &&other) noexcept {
  std::swap(handle, other.handle);
  std::swap(segments, other.segments);
  std::swap(segmentCount, other.segmentCount);
  return *this;
}

Library::~Library() {
  if (handle)
    dlclose(handle);
}

void *Library::symbol(const char *name) const { return dlsym(handle, name); }

const Library::Segment *Library::find(uintptr_t address) const {
  for (int i = 0; i < segmentCount; ++i)
    if (address >= segments[i].begin && address < segments[i].end)
      return &segments[i];
  return nullptr;
}

bool Library::hasData(const void *address, uint64_t bytes) const {
  auto begin = reinterpret_cast<uintptr_t>(address);
  const Segment *segment = find(begin);
  return segment && (segment->flags & PF_R) && bytes <= segment->end - begin;
}

bool Library::hasCode(const void *address) const {
  const Segment *segment = find(reinterpret_cast<uintptr_t>(address));
  return segment && (segment->flags & PF_X);
}

bool Library::hasString(const char *address) const {
  auto begin = reinterpret_cast<uintptr_t>(address);
  const Segment *segment = find(begin);
  return segment && (segment->flags & PF_R) &&
         std::memchr(address, '\0', segment->end - begin);
}

} // namespace graphc::runtime
