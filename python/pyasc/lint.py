# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pyasc lint`: compiles the kernels of a file without running the file.

Of the top level only what defines something runs: imports, functions, classes, and assignments whose right side has no
effect (literals, names, arithmetic, types; calls of asc, math, dataclasses and the like). Launches, prints and all else are read, not run:
what a launch passes tells the types of a kernel's parameters where annotations do not."""

import __future__

import ast
import builtins
import dis
import functools
import inspect
import itertools
import operator
import os
import sys
import types
import warnings

from pyasc import errors, report

# ---------------------------------------------------------------- what defines something and does nothing else

_MODULES = {"asc", "collections", "dataclasses", "enum", "functools", "math", "operator", "typing"}  # whose functions may be called
_BUILTINS = "abs bool dict divmod enumerate float frozenset int len list max min pow range round set sorted str sum tuple type zip".split()
_BUILTINS += "classmethod property staticmethod".split()
_PLAIN = (
    *(ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Starred, ast.Call, ast.keyword),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context),
    *(ast.Tuple, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
    *(ast.JoinedStr, ast.FormattedValue, ast.Lambda, ast.arguments, ast.arg),
)
_TARGETS = ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context


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
        for part in ast.unparse(function).split(".")[1:]:  # numpy.float16(2)
            value = getattr(value, part, None)
        return isinstance(value, type) and value.__module__ == "numpy"
    module = getattr(value, "__module__", None) or ""
    return value is not None and (module.split(".")[0] in _MODULES or module == "builtins" or isinstance(value, type))


def _is_plain(node, names):
    """Whether evaluating an expression has no effect."""
    return all(isinstance(part, _PLAIN) and (not isinstance(part, ast.Call) or _may_be_called(part.func, names)) for part in ast.walk(node))


def _function_is_plain(node, names):
    made = [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]
    return all(
        _is_plain(part, names) and (isinstance(part, ast.Call) or _may_be_called(part, names)) for part in node.decorator_list
    ) and all(_is_plain(part, names) for part in made)


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


class _Module:
    """What the definitions of a file make: `names`, and the names that only running the file would give."""

    def __init__(self, path, tree):
        # A module that can be found: text annotations are looked up there.
        module = sys.modules["__pyasc_lint__"] = types.ModuleType("__pyasc_lint__")
        self.names = vars(module)
        self.names |= {"__file__": path, "__builtins__": builtins}
        self.problems = []  # of definitions that failed
        self.missing = set()
        self._path = path
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
            if isinstance(node, ast.If) and _is_plain(node.test, self.names):
                test = self._run(ast.Expression(node.test), eval)
                if test is not None:
                    self._define(node.body if test else node.orelse)
            elif getattr(node, "module", None) != "__future__" and _is_definition(node, self.names):
                self._run(ast.Module([*self._imports, node], []), exec)
            self.missing |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
            self.missing |= {getattr(node, "name", None)} - {None}

    def _run(self, tree, how):
        try:
            return how(compile(tree, self._path, how.__name__, self._flags, True), self.names)
        except errors.PyascError as error:
            self.problems.append(error)
        except Exception as error:
            line = (tree.body[-1] if how is exec else tree.body).lineno
            self.problems.append(f"{report.shown_path(self._path)}:{line}: not defined: {type(error).__name__}: {error}")


# ---------------------------------------------------------------- what the arguments of a kernel are


class _Launches(ast.NodeVisitor):
    """The launches in a file, kernel[cores](...) and kernel.compile(...), each with what its variables were assigned before; the names of
    functions that @asc.jit functions call."""

    def __init__(self, kernels):
        self.kernels, self.found, self.called = kernels, {}, set()
        self._scopes, self._in_kernel = [{}], False

    def visit_FunctionDef(self, node):
        outer, self._in_kernel = self._in_kernel, self._in_kernel or node.name in self.kernels
        self._scopes.append({})
        self.generic_visit(node)
        self._scopes.pop()
        self._in_kernel = outer

    def visit_Assign(self, node):
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._scopes[-1][target.id] = node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts):
                self._scopes[-1].update((t.id, v) for t, v in zip(target.elts, node.value.elts, strict=True) if isinstance(t, ast.Name))

    def visit_Call(self, node):
        self.generic_visit(node)
        if self._in_kernel and isinstance(node.func, ast.Name):
            self.called.add(node.func.id)
        launcher = node.func.value if isinstance(node.func, ast.Subscript) or ast.unparse(node.func).endswith(".compile") else None
        while isinstance(launcher, ast.Call) and isinstance(launcher.func, ast.Attribute) and launcher.func.attr == "options":
            launcher = launcher.func.value
        if isinstance(launcher, ast.Name) and launcher.id in self.kernels:
            variables = {name: value for scope in self._scopes for name, value in scope.items()}
            self.found.setdefault(launcher.id, []).append((node, variables))


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


def _passed(kernel, launch, names):
    """The arguments of a launch by parameter, as far as they are known."""
    if launch is None:
        return {}
    node, variables = launch
    if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return {}
    try:
        bound = inspect.signature(kernel.fn).bind_partial(*node.args, **{k.arg: k.value for k in node.keywords}).arguments
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


def _stand_ins(kernel, passed):
    """What to compile the kernel with, by parameter; a list where several dtypes are to be tried."""
    import asc
    from asc.runtime.jit import MockTensor, MockValue, _parameters

    chosen = {}
    for name, has_default, _, static, _, _, dtype, structure in _parameters(kernel.fn):
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


def _compile(kernel, chosen):
    """Diagnostics of compiling the kernel. Of several dtypes one that compiles is enough; else those of the first are told."""
    first = None
    tried = max((len(value) for value in chosen.values() if isinstance(value, list)), default=1)
    for i in range(tried):
        arguments = {name: value[i] if isinstance(value, list) else value for name, value in chosen.items()}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return list(kernel.options(always_compile=True).compile(**arguments).warnings)
        except errors.PyascError as error:
            first = first or error.diagnostics
    return first


def lint(path):
    """(diagnostics, notes) of a file; a note is a line about what could not be looked at. Raises SyntaxError and OSError."""
    path = os.path.abspath(path)
    with open(path, "rb") as file:
        tree = ast.parse(file.read(), path)
    sys.path.insert(0, os.path.dirname(path))
    try:
        module = _Module(path, tree)
    finally:
        sys.path.remove(os.path.dirname(path))
    names = module.names
    kernels = {name: value for name, value in names.items() if hasattr(value, "__asc_jit__") and value.fn.__code__.co_filename == path}
    launches = _Launches(kernels)
    launches.visit(tree)
    notes = [problem for problem in module.problems if isinstance(problem, str)]
    found = list(itertools.chain(*(problem.diagnostics for problem in module.problems if isinstance(problem, errors.PyascError))))
    for name, kernel in kernels.items():
        if name in launches.called and name not in launches.found:
            continue  # compiled with the kernels that call it
        place = f"{report.shown_path(path)}:{kernel.fn.__code__.co_firstlineno}: {name}() is not checked"
        if missing := sorted(_reads(kernel.fn, names, set()) & module.missing):
            notes.append(f"{place}: it reads '{missing[0]}', which only running the file would give")
            continue
        for launch in launches.found.get(name, [None]):
            try:
                found += _compile(kernel, _stand_ins(kernel, _passed(kernel, launch, names)))
            except _NotKnown as reason:
                notes.append(f"{place}: {reason}")
    unique = {(d.code, d.message, d.span.file, d.span.line, d.span.column): d for d in found}
    return sorted(unique.values(), key=lambda d: (d.span.file, d.span.line, d.span.column)), list(dict.fromkeys(notes))
