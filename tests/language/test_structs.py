# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Structures by value: asc.Struct subclasses and dataclasses. CPython is the oracle of what a dataclass holds.
from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import KW_ONLY, InitVar, dataclass, field
from enum import IntEnum
from typing import ClassVar

import asc
import numpy as np
import pytest
from asc.language.core.struct import BaseField, Field, Struct, StructField
from pyasc.errors import PyascError
from support.python_kernel import define, kernel_of, refused, run, same_as_python


@dataclass
class Point:
    x: int
    y: float = 0.5

    ORIGIN: ClassVar[int] = 7


class Color(IntEnum):
    RED = 1
    BLUE = 5


@dataclass
class Line(Point):
    _: KW_ONLY
    start: Point = field(default_factory=lambda: Point(1, 2.0))
    count: asc.uint8 = 3
    color: Color = Color.BLUE
    flag: bool = True
    half: np.float16 = 1.5


@dataclass(frozen=True)
class Fixed:
    n: int = 4
    wide: asc.int64 = 1 << 40


class Inner(Struct):
    count = Field(asc.int32, default=0)


class Outer(Struct, pack=4):
    scale = Field(asc.float32, 0.5, name="theScale")
    inner = StructField(Inner)
    big = Field(asc.int64, default=-1)
    half = Field(asc.float16, 0.25)
    brain = Field(asc.bfloat16, 3)
    needed = Field(dtype=asc.uint8)


CLASSES = {cls.__name__: cls for cls in (Point, Line, Fixed, Inner, Outer, Color)}


def test_made_read_and_written_in_a_kernel():
    same_as_python(
        """
        p = Point(n)
        q = Point(y=2.5, x=p.x + 1)
        p.x += 10
        p.y = q.y + p.x
        g.set_value(0, p.x)
        g.set_value(1, q.x)
        g.set_value(2, int(p.y))
        for i in range(n):
            if i % 2 == 0:
                p.x += i
            else:
                q.x = p.x
        g.set_value(3, p.x)
        g.set_value(4, q.x)
        same = p
        same.x = 5
        g.set_value(5, p.x)
        """,
        (0,),
        (7,),
        parameters="n: int",
        **CLASSES,
    )


def test_defaults_inner_structures_and_inheritance():
    same_as_python(
        """
        line = Line(n, count=200)
        line.start.x += line.count
        inner = line.start
        inner.y = 0.25
        g.set_value(0, line.x * 2)
        g.set_value(1, line.start.x)
        g.set_value(2, int(line.start.y * 100))
        g.set_value(3, line.count + line.color)
        g.set_value(4, line.flag)
        g.set_value(5, int(line.half * 4))
        g.set_value(6, Line(1).start.x + Point.ORIGIN)
        if not line.flag or line.color == Color.BLUE:
            line.count = 1
        g.set_value(7, line.count)
        """,
        (3,),
        parameters="n: int",
        **CLASSES,
    )


def test_an_inner_structure_is_copied():
    kernel = kernel_of(
        """
        p = Point(n)
        line = Line(0, start=p)
        p.x = 100
        g.set_value(0, line.start.x)
        line.start = p
        p.x = 200
        g.set_value(1, line.start.x)
        """,
        "n: int",
        **CLASSES,
    )
    assert run(kernel, 9).tolist()[:2] == [9, 100]


def test_struct_in_a_kernel():
    kernel = kernel_of(
        """
        o = Outer(needed=n)
        local = o.create_local()
        o.scale += o.half
        local.inner.count = n
        g.set_value(0, o.inner.count)
        g.set_value(1, local.inner.count)
        g.set_value(2, int(o.scale * 100))
        g.set_value(3, int(local.scale * 100) + int(o.brain))
        g.set_value(4, o.needed + Outer(needed=1, big=5).big.cast(asc.int32))
        """,
        "n: int",
        **CLASSES,
    )
    assert run(kernel, 6).tolist()[:5] == [0, 6, 75, 53, 11]
    text = kernel.compile(np.zeros(64, np.int32), 6).ascendc
    assert "#pragma pack(push, 4)\nstruct Outer {\n  float theScale;\n  Inner inner;\n  int64_t big;\n" in text
    assert "Outer o = {0.5f, {0}, -1, (half)0.25f, AscendC::ToBfloat16(3.0f), (uint8_t)n};" in text


