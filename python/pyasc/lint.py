# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyasc lint`: compiles the kernels of a file without running the file.

Of the top level only what defines something runs: imports, functions, classes, and assignments whose right side has no effect (literals,
names, arithmetic, types; calls of asc, math, dataclasses and the like, of classes, and of functions of the file that only make functions).
Launches, prints and all else are read, not run: what a launch passes tells the types of a kernel's parameters where annotations do not."""

import __future__

import ast
import builtins
import dataclasses
import dis
import functools
import inspect
import itertools
import operator
import os
import sys
import types
import warnings

from pyasc import _source, errors, report

# ---------------------------------------------------------------- what defines something and does nothing else

_MODULES = {"asc", "collections", "dataclasses", "enum", "functools", "math", "operator", "typing"}  # whose functions may be called
_REGISTRATION = {"pyasc.registry", "pyasc.tiling"}  # of pyasc: @pyasc.kernel and tiling rules
_BUILTINS = "abs bool dict divmod enumerate float frozenset int len list max min pow range round set sorted str sum tuple type zip".split()
_BUILTINS += "classmethod property staticmethod".split()
_PLAIN = (
    *(ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Starred, ast.Call, ast.keyword),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
    *(ast.Tuple, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
    *(ast.JoinedStr, ast.FormattedValue, ast.Lambda, ast.arguments, ast.arg),
)
_TARGETS = ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context
_MOST_ROUNDS = 100  # of a loop that defines something


def _root(node):
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _may_be_called(function, names):
    """Whether calling what the node names is known to have no effect."""
    root = _root(function)
    value = names.get(root, getattr(builtins, root, None) if root in _BUILTINS else None)
    if isinstance(value, types.ModuleType):
        if value.__name__.split(".")[0] in _MODULES:
            return True
        for part in ast.unparse(function).split(".")[1:]:  # numpy.float16(2), pyasc.kernel("name")
            value = getattr(value, part, None)
        if getattr(value, "__module__", None) in _REGISTRATION:
            return not isinstance(value, type)
        return isinstance(value, type) and value.__module__ == "numpy"
    if root in names.get("__factories__", ()):
        return isinstance(function, ast.Name)
    module = getattr(value, "__module__", None) or ""
    return value is not None and (
        module.split(".")[0] in _MODULES or module in _REGISTRATION or module == "builtins" or isinstance(value, type)
    )


def _is_plain(node, names):
    """Whether evaluating an expression has no effect."""
    return all(isinstance(part, _PLAIN) and (not isinstance(part, ast.Call) or _may_be_called(part.func, names)) for part in ast.walk(node))


def _function_is_plain(node, names):
    made = [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]
    return all(
        _is_plain(part, names) and (isinstance(part, ast.Call) or _may_be_called(part, names)) for part in node.decorator_list
    ) and all(_is_plain(part, names) for part in made)


def _is_factory(node, names):
    """Whether calling a function of the file does nothing but make something."""
    known = dict.fromkeys([argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)])
    known |= {inner.name: None for inner in node.body if isinstance(inner, ast.FunctionDef)}

    def makes(statements):
        for part in statements:
            match part:
                case ast.Return(value=value):
                    if value is not None and not _is_plain(value, names | known):
                        return False
                case ast.If():
                    if not (_is_plain(part.test, names | known) and makes(part.body) and makes(part.orelse)):
                        return False
                case _:
                    if not _is_definition(part, names | known):
                        return False
        return True

    return any(isinstance(part, ast.Return) for part in ast.walk(node)) and makes(node.body)


def _class_is_plain(node, names):
    head = [*node.bases, *(keyword.value for keyword in node.keywords), *node.decorator_list]
    return all(_is_plain(part, names) for part in head) and all(_is_definition(part, names) for part in node.body)


def _is_definition(node, names):
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return _function_is_plain(node, names)
        case ast.ClassDef():
            return _class_is_plain(node, names)
        case ast.Assign() | ast.AnnAssign():
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            simple = all(isinstance(part, _TARGETS) for target in targets for part in ast.walk(target))
            return simple and (node.value is None or _is_plain(node.value, names))
        case ast.Try():
            handlers = [statement for handler in node.handlers for statement in handler.body]
            return all(_is_definition(part, names) for part in [*node.body, *handlers, *node.orelse, *node.finalbody])
    return False


def _asks_for_main(test):
    """Whether a condition is __name__ == "__main__"."""
    return isinstance(test, ast.Compare) and ast.unparse(test).replace("'", '"') in ('__name__ == "__main__"', '"__main__" == __name__')


def _returns_value(function):
    """Whether a return of the function, not of one inside of it, has a value."""
    pending = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)
    return False


