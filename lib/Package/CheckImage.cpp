// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Package/CheckImage.h"

#include "graphc/abi/model_abi.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Object/ELF.h"

using namespace llvm;
using File = object::ELFFile<object::ELF64LE>;

namespace graphc::package {
namespace {

Error wrong(const Twine &what) {
  return createStringError(inconvertibleErrorCode(), "linked model " + what);
}

/// The loader makes these read-only once it has applied the relocations.
bool becomesReadOnly(StringRef section) {
  return StringSwitch<bool>(section)
      .Cases(".data.rel.ro", ".dynamic", ".got", ".got.plt", true)
      .Case(".relro_padding", true)
      .Default(false);
}

Error checkSections(const File &file) {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    if (!(section.sh_flags & ELF::SHF_WRITE) || section.sh_size == 0)
      continue;
    Expected<StringRef> name = file.getSectionName(section);
    if (!name)
      return name.takeError();
    if (!becomesReadOnly(*name))
      return wrong("has a writable or start-up section '" + *name + "'");
  }
  return Error::success();
}

Error checkExports(const File &file) {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  bool exportsQuery = false;
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_DYNSYM)
      continue;
    auto symbols = file.symbols(&section);
    auto names = file.getStringTableForSymtab(section);
    if (!symbols)
      return symbols.takeError();
    if (!names)
      return names.takeError();
    for (const auto &symbol : *symbols) {
      if (!symbol.isDefined())
        continue;
      Expected<StringRef> name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      if (*name != GRAPHC_ABI_QUERY_SYMBOL)
        return wrong("exports '" + *name + "'");
      exportsQuery = true;
    }
  }
  if (!exportsQuery)
    return wrong("does not export '" GRAPHC_ABI_QUERY_SYMBOL "'");
  return Error::success();
}

Error checkNeeded(const File &file) {
  auto entries = file.dynamicEntries();
  if (!entries)
    return entries.takeError();
  uint64_t stringsAt = 0;
  for (const auto &entry : *entries)
    if (entry.d_tag == ELF::DT_STRTAB)
      stringsAt = entry.d_un.d_ptr;
  Expected<const uint8_t *> strings = file.toMappedAddr(stringsAt);
  if (!strings)
    return strings.takeError();
  for (const auto &entry : *entries) {
    if (entry.d_tag != ELF::DT_NEEDED)
      continue;
    StringRef library(reinterpret_cast<const char *>(*strings) +
                      entry.d_un.d_val);
    if (library != "libc.so.6" && library != "libm.so.6")
      return wrong("needs '" + library + "'");
  }
  return Error::success();
}

Error checkStack(const File &file) {
  auto headers = file.program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers)
    if (header.p_type == ELF::PT_GNU_STACK && !(header.p_flags & ELF::PF_X))
      return Error::success();
  return wrong("asks for an executable stack");
}

} // namespace

Error checkImage(StringRef image, const Machine &machine) {
  Expected<File> file = File::create(image);
  if (!file)
    return file.takeError();
  const auto &header = file->getHeader();
  if (header.e_type != ELF::ET_DYN || header.e_machine != machine.elfMachine)
    return wrong(Twine("is no shared object for ") + machine.name);
  for (auto check : {checkSections, checkExports, checkNeeded, checkStack})
    if (Error error = check(*file))
      return error;
  return Error::success();
}

} // namespace graphc::package
