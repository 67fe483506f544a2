// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Package/Package.h"
#include "lib/Package/CheckImage.h"
#include "lib/Package/Linker.h"
#include "lib/Package/Stubs.h"
#include "lib/Package/TempFolder.h"

#include "graphc/abi/trailer.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace graphc {
namespace {

// No path, time or build id goes into the image, and one thread keeps lld from
// starting a pool of its own.
const char *const linkFlags[] = {
    "-shared",
    "--threads=1",
    "--no-undefined",
    "--as-needed",
    "--gc-sections",
    "--build-id=none",
    "--hash-style=gnu",
    "--discard-all",
    "--exclude-libs=ALL",
    "-znow",
    "-zrelro",
    "-znoexecstack",
};

using Bytes = SmallVector<char, 0>;

/// Links `objects` with `arguments` in `folder` and returns the result.
Expected<Bytes> link(const package::TempFolder &folder,
                     ArrayRef<StringRef> objects,
                     std::vector<std::string> arguments, bool useChild) {
  // Objects may be many; names in a file have no limit on their total length.
  std::string names;
  for (auto [index, object] : enumerate(objects)) {
    Expected<std::string> path =
        folder.write("object" + std::to_string(index) + ".o", object);
    if (!path)
      return path.takeError();
    names += '"' + *path + "\"\n";
  }
  Expected<std::string> list = folder.write("objects.list", names);
  if (!list)
    return list.takeError();
  std::string output = folder.path("output");
  arguments.insert(arguments.end(), {"@" + *list, "-o", output});
  if (Error error = package::runLinker(arguments, useChild))
    return std::move(error);
  auto linked = MemoryBuffer::getFile(output, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!linked)
    return createStringError(linked.getError(), "cannot read the linked file");
  return Bytes((*linked)->getBufferStart(), (*linked)->getBufferEnd());
}

} // namespace

Expected<Bytes> packageModel(ArrayRef<StringRef> objects,
                             const PackageOptions &options) {
  auto folder = package::TempFolder::create(options.onTempFolder);
  if (!folder)
    return folder.takeError();
  const package::Machine &machine = package::machineOf(objects);
  auto stubs = package::makeStubs(*folder, machine, options.useChildLinker);
  if (!stubs)
    return stubs.takeError();
  std::vector<std::string> arguments(std::begin(linkFlags),
                                     std::end(linkFlags));
  arguments.insert(arguments.end(),
                   {"-m", machine.emulation, machine.pageFlag});
  arguments.insert(arguments.end(), stubs->begin(), stubs->end());
  Expected<Bytes> image =
      link(*folder, objects, std::move(arguments), options.useChildLinker);
  if (!image)
    return image.takeError();
  if (Error error =
          package::checkImage({image->data(), image->size()}, machine))
    return std::move(error);
  abi::TrailerBytes trailer = abi::makeTrailer(image->data(), image->size());
  image->append(trailer.begin(), trailer.end());
  return image;
}

Expected<Bytes> mergeObjects(ArrayRef<StringRef> objects,
                             const PackageOptions &options) {
  auto folder = package::TempFolder::create(options.onTempFolder);
  if (!folder)
    return folder.takeError();
  const package::Machine &machine = package::machineOf(objects);
  return link(*folder, objects,
              {"-m", machine.emulation, "-r", "--threads=1", "--build-id=none"},
              options.useChildLinker);
}

} // namespace graphc
