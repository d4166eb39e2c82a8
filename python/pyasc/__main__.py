# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `pyasc`."""

import argparse
import os
import sys
import textwrap

import pyasc


def _wrong(message):
    """The status of a command that was not understood or whose files cannot be used."""
    print(f"pyasc: {message}", file=sys.stderr)
    return 2


def _print_json(value):
    import json

    print(json.dumps(value, indent=2))
    return 0


def _explain(options):
    """Prints the entry of the error index for a code and its example, or all codes with their titles."""
    from pyasc import _core, explained

    index = {code: (title, text) for code, title, text in _core.codes()}
    if options.code is None:
        if options.json:
            return _print_json([{"code": code, "title": title} for code, (title, _) in sorted(index.items())])
        print("\n".join(f"{code}  {title}" for code, (title, _) in sorted(index.items())))
        return 0
    code = options.code.upper()
    if code not in index:
        from difflib import get_close_matches

        near = sorted(get_close_matches(code, index, n=3))
        return _wrong(f"there is no code {code}" + (f"; near it: {', '.join(near)}" if near else "; `pyasc explain` lists them"))
    title, text = index[code]
    example = explained.example(code)
    cells = [("wrong", example.wrong.why, example.program(example.wrong)), ("right", example.right.why, example.right.text)]
    if options.json:
        told = {name: {"why": why, "program": program} for name, why, program in cells}
        return _print_json({"code": code, "title": title, "text": text, **told})
    print(f"{code}: {title}\n\n{textwrap.fill(text, 100, break_on_hyphens=False)}")
    for name, why, program in cells:
        print(f"\n{name}: {why}\n\n{textwrap.indent(program, '    ')}")
    return 0


def _cache(options):
    """Prints where compiled kernels are kept and how much there is, what the entries are, or removes them."""
    from pyasc import _core, cache

    if options.action in ("show", "clear"):
        told = cache.clear() if options.action == "clear" else cache.usage()
        if options.json:
            entries, size = _core.cache_usage()
            return _print_json({"folder": str(_core.cache_folder()), "kernels": entries, "bytes": size})
        print(told)
        return 0
    entries = _core.cache_entries()
    if options.action == "explain":
        if not options.name:
            return _wrong("cache explain needs the name of a kernel or the start of a key; `pyasc cache list` has them")
        entries = cache.matching(entries, options.name)
        if not entries:
            return _wrong(f"there is no entry for {options.name} in {_core.cache_folder()}; `pyasc cache list` has them all")
    elif options.name:
        entries = cache.matching(entries, options.name)
    if options.json:
        return _print_json(entries)
    print(cache.explanation(entries) if options.action == "explain" else cache.table(entries))
    return 0


def _disasm(options):
    """Prints the instructions of an encoded AI Core program, or of all programs in a .kernel file."""
    from pyasc import _core, errors, report

    try:
        with open(options.file, "rb") as file:
            data = file.read()
        programs = [data]
        if not data.startswith((b"\x7fELF", b"ASCPROG")):
            return _wrong(f"{options.file} is neither a .kernel file nor a program (kernel.bin)")
        if data.startswith(b"\x7fELF"):  # a .kernel file, or a damaged one
            payload = _core.detach_payload(data)
            programs = [payload[begin:end] for begin, end in _core.programs_in(payload)]
        print("\n".join(map(_core.disassemble, programs)), end="")
    except OSError as error:
        return _wrong(f"{options.file} cannot be read: {error.strerror}")
    except errors.PyascError as error:
        for diagnostic in error.diagnostics:
            print(report.render(diagnostic, report.use_color(sys.stderr)), file=sys.stderr)
        return 2
    return 0


def _new(options):
    """Makes a folder with a kernel that works, its test, its benchmark and a README."""
    from pyasc import new

    try:
        files = new.create(options.path)
    except (ValueError, OSError) as error:
        return _wrong(str(error))
    print(f"{options.path}: {', '.join(files)}")
    return 0


def _python_files(paths):
    """The files among the paths, and the Python files in the folders among them, without hidden ones."""
    from pathlib import Path

    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        inside = sorted(Path(path).rglob("*.py"))
        yield from (str(file) for file in inside if not any(part.startswith(".") for part in file.relative_to(path).parts))


def _lint(options):
    """Prints what is wrong with the kernels of files, without running them. 1: there is something."""
    import json

    from pyasc import lint, report

    everything = []
    for path in _python_files(options.files):
        try:
            found, notes = lint.lint(path)
        except (OSError, SyntaxError, ValueError) as error:
            return _wrong(f"{path} cannot be read: {error}")
        everything += found
        if not options.json:
            print("".join(report.render(diagnostic, report.use_color(sys.stdout)) + "\n\n" for diagnostic in found), end="")
        print("".join(f"note: {note}\n" for note in notes), end="", file=sys.stderr)
    if options.json:
        print(json.dumps([report.to_dict(diagnostic) for diagnostic in everything], indent=2))
    else:
        count = {kind: sum(diagnostic.severity == kind for diagnostic in everything) for kind in ("error", "warning")}
        print(", ".join(f"{number} {kind}{'' if number == 1 else 's'}" for kind, number in count.items()))
    return 1 if everything else 0


