# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels that are synchronised correctly. The order that a kernel needs is worked out here, from the specification (07-sync) and
not from the simulator: where two accesses conflict, a flag, a barrier or a way round through a third pipe is put in. Each such call, or the
calls that belong together, is a unit with a number, and a kernel can be had without one of them.

The same text is run by Python on NumPy arrays, in the order of the program: that is the result to expect."""

import copy
import random
from collections import deque
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np

UB, X, OUT, SHARED = 320, 512, 512, 64  # elements: of the tile, of x, and of the parts that a block has in out and in shared
TILE = 32 * 1024  # byte where the tile begins; the memory of queues lies before it, that of pipelines behind it
PIPES = ("S", "V", "MTE2", "MTE3")
MOST_ROUNDS = 3


@dataclass
class Op:
    """An instruction, with the ranges that it reads and writes: (space, first element, last + 1)."""

    pipe: str
    text: str
    reads: list = field(default_factory=list)
    writes: list = field(default_factory=list)


@dataclass
class Flag:
    """One end of a flag."""

    unit: int
    src: str
    dst: str
    sets: bool
    id: int = 0


@dataclass
class Barrier:
    unit: int
    pipe: str


@dataclass
class Lines:
    """Text that keeps its own order and touches nothing that others do: [(line, unit or None)]."""

    lines: list
    is_barrier: bool = False


@dataclass
class Block:
    head: str
    body: list
    other: list | None = None  # else
    rounds: int = 1  # 2: a loop


class Order:
    """What each pipe knows to be complete of the others: the number of the last instruction (07-sync sections 1 to 3)."""

    def __init__(self, auto_sync):
        self.auto_sync = auto_sync
        self.known = {p: dict.fromkeys(PIPES, 0) for p in PIPES}
        self.last = dict.fromkeys(PIPES, 0)  # number of the pipe's last instruction
        self.history = []  # (number, pipe, op)

    def released(self, pipe):
        return {**self.known[pipe], pipe: self.last[pipe]}

    def join(self, pipe, clock):
        self.known[pipe] = {q: max(self.known[pipe][q], clock[q]) for q in PIPES}

    def dispatch(self, pipe):
        if pipe != "S":
            self.join(pipe, self.known["S"])

    def barrier(self, pipe):
        if pipe == "ALL":
            self.known = {p: dict(self.last) for p in PIPES}
        else:
            self.dispatch(pipe)
            self.known[pipe][pipe] = self.last[pipe]

    def is_ordered(self, pipe, number, other):
        if pipe == other and (pipe == "S" or (pipe == "V" and self.auto_sync)):
            return True
        return self.known[pipe][other] >= number or (self.auto_sync and pipe != other and "S" in (pipe, other))

    def met(self, op):
        """The last unordered instruction of each pipe that `op` must not overtake."""
        found = {}
        for number, pipe, other in self.history:
            if not self.is_ordered(op.pipe, number, pipe) and conflict(op, other):
                found[pipe] = (number, other)
        return found

    def weakest(self, other):
        """After a branch: what both know."""
        for p in PIPES:
            for q in PIPES:
                self.known[p][q] = min(self.known[p][q], other.known[p][q])
        self.last = {p: max(self.last[p], other.last[p]) for p in PIPES}
        self.history = sorted({id(op): (n, p, op) for n, p, op in self.history + other.history}.values(), key=lambda entry: entry[0])


def conflict(a, b):
    return meet(a.writes, b.writes) or meet(a.writes, b.reads) or meet(a.reads, b.writes)


def meet(these, those):
    return any(s == t and a < d and c < b for s, a, b in these for t, c, d in those)


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.auto_sync = self.random.random() < 0.5
        self.blocks = self.random.choice([1, 1, 2, 3])
        self.rounds = self.random.randrange(MOST_ROUNDS + 1)  # the argument n
        self.units = self.values = self.loops = 0
        self.kinds = {}  # of the units
        self.meetings = 0
        self.framework = self.random.random() < 0.4
        self.serial = 0
        self.flags = {}  # by unit: what the flag carries
        code = [self.duplicate(0, UB)]
        for _ in range(self.random.randint(1, 3)):
            code += self.segment()
        code += [self.store(0, 64, 0), self.store(128, 64, 64)]
        self.synchronise(code, Order(self.auto_sync))
        self.code = code

    def unit(self, kind):
        self.units += 1
        self.kinds[self.units] = kind
        return self.units

    # ---------------------------------------------------------------- instructions

    def place(self, count):
        return 8 * self.random.randrange((UB - count) // 8 + 1)

    def apart(self, count, *others):
        """Where `count` elements are the same as those of an operand, or none of them is."""
        for _ in range(20):
            at = self.place(count)
            if all(at == other or at + count <= other or other + count <= at for other in others):
                return at
        return others[0]

    def duplicate(self, at, count):
        return Op("V", f"asc.duplicate(ub[{at}], {self.random.randint(-9, 9)}, {count})", [], [("ub", at, at + count)])

    def store(self, at, count, to, moved=""):
        end = to + count + (8 * MOST_ROUNDS if moved else 0)
        return Op("MTE3", f"asc.data_copy(out_gm[{to}{moved}], ub[{at}], {count})", [("ub", at, at + count)], [("out", to, end)])

    def instruction(self, loop=""):
        """`loop` is the variable of the loop around it."""
        kind = self.random.randrange(13)
        count = self.random.choice([8, 16, 32, 64])
        a = self.place(count)
        tile = [("ub", a, a + count)]
        moved = f" + 8 * {loop}" if loop and self.random.random() < 0.5 else ""
        reach = 8 * MOST_ROUNDS if moved else 0
        gm = 8 * self.random.randrange(24)
        if kind < 3:
            return Op("MTE2", f"asc.data_copy(ub[{a}], x_gm[{gm}{moved}], {count})", [], tile)
        if kind == 3:
            return Op("MTE2", f"asc.data_copy(ub[{a}], out_gm[{gm}{moved}], {count})", [("out", gm, gm + count + reach)], tile)
        if kind < 6:
            return self.store(a, count, gm, moved)
        if kind == 6:
            a = self.place(64)
            blocks = [("ub", b, b + 8) for b in range(a, a + 64, 16)]
            return Op("MTE2", f"asc.data_copy(ub[{a}], x_gm[{gm}], asc.DataCopyParams(4, 1, 0, 1))", [], blocks)
        if kind == 7:
            return self.duplicate(a, count)
        if kind == 8:
            b = self.apart(count, a)
            return Op("V", f"asc.adds(ub[{a}], ub[{b}], {self.random.randint(1, 9)}, {count})", [("ub", b, b + count)], tile)
        if kind == 9:
            b = self.apart(count, a)
            c = self.apart(count, a, b)
            reads = [("ub", b, b + count), ("ub", c, c + count)]
            return Op("V", f"asc.add(ub[{a}], ub[{b}], ub[{c}], {count})", reads, tile)
        if kind == 10:
            a = self.place(64)
            b, lanes = self.apart(64, a), self.random.randint(1, 64)
            text = f"asc.adds(ub[{a}], ub[{b}], {self.random.randint(1, 9)}, {lanes}, 1, asc.UnaryRepeatParams(1, 1, 8, 8))"
            return Op("V", text, [("ub", b, b + lanes)], [("ub", a, a + lanes)])
        if kind == 11:
            at = self.random.randrange(UB)
            return Op("S", f"ub.set_value({at}, {self.random.choice(['n + 3', 'v', '7'])})", [], [("ub", at, at + 1)])
        at = self.random.randrange(UB)
        return Op("S", f"v = ub.get_value({at}) % 97", [("ub", at, at + 1)], [])

    # ---------------------------------------------------------------- statements

    def segment(self):
        kind = self.random.random()
        if self.blocks > 1 and kind < 0.35:
            return self.exchange()
        if kind < 0.5:
            return [self.pipeline()]
        if self.framework and kind < 0.75:
            return [self.queues()]
        return self.statements(self.random.randint(3, 7))

    def statements(self, count, depth=0, loop=""):
        made = []
        for _ in range(count):
            kind = self.random.random()
            if depth < 2 and kind < 0.12:
                self.loops += 1
                i = f"i{self.loops}"
                bound = self.random.choice(["range(2)", "range(n)", "asc.static_range(2)", "range(n, 0, -1)"])
                made.append(Block(f"for {i} in {bound}:", self.statements(self.random.randint(1, 4), depth + 1, i), rounds=2))
            elif depth < 2 and kind < 0.22:
                condition = self.random.choice(["n > 1", "v > 20", "me == 0", *([f"{loop} % 2 == 0"] if loop else [])])
                yes = self.statements(self.random.randint(1, 3), depth + 1, loop)
                made.append(Block(f"if {condition}:", yes, self.statements(self.random.randint(0, 2), depth + 1, loop)))
            else:
                made.append(self.instruction(loop))
        return made

    def meeting(self, pipe):
        """All blocks have done what `pipe` had to do before."""
        self.meetings += 1
        if self.random.random() < 0.5:
            return Lines([("asc.sync_all()", self.unit("sync_all"))], is_barrier=True)
        unit, flag = self.unit("cross-core flag"), self.meetings % 11
        text = f"({flag}, 0, asc.PipeID.PIPE_{pipe})"
        return Lines([(f"asc.cross_core_set_flag{text}", unit), (f"asc.cross_core_wait_flag{text}", unit)])

    def exchange(self):
        """Each block stores a part, and loads that of the next one; it may overwrite its own when that has been loaded."""
        a, b = self.place(SHARED), self.place(SHARED)
        given = Op("MTE3", f"asc.data_copy(shared[me * {SHARED}], ub[{a}], {SHARED})", [("ub", a, a + SHARED)], [("own", 0, SHARED)])
        taken = f"asc.data_copy(ub[{b}], shared[(me + 1) % {self.blocks} * {SHARED}], {SHARED})"
        taken = Op("MTE2", taken, [("other", 0, SHARED)], [("ub", b, b + SHARED)])
        return [given, self.meeting("MTE3"), taken, self.meeting("MTE2")]

    def pipeline(self):
        """Loads, computes and stores tiles in several buffers, whose flags go back to the beginning."""
        buffers, rounds = self.random.choice([1, 2, 3]), self.random.choice(["n", "2", "4"])
        self.loops += 1
        i = f"i{self.loops}"
        loaded, computed, freed, stored = (self.unit(f"pipeline {kind}") for kind in ("MTE2_V", "V_MTE3", "V_MTE2", "MTE3_V"))
        barrier = None if self.auto_sync else self.unit("pipeline PIPE_V")
        a, b = f"a{self.loops}", f"b{self.loops}"
        lines = [(f"{a}, {b} = ring[0], ring[{32 * buffers}]", None)]
        for event, unit in (("V_MTE2", freed), ("MTE3_V", stored)):
            lines += [(f"asc.set_flag(asc.HardEvent.{event}, {k})", unit) for k in range(buffers)]

        def flag(call, event, unit):
            return f"    asc.{call}(asc.HardEvent.{event}, {i} % {buffers})", unit

        lines += [
            (f"for {i} in range({rounds}):", None),
            flag("wait_flag", "V_MTE2", freed),
            (f"    asc.data_copy({a}[32 * ({i} % {buffers})], x_gm[32 * {i}], 32)", None),
            flag("set_flag", "MTE2_V", loaded),
            flag("wait_flag", "MTE2_V", loaded),
            flag("wait_flag", "MTE3_V", stored),
            (f"    asc.adds({b}[32 * ({i} % {buffers})], {a}[32 * ({i} % {buffers})], {i} + 1, 32)", None),
            flag("set_flag", "V_MTE2", freed),
            *([("    asc.pipe_barrier(asc.PipeID.PIPE_V)", barrier)] if barrier else []),
            (f"    asc.adds({b}[32 * ({i} % {buffers})], {b}[32 * ({i} % {buffers})], 1, 32)", None),
            flag("set_flag", "V_MTE3", computed),
            flag("wait_flag", "V_MTE3", computed),
            (f"    asc.data_copy(out_gm[{OUT - 128} + 32 * {i}], {b}[32 * ({i} % {buffers})], 32)", None),
            flag("set_flag", "MTE3_V", stored),
        ]
        for event, unit in (("V_MTE2", freed), ("MTE3_V", stored)):
            lines += [(f"asc.wait_flag(asc.HardEvent.{event}, {k})", unit) for k in range(buffers)]
        return self.fenced(lines)

    def queues(self):
        """The same with queues."""
        buffers, rounds = self.random.choice([1, 2, 3]), self.random.choice(["n", "2", "4"])
        self.loops += 1
        k, i = self.loops, f"i{self.loops}"
        loaded, computed = self.unit("queue VECIN"), self.unit("queue VECOUT")
        dequeued = self.random.random() < 0.5  # the result goes through a TBuf first
        barrier = self.unit("queue PIPE_V") if dequeued and not self.auto_sync else None
        again = self.unit("queue PIPE_V") if dequeued and not self.auto_sync else None
        lines = [
            (f"q{k}, p{k} = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1)", None),
            (f"t{k} = asc.TBuf(asc.TPosition.VECCALC)", None),
            (f"pipe.init_buffer(q{k}, {buffers}, 128)", None),
            (f"pipe.init_buffer(p{k}, {buffers}, 128)", None),
            (f"pipe.init_buffer(t{k}, 128)", None),
            (f"m{k} = t{k}.get(asc.int32)", None),
            (f"for {i} in range({rounds}):", None),
            (f"    a{k} = q{k}.alloc_tensor(asc.int32)", None),
            (f"    asc.data_copy(a{k}, x_gm[16 * {i}], 32)", None),
            (f"    q{k}.enque(a{k})", loaded),
            (f"    a{k} = q{k}.deque(asc.int32)", loaded),
            (f"    b{k} = p{k}.alloc_tensor(asc.int32)", None),
        ]
        if dequeued:
            lines += [
                *([("    asc.pipe_barrier(asc.PipeID.PIPE_V)", again)] if again else []),
                (f"    asc.adds(m{k}, a{k}, 2, 32)", None),
                *([("    asc.pipe_barrier(asc.PipeID.PIPE_V)", barrier)] if barrier else []),
                (f"    asc.add(b{k}, m{k}, a{k}, 32)", None),
            ]
        else:
            lines += [(f"    asc.add(b{k}, a{k}, a{k}, 32)", None)]
        lines += [
            (f"    q{k}.free_tensor(a{k})", None),
            (f"    p{k}.enque(b{k})", computed),
            (f"    b{k} = p{k}.deque(asc.int32)", computed),
            (f"    asc.data_copy(out_gm[{OUT - 128} + 32 * {i}], b{k}, 32)", None),
            (f"    p{k}.free_tensor(b{k})", None),
            ("pipe.reset()", None),  # the ids of the queues are free again
        ]
        return self.fenced(lines)

    def fenced(self, lines):
        """Pipelines use the same memory: they begin and end with nothing under way."""
        fence = "asc.pipe_barrier(asc.PipeID.PIPE_ALL)"
        return Lines([(fence, self.unit("fence")), *lines, (fence, self.unit("fence"))], is_barrier=True)

    # ---------------------------------------------------------------- synchronisation

    def synchronise(self, code, order):
        """Walks through the code in the order of the program, loops twice, and puts in what is missing."""
        i = 0
        while i < len(code):
            node = code[i]
            if isinstance(node, Op):
                for pipe, (number, earlier) in order.met(node).items():
                    if not order.is_ordered(node.pipe, number, pipe):
                        i += self.insert(code, i, order, pipe, earlier, node)
                self.execute(node, order)
            elif isinstance(node, Flag):
                self.pass_flag(node, order)
            elif isinstance(node, Barrier):
                order.barrier(node.pipe)
            elif isinstance(node, Lines):
                if node.is_barrier:
                    order.barrier("ALL")
            else:
                before = copy.deepcopy(order, {id(op): op for _, _, op in order.history})
                for _ in range(node.rounds):
                    self.synchronise(node.body, order)
                if node.other is not None:
                    self.synchronise(node.other, before)
                before.last = {p: max(before.last[p], order.last[p]) for p in PIPES}
                order.weakest(before)
            i += 1

    def execute(self, op, order):
        order.dispatch(op.pipe)
        self.serial += 1
        order.last[op.pipe] = self.serial
        order.history = [entry for entry in order.history if entry[2] is not op] + [(self.serial, op.pipe, op)]
        op.released = order.released(op.pipe)

    def pass_flag(self, flag, order):
        if flag.sets:
            order.dispatch(flag.src)
            self.flags[flag.unit] = order.released(flag.src)
        else:
            order.dispatch(flag.dst)
            order.join(flag.dst, self.flags[flag.unit])

    def insert(self, code, i, order, pipe, earlier, later):
        """Orders `later`, which is code[i], after `earlier` of `pipe`; says how many nodes have come before it."""
        way = self.random.random()
        if way < 0.1:
            new = [Barrier(self.unit("barrier ALL"), "ALL")]
        elif pipe == later.pipe:
            third = self.random.choice([p for p in ("V", "MTE2", "MTE3") if p != pipe])
            new = [Barrier(self.unit(f"barrier {pipe}"), pipe)] if way < 0.85 else self.there_and_back(pipe, third)
        elif way < 0.2:
            third = self.random.choice([p for p in ("V", "MTE2", "MTE3") if p not in (pipe, later.pipe)])
            new = [*self.flag(pipe, third), *self.flag(third, later.pipe)]
        else:
            new = self.flag(pipe, later.pipe)
            start = next((k for k in range(i - 1, -1, -1) if code[k] is earlier), None)
            if start is not None and all(isinstance(node, (Op, Flag, Barrier)) for node in code[start:i]):
                at = self.random.randint(start + 1, i)
                if at < i:  # set early: the flag carries no more than what had been done by then
                    self.flags[new[0].unit] = earlier.released
                    code[at:at] = [new[0]]
                    code[i + 1 : i + 1] = [new[1]]
                    self.pass_flag(new[1], order)
                    return 2
        code[i:i] = new
        for node in new:
            self.pass_flag(node, order) if isinstance(node, Flag) else order.barrier(node.pipe)
        return len(new)

    def flag(self, src, dst):
        unit = self.unit(f"{src}_{dst}")
        return [Flag(unit, src, dst, True), Flag(unit, src, dst, False)]

    def there_and_back(self, pipe, third):
        return [*self.flag(pipe, third), *self.flag(third, pipe)]

    # ---------------------------------------------------------------- text

    def ids(self, code, busy):
        """Gives flags the ids of their events that are free."""
        for node in code:
            if isinstance(node, Flag):
                event = f"{node.src}_{node.dst}"
                taken = busy.setdefault(event, {})
                if node.sets:
                    node.id = self.random.choice([k for k in range(6) if k not in taken.values()])
                    taken[node.unit] = node.id
                else:
                    node.id = taken.pop(node.unit)
            elif isinstance(node, Block):
                self.ids(node.body, busy)
                self.ids(node.other or [], busy)

    def lines(self, code, indent):
        for node in code:
            if isinstance(node, Op):
                yield indent + node.text, None
            elif isinstance(node, Flag):
                yield f"{indent}asc.{'set' if node.sets else 'wait'}_flag(asc.HardEvent.{node.src}_{node.dst}, {node.id})", node.unit
            elif isinstance(node, Barrier):
                yield f"{indent}asc.pipe_barrier(asc.PipeID.PIPE_{node.pipe})", node.unit
            elif isinstance(node, Lines):
                yield from ((indent + line, unit) for line, unit in node.lines)
            else:
                yield indent + node.head, None
                yield from self.lines(node.body, indent + "    ")
                if node.other:
                    yield f"{indent}else:", None
                    yield from self.lines(node.other, indent + "    ")

    def source(self, without=None):
        if not hasattr(self, "text"):
            self.ids(self.code, {})
            self.text = list(self.lines(self.code, "    "))
        head = HEAD.format(auto_sync=self.auto_sync) + ("    pipe = asc.TPipe()\n" if self.framework else "")
        body = ""
        for line, unit in self.text:
            keep = unit is None or unit != without
            body += f"{line if keep else line[: len(line) - len(line.lstrip())] + 'pass'}\n"
        return head + body

    def arrays(self):
        x = np.random.default_rng(1).integers(-50, 50, X).astype(np.int32)
        return [x, np.full(OUT * self.blocks, -1, np.int32), np.zeros(SHARED * self.blocks, np.int32)]

    def expected(self):
        """Runs the blocks on the host, from one meeting to the next."""
        arrays = self.arrays()
        text = self.source().replace("asc.sync_all()", "yield").replace("@asc.jit", "#").replace("import asc", "")
        lines = ["yield".rjust(len(line) - len(line.lstrip()) + 5) if "cross_core_wait" in line else line for line in text.split("\n")]
        running = deque()
        with np.errstate(over="ignore"):
            for block in range(self.blocks):
                names = {"asc": Host(block)}
                exec("\n".join([*lines, "    yield"]), names)
                running.append(names["kernel"](*arrays, self.rounds))
            while running:
                running = deque(block for block in running if next(block, None) is None and block.gi_frame)
        return arrays


HEAD = f"""import asc