def test_functions_take_structures_by_reference_and_return_copies():
    names = define(
        """
        @asc.jit
        def move(p, by):
            p.x += by

        @asc.jit
        def moved(p, by):
            q = Point(p.x, p.y)
            q.x += by
            return q

        @asc.jit
        def same(p):
            return p

        @asc.jit
        def both(line):
            return line.start, line.x

        names = {"move": move, "moved": moved, "same": same, "both": both}
        """,
        "names",
        Point=Point,
    )
    kernel = kernel_of(
        """
        p = Point(1)
        for i in range(n):
            move(p, i)
        q = moved(p, 100)
        r = same(q)
        r.x += 1000
        line = Line(8)
        start, x = both(line)
        start.x = 50
        move(line.start, 5)
        for i, v in enumerate([p.x, q.x, r.x, line.start.x, start.x, x]):
            g.set_value(i, v)
        """,
        "n: int",
        Point=Point,
        Line=Line,
        **names,
    )
    assert run(kernel, 4).tolist()[:6] == [7, 107, 1107, 6, 50, 8]
    text = kernel.compile(np.zeros(64, np.int32), 4).ascendc
    assert "void move(Point& p, int32_t by)" in text and "Point moved(Point& p)" in text and "Point r = same(q);" in text


def test_loops_that_test_fields():
    same_as_python(
        """
        p = Point(0)
        while p.x * p.x < n:
            p.x += 1
            for k in range(p.x):
                if k > 2:
                    break
                p.y += k
        g.set_value(0, p.x)
        g.set_value(1, int(p.y * 2))
        """,
        (0,),
        (30,),
        parameters="n: int",
        **CLASSES,
    )


def test_beside_tensors_that_the_compiler_places():
    names = define(
        """
        @asc.jit
        def grown(p, a):
            a[1] = p.x
            return Point(p.x + a[0])

        names = {"grown": grown}
        """,
        "names",
        Point=Point,
    )
    body = """
    tile = asc.LocalTensorAuto(asc.int32, 64)
    p, a = Point(n), asc.array(asc.int32, 2, 5)
    for i in range(3):
        q = grown(p, a)
        asc.duplicate(tile, q.x, 64)
        p.x = tile.get_value(3)
    g.set_value(0, p.x + a[1])
    """
    assert run(kernel_of(body, "n: int", Point=Point, **names), 1)[0] == 16 + 11


def test_a_function_translated_in_its_place_returns_a_copy_too():
    names = define("@asc.jit\ndef same(p, f):\n    return p, f(p.x)\n\nnames = {'same': same}", "names")
    body = """
    p = Point(n)
    q, x = same(p, lambda v: v + 1)
    q.x = 50
    g.set_value(0, p.x)
    g.set_value(1, x)
    """
    assert run(kernel_of(body, "n: int", Point=Point, **names), 4)[:2].tolist() == [4, 5]


def test_methods():
    @dataclass
    class Box:
        width: int
        height: int = 2

        @asc.jit
        def area(self):
            return self.width * self.height

        @asc.jit
        def grow(self, by):
            self.width += by

        def plain(self):
            return 1

    body = """
    box = Box(n)
    for i in range(3):
        box.grow(i)
    g.set_value(0, box.area())
    g.set_value(1, HOST.area())
    """
    assert run(kernel_of(body, "n: int", Box=Box, HOST=Box(7)), 4)[:2].tolist() == [14, 14]
    refused("box = Box(1)\nx = box.plain()  # here", "L402", Box=Box)


def test_classes_and_comparisons():
    same_as_python(
        """
        p, q, line = Point(n), Point(3), Line(3)
        g.set_value(0, isinstance(p, Point))
        g.set_value(1, isinstance(line, (Line, str)) and isinstance(line, Point) and not isinstance(p, Line))
        g.set_value(2, type(p) is Point)
        g.set_value(3, p == q)
        g.set_value(4, p != q)
        g.set_value(5, p == line)
        """,
        (3,),
        (4,),
        parameters="n: int",
        **CLASSES,
    )


def test_printed_as_a_dataclass_is(capsys):
    kernel = kernel_of("print(Fixed(n, 2), Point(n))", "n: int", **CLASSES)
    run(kernel, 3)
    assert capsys.readouterr().out == "Fixed(n=3, wide=2) Point(x=3, y=0.500000)\n"


