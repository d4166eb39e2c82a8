# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where the text of a kernel comes from: files edited after their import, exec, python -c, stdin, notebooks. What is compiled is what Python
# runs, or the kernel is refused.
import linecache
import os
import subprocess
import sys

import asc
import numpy as np
import pytest
from pyasc.errors import PyascError
from support.kernel_file import load

SOURCE = """
import asc

@asc.jit
def kernel(dst: asc.GlobalAddress):
    out = asc.GlobalTensor()
    out.set_global_buffer(dst, 1)
    out.set_value(0, 1)
"""


def result(kernel):
    out = np.zeros(1, np.int32)
    kernel[1](out)
    return out[0]


def rewrite(module, text, seconds=10):
    """The file as an editor leaves it: another text, and a time of change that differs."""
    with open(module.__file__, "w") as file:
        file.write(text)
    now = os.stat(module.__file__).st_mtime + seconds
    os.utime(module.__file__, (now, now))


def refused(kernel, code):
    with pytest.raises(PyascError) as caught:
        result(kernel)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "edited",
    [
        SOURCE.replace("0, 1)", "0, 2)"),
        SOURCE.replace("import asc\n", "import asc\n\n\n"),
        SOURCE.replace("def kernel", "def other"),
        "",
        "def kernel(:\n" * 9,
    ],
    ids=["value", "lines moved", "renamed", "empty", "no Python"],
)
def test_a_file_edited_after_its_import(edited):
    module = load(SOURCE)
    rewrite(module, edited)
    refused(module.kernel, "L502" if len(edited.splitlines()) > 3 else "L501")


def test_an_edit_that_does_not_touch_the_kernel():
    module = load(SOURCE)
    rewrite(module, SOURCE + "\n# a comment\nX = 5\n")
    assert result(module.kernel) == 1


def test_a_file_edited_after_the_first_launch():
    """What is compiled stays; other arguments are compiled from the text that was read."""
    module = load(SOURCE)
    assert result(module.kernel) == 1
    rewrite(module, SOURCE.replace("0, 1)", "0, 2)"))
    assert result(module.kernel) == 1
    out = np.zeros(1, np.int64)
    module.kernel[1](out)
    assert out[0] == 1


def test_an_edited_file_imported_again():
    module = load(SOURCE)
    assert result(module.kernel) == 1
    rewrite(module, SOURCE.replace("0, 1)", "0, 2)"))
    import importlib.util

    spec = importlib.util.spec_from_file_location("again", module.__file__)
    again = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    spec.loader.exec_module(again)
    sys.dont_write_bytecode = before
    assert result(again.kernel) == 2  # linecache still has the old lines unless they are checked
    assert result(module.kernel) == 1


def test_a_device_function_edited_after_its_import():
    source = SOURCE.replace("@asc.jit", "@asc.jit\ndef helper():\n    return 1\n\n@asc.jit", 1).replace("0, 1)", "0, helper())")
    module = load(source)
    rewrite(module, source.replace("return 1", "return 2"))
    refused(module.kernel, "L502")


def test_exec_under_the_name_of_a_file():
    """The text of the file is not that of the function."""
    module = load(SOURCE)
    scope = {}
    exec(compile(SOURCE.replace("0, 1)", "0, 2)"), module.__file__, "exec"), scope)
    refused(scope["kernel"], "L502")
    exec(compile(SOURCE, module.__file__, "exec"), scope)
    assert result(scope["kernel"]) == 1
    assert result(module.kernel) == 1


def test_two_functions_of_one_name():
    text = SOURCE + SOURCE.replace("import asc\n", "first = kernel").replace("0, 1)", "0, 2)")
    module = load(text)
    assert (result(module.first), result(module.kernel)) == (1, 2)


def test_two_functions_of_one_name_on_one_line():
    line = "lambda f: asc.jit(f)"
    module = load(
        "import asc\n"
        "if 1:\n"
        "    def make(n):\n"
        "        @asc.jit\n"
        "        def kernel(dst: asc.GlobalAddress):\n"
        "            out = asc.GlobalTensor()\n"
        "            out.set_global_buffer(dst, 1)\n"
        "            out.set_value(0, n)\n"
        "        return kernel\n"
        f"decorate = {line}\n"
    )
    first, second = module.make(1), module.make(2)
    assert (result(first), result(second), result(first)) == (1, 2, 1)


def test_exec_without_a_text():
    scope = {}
    exec(SOURCE, scope)
    refused(scope["kernel"], "L501")


def test_texts_in_linecache():
    """As notebooks register their cells: each under a name, again under the same name when a cell runs again."""
    for value in (1, 2, 3):
        text = SOURCE.replace("0, 1)", f"0, {value})")
        linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(True), "<cell 1>")
        scope = {}
        exec(compile(text, "<cell 1>", "exec"), scope)
        assert result(scope["kernel"]) == value
    del linecache.cache["<cell 1>"]


RUN = SOURCE + "\nimport numpy as np\nout = np.zeros(1, np.int32)\nkernel[1](out)\nprint(out[0])\n"


def test_command_line():
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True)
    assert done.stdout == "1\n", done.stderr


def test_standard_input():
    """Python keeps no text of what it reads there."""
    done = subprocess.run([sys.executable, "-"], input=RUN, capture_output=True, text=True)
    assert done.returncode == 1
    assert "L501" in done.stderr and "put the function into a file" in done.stderr


def test_compiled_file_without_source(tmp_path):
    import py_compile

    script = tmp_path / "script.py"
    script.write_text(RUN)
    py_compile.compile(str(script), cfile=str(tmp_path / "script.pyc"))
    script.unlink()
    done = subprocess.run([sys.executable, str(tmp_path / "script.pyc")], capture_output=True, text=True)
    assert "L501" in done.stderr


def test_the_same_text_in_two_files(tmp_path):
    """Two files with one text and other globals."""
    modules = [load(SOURCE.replace("0, 1)", "0, N)") + f"\nN = {n}\n") for n in (1, 2)]
    assert [result(module.kernel) for module in modules] == [1, 2]
    assert asc.jit(modules[0].kernel.fn) is not modules[0].kernel
