#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Pins requirements.in in requirements.lock, with the hashes of every file of each version so that the lock serves all machines.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
.venv/bin/python -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check pip-tools
"$tools/bin/pip-compile" --quiet --generate-hashes --strip-extras --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
  --output-file "$tools/lock" requirements.in
{ echo '# Exact versions of requirements.in and what they need. Made by `make lock`.'; cat "$tools/lock"; } >requirements.lock