def test_structures_of_the_host_are_known_while_compiling():
    kernel = kernel_of(
        """
        asc.static_assert(LINE.start.x == 1 and OUTER.inner.count == 4)
        for i in asc.static_range(LINE.x):
            g.set_value(i, OUTER.inner.count)
        copied = Line(1, start=LINE.start)
        copied.start.x += n
        g.set_value(10, copied.start.x)
        """,
        "n: int",
        LINE=Line(3),
        OUTER=Outer(needed=1, inner=Inner(count=4)),
        **CLASSES,
    )
    got = run(kernel, 5)
    assert got[:4].tolist() == [4, 4, 4, 99] and got[10] == 6


def test_two_structures_of_one_name():
    other = dataclasses.make_dataclass("Point", [("z", int), ("int32_t", float), ("new", int)])
    kernel = kernel_of("p, q = Point(n), Other(n, 0.5, 2)\ng.set_value(0, p.x + q.z + q.new)", "n: int", Point=Point, Other=other)
    assert run(kernel, 4)[0] == 10
    text = kernel.compile(np.zeros(64, np.int32), 4).ascendc
    assert text.count("struct Point {") == 1 and text.count("struct Point_1 {") == 1 and " new;" not in text


# ---------------------------------------------------------------- refused


def test_refused():
    p = "p = Point(1)\n"
    refused("p = Point()  # here", "L401", **CLASSES)
    refused("p = Point(1, 2.0, 3)  # here", "L401", **CLASSES)
    refused("p = Point(1, z=2)  # here", "L401", **CLASSES)
    refused("p = Point(1, x=2)  # here", "L401", **CLASSES)
    refused("p = Line(1, 2.0, Point(3))  # here", "L401", **CLASSES)
    refused("p = Point('one')  # here", "T103", **CLASSES)
    refused("p = Line(1, count=256)  # here", "T101", **CLASSES)
    refused("p = Line(1, start=3)  # here", "T103", **CLASSES)
    refused("p = Line(1, start=Fixed())  # here", "T103", **CLASSES)
    refused("p = Outer(5)  # here", "L401", **CLASSES)
    refused(p + "p.z = 1  # here", "L402", **CLASSES)
    refused(p + "x = p.z  # here", "L402", **CLASSES)
    refused(p + "x = p.ORIGIN  # here", "L402", **CLASSES)
    refused(p + "x = p.create_local()  # here", "L402", **CLASSES)
    refused(p + "p.y = p  # here", "T103", **CLASSES)
    refused(p + "x = p + 1  # here", "T106", **CLASSES)
    refused(p + "x = p[0]  # here", "T106", **CLASSES)
    refused(p + "x = 1 if p else 2  # here", "T104", **CLASSES)
    refused("f = Fixed()\nf.n = 1  # here", "L314", **CLASSES)
    refused("f = Fixed()\nf.n += 1  # here", "L314", **CLASSES)
    refused("HOST.x = 1  # here", "L304", HOST=Point(1))
    refused("p = Point(1)\nif n > 0:\n    p = Point(2)\ng.set_value(0, p.x)  # here", "L106", 1, parameters="n: int", **CLASSES)


def test_constructors_that_run_python():
    @dataclass
    class Checked:
        x: int

        def __post_init__(self):
            self.x += 1

    @dataclass
    class WithInitVar:
        x: int
        seed: InitVar[int] = 0

    @dataclass(init=False)
    class Own:
        x: int

        def __init__(self):
            self.x = 5

    for cls in (Checked, WithInitVar, Own):
        assert "L108" == refused("p = C(1)  # here", "L108", C=cls).code
    assert run(kernel_of("g.set_value(0, p.x)", "p"), Checked(1))[0] == 2
    assert run(kernel_of("g.set_value(0, p.x)", "p"), Own())[0] == 5


def test_dataclasses_of_other_things_are_python_objects():
    @dataclass
    class Tiles:
        a: asc.LocalTensor
        label: str

    body = """
    tiles = Tiles(asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, 0, 64), "x")
    tiles.a.set_value(0, n)
    g.set_value(0, tiles.a.get_value(0) + len(tiles.label))
    """
    assert run(kernel_of(body, "n: int", Tiles=Tiles), 4)[0] == 5


