# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One implementation in a process of its own, which is stopped while it is not its turn."""
import ctypes
import json
import os
import select
import signal
import subprocess
import time

from .noise import Load, peak_rss_bytes

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


class Failed(Exception):
    """Why an implementation gives no number."""


class Worker:
    """Started, with its first step done. `about` is what it said of itself.

    With one thread everyone is held to one and the same processor, so that a runtime with helper threads of its own
    has no more than the others.
    """

    def __init__(self, name, command, threads, environment, log_path, timeout):
        self.name, self.threads, self.log_path = name, threads, log_path
        self.windows = []
        cpus = sorted(os.sched_getaffinity(0))
        cpus = cpus[-1:] if threads == 1 else cpus[:threads]
        self.log = open(log_path, "wb")

        def prepare():
            os.sched_setaffinity(0, cpus)
            # A stopped process would outlive this one.
            LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

        start = time.perf_counter()
        # In a session of its own: where a group of processes with a stopped one loses its shell, all are hung up.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
                                        env={**os.environ, **environment}, preexec_fn=prepare, start_new_session=True)
        try:
            self.about = self.answer(timeout)
        except Failed:
            self.close()
            raise
        self.first_step_s = time.perf_counter() - start
        self.values = [self.about["value"]]
        self.stop()

    def answer(self, timeout):
        end = time.monotonic() + timeout
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise Failed(f"no answer within {timeout:.0f} s")
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                raise Failed(self.last_words())
            line += part
        return json.loads(line)

    def last_words(self):
        self.process.wait()
        with open(self.log_path, errors="replace") as file:
            lines = [line.strip() for line in file if line.strip()]
        return f"exit status {self.process.returncode}" + (f": {lines[-1][:200]}" if lines else "")

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def run(self, steps, timeout=600):
        """Seconds of all `steps`, of the clock and of the processors, with the others' load meanwhile."""
        self.process.send_signal(signal.SIGCONT)
        with Load(self.process.pid) as load:
            self.process.stdin.write(f"steps {steps}\n".encode())
            self.process.stdin.flush()
            result = self.answer(timeout)
        self.stop()
        window = {"steps": steps, "ms": 1e3 * result["seconds"] / steps, "cpu_ms": 1e3 * result["cpu_seconds"] / steps,
                  "others": load.others, "value": result["value"]}
        if "deviation" in result:  # Of single steps, where they are long enough to be timed one by one.
            window["deviation_ms"] = 1e3 * result["deviation"]
        return window

    def peak_rss_bytes(self):
        return peak_rss_bytes(self.process.pid)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()  # Also where it is stopped.
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.log):
            stream.close()
