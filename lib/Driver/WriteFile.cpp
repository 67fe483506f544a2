// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace graphc {
namespace {

Error failed(int code) {
  return errorCodeToError(std::error_code(code, std::generic_category()));
}

/// Closes its file, and removes it by name unless it was kept.
struct Descriptor {
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
    if (!temporary.empty())
      ::unlink(temporary.c_str());
  }
  int number = -1;
  std::string temporary;
};

int openRetrying(const char *path, int flags, mode_t mode = 0) {
  int file;
  do
    file = ::open(path, flags | O_CLOEXEC, mode);
  while (file < 0 && errno == EINTR);
  return file;
}

Error writeAll(int file, StringRef bytes) {
  // More at once than the system takes is no error, but some refuse 2 GiB.
  constexpr size_t kMostAtOnce = size_t(1) << 30;
  while (!bytes.empty()) {
    ssize_t count =
        ::write(file, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failed(errno);
    bytes = bytes.drop_front(count);
  }
  return Error::success();
}

/// What `path` is a symbolic link to, through any number of them; it need not
/// exist.
Expected<std::string> followLinks(std::string path) {
  constexpr int kMostLinks = 40;
  for (int k = 0; k < kMostLinks; ++k) {
    SmallString<256> target;
    target.resize_for_overwrite(4096);
    ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    if (length < 0)
      return path;
    target.resize(length);
    if (sys::path::is_relative(target)) {
      SmallString<256> full = sys::path::parent_path(path);
      sys::path::append(full, target);
      target = full;
    }
    path = std::string(target);
  }
  return failed(ELOOP);
}

Error openTemporary(const std::string &path, mode_t mode, Descriptor &out) {
  // The name is random, so a few tries are as good as any number.
  for (int attempt = 0; attempt < 16; ++attempt) {
    // Made alone, for % in a path stays what it is; short, for the name of the
    // file may be as long as the system allows.
    SmallString<32> random;
    sys::fs::createUniquePath(".tmp-%%%%%%%%", random, /*MakeAbsolute=*/false);
    SmallString<256> name = sys::path::parent_path(path);
    sys::path::append(name, random);
    out.number = openRetrying(name.c_str(), O_WRONLY | O_CREAT | O_EXCL, mode);
    if (out.number >= 0) {
      out.temporary = std::string(name);
      return Error::success();
    }
    if (errno != EEXIST)
      break;
  }
  return failed(errno);
}

} // namespace

Error writeFile(StringRef path, StringRef bytes) {
  if (path.empty() || path.contains('\0'))
    return failed(ENOENT);
  Expected<std::string> target = followLinks(path.str());
  if (!target)
    return target.takeError();
  Descriptor file;
  struct stat status;
  bool exists = ::stat(target->c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    file.number = openRetrying(target->c_str(), O_WRONLY);
    return file.number < 0 ? failed(errno) : writeAll(file.number, bytes);
  }
  // Who could not read the old file cannot read the new one either.
  if (Error error = openTemporary(*target, exists ? 0600 : 0666, file))
    return error;
  if (exists)
    (void)::fchmod(file.number, status.st_mode & 07777);
  if (Error error = writeAll(file.number, bytes))
    return error;
  if (::fsync(file.number) || ::rename(file.temporary.c_str(), target->c_str()))
    return failed(errno);
  file.temporary.clear();
  // The new file is in place. That a folder cannot be synchronised (some file
  // systems refuse) makes it less durable, not wrong.
  StringRef folder = sys::path::parent_path(*target);
  Descriptor parent;
  parent.number = openRetrying(folder.empty() ? "." : folder.str().c_str(),
                               O_RDONLY | O_DIRECTORY);
  if (parent.number >= 0)
    (void)::fsync(parent.number);
  return Error::success();
}

Error writeStandardOutput(StringRef bytes) {
  return writeAll(STDOUT_FILENO, bytes);
}

} // namespace graphc
