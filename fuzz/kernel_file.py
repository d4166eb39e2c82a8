# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fuzz of `.kernel` files: payloads and data files are damaged, payloads under digests that fit again, and run in this process with small
limits. Every outcome is a status with codes that exist; anything else is a finding, and so are crashes, hangs, and a result of a file whose
digest does not fit.

    python fuzz/kernel_file.py --mutants 1000 --seed 1 --last FILE

prints what came out as JSON. Mutant number n of a seed is always the same; its number is in FILE before it runs."""

import argparse
import contextlib
import io
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from pyasc import _core

ROOT = Path(__file__).resolve().parent.parent
SECONDS, WAITING = 20, 200  # a mutant that takes more time of the processor, or so long beside other programs, hangs
TWO_LAUNCHES = """
from pyasc import Kernel, Stream, Tensor


def two_launches(x: Tensor, y: Tensor, z: Tensor):
    total, stream = Tensor(x.shape, x.dtype), Stream()
    for name, inputs, output in [("vec_add_kernel", (x, y), total), ("relu_kernel", (total,), z)]:
        kernel = Kernel(name)
        kernel.set_tiling([2 if x.size > 50 else 1, 1, 1, x.size])
        for number, tensor in enumerate(inputs):
            kernel.set_input(number, tensor)
        kernel.set_output(0, output)
        stream.launch(kernel)
