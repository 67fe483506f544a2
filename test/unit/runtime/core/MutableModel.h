// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model file whose tables can be changed field by field and signed again:
// what a defect of the packager, or a hostile file, would look like to the
// loader.
#ifndef GRAPHC_TEST_UNIT_RUNTIME_CORE_MUTABLEMODEL_H
#define GRAPHC_TEST_UNIT_RUNTIME_CORE_MUTABLEMODEL_H

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "graphc/abi/model_abi.h"
#include "test/unit/runtime/core/ToyModel.h"

class MutableModel {
public:
  /// `name` is a toy model; its unsigned image lies beside it.
  explicit MutableModel(const std::string &name)
      : original(readFile(toyPath(name) + ".image")), image(original) {
    handle = dlopen((toyPath(name) + ".image").c_str(), RTLD_NOW | RTLD_LOCAL);
    link_map *map = nullptr;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
      throw std::runtime_error("the test's own model cannot be loaded");
    base = map->l_addr;
    auto query = reinterpret_cast<graphc_model_query_fn>(
        dlsym(handle, GRAPHC_ABI_QUERY_SYMBOL));
    root = query(GRAPHC_ABI_MAJOR);
    readHeaders();
  }
  ~MutableModel() { dlclose(handle); }
  MutableModel(const MutableModel &) = delete;
  MutableModel &operator=(const MutableModel &) = delete;

  /// Where the tables are; fields in them are named by their addresses.
  const graphc_model_root *root = nullptr;

  /// Changes a field that is no pointer.
  template <class T, class Value> void set(const T &field, Value value) {
    T typed = static_cast<T>(value);
    std::memcpy(&image[fileOffset(address(&field))], &typed, sizeof(typed));
  }
  /// Changes a pointer to `target`, an offset from the library's start.
  template <class T> void setPointer(T *const &field, uint64_t target) {
    std::memcpy(&image[addendOffset(address(&field))], &target, sizeof(target));
  }
  /// The pointer's value as an offset from the library's start.
  template <class T> uint64_t offsetOf(T *pointer) const {
    return address(pointer);
  }

  struct Relocation {
    uint64_t target;       // Address of the pointer, from the library's start.
    uint64_t addendOffset; // In the file.
  };
  const std::vector<Relocation> &relocations() const { return relocationList; }
  std::string &bytes() { return image; }
  uint64_t fileOffset(uint64_t address) const {
    for (const ElfW(Phdr) & header : segments)
      if (address >= header.p_vaddr &&
          address - header.p_vaddr < header.p_filesz)
        return header.p_offset + (address - header.p_vaddr);
    throw std::runtime_error("no such address in the file");
  }
  template <class T> uint64_t address(const T *pointer) const {
    return reinterpret_cast<uintptr_t>(pointer) - base;
  }

  /// Writes the changed model to `path` and takes the changes back.
  void write(const std::string &path) {
    writeFile(path, signImage(image));
    image = original;
  }

private:
  uint64_t addendOffset(uint64_t pointerAddress) const {
    for (const Relocation &relocation : relocationList)
      if (relocation.target == pointerAddress)
        return relocation.addendOffset;
    throw std::runtime_error("no such pointer in the file");
  }

  void readHeaders() {
    ElfW(Ehdr) header;
    std::memcpy(&header, image.data(), sizeof(header));
    const ElfW(Dyn) *dynamic = nullptr;
    for (int i = 0; i < header.e_phnum; ++i) {
      ElfW(Phdr) segment;
      std::memcpy(&segment, &image[header.e_phoff + i * sizeof(segment)],
                  sizeof(segment));
      if (segment.p_type == PT_LOAD)
        segments.push_back(segment);
      else if (segment.p_type == PT_DYNAMIC)
        dynamic = reinterpret_cast<const ElfW(Dyn) *>(base + segment.p_vaddr);
    }
    uint64_t table = 0, size = 0;
    for (; dynamic && dynamic->d_tag != DT_NULL; ++dynamic) {
      if (dynamic->d_tag == DT_RELA)
        table = dynamic->d_un.d_ptr; // Relocated by the linker when loaded.
      else if (dynamic->d_tag == DT_RELASZ)
        size = dynamic->d_un.d_val;
    }
    if (table > base)
      table -= base;
    for (uint64_t at = 0; at < size; at += sizeof(ElfW(Rela))) {
      ElfW(Rela) relocation;
      uint64_t offset = fileOffset(table + at);
      std::memcpy(&relocation, &image[offset], sizeof(relocation));
      relocationList.push_back(
          {relocation.r_offset, offset + offsetof(ElfW(Rela), r_addend)});
    }
  }

  std::string original, image;
  void *handle = nullptr;
  uintptr_t base = 0;
  std::vector<ElfW(Phdr)> segments;
  std::vector<Relocation> relocationList;
};

#endif // GRAPHC_TEST_UNIT_RUNTIME_CORE_MUTABLEMODEL_H