# ---------------------------------------------------------------- on the host


def test_struct_on_the_host():
    o = Outer(needed=3, inner=Inner(count=9))
    assert (o.scale, o.inner.count, o.big, o.half, o.needed) == (0.5, 9, -1, 0.25, 3)
    o.needed = 255
    o.inner.count += 1
    assert repr(o) == "Outer(scale=0.5, inner=Inner(count=10), big=-1, half=0.25, brain=3, needed=255)"
    assert o == Outer(needed=255, inner=Inner(count=10)) and o != Outer(needed=255) and o != 3
    assert copy.deepcopy(o) == o and pickle.loads(pickle.dumps(o)) == o
    assert Outer(needed=1).inner is not Outer(needed=1).inner
    assert isinstance(Outer.scale, Field) and issubclass(StructField, BaseField)
    with pytest.raises(TypeError):
        hash(o)


def test_bytes_of_a_struct_are_those_of_c():
    o = Outer(needed=7, inner=Inner(count=2), big=3, half=1.0, brain=1.0)
    packed = np.dtype(
        {
            "names": ["scale", "count", "big", "half", "brain", "needed"],
            "formats": ["f4", "i4", "i8", "f2", "u2", "u1"],
            "offsets": [0, 4, 8, 16, 18, 20],
            "itemsize": 24,
        }
    )
    image = np.frombuffer(o.pack(), packed)[0]
    assert image.tolist() == (0.5, 2, 3, 1.0, 0x3F80, 7)

    class Natural(Struct):
        a = Field(asc.int8, 1)
        b = Field(asc.int64, 2)
        c = Field(asc.int16, 3)

    class Tight(Natural, pack=1):
        d = StructField(Natural)

    natural = np.dtype([("a", "i1"), ("b", "i8"), ("c", "i2")], align=True)
    assert np.frombuffer(Natural().pack(), natural)[0].tolist() == (1, 2, 3)
    assert len(Tight().pack()) == 11 + natural.itemsize
    import ctypes

    assert ctypes.string_at(o.addressof(), 24) == o.pack()


@pytest.mark.parametrize(
    "code, make",
    [
        ("K151", lambda: Inner(nothing=1)),
        ("K151", lambda: Outer()),
        ("K151", lambda: setattr(Inner(), "nothing", 1)),
        ("K123", lambda: Outer(needed=256)),
        ("K123", lambda: setattr(Inner(), "count", 1 << 31)),
        ("K120", lambda: setattr(Inner(), "count", 0.5)),
        ("K120", lambda: Inner(count="1")),
        ("K124", lambda: Outer(needed=0, half=70000.0)),
        ("K120", lambda: Outer(needed=0, inner=Point(1))),
        ("K123", lambda: Field(asc.int8, 300)),
        ("K151", lambda: Field(int)),
        ("K151", lambda: StructField(Point)),
        ("K151", lambda: type("Empty", (Struct,), {})),
        ("K151", lambda: type("Packed", (Struct,), {"a": Field(asc.int8)}, pack=3)),
        ("L301", lambda: Inner().create_local()),
    ],
)
def test_mistakes_on_the_host(code, make):
    with pytest.raises(PyascError) as caught:
        make()
    assert caught.value.code == code
    assert code == "L301" or isinstance(caught.value, RuntimeError)


# ---------------------------------------------------------------- ==


@dataclass
class Key:
    a: int
    note: int = field(default=0, compare=False)
    start: Point = field(default_factory=lambda: Point(1), compare=False)


@dataclass
class Modulo:
    a: int

    def __eq__(self, other):
        return self.a % 10 == other.a % 10


@dataclass
class Unlike:
    a: int

    def __ne__(self, other):
        return False


@dataclass(eq=False)
class Identity:
    a: int


@dataclass(eq=False)
class Longer(Point):
    z: int = 0


class OfStruct(Struct):
    a = Field(asc.int32)

    def __eq__(self, other):
        return True


def test_only_compared_fields_count():
    body = """
        g.set_value(0, Key(n, 1) == Key(3, 2))
        g.set_value(1, Key(n, n) != Key(n, 2, Point(n)))
        g.set_value(2, Key(n, 1) in [Key(7, 2), Key(3, 2)])
        g.set_value(3, Point(n) not in (Line(3), Point(3)))
        """
    same_as_python(body, (3,), (4,), parameters="n: int", Key=Key, Point=Point, Line=Line)


