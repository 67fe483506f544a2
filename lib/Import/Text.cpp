// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must hold before MLIR's parser, which recurses without a limit, sees a
// text.
#include "lib/Import/Import.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;

namespace graphc {
namespace {

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
  size_t skipString(size_t at);
  bool startsAffine(size_t at) const;

  StringRef text, name;
  MLIRContext *context;
  const ImportLimits &limits;
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

/// The place after the string literal that starts at `at`.
size_t TextCheck::skipString(size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return at;
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
      at = skipString(at);
    } else if (c == '/' && previous == '/') {
      at = std::min(text.find('\n', at), text.size());
    } else if (StringRef("([{<").contains(c)) {
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
