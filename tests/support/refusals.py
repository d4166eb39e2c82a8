# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is refused: runs or compiles a kernel that must fail and gives back its diagnostics.
import pytest
from support.dtypes import NUMPY
from support.kernel_file import load
from support.vector_api import FORMS, VectorApi, kernel_text


def diagnostics_of(action) -> list:
    """The diagnostics of the error that `action` must raise."""
    from pyasc.errors import PyascError

    with pytest.raises(PyascError) as caught:
        action()
    assert caught.value.diagnostics
    return caught.value.diagnostics


def text_of(diagnostic) -> str:
    """Message, notes and help in one line."""
    return " ".join([diagnostic.message, *(note.text for note in diagnostic.notes), diagnostic.help])


def assert_dtypes_refused(api: VectorApi) -> None:
    """Every element type outside the row is refused by the compiler: at the call, naming the API, the type and what is legal."""
    import numpy as np

    for dtype in sorted(set(NUMPY) - set(api.dtypes)):
        text = kernel_text(api, FORMS["count"], dtype)
        kernel = load(text).kernel
        arrays = [np.zeros(64, NUMPY[dtype]) for _ in api.operands]
        scalar = [1] if api.scalar else []
        found = diagnostics_of(lambda: kernel[1](*arrays, 64, *(0 for _ in api.operands), *scalar, 32))  # noqa: B023
        call = next(i for i, line in enumerate(text.splitlines(), 1) if f"asc.{api.name}(" in line)
        assert found[0].span.line == call, f"{api.name} on {dtype}"
        shown = dtype.rstrip("_")
        text = text_of(found[0])
        assert api.name in found[0].message and shown in text, text
        assert any(legal in text for legal in api.dtypes), text
        assert not any(array.any() for array in arrays)
