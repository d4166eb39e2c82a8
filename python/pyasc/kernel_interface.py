# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parameters of a kernel become in a `.kernel` file: arrays with their roles and shapes, numbers with where they come from."""

from dataclasses import dataclass, field

from pyasc import _core, errors, lint

# Integer parameters that the files of a run tell, unless their option is given.
LENGTHS = {"length", "n", "size", "count", "total", "total_length", "num_elements"}  # elements of the first input
SHARES = {"block_length"}  # elements of the first input, divided among the cores
CORES = {"cores", "core_num", "num_cores", "block_num"}  # cores that the kernel runs on

TAKEN = {"input", "output", "check", "seed", "partial_output", "max_cycles", "threads", "profile", "json", "info", "help"}  # options
_PREFIXES = "input_", "output_"  # of the options for arrays
_NUMBERS = {"total", "cores", "share"}  # that every run has


@dataclass
class Interface:
    """The content of a .kernel file but for names, and what a run reads and writes."""

    dimensions: set = field(default_factory=set)  # names that the files tell
    parameters: list = field(default_factory=list)
    rule: object = None
    steps: list = field(default_factory=list)
    inputs: list = field(default_factory=list)  # (parameter, dtype, whether it begins with the common dimensions, the others)
    outputs: list = field(default_factory=list)  # parameters

    def add_array(self, name, role, dtype, shape):
        self.parameters.append(_core.FileParameter(name, role, dtype, *shape))
        if role in ("input", "inout"):
            self.inputs.append((name, dtype, *shape))
        if role in ("output", "inout"):
            self.outputs.append(name)

    def add_scalar(self, name, dtype, number="", default=None):
        if _is_option(name) or (name in {"cores"} | self.dimensions and number != name):
            what = "a dimension" if name in self.dimensions else "an option of .kernel files"
            refuse("C313", f"parameter '{name}' has the name of {what}, and is another number", "give it another name")
        self.parameters.append(_core.FileParameter(name, "scalar", dtype, number=number, default=default))

    def add_number(self, name, dtype, default, has_input):
        """A number that the files may tell. Its default counts, but not for an integer that is a dimension."""
        number = "" if dtype.is_float() else number_of(name, self.dimensions, has_input)
        if default is not None and number not in self.dimensions:
            number = ""
        self.add_scalar(name, dtype, number, None if number else default)


def refuse(code, message, help, place=None):
    raise errors.error(code, message, help, place)


def _is_option(name):
    return name in TAKEN or name.startswith(_PREFIXES)


# ---------------------------------------------------------------- options of compile


