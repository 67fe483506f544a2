#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds everything and runs every test; the last line counts them.
#
#   ./check.sh           compiler and runtime, then the runtime alone
#   ./check.sh --full    also the long tests and the sanitizer builds
#
# Installs the Debian packages it needs (tools/dev/packages.sh) if they are
# missing. Exits with 0 only if everything passed.
set -uo pipefail
cd "$(dirname "$0")"
full=0
for argument in "$@"; do
  case $argument in
  --full) full=1 ;;
  *) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done

source tools/dev/packages.sh
install_packages "${test_packages[@]}" || exit 1

jobs=$(nproc)
results=()

# configure <preset>: says nothing unless it fails.
configure() {
  local output
  output=$(cmake --preset "$1" -DGRAPHC_BUILD_TESTS=ON 2>&1) || {
    echo "$output"
    return 1
  }
}

# lit_stage <preset> <build folder>: configures, builds and runs check-graphc.
lit_stage() {
  local results_file=$PWD/$2/lit-results.json
  rm -f "$results_file"
  results+=("$results_file")
  echo "== $1: build =="
  configure "$1" || return
  ninja -C "$2" -j"$jobs" --quiet all graphc-test-depends || return
  echo "== $1: test =="
  # lit reads LIT_OPTS itself.
  LIT_OPTS="-Dfull=$full --output=$results_file ${LIT_OPTS:-}" ninja -C "$2" --quiet check-graphc
}

# runtime_stage <preset> <build folder>: configures, builds and tests the runtime,
# which needs no LLVM.
runtime_stage() {
  local results_file=$PWD/$2/ctest-results.xml
  rm -f "$results_file"
  results+=("$results_file")
  echo "== $1: build =="
  configure "$1" &&
    ninja -C "$2" -j"$jobs" --quiet &&
    echo "== $1: test ==" &&
    ctest --test-dir "$2" -j"$jobs" --no-tests=error --output-on-failure \
      --output-junit "$results_file"
}

lit_stage default build
runtime_stage runtime-only build-runtime
if [ "$full" = 1 ]; then
  lit_stage asan build-asan
  runtime_stage tsan build-tsan
fi

echo "took $((SECONDS / 60)) min $((SECONDS % 60)) s"
python3 tools/dev/count_results.py "${results[@]}"
