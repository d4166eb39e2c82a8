# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyasc doctor`: whether this installation works, and what it finds on the machine."""

import os
import platform
import time


def _version(module):
    try:
        return __import__(module).__version__
    except ImportError:
        return "not installed"


def _cache():
    """State of the compile cache, and whether a file can be made in it."""
    from pyasc import _core

    folder = _core.cache_folder()
    entries, size = _core.cache_usage()
    try:
        os.makedirs(folder, exist_ok=True)
        probe = os.path.join(folder, f".doctor-{os.getpid()}")
        with open(probe, "wb"):
            pass
        os.remove(probe)
    except OSError as error:
        return f"{folder} cannot be written ({error.strerror}); PYASC_CACHE_DIR names another folder", False
    return f"{folder}, {entries} kernels, {size / 1e6:.1f} MB", True


def _packages():
    """Where the two packages are; other ones called so do not get this far (P104, P105)."""
    import asc

    import pyasc

    return f"{os.path.dirname(asc.__file__)}, {os.path.dirname(pyasc.__file__)}"


def _self_test():
    """A small kernel on two cores, compiled and checked."""
    import numpy as np

    from pyasc import selftest

    begin = time.perf_counter()
    x = np.arange(128, dtype=np.float32)
    try:
        selftest.double[2](x)
        right = bool((x == 2 * np.arange(128)).all())
    except Exception as error:
        return f"{type(error).__name__}: {error}", False
    milliseconds = (time.perf_counter() - begin) * 1e3
    return f"{'right' if right else 'wrong'} result after {milliseconds:.1f} ms, compiling included", right


def examine():
    """[(what, found, good)]: `good` is None for what is only told."""
    from asc.runtime import config

    import pyasc

    missing = config.missing_for_npu()
    cann = os.environ.get("ASCEND_HOME_PATH")
    return [
        ("pyasc", pyasc.__version__, None),
        ("Python", f"{platform.python_version()} on {platform.platform()}, {os.cpu_count()} processors", None),
        ("NumPy", _version("numpy"), None),
        ("torch", _version("torch"), None),
        ("ml_dtypes", _version("ml_dtypes"), None),
        ("packages", _packages(), None),
        ("CANN", cann or "not found: kernels run on the simulator", None),
        ("NPU backend", "missing: " + "; ".join(missing) if missing else "ready", None),
        ("compile cache", *_cache()),
        ("self-test", *_self_test()),
    ]
