// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables that contradict themselves, in files whose hash is right.
#include "test/unit/runtime/core/MutableModel.h"

#include <functional>

namespace {

// Numbers of the toy model's functions and of entries in their plans.
enum { step = 0, loop = 2, divide = 5, scale = 6 };
enum { stepCopy = 3, stepCommit = 4, stepUpdate = 5 };
enum { loopMemset = 0, outerBegin = 1, innerBegin = 4, innerEnd = 6 };

struct Rule {
  const char *message; // Part of it.
  std::function<void(MutableModel &)> breakIt;
};

const graphc_abi_variant &variant(MutableModel &model) {
  return model.root->variants[0];
}
const graphc_abi_entry &entry(MutableModel &model, int function, int number) {
  return variant(model).plans[function].entries[number];
}

const Rule rules[] = {
    // The root and what hangs on it.
    {"root expects at least",
     [](MutableModel &m) { m.set(m.root->struct_bytes, 8); }},
    {"variables lie outside the file",
     [](MutableModel &m) { m.set(m.root->variable_count, 1 << 20); }},
    {"functions lie outside the file",
     [](MutableModel &m) { m.set(m.root->function_count, 0xffffffffu); }},
    {"variants lie outside the file",
     [](MutableModel &m) { m.set(m.root->variant_count, 0x10000000u); }},
    {"variables lie outside the file",
     [](MutableModel &m) { m.setPointer(m.root->variables, 1u << 30); }},
    {"functions are not aligned",
     [](MutableModel &m) {
       m.setPointer(m.root->functions, m.offsetOf(m.root->functions) + 1);
     }},
    {"module name is no string",
     [](MutableModel &m) { m.setPointer(m.root->module_name, 1u << 30); }},
    // Variables.
    {"unknown element type 77",
     [](MutableModel &m) { m.set(m.root->variables[0].type.dtype, 77); }},
    {"a rank of at most 16, but got 17",
     [](MutableModel &m) { m.set(m.root->variables[0].type.rank, 17); }},
    {"impossible type",
     [](MutableModel &m) { m.set(m.root->variables[0].type.dims[0], -4); }},
    {"impossible type",
     [](MutableModel &m) {
       m.set(m.root->variables[0].type.dims[0], int64_t{1} << 62);
     }},
    {"unknown initializer 9",
     [](MutableModel &m) { m.set(m.root->variables[0].init.kind, 9); }},
    {"a float type for a random initial value",
     [](MutableModel &m) {
       m.set(m.root->variables[6].init.kind, GRAPHC_ABI_INIT_NORMAL);
     }},
    {"has no row 9 to set to 0",
     [](MutableModel &m) {
       m.set(m.root->variables[0].init.kind, GRAPHC_ABI_INIT_NORMAL);
       m.set(m.root->variables[0].init.a_int, 10);
     }},
    {"expects 12 bytes of data, but got 13",
     [](MutableModel &m) { m.set(m.root->variables[6].init.data_bytes, 13); }},
    {"initial data lie outside the file",
     [](MutableModel &m) {
       m.setPointer(m.root->variables[6].init.data, 1u << 30);
     }},
    {"expects i64 for a seed",
     [](MutableModel &m) {
       m.set(m.root->variables[0].init.kind, GRAPHC_ABI_INIT_SEED);
     }},
    // Functions.
    {"unknown kind 3",
     [](MutableModel &m) { m.set(m.root->functions[step].kind, 3); }},
    {"input lie outside the file",
     [](MutableModel &m) {
       m.set(m.root->functions[step].input_count, 1 << 24);
     }},
    // The variant.
    {"kernels lie outside the file",
     [](MutableModel &m) { m.set(variant(m).kernel_count, 1 << 24); }},
    {"kernel 'lookup' is no code",
     [](MutableModel &m) {
       // Data, which is readable but cannot run.
       auto &pointer =
           reinterpret_cast<void *const &>(variant(m).kernels[0].function);
       m.setPointer(pointer, m.offsetOf(m.root));
     }},
    {"constants lie outside the file",
     [](MutableModel &m) { m.set(variant(m).constant_bytes, 1 << 30); }},
    {"constants are not aligned",
     [](MutableModel &m) {
       m.setPointer(variant(m).constants, m.offsetOf(variant(m).constants) + 4);
     }},
    {"variable 'w' lies outside the state",
     [](MutableModel &m) { m.set(variant(m).layouts[0].offset, 576); }},
    {"variable 'w' lies outside the state",
     [](MutableModel &m) { m.set(variant(m).layouts[0].offset, ~0ull); }},
    {"variable 'w' is not aligned",
     [](MutableModel &m) { m.set(variant(m).layouts[0].offset, 2); }},
    {"variables 'w' and 'b' overlap",
     [](MutableModel &m) { m.set(variant(m).layouts[1].offset, 44); }},
    {"expects 48 bytes of state, but got 44",
     [](MutableModel &m) { m.set(variant(m).layouts[0].bytes, 44); }},
    {"has no such pack kernel",
     [](MutableModel &m) { m.set(variant(m).layouts[2].pack_kernel, 14); }},
    {"both of pack and unpack",
     [](MutableModel &m) { m.set(variant(m).layouts[2].unpack_kernel, 0); }},
    // Plans.
    {"plan entries lie outside the file",
     [](MutableModel &m) { m.set(variant(m).plans[0].entry_count, 1 << 24); }},
    {"entry 0 of @step: no such kernel",
     [](MutableModel &m) { m.set(entry(m, step, 0).kernel, 13); }},
    {"entry 0 of @step: unknown kind",
     [](MutableModel &m) { m.set(entry(m, step, 0).kind, 6); }},
    {"entry 0 of @step: more buffers are written than there are",
     [](MutableModel &m) { m.set(entry(m, step, 0).written_count, 4); }},
    {"entry 0 of @step: an input or a constant is written",
     [](MutableModel &m) { m.set(entry(m, step, 0).written_count, 3); }},
    {"entry 0 of @step: state is written before the commit",
     [](MutableModel &m) { m.set(entry(m, step, 0).written_count, 2); }},
    {"entry 0 of @step: unknown space",
     [](MutableModel &m) { m.set(entry(m, step, 0).buffers[0].space, 5); }},
    {"entry 0 of @step: no such input",
     [](MutableModel &m) { m.set(entry(m, step, 0).buffers[0].index, 2); }},
    {"entry 1 of @step: no such output",
     [](MutableModel &m) { m.set(entry(m, step, 1).buffers[3].index, 2); }},
    {"entry 0 of @step: buffer reaches outside its space",
     [](MutableModel &m) { m.set(entry(m, step, 0).buffers[0].bytes, 17); }},
    {"entry 0 of @step: buffer reaches outside its space",
     [](MutableModel &m) { m.set(entry(m, step, 0).buffers[2].offset, 112); }},
    {"entry 0 of @step: buffer reaches outside its space",
     [](MutableModel &m) {
       m.set(entry(m, step, 0).buffers[2].offset, ~0ull);
     }},
    {"entry 1 of @step: buffer reaches outside its space",
     [](MutableModel &m) { m.set(entry(m, step, 1).buffers[1].offset, 560); }},
    {"entry 0 of @copy: buffer reaches outside its space",
     [](MutableModel &m) { m.set(entry(m, 7, 0).buffers[0].offset, 12); }},
    {"entry 0 of @step: stride outside a loop",
     [](MutableModel &m) {
       m.set(entry(m, step, 0).buffers[2].iteration_stride_bytes, 4);
     }},
    {"arguments lie outside the file",
     [](MutableModel &m) { m.set(entry(m, step, 0).arg_count, 1 << 24); }},
    {"op name is no string",
     [](MutableModel &m) { m.setPointer(entry(m, step, 0).op_name, ~0ull); }},
    {"location is no string",
     [](MutableModel &m) {
       m.setPointer(entry(m, step, 0).location, 1u << 30);
     }},
    {"entry 3 of @step: a copy's buffers differ in size",
     [](MutableModel &m) {
       m.set(entry(m, step, stepCopy).buffers[0].bytes, 3);
     }},
    {"entry 3 of @step: a copy has one buffer to read",
     [](MutableModel &m) { m.set(entry(m, step, stepCopy).written_count, 0); }},
    {"entry 2 of @loop: a copy's buffers overlap",
     [](MutableModel &m) {
       const graphc_abi_ref *buffers = entry(m, loop, 2).buffers;
       m.set(buffers[0].space, GRAPHC_ABI_SPACE_ARENA);
       m.set(buffers[0].offset, 20);
       m.set(buffers[0].iteration_stride_bytes, 0);
     }},
    {"entry 0 of @loop: a memset has one argument",
     [](MutableModel &m) { m.set(entry(m, loop, loopMemset).arg_count, 0); }},
    {"entry 0 of @loop: a memset has one buffer",
     [](MutableModel &m) {
       m.set(entry(m, loop, loopMemset).written_count, 0);
     }},
    {"entry 5 of @step: more than one commit",
     [](MutableModel &m) {
       m.set(entry(m, step, stepUpdate).kind, GRAPHC_ABI_COMMIT);
       m.set(entry(m, step, stepUpdate).buffer_count, 0);
       m.set(entry(m, step, stepUpdate).written_count, 0);
     }},
    {"entry 5 of @step: a commit has no buffer",
     [](MutableModel &m) {
       m.set(entry(m, step, stepUpdate).kind, GRAPHC_ABI_COMMIT);
     }},
    {"entry 5 of @step: an entry after the commit may fail",
     [](MutableModel &m) {
       m.set(entry(m, step, stepUpdate).flags, GRAPHC_ABI_ENTRY_MAY_FAIL);
     }},
    {"by a function that says it writes none",
     [](MutableModel &m) { m.set(m.root->functions[step].writes_state, 0); }},
    // Bundles.
    {"entry 1 of @step: no such bundle",
     [](MutableModel &m) {
       m.set(entry(m, step, 1).partner, 3);
       m.set(entry(m, step, 1).count, 13);
     }},
    {"entry 1 of @step: no such bundle",
     [](MutableModel &m) {
       m.set(entry(m, step, 1).partner, 3);
       m.set(entry(m, step, 1).count, -1);
     }},
    {"entry 1 of @step: a bundle has no end",
     [](MutableModel &m) { m.set(entry(m, step, 1).partner, 1); }},
    {"entry 1 of @step: a bundle has no end",
     [](MutableModel &m) { m.set(entry(m, step, 1).partner, 8); }},
    {"entry 0 of @step: an entry of a bundle may fail or is parallel",
     [](MutableModel &m) { m.set(entry(m, step, 0).partner, 2); }},
    {"entry 5 of @loop: a loop starts or ends inside a bundle",
     [](MutableModel &m) { m.set(entry(m, loop, 5).partner, 7); }},
    // Loops.
    {"entry 1 of @loop: loop has no end",
     [](MutableModel &m) { m.set(entry(m, loop, outerBegin).partner, 7); }},
    {"entry 1 of @loop: loop has no end",
     [](MutableModel &m) {
       m.set(entry(m, loop, outerBegin).partner, 1u << 31);
     }},
    {"entry 6 of @loop: loops do not nest",
     [](MutableModel &m) {
       m.set(entry(m, loop, outerBegin).partner, 6);
       m.set(entry(m, loop, innerEnd).partner, 1);
     }},
    {"negative iteration count",
     [](MutableModel &m) { m.set(entry(m, loop, outerBegin).count, -1); }},
    {"entry 2 of @loop: buffer reaches outside its space",
     [](MutableModel &m) { m.set(entry(m, loop, outerBegin).count, 4); }},
    {"entry 5 of @loop: buffer reaches outside its space",
     [](MutableModel &m) { m.set(entry(m, loop, innerBegin).count, 7); }},
    {"buffer reaches outside its space",
     [](MutableModel &m) {
       m.set(entry(m, loop, 2).buffers[0].iteration_stride_bytes, INT64_MIN);
     }},
    {"a loop's slot is 8 aligned bytes of the arena",
     [](MutableModel &m) {
       m.set(entry(m, loop, outerBegin).buffers[0].offset, 4);
     }},
    {"a loop has at most one buffer",
     [](MutableModel &m) {
       m.set(entry(m, loop, outerBegin).written_count, 0);
     }},
};

TEST(Tables, EachRuleIsChecked) {
  TemporaryFolder folder;
  std::string path = folder.file("m.so");
  MutableModel model("toy");
  model.write(path);
  ASSERT_EQ(loadStatus(path), GRAPHC_OK) << message();
  for (const Rule &rule : rules) {
    rule.breakIt(model);
    model.write(path);
    EXPECT_EQ(loadStatus(path), GRAPHC_CORRUPT) << rule.message;
    EXPECT_NE(message().find(rule.message), std::string::npos)
        << "expects: " << rule.message << "\ngot: " << message();
  }
}

// Bits flipped anywhere in the tables, with a hash that fits: an error or a
// model that loads, never a crash. Code is left alone, and so is which code
// packs a variable: it would run.
TEST(Tables, FlippedBitsNeverCrash) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "a pack kernel given a wrong size reads beyond its buffer";
#endif
#endif
  TemporaryFolder folder;
  std::string path = folder.file("m.so");
  MutableModel model("toy");
  const graphc_abi_variant &toy = variant(model);
  int refused = 0, loaded = 0;
  auto tryFlip = [&](uint64_t fileOffset, int bit) {
    model.bytes()[fileOffset] =
        static_cast<char>(model.bytes()[fileOffset] ^ (1 << bit));
    model.write(path);
    graphc_load_options options = loadOptions();
    options.max_arena_bytes = 1 << 20;
    ++(loadStatus(path, options) == GRAPHC_OK ? loaded : refused);
  };
  // Plain fields.
  auto flipStruct = [&](const auto *structs, size_t count) {
    uint64_t begin = model.address(structs);
    for (uint64_t at = begin; at < begin + count * sizeof(*structs); ++at)
      tryFlip(model.fileOffset(at), static_cast<int>(at % 8));
  };
  flipStruct(model.root, 1);
  flipStruct(model.root->functions, 2);
  flipStruct(model.root->functions[0].inputs, 2);
  flipStruct(toy.plans, 8);
  flipStruct(toy.plans[0].entries, 7);
  flipStruct(toy.plans[2].entries, 12);
  flipStruct(toy.plans[0].entries[0].buffers, 3);
  flipStruct(toy.plans[2].entries[5].buffers, 4);
  flipStruct(&toy.max_threads, 2);
  // Pointers: their values are in the relocations.
  uint64_t kernels = model.address(toy.kernels);
  uint64_t kernelsEnd = kernels + toy.kernel_count * sizeof(toy.kernels[0]);
  for (const MutableModel::Relocation &relocation : model.relocations()) {
    if (relocation.target >= kernels && relocation.target < kernelsEnd)
      continue;
    for (int bit : {0, 4, 12, 14, 31, 47, 63})
      tryFlip(relocation.addendOffset + static_cast<uint64_t>(bit) / 8,
              bit % 8);
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(loaded, 100);
}

} // namespace
