// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of machine that code is generated for: instruction set, operating
// system and C library.

#ifndef GRAPHC_LIB_TARGET_CPU_MACHINE_H
#define GRAPHC_LIB_TARGET_CPU_MACHINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace graphc::cpu {

struct Machine {
  /// As users write it: "aarch64-linux-gnu".
  const char *triple;
  /// LLVM's name of the instruction set: "aarch64".
  const char *architecture;
  /// As LLVM writes it.
  const char *dataLayout;
  /// The level that code is generated for if none is asked for.
  const char *defaultLevel;
  /// Intrinsic that makes non-temporal stores visible to other threads; null
  /// where they are ordered as other stores are.
  const char *storeFence;
};

extern const Machine x86Machine, armMachine;

/// The machine that `triple` is of: x86-64 or aarch64, Linux, glibc. The vendor
/// does not matter, and what is left out is Linux with glibc.
llvm::Expected<const Machine *> parseMachine(llvm::StringRef triple);

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_MACHINE_H
