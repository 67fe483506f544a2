// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the linker has to know about a kind of machine.

#ifndef GRAPHC_LIB_PACKAGE_MACHINE_H
#define GRAPHC_LIB_PACKAGE_MACHINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace graphc::package {

struct Machine {
  const char *name;
  uint16_t elfMachine;
  /// lld's name of the output format.
  const char *emulation;
  /// The largest that Linux is built with there, and no more: it pads the file.
  const char *pageFlag;
  /// Linker scripts: the oldest version of glibc that has each symbol of libc
  /// and libm as it is today.
  const char *libcVersions, *libmVersions;
};

/// The machine that the first of `objects` is for; x86-64 if it is none that we
/// know, for the linker to complain.
const Machine &machineOf(llvm::ArrayRef<llvm::StringRef> objects);

} // namespace graphc::package

#endif // GRAPHC_LIB_PACKAGE_MACHINE_H
