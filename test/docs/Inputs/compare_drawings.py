# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare_drawings.py <a.svg> <b.svg>: both have the same clusters, nodes, labels, colours and edges.

Where they stand depends on the version of graphviz and on its fonts, so that is left out.
"""
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def content(path):
    parts = []
    for group in ElementTree.parse(path).iter(SVG + "g"):
        texts = [text.text for text in group.findall(SVG + "text")]
        fills = [shape.get("fill") for kind in ("polygon", "ellipse") for shape in group.findall(SVG + kind)]
        parts.append((group.get("class"), group.findtext(SVG + "title"), *texts, *fills))
    return sorted(parts, key=repr)


first, second = content(sys.argv[1]), content(sys.argv[2])
assert len(first) > 10, first
for part in first:
    if part not in second:
        sys.exit(f"only in {sys.argv[1]}: {part}")
for part in second:
    if part not in first:
        sys.exit(f"only in {sys.argv[2]}: {part}")
assert first == second
print(f"equal: {len(first)} parts")
