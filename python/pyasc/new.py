# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyasc new NAME`: a folder with a kernel that works, its test and its benchmark, to start from."""

import keyword
import os
import shutil
import tempfile
from pathlib import Path

_TEMPLATES = Path(__file__).with_name("project")
_NAME = "my_kernel"  # what the templates call the kernel


def create(path):
    """Makes the folder `path` and gives the names of its files. The last part of the path names the kernel.

    Raises ValueError for a name that is no Python name, and OSError if the folder exists or cannot be made; then nothing is left."""
    folder = Path(path)
    name = folder.name.replace("-", "_")
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise ValueError(f"{folder.name!r} cannot name a kernel: letters, digits and _ make a Python name")
    if not folder.parent.is_dir():
        raise FileNotFoundError(f"{folder.parent} is no folder: make it first")
    if os.path.lexists(folder):
        raise FileExistsError(f"{folder} exists already")
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for template in sorted(_TEMPLATES.glob("*.*")):
            text = template.read_text(encoding="utf-8").replace(_NAME, name)
            (made / template.name.replace(_NAME, name)).write_text(text, encoding="utf-8")
        made.chmod(0o777 & ~_umask())
        made.rename(folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return sorted(file.name for file in folder.iterdir())


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
