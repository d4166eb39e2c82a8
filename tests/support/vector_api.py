# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of vector instructions by construction: from one row (name, formula, element types) come all forms, element types, masks, repeats,
# strides, offsets and values. A form is compiled once per element type; its cases are run-time arguments.
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from support import vector_unit as unit
from support.dtypes import FLOATS, NUMPY, assert_same, random_array, special_values
from support.kernel_file import load

REGION_BYTES = 64 * 1024  # each operand has a third of the unified buffer


@dataclass(frozen=True)
class VectorApi:
    name: str
    formula: Callable  # NumPy arrays of the sources, then the scalar if there is one
    dtypes: tuple[str, ...]  # a pair is written float16_to_int8: of the sources, and of dst
    sources: tuple[str, ...]
    scalar: bool = False
    params: str = ""  # the struct of the strides; "" = two numbers
    reads_dst: bool = False  # the formula gets dst, too, after the sources
    scalars: Callable = lambda dtype: [*special_values(dtype), NUMPY[dtype].type(3)]  # worth testing
    before: tuple[str, ...] = ()  # statements before the call
    legal: Callable = lambda case: True  # which cases the instruction takes
    argument: str = ""  # one more after the operands
    keywords: str = ""  # more at the end
    reach: int = REGION_BYTES  # how far it may go in each operand

    @property
    def operands(self) -> tuple[str, ...]:
        return ("dst", *self.sources)

    @property
    def strides(self) -> list[str]:
        return [f"{name}_block" for name in self.operands] + [f"{name}_repeat" for name in self.operands]


def type_of(dtype: str, operand: str) -> str:
    """The element type of an operand."""
    sources, _, dst = dtype.partition("_to_")
    return dst if dst and operand == "dst" else sources


def itemsize_of(dtype: str, operand: str) -> int:
    return NUMPY[type_of(dtype, operand)].itemsize


def widest(dtype: str) -> int:
    """The size of the elements that a repeat has 256 bytes of."""
    return max(itemsize_of(dtype, "dst"), itemsize_of(dtype, "src"))


def blocks_of(dtype: str, operand: str) -> int:
    """Blocks of a repeat of an operand: a narrow one has fewer."""
    return unit.BLOCKS * itemsize_of(dtype, operand) // widest(dtype)


@dataclass(frozen=True)
class Form:
    """One way to call a vector instruction: the statements before it, its arguments after the operands, the statements after it."""

    name: str
    params: tuple[str, ...]
    call: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


# count_register: only instructions with a scalar source take is_set_mask with a count.
FORMS = {
    form.name: form
    for form in (
        Form("count", ("count",), "count"),
        Form("mask", ("mask", "repeats"), "mask, repeats, STRIDES"),
        Form("mask_bits", ("low", "high", "repeats"), "[low, high], repeats, STRIDES"),
        Form(
            "mask_register",
            ("low", "high", "repeats"),
            "1, repeats, STRIDES, is_set_mask=False",
            before=("asc.set_vector_mask(high, low, dtype=asc.DTYPE, mode=asc.MaskMode.NORMAL)",),
            after=("asc.reset_mask()",),
        ),
        Form(
            "count_register",
            ("low", "high"),
            "1, is_set_mask=False",
            before=("asc.set_vector_mask(high, low, dtype=asc.DTYPE, mode=asc.MaskMode.NORMAL)",),
            after=("asc.reset_mask()",),
        ),
        Form(
            "counter",
            ("count",),
            "1, 1, STRIDES, is_set_mask=False",
            before=("asc.set_mask_count()", "asc.set_vector_mask(count, dtype=asc.DTYPE, mode=asc.MaskMode.COUNTER)"),
            after=("asc.set_mask_norm()", "asc.reset_mask()"),
        ),
    )
}
COMMON_FORMS = [name for name in FORMS if name != "count_register"]


