// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <vector>

#include "graphc/runtime.h"
#include "runtime/core/CheckTables.h"
#include "runtime/core/DType.h"
#include "runtime/core/TableReader.h"

namespace graphc::runtime {
namespace {

/// The rules of one plan. Entries are visited in order, with the stack of loops
/// around them. A loop left open needs no rule: its end would have been met.
class PlanChecker {
public:
  PlanChecker(const TableReader &reader, const graphc_abi_variant &variant,
              const graphc_abi_function &function, const graphc_abi_plan &plan)
      : reader(reader), variant(variant), function(function), plan(plan) {}

  void run() {
    reader.array(plan.entries, plan.entry_count, "plan entries");
    uint64_t bufferCount = 0;
    for (at = 0; at < plan.entry_count; ++at) {
      checkEntry(plan.entries[at]);
      bufferCount += plan.entries[at].buffer_count;
    }
    if (writesState && !function.writes_state)
      bad("state is written by a function that says it writes none");
    reader.array(plan.buffer_dtypes, bufferCount, "buffer dtypes");
  }

private:
  [[noreturn]] void bad(const char *rule) const {
    corrupt("entry %u of @%s: %s", at, function.name, rule);
  }

  void require(bool holds, const char *rule) const {
    if (!holds)
      bad(rule);
  }

  uint64_t spaceBytes(const graphc_abi_ref &ref) const {
    switch (ref.space) {
    case GRAPHC_ABI_SPACE_ARENA:
      return plan.arena_bytes;
    case GRAPHC_ABI_SPACE_STATE:
      return variant.state_bytes;
    case GRAPHC_ABI_SPACE_CONSTANT:
      return variant.constant_bytes;
    case GRAPHC_ABI_SPACE_INPUT:
      require(ref.index < function.input_count, "no such input");
      return bytesOf(function.inputs[ref.index].type);
    case GRAPHC_ABI_SPACE_OUTPUT:
      require(ref.index < function.output_count, "no such output");
      return bytesOf(function.outputs[ref.index].type);
    default:
      bad("unknown space");
    }
  }

  void checkRef(const graphc_abi_ref &ref) const {
    // 128 bits: no product or sum of these fields can overflow.
    __int128 first = ref.offset, last = ref.offset;
    if (loops.empty()) {
      require(ref.iteration_stride_bytes == 0, "stride outside a loop");
    } else {
      int64_t count = plan.entries[loops.back()].count;
      __int128 travel =
          __int128{ref.iteration_stride_bytes} * (count > 0 ? count - 1 : 0);
      (travel < 0 ? first : last) += travel;
    }
    require(first >= 0 && last + ref.bytes <= spaceBytes(ref),
            "buffer reaches outside its space");
  }

  void checkWritten(const graphc_abi_ref &ref) {
    require(ref.space != GRAPHC_ABI_SPACE_CONSTANT &&
                ref.space != GRAPHC_ABI_SPACE_INPUT,
            "an input or a constant is written");
    if (ref.space == GRAPHC_ABI_SPACE_STATE) {
      require(sawCommit, "state is written before the commit");
      writesState = true;
    }
  }

  void checkBuffers(const graphc_abi_entry &entry) {
    reader.array(entry.buffers, entry.buffer_count, "buffers");
    require(entry.written_count <= entry.buffer_count,
            "more buffers are written than there are");
    for (uint32_t i = 0; i < entry.buffer_count; ++i) {
      checkRef(entry.buffers[i]);
      if (i >= entry.buffer_count - entry.written_count)
        checkWritten(entry.buffers[i]);
    }
  }

  void checkLoopBegin(const graphc_abi_entry &entry) {
    require(entry.buffer_count <= 1 &&
                entry.written_count == entry.buffer_count,
            "a loop has at most one buffer, which is written");
    if (entry.buffer_count == 1) {
      const graphc_abi_ref &slot = entry.buffers[0];
      require(slot.bytes == 8 && slot.offset % 8 == 0 &&
                  slot.iteration_stride_bytes % 8 == 0 &&
                  slot.space == GRAPHC_ABI_SPACE_ARENA,
              "a loop's slot is 8 aligned bytes of the arena");
    }
    require(entry.count >= 0, "negative iteration count");
    require(entry.partner > at && entry.partner < plan.entry_count &&
                plan.entries[entry.partner].kind == GRAPHC_ABI_LOOP_END,
            "loop has no end");
    loops.push_back(at);
  }

  void checkLoopEnd(const graphc_abi_entry &entry) {
    require(!loops.empty() && entry.partner == loops.back() &&
                plan.entries[loops.back()].partner == at,
            "loops do not nest");
    loops.pop_back();
  }

  void checkLaunch(const graphc_abi_entry &entry) {
    require(entry.kernel < variant.kernel_count, "no such kernel");
    require(!(sawCommit && (entry.flags & GRAPHC_ABI_ENTRY_MAY_FAIL)),
            "an entry after the commit may fail");
    if (entry.partner == 0)
      return;
    require(entry.count >= 0 && entry.count < variant.kernel_count,
            "no such bundle");
    require(entry.partner > at && entry.partner <= plan.entry_count,
            "a bundle has no end");
    for (uint32_t i = at; i < entry.partner; ++i) {
      const graphc_abi_entry &part = plan.entries[i];
      require(part.kind == GRAPHC_ABI_LAUNCH || part.kind == GRAPHC_ABI_COPY ||
                  part.kind == GRAPHC_ABI_MEMSET ||
                  part.kind == GRAPHC_ABI_COMMIT,
              "a loop starts or ends inside a bundle");
      require(!(part.flags &
                (GRAPHC_ABI_ENTRY_MAY_FAIL | GRAPHC_ABI_ENTRY_PARALLEL)),
              "an entry of a bundle may fail or is parallel");
    }
  }