"""
KERNELS = {  # lesson; or host function, or kernel of pyasc, whose file has a tiling rule -> options of compile, inputs
    "vec_add_kernel": ([], {"x": 100, "y": 100}),
    "softmax_kernel": ([], {"x": (3, 40)}),
    "two_launches": ([], {"x": 100, "y": 100}),
    "02_add_framework": (["--function", "add"], {"x": 8192, "y": 8192}),
    "03_tails": (["--function", "add"], {"x": 100, "y": 100}),
    "04_axpby": ([], {"x": 64, "y": 64}),
    "06_softmax": (["--shape", "x=rows,n"], {"x": (3, 40)}),
    "08_embedding": (["--shape", "table=words,64", "--shape", "index=n", "--shape", "z=n,64", "--dtype", "index=int32"], None),
}
WORDS = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1]


class Kernel:
    """What a lesson becomes, and a run of it."""

    def __init__(self, name, folder):
        from pyasc.__main__ import main

        options, inputs = KERNELS[name]
        path = folder / f"{name}.kernel"
        source = ROOT / "examples" / f"{name}.py"
        if name == "two_launches":
            source = folder / "two_launches.py"
            source.write_text(TWO_LAUNCHES)
        which = ["--input", str(source)] if source.exists() else ["--function", name]
        with contextlib.redirect_stdout(io.StringIO()):
            assert main(["compile", *which, "--output", str(path), "--cores", "2", *options]) == 0
        self.payload = _core.detach_payload(path.read_bytes())
        self.file = _core.attach_payload(b"a short runner", self.payload)
        self.programs = _core.programs_in(self.payload)
        self.arrays = {}
        for key, shape in (inputs or {}).items():
            self.arrays[key] = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        if inputs is None:
            self.arrays = {"table": np.ones((5, 64), np.float32), "index": np.array([4, 0, 2], np.int32)}
        self.options = ["--output", "/dev/null", "--max-cycles", "20000", "--threads", "1"]
        self.options += ["--a", "1.5", "--b", "2"] if name == "04_axpby" else []
        for key, array in self.arrays.items():
            np.save(folder / f"{name}_{key}.npy", array)
            self.options[:0] = [f"--input-{key}", str(folder / f"{name}_{key}.npy")]


class Fuzzer:
    def __init__(self, seed, folder):
        self.seed, self.folder = seed, Path(folder)
        self.kernels = [Kernel(name, self.folder) for name in KERNELS]
        self.codes = {code for code, *_ in _core.codes()}

    def damaged(self, data, begin=0, end=None):
        """A few bytes changed, cut out, or repeated."""
        data, end = bytearray(data), len(data) if end is None else end
        for _ in range(self.random.choice((1, 1, 1, 2, 4, 8))):
            at = self.random.randrange(begin, max(end, begin + 1))
            match self.random.randrange(5):
                case 0:
                    data[at : at + 1] = bytes([self.random.randrange(256)])
                case 1:
                    data[at : at + 1] = bytes([(data[at] if at < len(data) else 0) ^ 1 << self.random.randrange(8)])
                case 2:
                    data[at : at + 4] = self.random.choice(WORDS).to_bytes(4, "little")
                case 3:
                    data[at : at + 8] = (self.random.choice(WORDS) * self.random.choice((1, 2**32, 2**64 - 1)) % 2**64).to_bytes(
                        8, "little"
                    )
                case 4:
                    data[at : at + 4] = data[at + 4 : at + 8]
            data = data[: max(len(data), 1)]
        return bytes(data)

    def mutant(self, number):
        """(what was damaged, file bytes, whether it is a payload, options) of mutant `number`."""
        self.random = random.Random(f"{self.seed}/{number}")
        kernel = self.random.choice(self.kernels)
        options = list(kernel.options)
        what = self.random.choice(("program", "program", "program", "payload", "payload", "data", "file", "options"))
        if what == "program":  # under a digest of its own, which fits again
            begin, end = self.random.choice(kernel.programs)
            program = self.damaged(kernel.payload[begin:end], begin=40, end=self.random.choice((200, end - begin, end - begin)))
            program = _core.sealed_program(program[: end - begin].ljust(end - begin, b"\0"))
            return what, kernel.payload[:begin] + program + kernel.payload[end:], True, options
        if what == "payload":
            begin, end = kernel.programs[0]
            outside = self.random.random() < 0.5
            return what, self.damaged(kernel.payload, *((0, begin) if outside else (end, len(kernel.payload)))), True, options
        if what == "data":
            path = self.folder / "damaged.npy"
            path.write_bytes(self.damaged(Path(options[1]).read_bytes(), end=self.random.choice((128, None))))
            options[1] = str(path)
            return what, kernel.payload, True, options
        if what == "file":
            return what, self.damaged(kernel.file, begin=len(kernel.file) - len(kernel.payload) - 200), False, options
        at = self.random.randrange(len(options))
        words = ["--", "-", "", "--input-x", "--cores", "--n", "--rows=3", "--info", "--json", "--check", "99", "-1", "1e9", "--a=nan"]
        changed = [*options[:at], self.random.choice(words), *options[at + self.random.randrange(2) :]]
        return what, kernel.payload, True, changed

    def run(self, number):
        """What came out of a mutant, and what is wrong with that or None."""
        what, file, is_payload, options = self.mutant(number)
        told, printed, printed_errors = [], [], []

        def render(diagnostic):
            told.append(diagnostic.code)
            return diagnostic.code

        start, started = time.process_time(), time.monotonic()
        status = _core.run_kernel_file(file, options, "mutant", printed.append, printed_errors.append, render, is_payload=is_payload)
        problem = None
        took, waited = time.process_time() - start, time.monotonic() - started
        if took > SECONDS or waited > WAITING:
            problem = f"took {took:.1f} s of the processor in {waited:.1f} s"
        elif status not in (0, 1, 2) or (status and not told and "--json" not in options):
            problem = f"ended with status {status} and {told}: {''.join(printed_errors)[:200]}"
        elif not set(told) <= self.codes:
            problem = f"has the codes {told}"
        elif what == "file" and status == 0 and file not in [kernel.file for kernel in self.kernels]:
            problem = "is damaged, and gave a result"
        return f"{what}: {told[0] if told else 'ran'}", problem


def run(seed, mutants, last=None, first=0):
    """(outcomes, findings) of mutants."""
    outcomes, findings = Counter(), []
    with tempfile.TemporaryDirectory(prefix="pyasc-fuzz-") as folder, contextlib.chdir(folder):  # options may make any word a file
        fuzzer = Fuzzer(seed, folder)
        for number in range(first, first + mutants):
            if last:
                Path(last).write_text(str(number))
            outcome, problem = fuzzer.run(number)
            outcomes[outcome] += 1
            if problem:
                findings.append(f"mutant {number} of seed {seed} {problem}")
    return outcomes, findings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=Path, help="file for the number of the mutant that runs")
    options = parser.parse_args()
    outcomes, findings = run(options.seed, options.mutants, options.last, options.first)
    print(json.dumps({"outcomes": outcomes, "findings": findings}, indent=2))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