def kernel_text(api: VectorApi, form: Form, dtype: str, operands: tuple[str, ...] | None = None) -> str:
    """A kernel that loads its operands, runs the instruction on `operands` (default: all different) and stores dst."""
    operands = operands or api.operands
    loaded = [name for name in api.operands if name in operands]
    params = [f"{name}_address: asc.GlobalAddress" for name in loaded] + ["size: int"] + [f"{name}_offset: int" for name in loaded]
    params += (["scalar"] if api.scalar else []) + list(form.params) + (api.strides if "STRIDES" in form.call else [])
    strides = ", ".join(api.strides)
    args = [f"{name}[{name}_offset]" for name in operands] + (["scalar"] if api.scalar else [])
    args += [api.argument] if api.argument else []
    args.append(form.call.replace("STRIDES", f"asc.{api.params}({strides})" if api.params else strides))
    args += [api.keywords] if api.keywords else []
    body = []
    for name in loaded:
        at, itemsize = api.operands.index(name) * REGION_BYTES, itemsize_of(dtype, name)
        body += [
            f"{name}_gm = asc.GlobalTensor()",
            f"{name}_gm.set_global_buffer({name}_address, size // {itemsize})",
            f"{name} = asc.LocalTensor(asc.{type_of(dtype, name)}, asc.TPosition.VECCALC, {at}, {REGION_BYTES // itemsize})",
            f"asc.data_copy({name}, {name}_gm, size // {itemsize})",
        ]
    body += ["asc.set_flag(asc.HardEvent.MTE2_V, 0)", "asc.wait_flag(asc.HardEvent.MTE2_V, 0)"]
    body += [line.replace("DTYPE", type_of(dtype, "dst" if widest(dtype) == itemsize_of(dtype, "dst") else "src")) for line in form.before]
    body += [*api.before, f"asc.{api.name}({', '.join(args)})", *form.after]
    body += [
        "asc.set_flag(asc.HardEvent.V_MTE3, 0)",
        "asc.wait_flag(asc.HardEvent.V_MTE3, 0)",
        f"asc.data_copy(dst_gm, dst, size // {itemsize_of(dtype, 'dst')})",
    ]
    return f"import asc\n\n\n@asc.jit\ndef kernel({', '.join(params)}):\n" + "".join(f"    {line}\n" for line in body)


def _strides(api: VectorApi, dtype: str) -> list[dict[str, int]]:
    """Dense; gaps; one operand broadcast or repeated; columns; the largest values."""
    dense = dict.fromkeys(api.strides, 1) | {f"{name}_repeat": blocks_of(dtype, name) for name in api.operands}
    result = [dense, {name: stride * 2 for name, stride in dense.items()}]
    result.append({name: 8 if name.endswith("block") else 1 for name in api.strides})
    for name in api.operands:
        result.append(dense | {f"{name}_block": 3, f"{name}_repeat": 25})
        result.append(dense | {f"{name}_repeat": 255})
        result.append(dense | {f"{name}_block": 255, f"{name}_repeat": 1})
        result.append(dense | {f"{name}_repeat": 0})
    for name in api.sources:
        result.append(dense | {f"{name}_block": 0})
    return result


