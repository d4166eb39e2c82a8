# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the site: `make_docs.py FOLDER`. The guides are docs/*.md; the pages of the APIs, the index of errors and the conformance page are
made from the rows of the installed package. Pages are Markdown first, then HTML."""

import ast
import enum
import html
import inspect
import re
import shutil
import sys
from pathlib import Path

import asc
import conformance
import numpy as np
import pyasc
from api_reference import field_default, field_type, own_parameters, signatures, type_of
from asc.language.core.cube_types import STRUCTURES
from asc.language.core.struct import Field, Struct, StructField
from asc.runtime.options import OPTIONS
from markdown_it import MarkdownIt
from pyasc import _core, explained, not_yet

ROOT = Path(__file__).resolve().parent.parent
GUIDES = [
    "getting_started",
    "language",
    "syntax",
    "numbers",
    "memory_and_sync",
    "queues",
    "auto_sync",
    "debugging",
    "blocks",
    "matmul",
    "host",
    "kernel_files",
    "torch",
    "messages",
    "checkers",
    "cache",
    "migration",
    "architecture",
]
LESSONS = sorted((ROOT / "examples").glob("*.py"))
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; display: flex; }
nav { flex: 0 0 15rem; box-sizing: border-box; height: 100vh; position: sticky; top: 0; overflow-y: auto; padding: 1.5rem;
      border-right: 1px solid #8884; font-size: .92rem; }
nav a { display: block; padding: .1rem 0; text-decoration: none; }
nav a[aria-current] { font-weight: bold; color: inherit; }
nav summary { margin-top: 1rem; font-weight: bold; cursor: pointer; }
main { flex: 1; max-width: 60rem; padding: 1.5rem 3rem; min-width: 0; }
pre { padding: .8rem 1rem; overflow-x: auto; background: #8881; border-radius: 6px; line-height: 1.4; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #8884; padding: .3rem .45rem; text-align: left; vertical-align: top; }
@media (max-width: 50rem) { body { display: block; } nav { border: 0; height: auto; position: static; } main { padding: 1rem; } }
"""


def cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(header: list[str], rows: list[list[object]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell(item) for item in line) + " |" for line in lines)


def pipe_of(row: dict) -> str:
    return row["pipe"] or "of the direction"


# ---------------------------------------------------------------- costs


def cycles(cost: tuple) -> str:
    """`20 + n` for a vector instruction of n repeats; what a repeat takes may depend on the size of the elements."""
    fixed, *slopes = cost
    by_slope = {}
    for bits, slope in zip((16, 32, 64), slopes, strict=True):
        by_slope.setdefault(slope, []).append(f"{bits}")
    formulas = {f"{fixed} + {'' if slope == 1 else f'{slope:g} '}n": bits for slope, bits in by_slope.items()}
    if len(formulas) == 1:
        return f"`{next(iter(formulas))}`"
    if formulas and slopes[1] == slopes[2]:
        formulas = {text: [b for b in bits if b != "64"] for text, bits in formulas.items()}
    return ", ".join(f"`{text}` ({' and '.join(bits)} bits)" for text, bits in formulas.items())


def cost_of(row: dict) -> str:
    """What a call costs in simulated time, in words."""
    if row["instead"]:
        return ""
    if row["cost_shape"] == "vector":
        text = " or, by form, ".join(dict.fromkeys(cycles(form["cost"]) for form in row["forms"]))
        return f"{text} cycles for n repeats of 256 bytes; more where banks of the unified buffer collide"
    return {"dma": "that of a transfer", "sync": "a cycle of S, and what it waits for"}.get(row["cost_shape"], "a cycle of S")