def _compile(options):
    """Compiles a kernel of a file. 1: it does not compile, or its profile had findings; 2: the call or the file is not as it must be."""
    import dataclasses
    import json

    from pyasc import compile, errors, report

    if options.file is not None and options.input is not None:
        return _wrong(f"two files to compile: {options.file} and --input {options.input}")
    options.input = options.input or options.file
    request = compile.Request(**{field.name: getattr(options, field.name) for field in dataclasses.fields(compile.Request)})
    told, found, status, printed = {}, [], 0, ""
    with compile.collected_warnings() as warnings:
        try:
            result = compile.compile_kernel(request)
            told = {
                "output": str(result.output),
                "kept": [str(path) for path in result.kept],
                "kernel": result.kernel,
                "target": result.target,
            }
            if options.profile is not None:
                status, printed = compile.profile(result, request.profile, options.json)
        except errors.PyascError as error:
            found = error.diagnostics
            status = 1 if isinstance(error, errors.CompileError) else 2
    found = [*found, *warnings]
    if options.json:
        told = {"status": status, **told, "diagnostics": [report.to_dict(diagnostic) for diagnostic in found]}
        print(json.dumps(told | ({"run": json.loads(printed)} if printed else {}), indent=2))
        return status
    print("".join(report.render(diagnostic, report.use_color(sys.stderr)) + "\n" for diagnostic in found), end="", file=sys.stderr)
    if told:
        print(f"{told['output']}: {told['kernel']} for {told['target']}")
    print(printed, end="")
    return status


def _run(options):
    """Runs a script with the checks of all launches on. 1: there were findings, else the status of the script."""
    from pyasc import errors, run

    try:
        return run.run(options.file, options.arguments, options.check, options.seed, options.json)
    except errors.LaunchError as error:  # of the options: what the script raises does not get here
        return _wrong(str(error))


def _targets(options):
    """Prints the chips, or all facts of one."""
    from pyasc import _core, targets

    if options.name is None:
        if options.json:
            return _print_json(_core.chip_facts())
        print(targets.table())
        return 0
    name = targets.resolve(options.name)
    if name is None:
        near = targets.nearest(options.name)
        return _wrong(f"there is no chip {options.name}" + (f"; did you mean {near}?" if near else "; `pyasc targets` lists them"))
    if options.json:
        return _print_json({name: _core.chip_facts()[name]})
    print(targets.describe(name))
    return 0


def _doctor(options):
    """Prints what the installation is made of and whether it works. 1: something is broken."""
    import json

    from pyasc import doctor

    findings = doctor.examine()
    if options.json:
        print(json.dumps([{"what": what, "found": found, "good": good} for what, found, good in findings], indent=2))
    else:
        marks = {None: " ", True: "+", False: "!"}
        print("\n".join(f"{marks[good]} {what:<14} {found}" for what, found, good in findings))
    return int(any(good is False for _, _, good in findings))


_EXAMPLES = """examples:
  pyasc new my_kernel                 a folder with a kernel that works, to start from
  pyasc run my_kernel.py              the script with all checks on: races, bounds, uninitialised reads, deadlocks
  pyasc lint my_kernel.py             what the compiler says of its kernels, without running it
  pyasc compile my_kernel.py          a file that runs by itself, ./my_kernel.kernel, without Python
  pyasc --input my_vec_add.py --output vec_add.kernel --soc-version ascend910
                                      the same for a chip; without a command, compile is meant
  pyasc explain S301                  what a code in a message means, with an example

status: 0 all is well; 1 something was found; 2 the command cannot be carried out as it was given
"""


