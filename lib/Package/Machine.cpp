// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Package/Machine.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace graphc::package {
namespace {

// Of libm, expf and its like lost a wrapper in 2.27, exp and its like in 2.29.
constexpr Machine machines[] = {
    {"x86-64", ELF::EM_X86_64, "elf_x86_64", "-zmax-page-size=4096",
     "GLIBC_2.2.5 { memmove; memset; };\n"
     "GLIBC_2.14 { memcpy; } GLIBC_2.2.5;\n",
     "GLIBC_2.2.5 { cos; cosf; erf; erff; expm1; expm1f; fma; fmaf; log1p;\n"
     "              log1pf; sin; sinf; tanh; tanhf; };\n"
     "GLIBC_2.27 { expf; logf; powf; } GLIBC_2.2.5;\n"
     "GLIBC_2.29 { exp; log; pow; } GLIBC_2.27;\n"},
    {"aarch64", ELF::EM_AARCH64, "aarch64linux", "-zmax-page-size=65536",
     "GLIBC_2.17 { memcpy; memmove; memset; };\n",
     "GLIBC_2.17 { cos; cosf; erf; erff; expm1; expm1f; fma; fmaf; log1p;\n"
     "             log1pf; sin; sinf; tanh; tanhf; };\n"
     "GLIBC_2.27 { expf; logf; powf; } GLIBC_2.17;\n"
     "GLIBC_2.29 { exp; log; pow; } GLIBC_2.27;\n"},
};

} // namespace

const Machine &machineOf(ArrayRef<StringRef> objects) {
  StringRef elf = objects.empty() ? StringRef() : objects.front();
  if (elf.starts_with(ELF::ElfMagic) && elf.size() >= sizeof(ELF::Elf64_Ehdr))
    for (const Machine &machine : machines)
      if (support::endian::read16le(elf.data() +
                                    offsetof(ELF::Elf64_Ehdr, e_machine)) ==
          machine.elfMachine)
        return machine;
  return machines[0];
}

} // namespace graphc::package
