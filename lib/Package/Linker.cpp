// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Package/Linker.h"
#include "lib/Package/TempFolder.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace graphc::package {
namespace {

/// lld keeps its state in globals.
std::mutex linkerMutex;
/// False once lld was left in the middle of a link.
bool canLinkInProcess = true;

Error failed(StringRef messages) {
  messages = messages.trim();
  return createStringError(inconvertibleErrorCode(), "linking failed%s%s",
                           messages.empty() ? "" : ": ",
                           messages.str().c_str());
}

Error linkInProcess(ArrayRef<const char *> command) {
  std::string messages;
  raw_string_ostream stream(messages);
  // lldMain never exits early; a fatal error comes back here.
  lld::Result result =
      lld::lldMain(command, stream, stream, {{lld::Gnu, &lld::elf::link}});
  canLinkInProcess = result.canRunAgain;
  if (result.retCode == 0)
    return Error::success();
  return failed(messages);
}

Error linkInChild(ArrayRef<const char *> command) {
  ErrorOr<std::string> program = sys::findProgramByName("ld.lld-19");
  if (!program)
    program = sys::findProgramByName("ld.lld");
  if (!program)
    return createStringError(program.getError(),
                             "expects ld.lld on the path, but found none");
  Expected<TempFolder> folder = TempFolder::create({});
  if (!folder)
    return folder.takeError();
  std::string log = folder->path("messages");
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::string failure;
  int status = sys::ExecuteAndWait(
      *program, arguments, std::nullopt, {StringRef(""), log, log},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &failure);
  if (status == 0)
    return Error::success();
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(log))
    failure += (*text)->getBuffer();
  return failed(failure);
}

} // namespace

Error runLinker(ArrayRef<std::string> arguments, bool useChild) {
  SmallVector<const char *> command = {"ld.lld"};
  for (const std::string &argument : arguments)
    command.push_back(argument.c_str());
  std::lock_guard<std::mutex> lock(linkerMutex);
  return useChild || !canLinkInProcess ? linkInChild(command)
                                       : linkInProcess(command);
}

} // namespace graphc::package
