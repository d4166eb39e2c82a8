#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes a checkout ready to build: installs the Debian or Ubuntu packages that are missing and creates .venv with the Python packages of
# requirements.lock. Does nothing, quickly, when all is there. PYTHON names the Python (3.11 or newer; python3) that .venv is made from.
set -euo pipefail
cd "$(dirname "$0")/.."

# Package and a file or command that shows that it is there.
packages='
clang-19            /usr/lib/llvm-19/bin/clang++
lld-19              /usr/lib/llvm-19/bin/ld.lld
llvm-19-dev         /usr/lib/llvm-19/lib/cmake/llvm/LLVMConfig.cmake
llvm-19-tools       /usr/lib/llvm-19/bin/FileCheck
libmlir-19-dev      /usr/lib/llvm-19/lib/cmake/mlir/MLIRConfig.cmake
mlir-19-tools       /usr/lib/llvm-19/bin/mlir-tblgen
libclang-rt-19-dev  /usr/lib/llvm-19/lib/clang/19/lib/linux
clang-format-19     /usr/lib/llvm-19/bin/clang-format
libgtest-dev        /usr/include/gtest/gtest.h
zlib1g-dev          /usr/include/zlib.h
cmake               cmake
ninja-build         ninja
ccache              ccache
'
python=${PYTHON:-python3}
missing=()
while read -r package sign; do
  [[ -z $package ]] && continue
  if [[ $sign == /* ]]; then [[ -e $sign ]]; else command -v "$sign" >/dev/null; fi || missing+=("$package")
done <<<"$packages"
command -v "$python" >/dev/null || missing+=(python3 python3-dev python3-venv)

# The virtual environment is as wanted when its stamp names this lock file, this place and a Python that is still there.
stamp="$(sha256sum <requirements.lock) $PWD $(readlink -f .venv/bin/python || true)"
venv_ready() { [[ -x .venv/bin/python && -f .venv/stamp && $(<.venv/stamp) == "$stamp" ]]; }
if [[ ${#missing[@]} -eq 0 ]] && venv_ready; then exit 0; fi

if command -v "$python" >/dev/null && ! venv_ready; then
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "setup: $("$python" --version) is too old: pyasc needs Python 3.11 or newer; name one with PYTHON=/path/to/python3" >&2
    exit 1
  }
  "$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
  "$python" -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null || missing+=(python3-dev)
fi

if [[ ${#missing[@]} -gt 0 ]]; then
  if ! command -v apt-get >/dev/null; then
    echo "setup: missing: ${missing[*]} (names of Debian packages); install what your system calls them and try again" >&2
    exit 1
  fi
  become=()
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null || { echo "setup: please run as root: apt-get install ${missing[*]}" >&2; exit 1; }
    become=(sudo)
  fi
  echo "setup: installing Debian packages: ${missing[*]}"
  "${become[@]}" apt-get update -qq
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null || {
    echo "setup: could not install ${missing[*]}; pyasc needs LLVM and MLIR 19, as in Debian 12 and 13 and Ubuntu 24.04" >&2
    exit 1
  }
fi

if ! venv_ready; then
  echo "setup: creating .venv with the packages of requirements.lock"
  "$python" -m venv --clear .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements.lock
  echo "$(sha256sum <requirements.lock) $PWD $(readlink -f .venv/bin/python)" >.venv/stamp
fi