def _refuse_unknown(command, words):
    """Ends the program with the usage of the command that does not know the words."""
    import re

    from pyasc import errors

    near = errors.nearest(words[0].partition("=")[0], re.findall(r"--[a-z-]+", command.format_help()))
    help = f"; did you mean {near}?" if near and words[0].startswith("-") else ""
    command.error(f"unrecognized arguments: {' '.join(words)}{help}")


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(
        prog="pyasc",
        description="Kernels for Ascend AI Cores in Python: compiled in milliseconds, run, checked and timed on any CPU.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pyasc {pyasc.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    new = commands.add_parser("new", help="a folder with a kernel that works, its test, benchmark and README")
    new.add_argument("path", metavar="NAME", help="the folder; its last part names the kernel")
    new.set_defaults(run=_new)
    run = commands.add_parser("run", help="runs a script with all checks on, whatever its kernels say, or a .kernel file")
    run.add_argument("--check", metavar="NAMES", default="all", help="which checks, separated by commas: all (the default), races, ...")
    run.add_argument("--seed", type=int, help="of adversarial mode")
    run.add_argument("--json", metavar="OUT", help="a file for the findings of all launches, as one JSON array")
    run.add_argument("file", metavar="FILE")
    run.add_argument("arguments", metavar="...", nargs=argparse.REMAINDER, help="arguments of the script")
    run.set_defaults(run=_run)
    lint = commands.add_parser("lint", help="errors and warnings of all kernels in files, which are not run")
    lint.add_argument("files", metavar="FILE", nargs="+", help="a Python file, or a folder of them")
    lint.add_argument("--json", action="store_true", help="the findings of all files as one JSON array")
    lint.set_defaults(run=_lint)
    compile = commands.add_parser(
        "compile", help="makes a .kernel file, which runs by itself, of a kernel; `pyasc --input ...` is the same"
    )
    compile.add_argument("file", metavar="FILE", nargs="?", help="the Python file; without it --function names a kernel of pyasc")
    compile.add_argument("--input", metavar="FILE", help="the Python file, too")
    compile.add_argument("-o", "--output", metavar="FILE", help="what is written; without it the name of the input with .kernel")
    compile.add_argument("--function", metavar="NAME", help="the kernel, when the file has several")
    compile.add_argument("--soc-version", metavar="CHIP", help="the chip, such as Ascend910B1; pyasc targets lists them")
    compile.add_argument("--target", metavar="TARGET", default="sim", help="sim (the default): a .kernel file; ascendc: the Ascend C text")
    compile.add_argument(
        "--dtype", dest="dtypes", metavar="[NAME=]TYPE", action="append", default=[], help="type of all arrays (float32), or of a parameter"
    )
    compile.add_argument(
        "--shape", dest="shapes", metavar="NAME=SIZES", action="append", default=[], help="sizes of an array, numbers or names: a=1024,row"
    )
    compile.add_argument(
        "--const", dest="constants", metavar="NAME=VALUE", action="append", default=[], help="the value of an asc.ConstExpr parameter"
    )
    compile.add_argument(
        "--workspace", dest="workspaces", metavar="NAME=SIZES", action="append", default=[], help="an array that only the kernel uses"
    )
    compile.add_argument("--cores", metavar="N", type=int, help="cores of a run that does not say; without it all of the chip")
    compile.add_argument("--keep-intermediate", action="store_true", help="leave IR, Ascend C and listing beside the output")
    compile.add_argument(
        "--profile", metavar="SIZES", nargs="?", const="", help="run it once on made-up values, and print cycles and bytes: 65536 or row=64"
    )
    compile.add_argument("--json", action="store_true", help="one JSON object instead of text")
    compile.set_defaults(run=_compile)
    explain = commands.add_parser("explain", help="what an error code means; without CODE, all of them")
    explain.add_argument("code", metavar="CODE", nargs="?", help="the code in the brackets of a message, such as S301")
    explain.add_argument("--json", action="store_true", help="a JSON object; without CODE an array of codes and titles")
    explain.set_defaults(run=_explain)
    targets = commands.add_parser("targets", help="the chips that the simulator knows, or all facts of one")
    targets.add_argument("name", metavar="NAME", nargs="?", help="such as Ascend910B1 or 910b1")
    targets.add_argument("--json", action="store_true", help="a JSON object with the facts of each chip")
    targets.set_defaults(run=_targets)
    disasm = commands.add_parser(
        "disasm", help="the instructions of the programs in a .kernel file, or of one that PYASC_DUMP_PATH writes (kernel.bin)"
    )
    disasm.add_argument("file", metavar="FILE")
    disasm.set_defaults(run=_disasm)
    doctor = commands.add_parser("doctor", help="whether this installation works")
    doctor.add_argument("--json", action="store_true", help="a JSON array with an object per line")
    doctor.set_defaults(run=_doctor)
    cache = commands.add_parser("cache", help="the compile cache: where it is, what is in it and why, and emptying it")
    cache.add_argument("action", nargs="?", choices=["show", "list", "explain", "clear"], default="show")
    cache.add_argument("name", metavar="KERNEL", nargs="?", help="list, explain: a kernel's name, or the start of a key")
    cache.add_argument("--json", action="store_true", help="a JSON object; list, explain: an array with an object per entry")
    cache.set_defaults(run=_cache)
    if arguments and arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version"):  # without a command
        arguments = ["compile", *arguments]
    if arguments and not arguments[0].startswith("-") and arguments[0] not in commands.choices:
        from pyasc import errors

        near = errors.nearest(arguments[0], commands.choices)
        return _wrong(f"there is no command {arguments[0]}" + (f"; did you mean {near}?" if near else "; `pyasc --help` lists them"))
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        _refuse_unknown(commands.choices[arguments[0]], unknown)
    try:
        status = options.run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader has seen enough, as in `pyasc explain | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.filename is not None:  # something else
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _wrong(f"the output cannot be written: {error.strerror or error}")


if __name__ == "__main__":
    sys.exit(main())
