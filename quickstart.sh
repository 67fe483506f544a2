#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what the build needs (Debian 12), builds graphc and its examples,
# compiles a small network to a model.so in process and trains it on handwritten
# digits. Takes six to seven minutes on 2 cores, most of it the build.
set -euo pipefail
cd "$(dirname "$0")"
source tools/dev/packages.sh
install_packages "${build_packages[@]}"

cmake --preset default -DGRAPHC_BUILD_TESTS=OFF >/dev/null
ninja -C build -j"$(nproc)"
echo "built in $((SECONDS / 60)) min $((SECONDS % 60)) s"

build/bin/digits --model=mlp
