# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Racy and clean twins: the corpus that the checkers are measured by, one file per topic. `pair.py` says what a pair is."""
