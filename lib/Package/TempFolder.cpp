// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Package/TempFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/stat.h>

using namespace llvm;

namespace graphc::package {

Expected<TempFolder>
TempFolder::create(const std::function<void(StringRef)> &onName) {
  SmallString<128> parent;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, parent);
  SmallString<128> model = parent;
  sys::path::append(model, "graphc-%%%%%%%%%%%%");
  // The linker makes temporary names of its own and replaces each % in a path.
  if (parent.str().contains('%'))
    return createStringError(
        std::make_error_code(std::errc::invalid_argument),
        "expects a folder for temporary files (TMPDIR) without '%%' in its "
        "path, but got '%s'",
        parent.c_str());
  // The name is random, so a few tries are as good as any number.
  std::error_code failure;
  for (int attempt = 0; attempt < 16; ++attempt) {
    SmallString<128> name;
    sys::fs::createUniquePath(model, name, /*MakeAbsolute=*/false);
    if (onName)
      onName(name);
    if (::mkdir(name.c_str(), 0700) == 0)
      return TempFolder(std::string(name));
    failure = std::error_code(errno, std::generic_category());
    if (failure != std::errc::file_exists)
      break;
  }
  return createStringError(failure, "cannot make a temporary folder in '%s'",
                           parent.c_str());
}

TempFolder::~TempFolder() {
  if (!root.empty())
    sys::fs::remove_directories(root);
}

std::string TempFolder::path(StringRef name) const {
  return root + "/" + name.str();
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
