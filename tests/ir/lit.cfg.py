# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the IR, its passes, and the texts made from it. `lit -Dbuild=FOLDER tests/ir`, or with ASC_OPT=/path/to/asc-opt."""

import os
import shutil
from pathlib import Path

import lit.formats

config.name = "ir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
build = Path(lit_config.params.get("build", Path(config.test_source_root).parents[1] / "build"))
config.test_exec_root = str(build.absolute() / "lit")

asc_opt = os.path.abspath(os.environ.get("ASC_OPT") or build / "asc-opt")
file_check = shutil.which("FileCheck", path=os.pathsep.join(["/usr/lib/llvm-19/bin", os.environ.get("PATH", "")]))
for tool, path in [("asc-opt", asc_opt), ("FileCheck", file_check)]:
    if not path or not os.access(path, os.X_OK):
        lit_config.fatal(f"{tool} is not there: {path or 'not on the PATH'}")
config.substitutions += [("asc-opt", asc_opt), ("FileCheck", f"{file_check} --dump-input=fail")]
