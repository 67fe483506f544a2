// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/TableData.h"

#include "graphc/abi/model_abi.h"

using namespace llvm;

namespace graphc::cpu {

static Constant *offsetBy(Constant *address, uint64_t bytes) {
  Type *i8 = Type::getInt8Ty(address->getContext());
  Type *i64 = Type::getInt64Ty(address->getContext());
  return bytes == 0 ? address
                    : ConstantExpr::getInBoundsGetElementPtr(
                          i8, address, ConstantInt::get(i64, bytes));
}

void StringPool::add(StringRef text) {
  // What follows a NUL would be lost to a reader of C strings anyway.
  text = text.take_until([](char c) { return c == '\0'; });
  if (offsets.try_emplace(text, data.size()).second)
    data.append(text.data(), text.size()).push_back('\0');
}

void StringPool::finish(Module &module) {
  Constant *bytes = ConstantDataArray::getString(module.getContext(), data,
                                                 /*AddNull=*/false);
  global = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, bytes);
}

Constant *StringPool::get(StringRef text) const {
  text = text.take_until([](char c) { return c == '\0'; });
  return offsetBy(global, offsets.at(text));
}

GlobalVariable *TableData::global(Constant *value) {
  return new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                            GlobalValue::PrivateLinkage, value);
}

Constant *TableData::array(ArrayRef<Constant *> elements) {
  if (elements.empty())
    return null();
  auto *type = ArrayType::get(elements.front()->getType(), elements.size());
  return global(ConstantArray::get(type, elements));
}

Constant *TableData::array(ArrayRef<uint64_t> elements) {
  return elements.empty() ? null()
                          : global(ConstantDataArray::get(context, elements));
}

Constant *TableData::array(ArrayRef<uint8_t> elements) {
  return elements.empty() ? null()
                          : global(ConstantDataArray::get(context, elements));
}

Constant *TableData::alignedBytes(StringRef bytes) {
  if (bytes.empty())
    return null();
  GlobalVariable *variable =
      global(ConstantDataArray::getString(context, bytes, /*AddNull=*/false));
  variable->setAlignment(Align(GRAPHC_ABI_ALIGNMENT));
  return variable;
}

Constant *TableData::element(Constant *array, uint64_t index,
                             uint64_t elementBytes) const {
  return offsetBy(array, index * elementBytes);
}

} // namespace graphc::cpu