def costs_page(reference: dict) -> str:
    by_cycles = {}
    for row in reference["rows"]:
        for formula in dict.fromkeys(cycles(form["cost"]) for form in row["forms"] if form["cost"] and not row["instead"]):
            by_cycles.setdefault(formula, []).append(f"[{row['name']}](api/{row['name']}.md)")
    vector = [[", ".join(names), formula] for formula, names in by_cycles.items()]
    transfers = [
        [
            name,
            f"{t['start']:g}" + (f", and {t['miss_extra']:g} from HBM" if t["miss_extra"] else ""),
            f"{t['rate']:g}" + (f", {t['rate_miss']:g} with HBM" if t["rate_miss"] != t["rate"] else ""),
            f"{t['packet']:g} to {t['packet_all']:g}" if t["packet_all"] else "",
            f"{t['row_min']:g}",
            f"{t['issue']:g}" if t["issue"] else "",
        ]
        for name, t in reference["transfers"].items()
    ]
    return "\n\n".join(
        [
            "# Costs",
            "What things take in simulated time, in cycles of the AI Core. An instruction starts when S has issued it, its pipe is free "
            "and the flags that the pipe waits for are up. The numbers are published ones, or fitted to published measurements. The sum "
            "for a launch is `kernel.last_launch.cycles`.",
            "## Vector instructions",
            "n is the number of repeats of 256 bytes. A repeat takes longer where the blocks of its operands share a group of banks of the "
            "unified buffer, which has 16 groups: as many cycles as the fullest group has rows to read, or to write.",
            table(["instruction", "cycles"], vector),
            "## Transfers",
            "A transfer takes the latency, and for each row, of which contiguous ones are one, the longest of three: its bytes by the "
            "rate, its packets, and the least time of a row. A packet is a naturally aligned piece of at most 512 bytes; it takes longer "
            "the more cores are at work, and all cores share the rates of L2 and HBM. The engine takes the next instruction while one is "
            "on its way.",
            table(["direction", "latency", "bytes per cycle", "a packet", "a row, at least", "between instructions"], transfers),
        ]
    )


# ---------------------------------------------------------------- pages made from the rows


def wrapped(call: str, width: int = 100) -> str:
    """A call in lines of that width, parameters below each other."""
    first, *rest = call.split(", ")
    lines = [first]
    for parameter in rest:
        if len(lines[-1]) + len(parameter) + 3 <= width:
            lines[-1] += f", {parameter}"
        else:
            lines[-1] += ","
            lines.append(" " * (call.index("(") + 1) + parameter)
    return "\n".join(lines)


def api_page(row: dict, titles: dict[str, str], example: tuple[str, str] | None) -> str:
    calls = "\n".join(wrapped(f"asc.{signature}") for signature in signatures(row))
    arguments = [
        [f"`{arg['keyword']}`", type_of(arg), arg["role"], ", ".join(arg["dtypes"]) if arg["kind"] != "int" else "", arg["doc"]]
        for arg in own_parameters(row)
    ]
    text = [
        f"# {row['name']}",
        row["doc"],
        f"```python\n{calls}\n```",
        f"Ascend C: `{row['ascendc']}`. Pipe: {pipe_of(row)}.",
    ]
    if row["instead"]:
        text += [f"The cores of Atlas A2 and A3 have no such instruction, see [T402](../errors/T402.md): {row['instead']}."]
    facts = []
    if row["precision"]:
        facts.append(f"- Precision: {row['precision']}. Source: {row['precision_source']}.")
    if cost := cost_of(row):
        facts.append(f"- [Cost](../costs.md): {cost}.")
    text += ["\n".join(facts)] if facts else []
    if arguments:
        text += ["## Arguments", table(["argument", "type", "role", "element types", "meaning"], arguments)]
    text += ["## Ascend C", "```cpp\n" + "\n".join(form["call"].replace("$", "") + ";" for form in row["forms"]) + "\n```"]
    if row["rules"]:
        text += ["## Rules", "\n".join(f"- [{code}](../errors/{code}.md): {titles[code]}" for code in row["rules"])]
    if example:
        text += ["## Example", "Calls from the tests, with tensors `dst`, `src0`, `src1` and `gm`, and the Ascend C that they become:"]
        text += [f"```python\n{example[0]}\n```", f"```cpp\n{example[1]}\n```"]
    if row["source"]:
        text += [f"Source of the facts: {row['source']}."]
    return "\n\n".join(text)


def struct_page(struct: dict) -> str:
    fields = [
        [f"`{f['name']}`", field_type(f), field_default(f).removeprefix(" = "), f"{f['low']} to {f['high']}" if f["high"] else "", f["doc"]]
        for f in struct["fields"]
    ]
    return "\n\n".join([f"# {struct['name']}", struct["doc"], table(["field", "type", "default", "range", "meaning"], fields)])


def call_of(function: dict) -> str:
    return f"{function['name']}({function['signature'].replace('|', ' or ').replace('=,', '=...,')})"


def class_page(cls: dict) -> str:
    text = [f"# {cls['name']}", cls["doc"]]
    if cls["constructor"]:
        text += [f"```python\nasc.{call_of(cls['constructor'])}\n```"]
    if cls["methods"]:
        methods = [
            [f"`{call_of(method)}`", f"`{method['ascendc']}`" if method["ascendc"] else "", method["doc"]] for method in cls["methods"]
        ]
        text += ["## Methods", table(["method", "Ascend C", "meaning"], methods)]
    return "\n\n".join(text)


