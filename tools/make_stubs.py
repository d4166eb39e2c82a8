# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the type stubs of a build: `make_stubs.py EXTENSION PACKAGES FOLDER`, with the extension module just linked and the folder of the
Python packages. Names that come from the rows get their signatures from them; all others are taken over from the module that defines
them."""

import enum
import importlib.util
import inspect
import re
import sys
import textwrap
import types
from pathlib import Path

from api_reference import field_default, field_type, parameters, result_of
from nanobind.stubgen import StubGen

HEADER = '# Made from the API rows when the package was built.\n"""Kernels for Ascend AI Cores: the kernel language."""\n'


def load(extension: Path, packages: Path):
    """Imports the packages from their sources with the extension of the build."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(packages))
    spec = importlib.util.spec_from_file_location("pyasc._core", extension)
    core = importlib.util.module_from_spec(spec)
    sys.modules["pyasc._core"] = core
    spec.loader.exec_module(core)
    import asc

    return core, asc


class ExtensionStub(StubGen):
    """The stub of the extension module. Some of its classes give every object a docstring of its own: a property, not a text. A double
    quote at the end of a docstring would end it too early."""

    def put_docstr(self, docstr) -> None:
        if isinstance(docstr, str):
            super().put_docstr(docstr.replace('"', "'"))


def docstring(text: str, indent: str = "    ") -> str:
    wrapped = textwrap.fill(text, 136, initial_indent=indent + '"""', subsequent_indent=indent)
    return f'{wrapped}"""'


def function_stub(row: dict) -> str:
    forms = []
    for form in row["forms"]:
        arguments = [row["args"][index] for index in form["args"]]
        text = "\n".join([row["doc"], "", *[f"    - {arg['keyword']}: {arg['doc']}" for arg in arguments], '    """'])
        text = text if arguments else f'{row["doc"]}"""'
        forms.append(f'def {row["name"]}({", ".join(parameters(row, form))}) -> {result_of(row, form)}:\n    """{text}\n    ...')
    forms = list(dict.fromkeys(forms))  # some differ in Ascend C only
    return forms[0] if len(forms) == 1 else "\n".join(f"@overload\n{form}" for form in forms)


def plain_function_stub(function, method: bool = False, spelling: str = "") -> str:
    """A function or method that has no row: its results are values of the device, of which type checkers know nothing. `spelling`: its
    name in Ascend C."""
    names = [
        str(p) if p.default is inspect.Parameter.empty else f"{p.name}={'...' if p.default is ... else repr(p.default)}"
        for p in inspect.signature(function).parameters.values()
    ]
    indent = "    " * method
    head = f"{indent}def {function.__name__}({', '.join(['self'] * method + names)}) -> Any:"
    other = f"\n\n{indent}{spelling} = {function.__name__}" if spelling else ""
    return f"{head}\n{docstring(function.__doc__, indent + '    ')}\n{indent}    ...{other}"


def constructor_stub(signature: str) -> str:
    names = [name.partition("=")[0].partition("|")[0] + "=..." * ("=" in name) for name in signature.split(", ") if name]
    return f"    def __init__({', '.join(['self', *names])}) -> None: ..."


# Members that the interpreter's own tables define, without types.
NATIVE_TYPES = {
    "compile": "CompiledKernel",
    "cache_info": "CacheInfo",
    "explain_cache": "str",
    "last_launch": "LaunchResult",  # None before a launch
    "cores": "int",
    "kernel": "Kernel",
    "stream": "Any",
    "__getitem__(self, key, /):": "__getitem__(self, cores: Any, /) -> Launcher:",
    "__call__(self, /, *args, **kwargs):": "__call__(self, /, *args: Any, **kwargs: Any) -> None:",
}


def native_member_stub(owner: type, name: str) -> str:
    member = vars(owner)[name]
    text = docstring(member.__doc__, "        ")
    if inspect.ismethoddescriptor(member):
        given = ", *args: Any, **kwargs: Any" if name == "compile" else ""
        return f"    def {name}(self{given}) -> {NATIVE_TYPES[name]}:\n{text}\n        ..."
    return f"    @builtins.property\n    def {name}(self) -> {NATIVE_TYPES[name]}:\n{text}\n        ..."


