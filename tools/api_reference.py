# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python signatures of the APIs, from the rows of the built module. Stubs and pages are both made with it."""

from collections.abc import Iterable

TYPES = {
    "local": "LocalTensor",
    "global": "GlobalTensor",
    "tensor": "LocalTensor | GlobalTensor",
    "int": "int",
    "constant": "int",
    "number": "int | float",
    "mask": "list[int]",
    "shape": "ShapeInfo",
    "flag": "bool",
    "dtype": "DataType",
    "list": "list[int]",
}


def type_of(arg: dict) -> str:
    if arg["list"]:
        return "list[LocalTensor]"
    if arg["kind"] == "structs":
        return f"list[{arg['type']}]"
    if arg["kind"] == "int" and arg["dtypes"] == ["bool"]:
        return "bool"
    if arg["kind"] == "local" and arg["type"]:
        return arg["type"]
    return TYPES.get(arg["kind"]) or arg["type"]


def default_of(arg: dict) -> str:
    if arg["kind"] == "flag" or arg["dtypes"] == ["bool"]:
        return str(bool(arg["default"]))
    return str(arg["default"])


def field_type(field: dict) -> str:
    """The Python type of a field of a parameter structure."""
    if field["kind"] == "dtype":
        return "DataType"
    if field["kind"] == "local":
        return "LocalTensor" if field["default"] is None else "LocalTensor | None"
    if field["kind"] == "member":
        return field["type"]
    number = "bool" if field["dtype"] == "bool" else "float" if field["dtype"].startswith("float") else "int"
    return {"list": f"list[{number}]", "element": "int | float"}.get(field["kind"], number)


def field_default(field: dict) -> str:
    if field["default"] is None:
        return ""
    if field["kind"] == "local":
        return " = None"
    if field["kind"] == "member":
        return f" = {field['type']}({field['default']})"
    return f" = {bool(field['default'])}" if field["dtype"] == "bool" else f" = {field['default']}"


def own_parameters(row: dict) -> list[dict]:
    """The arguments of a row; those that a list has together once."""
    return [arg for i, arg in enumerate(row["args"]) if not (i and arg["list"] and arg["list"] == row["args"][i - 1]["list"])]


def parameters(row: dict, form: dict) -> list[str]:
    """The parameters of one overload as Python writes them."""
    written = []
    for index in form["args"]:
        arg = row["args"][index]
        default = "" if arg["default"] is None else f" = {default_of(arg)}"
        written.append(f"{arg['keyword']}: {type_of(arg)}{default}")
    return written


def result_of(row: dict, form: dict) -> str:
    if not form["results"]:
        return "None"
    if row["result"] == "dtype":
        return "int | float"
    one = "float" if row["result"].startswith(("float", "bfloat")) else "int"
    return one if form["results"] == 1 else f"tuple[{', '.join([one] * form['results'])}]"


def signatures(row: dict) -> Iterable[str]:
    """`name(parameters) -> result` of every overload."""
    forms = [f"{row['name']}({', '.join(parameters(row, form))}) -> {result_of(row, form)}" for form in row["forms"]]
    yield from dict.fromkeys(forms)  # some differ in Ascend C only
