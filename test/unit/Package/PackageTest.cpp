// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Package/Package.h"

#include "graphc/abi/trailer.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace llvm;
using graphc::packageModel;
using graphc::PackageOptions;

namespace {

using Bytes = SmallVector<char, 0>;

/// An object file for x86-64 from LLVM IR text.
Bytes assemble(StringRef text) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  const char *triple = "x86_64-unknown-linux-gnu";
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  EXPECT_TRUE(target) << error;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, "x86-64", "", TargetOptions(), Reloc::PIC_));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  Bytes object;
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, stream, nullptr,
                                            CodeGenFileType::ObjectFile));
  passes.run(*module);
  return object;
}

StringRef view(const Bytes &bytes) { return {bytes.data(), bytes.size()}; }

// Answers with a table, as a model does; the address in it needs a relocation.
constexpr const char *query = R"(
  @number = internal constant i32 42
  @table = internal constant {i32, ptr} {i32 7, ptr @number}
  define ptr @graphc_model_query(i32 %major) {
    ret ptr @table
  }
)";

std::string messageOf(Expected<Bytes> result) {
  EXPECT_FALSE(static_cast<bool>(result));
  return result ? "" : toString(result.takeError());
}

/// Loads `library` from a file that is gone afterwards, and asks it.
const void *load(const Bytes &library) {
  int file;
  SmallString<128> path;
  if (sys::fs::createTemporaryFile("package", "so", file, path))
    return nullptr;
  raw_fd_ostream(file, /*shouldClose=*/true) << view(library);
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_TRUE(handle) << dlerror();
  sys::fs::remove(path);
  if (!handle)
    return nullptr;
  void *symbol = dlsym(handle, GRAPHC_ABI_QUERY_SYMBOL);
  EXPECT_TRUE(symbol);
  return symbol ? reinterpret_cast<const void *(*)(unsigned)>(symbol)(1)
                : nullptr;
}

struct Table {
  int32_t first;
  const int32_t *second;
};

TEST(Package, LibraryLoadsAndAnswers) {
  Bytes object = assemble(query);
  Expected<Bytes> library = packageModel({view(object)});
  ASSERT_TRUE(static_cast<bool>(library)) << toString(library.takeError());
  const auto *table = static_cast<const Table *>(load(*library));
  ASSERT_TRUE(table);
  EXPECT_EQ(table->first, 7);
  EXPECT_EQ(*table->second, 42);
}

TEST(Package, TrailerMatchesImage) {
  Bytes object = assemble(query);
  Expected<Bytes> library = packageModel({view(object)});
  ASSERT_TRUE(static_cast<bool>(library)) << toString(library.takeError());
  size_t imageBytes = library->size() - GRAPHC_ABI_TRAILER_BYTES;
  auto trailer = graphc::abi::makeTrailer(library->data(), imageBytes);
  EXPECT_EQ(
      StringRef(reinterpret_cast<const char *>(trailer.data()), trailer.size()),
      view(*library).drop_front(imageBytes));
}

TEST(Package, SymbolsAcrossObjectsAndOfLibraries) {
  // One object calls into another, libc (through an intrinsic) and libm.
  Bytes first = assemble(R"(
    declare hidden float @kernel(float)
    @value = internal constant float 2.0
    define ptr @graphc_model_query(i32 %major) {
      %x = load volatile float, ptr @value
      %y = call float @kernel(float %x)
      %address = fptoui float %y to i64
      %p = inttoptr i64 %address to ptr
      ret ptr %p
    }
  )");
  Bytes second = assemble(R"(
    declare float @llvm.fma.f32(float, float, float)
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    define hidden float @kernel(float %x) {
      %from = alloca [400 x float]
      %to = alloca [400 x float]
      store float %x, ptr %from
      call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 1600, i1 true)
      %y = load float, ptr %to
      %z = call float @llvm.fma.f32(float %y, float %y, float 38.0)
      ret float %z
    }
  )");
  Expected<Bytes> library = packageModel({view(first), view(second)});
  ASSERT_TRUE(static_cast<bool>(library)) << toString(library.takeError());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(load(*library)), 42u);
}

