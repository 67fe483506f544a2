# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much of the processors others used while something was measured."""
import os
import time

TICK = os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """Of all processors since the start: everything but idling, what the host took included."""
    with open("/proc/stat") as file:
        fields = [int(x) for x in file.readline().split()[1:9]]
    user, nice, system, idle, waiting, irq, soft_irq, steal = fields
    return (user + nice + system + irq + soft_irq + steal) / TICK


def process_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class Load:
    """The share of one processor that processes other than `pid` and this one used inside a `with`.

    The kernel counts in hundredths of a second: over half a second the share is within 0.04 of the truth.
    """

    def __init__(self, pid):
        self.pid = pid
        self.others = None

    def sample(self):
        return busy_seconds(), process_seconds(self.pid) + sum(os.times()[:2]), time.monotonic()

    def __enter__(self):
        self.start = self.sample()
        return self

    def __exit__(self, *error):
        busy, ours, wall = (end - start for end, start in zip(self.sample(), self.start))
        self.others = max(0.0, (busy - ours) / max(wall, 1e-9))


def available_bytes():
    with open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def peak_rss_bytes(pid):
    with open(f"/proc/{pid}/status") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0
