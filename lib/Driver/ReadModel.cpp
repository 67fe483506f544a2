// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/ReadModel.h"
#include "lib/Import/Import.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace graphc {

std::unique_ptr<llvm::MemoryBuffer> readText(StringRef path,
                                             std::string &error) {
  namespace fs = llvm::sys::fs;
  auto fail = [&](const llvm::Twine &why) {
    error = ("cannot read '" + path + "': " + why).str();
    return nullptr;
  };
  llvm::Expected<fs::file_t> file =
      path == "-" ? fs::getStdinHandle() : fs::openNativeFileForRead(path);
  if (!file)
    return fail(llvm::toString(file.takeError()));
  // In pieces: a device or pipe has no size, and /dev/zero no end.
  const auto limit = static_cast<size_t>(ImportLimits().maxTextBytes);
  llvm::SmallVector<char, 0> text;
  std::string why;
  while (text.size() <= limit) {
    size_t before = text.size();
    text.resize_for_overwrite(before + (1 << 16));
    llvm::Expected<size_t> count = fs::readNativeFile(
        *file, llvm::MutableArrayRef<char>(text).drop_front(before));
    text.truncate(before + (count ? *count : 0));
    if (!count)
      why = llvm::toString(count.takeError());
    if (text.size() == before)
      break;
  }
  if (path != "-")
    fs::closeFile(*file);
  if (!why.empty())
    return fail(why);
  if (text.size() > limit)
    return fail("expects a text of at most " + llvm::Twine(limit) + " bytes");
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(text), path == "-" ? "<stdin>" : path);
}

OwningOpRef<ModuleOp> readModel(llvm::SourceMgr &source, MLIRContext &context) {
  return parseModule(source, &context);
}

OwningOpRef<ModuleOp> readCheckedModel(llvm::SourceMgr &source,
                                       MLIRContext &context) {
  OwningOpRef<ModuleOp> module = readModel(source, context);
  if (module && failed(checkModule(*module)))
    return {};
  return module;
}

LogicalResult checkAttributeText(StringRef text, StringRef what,
                                 MLIRContext &context) {
  return checkText(text, what, &context);
}

} // namespace graphc