@dataclasses.dataclass
class _Kernel:
    """A function of the file made with @asc.jit; `path` is its name as a launch writes it, `owner` the class of a method."""

    kernel: object
    path: str
    owner: type | None = None

    @property
    def line(self):
        return self.kernel.fn.__code__.co_firstlineno

    @property
    def title(self):
        return self.kernel.fn.__qualname__.rpartition("<locals>.")[2]

    @property
    def is_function(self):
        """Whether it is there to be called by kernels: it returns something, or Python calls it by an operator."""
        name = self.kernel.fn.__name__
        return (name.startswith("__") and name.endswith("__")) or _returns_value(_source.load(self.kernel.fn).tree)


class _Module:
    """What the definitions of a file make: `names`, the names that only running the file would give, and the kernels."""

    def __init__(self, path, tree):
        # A module that can be found: text annotations are looked up there.
        module = sys.modules["__pyasc_lint__"] = types.ModuleType("__pyasc_lint__")
        self.names = vars(module)
        self.factories = set()
        self.names |= {"__file__": path, "__builtins__": builtins, "__factories__": self.factories}
        self.problems = []  # of definitions that failed
        self.failed = set()  # their lines
        self.missing = set()
        self.kernels = []
        self._path = path
        self._seen = set()
        imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        future = [alias.name for node in imports if getattr(node, "module", None) == "__future__" for alias in node.names]
        self._flags = functools.reduce(operator.or_, (getattr(__future__, name).compiler_flag for name in future), 0)
        # Python compiles calls of functions of a module otherwise when it sees where the module is imported.
        seen = [node for node in imports if getattr(node, "module", None) != "__future__" and node.names[0].name != "*"]
        self._imports = [ast.fix_missing_locations(ast.If(ast.Constant(False), seen, []))] if seen else []
        self._define(tree.body)
        self.missing -= set(self.names)

    def _define(self, statements):
        for node in statements:
            if isinstance(node, ast.If) and _asks_for_main(node.test):
                self._define(node.body)
            elif isinstance(node, ast.If) and _is_plain(node.test, self.names):
                test = self._run(ast.Expression(node.test), eval)
                if test is not None:
                    self._define(node.body if test else node.orelse)
            elif isinstance(node, ast.If):  # nobody knows: what both branches define is looked at
                self._define([*node.body, *node.orelse])
            elif (
                isinstance(node, ast.For)
                and _is_plain(node.iter, self.names)
                and all(isinstance(part, _TARGETS) for part in ast.walk(node.target))
            ):
                self._rounds(node)
            elif isinstance(node, ast.With):
                self._define(node.body)
            elif getattr(node, "module", None) != "__future__" and _is_definition(node, self.names):
                self._run(ast.Module([*self._imports, node], []), exec)
                if isinstance(node, ast.FunctionDef) and not node.decorator_list and _is_factory(node, self.names):
                    self.factories.add(node.name)
            self.missing |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
            self.missing |= {getattr(node, "name", None)} - {None}
            self._collect()

    def _rounds(self, node):
        """A loop: its definitions, for each of the elements, or the first of many."""
        elements = self._run(ast.Expression(node.iter), eval)
        try:
            elements = list(itertools.islice(elements, _MOST_ROUNDS))
        except TypeError:
            return
        for element in elements:
            self.names["__element__"] = element
            self._run(ast.Module([ast.copy_location(ast.Assign([node.target], ast.copy_location(_ELEMENT, node)), node)], []), exec)
            self._define(node.body)
        self.names.pop("__element__", None)

    def _collect(self):
        """The kernels that the last statement has made."""

        def add(value, path, owner=None):
            kernel = getattr(value, "__func__", value) if isinstance(value, (staticmethod, classmethod)) else value
            kernel = value.fget if isinstance(value, property) else kernel
            if not hasattr(kernel, "__asc_jit__") or id(kernel) in self._seen or kernel.fn.__code__.co_filename != self._path:
                return
            self._seen.add(id(kernel))
            self.kernels.append(_Kernel(kernel, path, None if isinstance(value, staticmethod) else owner))

        for name, value in list(self.names.items()):
            add(value, name)
            if isinstance(value, type) and value.__module__ == "__pyasc_lint__":
                for key, method in list(vars(value).items()):
                    add(method, f"{name}.{key}", value)
            elif isinstance(value, (list, tuple)):
                for element in value:
                    add(element, name)
            elif isinstance(value, dict) and not name.startswith("__"):
                for element in value.values():
                    add(element, name)

    def _run(self, tree, how):
        try:
            return how(compile(ast.fix_missing_locations(tree), self._path, how.__name__, self._flags, True), self.names)
        except errors.PyascError as error:
            self.problems.append(error)
        except Exception as error:
            line = (tree.body[-1] if how is exec else tree.body).lineno
            self.problems.append(f"{report.shown_path(self._path)}:{line}: not defined: {type(error).__name__}: {error}")
        if how is exec:
            self.failed |= {node.lineno for node in ast.walk(tree.body[-1]) if isinstance(node, ast.FunctionDef)}