  static bool overlap(const graphc_abi_ref &a, const graphc_abi_ref &b) {
    return a.space == b.space && a.index == b.index &&
           a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
  }

  void checkEntry(const graphc_abi_entry &entry) {
    reader.string(entry.op_name, "op name");
    reader.string(entry.location, "location");
    checkBuffers(entry);
    reader.array(entry.args, entry.arg_count, "arguments");
    switch (entry.kind) {
    case GRAPHC_ABI_LAUNCH:
      checkLaunch(entry);
      break;
    case GRAPHC_ABI_COPY:
      require(entry.buffer_count == 2 && entry.written_count == 1,
              "a copy has one buffer to read and one to write");
      require(entry.buffers[0].bytes == entry.buffers[1].bytes,
              "a copy's buffers differ in size");
      require(!overlap(entry.buffers[0], entry.buffers[1]),
              "a copy's buffers overlap");
      break;
    case GRAPHC_ABI_MEMSET:
      require(entry.buffer_count == 1 && entry.written_count == 1,
              "a memset has one buffer, which is written");
      require(entry.arg_count == 1, "a memset has one argument");
      break;
    case GRAPHC_ABI_LOOP_BEGIN:
      checkLoopBegin(entry);
      break;
    case GRAPHC_ABI_LOOP_END:
      require(entry.buffer_count == 0, "a loop's end has no buffer");
      checkLoopEnd(entry);
      break;
    case GRAPHC_ABI_COMMIT:
      require(entry.buffer_count == 0, "a commit has no buffer");
      require(loops.empty(), "commit inside a loop");
      require(!sawCommit, "more than one commit");
      sawCommit = true;
      break;
    default:
      bad("unknown kind");
    }
  }

  const TableReader &reader;
  const graphc_abi_variant &variant;
  const graphc_abi_function &function;
  const graphc_abi_plan &plan;
  uint32_t at = 0;
  std::vector<uint32_t> loops;
  bool sawCommit = false;
  bool writesState = false;
};

void checkLayouts(const TableReader &reader, const graphc_model_root &root,
                  const graphc_abi_variant &variant) {
  reader.array(variant.layouts, root.variable_count, "layouts");
  struct Range {
    uint64_t begin, end;
    uint32_t variable;
  };
  std::vector<Range> ranges;
  ranges.reserve(root.variable_count);
  for (uint32_t i = 0; i < root.variable_count; ++i) {
    const graphc_abi_variable &variable = root.variables[i];
    const graphc_abi_layout &layout = variant.layouts[i];
    if (layout.bytes > variant.state_bytes ||
        layout.offset > variant.state_bytes - layout.bytes)
      corrupt("variable '%s' lies outside the state", variable.name);
    size_t elementBytes =
        graphc_dtype_bytes(static_cast<graphc_dtype>(variable.type.dtype));
    if (layout.offset % elementBytes != 0)
      corrupt("variable '%s' is not aligned", variable.name);
    if (layout.pack_kernel > variant.kernel_count ||
        layout.unpack_kernel > variant.kernel_count)
      corrupt("variable '%s' has no such pack kernel", variable.name);
    if (!layout.pack_kernel != !layout.unpack_kernel)
      corrupt("variable '%s' expects both of pack and unpack, or none",
              variable.name);
    if (!layout.pack_kernel && layout.bytes != bytesOf(variable.type))
      corrupt("variable '%s' expects %llu bytes of state, but got %llu",
              variable.name,
              static_cast<unsigned long long>(bytesOf(variable.type)),
              static_cast<unsigned long long>(layout.bytes));
    if (layout.bytes != 0)
      ranges.push_back({layout.offset, layout.offset + layout.bytes, i});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].begin < ranges[i - 1].end)
      corrupt("variables '%s' and '%s' overlap",
              root.variables[ranges[i - 1].variable].name,
              root.variables[ranges[i].variable].name);
}

} // namespace

void checkVariant(const Library &library, const graphc_model_root &root,
                  const graphc_abi_variant &variant) {
  TableReader reader(library);
  reader.array(variant.kernels, variant.kernel_count, "kernels");
  for (uint32_t i = 0; i < variant.kernel_count; ++i) {
    const graphc_abi_kernel &kernel = variant.kernels[i];
    reader.string(kernel.name, "kernel name");
    if (!library.hasCode(reinterpret_cast<const void *>(kernel.function)))
      corrupt("kernel '%s' is no code inside the file", kernel.name);
  }
  reader.bytes(variant.constants, variant.constant_bytes, "constants");
  if (variant.constant_bytes != 0 &&
      reinterpret_cast<uintptr_t>(variant.constants) % GRAPHC_ABI_ALIGNMENT)
    corrupt("the constants are not aligned to %u bytes", GRAPHC_ABI_ALIGNMENT);
  checkLayouts(reader, root, variant);
  reader.array(variant.plans, root.function_count, "plans");
  for (uint32_t i = 0; i < root.function_count; ++i)
    PlanChecker(reader, variant, root.functions[i], variant.plans[i]).run();
}

} // namespace graphc::runtime
