// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/File.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/data/Message.h"

namespace graphc::runtime {
namespace {

/// read() and write() move at most this much at a time on Linux.
constexpr size_t kMaxTransfer = size_t{1} << 30;

std::string reason(int error) { return std::strerror(error); }

int openRetrying(const char *path, int flags, mode_t mode = 0) {
  int fd;
  do
    fd = open(path, flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return fd;
}

/// The folder of `path`, with a slash at its end, or "".
std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/') + 1);
}

/// Follows `path` while it is a symbolic link, to a file that may not be there.
/// Links in its folders are the system's business. Returns false on an error.
bool followLinks(std::string &path) {
  constexpr int maxLinks = 40; // As Linux has it.
  for (int i = 0; i < maxLinks; ++i) {
    std::string content(4096, '\0');
    ssize_t bytes = readlink(path.c_str(), &content[0], content.size());
    if (bytes < 0)
      return errno == EINVAL || errno == ENOENT; // No link; nothing there.
    content.resize(static_cast<size_t>(bytes));
    path = content[0] == '/' ? content : folderOf(path) + content;
  }
  errno = ELOOP;
  return false;
}

} // namespace

InputFile::InputFile(std::string path, const char *kind)
    : path_(std::move(path)), kind_(kind),
      // O_NONBLOCK: opening a pipe must not hang before we can refuse it.
      fd_(openRetrying(path_.c_str(), O_RDONLY | O_NONBLOCK)) {
  if (!fd_) {
    int error = errno;
    fail(error == ENOENT || error == ENOTDIR ? GRAPHC_NOT_FOUND
                                             : GRAPHC_IO_ERROR,
         "cannot open " + (kind_ + quoted(path_)) + ": " + reason(error));
  }
  struct stat status;
  if (fstat(fd_.get(), &status) != 0)
    fail(GRAPHC_IO_ERROR, kind_ + quoted(path_) + " cannot be examined");
  if (!S_ISREG(status.st_mode))
    fail(GRAPHC_IO_ERROR, kind_ + quoted(path_) + " is not a regular file");
  size_ = static_cast<uint64_t>(status.st_size);
}

void InputFile::readAt(uint64_t offset, void *out, size_t bytes) const {
  auto *to = static_cast<char *>(out);
  while (bytes > 0) {
    ssize_t got = pread(fd_.get(), to, std::min(bytes, kMaxTransfer),
                        static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      fail(GRAPHC_IO_ERROR,
           "cannot read " + (kind_ + quoted(path_)) + ": " + reason(errno));
    if (got == 0)
      fail(GRAPHC_CORRUPT,
           kind_ + quoted(path_) + " became shorter while it was read");
    to += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
}

AtomicFile::AtomicFile(std::string path)
    : path_(std::move(path)), target_(path_) {
  // A rename would replace a device or a pipe, and so would a link be.
  struct stat old;
  const bool exists = stat(path_.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode))
    fail(GRAPHC_IO_ERROR,
         "cannot replace " + quoted(path_) + ": it is not a regular file");
  if (!followLinks(target_))
    failWith("cannot create", errno);
  // The name tells processes and threads apart; O_EXCL settles what is left.
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    // Short, for the file's own name may be as long as the system allows.
    temporary_ = target_.substr(0, target_.rfind('/') + 1) + ".tmp" +
                 std::to_string(getpid()) + "." +
                 std::to_string(counter.fetch_add(1));
    fd_ = openRetrying(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL,
                       exists ? 0600 : 0666);
    if (fd_ >= 0 || errno != EEXIST)
      break;
  }
  if (fd_ < 0)
    failWith("cannot create", errno);
  // Who could not read the old file cannot read the new one either. Where the
  // file system has no permissions there is nothing to keep.
  if (exists)
    (void)fchmod(fd_, old.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0)
    return;
  close(fd_);
  unlink(temporary_.c_str());
}

void AtomicFile::failWith(const char *what, int error) const {
  fail(GRAPHC_IO_ERROR,
       std::string(what) + " " + quoted(path_) + ": " + reason(error));
}

void AtomicFile::write(const void *data, size_t bytes) {
  auto *from = static_cast<const char *>(data);
  while (bytes > 0) {
    ssize_t put = ::write(fd_, from, std::min(bytes, kMaxTransfer));
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      failWith("cannot write", errno);
    from += put;
    bytes -= static_cast<size_t>(put);
  }
}

void AtomicFile::commit() {
  std::string folder = folderOf(target_);
  if (folder.empty())
    folder = ".";
  if (fsync(fd_) != 0)
    failWith("cannot write", errno);
  int folderFd = openRetrying(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (rename(temporary_.c_str(), target_.c_str()) != 0) {
    int error = errno;
    if (folderFd >= 0)
      close(folderFd);
    failWith("cannot replace", error);
  }
  close(fd_);
  fd_ = -1;
  // The new file is in place. That a folder cannot be synchronised (some file
  // systems refuse) makes it less durable, not wrong.
  if (folderFd >= 0) {
    fsync(folderFd);
    close(folderFd);
  }
}

} // namespace graphc::runtime
