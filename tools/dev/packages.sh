#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Debian 12 packages that graphc needs, and a function to install them.
# Sourced by quickstart.sh and check.sh; run alone, it prints the lists.

# To build the compiler and the examples.
build_packages=(
  clang-19 cmake liblld-19-dev libmlir-19-dev libzstd-dev lld-19 llvm-19-dev llvm-19-tools
  mlir-19-tools ninja-build python3 zlib1g-dev
)
# To run the tests too.
test_packages=(
  "${build_packages[@]}" abigail-tools clang-format-19 dataset-fashion-mnist dpkg-dev file git
  libclang-rt-19-dev libgtest-dev pkg-config tzdata
)

# install_packages <package>...
# Installs those that are missing, as root or through sudo; quiet if none is.
install_packages() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "these packages are missing; install them as root and run this again" >&2
      return 1
    }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  echo "build: ${build_packages[*]}"
  echo "test: ${test_packages[*]}"
fi