def pairs(texts, option, names=None):
    """`NAME=VALUE` options as a dictionary."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value:
            refuse("C312", f"{option} {text}: expected NAME=VALUE", f"write {option} {name or 'NAME'}=VALUE")
        if names is not None and name not in names:
            refuse("C312", f"{option} {text}: there is no parameter '{name}'", f"the parameters are: {', '.join(names) or 'none'}")
        if name in found:
            refuse("C312", f"{option} gives '{name}' twice", "give it once")
        found[name] = value
    return found


def _dtype(text, option):
    try:
        dtype = _core.DataType(text)
    except ValueError as error:
        refuse("C312", f"{option} {text}: {error}", "write one of these types")
    if dtype.is_void():
        refuse("C312", f"{option} {text}: void is no type of a parameter", "write a type such as float32")
    return dtype


def dtypes_of(request, names):
    """The type of all arrays, and of parameters by name."""
    general = [text for text in request.dtypes if "=" not in text]
    if len(general) > 1:
        refuse("C312", f"--dtype: got {' and '.join(general)} for all arrays", "write --dtype NAME=TYPE for each of them")
    own = pairs([text for text in request.dtypes if "=" in text], "--dtype", names)
    return _dtype(general[0] if general else "float32", "--dtype"), {name: _dtype(text, f"--dtype {name}") for name, text in own.items()}


def _constant(text, types):
    """A value of a ConstExpr as it is written in Python; what is none is a text."""
    import ast

    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return float(value) if types == (float,) and type(value) is int else value


def _shape(text, option):
    """(whether it begins with the dimensions that arrays share, the others)."""
    words = [word.strip() for word in text.split(",")]
    common = words[0] == "..."
    sizes = []
    for word in words[common:]:
        if word.isdecimal():
            sizes.append(int(word))
        elif word.isidentifier() and word not in _NUMBERS and not _is_option(word):
            sizes.append(word)
        else:
            refuse("C312", f"{option}: '{word}' is no size and no name of one", "write numbers and names, as in 1024,row or ...,row")
    return common, sizes


# ---------------------------------------------------------------- what a kernel is compiled with


class Arguments:
    """Stand-ins for the arguments of a kernel, by parameter, and the defaults of its numbers, as bits."""

    def __init__(self, kernel, request, definition=None):
        from asc.language.core.ir_value import GlobalAddress
        from asc.runtime.jit import MockTensor, MockValue, _annotation, _parameters

        self.kernel, self.stand_ins, self.defaults = kernel, {}, {}
        rows = list(_parameters(kernel.fn))
        names = [name for name, *_ in rows]
        attributes = definition.attributes if definition else {}
        general, own = dtypes_of(request, names)
        if definition and definition.dtypes and (own or str(general) not in definition.dtypes):
            self._refuse(f"all of its arrays are {' or '.join(definition.dtypes)}", "write --dtype and one of these types")
        own |= {name: _core.DataType(dtype) for name, dtype in definition.workspaces.items()} if definition else {}
        constants = pairs(request.constants, "--const", names)
        for name, has_default, default, static, _, _, dtype, structure in rows:
            annotation = _annotation(kernel.fn, name)
            if name in attributes:
                has_default, default = attributes[name] is not None, attributes[name]
            if static is not None:
                if name in constants:
                    self.stand_ins[name] = _constant(constants.pop(name), static)
                elif not has_default:
                    self._refuse(f"'{name}' is an asc.ConstExpr and has no value", f"write --const {name}=VALUE")
            elif structure is not None:
                self.stand_ins[name] = lint._zeros(structure)
            elif annotation is GlobalAddress:
                self.stand_ins[name] = MockTensor(own.get(name, general))
            elif dtype is not None or annotation in (int, float, bool) or (annotation is None and isinstance(default, (int, float))):
                kind = annotation if annotation in (int, float, bool) else type(default)
                dtype = own.get(name) or dtype or _core.DataType({float: "float32", bool: "bool"}.get(kind, "int32"))
                self.stand_ins[name] = MockValue(dtype)
                if has_default:
                    self.defaults[name] = _core.number_bits(default, dtype, f"the default of '{name}'")
            else:
                self._refuse(f"nothing tells what '{name}' is", "annotate it: asc.GlobalAddress, int, float or a dtype")
        if constants:
            name = next(iter(constants))
            self._refuse(f"--const {name}: '{name}' is no asc.ConstExpr", f"annotate it so, or give it to the .kernel file as --{name}")

    def _refuse(self, message, help):
        code = self.kernel.fn.__code__
        refuse("C312", f"kernel '{self.kernel.__name__}': {message}", help, (code.co_filename, code.co_firstlineno))


# ---------------------------------------------------------------- shapes


def _reads(role):
    return role in ("input", "inout")


def names_in(shapes, roles):
    return {size for name, role in roles.items() if _reads(role) for size in shapes[name][1] if isinstance(size, str)}


def _given_shapes(request, roles):
    """What --shape and --workspace say."""
    shapes = {name: _shape(text, f"--shape {name}") for name, text in pairs(request.shapes, "--shape", roles).items()}
    return shapes | {name: _shape(text, f"--workspace {name}") for name, text in pairs(request.workspaces, "--workspace", roles).items()}


def check_shapes(shapes, roles, numbers):
    known = numbers | names_in(shapes, roles)
    for name, (_, sizes) in shapes.items():
        for size in sizes:
            if isinstance(size, str) and size not in known:
                help = "write a number, a name in the shape of an input, or an integer parameter"
                refuse("C312", f"--shape {name}: nothing tells what '{size}' is", help)


def _default_shape(given, roles):
    """That of the first input; None: the kernel reads no array."""
    first = next((name for name, role in roles.items() if _reads(role)), None)
    return given.get(first, (True, [])) if first else None


# ---------------------------------------------------------------- kernels that are called as they are


def number_of(name, dimensions, has_input):
    """The number of a run that an integer parameter is, unless its option is given; "": there is none."""
    leaf = name.rpartition(".")[2]
    if leaf in dimensions or (leaf == "rows" and "row" in dimensions):
        return leaf
    if leaf in CORES:
        return "cores"
    if has_input and leaf in LENGTHS:
        return "total"
    return "share" if has_input and leaf in SHARES else ""


def shapes_of(request, names):
    """The shapes of the Tensors of a host function: what --shape says, else that of the first one."""
    given = _given_shapes(request, names)
    default = given.get(next(iter(names), None), (True, []))
    return {name: given.get(name, default) for name in names}


def step_of(kernel, compiled, blocks, arguments):
    """A launch of a kernel, by names of numbers and arrays."""
    return _core.FileStep(compiled.binary, blocks, arguments, kernel.default_options["data_cache"])


def of_kernel(compiled, arguments, request):
    """The interface of an @asc.jit kernel: roles are what its program does with the arrays."""
    roles = {}
    workspaces = pairs(request.workspaces, "--workspace", [name for name, is_array, *_ in compiled.parameters if is_array])
    for name, is_array, _, reads, writes in compiled.parameters:
        if is_array:
            roles[name] = "workspace" if name in workspaces else "inout" if reads and writes else "output" if writes else "input"
    given = _given_shapes(request, roles)
    default = _default_shape(given, roles)
    shapes = {name: given.get(name, default) for name in roles}
    for name, shape in shapes.items():
        if shape is None:
            help = f"write --shape {name}=SIZE or {name}=NAME"
            refuse("C312", f"nothing tells the size of '{name}', because the kernel reads no array", help)
    integers = {name for name, is_array, dtype, *_ in compiled.parameters if not is_array and not dtype.is_float()}
    check_shapes(shapes, roles, integers)
    interface = Interface(names_in(shapes, roles))
    for name, is_array, dtype, *_ in compiled.parameters:
        if is_array:
            interface.add_array(name, roles[name], dtype, shapes[name])
        else:
            interface.add_number(name, dtype, arguments.defaults.get(name), default is not None)
    interface.steps = [step_of(arguments.kernel, compiled, "cores", [name for name, *_ in compiled.parameters])]
    return interface


# ---------------------------------------------------------------- kernels of the registry


def _registered_shapes(definition, given, needs_row):
    """The shape of every array as the shape rule of the kernel has it."""
    from pyasc import shapes

    first = (True, ["row"] if needs_row or definition.shapes is shapes.rows else [])
    known = {}
    for name in definition.inputs:
        if not known or definition.shapes is shapes.same:
            known[name] = first
        elif definition.shapes is shapes.rows:
            known[name] = (False, ["row"])
        elif definition.shapes is shapes.like_first:
            known[name] = (False, [f"{name}_size"])
    if definition.shapes in (shapes.same, shapes.rows, shapes.like_first) and definition.inputs:
        known |= dict.fromkeys(definition.outputs, first)
    known |= given
    for name in (*definition.inputs, *definition.outputs):
        if name not in known:
            message = (
                f"kernel '{definition.name}' has a rule of its own for shapes, which tells nothing of '{name}' before there are arrays"
            )
            refuse("C312", message, f"write --shape {name}=SIZES, with numbers and names")
    for name in definition.workspaces:
        if name not in known:
            refuse("C312", f"nothing tells the size of workspace '{name}' of kernel '{definition.name}'", f"write --workspace {name}=SIZE")
    return known


def check_not_used(definition, name):
    """A compiled tiling rule has no floats: it may list them among its parameters, and no more."""
    from pyasc import tiling

    if tiling.is_used(definition.tiling, name):
        message = f"the tiling rule of kernel '{definition.name}' asks for '{name}', which is no integer"
        refuse("C313", message, "have it decide by integers", tiling.place_of(definition.tiling))


def of_registered(definition, compiled, arguments, request):
    """The interface of a kernel of the registry: roles are what it was registered with; its tiling rule is compiled, too."""
    from pyasc import tiling
    from pyasc.tiling_program import compile_rule

    kernel = f"kernel '{definition.name}'"
    if definition.tiling is None:
        refuse("C313", f"{kernel} has no tiling rule", "give one to @pyasc.kernel, such as pyasc.tiling.elementwise")
    asked = tiling.parameters(definition.tiling)
    writes = {name: writes for name, is_array, _, _, writes in compiled.parameters if is_array}
    roles = {name: "inout" if writes[name] else "input" for name in definition.inputs}
    roles |= dict.fromkeys(definition.outputs, "output") | dict.fromkeys(definition.workspaces, "workspace")
    needs_row = "row" in asked or "rows" in definition.parameters
    shapes = _registered_shapes(definition, _given_shapes(request, roles), needs_row)
    dtypes = {name: dtype for name, _, dtype, *_ in compiled.parameters}
    interface = Interface(names_in(shapes, roles))
    for name, role in roles.items():
        interface.add_array(name, role, dtypes[name], shapes[name])
    integers, fractions = set(), []
    for name, default in definition.attributes.items():
        dtype = dtypes.get(name) or _core.DataType("float32" if isinstance(default, float) else "int64")
        if dtype.is_float() and name in asked:
            check_not_used(definition, name)
            fractions.append(name)
        bits = None if default is None else _core.number_bits(default, dtype, f"attribute '{name}' of {kernel}")
        interface.add_scalar(name, dtype, "", bits)
        integers |= set() if dtype.is_float() else {name}
    check_shapes(shapes, roles, integers | set(tiling.LIST))
    first = dtypes[(*definition.inputs, *definition.outputs)[0]]
    rule, facts = compile_rule(definition.tiling, {"itemsize": first.sizeof(), **dict.fromkeys((*tiling.LIST, *fractions), 0)})
    interface.rule = _core.FileRule(rule.binary, facts, list(tiling.LIST))
    interface.steps = [step_of(definition.function, compiled, "block_dim", [name for name, *_ in compiled.parameters])]
    return interface
