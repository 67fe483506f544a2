// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Program.h"

#include <algorithm>
#include <utility>

namespace graphc::runtime {

Program::Program(const graphc_abi_variant &variant,
                 const graphc_abi_function &function,
                 const graphc_abi_plan &plan, const Spaces &spaces)
    : inputs(function.input_count), outputs(function.output_count) {
  size_t slotCount = 0;
  for (uint32_t i = 0; i < plan.entry_count; ++i)
    slotCount += plan.entries[i].buffer_count;
  slots.resize(slotCount); // Once: ops point into it.
  ops.reserve(plan.entry_count);

  std::vector<uint32_t> openLoops;
  std::vector<uint32_t> loopOfSlot(slotCount, UINT32_MAX);
  uint32_t slot = 0;
  for (uint32_t i = 0; i < plan.entry_count; ++i) {
    const graphc_abi_entry &entry = plan.entries[i];
    Op op = {};
    op.kind = entry.kind;
    op.buffers = slots.data() + slot;
    op.args = entry.args;
    op.partner = entry.partner;
    if (entry.kind == GRAPHC_ABI_LAUNCH) {
      op.function = op.bundle = variant.kernels[entry.kernel].function;
      op.bundleEnd = i + 1;
      if (entry.partner != 0) {
        op.bundle = variant.kernels[entry.count].function;
        op.bundleEnd = entry.partner;
      }
      isParallel |= (entry.flags & GRAPHC_ABI_ENTRY_PARALLEL) != 0;
    } else if (entry.buffer_count != 0) {
      op.bytes = entry.buffers[0].bytes;
    }
    uint32_t around = openLoops.empty() ? UINT32_MAX : openLoops.back();
    for (uint32_t b = 0; b < entry.buffer_count; ++b)
      loopOfSlot[slot + b] = around;
    if (entry.kind == GRAPHC_ABI_LOOP_BEGIN) {
      op.loop = static_cast<uint32_t>(loops.size());
      openLoops.push_back(op.loop);
      Loop loop = {};
      loop.count = entry.count;
      if (entry.buffer_count == 1)
        loop.slot = op.buffers;
      loops.push_back(loop);
    } else if (entry.kind == GRAPHC_ABI_LOOP_END) {
      op.loop = openLoops.back();
      openLoops.pop_back();
    }
    slot += entry.buffer_count;
    ops.push_back(op);
  }

  // Buffers that move, sorted by the loop they move with.
  slot = 0;
  std::vector<uint32_t> movingSlots;
  std::vector<const graphc_abi_ref *> refs(slotCount);
  for (uint32_t i = 0; i < plan.entry_count; ++i)
    for (uint32_t b = 0; b < plan.entries[i].buffer_count; ++b, ++slot) {
      refs[slot] = &plan.entries[i].buffers[b];
      if (refs[slot]->iteration_stride_bytes != 0)
        movingSlots.push_back(slot);
    }
  std::sort(movingSlots.begin(), movingSlots.end(),
            [&](uint32_t a, uint32_t b) {
              return std::make_pair(loopOfSlot[a], a) <
                     std::make_pair(loopOfSlot[b], b);
            });
  std::vector<uint32_t> movingOfSlot(slotCount, 0);
  for (uint32_t moving : movingSlots) {
    Loop &loop = loops[loopOfSlot[moving]];
    if (loop.movingCount++ == 0)
      loop.firstMoving = static_cast<uint32_t>(movings.size());
    movings.push_back({moving, refs[moving]->iteration_stride_bytes, nullptr});
    movingOfSlot[moving] = static_cast<uint32_t>(movings.size());
  }

  for (slot = 0; slot < slotCount; ++slot) {
    const graphc_abi_ref &ref = *refs[slot];
    Use use = {slot, movingOfSlot[slot], ref.offset};
    switch (ref.space) {
    case GRAPHC_ABI_SPACE_ARENA:
      bindUse(use, spaces.arena);
      break;
    case GRAPHC_ABI_SPACE_STATE:
      bindUse(use, spaces.state);
      break;
    case GRAPHC_ABI_SPACE_CONSTANT:
      // Checked before: no entry writes it.
      bindUse(use, const_cast<std::byte *>(spaces.constants));
      break;
    case GRAPHC_ABI_SPACE_INPUT:
      inputs[ref.index].push_back(use);
      break;
    case GRAPHC_ABI_SPACE_OUTPUT:
      outputs[ref.index].push_back(use);
      break;
    }
  }
}

void Program::bindUse(const Use &use, void *data) {
  std::byte *base =
      data ? static_cast<std::byte *>(data) + use.offset : nullptr;
  slots[use.slot] = base;
  if (use.moving != 0)
    movings[use.moving - 1].base = base;
}

} // namespace graphc::runtime
