// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Image.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

#include "graphc/abi/trailer.h"
#include "runtime/core/Error.h"
#include "runtime/data/File.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

namespace graphc::runtime {
namespace {

constexpr size_t chunkBytes = size_t{1} << 20;

graphc_abi_trailer readTrailer(const InputFile &file, const char *path) {
  const uint64_t fileBytes = file.size();
  abi::TrailerBytes bytes;
  graphc_abi_trailer trailer;
  if (fileBytes < bytes.size())
    fail(GRAPHC_CORRUPT,
         "model '%s' is truncated or no model: expects at least %zu bytes, but "
         "got %llu",
         path, bytes.size(), static_cast<unsigned long long>(fileBytes));
  file.readAt(fileBytes - bytes.size(), bytes.data(), bytes.size());
  if (!abi::decodeTrailer(bytes, trailer))
    fail(GRAPHC_CORRUPT,
         "model '%s' is truncated, damaged or no model: it does not end in a "
         "graphc trailer",
         path);
  uint64_t imageBytes = fileBytes - bytes.size();
  if (trailer.image_bytes != imageBytes)
    fail(GRAPHC_CORRUPT,
         "model '%s' is damaged: its trailer expects %llu bytes before it, but "
         "there are %llu",
         path, static_cast<unsigned long long>(trailer.image_bytes),
         static_cast<unsigned long long>(imageBytes));
  if (trailer.abi_major != GRAPHC_ABI_MAJOR)
    fail(GRAPHC_UNSUPPORTED,
         "model '%s' has ABI version %u.%u, but this runtime expects %u.x; "
         "compile it again with a graphc of this version",
         path, trailer.abi_major, trailer.abi_minor, GRAPHC_ABI_MAJOR);
  return trailer;
}

const char *machineName(unsigned elfMachine) {
  return elfMachine == EM_X86_64    ? "x86_64"
         : elfMachine == EM_AARCH64 ? "aarch64"
                                    : nullptr;
}

#if defined(__x86_64__)
constexpr unsigned thisMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned thisMachine = EM_AARCH64;
#endif

/// The linker's message for a library of another machine does not say so.
void checkMachine(const InputFile &file, uint64_t bytes, const char *path) {
  Elf64_Ehdr header;
  if (bytes < sizeof(header))
    return;
  file.readAt(0, &header, sizeof(header));
  const char *name = machineName(header.e_machine);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && name &&
      header.e_machine != thisMachine)
    fail(GRAPHC_UNSUPPORTED,
         "model '%s' is compiled for %s, but this machine is %s; compile it "
         "with graphc --target-triple=%s-linux-gnu",
         path, name, machineName(thisMachine), machineName(thisMachine));
}

UniqueFd createAnonymousFile(const char *path) {
  const char *slash = std::strrchr(path, '/');
  char name[128]; // Shown in /proc/self/maps.
  std::strncpy(name, slash ? slash + 1 : path, sizeof(name) - 1);
  name[sizeof(name) - 1] = '\0';
  UniqueFd file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC));
  // Kernels before 6.3 do not know MFD_EXEC; there it is the default.
  if (!file && errno == EINVAL)
    file = UniqueFd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  return file;
}

void writeAll(int file, const uint8_t *from, size_t bytes, const char *path) {
  while (bytes != 0) {
    ssize_t put = write(file, from, bytes);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      fail(errno == ENOMEM || errno == ENOSPC ? GRAPHC_OUT_OF_MEMORY
                                              : GRAPHC_IO_ERROR,
           "cannot copy model '%s' into memory: %s", path,
           std::strerror(errno));
    from += put;
    bytes -= static_cast<size_t>(put);
  }
}

} // namespace

UniqueFd openVerifiedImage(const char *path) {
  InputFile file(path, "model ");
  graphc_abi_trailer trailer = readTrailer(file, path);

  UniqueFd copy = createAnonymousFile(path);
  if (!copy && errno != ENOSYS && errno != EACCES && errno != EPERM)
    fail(GRAPHC_IO_ERROR, "cannot copy model '%s' into memory: %s", path,
         std::strerror(errno));
  abi::Sha256 hash;
  auto chunk = std::make_unique<uint8_t[]>(
      std::min<uint64_t>(chunkBytes, trailer.image_bytes));
  for (uint64_t at = 0; at < trailer.image_bytes; at += chunkBytes) {
    size_t bytes = std::min<uint64_t>(chunkBytes, trailer.image_bytes - at);
    file.readAt(at, chunk.get(), bytes);
    hash.update(chunk.get(), bytes);
    if (copy)
      writeAll(copy.get(), chunk.get(), bytes, path);
  }
  if (std::memcmp(hash.finish().data(), trailer.sha256, 32) != 0)
    fail(GRAPHC_CORRUPT,
         "model '%s' is damaged: its content does not match the hash in its "
         "trailer",
         path);
  checkMachine(file, trailer.image_bytes, path);
  if (!copy)
    return file.take();
  if (fcntl(copy.get(), F_ADD_SEALS,
            F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    fail(GRAPHC_IO_ERROR, "cannot seal the copy of model '%s': %s", path,
         std::strerror(errno));
  return copy;
}

} // namespace graphc::runtime
