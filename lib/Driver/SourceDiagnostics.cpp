// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/SourceDiagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace graphc {

constexpr size_t kLongestLine = 500;
constexpr size_t kShownAround = 60; // Bytes on either side of the place.

/// The place in the main buffer that `loc` means; null if it is elsewhere.
static const char *placeOf(const llvm::SourceMgr &sources, Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file || sources.getNumBuffers() == 0)
    return nullptr;
  unsigned main = sources.getMainFileID();
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(main);
  if (file.getFilename().getValue() != buffer->getBufferIdentifier())
    return nullptr;
  llvm::SMLoc start =
      const_cast<llvm::SourceMgr &>(sources).FindLocForLineAndColumn(
          main, file.getLine(), 1);
  if (!start.isValid())
    return nullptr;
  size_t left = buffer->getBufferEnd() - start.getPointer();
  size_t column = file.getColumn() ? file.getColumn() - 1 : 0;
  return start.getPointer() + std::min(column, left);
}

/// Short UTF-8 without control characters, those above 0x7f included.
static bool isPlain(llvm::StringRef line) {
  if (line.size() > kLongestLine || !llvm::json::isUTF8(line))
    return false;
  for (size_t k = 0; k < line.size(); ++k) {
    auto c = static_cast<unsigned char>(line[k]);
    auto next =
        static_cast<unsigned char>(k + 1 < line.size() ? line[k + 1] : 0);
    if ((c < 0x20 && c != '\t') || c == 0x7f || (c == 0xc2 && next < 0xa0))
      return false;
  }
  return true;
}

/// What `diag` says, in words for users of our programs where MLIR's are for its
/// own.
static std::string inOurWords(Diagnostic &diag) {
  std::string text = diag.str();
  if (llvm::StringRef(text).starts_with(
          "operation being parsed with an unregistered dialect"))
    return "this op is of a dialect that is not known; "
           "--load-dialect-plugin=<file> loads a library that has it";
  return text;
}

SourceDiagnostics::SourceDiagnostics(llvm::SourceMgr &sources,
                                     MLIRContext *context)
    : SourceMgrDiagnosticHandler(sources, context) {
  setHandler([this](Diagnostic &diag) {
    bool isPlain = showsPlainly(diag.getLocation());
    for (Diagnostic &note : diag.getNotes())
      isPlain &= showsPlainly(note.getLocation());
    std::string text = inOurWords(diag);
    if (isPlain && text == diag.str())
      return emitDiagnostic(diag);
    show(diag.getLocation(), text, diag.getSeverity());
    for (Diagnostic &note : diag.getNotes())
      show(note.getLocation(), note.str(), note.getSeverity());
  });
}

/// The line around `place` in `text`.
static llvm::StringRef lineOf(llvm::StringRef text, const char *place) {
  size_t at = place - text.begin();
  size_t begin = text.take_front(at).rfind('\n') + 1; // npos + 1 is 0
  return text.slice(begin, std::min(text.find('\n', at), text.size()));
}

bool SourceDiagnostics::showsPlainly(Location loc) const {
  const char *place = placeOf(mgr, loc);
  if (!place)
    return true;
  llvm::StringRef text = mgr.getMemoryBuffer(mgr.getMainFileID())->getBuffer();
  return isPlain(lineOf(text, place));
}

void SourceDiagnostics::show(Location loc, const llvm::Twine &message,
                             DiagnosticSeverity severity) {
  if (showsPlainly(loc))
    return emitDiagnostic(loc, message, severity);
  emitDiagnostic(loc, message, severity, /*displaySourceLine=*/false);
  const char *place = placeOf(mgr, loc);
  llvm::StringRef line =
      lineOf(mgr.getMemoryBuffer(mgr.getMainFileID())->getBuffer(), place);
  size_t at = place - line.begin();
  size_t from = at > kShownAround ? at - kShownAround : 0;
  size_t to = std::min(line.size(), at + kShownAround);
  std::string before = from > 0 ? "..." : "", after;
  llvm::raw_string_ostream left(before), right(after);
  llvm::printEscapedString(line.slice(from, at), left);
  llvm::printEscapedString(line.slice(at, to), right);
  os << before << after << (to < line.size() ? "..." : "") << "\n"
     << std::string(before.size(), ' ') << "^\n";
}

} // namespace graphc
