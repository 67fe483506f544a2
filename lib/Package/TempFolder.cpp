// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Package/TempFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace graphc::package {

/// The linker makes temporary names of its own, in which each % is replaced, and
/// reads a list of files, in which quotes and backslashes have a meaning.
static bool isPlain(StringRef path) {
  return all_of(path, [](char c) {
    return isAlnum(c) || StringRef("/._-+").contains(c);
  });
}

Expected<TempFolder>
TempFolder::create(const std::function<void(StringRef)> &onName) {
  SmallString<128> parent;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, parent);
  std::error_code failure;
  // The name is random, so a few tries are as good as any number.
  for (int attempt = 0; attempt < 16; ++attempt) {
    // Made alone, for % in a path stays what it is.
    SmallString<32> random;
    sys::fs::createUniquePath("graphc-%%%%%%%%%%%%", random,
                              /*MakeAbsolute=*/false);
    SmallString<128> name = parent;
    sys::path::append(name, random);
    if (onName)
      onName(name);
    if (::mkdir(name.c_str(), 0700) == 0) {
      TempFolder folder(std::string(name), std::string(name), -1);
      if (isPlain(name))
        return std::move(folder);
      folder.descriptor =
          ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      // With our number, so that a child can use it too.
      folder.access = "/proc/" + std::to_string(::getpid()) + "/fd/" +
                      std::to_string(folder.descriptor);
      if (folder.descriptor >= 0 && sys::fs::is_directory(folder.access))
        return std::move(folder);
      return createStringError(
          std::make_error_code(std::errc::invalid_argument),
          "expects a folder for temporary files (TMPDIR) of letters, digits, "
          "'/', '.', '_', '-' and '+' where there is no /proc, but got '%s'",
          parent.c_str());
    }
    failure = std::error_code(errno, std::generic_category());
    if (failure != std::errc::file_exists)
      break;
  }
  return createStringError(failure, "cannot make a temporary folder in '%s'",
                           parent.c_str());
}

TempFolder::TempFolder(TempFolder &&other)
    : root(std::move(other.root)), access(std::move(other.access)),
      descriptor(other.descriptor) {
  other.root.clear();
  other.descriptor = -1;
}

TempFolder::~TempFolder() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!root.empty())
    sys::fs::remove_directories(root);
}

std::string TempFolder::path(StringRef name) const {
  return access + "/" + name.str();
}

Expected<std::string> TempFolder::write(StringRef name, StringRef bytes) const {
  std::string file = path(name);
  std::error_code failure;
  raw_fd_ostream stream(file, failure);
  if (!failure) {
    stream << bytes;
    stream.close();
    failure = stream.error();
    stream.clear_error();
  }
  if (failure)
    return createStringError(failure, "cannot write '%s'", file.c_str());
  return file;
}

} // namespace graphc::package