_ELEMENT = ast.Name("__element__", ast.Load())


# ---------------------------------------------------------------- what the arguments of a kernel are


class _Launches(ast.NodeVisitor):
    """The launches in a file, kernel[cores](...), object.kernel[cores](...) and kernel.compile(...), each with its kernel as it is written
    and what its variables were assigned before; and the calls of classes, which tell the objects of methods."""

    def __init__(self):
        self.found, self.made = [], {}
        self._scopes, self._classes = [{}], []

    def visit_FunctionDef(self, node):
        self._scopes.append({})
        self.generic_visit(node)
        self._scopes.pop()

    def visit_ClassDef(self, node):
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()

    def visit_Assign(self, node):
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._scopes[-1][target.id] = node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts):
                self._scopes[-1].update((t.id, v) for t, v in zip(target.elts, node.value.elts, strict=True) if isinstance(t, ast.Name))

    def visit_Call(self, node):
        self.generic_visit(node)
        variables = {name: value for scope in self._scopes for name, value in scope.items()}
        if isinstance(node.func, ast.Name):
            self.made.setdefault(node.func.id, (node, variables))
        if isinstance(node.func, ast.Subscript):
            launcher = node.func.value
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "compile":
            launcher = node.func.value
        else:
            return
        while isinstance(launcher, ast.Call) and isinstance(launcher.func, ast.Attribute) and launcher.func.attr == "options":
            launcher = launcher.func.value
        if isinstance(launcher, (ast.Name, ast.Attribute)):
            self.found.append((launcher, node, variables, self._classes[-1] if self._classes else None))


_UNKNOWN = object()
_ARRAYS = {"zeros", "ones", "empty", "full", "arange", "array", "asarray", "linspace", "zeros_like", "ones_like", "empty_like", "full_like"}


def _dtype_of(node, names):
    """The dtype that an expression names, as in np.zeros(8, np.float16)."""
    try:
        value = eval(compile(ast.Expression(node), "<dtype>", "eval"), names) if _is_plain(node, names) else None
    except Exception:
        return None
    from pyasc._structures import scalar_type

    return scalar_type(value) if not isinstance(value, str) else _dtype_called(value)


def _dtype_called(name):
    from pyasc import _core

    return next((dtype for dtype in _core.dtypes if str(dtype) == name), None)


def _argument(node, variables, names, depth=0):
    """What an expression of a launch passes, as far as the text tells: a stand-in for an array, a value, or _UNKNOWN."""
    from asc.runtime.jit import MockTensor

    if isinstance(node, ast.Name) and node.id in variables and depth < 10:
        return _argument(variables[node.id], variables, names, depth + 1)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        method, given = node.func.attr, {keyword.arg: keyword.value for keyword in node.keywords}
        if method == "astype" and node.args:
            dtype = _dtype_of(node.args[0], names)
        elif method in _ARRAYS:
            candidates = [given["dtype"]] if "dtype" in given else reversed(node.args[1:])
            dtype = next(filter(None, (_dtype_of(candidate, names) for candidate in candidates)), None)
            if dtype is None and method.endswith("_like") and node.args:
                return _argument(node.args[0], variables, names, depth + 1)
        else:
            dtype = None
        if dtype is not None:
            return MockTensor(dtype)
    try:
        return eval(compile(ast.Expression(node), "<argument>", "eval"), names) if _is_plain(node, names) else _UNKNOWN
    except Exception:
        return _UNKNOWN


def _passed(kernel, launch, names, is_method):
    """The arguments of a launch by parameter, as far as they are known."""
    if launch is None:
        return {}
    node, variables = launch
    own = [ast.Constant(None)] * is_method
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return {}
    try:
        bound = inspect.signature(kernel.fn).bind_partial(*own, *node.args, **{k.arg: k.value for k in node.keywords}).arguments
    except TypeError:
        return {}
    return {name: _argument(value, variables, names) for name, value in bound.items()}


class _NotKnown(Exception):
    """A parameter whose type the text does not tell."""


_TRIED = ("float32", "float16", "int32")  # for addresses of unknown dtype


