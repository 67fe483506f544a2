// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function's plan with every buffer resolved to a pointer.
#ifndef GRAPHC_RUNTIME_CORE_PROGRAM_H
#define GRAPHC_RUNTIME_CORE_PROGRAM_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphc/abi/model_abi.h"

namespace graphc::runtime {

/// Where the spaces of a plan are.
struct Spaces {
  std::byte *arena = nullptr;
  std::byte *state = nullptr;
  const std::byte *constants = nullptr;
};

/// A checked plan, ready to run. Inputs and outputs are bound later, any number
/// of times.
class Program {
public:
  Program(const graphc_abi_variant &variant,
          const graphc_abi_function &function, const graphc_abi_plan &plan,
          const Spaces &spaces);

  void bindInput(uint32_t index, void *data) { bind(inputs[index], data); }
  void bindOutput(uint32_t index, void *data) { bind(outputs[index], data); }

  struct Op {
    uint32_t kind; // graphc_abi_entry_kind
    uint32_t loop; // Of LOOP_BEGIN and LOOP_END.
    graphc_kernel_fn function;
    // What does all up to entry `bundleEnd` at once: `function` and the next
    // entry where there is no bundle.
    graphc_kernel_fn bundle;
    void **buffers;
    const int64_t *args;
    uint64_t bytes;   // Of COPY and MEMSET.
    uint32_t partner; // Of LOOP_BEGIN and LOOP_END.
    uint32_t bundleEnd;
  };

  struct Loop {
    int64_t count;
    void *const
        *slot; // Of an i64; null if nobody asks for the iteration number.
    uint32_t firstMoving, movingCount;
    int64_t iteration;
  };

  /// Points the buffers that move with `loop` to iteration 0.
  void rewind(const Loop &loop) {
    for (uint32_t i = 0; i < loop.movingCount; ++i) {
      const Moving &moving = movings[loop.firstMoving + i];
      slots[moving.slot] = moving.base;
    }
  }
  /// Moves them to the next iteration.
  void advance(const Loop &loop) {
    for (uint32_t i = 0; i < loop.movingCount; ++i) {
      const Moving &moving = movings[loop.firstMoving + i];
      slots[moving.slot] =
          static_cast<std::byte *>(slots[moving.slot]) + moving.stride;
    }
  }

  /// Number of an entry's first buffer among those of all entries.
  uint64_t firstBuffer(uint32_t entry) const {
    return static_cast<uint64_t>(ops[entry].buffers - slots.data());
  }

  std::vector<Op> ops; // One for each entry of the plan, same numbers.
  std::vector<Loop> loops;
  bool isParallel = false; // Some kernel calls parallel_for.

private:
  struct Moving {
    uint32_t slot;
    int64_t stride;
    std::byte *base;
  };
  /// A slot that is `offset` bytes into an input or output.
  struct Use {
    uint32_t slot;
    uint32_t moving; // Its number plus 1, or 0.
    uint64_t offset;
  };

  void bindUse(const Use &use, void *data);
  void bind(const std::vector<Use> &uses, void *data) {
    for (const Use &use : uses)
      bindUse(use, data);
  }

  std::vector<void *> slots; // The buffers of all entries, in order.
  std::vector<Moving> movings;
  std::vector<std::vector<Use>> inputs, outputs;
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_PROGRAM_H