@pytest.mark.parametrize("cls", [Modulo, Unlike, Identity, Longer, OfStruct])
def test_classes_that_compare_in_their_own_way(cls):
    for comparison in ("C(a=n) == C(a=3)", "C(a=n) != HOST", "3 == C(a=n)", "C(a=n) in [HOST]"):
        comparison = comparison.replace("a=", "x=") if cls is Longer else comparison
        host = cls(**{"x" if cls is Longer else "a": 3})
        found = refused(f"{comparison}  # here", "T106", 3, parameters="n: int", C=cls, HOST=host)
        assert f"do not take a {cls.__name__} in a kernel: " in found.message


def test_a_dataclass_with_an_init_of_its_own():
    @dataclass
    class Doubled:
        x: int

        def __init__(self, x):
            self.x = 2 * x

    refused("p = Doubled(n)  # here", "L108", 3, parameters="n: int", Doubled=Doubled)


# ---------------------------------------------------------------- what the class says

WITH_METHODS = """
@dataclass
class Vector:
    x: int
    y: int = 0

    @property
    @asc.jit
    def area(self):
        return self.x * self.y

    @property
    def plain(self):
        return self.x

    @staticmethod
    @asc.jit
    def twice(n):
        return n + n

    @classmethod
    @asc.jit
    def unit(cls, n):
        return cls(n, n)

    def method(self):
        return self.x

    @asc.jit
    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    @asc.jit
    def __mul__(self, n):
        return Vector(self.x * n, self.y * n)

    @asc.jit
    def __rmul__(self, n):
        return Vector(n * self.x, self.y + 1)

    @asc.jit
    def __neg__(self):
        return Vector(-self.x, -self.y)

    @asc.jit
    def __lt__(self, other):
        return self.x < other.x

    @asc.jit
    def __eq__(self, other):
        return self.x == other.x

    @asc.jit
    def __contains__(self, n):
        return n == self.x or n == self.y

    @asc.jit
    def __getitem__(self, i):
        return self.x + i

    @asc.jit
    def __setitem__(self, i, value):
        self.y = i * value

"""


def test_properties_operators_and_other_methods_of_a_class():
    same_as_python(
        """
        p, q = Vector(n, 3), Vector(2, n)
        g.set_value(0, p.area)
        g.set_value(1, p.twice(n) + Vector.twice(4))
        g.set_value(2, p.unit(n).area)
        s = p + q
        g.set_value(3, s.x * 100 + s.y)
        s = p * 2 + 3 * q
        g.set_value(4, s.x * 100 + s.y)
        s += q
        s = -s
        g.set_value(5, s.x * 100 + s.y)
        g.set_value(6, 1 if p < q else 0)
        g.set_value(7, 1 if p > q else 0)
        g.set_value(8, 1 if p == Vector(n, 99) else 0)
        g.set_value(9, 1 if p != q else 0)
        g.set_value(10, 1 if n in q else 0)
        g.set_value(11, 1 if 3 not in p else 0)
        g.set_value(12, p[n] + q[5])
        q[n] = 7
        g.set_value(13, q.y)
        """,
        *[(n,) for n in (-3, 2, 3, 11)],
        parameters="n: int",
        before=WITH_METHODS,
        dataclass=dataclass,
    )


def test_what_a_class_says_without_jit():
    @dataclass
    class Counter:
        n: int

        @property
        def plain(self):
            return self.n

        def method(self):
            return self.n

        def __iadd__(self, other):
            return self

        @asc.jit
        def __add__(self, other):
            return Counter(self.n + other)

    c = "c = Counter(1)\n"
    assert "@asc.jit" in refused(c + "x = c.plain  # here", "L402", Counter=Counter).help
    assert (
        refused(c + "x = c.method()  # here", "L402", Counter=Counter).help
        == "it is a plain method: decorate it with @asc.jit to call it in kernels"
    )
    assert "write c = c + b" in refused(c + "c += 1  # here", "T106", Counter=Counter).help.replace("a = a +", "c = c +")
    assert "@asc.jit" in refused(c + "x = c - 1  # here", "T106", Counter=Counter).help
    assert "Base.method" in refused("x = super()  # here", "L110").help