def extension_stub(core) -> str:
    """nanobind's stub of the extension module, with the methods of tensors as methods, and the parameters of constructors."""
    generator = ExtensionStub(core)
    generator.put(core)
    classes = {cls["name"]: cls for cls in core.reference()["classes"]}
    spellings = {(cls["name"], method["name"]): method["ascendc"] for cls in classes.values() for method in cls["methods"]}
    lines, owner = [], core
    for line in generator.get().replace("-> object:", "-> Any:").splitlines():
        if found := re.match(r"class (\w+)", line):
            owner = getattr(core, found[1])
        if found := re.fullmatch(r"( *)(\w+): Function = \.\.\.", line):
            method = bool(found[1])
            line = plain_function_stub(getattr(owner if method else core, found[2]), method, spellings.get((owner.__name__, found[2]), ""))
        if "def __init__(self, *args" in line and (constructor := classes.get(owner.__name__, {}).get("constructor")):
            line = constructor_stub(constructor["signature"])
            if owner in (core.range, core.static_range):
                line += "\n\n    def __iter__(self) -> Iterator[Any]: ..."
        if owner in (core.LocalTensor, core.GlobalTensor) and "def __repr__" in line:
            parts = [f"    def {name} -> {owner.__name__}: ..." for name in ("__getitem__(self, index)", "__call__(self, offset)")]
            line = "\n\n".join([*parts, line])
        if owner in (core.Kernel, core.Launcher):
            for name in ("__getitem__", "__call__"):
                if line.startswith(f"    def {name}("):
                    line = f"    def {NATIVE_TYPES[line.removeprefix('    def ')]}"
            if found := re.fullmatch(r"    (\w+): \w+_descriptor = \.\.\.", line):
                line = native_member_stub(owner, found[1]) if found[1] in NATIVE_TYPES else line
        if not line.endswith("_descriptor = ..."):
            lines.append(line)
    text = "\n".join(lines).replace("@property", "@builtins.property")  # there is a function of that name
    return f"import builtins\nfrom collections.abc import Iterator\nfrom typing import Any\n{text}\n"


def struct_stub(struct: dict) -> str:
    fields = "\n".join(f"    {f['name']}: {field_type(f)}" for f in struct["fields"])
    arguments = ", ".join(f"{f['name']}: {field_type(f)}{field_default(f)}" for f in struct["fields"])
    return f"class {struct['name']}:\n{docstring(struct['doc'])}\n{fields}\n    def __init__(self, {arguments}) -> None: ..."


def cube_struct_stub(struct: type) -> str:
    """A structure of the cube core, which only Python knows."""
    arguments = ", ".join(
        f"{p.name}: Any" + ("" if p.default is inspect.Parameter.empty else " = ...") for p in inspect.signature(struct).parameters.values()
    )
    fields = "\n".join(f"    {name}: Any" for name in inspect.signature(struct).parameters)
    return f"class {struct.__name__}:\n{docstring(struct.__doc__)}\n{fields}\n    def __init__(self, {arguments}) -> None: ..."


def enum_stub(name: str, members: type[enum.Enum]) -> str:
    lines = "\n".join(f"    {member} = {value.value}" for member, value in members.__members__.items())
    return f"class {name}(IntEnum):\n{docstring(members.__doc__ or name)}\n{lines}"


def package_stub(core, asc) -> str:
    reference = core.reference()
    rows = {row["name"]: row for row in reference["rows"]}
    structs = {struct["name"]: struct for struct in reference["structs"]}
    imports, definitions = [], []
    for name in sorted(asc.__all__):
        value = getattr(asc, name)
        if name in rows:
            definitions.append(function_stub(rows[name]))
        elif name in structs:
            definitions.append(struct_stub(structs[name]))
        elif isinstance(value, type) and issubclass(value, asc.language.core.types.Struct):
            definitions.append(cube_struct_stub(value))
        elif isinstance(value, tuple):  # a constant of Ascend C
            imports.append(f"from {type(value).__module__} import {name} as {name}")
        elif isinstance(value, enum.EnumMeta):
            definitions.append(enum_stub(name, value))
        elif name == "ConstExpr":  # to a type checker, ConstExpr[int] is int
            definitions.append("_T = TypeVar('_T')\nConstExpr = Annotated[_T, 'known while compiling']")
        elif isinstance(value, core.DataType):
            definitions.append(f"{name}: DataType")
        elif isinstance(value, types.ModuleType):
            imports.append(f"from {value.__name__.rpartition('.')[0]} import {name} as {name}")
        else:
            imports.append(f"from {value.__module__} import {value.__name__} as {name}")
    head = ["from enum import IntEnum", "from typing import Annotated, Any, TypeVar, overload", "", *sorted(imports)]
    return HEADER + "\n".join(head) + "\n\n" + "\n\n".join(definitions) + "\n"


def adv_stub(core, adv) -> str:
    """The module asc.adv, whose names come from its parts."""
    rows = {row["name"]: row for row in core.reference()["rows"]}
    head = ["from typing import Any, overload", "", "from asc import GlobalTensor, LocalTensor"]
    others = [f"from {getattr(adv, name).__module__} import {name} as {name}" for name in sorted(adv.__all__) if name not in rows]
    functions = [function_stub(rows[name]) for name in sorted(adv.__all__) if name in rows]
    return HEADER + "\n".join([*head, *others]) + "\n\n" + "\n\n".join(functions) + "\n"


def main(extension: str, packages: str, folder: str) -> None:
    core, asc = load(Path(extension), Path(packages))
    texts = {"pyasc/_core.pyi": extension_stub(core), "asc/__init__.pyi": package_stub(core, asc)}
    for path, text in (texts | {"asc/language/adv/__init__.pyi": adv_stub(core, asc.adv)}).items():
        stub = Path(folder) / path
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
