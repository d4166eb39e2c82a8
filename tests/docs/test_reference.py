# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is made from the rows: the site and the stubs."""

import ast
import enum
import html
import inspect
import re
import subprocess
import sys
from pathlib import Path

import asc
import pytest
from pyasc import _core, explained, not_yet

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    run = subprocess.run([sys.executable, ROOT / "tools" / "make_docs.py", folder], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return folder


def test_site_has_a_page_for_everything_and_no_broken_link(site):
    errors = (site / "errors.html").read_text()
    for row in _core.reference()["rows"]:
        assert f"asc.{row['name']}(" in (site / "api" / f"{row['name']}.html").read_text()
    for cls in _core.reference()["classes"]:
        page = (site / "api" / f"{cls['name']}.html").read_text()
        assert all(f"<code>{method['name']}(" in page for method in cls["methods"])
    for name in asc.__all__:
        value = getattr(asc, name)
        if isinstance(value, (enum.EnumMeta, type(asc.number))):
            page = html.unescape((site / "api" / f"{name}.html").read_text())
            assert (
                all(f"asc.{name}.{member}<" in page for member in value.__members__)
                if isinstance(value, enum.EnumMeta)
                else f"asc.{name}(" in page
            )
    dtypes = (site / "api" / "dtypes.html").read_text()
    assert all(f"<code>asc.{name}</code>" in dtypes for name in ("int8", "uint64", "float16", "bfloat16", "bool_", "half"))
    for name, word in {
        "jit": "asc.jit(fn=None, **options)",
        "TCubeTiling": "single_core_m",
        "Struct": "header",
        "ConstExpr": "annotation",
    }.items():
        assert word in (site / "api" / f"{name}.html").read_text()
    cube = (site / "cube.html").read_text()
    assert all(f"<code>{function['name']}(" in cube for function in _core.reference()["cube"])
    for code, title, _ in _core.codes():
        assert f'href="errors/{code}.html"' in errors
        page = html.unescape((site / "errors" / f"{code}.html").read_text())
        example = explained.example(code)
        assert title in page and example.wrong.text in page and example.right.text in page
    assert "error[K101]: kernel 'fill' is called without" in (site / "errors" / "K101.html").read_text()
    conformance = html.unescape((site / "conformance.html").read_text())
    for assumption in _core.reference()["assumptions"]:
        assert all(assumption[part] in conformance for part in ("topic", "assumption", "where"))


def test_pages_tell_the_precision(site):
    reference = _core.reference()
    topics = {assumption["topic"] for assumption in reference["assumptions"]}
    conformance = html.unescape((site / "conformance.html").read_text())
    for row in reference["rows"]:
        page = html.unescape((site / "api" / f"{row['name']}.html").read_text())
        assert ("Precision: " in page) == bool(row["precision"]), row["name"]
        assert row["precision"] in page and row["precision_source"] in page and row["precision_source"] in conformance
        assert set(re.findall('"([^"]+)"', row["precision_source"])) <= topics, row["name"]
    assert "on a device the last bit may differ (1 ulp)" in (site / "api" / "exp.html").read_text()


def test_pages_tell_the_cost(site):
    reference = _core.reference()
    for row in reference["rows"]:
        page = html.unescape((site / "api" / f"{row['name']}.html").read_text())
        assert ("Cost</a>: " in page) == (not row["instead"]), row["name"]
        assert row["instead"] or all((row["cost_shape"] == "vector") == bool(form["cost"]) for form in row["forms"]), row["name"]
    page = (site / "api" / "exp.html").read_text()
    assert "<code>27 + 4 n</code> (16 bits), <code>27 + 2 n</code> (32 bits) cycles" in page  # the numbers of the hardware table
    costs = (site / "costs.html").read_text()
    assert all(f">{name}</td>" in costs for name in ("GM to UB", "UB to GM", "UB to UB"))


def test_page_lists_what_is_left_out(site):
    """All functions that are refused whatever their arguments, with the code; and none that is there."""
    reference = _core.reference()
    page = html.unescape(re.sub("<[^>]+>", "", (site / "conformance.html").read_text()))
    section = page.split("\nLeft out\n")[1].split("\nAssumptions\n")[0]
    listed = {line[:4]: line.partition("): ")[2].split(", ") for line in section.splitlines() if re.match(r"[A-Z]\d{3}, ", line)}
    assert listed["T403"] == [function["name"] for function in reference["cube"]]
    assert listed["T402"] == [row["name"] for row in reference["rows"] if row["instead"]]
    absent = [name for name in not_yet.names() if not hasattr(asc.adv if name.startswith("asc.adv.") else asc, name.rpartition(".")[2])]
    assert listed.get("L102", []) == absent == not_yet.names()


def test_lessons_are_on_the_site(site):
    for path in (ROOT / "examples").glob("*.py"):
        page = html.unescape((site / "examples" / f"{path.stem}.html").read_text())
        assert path.read_text().split('"""', 2)[2].strip() in page
        assert f'href="examples/{path.stem}.html"' in (site / "index.html").read_text()


def test_assumptions_are_decided_where_they_say():
    topics = [assumption["topic"] for assumption in _core.reference()["assumptions"]]
    assert len(set(topics)) == len(topics)
    sources = {path: path.read_text() for path in (ROOT / "src").rglob("*.[ch]*")}
    header = sources[ROOT / "src/apis/assumptions.h"]
    constants = re.findall(r"^inline constexpr .*\b(\w+) = .*; +// (\".*)", header, re.MULTILINE)
    assert len(constants) == len(re.findall("^inline constexpr", header, re.MULTILINE)) - 1  # and the table itself
    for name, told in constants:
        assert set(re.findall('"([^"]+)"', told)) <= set(topics), name
        assert any(f"assume::{name}" in text for text in sources.values()), name
    comments = [re.sub(r"\n *//+ ", " ", text) for text in sources.values()]
    quoted = [topic for text in comments for topic in re.findall('[Aa]ssumption "([^"]+)"', text)]
    assert quoted and set(quoted) <= set(topics)
    for where in (assumption["where"] for assumption in _core.reference()["assumptions"]):
        files = re.findall(r"[\w/]+\.(?:cpp|h)\b", where)
        texts = [text for path, text in sources.items() if not files or path.as_posix().endswith(tuple(f"/{file}" for file in files))]
        assert texts, where
        for function in re.findall(r"(\w+)\(\)", where):
            assert any(f"{function}(" in text for text in texts), where


@pytest.mark.plain_build
def test_stub_has_every_name_with_every_form():
    stub = Path(asc.__file__).with_name("__init__.pyi")
    tree = ast.parse(stub.read_text())
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    for row in _core.reference()["rows"]:
        forms = {tuple(form["args"]) for form in row["forms"]}  # some differ in Ascend C only
        assert functions.count(row["name"]) == len(forms) or row["name"] in asc.adv.__all__, row["name"]
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert {struct["name"] for struct in _core.reference()["structs"]} <= classes


@pytest.mark.plain_build
def test_stub_of_the_extension_has_the_methods_of_tensors():
    tree = ast.parse(Path(_core.__file__).with_name("_core.pyi").read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    methods = {node.name: ast.unparse(node.args) for node in classes["LocalTensor"].body if isinstance(node, ast.FunctionDef)}
    assert methods["set_value"] == "self, index, value"
    assert methods["__init__"] == "self, dtype=..., pos=..., addr=..., tile_size=..."
    methods = {node.name: ast.unparse(node.args) for node in classes["TQueBind"].body if isinstance(node, ast.FunctionDef)}
    assert methods["alloc_tensor"] == "self, dtype"
    assert [ast.unparse(base) for base in classes["TQue"].bases] == ["TQueBind"]
    spellings = {ast.unparse(node) for node in classes["TQueBind"].body if isinstance(node, ast.Assign)}
    assert {"AllocTensor = alloc_tensor", "EnQue = enque", "DeQue = deque", "FreeTensor = free_tensor"} <= spellings


@pytest.mark.parametrize(
    ("function", "text"),
    [(asc.add, "(dst, src0, src1, count, is_set_mask=True)"), (asc.number, "(value, dtype)"), (asc.get_block_idx, "()")],
    ids=["add", "number", "get_block_idx"],
)
def test_signature(function, text):
    assert str(inspect.signature(function)) == text


def test_docstring_says_things_once():
    lines = asc.data_copy_pad.__doc__.splitlines()
    assert lines.count("dst: destination") == 1
    assert sum(line.startswith("pad_params: ") for line in lines) == 1  # the forms agree on what they are for


@pytest.mark.plain_build
def test_stub_of_add_reads_as_documented():
    stub = Path(asc.__file__).with_name("__init__.pyi").read_text()
    assert "def add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = True) -> None:" in stub
