// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant data in an LLVM module: structs, arrays and strings without names.

#ifndef GRAPHC_LIB_TARGET_CPU_TABLEDATA_H
#define GRAPHC_LIB_TARGET_CPU_TABLEDATA_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <string>

namespace graphc::cpu {

/// Strings of one global, each once. All are added before any is used.
class StringPool {
public:
  void add(llvm::StringRef text);
  void finish(llvm::Module &module);
  llvm::Constant *get(llvm::StringRef text) const;

private:
  llvm::StringMap<uint64_t> offsets;
  std::string data;
  llvm::GlobalVariable *global = nullptr;
};

/// Makes constants; arrays become internal globals that nothing can name.
class TableData {
public:
  explicit TableData(llvm::Module &module)
      : module(module), context(module.getContext()) {}

  llvm::Constant *i16(uint64_t value) const { return integer(16, value); }
  llvm::Constant *i32(uint64_t value) const { return integer(32, value); }
  llvm::Constant *i64(uint64_t value) const { return integer(64, value); }
  llvm::Constant *f64(double value) const {
    return llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), value);
  }
  llvm::Constant *null() const {
    return llvm::ConstantPointerNull::get(
        llvm::PointerType::getUnqual(context));
  }
  llvm::Constant *structOf(llvm::ArrayRef<llvm::Constant *> fields) const {
    return llvm::ConstantStruct::getAnon(context, fields);
  }

  /// The address of an array; null if it is empty.
  llvm::Constant *array(llvm::ArrayRef<llvm::Constant *> elements);
  llvm::Constant *array(llvm::ArrayRef<uint64_t> elements);
  llvm::Constant *array(llvm::ArrayRef<uint8_t> elements);
  /// The same for bytes that are read as whole tensors.
  llvm::Constant *alignedBytes(llvm::StringRef bytes);

  /// Element `index` of an array of structs of `elementBytes`.
  llvm::Constant *element(llvm::Constant *array, uint64_t index,
                          uint64_t elementBytes) const;

  llvm::GlobalVariable *global(llvm::Constant *value);

  StringPool strings;

private:
  llvm::Constant *integer(unsigned bits, uint64_t value) const {
    return llvm::ConstantInt::get(llvm::IntegerType::get(context, bits), value);
  }

  llvm::Module &module;
  llvm::LLVMContext &context;
};

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_TABLEDATA_H
