# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Golden files: text that people see, kept beside the tests and reviewed as a diff.
from pathlib import Path


def compare(path: Path, text: str, update: bool) -> None:
    """Fails when `text` is not what the file holds; with `update` writes the file."""
    text = text.rstrip("\n") + "\n"
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return
    assert path.exists(), f"{path.name} is missing: run the test with --update-golden and review the new file"
    assert text == path.read_text(), f"{path.name} differs: if the change is meant, run the test with --update-golden and review the diff"
