# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table, and the check that all compute the same."""


def scaled(value, units):
    for factor, unit in units:
        if value >= factor:
            return f"{value / factor:.3g} {unit}"
    factor, unit = units[-1]
    return f"{value / factor:.3g} {unit}"


def bytes_text(count):
    return "" if count is None else scaled(count, ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")))


def time_text(ms):
    if ms is None:
        return ""
    return scaled(ms, ((1e4, "Ks"),)) if ms >= 1e7 else f"{ms:.4g}" if ms >= 0.01 else f"{ms:.3g}"


def disagreement(ours, theirs, tolerance):
    """Of the values after steps 1, 2 and 3: the largest relative difference, and whether it is within tolerance."""
    differences = [abs(a - b) / max(abs(a), 1e-9) for a, b in zip(ours, theirs)]
    # A NaN is below no tolerance, but max() may pass it over.
    return max(differences), all(difference <= tolerance for difference in differences)


COLUMNS = ("workload", "threads", "implementation", "ms", "cpu ms", "GFLOP/s", "of limit", "ratio", "cpu ratio", "peak RSS",
           "compile s", "artifact", "first step s", "spread", "others' load", "same values")


def row_of(result):
    if result.get("skipped"):
        return [result["workload"], str(result["threads"]), result["implementation"], "skipped: " + result["skipped"]]
    share = result["limit_share"]
    difference = result.get("difference")
    return [
        result["workload"], str(result["threads"]), result["implementation"],
        time_text(result["ms"]) + ("~" if result["is_noisy"] else ""), time_text(result["cpu_ms"]),
        f"{result['gflops']:.4g}", "" if share is None else f"{100 * share:.0f}%",
        "" if result["ratio"] is None else f"{result['ratio']:.3g}",
        "" if result["cpu_ratio"] is None else f"{result['cpu_ratio']:.3g}", bytes_text(result["peak_rss_bytes"]),
        "" if result["compile_seconds"] is None else f"{result['compile_seconds']:.2f}",
        bytes_text(result["artifact_bytes"]), f"{result['first_step_s']:.3f}",
        f"{100 * result['spread']:.0f}%", f"{100 * result['others_load']:.0f}%",
        "" if difference is None else ("yes" if result["is_equal"] else "NO") + f" ({difference:.0e})",
    ]


def markdown(results):
    rows = [row_of(result) for result in results]
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for row in rows:
        lines.append("| " + " | ".join(row + [""] * (len(COLUMNS) - len(row))) + " |")
    return "\n".join(lines)
