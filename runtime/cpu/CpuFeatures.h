// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this machine's CPU may execute, and how many CPUs this process may use.
#ifndef GRAPHC_RUNTIME_CPU_CPUFEATURES_H
#define GRAPHC_RUNTIME_CPU_CPUFEATURES_H

#include <cstdint>
#include <string>
#include <vector>

namespace graphc::runtime {

/// Features of this CPU as bits of graphc_abi_variant.cpu_features. A level's
/// bit is set only if all of it is there and the system saves its registers.
uint64_t cpuFeatures();

/// "x86-64-v4, avx512-bf16": the names of `features`, for messages.
std::string cpuFeatureText(uint64_t features);

/// Numbers of the CPUs that the scheduler may run this thread on, ascending;
/// empty if the system does not say.
std::vector<int> allowedCpus();

/// CPUs worth a thread each: the allowed ones, fewer under a cgroup quota.
unsigned usableCpuCount();

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CPU_CPUFEATURES_H
