// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding mode, traps and flush-to-zero while kernels run.
#ifndef GRAPHC_RUNTIME_CPU_FLOATCONTROL_H
#define GRAPHC_RUNTIME_CPU_FLOATCONTROL_H

#include <cstdint>

namespace graphc::runtime {

/// Sets this thread's floating-point control state to the default (nearest
/// even, no traps, denormals kept) and puts the host's back in the end, with
/// the exception flags the host had: a host that runs with -ffast-math start-up
/// code or with traps must not change results.
class DefaultFloatControl {
public:
  DefaultFloatControl() : saved(read()) { write(defaultState); }
  ~DefaultFloatControl() { write(saved); }
  DefaultFloatControl(const DefaultFloatControl &) = delete;
  DefaultFloatControl &operator=(const DefaultFloatControl &) = delete;

#if defined(__x86_64__)
  using State = uint32_t;
  static constexpr State defaultState = 0x1f80; // MXCSR
  static State read() {
    State state;
    __asm__ volatile("stmxcsr %0" : "=m"(state));
    return state;
  }
  static void write(State state) {
    __asm__ volatile("ldmxcsr %0" : : "m"(state) : "memory");
  }
#elif defined(__aarch64__)
  using State = uint64_t;
  static constexpr State defaultState = 0; // FPCR
  static State read() {
    State state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state;
  }
  static void write(State state) {
    __asm__ volatile("msr fpcr, %0" : : "r"(state) : "memory");
  }
#else
#error "floating-point control of this architecture is not known"
#endif

private:
  State saved;
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CPU_FLOATCONTROL_H
