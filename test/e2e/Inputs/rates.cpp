// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rates <max_lr> <total_steps>: what OneCycleLR gives for each step.
#include <graphc/lr_scheduler.hpp>

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  int64_t steps = std::atoll(argv[2]);
  graphc::lr_scheduler::OneCycleLR schedule(std::atof(argv[1]), steps);
  for (int64_t step = 0; step < steps; ++step)
    std::printf("%.17g\n", schedule.at(step));
}
