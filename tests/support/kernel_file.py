# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels given as text. The compiler reads the source file of a kernel, so the text is written to a file and imported from there.
import importlib.util
import itertools
import re
import tempfile
from pathlib import Path
from types import ModuleType

_folder = tempfile.TemporaryDirectory(prefix="pyasc-test-kernels-")
_numbers = itertools.count()
_MARK = re.compile(r"\s+# <- ([\w, ]+)$")


def load(source: str) -> ModuleType:
    """Imports a module with this source text; its file is called kernel.py."""
    number = next(_numbers)
    path = Path(_folder.name) / str(number) / "kernel.py"
    path.parent.mkdir()
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(f"kernel_{number}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def marked_lines(source: str) -> dict[str, int]:
    """Line numbers of the lines that end in the comment `# <- name` (several names: `# <- first, second`)."""
    lines = {}
    for number, line in enumerate(source.splitlines(), 1):
        if match := _MARK.search(line):
            lines.update({name.strip(): number for name in match[1].split(",")})
    return lines


def without(source: str, mark: str) -> str:
    """The source with every line marked `mark` emptied; line numbers stay."""
    return "\n".join("" if (match := _MARK.search(line)) and match[1] == mark else line for line in source.splitlines()) + "\n"