TEST(Package, SameObjectsGiveSameBytes) {
  Bytes object = assemble(query);
  Expected<Bytes> first = packageModel({view(object)});
  Expected<Bytes> second = packageModel({view(object)});
  ASSERT_TRUE(static_cast<bool>(first)) << toString(first.takeError());
  ASSERT_TRUE(static_cast<bool>(second)) << toString(second.takeError());
  EXPECT_EQ(view(*first), view(*second));
}

TEST(Package, ChildLinkerGivesSameBytes) {
  Bytes object = assemble(query);
  Expected<Bytes> here = packageModel({view(object)});
  PackageOptions options;
  options.useChildLinker = true;
  Expected<Bytes> there = packageModel({view(object)}, options);
  ASSERT_TRUE(static_cast<bool>(here)) << toString(here.takeError());
  ASSERT_TRUE(static_cast<bool>(there)) << toString(there.takeError());
  EXPECT_EQ(view(*here), view(*there));
}

TEST(Package, TemporaryFolderIsAnnouncedAndGone) {
  Bytes object = assemble(query);
  std::string folder;
  PackageOptions options;
  options.onTempFolder = [&](StringRef path) {
    folder = path.str();
    EXPECT_FALSE(sys::fs::exists(path));
  };
  Expected<Bytes> library = packageModel({view(object)}, options);
  ASSERT_TRUE(static_cast<bool>(library)) << toString(library.takeError());
  EXPECT_FALSE(folder.empty());
  EXPECT_FALSE(sys::fs::exists(folder));
}

TEST(Package, MergedObjectLinksLikeItsParts) {
  Bytes first = assemble(query);
  Bytes second = assemble("define hidden void @unused() { ret void }");
  Expected<Bytes> merged = graphc::mergeObjects({view(first), view(second)});
  ASSERT_TRUE(static_cast<bool>(merged)) << toString(merged.takeError());
  Expected<Bytes> library = packageModel({view(*merged)});
  ASSERT_TRUE(static_cast<bool>(library)) << toString(library.takeError());
  const auto *table = static_cast<const Table *>(load(*library));
  ASSERT_TRUE(table);
  EXPECT_EQ(*table->second, 42);
}

TEST(Package, UnknownSymbolIsAnError) {
  Bytes object = assemble(R"(
    declare void @__truncsfbf2()
    define ptr @graphc_model_query(i32 %major) {
      call void @__truncsfbf2()
      ret ptr null
    }
  )");
  EXPECT_NE(messageOf(packageModel({view(object)})).find("__truncsfbf2"),
            std::string::npos);
}

TEST(Package, LinkingWorksAfterAnError) {
  Bytes object = assemble(query);
  StringRef garbage("no object file");
  EXPECT_NE(messageOf(packageModel({garbage})), "");
  Expected<Bytes> library = packageModel({view(object)});
  EXPECT_TRUE(static_cast<bool>(library)) << toString(library.takeError());
}

TEST(Package, WritableGlobalIsAnError) {
  Bytes object = assemble(R"(
    @counter = internal global i32 1
    define ptr @graphc_model_query(i32 %major) {
      ret ptr @counter
    }
  )");
  EXPECT_NE(messageOf(packageModel({view(object)})).find("'.data'"),
            std::string::npos);
}

TEST(Package, InitialiserIsAnError) {
  Bytes object = assemble(R"(
    @llvm.global_ctors = appending global [1 x {i32, ptr, ptr}]
        [{i32, ptr, ptr} {i32 1, ptr @start, ptr null}]
    define internal void @start() {
      ret void
    }
    define ptr @graphc_model_query(i32 %major) {
      ret ptr null
    }
  )");
  EXPECT_NE(messageOf(packageModel({view(object)})).find("start-up section"),
            std::string::npos);
}

TEST(Package, SecondExportIsAnError) {
  Bytes object = assemble(R"(
    define void @other() {
      ret void
    }
    define ptr @graphc_model_query(i32 %major) {
      ret ptr null
    }
  )");
  EXPECT_NE(messageOf(packageModel({view(object)})).find("exports 'other'"),
            std::string::npos);
}

TEST(Package, MissingQueryIsAnError) {
  Bytes object = assemble(R"(
    define hidden void @other() {
      ret void
    }
  )");
  EXPECT_NE(messageOf(packageModel({view(object)})).find("does not export"),
            std::string::npos);
}

} // namespace