# ---------------------------------------------------------------- pages made from the objects themselves


def documented(value: object) -> str:
    """A docstring: its lines `name: meaning` are a list."""
    paragraphs = inspect.getdoc(value).split("\n\n")
    lists = ["\n".join(re.sub(r"^([\w, *]+): ", r"- `\1`: ", line) for line in part.splitlines()) for part in paragraphs[1:]]
    return "\n\n".join([paragraphs[0], *lists])


def signature_of(value: object) -> str:
    """A signature as it stands in the source: annotations are text there, and functions have names."""
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(value)))
    return re.sub(r"<function (\w+) at \w+>", r"\1", text)


def object_page(name: str, value: object, title: str) -> str:
    return f"# {title}\n\n```python\n{name}{signature_of(value)}\n```\n\n{documented(value)}"


def jit_page() -> str:
    text = object_page("asc.jit", asc.jit, "jit")
    return f"{text}\n\nThe [options](../options.md) have a page; the [language guide](../language.md) says what a kernel may contain."


def constexpr_page() -> str:
    return f"# ConstExpr\n\n{documented(asc.ConstExpr)}"


def dtypes_page() -> str:
    """All names of element types; several may be one type."""
    rows = []
    for name in sorted(asc.__all__):
        dtype = getattr(asc, name)
        if isinstance(dtype, _core.DataType) and not dtype.is_void():
            numpy = str(dtype) if hasattr(np, str(dtype)) else ""
            kind = "float" if dtype.is_float() else "signed" if dtype.is_signed() else "unsigned"
            rows.append([f"`asc.{name}`", f"`{dtype}`", kind, dtype.sizeof(), numpy])
    text = "Element types of tensors and types of numbers; `asc.void` is that of nothing. See also [Numbers](../numbers.md)."
    return "\n\n".join(["# Number types", text, table(["name", "type", "kind", "bytes", "NumPy"], rows)])


def enum_page(name: str, members: type[enum.Enum]) -> str:
    rows = [[f"`asc.{name}.{member}`", value.value] for member, value in members.__members__.items()]
    return "\n\n".join([f"# {name}", members.__doc__ or "", table(["member", "value"], rows)])


def pages_of_objects() -> dict[str, str]:
    function = type(asc.number)
    pages = {"jit": jit_page(), "ConstExpr": constexpr_page(), "dtypes": dtypes_page()}
    for name in sorted(asc.__all__):
        value = getattr(asc, name)
        if type(value) is function:
            pages[name] = object_page(f"asc.{name}", value, name)
        elif isinstance(value, enum.EnumMeta):
            pages[name] = enum_page(name, value)
    for cls in (Struct, Field, StructField):
        pages[cls.__name__] = object_page(f"asc.language.core.struct.{cls.__name__}", cls, cls.__name__)
    described = {cls["name"] for cls in _core.reference()["classes"]}
    for name in asc.adv.__all__:
        value = getattr(asc.adv, name)
        if type(value) is function or (isinstance(value, type) and name not in described):
            pages[name] = object_page(f"asc.adv.{name}", value, name)
    return {f"api/{name}": page for name, page in pages.items()}


def host_page(name: str, value: object) -> str:
    """A class or function of pyasc; a class with what it offers."""
    text = [object_page(f"pyasc.{name}", value, f"pyasc.{name}")]
    if inspect.isclass(value):
        members = {key: getattr(value, key) for key in vars(value) if not key.startswith("_")}
        called = {key: member for key, member in members.items() if callable(member)}
        for key, member in called.items():
            owner = value.__name__ if inspect.ismethod(member) else value.__name__.lower()
            signature = re.sub(r"^\(self(, )?", "(", signature_of(member))
            text += [f"## {key}", f"```python\n{owner}.{key}{signature}\n```", documented(member)]
        values = [[f"`{key}`", documented(member)] for key, member in members.items() if isinstance(member, property)]
        text += ["## Properties", table(["name", "meaning"], values)] if values else []
    return "\n\n".join(text)


