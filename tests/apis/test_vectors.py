# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs every entry of vectors.yaml as a kernel of its own; arguments of the call are compile-time values as a rule.
from pathlib import Path

import numpy as np
import pytest
import test_vector_binary
import test_vector_mixed
import test_vector_scalar
import test_vector_unary
import yaml
from support.dtypes import NUMPY, assert_same
from support.kernel_file import load

VECTORS = yaml.safe_load((Path(__file__).parent / "vectors.yaml").read_text())
ROWS = [*test_vector_binary.APIS, *test_vector_scalar.APIS, *test_vector_unary.APIS, *test_vector_mixed.APIS]
OPERANDS = {row.name: row.operands for row in ROWS} | {"duplicate": ("dst",), "data_copy": ("dst", "src"), "data_copy_pad": ("dst", "src")}
OPERANDS |= {"add_deq_relu": ("dst", "src0", "src1"), "bilinear_interpolation": ("dst", "src0", "src0_offset", "src1")}
OPERANDS |= {f"{kind}_reduce_{op}": ("dst", "src") for kind in ("block", "pair", "whole") for op in ("sum", "max", "min")}
OPERANDS |= {f"reduce_{op}": ("dst", "src", "shared_tmp_buffer") for op in ("sum", "max", "min")}
OPERANDS |= {"gather_mask": ("dst", "src0", "src1_pattern"), "sort32": ("dst", "src0", "src1")}
OPERANDS |= {
    "cast": ("dst", "src"),
    "cast_deq": ("dst", "src"),
    "compare": ("dst", "src0", "src1"),
    "select": ("dst", "sel_mask", "src0", "src1"),
}
STRUCTS = {row.name: row.params for row in ROWS} | {"data_copy": "DataCopyParams", "gather_mask": "GatherMaskParams"}
STRUCTS |= {"select": "BinaryRepeatParams"}
OPERANDS |= {"gather": ("dst", "src", "src_offset"), "gatherb": ("dst", "src0", "offset"), "brcb": ("dst", "src0")}
OPERANDS |= dict.fromkeys(["copy", "transpose", "trans_data_to_5hd"], ("dst", "src"))
STRUCTS |= {"gatherb": "GatherRepeatParams", "brcb": "BrcbRepeatParams", "copy": "CopyRepeatParams"}
ELEMENTS = 2048  # of every operand's buffer


def numbers(v) -> list:
    if isinstance(v, list):
        return v
    [(kind, what)] = v.items()
    if kind == "ramp":
        first, step, n = what
        return [first + step * i for i in range(n)]
    if kind == "fill":
        return [what[0]] * what[1]
    if kind == "tile":
        return numbers(what[0]) * what[1]
    if kind == "each":
        return [x for x in numbers(what[0]) for _ in range(what[1])]
    parts = [numbers(part) for part in what]
    return [x for part in (parts if kind == "concat" else zip(*parts, strict=True)) for x in part]


def types_of(entry: dict) -> dict[str, str]:
    """The element types of the operands; those that the entry does not show are like dst, whose bits may be shown as another type."""
    dst = entry["out"]["dst"].get("of", entry["out"]["dst"]["dtype"])
    names = [name for name in OPERANDS[entry["api"]] if name not in entry["args"]]
    return {name: dst if name == "dst" else entry.get("in", {}).get(name, {}).get("dtype", dst) for name in names}


def kernel_text(entry: dict) -> str:
    api, args = entry["api"], dict(entry["args"])
    types = types_of(entry)
    tensors = {name: entry.get("in", {}).get(name, {}) for name in types}
    direction = args.pop("dir", "")
    run_time = [] if entry.get("check", True) else ["count"]
    args |= {name: name for name in run_time}
    if isinstance(args.get("params"), list):
        params = ", ".join(map(str, args.pop("params")))
        args["params" if api == "gather_mask" else "repeat_params"] = f"asc.{STRUCTS[api]}({params})"
    call = [
        tensor.get("alias", name) for name, tensor in tensors.items() if name not in args and not (name == "dst" and "register" in entry)
    ]
    if direction:
        call = ["dst", "src_gm"] if direction == "gm2ub" else ["dst_gm", "src"]
    if api == "trans_data_to_5hd":
        call = [f"[{name}[i * {32 // NUMPY[types[name]].itemsize}] for i in range(16)]" for name in types]
    call += [f"{name}={value}" for name, value in args.items()]
    body, loaded = [], [name for name, tensor in tensors.items() if "alias" not in tensor]
    for i, name in enumerate(loaded):
        body += [
            f"{name}_gm = asc.GlobalTensor()",
            f"{name}_gm.set_global_buffer({name}_address, {ELEMENTS})",
            f"{name} = asc.LocalTensor(asc.{types[name]}, asc.TPosition.VECCALC, {i * 8 * ELEMENTS}, {ELEMENTS})",
            f"asc.data_copy({name}, {name}_gm, {ELEMENTS})",
        ]
    body.append("asc.pipe_barrier(asc.PipeID.PIPE_ALL)")
    if state := entry.get("state"):
        low, high = state["mask"]
        body += ["asc.set_mask_count()", f"asc.set_vector_mask({high}, {low}, dtype=asc.{types['dst']}, mode=asc.MaskMode.{state['mode']})"]
    body += entry.get("before", [])
    body.append(f"result = asc.{api}({', '.join(call)})")
    if "result" in entry["out"]:
        body += [f"if result != {entry['out']['result']}:", "    asc.trap()"]
    body += entry.get("after", [])
    body += ["asc.set_mask_norm()", "asc.reset_mask()"] if state else []
    body.append("asc.pipe_barrier(asc.PipeID.PIPE_ALL)")
    body += [f"asc.data_copy(dst_gm, dst, {ELEMENTS})"] if direction != "ub2gm" else []
    params = ", ".join([*(f"{name}_address: asc.GlobalAddress" for name in loaded), *run_time])
    return f"import asc\n\n\n@asc.jit\ndef kernel({params}):\n" + "".join(f"    {line}\n" for line in body)


@pytest.mark.parametrize("entry", VECTORS, ids=lambda entry: entry["id"])
def test_vector(entry):
    want = entry["out"]["dst"]
    arrays = {}
    for name, dtype in types_of(entry).items():
        tensor = entry.get("in", {}).get(name, {})
        if "alias" not in tensor:
            arrays[name] = np.zeros(ELEMENTS, NUMPY[dtype])
            values = numbers(tensor["v"]) if tensor else []
            arrays[name][: len(values)] = values
    kernel = load(kernel_text(entry)).kernel
    if entry.get("check", True):
        kernel[1](*arrays.values())
    else:
        kernel.options(check=False)[1](*arrays.values(), entry["args"]["count"])
    wanted = np.array(numbers(want["v"]), NUMPY[want["dtype"]])
    got = arrays["dst"].view(wanted.dtype)[: wanted.size]
    if "rel" in entry:
        np.testing.assert_allclose(got, wanted, rtol=entry["rel"])
    else:
        assert_same(got, wanted, entry["id"])
