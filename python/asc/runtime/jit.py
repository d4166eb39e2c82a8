# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`@asc.jit`: a Python function as a kernel, or as a function that kernels call."""

import sys
from collections.abc import Callable
from functools import cached_property, partial
from types import FunctionType, MappingProxyType
from typing import Any, Unpack, overload

from pyasc import _core, _structures, checks, errors

from asc.language.core.constexpr import ConstExpr
from asc.runtime import options as _options
from asc.runtime.launcher import LaunchOptions

_VARARGS, _VARKEYWORDS = 0x04, 0x08  # of a code object


def _annotation(function, name):
    """The annotation of a parameter. Text (from __future__ import annotations) is looked up; its names may exist for a type checker only,
    except asc.ConstExpr, which decides how the parameter is passed."""
    annotation = function.__annotations__.get(name)
    if isinstance(annotation, str):
        try:
            return eval(annotation, function.__globals__)
        except Exception:
            if "ConstExpr" in annotation:
                raise
    return annotation


def annotated_dtype(function, name):
    """The dtype that a parameter of a function is annotated with, or None."""
    return _structures.scalar_type(_annotation(function, name))


def _parameters(function, method=False):
    """(name, has default, default, static types or None, keyword only, prefers scalar, dtype or None, structure class or None) of each
    parameter. The first one of a method is static."""
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    keyword_only = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    defaults = dict(zip(reversed(positional), reversed(function.__defaults__ or ()), strict=False)) | (function.__kwdefaults__ or {})
    for name in (*positional, *keyword_only):
        annotation = _annotation(function, name)
        if method and (name,) == positional[:1]:
            annotation = ConstExpr
        static = annotation.types if isinstance(annotation, type) and issubclass(annotation, ConstExpr) else None
        dtype = _structures.scalar_type(annotation)
        structure = annotation if static is None and _structures.is_structure(annotation) else None
        scalar = dtype is not None or annotation in (int, float, bool)
        yield name, name in defaults, defaults.get(name), static, name in keyword_only, scalar, dtype, structure


def _kernel_type(values):
    """The number of the kernel type, or None: the one that the kernel needs."""
    chosen = values["kernel_type"]
    if chosen is None and values["matmul_cube_only"]:
        from asc.runtime.config import KernelType

        chosen = KernelType.AIC_ONLY
    return None if chosen is None else chosen.value


def _problem(function):
    """Why a function cannot be launched as a kernel (it may still be called by kernels), or None."""
    if function.__code__.co_flags & (_VARARGS | _VARKEYWORDS):
        return f"kernel '{function.__name__}' has parameters without a fixed number (*args or **kwargs)", "name each parameter"
    return None


def _time_stamps(values):
    """Whether print_time_stamp prints: as the option says, or the device compiler's arguments."""
    if values["time_stamps"] is not None:
        return values["time_stamps"]
    return any(str(argument).partition("=")[0] == "-DASCENDC_TIME_STAMP_ON" for argument in values["bisheng_options"] or ())


def _check_names(function):
    """Upstream's options can be keywords of a launch, so no parameter has such a name."""
    code = function.__code__
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if name in _options.CALL_OPTIONS or name in ("core_num", "stream"):
            message = f"parameter '{name}' of function '{function.__name__}' has the name of an option"
            raise errors.error("K114", message, "give it another name", (code.co_filename, code.co_firstlineno))


