// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must hold before MLIR's parser, which recurses without a limit, sees a
// text.
#include "lib/Import/Import.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace graphc {
namespace {

constexpr size_t kMaxNumberLength = 2000; // The longest f64 takes 1,100.
constexpr uint32_t kMaxAlignment = 4096;

/// Goes through a text byte by byte and knows where it is.
class TextCheck {
public:
  TextCheck(StringRef text, StringRef name, MLIRContext *context,
            const ImportLimits &limits)
      : text(text), name(name), context(context), limits(limits) {}

  LogicalResult run();

private:
  InFlightDiagnostic error(size_t at) {
    StringRef before = text.take_front(at);
    size_t line = before.count('\n') + 1;
    size_t column = at - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
    return emitError(FileLineColLoc::get(context, name, line, column));
  }
  LogicalResult checkEncoding();
  LogicalResult checkNesting();
  FailureOr<size_t> skipString(size_t at);
  FailureOr<size_t> skipNumber(size_t at);
  bool startsAffine(size_t at) const;

  StringRef text, name;
  MLIRContext *context;
  const ImportLimits &limits;
  /// Past the start of the section of resources, which ends the text.
  bool inResources = false;
};

LogicalResult TextCheck::checkEncoding() {
  if (text.starts_with("ML\xefR"))
    return error(0) << "expects MLIR text, but got MLIR bytecode";
  auto begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  auto end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  const llvm::UTF8 *at = begin;
  if (!llvm::isLegalUTF8String(&at, end))
    return error(at - begin) << "expects UTF-8 text, but got the byte 0x"
                             << llvm::utohexstr(*at, /*LowerCase=*/true);
  if (size_t zero = text.find('\0'); zero != StringRef::npos)
    return error(zero) << "expects text without zero bytes";
  return success();
}

/// The place of the quote that ends the string literal at `at`. Strings that
/// start with 0x may be the data of resources: their first four bytes are the
/// alignment, which MLIR takes as it comes.
FailureOr<size_t> TextCheck::skipString(size_t at) {
  size_t begin = at;
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  StringRef inside = text.slice(begin + 1, at);
  if (!inResources || !inside.consume_front("0x"))
    return at;
  std::string bytes;
  if (inside.size() < 8 || !llvm::tryGetFromHex(inside.take_front(8), bytes)) {
    error(begin)
        << "expects the data of a resource to start with its alignment "
           "in four bytes";
    return failure();
  }
  uint32_t alignment = llvm::support::endian::read32le(bytes.data());
  if (!llvm::isPowerOf2_32(alignment) || alignment > kMaxAlignment) {
    error(begin) << "expects the alignment of a resource to be a power of 2 up "
                    "to "
                 << kMaxAlignment << ", but got " << alignment;
    return failure();
  }
  return at;
}

/// The place of the last character of the number or dimension list at `at`.
/// MLIR takes time quadratic in its length.
FailureOr<size_t> TextCheck::skipNumber(size_t at) {
  size_t begin = at;
  while (at + 1 < text.size() && (llvm::isAlnum(text[at + 1]) ||
                                  StringRef("._?").contains(text[at + 1])))
    ++at;
  if (at - begin < kMaxNumberLength)
    return at;
  error(begin) << "expects numbers and dimension lists of at most "
               << kMaxNumberLength << " characters";
  return failure();
}

/// Affine expressions nest without brackets, and no op takes one.
bool TextCheck::startsAffine(size_t at) const {
  StringRef rest = text.substr(at);
  auto isWord = [](char c) {
    return llvm::isAlnum(c) || StringRef("_.$@%#!").contains(c);
  };
  return (rest.starts_with("affine_map") || rest.starts_with("affine_set")) &&
         rest.drop_front(10).ltrim().starts_with("<") &&
         (at == 0 || !isWord(text[at - 1]));
}

LogicalResult TextCheck::checkNesting() {
  // The open brackets. One that closes another kind closes nothing, so that a
  // text does not get deeper than it looks.
  std::string open;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    char previous = at == 0 ? ' ' : text[at - 1];
    if (c == '"') {
      FailureOr<size_t> end = skipString(at);
      if (failed(end))
        return failure();
      at = *end;
    } else if (llvm::isDigit(c)) {
      FailureOr<size_t> end = skipNumber(at);
      if (failed(end))
        return failure();
      at = *end;
    } else if (c == '/' && previous == '/') {
      at = std::min(text.find('\n', at), text.size());
    } else if (StringRef("([{<").contains(c)) {
      inResources |= text.substr(at).starts_with("{-#");
      open.push_back(c);
      if (static_cast<int64_t>(open.size()) > limits.maxTextNesting)
        return error(at) << "expects brackets at most " << limits.maxTextNesting
                         << " deep";
    } else if (size_t kind = StringRef(")]}>").find(c);
               kind != StringRef::npos && !(c == '>' && previous == '-')) {
      if (!open.empty() && open.back() == "([{<"[kind])
        open.pop_back();
    } else if (c == 'a' && startsAffine(at)) {
      return error(at) << "expects no affine maps or sets";
    }
  }
  return success();
}

LogicalResult TextCheck::run() {
  if (static_cast<int64_t>(text.size()) > limits.maxTextBytes)
    return error(0) << "expects a text of at most " << limits.maxTextBytes
                    << " bytes, but got " << text.size();
  return failure(failed(checkEncoding()) || failed(checkNesting()));
}

} // namespace

LogicalResult checkText(StringRef text, StringRef name, MLIRContext *context,
                        const ImportLimits &limits) {
  return TextCheck(text, name, context, limits).run();
}

OwningOpRef<ModuleOp> parseModule(llvm::SourceMgr &source, MLIRContext *context,
                                  const ImportLimits &limits) {
  const llvm::MemoryBuffer *buffer =
      source.getMemoryBuffer(source.getMainFileID());
  if (failed(checkText(buffer->getBuffer(), buffer->getBufferIdentifier(),
                       context, limits)))
    return {};
  // MLIR's verifier is not made for hostile modules either: checkModule() runs
  // it after its own checks.
  ParserConfig config(context, /*verifyAfterParse=*/false);
  return parseSourceFile<ModuleOp>(source, config);
}

} // namespace graphc