def _zeros(structure):
    """A structure of that class; its values do not matter."""
    from pyasc import _structures

    made = object.__new__(structure)
    for field in _structures.describe(structure).fields:
        value = _zeros(field.type) if isinstance(field.type, type) else 0
        object.__setattr__(made, field.name, value)
    return made


def _stand_ins(kernel, passed, skipped):
    """What to compile the kernel with, by parameter; a list where several dtypes are to be tried. Without the first `skipped` ones."""
    import asc
    from asc.runtime.jit import MockTensor, MockValue, _parameters

    chosen = {}
    for name, has_default, _, static, _, _, dtype, structure in itertools.islice(_parameters(kernel.fn), skipped, None):
        value = passed.get(name, _UNKNOWN)
        annotation = kernel.fn.__annotations__.get(name)
        text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
        if value is not _UNKNOWN:
            chosen[name] = value
        elif has_default and (static is not None or annotation is None):
            continue
        elif static is not None:
            raise _NotKnown(f"no launch in the file tells the value of '{name}', an asc.ConstExpr")
        elif dtype is not None:
            chosen[name] = MockValue(dtype)
        elif structure is not None:
            chosen[name] = _zeros(structure)
        elif text in ("int", "float", "bool"):
            chosen[name] = MockValue({"int": asc.int32, "float": asc.float32, "bool": asc.int32}[text])
        elif text.endswith("GlobalAddress"):
            chosen[name] = [MockTensor(_dtype_called(tried)) for tried in _TRIED]
        elif has_default:
            continue
        else:
            raise _NotKnown(f"nothing in the file tells the type of '{name}': annotate it")
    return chosen


# ---------------------------------------------------------------- findings


def _names_of(code):
    """The global names that a function and those inside of it may read."""
    own = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return own.union(*(_names_of(inner) for inner in code.co_consts if isinstance(inner, types.CodeType)))


def _reads(function, names, seen):
    """The global names that a kernel and the functions that it calls may read."""
    found = _names_of(function.__code__)
    for name in found - seen:
        seen.add(name)
        if hasattr(names.get(name), "__asc_jit__"):
            _reads(names[name].fn, names, seen)
    return seen


def _compile(kernel, chosen, instance):
    """Diagnostics of compiling the kernel. Of several dtypes one that compiles is enough; else those of the first are told."""
    from asc.runtime.jit import JITFunction

    first = None
    tried = max((len(value) for value in chosen.values() if isinstance(value, list)), default=1)
    options = kernel.given_options | {"always_compile": True, "all_errors": True}
    asked = JITFunction(kernel.fn, options, method=bool(instance))
    own = kernel.fn.__code__.co_varnames[: len(instance)]
    for i in range(tried):
        arguments = {name: value[i] if isinstance(value, list) else value for name, value in chosen.items()}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return list(asked.compile(**dict(zip(own, instance, strict=True)), **arguments).warnings)
        except errors.PyascError as error:
            first = first or error.diagnostics
    return first


