// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private folder that goes when its owner does.

#ifndef GRAPHC_LIB_PACKAGE_TEMPFOLDER_H
#define GRAPHC_LIB_PACKAGE_TEMPFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>

namespace graphc::package {

class TempFolder {
public:
  /// Makes a folder that only this user can enter, under $TMPDIR or /tmp.
  /// `onName`, if set, learns the name before the folder exists.
  static llvm::Expected<TempFolder>
  create(const std::function<void(llvm::StringRef)> &onName);

  TempFolder(TempFolder &&other);
  TempFolder &operator=(TempFolder &&) = delete;
  ~TempFolder();

  /// Full path of a file in the folder: one that the linker takes as it is,
  /// whatever $TMPDIR is called.
  std::string path(llvm::StringRef name) const;

  /// Writes a file and returns its full path.
  llvm::Expected<std::string> write(llvm::StringRef name,
                                    llvm::StringRef bytes) const;

private:
  TempFolder(std::string root, std::string access, int descriptor)
      : root(std::move(root)), access(std::move(access)),
        descriptor(descriptor) {}
  std::string root;   // "" if another owns it now
  std::string access; // the same folder under a plain name
  int descriptor;     // that `access` goes through, or -1
};

} // namespace graphc::package

#endif // GRAPHC_LIB_PACKAGE_TEMPFOLDER_H
