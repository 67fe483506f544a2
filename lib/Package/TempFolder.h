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

  TempFolder(TempFolder &&other) : root(std::move(other.root)) {
    other.root.clear();
  }
  TempFolder &operator=(TempFolder &&) = delete;
  ~TempFolder();

  /// Full path of a file in the folder.
  std::string path(llvm::StringRef name) const;

  /// Writes a file and returns its full path.
  llvm::Expected<std::string> write(llvm::StringRef name,
                                    llvm::StringRef bytes) const;

private:
  explicit TempFolder(std::string root) : root(std::move(root)) {}
  std::string root;
};

} // namespace graphc::package

#endif // GRAPHC_LIB_PACKAGE_TEMPFOLDER_H
