#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds with pip and scikit-build-core, C++ tests and tools included, in the folder given. Installs into .venv; with --sanitize (sanitizers) and
# --werror (warnings are errors) into FOLDER/site instead. Shows the compiler's progress; the whole output goes to FOLDER/build.log.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
options=(-C "build-dir=$folder" -C cmake.define.PYASC_TESTS=ON)
case ${2:-} in
  --sanitize) options+=(-C cmake.define.PYASC_SANITIZE=ON --target "$folder/site" --upgrade) ;;
  --werror) options+=(-C cmake.define.PYASC_WERROR=ON -C cmake.define.CMAKE_DISABLE_PRECOMPILE_HEADERS=ON --target "$folder/site" --upgrade) ;;
esac
export CCACHE_BASEDIR=$PWD # checkouts in other folders share the compiler cache
mkdir -p "$folder"
log=$folder/build.log
if ! .venv/bin/python -m pip install -v --disable-pip-version-check --no-build-isolation --no-deps --no-index "${options[@]}" . 2>&1 |
  tee "$log" | { grep --line-buffered -oE '^ *\[[0-9]+/[0-9]+\] (Building|Linking|Generating).*' || true; }; then
  { grep -A 40 -m 3 -E 'FAILED:|CMake Error|error:' "$log" || tail -40 "$log"; } >&2
  echo "build: failed; the whole output is in $log" >&2
  exit 1
fi