def _masks(lanes: int) -> list[int]:
    per_block = lanes // unit.BLOCKS
    return [0, 1, 2, per_block - 1, per_block, per_block + 1, lanes // 2, lanes // 2 + 1, lanes - 1, lanes, lanes + 1, 1000]


def _bits(lanes: int, rng: random.Random) -> list[tuple[int, int]]:
    ones, even = (1 << 64) - 1, 0x5555555555555555
    if lanes <= 64:
        keep = (1 << lanes) - 1
        return [(m & keep, 0) for m in (0, 1, 8, even, ones, 1 << (lanes - 1), *(rng.getrandbits(64) for _ in range(4)))]
    corners = [(0, 0), (1, 0), (8, 2), (even, even), (ones, ones), (0, 1 << 63), (0, ones)]
    return corners + [(rng.getrandbits(64), rng.getrandbits(64)) for _ in range(4)]


def cases(api: VectorApi, form: Form, dtype: str, amount: int) -> list[dict]:
    """A reproducible sample of the run-time arguments of a form; every value of each argument is likely in it."""
    itemsize = widest(dtype)
    lanes, capacity = unit.lanes_of(itemsize), REGION_BYTES // itemsize
    counts = [
        0,
        1,
        2,
        lanes // 8 - 1,
        lanes // 8,
        lanes // 8 + 1,
        lanes - 1,
        lanes,
        lanes + 1,
        2 * lanes + 3,
        17 * lanes,
        77 * lanes + lanes // 2 + 1,
    ]
    rng = random.Random(f"{api.name} {form.name} {dtype}")
    counts += [rng.randrange(20 * lanes) for _ in range(4)]
    repeats, strides = [0, 1, 2, 3, 8, 31, 255], _strides(api, dtype)
    strides += [{name: rng.randrange(1, 20) for name in api.strides} for _ in range(3)]
    if form.name == "count":
        values = [{"count": count} for count in [*counts, capacity]]
    elif form.name == "counter":
        values = [{"count": count} | s for count, s in product(counts, strides)]
    elif form.name == "mask":
        values = [{"mask": mask, "repeats": r} | s for mask, r, s in product([*_masks(lanes), rng.randrange(lanes)], repeats, strides)]
    elif form.name == "count_register":
        values = [{"low": low, "high": high} for low, high in _bits(lanes, rng)]
    else:
        values = [{"low": low, "high": high, "repeats": r} | s for (low, high), r, s in product(_bits(lanes, rng), repeats, strides)]
    rng.shuffle(values)
    result = []
    for value in values:
        blocks = {name: rng.choice([0, 0, 1, 5]) for name in api.operands}
        case = value | {f"{name}_offset": n * (unit.BLOCK_BYTES // itemsize_of(dtype, name)) for name, n in blocks.items()}
        if api.scalar:
            case["scalar"] = rng.choice(api.scalars(type_of(dtype, "src" if api.sources else "dst")))
        fits = _bytes(api, form, dtype, case) <= api.reach and api.legal(case)
        if fits and not (api.reads_dst and _writes_twice(case, itemsize)):
            result.append(case)
        if len(result) == amount:
            break
    return result


def _operand(dtype: str, case: dict, name: str, data: np.ndarray) -> unit.Operand:
    return unit.Operand(data, case[f"{name}_offset"], case.get(f"{name}_block", 1), case.get(f"{name}_repeat", blocks_of(dtype, name)))


def _repeats(case: dict, itemsize: int) -> int:
    return case.get("repeats", 1) if "count" not in case else -(-case["count"] // unit.lanes_of(itemsize))


def _writes_twice(case: dict, itemsize: int) -> bool:
    """Whether repeats write to a block that an earlier one has written."""
    blocks = np.arange(unit.BLOCKS) * case.get("dst_block", 1)
    all_blocks = np.arange(_repeats(case, itemsize))[:, None] * case.get("dst_repeat", unit.BLOCKS) + blocks
    return np.unique(all_blocks).size < all_blocks.size


def _bytes(api: VectorApi, form: Form, dtype: str, case: dict) -> int:
    """Bytes of the longest operand, from the start of its region."""
    repeats = _repeats(case, widest(dtype))

    def of_operand(name: str) -> int:
        itemsize = itemsize_of(dtype, name)
        start = case[f"{name}_offset"] * itemsize
        if form.name == "count":
            return start + case["count"] * itemsize
        return start + unit.extent(_operand(dtype, case, name, np.empty(0, NUMPY[type_of(dtype, name)])), repeats)

    return max(map(of_operand, api.operands))


def expected(api: VectorApi, dtype: str, arrays: dict[str, np.ndarray], case: dict, operands: tuple[str, ...] | None = None) -> np.ndarray:
    """What dst holds afterwards, all its bytes."""
    data = {name: array.copy() for name, array in arrays.items()}
    names = operands or api.operands
    dst, sources = _operand(dtype, case, "dst", data["dst"]), []
    for role, name in zip(api.operands[1:], names[1:], strict=True):
        source = _operand(dtype, case, role, data[name])
        source.base = case[f"{name}_offset"]
        sources.append(source)
    if api.reads_dst:
        sources.append(dst)
    formula = api.formula
    if api.scalar:
        scalar = NUMPY[type_of(dtype, "src" if sources else "dst")].type(case["scalar"])
        if sources:
            formula = lambda *values: api.formula(*values, np.full_like(values[0], scalar))  # noqa: E731
        else:
            formula = lambda: scalar  # noqa: E731
    itemsize = widest(dtype)
    if "count" in case:
        unit.execute_counted(formula, dst, sources, case["count"])
    elif "mask" in case:
        unit.execute(formula, dst, sources, unit.first_lanes(case["mask"], itemsize), case["repeats"])
    else:
        unit.execute(formula, dst, sources, unit.lanes_of_bits(case["low"], case["high"], itemsize), _repeats(case, itemsize))
    return data["dst"]


def _argument(name: str, value, dtype: str):
    """Run-time values as a user would pass them: mask words as uint64, scalars as Python numbers."""
    if name in ("low", "high"):
        return np.uint64(value)
    if name == "scalar":
        return float(value) if type_of(dtype, "src") in FLOATS else int(value)
    return value


def check(api: VectorApi, form_name: str, dtype: str, amount: int = 40, operands: tuple[str, ...] | None = None) -> None:
    """Runs a sample of cases of one form and element type and compares every byte of dst."""
    form = FORMS[form_name]
    kernel = load(kernel_text(api, form, dtype, operands)).kernel
    loaded = [name for name in api.operands if name in (operands or api.operands)]
    rng = np.random.default_rng(hash_of(api.name, form_name, dtype))
    sample = cases(api, form, dtype, amount)
    assert sample
    for case in sample:
        size = min(REGION_BYTES, (-(-_bytes(api, form, dtype, case) // unit.BLOCK_BYTES) + 2) * unit.BLOCK_BYTES)
        arrays = {name: random_array(rng, type_of(dtype, name), size // itemsize_of(dtype, name)) for name in loaded}
        want = expected(api, dtype, arrays, case, operands)
        names = [f"{name}_offset" for name in loaded] + (["scalar"] if api.scalar else []) + list(form.params)
        names += api.strides if "STRIDES" in form.call else []
        kernel[1](*arrays.values(), size, *(_argument(name, case[name], dtype) for name in names))
        assert_same(arrays["dst"], want, f"{api.name}, {dtype}, {form_name} form, {case}")


def hash_of(*words: str) -> int:
    """A seed that is the same in every process."""
    return random.Random(" ".join(words)).getrandbits(32)
