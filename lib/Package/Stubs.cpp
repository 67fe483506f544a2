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
  const char *Machine::*versions;
};

// memcpy, memmove and memset come from LLVM's memory intrinsics, fma and fmaf
// from x86-64-v2, which has no such instruction, the others from --strict-math.
constexpr Stub stubs[] = {
    {"libc.so.6", "memcpy = 0; memmove = 0; memset = 0;\n",
     &Machine::libcVersions},
    {"libm.so.6",
     "cos = 0; cosf = 0; erf = 0; erff = 0; exp = 0; expf = 0; expm1 = 0;\n"
     "expm1f = 0; fma = 0; fmaf = 0; log = 0; log1p = 0; log1pf = 0;\n"
     "logf = 0; pow = 0; powf = 0; sin = 0; sinf = 0; tanh = 0; tanhf = 0;\n",
     &Machine::libmVersions},
};

} // namespace

Expected<std::vector<std::string>>
makeStubs(const TempFolder &folder, const Machine &machine, bool useChild) {
  std::vector<std::string> paths;
  for (const Stub &stub : stubs) {
    std::string name = stub.soname;
    Expected<std::string> script = folder.write(name + ".script", stub.symbols);
    if (!script)
      return script.takeError();
    Expected<std::string> versions =
        folder.write(name + ".versions", machine.*stub.versions);
    if (!versions)
      return versions.takeError();
    std::string library = folder.path(name);
    if (Error error =
            runLinker({"-m", machine.emulation, "-shared", "--threads=1",
                       "--soname=" + name, "--version-script=" + *versions,
                       *script, "-o", library},
                      useChild))
      return std::move(error);
    paths.push_back(library);
  }
  return paths;
}

} // namespace graphc::package
