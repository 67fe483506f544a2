// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Machine.h"

#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace graphc::cpu {

const Machine x86Machine = {
    "x86_64-linux-gnu", "x86_64",
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-"
    "n8:16:32:64-S128",
    "x86-64-v3", "llvm.x86.sse.sfence"};

const Machine armMachine = {
    "aarch64-linux-gnu", "aarch64",
    "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32", "generic",
    /*storeFence=*/nullptr};

static bool isLeftOut(StringRef part) {
  return part.empty() || part == "unknown";
}

Expected<const Machine *> parseMachine(StringRef text) {
  Triple triple(Triple::normalize(text));
  auto wrong = [&](const Twine &why) {
    return createStringError(inconvertibleErrorCode(),
                             "expects " + Twine(x86Machine.triple) + " or " +
                                 armMachine.triple + ", but got '" + text +
                                 "': " + why);
  };
  if (triple.getArch() == Triple::UnknownArch)
    return wrong("no instruction set is called so");
  const Machine *machine = triple.getArch() == Triple::x86_64    ? &x86Machine
                           : triple.getArch() == Triple::aarch64 ? &armMachine
                                                                 : nullptr;
  if (!machine)
    return wrong("graphc generates no code for " +
                 Triple::getArchTypeName(triple.getArch()));
  // What is left out is as good as right, but a word that nobody knows is not.
  bool isLinux = triple.isOSLinux() || isLeftOut(triple.getOSName());
  bool isGlibc = triple.getEnvironment() == Triple::GNU ||
                 isLeftOut(triple.getEnvironmentName());
  bool hasVendor = triple.getVendor() != Triple::UnknownVendor ||
                   isLeftOut(triple.getVendorName());
  if (!isLinux || !isGlibc || !hasVendor || !triple.isOSBinFormatELF())
    return wrong("compiled models run on Linux with glibc");
  return machine;
}

} // namespace graphc::cpu