class _File:
    """The kernels of a file with their launches, and what was found in them."""

    def __init__(self, path, tree):
        self.path, self.tree = path, tree
        self.module = _Module(path, tree)
        self.names = self.module.names
        self.launches = _Launches()
        self.launches.visit(tree)
        self.reasons = {}  # by line: why a kernel, or one of its launches, cannot be looked at
        self.compiled = set()  # the functions that were translated

    def check(self):
        found = []
        launched = {}
        for launcher, node, variables, cls in self.launches.found:
            if owner := self._launched(launcher, variables, cls):
                kernel, instance = owner
                launched.setdefault(id(kernel.kernel), []).append(((node, variables), instance))
        kernels = self.module.kernels
        for kernel in kernels:
            for launch, instance in launched.get(id(kernel.kernel), ()):
                found += self._compile(kernel, launch, instance)
        # Those that other kernels call come last: they are compiled with them, and need not be compiled alone.
        called = set().union(*(_called(kernel.kernel.fn) for kernel in kernels)) if kernels else set()
        alone = [kernel for kernel in kernels if id(kernel.kernel) not in launched]
        for kernel in sorted(alone, key=lambda kernel: kernel.kernel.fn.__name__ in called):
            if not self._is_checked(kernel) and not kernel.is_function:
                found += self._compile(kernel, None, None)
        for kernel in alone:
            if self._is_checked(kernel):
                self.reasons.pop(kernel.line, None)  # another one calls it
            elif kernel.is_function:
                self.reasons[kernel.line] = "it is a function, and no kernel of the file that is checked calls it"
        return found

    def _is_checked(self, kernel):
        return kernel.kernel.fn in self.compiled

    def _launched(self, launcher, variables, cls):
        """The kernel that a launch names, and the object of a method (None: unknown); None when it is no kernel of this file."""
        for kernel in self.module.kernels:
            if isinstance(launcher, ast.Name) and kernel.owner is None and launcher.id == kernel.path:
                return kernel, None
        value = _argument(launcher, variables, self.names)
        for kernel in self.module.kernels:
            if value is not _UNKNOWN and kernel.kernel.fn is getattr(value, "fn", None):
                return kernel, getattr(value, "__self__", None)
        if not isinstance(launcher, ast.Attribute):
            return None
        holder = self.names.get(cls) if isinstance(launcher.value, ast.Name) and launcher.value.id == "self" else None
        instance = None
        if holder is None:
            value = _argument(launcher.value, variables, self.names)
            holder, instance = (value, None) if isinstance(value, type) else (type(value), value)
        for kernel in self.module.kernels:
            if isinstance(holder, type) and kernel.owner in holder.__mro__ and kernel.kernel.fn.__name__ == launcher.attr:
                return kernel, instance
        return None

    def _object(self, kernel, instance):
        """The first argument of a method, as a tuple; empty for other kernels."""
        if kernel.owner is None:
            return ()
        if isinstance(inspect.getattr_static(kernel.owner, kernel.kernel.fn.__name__), classmethod):
            return (kernel.owner,)
        if instance is None:
            for cls in (kernel.owner, *kernel.owner.__subclasses__()):
                if cls.__name__ in self.launches.made:
                    instance = _argument(*self.launches.made[cls.__name__], self.names)
                if isinstance(instance, cls):
                    break
            else:
                raise _NotKnown(f"the file makes no {kernel.owner.__name__} that is known without running it")
        return (instance,)

    def _compile(self, kernel, launch, instance):
        try:
            if missing := sorted(_reads(kernel.kernel.fn, self.names, set()) & self.module.missing):
                raise _NotKnown(f"it reads '{missing[0]}', which only running the file would give")
            first = self._object(kernel, instance)
            passed = _passed(kernel.kernel, launch, self.names, len(first))
            with _source.watch(self.compiled):
                return _compile(kernel.kernel, _stand_ins(kernel.kernel, passed, len(first)), first)
        except _NotKnown as reason:
            self.reasons[kernel.line] = str(reason)
            return []

    def not_checked(self):
        """A note for each function with @asc.jit that no compiled kernel contains."""
        known = {kernel.line: kernel for kernel in self.module.kernels}
        checked = {kernel.line for kernel in self.module.kernels if self._is_checked(kernel)} - set(self.reasons)
        notes = []
        for node in ast.walk(self.tree):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or not self._is_jit(node):
                continue
            line = node.decorator_list[0].lineno
            if node.lineno in self.module.failed or line in checked:
                continue
            title = known[line].title if line in known else node.name
            reason = self.reasons.get(line, "only running the file would make it")
            notes.append((line, f"{report.shown_path(self.path)}:{line}: {title}() is not checked: {reason}"))
        return [note for _, note in sorted(notes)]

    def _is_jit(self, node):
        for decorator in node.decorator_list:
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            root = self.names.get(_root(function))
            if isinstance(function, ast.Attribute) and function.attr == "jit" and getattr(root, "__name__", "").split(".")[0] == "asc":
                return True
            if isinstance(function, ast.Name) and getattr(root, "__module__", "") == "asc.runtime.jit":
                return True
        return False


def _called(function):
    """The names that a function may call or read as attributes."""
    return set(_names_of(function.__code__)) | {
        step.argval for step in dis.get_instructions(function) if step.opname in ("LOAD_ATTR", "LOAD_METHOD")
    }


def lint(path):
    """(diagnostics, notes) of a file; a note is a line about what could not be looked at. Raises SyntaxError and OSError."""
    path = os.path.abspath(path)
    with open(path, "rb") as file:
        tree = ast.parse(file.read(), path)
    sys.path.insert(0, os.path.dirname(path))
    try:
        file = _File(path, tree)
    finally:
        sys.path.remove(os.path.dirname(path))
    problems = file.module.problems
    found = list(itertools.chain(*(problem.diagnostics for problem in problems if isinstance(problem, errors.PyascError))))
    found += file.check()
    notes = [problem for problem in problems if isinstance(problem, str)] + file.not_checked()
    if not (file.module.kernels or found or notes):
        notes = [f"{report.shown_path(path)}: there is no kernel in it"]
    unique = {(d.code, d.message, d.span.file, d.span.line, d.span.column): d for d in found}
    return sorted(unique.values(), key=lambda d: (d.span.file, d.span.line, d.span.column)), list(dict.fromkeys(notes))
