# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""inner_loops.py [--sums] MODEL.so: the innermost loops of multiply-adds, from its disassembly.

Prints each loop as "function+offset: FMAS multiply-adds of REGISTERS, COUNT stack accesses". Fails
if one of them moves a vector register to or from the stack, or if there is none. With --sums only
loops that do nothing but add up products fail, and those of functions (exp, gelu) are counted apart:
their constants may be more than there are registers.
"""
import re
import subprocess
import sys

# What a loop that adds up products does with vectors besides.
MOVES = ("vmov", "vbroadcast", "vpbroadcast", "vinsert", "vextract", "vperm", "vpermt", "vunpck", "vshuf", "vblend", "vxor", "vpxor")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*)$")


def functions(path):
    """(name, [(address, mnemonic, operands)]) of each function."""
    text = subprocess.run(["llvm-objdump", "-d", "--no-show-raw-insn", "--no-leading-headers", path],
                          check=True, capture_output=True, text=True).stdout  # fmt: skip
    name, body = None, []
    for line in text.splitlines():
        label = re.match(r"^[0-9a-f]+ <(.*)>:$", line)
        if label:
            if body:
                yield name, body
            name, body = label.group(1), []
        elif match := INSTRUCTION.match(line):
            body.append((int(match.group(1), 16), match.group(2), match.group(3)))
    if body:
        yield name, body


def loops(body):
    """[first, last] numbers of the instructions of each innermost loop."""
    number = {address: i for i, (address, _, _) in enumerate(body)}
    spans = []
    for i, (_, mnemonic, operands) in enumerate(body):
        target = re.match(r"(?:0x)?([0-9a-f]+)", operands) if mnemonic.startswith("j") else None
        if target and number.get(int(target.group(1), 16), i + 1) <= i:
            spans.append((number[int(target.group(1), 16)], i))
    for first, last in spans:
        if not any((a, b) != (first, last) and first <= a and b <= last for a, b in spans):
            yield first, last


def main():
    *options, path = sys.argv[1:]
    found = failures = others = spilling = 0
    for name, body in functions(path):
        # Only then is rbp the frame's, and not any register.
        framed = any(m.startswith("mov") and re.fullmatch(r"%rsp,\s*%rbp", o) for _, m, o in body)
        # A place that does not move with the loop; arrays on the stack have an index.
        stack = re.compile(r"\(%rsp\)" + (r"|\(%rbp\)" if framed else ""))
        for first, last in loops(body):
            part = body[first : last + 1]
            fmas = [o for _, m, o in part if m.startswith(("vfmadd", "vfnmadd")) and m.endswith(("ps", "pd"))]
            if len(fmas) < 2:
                continue
            widths = sorted({re.findall(r"%([xyz]mm)", operands)[-1] for operands in fmas})
            touching = [f"{m} {o}" for _, m, o in part if re.search(r"%[xyz]mm", o) and stack.search(o)]
            rest = [m for _, m, o in part if re.search(r"%[xyz]mm", o) and not m.startswith(("vfmadd", "vfnmadd", *MOVES))]
            isSum = "--sums" not in options or not rest
            if isSum:
                found += 1
                failures += bool(touching)
            else:
                others += 1
                spilling += bool(touching)
            print(f"{name}+{body[first][0] - body[0][0]:#x}: {'' if isSum else 'function: '}{len(fmas)} multiply-adds of "
                  f"{'/'.join(widths)}, {len(touching)} stack accesses")  # fmt: skip
            for line in touching:
                print("  " + line)
    if others:
        print(f"{others} loops of functions, {spilling} with stack accesses")
    print(f"{found} loops, {failures} with stack accesses")
    sys.exit(found == 0 or failures != 0)


main()
