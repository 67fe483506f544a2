#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Formats the C and C++ files of the tree with clang-format 19, the pinned version.
#
#   tools/dev/format.sh            rewrites what differs
#   tools/dev/format.sh --check    changes nothing, exits 1 if anything differs
#   ... -- <file>...               only these files
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=(-i)
if [ "${1:-}" = --check ]; then
  mode=(--dry-run -Werror)
  shift
fi
[ "${1:-}" = -- ] && shift

format=${CLANG_FORMAT:-clang-format-19}
command -v "$format" >/dev/null || { echo "format.sh: $format is not installed" >&2; exit 2; }
"$format" --version | grep -q 'version 19\.' || { echo "format.sh: expects clang-format 19" >&2; exit 2; }

if [ $# -gt 0 ]; then
  printf '%s\0' "$@"
else
  git ls-files -z --cached --others --exclude-standard -- '*.h' '*.hpp' '*.c' '*.cpp' '*.cu' '*.cuh'
fi | while IFS= read -r -d '' file; do
  [ -f "$file" ] && printf '%s\0' "$file"
done | xargs -0 -r "$format" "${mode[@]}"