@asc.jit(auto_sync={{auto_sync}}, max_cycles=1 << 24)
def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress, other: asc.GlobalAddress, n: int):
    me = asc.get_block_idx()
    x_gm, all_gm, shared = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, {X})
    all_gm.set_global_buffer(out, {OUT} * asc.get_block_num())
    shared.set_global_buffer(other, {SHARED} * asc.get_block_num())
    out_gm = all_gm[{OUT} * me]
    ub = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, {TILE}, {UB})
    ring = asc.LocalTensor(asc.int32, asc.TPosition.VECCALC, {TILE + 4096}, 256)
    v = 1
"""

# ---------------------------------------------------------------- the host


class Tensor:
    """A part of an array."""

    def __init__(self, values=None):
        self.values = values

    def set_global_buffer(self, values, size):
        self.values = values[:size]

    def __getitem__(self, start):
        return Tensor(self.values[start:])

    def get_value(self, index):
        return int(self.values[index])

    def set_value(self, index, value):
        self.values[index] = value


class Queue:
    def __init__(self, position, depth):
        self.waiting = deque()

    def alloc_tensor(self, dtype):
        return Tensor(np.zeros(32, np.int32))

    def enque(self, tensor):
        self.waiting.append(tensor)

    def deque(self, dtype):
        return self.waiting.popleft()

    def free_tensor(self, tensor):
        pass


NAMES = ["VECCALC", "VECIN", "VECOUT", *(f"PIPE_{p}" for p in (*PIPES, "ALL")), *(f"{p}_{q}" for p in PIPES for q in PIPES)]


class Host:
    """The functions of asc that the kernels call, for one block."""

    int32 = TPosition = HardEvent = PipeID = SimpleNamespace(**dict.fromkeys(NAMES))
    GlobalAddress = None
    GlobalTensor, TQue = Tensor, Queue
    static_range = range
    UnaryRepeatParams = DataCopyParams = staticmethod(lambda *values: values)

    def __init__(self, block):
        self.block = block
        self.memory = np.zeros(65536, np.int32)

    def get_block_idx(self):
        return self.block

    def get_block_num(self):
        return 1 << 20  # as many as there are arrays for

    def LocalTensor(self, dtype, position, address, size):
        return Tensor(self.memory[address // 4 :][:size])

    def TBuf(self, position):
        return SimpleNamespace(get=lambda dtype: Tensor(np.zeros(32, np.int32)))

    def TPipe(self):
        return SimpleNamespace(init_buffer=lambda *arguments: None, reset=lambda: None)

    def set_flag(self, *arguments):
        pass

    wait_flag = pipe_barrier = cross_core_set_flag = set_flag

    def data_copy(self, dst, src, count):
        if isinstance(count, tuple):  # blocks with a gap of one behind each in dst
            for block in range(count[0]):
                dst.values[16 * block :][:8] = src.values[8 * block :][:8]
        else:
            dst.values[:count] = src.values[:count].copy()

    def duplicate(self, dst, value, count):
        dst.values[:count] = value

    def adds(self, dst, src, value, count, *more):
        dst.values[:count] = src.values[:count] + np.int32(value)

    def add(self, dst, src0, src1, count):
        dst.values[:count] = src0.values[:count] + src1.values[:count]