def pages_of_host() -> dict[str, str]:
    """What `import pyasc` offers, and the rules of its modules."""
    values = {name: getattr(pyasc, name) for name in pyasc.__all__}
    own = {name: value for name, value in values.items() if inspect.isclass(value) or inspect.isfunction(value)}
    own = {name: value for name, value in own.items() if name == value.__qualname__}  # to_numpy is a method of Tensor
    rules = {"tiling.elementwise": pyasc.tiling.elementwise, "tiling.rowwise": inspect.unwrap(pyasc.tiling.rowwise)}
    rules |= {f"shapes.{rule.__name__}": rule for rule in (pyasc.shapes.like_first, pyasc.shapes.same, pyasc.shapes.rows)}
    return {f"api/pyasc.{name}": host_page(name, value) for name, value in sorted((own | rules).items())}


def index_of(pages: dict[str, str]) -> str:
    return table(["name", "meaning"], [[f"[{title_of(text)}]({name}.md)", meaning_of(text)] for name, text in pages.items()])


def meaning_of(page: str) -> str:
    """The first paragraph that is no code."""
    return next((part.replace("../", "") for part in page.split("\n\n")[1:] if part and not part.startswith(("```", "|"))), "")


def cube_page(reference: dict) -> str:
    functions = [[f"`{call_of(function)}`", f"`{function['ascendc']}`", function["doc"]] for function in reference["cube"]]
    structures = [
        [f"`{name}`", doc, ", ".join(f"`{field}`: {meaning}" for field, (_, meaning) in fields.items())]
        for name, (doc, fields) in STRUCTURES.items()
    ]
    return "\n\n".join(
        [
            "# Cube core",
            "The names of the cube core, which multiplies matrices. Its structures can be made; a call of its functions ends in "
            "[T403](errors/T403.md), because there is no cube core in the simulator yet.",
            table(["function", "Ascend C", "meaning"], functions),
            "## Structures",
            table(["name", "meaning", "fields"], structures),
        ]
    )


def api_index(reference: dict, objects: dict[str, str], host: dict[str, str]) -> str:
    apis = [[f"[{row['name']}](api/{row['name']}.md)", row["ascendc"], pipe_of(row), row["doc"]] for row in reference["rows"]]
    structs = [[f"[{struct['name']}](api/{struct['name']}.md)", struct["doc"]] for struct in reference["structs"]]
    classes = [[f"[{cls['name']}](api/{cls['name']}.md)", cls["doc"]] for cls in reference["classes"]]
    return "\n\n".join(
        [
            "# APIs",
            table(["name", "Ascend C", "pipe", "meaning"], apis),
            "## Classes",
            table(["name", "meaning"], classes),
            "## Parameter structures",
            table(["name", "meaning"], structs),
            "## The language",
            index_of(objects),
            "## The host side",
            index_of(host),
        ]
    )


def error_index(codes: list) -> str:
    rows = [[f"[{code}](errors/{code}.md)", title] for code, title, _ in codes]
    return "\n\n".join(
        ["# Errors", "Every message carries a code. `pyasc explain CODE` shows what is said here.", table(["code", "title"], rows)]
    )


def error_page(code: str, title: str, explanation: str) -> str:
    """What `pyasc explain` shows, and the message, which a test compares with what the wrong program gives."""
    example = explained.example(code)
    message = ROOT / f"tests/errors/expected/{code}.txt"
    return "\n\n".join(
        [
            f"# {code}: {title}",
            plain(explanation),
            "## Wrong",
            first_upper(example.wrong.why),
            f"```python\n{example.program(example.wrong)}\n```",
            *([f"```text\n{message.read_text().strip()}\n```"] if message.exists() else []),
            "## Right",
            first_upper(example.right.why),
            f"```python\n{example.right.text}\n```",
        ]
    )


def first_upper(why: str) -> str:
    return f"{why[0].upper()}{why[1:]}."


def plain(text: str) -> str:
    """Text for a terminal, in which * and < mean themselves."""
    return re.sub(r"[*<[]", r"\\\g<0>", text)


def options_page() -> str:
    text = ["# Options", "Given to `@asc.jit(...)` or `kernel.options(...)`. Those of upstream keep their names."]
    for group, title in [("pyasc", "Of pyasc"), ("compile", "Of compiling"), ("launch", "Of the launch"), ("codegen", "Of the front end")]:
        options = [option for option in OPTIONS.values() if option.group == group]
        rows = [[f"`{option.name}`", f"`{option.default!r}`", option.expected, option.meaning] for option in options]
        text += [f"## {title}", table(["option", "default", "values", "meaning"], rows)]
    return "\n\n".join(text)


