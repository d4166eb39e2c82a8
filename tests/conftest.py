# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shared by all Python tests: tests/support can be imported, the compile cache is private to the run, golden files can be rewritten.
import os
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
_cache = tempfile.TemporaryDirectory(prefix="pyasc-test-cache-")
os.environ["PYASC_CACHE_DIR"] = _cache.name
os.environ.pop("PYASC_DUMP_PATH", None)


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files instead of comparing with them")
    parser.addoption("--long", action="store_true", help="run the tests that take minutes, too")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; runs with --long only")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--long"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="needs --long"))


@pytest.fixture
def golden(request):
    """Compares a text with a golden file: golden(path, text)."""
    from support.golden import compare

    return lambda path, text: compare(path, text, update=request.config.getoption("--update-golden"))
