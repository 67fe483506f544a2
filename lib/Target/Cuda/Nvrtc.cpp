// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Nvrtc.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

#include <cstdlib>
#include <dlfcn.h>

namespace graphc::cuda {

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// Names and paths under which the library may be found, best first.
static std::vector<std::string> candidates() {
  const std::string names[] = {"libnvrtc.so.13", "libnvrtc.so.12",
                               "libnvrtc.so"};
  std::vector<std::string> all(std::begin(names), std::end(names));
  std::vector<std::string> roots;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable); root && *root)
      roots.push_back(root);
  roots.push_back("/usr/local/cuda");
  for (const std::string &root : roots)
    for (const std::string &name : names)
      all.push_back(root + "/lib64/" + name);
  return all;
}

llvm::Expected<Nvrtc> Nvrtc::load() {
  void *library = nullptr;
  std::vector<std::string> names = candidates();
  for (const std::string &name : names)
    if (!library)
      library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail("expects NVRTC, CUDA's runtime compiler, but found none of " +
                llvm::join(names, ", ") + "; set CUDA_HOME");
  Nvrtc nvrtc;
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, name));
    return function != nullptr;
  };
  Api &api = nvrtc.api;
  if (!find(api.version, "nvrtcVersion") ||
      !find(api.errorString, "nvrtcGetErrorString") ||
      !find(api.createProgram, "nvrtcCreateProgram") ||
      !find(api.destroyProgram, "nvrtcDestroyProgram") ||
      !find(api.compileProgram, "nvrtcCompileProgram") ||
      !find(api.getLogSize, "nvrtcGetProgramLogSize") ||
      !find(api.getLog, "nvrtcGetProgramLog") ||
      !find(api.getCubinSize, "nvrtcGetCUBINSize") ||
      !find(api.getCubin, "nvrtcGetCUBIN") ||
      !find(api.getPtxSize, "nvrtcGetPTXSize") ||
      !find(api.getPtx, "nvrtcGetPTX"))
    return fail("expects NVRTC of CUDA 12 or later, but the library has not "
                "all its functions");
  return nvrtc;
}

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  api.version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

/// ptxas says, for each function, "Compiling entry function 'f' for 'sm_90'",
/// then of its stack and, on another line, of its registers.
static std::vector<Resources> readLog(llvm::StringRef log) {
  static llvm::Regex entry("Compiling entry function '([^']+)'"),
      stack("([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, ([0-9]+) "
            "bytes spill loads"),
      registers("Used ([0-9]+) registers"), shared("([0-9]+) bytes smem");
  std::vector<Resources> all;
  llvm::SmallVector<llvm::StringRef> lines, match;
  log.split(lines, '\n');
  auto number = [&](size_t k) {
    int64_t value = 0;
    match[k].getAsInteger(10, value);
    return value;
  };
  for (llvm::StringRef line : lines) {
    if (entry.match(line, &match)) {
      all.emplace_back();
      all.back().kernel = match[1].str();
    }
    if (all.empty())
      continue;
    if (stack.match(line, &match)) {
      all.back().stackBytes = number(1);
      all.back().spillBytes = number(2) + number(3);
    }
    if (registers.match(line, &match))
      all.back().registers = number(1);
    if (shared.match(line, &match))
      all.back().sharedBytes = number(1);
  }
  return all;
}

llvm::Expected<Compiled> Nvrtc::compile(llvm::StringRef text,
                                        llvm::StringRef name,
                                        llvm::StringRef arch) const {
  std::string source = text.str(), file = name.str(),
              prelude = preludeText().str();
  const char *header = prelude.c_str(), *headerName = "gc_prelude.cuh";
  void *program = nullptr;
  int status = api.createProgram(&program, source.c_str(), file.c_str(), 1,
                                 &header, &headerName);
  if (status)
    return fail(api.errorString(status));
  std::string target = "--gpu-architecture=" + arch.str();
  const char *options[] = {
      target.c_str(), "--std=c++17",     "--fmad=false",
      "--ftz=false",  "--prec-div=true", "--prec-sqrt=true",
      "--minimal",    "-no-cache",       "-Xptxas=-v"};
  status = api.compileProgram(program, std::size(options), options);
  auto read = [&](auto size, auto get) {
    size_t bytes = 0;
    llvm::SmallVector<char, 0> result;
    if (size(program, &bytes) || bytes == 0)
      return result;
    result.resize(bytes);
    if (get(program, result.data()))
      result.clear();
    return result;
  };
  auto toText = [](const llvm::SmallVector<char, 0> &bytes) {
    return std::string(bytes.data(), bytes.empty() ? 0 : bytes.size() - 1);
  };
  std::string log = toText(read(api.getLogSize, api.getLog));
  Compiled compiled;
  if (!status) {
    compiled.cubin = read(api.getCubinSize, api.getCubin);
    compiled.ptx = toText(read(api.getPtxSize, api.getPtx));
    compiled.kernels = readLog(log);
  }
  api.destroyProgram(&program);
  if (status)
    return fail(api.errorString(status) + llvm::Twine(": ") + log);
  if (compiled.cubin.empty())
    return fail("expects NVRTC to give a cubin for " + arch + ", but got none");
  return compiled;
}

} // namespace graphc::cuda