def conformance_page(reference: dict) -> str:
    rows = [row for row in reference["rows"] if not row["instead"]]
    open_points = [[a["topic"], a["assumption"], a["where"]] for a in reference["assumptions"]]
    return "\n\n".join(
        [
            "# Conformance",
            "What is implemented and tested, where the facts come from, what is left out, and what is assumed.",
            "## Tests",
            "How many cases of tests/apis name the API, in their id or by their function or file, and how many of these an element type in "
            "their id: i8 is int8, u8 uint8, f16 float16, bf16 bfloat16. Empty: the type is not legal. 0: no case names it, but one may "
            "test it among others.",
            tested(rows),
            "## Sources",
            sources(rows),
            "## Left out",
            "Functions that upstream's interface has and that are refused here, with the code of the message:",
            left_out(reference),
            "Forms of [data_copy](api/data_copy.md) and [data_copy_pad](api/data_copy_pad.md) that are for the memories of the cube core "
            "alone end in [T403](errors/T403.md), others with a tensor there in [R111](errors/R111.md) and [R103](errors/R103.md).",
            "## Assumptions",
            "Public documents leave these points open. Each is decided in one place of the code, the last column.",
            table(["topic", "assumption", "decided in"], open_points),
        ]
    )


def tested(rows: list[dict]) -> str:
    """API x element type: how many cases."""
    cases = conformance.cases({row["name"] for row in rows})
    lines, others = [], []
    for row in rows:
        link, legal = f"[{row['name']}](api/{row['name']}.md)", tensor_dtypes(row)
        if legal:
            lines.append([link, cases[row["name"], ""], *(cases[row["name"], t] if t in legal else "" for t in conformance.DTYPES)])
        else:
            others.append(f"{link} {cases[row['name'], '']}")
    short = [re.sub("^(u?)(int|float)", lambda m: m[1] or m[2][0], dtype).replace("bfloat", "bf") for dtype in conformance.DTYPES]
    return f"{table(['API', 'cases', *short], lines)}\n\nThe cases of APIs that take no tensors: {', '.join(others)}."


def sources(rows: list[dict]) -> str:
    """Where the facts are from, for APIs that have all of it in common."""
    groups = {}
    for row in rows:
        key = row["source"], row["precision"].partition(":")[0], row["precision_source"]
        groups.setdefault(key, []).append(f"[{row['name']}](api/{row['name']}.md)")
    return table(["APIs", "source", "precision", "source of the precision"], [[", ".join(names), *key] for key, names in groups.items()])


def left_out(reference: dict) -> str:
    """The functions that are refused whatever their arguments."""
    titles = {code: title for code, title, _ in _core.codes()}
    refused = {
        "T403": [f"[{function['name']}](cube.md)" for function in reference["cube"]],
        "T402": [f"[{row['name']}](api/{row['name']}.md)" for row in reference["rows"] if row["instead"]],
        "L102": [f"`{name}`" for name in not_yet.names()],
    }
    return "\n".join(
        f"- [{code}](errors/{code}.md), {titles[code]} ({len(names)}): {', '.join(names)}" for code, names in refused.items() if names
    )


def tensor_dtypes(row: dict) -> list[str]:
    """The element types of a row: of its first tensor, and of the first that it only reads."""
    tensors = [arg for arg in row["args"] if arg["kind"] in ("local", "global", "tensor")]
    sources = [arg for arg in tensors if arg["role"] == "in"]
    legal = {dtype for arg in tensors[:1] + sources[:1] for dtype in arg["dtypes"]}
    return [dtype for dtype in conformance.DTYPES if dtype in legal]


def lesson_page(path: Path) -> str:
    """A program of examples/, all of which the tests run: what it says of itself, and the rest of it."""
    source = path.read_text()
    docstring = ast.parse(source).body[0]
    program = "\n".join(source.splitlines()[docstring.end_lineno :]).strip()
    return f"# {path.stem}\n\n{prose(docstring.value.value)}\n\n## examples/{path.name}\n\n```python\n{program}\n```"


def prose(docstring: str) -> str:
    """Stars and brackets mean themselves outside of code, too."""
    lines = [
        line if line.startswith("    ") else re.sub(r"(`[^`]*`)|[*<[]", lambda m: m[1] or f"\\{m[0]}", line)
        for line in docstring.splitlines()
    ]
    return "\n".join(lines)


# ---------------------------------------------------------------- the site


