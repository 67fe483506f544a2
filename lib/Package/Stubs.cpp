// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Package/Stubs.h"
#include "lib/Package/Linker.h"

using namespace llvm;

namespace graphc::package {
namespace {

struct Stub {
  const char *soname;
  /// A linker script that is the library's whole content.
  const char *symbols;
  /// Oldest version of glibc for x86-64 that has each symbol as it is today.
  const char *versions;
};

// memcpy, memmove and memset come from LLVM's memory intrinsics, the others
// from x86-64-v2, which has no fused multiply-add.
constexpr Stub stubs[] = {
    {"libc.so.6", "memcpy = 0; memmove = 0; memset = 0;\n",
     "GLIBC_2.2.5 { memmove; memset; };\n"
     "GLIBC_2.14 { memcpy; } GLIBC_2.2.5;\n"},
    {"libm.so.6", "fma = 0; fmaf = 0;\n", "GLIBC_2.2.5 { fma; fmaf; };\n"},
};

} // namespace

Expected<std::vector<std::string>> makeStubs(const TempFolder &folder,
                                             bool useChild) {
  std::vector<std::string> paths;
  for (const Stub &stub : stubs) {
    std::string name = stub.soname;
    Expected<std::string> script = folder.write(name + ".script", stub.symbols);
    if (!script)
      return script.takeError();
    Expected<std::string> versions =
        folder.write(name + ".versions", stub.versions);
    if (!versions)
      return versions.takeError();
    std::string library = folder.path(name);
    if (Error error = runLinker(
            {"-m", "elf_x86_64", "-shared", "--threads=1", "--soname=" + name,
             "--version-script=" + *versions, *script, "-o", library},
            useChild))
      return std::move(error);
    paths.push_back(library);
  }
  return paths;
}

} // namespace graphc::package
