#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/ops.md from the definitions of the graph dialect.

  tools/dev/gen_ops_doc.py           rewrites docs/ops.md
  tools/dev/gen_ops_doc.py --check   changes nothing, exits 1 if it is out of date

Families are the dialect's .td files, in the order in which GraphOps.td includes
them, and the `// ---- Title ---` comments inside them.
"""
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOM = "dialects/Graph/IR"
PAGE = "docs/ops.md"

TYPES = {
    "Graph_Tensor": "tensor",
    "Graph_NumTensor": "tensor of numbers (no i1)",
    "Graph_FloatTensor": "tensor of f64, f32, f16 or bf16",
    "Graph_IntTensor": "tensor of i8, ui8, i32 or i64",
    "Graph_BitsTensor": "tensor of i1, i8, ui8, i32 or i64",
    "Graph_BoolTensor": "tensor of i1",
    "Graph_IndexTensor": "tensor of i32 or i64",
    "Graph_Key": "tensor<3xi64>",
}
ATTRS = {
    "AnyAttr": "any",
    "DenseI64ArrayAttr": "list of integers",
    "ElementsAttr": "elements",
    "F64Attr": "f64",
    "FlatSymbolRefAttr": "symbol",
    "I64Attr": "integer",
    "SymbolNameAttr": "symbol name",
    "TypeAttr": "type",
    "UnitAttr": "flag",
}


def load():
    config = shutil.which("llvm-config-19") or shutil.which("llvm-config")
    if not config:
        sys.exit("gen_ops_doc.py: expects llvm-config of LLVM 19")

    def ask(flag):
        return subprocess.run([config, flag], capture_output=True, text=True, check=True).stdout.strip()

    run = subprocess.run([os.path.join(ask("--bindir"), "llvm-tblgen"), "-dump-json", "-I", ask("--includedir"),
                          "-I", ROOT, os.path.join(ROOT, ROOM, "GraphOps.td")],
                         capture_output=True, text=True)
    if run.returncode:
        sys.exit("gen_ops_doc.py: " + run.stderr)
    return json.loads(run.stdout)


def read(name):
    with open(os.path.join(ROOT, ROOM, name), encoding="utf-8") as file:
        return file.read()


def enum_cases(records, attr):
    """The keywords of an EnumAttr, in order."""
    enum = records[records[attr]["enum"]["def"]] if "enum" in records[attr] else records[attr]
    return [records[case["def"]]["str"] for case in enum["enumerants"]]


def type_text(records, name):
    record = records[name]
    if name in TYPES:
        return TYPES[name]
    supers = record["!superclasses"]
    if "Optional" in supers:
        return type_text(records, record["baseType"]["def"]) + ", optional"
    if "Variadic" in supers:
        return "any number of tensors"
    return record["summary"].replace("statically shaped tensor of ", "tensor of ").replace("-bit signless integer", "-bit integer")


def attr_text(records, name):
    record = records[name]
    supers = record["!superclasses"]
    if name in ATTRS:
        return ATTRS[name]
    if "DefaultValuedAttr" in supers or "DefaultValuedOptionalAttr" in supers:
        value = record["defaultValue"].split("::")[-1].strip()
        value = "[]" if value == "{}" else value.lower()
        return f'{attr_text(records, record["baseAttr"]["def"])}, {value} by default'
    if "OptionalAttr" in supers:
        return attr_text(records, record["baseAttr"]["def"]) + ", optional"
    if "EnumAttr" in supers:
        return "one of " + ", ".join(enum_cases(records, name))
    if "TypedArrayAttrBase" in supers:
        return "list of symbols"
    return record["summary"]


def facts(records, op):
    names, precisions = set(), []

    def collect(traits):
        for trait in traits:
            record = records[trait["def"]]
            names.add(trait["def"])
            names.update([record.get("trait"), record.get("cppInterfaceName")])
            precisions.extend(["mixed precision: " + record["precision"].lower()] if "precision" in record else [])
            collect(record.get("traits") or [])

    collect(op["traits"])
    words = ["composite" if "DecomposableOpInterface" in names else None,
             "elementwise" if "Graph_Elementwise" in names else None,
             "commutative" if "Commutative" in names else None,
             "folded" if op["hasFolder"] else None]
    return [word for word in words if word] + precisions


def syntax(op, attributes):
    """How an op with `attributes` (names; true: a flag) is written, from its
    assembly format; None if it has none."""
    form = " ".join((op.get("assemblyFormat") or "").split())
    if not form or not attributes:
        return None
    before, _, after = form.partition("attr-dict")
    text = before or after
    text = re.sub(r"custom<\w+>\((\$\w+)\)", r"\1", text)
    for name, is_flag in attributes.items():
        if is_flag:
            text = re.sub(rf"`{name}` \${name}(?!\w)", f"`{name}`", text)
    # Clauses in any order are optional ones.
    text = re.sub(r"oilist\(((`[^`]*`|[^()`])*)\)", lambda m: " ".join(f"({c.strip()})?" for c in m[1].split("|")), text)
    text = re.sub(r"\((`[^`]*`|[^()`])*\)\?", lambda group: "[" + group[0][1:-2] + "]", text)
    text = text.replace("^", "").replace("`", "")
    unnamed = [name if is_flag else f"{name} = ${name}" for name, is_flag in attributes.items() if "$" + name not in form]
    if unnamed:
        text += " [{" + ", ".join(unnamed) + "}]"
    text = re.sub(r" (?=[,)])|(?<=\() | (?=\()|(?<=\[) | (?=\[,)", "", text)
    return f'graph.{op["opName"]} {" ".join(text.split())}' + (" : ..." if "type" in after and before else "")


def op_section(records, op):
    lines = [f'### graph.{op["opName"]}', "", op["summary"] + "."]
    about = facts(records, op)
    if about:
        lines[-1] += f' *({", ".join(about)})*'
    lines.append("")
    tensors, attributes, flags = {}, [], {}
    for value, name in op["arguments"]["args"] + op["results"]["args"]:
        kind = value["def"]
        if "Attr" in records[kind]["!superclasses"]:
            attributes.append(f"- `{name}`: attribute, {attr_text(records, kind)}")
            flags[name] = kind == "UnitAttr"
        else:
            tensors.setdefault(type_text(records, kind), []).append(f"`{name}`")
    lines += [f'- {", ".join(each)}: {text}' for text, each in tensors.items()] + attributes
    if tensors or attributes:
        lines.append("")
    written = syntax(op, flags)
    if written:
        lines += [f"Syntax: `{written}`", ""]
    lines += [textwrap.dedent(op["description"]).strip(), ""]
    return lines


def attr_section(records, attr):
    lines = [f'### #graph.{attr["mnemonic"]}', "", attr["summary"].rstrip(".") + ".", ""]
    if attr.get("description"):
        lines += [textwrap.dedent(attr["description"]).strip(), ""]
    return lines


def sections(records, name, kind, render):
    """The records of one .td file in its order, under its section titles."""
    text = read(name)
    titles = [(m.start(), m.group(1).strip()) for m in re.finditer(r"^// ---- (.*?) -*$", text, re.M)]
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for record in records.values():
        if not isinstance(record, dict) or kind not in record.get("!superclasses", []):
            continue
        # The first place is the definition; later ones are its classes.
        place = record["!locs"][0]
        file, line = place.rsplit(":", 1)
        if os.path.basename(file) == name:
            found.append((starts[int(line) - 1], record))
    found.sort(key=lambda pair: pair[0])
    lines, current = [], None
    for offset, record in found:
        title = next((t for start, t in reversed(titles) if start < offset), None)
        if title != current:
            lines += [f"**{title}**", ""]
            current = title
        lines += render(records, record)
    return lines


def page(records):
    files = re.findall(r'include "%s/(\w+\.td)"' % ROOM, read("GraphOps.td"))
    files = [name for name in files if name not in ("GraphBase.td", "GraphInterfaces.td", "GraphAttrs.td")]
    lines = ["<!-- Generated by tools/dev/gen_ops_doc.py from dialects/Graph/IR/*.td. Do not edit. -->",
             "# Ops of the graph dialect", "",
             textwrap.dedent(records["Graph_Dialect"]["description"]).strip(), "",
             "*Composite* ops have a decomposition into primitives (`graph-opt --decompose-composites` shows it), "
             "*elementwise* ones read element i of each operand for element i of the result, *folded* ones are "
             "computed at compile time where their operands are constants. *Mixed precision* (`--amp`) computes *low* "
             "ops in bf16 or f16, *wide* ones in f32, *widest* ones in the widest type of their operands, and lets those "
             "that *follow* take the type of their first one; the table is [autocast.csv](../passes/Amp/autocast.csv). (C1), (C2), ... number the constraints "
             "that the verifier checks. Attributes are written in the order of the *syntax*, [ ] around what may be "
             "left out; types follow as in the example. [math.md](math.md) gives the error of each math function.", ""]
    for name in files:
        title = read(name).splitlines()[1].removeprefix("// ").rstrip(".")
        lines += [f"## {title}", ""] + sections(records, name, "Graph_Op", op_section)
    lines += ["## Attributes", ""] + sections(records, "GraphAttrs.td", "Graph_Attr", attr_section)
    return "\n".join(lines).rstrip() + "\n"


def main():
    text = page(load())
    path = os.path.join(ROOT, PAGE)
    if sys.argv[1:] == ["--check"]:
        with open(path, encoding="utf-8") as file:
            old = file.read()
        if old != text:
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), PAGE, "generated"))
            sys.exit(f"{PAGE} is out of date: run tools/dev/gen_ops_doc.py")
        return
    if sys.argv[1:]:
        sys.exit(__doc__)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
