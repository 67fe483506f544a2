#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what the build needs (Debian 12), builds graphc and its examples, and
# trains a small network on handwritten digits.
set -euo pipefail
cd "$(dirname "$0")"
source tools/dev/packages.sh
install_packages "${build_packages[@]}"

cmake --preset default -DGRAPHC_BUILD_TESTS=OFF >/dev/null
ninja -C build -j"$(nproc)"
echo "built in $((SECONDS / 60)) min $((SECONDS % 60)) s"

# The example is built once its room is there; until then the compiler is shown.
if [ -x build/bin/digits ]; then
  build/bin/digits --model=mlp
else
  build/bin/graph-opt --version
fi