def page_of(path: str) -> str:
    """The Markdown of a file; on the site the guides lie beside it."""
    return (ROOT / path).read_text().replace("](docs/", "](")


def all_pages() -> dict[str, str]:
    reference = _core.reference()
    codes = sorted(_core.codes())
    titles = {code: title for code, title, _ in codes}
    objects, host = pages_of_objects(), pages_of_host()
    pages = {"index": page_of("README.md"), "CONTRIBUTING": page_of("CONTRIBUTING.md")}
    pages |= {name: page_of(f"docs/{name}.md") for name in GUIDES}
    pages |= {
        "apis": api_index(reference, objects, host),
        "cube": cube_page(reference),
        "options": options_page(),
        "errors": error_index(codes),
        "conformance": conformance_page(reference),
        "costs": costs_page(reference),
    }
    pages |= {f"examples/{path.stem}": lesson_page(path) for path in LESSONS}
    pages |= {f"errors/{code}": error_page(code, title, text) for code, title, text in codes}
    examples = conformance.examples()
    pages |= {f"api/{row['name']}": api_page(row, titles, examples.get(row["name"])) for row in reference["rows"]}
    pages |= {f"api/{cls['name']}": class_page(cls) for cls in reference["classes"]}
    pages |= {f"api/{struct['name']}": struct_page(struct) for struct in reference["structs"]}
    pages |= objects | host
    return pages


def title_of(markdown: str) -> str:
    return markdown.split("\n", 1)[0].lstrip("# ")


def navigation(pages: dict[str, str], here: str) -> str:
    """Links to all pages; the group of the page itself is open."""
    groups = {
        "Guides": ["index", *GUIDES, "CONTRIBUTING"],
        "Lessons": [f"examples/{path.stem}" for path in LESSONS],
        "Reference": ["apis", "cube", "costs", "options", "errors", "conformance"],
        "APIs": [name for name in pages if name.startswith("api/")],
    }
    up = "../" * here.count("/")
    links = []
    for group, names in groups.items():
        links.append(f"<details{' open' if here in names else ''}><summary>{group}</summary>")
        for name in names:
            current = ' aria-current="page"' if name == here else ""
            links.append(f'<a href="{up}{name}.html"{current}>{html.escape(title_of(pages[name]))}</a>')
        links.append("</details>")
    return "\n".join(links)


def check_links(folder: Path) -> list[str]:
    """Links within the site, and pictures, that lead nowhere."""
    texts = {path.resolve(): path.read_text() for path in folder.rglob("*.html")}
    ids = {path: set(re.findall(r'id="([^"]+)"', text)) for path, text in texts.items()}
    broken = []
    for path, text in texts.items():
        for target, anchor in set(re.findall(r'(?:href|src)="([^":#]*)(?:#([^"]+))?"', text)):
            page = (path.parent / target).resolve() if target else path
            if not page.exists() or (anchor and anchor not in ids.get(page, ())):
                broken.append(f"{path.relative_to(folder.resolve())}: {target}{'#' + anchor if anchor else ''}")
    return sorted(broken)


def with_ids(body: str) -> str:
    """Headings have the ids that GitHub gives them, for links to them."""

    def heading(match: re.Match) -> str:
        words = re.sub(r"<[^>]*>|&\w+;|[^\w\s-]", "", match[2]).strip().lower().replace(" ", "-")
        return f'<{match[1]} id="{words}">{match[2]}</{match[1]}>'

    return re.sub(r"<(h[2-6])>(.*?)</\1>", heading, body)


def main(folder: Path) -> int:
    render = MarkdownIt("commonmark").enable("table").render
    pages = all_pages()
    for name, markdown in pages.items():
        body = re.sub(r'href="([^":]+)\.md', r'href="\1.html', with_ids(render(markdown)))
        body = re.sub(r'href="(?:\.\./)?(examples/[^"]*)\.py"', r'href="\1.html"', body)
        body = re.sub(r'<a href="LICENSE">(.*?)</a>', r"\1", body)  # a file of the repository, not of the site
        title = title_of(markdown)
        page = folder / f"{name}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>{html.escape(title if title == 'pyasc' else title + ' - pyasc')}</title><style>{STYLE}</style>"
            f"<body><nav>{navigation(pages, name)}</nav><main>{body}</main></body></html>\n"
        )
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copy(picture, folder)
    broken = check_links(folder)
    for link in broken:
        print(f"broken link: {link}", file=sys.stderr)
    print(f"{len(pages)} pages; begin with {folder / 'index.html'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
