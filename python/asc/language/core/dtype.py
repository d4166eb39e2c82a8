# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types."""

from pyasc import _core
from pyasc._core import DataType

_dtypes = {dtype.name: dtype for dtype in _core.dtypes}
bool_ = _dtypes.pop("bool")
_aliases = {"int_": _dtypes["int32"], "half": _dtypes["float16"], "float_": _dtypes["float32"], "double": _dtypes["float64"]}
globals().update(_dtypes | _aliases)
__all__ = ["DataType", "bool_", *_dtypes, *_aliases]
