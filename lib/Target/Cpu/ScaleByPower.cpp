// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exponential ends in x * 2^half * 2^(n - half), half = n / 2, where x and
// the first product are normal numbers: six instructions where there are no
// wider exponents. vscalef has them, and rounds x * 2^n as the last product does.

#include "lib/Target/Cpu/ScaleByPower.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace graphc::cpu {
namespace {

constexpr int64_t kVectorBits = 512;

struct Scaling {
  Value *x;
  Value *shifted; // n in the low bits of a float
};

/// Matches 2^`exponent`, the exponent with its bias.
template <typename Pattern> auto power(const Pattern &exponent, uint64_t bits) {
  return m_BitCast(m_Shl(exponent, m_SpecificInt(bits)));
}

/// What `product` scales, if it is the last of both.
std::optional<Scaling> match(Instruction &product) {
  auto *type = dyn_cast<FixedVectorType>(product.getType());
  if (!type || !(type->getElementType()->isFloatTy() ||
                 type->getElementType()->isDoubleTy()))
    return std::nullopt;
  uint64_t fraction = type->getElementType()->isFloatTy() ? 23 : 52;
  Value *x, *first, *n, *half, *again, *of;
  if (!PatternMatch::match(
          &product,
          m_FMul(m_Value(first),
                 power(m_Sub(m_Value(n), m_Value(half)), fraction))) ||
      !PatternMatch::match(
          first, m_FMul(m_Value(x), power(m_Value(again), fraction))) ||
      again != half ||
      !PatternMatch::match(half, m_LShr(m_Specific(n), m_SpecificInt(1))) ||
      !PatternMatch::match(n, m_BitCast(m_Value(of))) || of->getType() != type)
    return std::nullopt;
  return Scaling{x, of};
}

/// n as a float, which ExpandMath has needed already: the sum whose low bits are
/// n and both biases, less what was added.
Value *findNumber(Value *shifted) {
  bool isFloat = shifted->getType()->getScalarType()->isFloatTy();
  double added = isFloat ? 0x1.8p23 + 2 * 127 : 0x1.8p52 + 2 * 1023;
  for (User *user : shifted->users())
    if (PatternMatch::match(user,
                            m_FSub(m_Specific(shifted), m_SpecificFP(added))))
      return user;
  return nullptr;
}

Value *scale(IRBuilder<> &builder, Value *x, Value *n) {
  auto *type = cast<FixedVectorType>(x->getType());
  bool isFloat = type->getElementType()->isFloatTy();
  unsigned lanes = type->getNumElements();
  unsigned most = kVectorBits / type->getScalarSizeInBits();
  if (lanes > most) {
    auto half = [&](Value *of, unsigned first) {
      SmallVector<int> mask;
      for (unsigned k = 0; k < lanes / 2; ++k)
        mask.push_back(static_cast<int>(first + k));
      return builder.CreateShuffleVector(of, mask);
    };
    Value *low = scale(builder, half(x, 0), half(n, 0));
    Value *high = scale(builder, half(x, lanes / 2), half(n, lanes / 2));
    SmallVector<int> all;
    for (unsigned k = 0; k < lanes; ++k)
      all.push_back(static_cast<int>(k));
    return builder.CreateShuffleVector(low, high, all);
  }
  Intrinsic::ID id = isFloat ? Intrinsic::x86_avx512_mask_scalef_ps_512
                             : Intrinsic::x86_avx512_mask_scalef_pd_512;
  Value *everywhere = ConstantInt::getAllOnesValue(builder.getIntNTy(lanes));
  // 4: rounds as all else does.
  return builder.CreateIntrinsic(
      id, {},
      {x, n, Constant::getNullValue(type), everywhere, builder.getInt32(4)});
}

/// Whole registers, and halves of which are whole.
bool hasInstruction(Type *type) {
  auto *vector = cast<FixedVectorType>(type);
  unsigned most = kVectorBits / vector->getScalarSizeInBits();
  return vector->getNumElements() >= most &&
         isPowerOf2_32(vector->getNumElements());
}

} // namespace

void scaleByPowers(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    std::optional<Scaling> scaling = match(instruction);
    if (!scaling || !hasInstruction(instruction.getType()))
      continue;
    Value *n = findNumber(scaling->shifted);
    if (!n)
      continue;
    IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(scale(builder, scaling->x, n));
  }
}

} // namespace graphc::cpu
