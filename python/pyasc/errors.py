# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong, as exceptions. `PyascError` is the user's mistake, with diagnostics; `InternalError` is ours."""

from collections.abc import Iterable

from pyasc import report


class PyascError(Exception):
    """A mistake that pyasc found. `diagnostics` has one entry per finding, `code` is that of the first."""

    def __init__(self, diagnostics):
        super().__init__(diagnostics)
        self.diagnostics = list(diagnostics)

    @property
    def code(self):
        return self.diagnostics[0].code

    def text(self, color=False):
        """The report that people read."""
        return "\n".join(report.render(diagnostic, color) for diagnostic in self.diagnostics)

    def __str__(self):
        return self.text()

    def to_json(self):
        """The diagnostics as JSON; docs/messages.md has the schema."""
        return report.to_json(self.diagnostics)


class CompileError(PyascError):
    """The kernel does not compile."""


class CodegenError(CompileError):
    """The kernel does not compile; upstream's name, importable from asc.codegen.errors."""


class UnsupportedSyntaxError(CodegenError):
    """Python syntax outside the kernel language."""


class CheckError(PyascError):
    """The checks found faults in a launch that ran; what the kernel wrote is unspecified."""

    @property
    def findings(self):
        """The diagnostics; the `places` of each are the instructions it is about."""
        return self.diagnostics

    def text(self, color=False):
        return f"{super().text(color)}\nthe contents of the kernel's output arrays are unspecified"


class LaunchError(PyascError, RuntimeError):
    """A launch, an option or an argument is not as it must be; nothing ran."""


class LaunchTypeError(LaunchError, TypeError):
    """An argument or option of a wrong type."""


class LaunchValueError(LaunchError, ValueError):
    """An argument or option with a wrong value."""


class FileError(PyascError):
    """A program file, listing or folder that cannot be used."""


class PlatformError(PyascError, RuntimeError):
    """A platform, backend or installation that cannot be used."""


class PlatformValueError(PlatformError, ValueError):
    """A platform or backend that does not exist."""


class InternalError(RuntimeError):
    """A fault of pyasc itself."""


class PyascWarning(UserWarning):
    """Something that works and is probably not meant. `diagnostic` has code, place and help."""

    def __init__(self, diagnostic):
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self):
        return report.render(self.diagnostic)


_VALUE_CODES = {"K103", "K123", "K124", "K130", "K131", "K141", "K160", "K162", "K164", "K165", "K166", "K169", "K171"}
_RUNTIME_CODES = {"K101", "K114", "K140", "K163", "K170", "K172"}
_PLATFORM_VALUE_CODES = {"P102", "P103", "P106"}


def _class_of(code):
    if code.startswith("K"):
        if code in _RUNTIME_CODES:
            return LaunchError
        return LaunchValueError if code in _VALUE_CODES else LaunchTypeError
    if code.startswith("C"):
        return FileError
    if code.startswith("P"):
        return PlatformValueError if code in _PLATFORM_VALUE_CODES else PlatformError
    return UnsupportedSyntaxError if code.startswith("L2") else CodegenError


def from_diagnostics(diagnostics):
    """The exception for mistakes found before a launch."""
    return _class_of(diagnostics[0].code)(diagnostics)


def nearest(word: object, words: Iterable[str], cutoff: float = 0.6) -> "str | None":
    """The one of the words that another may have been meant to be, or None."""
    from difflib import get_close_matches  # only here: it is slow to import

    return next(iter(get_close_matches(str(word), list(words), n=1, cutoff=cutoff)), None)


collectors = []  # lists that want to have the findings of every launch (pyasc.checks.collect)


def from_findings(diagnostics):
    """The exception for what the checks of a launch found."""
    error = CheckError(diagnostics)
    for found in collectors:
        found.append(error.findings)
    return error


def internal_error(message):
    return InternalError(f"internal error[T000]: {message}\nhelp: please report this fault of pyasc, with the kernel that shows it")


def error(code: str, message: str, help: str = "", place: "tuple[str, int] | None" = None) -> PyascError:
    """An exception for a mistake outside of a kernel; `place` is a file and a line."""
    from pyasc import _core

    span = _core.Span(place[0], place[1], 0, place[1], 0) if place else _core.Span()
    return from_diagnostics([_core.Diagnostic(code, message, help, span)])
