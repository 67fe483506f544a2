// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_CORE_UNIQUEFD_H
#define GRAPHC_RUNTIME_CORE_UNIQUEFD_H

#include <unistd.h>
#include <utility>

namespace graphc::runtime {

/// A file descriptor that closes itself.
class UniqueFd {
public:
  explicit UniqueFd(int fd = -1) : fd(fd) {}
  UniqueFd(UniqueFd &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  UniqueFd &operator=(UniqueFd &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~UniqueFd() {
    if (fd >= 0)
      close(fd);
  }
  int get() const { return fd; }
  explicit operator bool() const { return fd >= 0; }

private:
  int fd;
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_UNIQUEFD_H
