// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model.so between the file system and dlopen(): checked, then frozen.
#ifndef GRAPHC_RUNTIME_CORE_IMAGE_H
#define GRAPHC_RUNTIME_CORE_IMAGE_H

#include <cstdint>
#include <utility>

#include "runtime/core/UniqueFd.h"

namespace graphc::runtime {

/// Checks the trailer and the hash of the model at `path` and returns the ELF
/// image as an anonymous, sealed file: what was checked is what will be mapped,
/// whatever happens to the file afterwards. (Where the kernel has no memfd it
/// is the file itself.) Throws NOT_FOUND, IO_ERROR, CORRUPT or UNSUPPORTED.
UniqueFd openVerifiedImage(const char *path);

/// The loaded image, and which addresses belong to it.
class Library {
public:
  Library() = default;
  /// Loads the image in `fd`; `path` is for messages. Throws UNSUPPORTED if
  /// the dynamic linker refuses it.
  Library(const UniqueFd &fd, const char *path);
  Library(Library &&other) noexcept { *this = std::move(other); }
  Library &operator=(Library &&other) noexcept;
  ~Library();

  /// Address of an exported symbol, or nullptr.
  void *symbol(const char *name) const;

  /// True if [address, address + bytes) lies in one readable segment.
  bool hasData(const void *address, uint64_t bytes) const;
  /// True if `address` lies in an executable segment.
  bool hasCode(const void *address) const;
  /// True if a string starts at `address` and ends in the same segment.
  bool hasString(const char *address) const;

  struct Segment {
    uintptr_t begin, end;
    uint32_t flags; // PF_R and PF_X of the program header
  };

private:
  const Segment *find(uintptr_t address) const;

  static constexpr int maxSegments = 32;
  void *handle = nullptr;
  Segment segments[maxSegments] = {};
  int segmentCount = 0;
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_IMAGE_H