class JITFunction(_core.Kernel):
    """A kernel: `kernel[cores](arguments)` launches it, `kernel.compile(arguments)` only compiles it."""

    def __init__(self, fn, given, parent=None, method=False):
        self.fn = fn
        self.given_options = given
        self._is_method = method or (parent is not None and parent._is_method)
        self.__name__, self.__qualname__, self.__module__, self.__doc__ = fn.__name__, fn.__qualname__, fn.__module__, fn.__doc__
        values = {name: option.default for name, option in _options.OPTIONS.items()} | given
        self.default_options = MappingProxyType(values)
        native = {
            "auto_sync": bool(values["auto_sync"]),
            "python_arithmetic": values["arithmetic"] == "python",
            "dump": values["dump"],
            "time_stamps": _time_stamps(values),
            "insert_sync": values["insert_sync"],
            "without_sync": None if values["without_sync"] is None else int(values["without_sync"]),
            "kernel_type": _kernel_type(values),
            "check": None if values["check"] is None else checks.parse(values["check"]),
            "seed": int(values["seed"]),
            "data_cache": values["data_cache"],
            "always_compile": values["always_compile"],
            "all_errors": values.get("all_errors", False),  # pyasc lint asks for them
            "print_ir_before_all": values["print_ir_before_all"],
            "max_cycles": int(values["max_cycles"] or 0),
            "threads": int(values["threads"] or 0),
        }
        parameters = list(_parameters(fn, method))
        super().__init__(fn, parameters, native, _problem(fn), parent)

    @property
    def __asc_jit__(self):
        return self.fn

    @property
    def __wrapped__(self):
        return self.fn

    @property
    def __code__(self):
        """Debuggers look here for the place of a function: `b kernel`."""
        return self.fn.__code__

    @property
    def launch_options(self):
        """Cores and stream of a call without brackets."""
        return LaunchOptions(core_num=self.default_options["core_num"], stream=self.default_options["stream"])

    @property
    def cache_key(self):
        """The key of the kernel that the last launch or compile found; empty before one."""
        return self.cache_info().key

    @property
    def src(self):
        """The source text of the function."""
        import inspect

        return inspect.getsource(self.fn)

    def options(self, **given: Unpack[_options.Options]) -> "JITFunction":
        """The same kernel with other options; both share what is compiled."""
        _options.check(given)
        return JITFunction(self.fn, self.given_options | given, self)

    def _with_call_options(self, given):
        """Upstream allows its compile options as keywords of the launch; any other keyword is a parameter misspelt."""
        for name, value in given.items():
            if name not in _options.CALL_OPTIONS:
                parameters = [name for name, *_ in _parameters(self.fn)]
                near = errors.nearest(name, [*parameters, *_options.CALL_OPTIONS])
                if name in _options.OPTIONS:
                    help = f"it is an option: write {self.__name__}.options({name}={value!r})[cores](...)"
                else:
                    help = f"did you mean '{near}'?" if near else f"its parameters are: {', '.join(parameters) or 'none'}"
                raise errors.error("K112", f"kernel '{self.__name__}' has no parameter '{name}'", help)
        return self.options(**given)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if _core.is_compiling():  # Python runs it for a kernel: an operator of a class, a property, a key of sorted
            return _core.call_while_compiling(self, arguments, named)
        cores = self.given_options.get("core_num", 0)
        if not cores:
            name = self.__name__
            help = f"write {name}[cores](...); inside a kernel, call {name}(...)"
            raise errors.error("K101", f"kernel '{name}' is called without a number of cores", help)
        return self[cores, self.given_options.get("stream")](*arguments, **named)

    @cached_property
    def _method(self):
        """The kernel with a first parameter that is known while compiling: the object of a method."""
        return JITFunction(self.fn, self.given_options, method=True)

    def __get__(self, instance, owner=None):
        return self if instance is None else Method(self._method, instance)

    def __repr__(self):
        return f"<kernel '{self.__qualname__}'>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        """As functions are pickled: by name. A kernel from options() is that of its name with these options."""
        owner = found = sys.modules.get(self.__module__)
        for name in self.__qualname__.split("."):
            owner, found = found, getattr(found, name, None)
        if isinstance(found, Method) and isinstance(owner, type) and found.__func__.fn is self.fn:  # of a class method
            return (_of_class, (owner, name)) if found.__func__ is self else (_with_options, (found.__func__, self.given_options))
        if found is self:
            return self.__qualname__
        if isinstance(found, JITFunction) and found.fn is self.fn:
            if self is found.__dict__.get("_method"):
                return getattr, (found, "_method")
            return _with_options, (found._method if self._is_method else found, self.given_options)
        message = f"kernel '{self.__qualname__}' cannot be pickled: module '{self.__module__}' has no such name for it"
        code = self.fn.__code__
        place = code.co_filename, code.co_firstlineno
        raise errors.error("K152", message, "define it at the top level of a module, where another process finds it", place)


def _of_class(cls, name):
    return getattr(cls, name).__func__


def _with_options(kernel, given):
    return JITFunction(kernel.fn, given, kernel)


class Method:
    """A kernel reached through an object, `obj.kernel[cores](arguments)`: the object is its first argument, known while compiling."""

    __asc_method__ = True
    __slots__ = ("__func__", "__self__")

    def __init__(self, function, instance):
        self.__func__, self.__self__ = function, instance

    def __reduce__(self):
        return Method, (self.__func__, self.__self__)

    def __getitem__(self, index):
        return partial(self.__func__[index], self.__self__)

    def __call__(self, *arguments, **named):
        return self.__func__(self.__self__, *arguments, **named)

    def compile(self, *arguments, **named):
        return self.__func__.compile(self.__self__, *arguments, **named)

    def options(self, **given: Unpack[_options.Options]) -> "JITFunction":
        return Method(self.__func__.options(**given), self.__self__)

    def __getattr__(self, name):
        return getattr(self.__func__, name)

    def __repr__(self):
        return f"<{self.__func__!r} of {self.__self__!r}>"


class ClassMethod(classmethod):
    """What @asc.jit makes of a classmethod."""

    def __get__(self, instance, owner=None):
        return Method(self.__func__._method, owner or type(instance))


@overload
def jit(fn: Callable[..., Any]) -> JITFunction: ...
@overload
def jit(**options: Unpack[_options.Options]) -> Callable[[Callable[..., Any]], JITFunction]: ...
def jit(fn=None, **options):
    """Makes a kernel of a Python function: `@asc.jit`, or `@asc.jit(option=value, ...)`."""
    _options.check(options)
    if fn is None:
        return lambda function: jit(function, **options)
    if isinstance(fn, staticmethod):
        return staticmethod(jit(fn.__func__, **options))
    if isinstance(fn, classmethod):
        return ClassMethod(jit(fn.__func__, **options))
    if not isinstance(fn, FunctionType):
        raise errors.error("K150", f"@asc.jit: got {fn!r}, expected a Python function", "write it above a def")
    _check_names(fn)
    return JITFunction(fn, options)


_TABLE = f"\n\nOptions, and their defaults:\n{_options.table()}\n"
for _documented in jit, JITFunction.options:
    _documented.__doc__ = (_documented.__doc__ or "") + _TABLE


class MockTensor:
    """Stands for an array in `kernel.compile`."""

    __asc_mock__ = "tensor"
    __slots__ = ("dtype",)

    def __init__(self, dtype):
        self.dtype = dtype


class MockValue:
    """Stands for a number in `kernel.compile`."""

    __asc_mock__ = "value"
    __slots__ = ("dtype",)

    def __init__(self, dtype):
        self.dtype = dtype


__all__ = ["JITFunction", "MockTensor", "MockValue", "jit"]
