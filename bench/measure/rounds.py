# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The measurement itself: everyone in turn, in windows of some steps, retried while others use the processors."""
import statistics
import time

from .worker import Failed

QUIET = 0.06  # Share of one processor that others may use in a window that counts.


def calibrate(worker, seconds):
    """Steps that fill a window. The first answers are compared with the other implementations'."""
    for _ in range(2):
        result = worker.run(1)
        worker.values.append(result["value"])
    steps = 1
    while result["cpu_ms"] * steps < 50 and steps < 1 << 24:
        steps *= 8
        result = worker.run(steps)
    per_step = max(min(result["ms"], 2 * result["cpu_ms"] if result["cpu_ms"] else result["ms"]), 1e-6)
    return max(1, round(1e3 * seconds / per_step))


def measure(workers, rounds, window_seconds, retries, say):
    """Fills `windows` of each worker. One that fails is taken out; returns (worker, reason) of those."""
    failed = []

    def attempt(worker, action):
        try:
            return action()
        except (Failed, BrokenPipeError) as error:
            failed.append((worker, str(error) or worker.last_words()))
            worker.close()
            workers.remove(worker)

    for worker in list(workers):
        worker.steps = attempt(worker, lambda: calibrate(worker, window_seconds))
    for number in range(rounds):
        turn = number % max(1, len(workers))
        for worker in workers[turn:] + workers[:turn]:
            best = None
            for attempt_number in range(retries + 1):
                result = attempt(worker, lambda: worker.run(worker.steps))
                if result is None:
                    break
                if best is None or result["others"] < best["others"]:
                    best = result
                if best["others"] <= QUIET:
                    break
                if attempt_number < retries:
                    time.sleep(0.3)
            if best:
                worker.windows.append(best)
        say(f"round {number + 1} of {rounds}")
    return failed


def summarize(windows):
    """Medians over the quiet windows if there are three, else over all."""
    quiet = [w for w in windows if w["others"] <= QUIET]
    used = quiet if len(quiet) >= 3 else windows
    middle = statistics.median
    deviations = [w["deviation_ms"] for w in used if "deviation_ms" in w]
    return {
        "ms": middle(w["ms"] for w in used),
        "cpu_ms": middle(w["cpu_ms"] for w in used),
        "min_ms": min(w["ms"] for w in windows),
        "windows": len(windows),
        "quiet_windows": len(quiet),
        "is_noisy": used is not quiet,
        "others_load": middle(w["others"] for w in used),
        "deviation_ms": middle(deviations) if deviations else None,
        "spread": (max(w["ms"] for w in used) - min(w["ms"] for w in used)) / middle(w["ms"] for w in used),
    }
