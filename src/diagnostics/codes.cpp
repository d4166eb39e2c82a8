// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error index. Every code that is not a rule of an API row stands here once, sorted by code.
#include "diagnostics/diagnostic.h"

namespace asc {

static constexpr Code kCodes[] = {
    // ---- C: compile cache and program files
    {"C101", "program file damaged",
     "The file is not a program, was cut short or was changed: its length or digest does not match its content. Nothing of it is used."},
    {"C102", "program of another version",
     "A program names APIs by their number in the table of the version that made it. Another version cannot run it."},
    {"C103", "meaningless program",
     "The content of the program contradicts itself: a register, jump, API or place that does not exist, or an unknown chip."},
    {"C104", "listing not readable", "A line of an instruction listing does not have the form that the disassembler writes."},
    {"C201", "cache entry not usable",
     "A file in the compile cache was cut short, changed, or written by something else. It is left out and written anew; delete it if "
     "the warning comes back."},
    {"C202", "compile cache not writable",
     "The folder of the compile cache cannot be written, so every process compiles its kernels again. PYASC_CACHE_DIR names another "
     "folder."},
    {"C203", "dumps not writable", "The folder that PYASC_DUMP_PATH names cannot be written."},
    {"C204", "size of the compile cache not understood",
     "PYASC_CACHE_LIMIT is a number of bytes, or a number with k, M or G after it. The compile cache keeps 1 GiB without it."},
    {"C301", ".kernel file damaged",
     "A .kernel file vouches for itself: a digest over all of its bytes. It was cut short, changed, or does not hold what a .kernel file holds. "
     "Nothing of it is used."},
    {"C302", "input of a .kernel file not usable",
     "The file cannot be read, or does not hold elements of the type that the kernel was compiled for, little-endian and row by row."},
    {"C303", "output of a .kernel file cannot be written",
     "The folder does not exist, or the file may not be written there. What was there before stays as it is."},
    {"C304", "not enough memory", "An array of a .kernel file is larger than the memory of this machine."},
    {"C305", "sizes that the kernel does not serve",
     "The arrays and options of a run give sizes that do not go together, or that the tiling rule of the kernel refuses. Nothing ran."},
    {"C306", "output not written as a whole",
     "A .kernel file gives an output its size, and the kernel has left a part of it unwritten: most often a tail shorter than a tile, or shares "
     "that do not cover the data. Nothing is written."},
    {"C307", "options of a .kernel file", "The options of a .kernel file follow the parameters of its kernel; --help lists them."},
    {"C311", "no kernel to compile",
     "pyasc compile takes one kernel of the file: the only one that no other kernel calls, or --function NAME."},
    {"C312", "parameter not known",
     "An option of pyasc compile names a parameter that the kernel does not have, or a parameter is missing what only an option can tell: the value "
     "of a ConstExpr, the type of a parameter that has no annotation."},
    {"C313", "not to be had in a .kernel file",
     "A .kernel file has arrays, numbers, and structures of numbers as parameters, and some names are options of every file. Its tiling rule decides by "
     "integers. A host function launches the same kernels on the same Tensors whatever the sizes are, and the values of Tensors are not there."},
    {"C314", "target of pyasc compile", "The target is sim, a .kernel file for the simulator, or ascendc, the Ascend C text."},
    {"C315", "file cannot be compiled",
     "The file is no Python program, ends in an error when it is imported, or the result cannot be written."},

    // ---- K: launch and host side
    {"K101", "kernel called without cores",
     "A kernel is launched on a number of cores: kernel[8](x, y). A plain call works inside another kernel only."},
    {"K102", "number of cores is no integer", "The first value in the brackets of a kernel is the number of cores, an integer."},
    {"K103", "number of cores out of range",
     "A launch has 1 to 65535 blocks, one per core; blocks beyond the cores of the chip run in waves."},
    {"K104", "brackets of a kernel", "The brackets of a kernel hold the number of cores, or cores and stream."},
    {"K105", "not a stream", "The second value in the brackets of a kernel is a stream of asc.lib.runtime, or None."},
    {"K110", "argument missing", "A parameter of the kernel got no argument and has no default."},
    {"K111", "too many arguments", "The kernel has fewer positional parameters than the call has arguments."},
    {"K112", "unknown keyword", "A keyword of the call is neither a parameter of the kernel nor one of the options that a call may give."},
    {"K113", "argument given twice", "A parameter got a positional argument and a keyword."},
    {"K114", "kernel signature",
     "Parameters of a kernel have names: no *args and **kwargs. Names of options that a call may give are taken."},
    {"K120", "argument of a wrong type",
     "Run-time arguments are NumPy arrays, CPU torch tensors, Python and NumPy numbers, and structures of numbers. Anything else is a parameter annotated "
     "asc.ConstExpr, known when the kernel is compiled."},
    {"K121", "element type not supported",
     "Arrays hold bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, or float64 as storage."},
    {"K122", "byte order", "The AI Core is little-endian; an array of the other byte order is converted by the caller, once."},
    {"K123", "integer too large",
     "A Python int is passed as int32, or as int64 when it needs more bits, larger values as numpy.uint64. For a parameter that is annotated "
     "with a type, such as asc.int16, the value is one of that type."},
    {"K124", "float too large",
     "A Python float is passed as float32, or as the type that the parameter is annotated with; a finite value beyond its range would become "
     "infinite."},
    {"K125", "static value of another class", "The annotation asc.ConstExpr[T] says which class the value has."},
    {"K126", "stand-in launched", "MockTensor, MockValue and bare dtypes stand for argument types in compile(); a launch needs data."},
    {"K127", "tensor without plain memory", "The simulator works on dense tensors in host memory, whose bytes are the values."},
    {"K129", "masked array", "A kernel sees the data of a masked array and not its mask, which is rarely meant."},
    {"K130", "output not writable",
     "The kernel writes to an argument that is read-only, or that torch follows for gradients. Nothing was launched."},
    {"K131", "overlapping arguments",
     "Two arrays share part of their memory and the kernel writes one of them; on a device they would be two buffers. Exactly the same "
     "array for two parameters is one buffer and allowed."},
    {"K132", "array copied",
     "An array that is not contiguous, or not aligned to its elements, is copied for the launch, and back if the kernel writes it."},
    {"K140", "unknown option", "@asc.jit and kernel.options() take the options of the documentation only."},
    {"K141", "value of an option",
     "An option has a value of another type or out of its range. The documentation lists the options with their values."},
    {"K142", "inserted synchronisation left out",
     "The option without_sync leaves out one of the flags and barriers that the compiler inserted, to show what it is for."},
    {"K150", "not a kernel function", "@asc.jit is written above a plain Python function."},
    {"K151", "parameter structure",
     "A parameter structure was made with unknown, repeated or too many values, or with one out of its range."},
    {"K152", "kernel not found by its name",
     "Another process gets a kernel as it gets a function: by the name of its module and its own name there. A kernel that was made inside "
     "of a function, or that another object has taken the name of, cannot be pickled."},
    {"K160", "no kernel of this name",
     "pyasc.Kernel(name) finds the kernels of pyasc, and those that @pyasc.kernel(name) has registered: the module that does so must have been "
     "imported."},
    {"K161", "roles of a registered kernel",
     "@pyasc.kernel gives each parameter of an @asc.jit kernel a role: input, output, workspace, attribute. block_dim, outer, inner, count, "
     "total and rows are numbers that need none. A tiling rule asks for numbers that exist, and returns four. pyasc.torch_op makes an operator, "
     "named as 'namespace::name', of a kernel that has inputs and outputs."},
    {"K162", "number of an argument",
     "The inputs, outputs and workspaces of a kernel are counted from 0, in the order of its registration."},
    {"K163", "argument not set",
     "Every input, output and workspace of a kernel, and every attribute without a default, is set before the launch."},
    {"K164", "tiling list",
     "The list [block_dim, outer, inner, count] says how the work is cut up. It has to cover the data, and what a core handles at a time has "
     "to fit into its buffers. Without set_tiling a valid list is chosen."},
    {"K165", "attribute of a kernel",
     "An attribute has a name that the registration of the kernel knows, and a value of the kind of its default."},
    {"K166", "shape of a tensor", "A kernel's shape rule says which shapes its inputs may have, and which its outputs have."},
    {"K167", "element type of a tensor",
     "A tensor has an element type of the AI Core. Kernels may allow some of them only, and want one for all their arrays."},
    {"K168", "object of another kind", "The host API works on tensors (or arrays of NumPy and torch), kernels and events of pyasc."},
    {"K169", "memory that cannot be shared",
     "A tensor made of an array is the same memory, and so is an array made of a tensor: in host memory, contiguous, in the byte order of the "
     "machine. What is not has to be copied by the caller."},
    {"K170", "event not recorded", "An event marks a place in a stream from stream.record(event) on; before, nothing can wait for it."},
    {"K171", "log level", "The levels of set_log_level and LOG_LEVEL are DEBUG, INFO, WARNING and ERROR."},
    {"K172", "launch stopped",
     "stream.cancel(), or Ctrl-C in stream.synchronize(), stopped the launch that writes the tensor, or dropped it before it began."},

    // ---- L: the kernel language
    {"L001", "not part of the kernel language",
     "Kernels are written in a part of Python: functions, assignments, if, for, while, expressions and calls. What the device cannot "
     "do, or what only makes sense on the host, is refused where it stands; the help line names the way to write it."},
    {"L101", "variable used before it is assigned",
     "As in Python, a variable that a function assigns anywhere is local to it and has no value before that."},
    {"L102", "unknown name or attribute",
     "Names are looked up as in Python: local variables, enclosing functions, globals, builtins; attributes on the live object."},
    {"L103", "wrong number of values to unpack",
     "An assignment to several variables needs as many values on its right as there are variables on its left."},
    {"L104", "a kernel returns a value",
     "A kernel runs on many cores at once and has nobody to return to. Results go into arrays in global memory; device functions may "
     "return values."},
    {"L105", "variable may have no value",
     "A branch or loop that runs on the device may or may not assign the variable, and that cannot be known while compiling. Assign it "
     "on every path, or before."},
    {"L106", "different kinds of values meet",
     "After a branch or loop on the device a variable has one type. Numbers of different types are promoted; a tensor and a number, or "
     "two different strings, have nothing in common."},
    {"L107", "tensor returned from a loop",
     "A function that returns from inside a loop that runs on the device can return numbers. A tensor or address exists on the path that "
     "returns it only, and the end of the loop is where all paths meet."},
    {"L108", "not callable in a kernel",
     "A kernel can call the APIs of asc, functions decorated with @asc.jit, classes, Python's pure builtins and the functions of "
     "math on known values. Plain Python functions are not compiled and not part of the cache key, so they are refused."},
    {"L109", "recursion", "The device has no call stack: a device function cannot call itself, directly or through others."},
    {"L110", "builtin not available",
     "Only builtins that compute something from values known while compiling are available; files, input and output are not."},
    {"L111", "not a context manager of kernels",
     "The expression of a with statement is an object known while compiling whose class has __enter__ and __exit__, both decorated with "
     "@asc.jit; contextlib.nullcontext is known too. The device has no exceptions: __exit__ is called with three times None wherever the "
     "block is left."},
    {"L201", "Python raised an exception",
     "An expression whose operands are all known is evaluated by Python while compiling, and that raised the exception in the message."},
    {"L202", "too many steps while compiling",
     "Unrolled loops and sequences are worked off while compiling. The number of steps is bounded, so that compiling always ends."},
    {"L203", "value too large while compiling",
     "Ints and sequences that are known while compiling are bounded in size, so that compiling always ends."},
    {"L204", "nested too deeply",
     "Expressions and statements nest up to a fixed depth, lists and tuples up to 200 levels; a list that contains itself has no end."},
    {"L205", "assertion failed", "assert and asc.static_assert check values that are known while compiling; this one was false."},
    {"L301", "kernel language used on the host",
     "Tensors, APIs and loops of package asc exist inside of kernels only. On the host a kernel is launched: kernel[cores](...)."},
    {"L302", "value of another compilation",
     "A run-time value was kept in a Python object and came back in another kernel or another compilation of the same kernel."},
    {"L303", "value out of reach",
     "A run-time value exists in the branch, loop or function that made it. Variables are carried out of branches and loops; objects "
     "that keep values are not."},
    {"L304", "object of the host changed",
     "Code of a kernel that is evaluated by Python runs once per compilation, not per launch. Changing an object of the host there is "
     "almost surely a mistake."},
    {"L305", "object changed in a device branch or loop",
     "A list, dict or structure exists while compiling. Changed inside of a branch or loop that runs on the device, it would have the "
     "change on all paths."},
    {"L306", "GlobalTensor with several names",
     "A GlobalTensor that came out of a call, a parameter or two branches may have other names; giving it another buffer would miss "
     "those."},
    {"L307", "second TPipe", "The TPipe owns the on-chip memory and the event ids of a core, so a kernel has exactly one."},
    {"L308", "no TPipe", "get_tpipe_ptr() gives the TPipe of the kernel, which has to be made before."},
    {"L309", "object of the framework returned",
     "A TQue, TBuf or another object of the framework, and an array, belongs to the function that makes it and ends with it. Functions take "
     "such objects as arguments."},
    {"L310", "LocalTensor filled elsewhere",
     "alloc_tensor(t) and deque(t) put a buffer into the object t, which exists while compiling. Inside of a branch or loop that runs on the "
     "device, or of another function, the object would have it on all paths. t = q.alloc_tensor(dtype) makes a new tensor."},
    {"L311", "two owners of a memory",
     "A LocalMemAllocator hands out its memory from the start, and so does a TPipe: a kernel has one allocator for a memory, and none when "
     "it has a TPipe."},
    {"L312", "nested function called elsewhere",
     "A lambda or a def inside of a device function uses the variables around it, so it can be called, and be passed to functions, only as "
     "long as that function runs. Functions for several callers stand at module level, decorated with @asc.jit."},
    {"L313", "breakpoint() without effect",
     "breakpoint() opens Python's debugger when the kernel runs in the simulator. An NPU has no such thing, so the Ascend C text of the kernel "
     "is as if the call were not there."},
    {"L314", "frozen structure", "The fields of a frozen dataclass keep the values that it was made with, in a kernel too."},
    {"L315", "ShapeInfo not known",
     "Which ShapeInfo a tensor has is known while compiling: set_shape_info is called where the tensor is made, not in a branch or loop "
     "inside, and get_shape_info on the same tensor. Functions get the tensor without it."},
    {"L316", "tensor that a name stands for not known",
     "concat makes its first tensor another name of its second one, and set_size, set_buffer_len, set_addr_with_offset and set_user_tag change the "
     "tensor that they are called on. Which tensor a name stands for is known while compiling, so that this one is made in the branch, loop or "
     "function where that is done."},
    {"L317", "iterate() is a loop",
     "with mm.iterate() as i: is a loop over the blocks of C, which runs once for each of them: nothing leaves it early, and it is the last item "
     "of its with statement."},
    {"L401", "wrong arguments of a function",
     "The arguments of a call do not fit the parameters of the function; the help line shows the signature."},
    {"L402", "no such attribute of a run-time value",
     "Tensors and numbers have the attributes and methods of the reference; others, and assignments to them, are refused."},
    {"L501", "source text not available",
     "Kernels are compiled from their source text, which is found through linecache: files, notebooks, python -c and registered "
     "texts work."},
    {"L502", "source text is not what runs",
     "The text at the place of the function was compiled and is not the code that the function has. Trusting it would compile another "
     "kernel than the one that was defined."},

    {"L601", "value not used",
     "A statement computes a value that nothing uses: an expression without a call, or a function that does nothing but compute. Often an "
     "assignment or the () of a call was forgotten."},
    {"L602", "statement never runs", "A return, break or continue stands before it in the same block."},
    {"L603", "assertion that always holds",
     "assert (condition, message) asserts a tuple of two elements, which is true whatever the condition is."},
    {"L604", "loop that never runs",
     "The bounds and the step of a range are in the source, and there is nothing between them: counting down needs a negative step."},
    {"L605", "loop that never ends",
     "A while True in which no break, return, assert or trap() stands. The core would not come back from the kernel."},
    {"L606", "identity of run-time numbers",
     "is and is not compare Python objects while the kernel is compiled. The numbers that the kernel computes are other objects than any "
     "number of the source; == and != compare their values."},

    // ---- M: memory (bounds, uninitialised reads, overflow, limits)
    {"M101", "access outside memory",
     "An instruction reaches outside the array or the on-chip memory that its operand points into. On the device this is an error of "
     "the MMU or of the core; here nothing outside is read or written, and the launch stops."},
    {"M102", "read-only array written", "The kernel writes to an array that the caller may not change. The launch stops before the write."},
    {"M103", "address out of range", "An address was moved so far that no memory can lie there. The launch stops."},
    {"M104", "tensor without room",
     "A tensor that is created at run time does not fit its memory, or has a negative size. The launch stops."},
    {"M105", "index outside the tensor",
     "An element or the start of a sub-tensor lies outside its tensor. Memory that belongs to another tensor would be used."},
    {"M106", "index outside an array",
     "An element of an asc.array that does not exist is read or written; on the device it would be other memory of the scalar unit. The "
     "launch stops."},
    {"M107", "offset outside the tensor",
     "An offset of a gather leads outside its tensor, or to a place where no element (in gatherb and bilinear_interpolation: no block of 32 "
     "bytes) begins. Memory that belongs to another tensor, or parts of two elements, would be used."},
    {"M108", "list of tensors",
     "A ListTensorDesc is used that has no list, or a tensor or dimension that is not in it. On the device whatever lies there would be taken for "
     "an address. The launch stops."},
    {"M201", "integer overflow",
     "The result of a signed +, -, * or division does not fit its type. It wraps around, here as on the device."},
    {"M202", "integer division by zero",
     "The divisor of /, // or % is zero, or the step of a range. The device does not trap; the result is 0 here, and such a loop makes no round."},
    {"M203", "shift count out of range",
     "A shift by less than 0 bits or by the width and more is not defined. Here the count is taken modulo the width."},
    {"M204", "simulated-time limit",
     "A block took more simulated cycles than the launch allows; most often a loop does not end. The launch stops."},
    {"M205", "integer out of the range of a type",
     "A run-time integer becomes another type that cannot hold it: as the argument of an API, as an element of a tensor, or as an operand "
     "beside one of that type, such as a negative int32 beside a uint64. Its low bits are kept, which are another number. x.cast(dtype) says "
     "that this is meant."},
    {"M206", "assertion failed", "The condition of an assert was false when the kernel ran. The launch stops, as the device would."},
    {"M207", "trap", "The kernel called trap(), which stops the launch with an error, as the exception of the device would."},
    {"M208", "file cannot be written",
     "The file that t.to_file(name) names cannot be written; the files are written when the launch is over. A relative name counts from the "
     "folder that the program runs in."},
    {"M301", "uninitialised read",
     "An instruction reads on-chip bytes that nothing has written since the block began. On-chip memory is undefined at the start of "
     "every block and is not shared between blocks, so the result is chance. Usual causes: a data_copy or duplicate that covers fewer "
     "elements than the instruction reads, a mask that left lanes unwritten, a tensor at the wrong address. Global memory counts as "
     "written: it belongs to the caller."},
    {"M302", "read of intermediate results",
     "Some instructions are sequences of the library, which keep intermediate results in memory: in a buffer that they are given, in their "
     "sources, or, like add_deq_relu, in the last 8 KiB of the unified buffer (from byte 188416 on). What they leave there means nothing, "
     "and what was there before is lost."},
    {"M303", "element of an array without a value",
     "asc.array(dtype, length) without a fill_value makes an array whose elements are undefined until they are set, and one that was not "
     "set is read."},
    {"M401", "access to watched bytes",
     "check_local_memory_ia watches bytes of the unified buffer for the kinds of access that it names; on the device such an access is an "
     "exception."},

    // ---- P: platform and set-up
    {"P101", "no NPU backend",
     "Launching on an NPU needs the CANN toolkit and the driver of the device, and a version of pyasc that launches there."},
    {"P102", "unknown platform", "The platform is none of asc.runtime.config.Platform, or the simulator has no timing facts for it."},
    {"P103", "unknown backend", "The backend is Backend.Model (the simulator) or Backend.NPU."},
    {"P104", "another package asc",
     "A package or folder called asc that is not ours stands before ours on the import path: in the folder of the script, in PYTHONPATH, or "
     "installed. The message says where it is."},
    {"P105", "another package pyasc",
     "The distribution called pyasc on the package index is another project. Ours is pyasc-anywhere; both install a package asc, so "
     "only one of them can be installed."},
    {"P106", "device number", "The simulator has one device, number 0."},
    {"P107", "function of the device runtime", "The function belongs to the runtime of a real device and has no meaning on the simulator."},

    // ---- Q: queues and buffers of the framework, found while the kernel runs; all but Q107 stop the launch
    {"Q101", "tensor of another queue",
     "enque, deque and free_tensor take a tensor that alloc_tensor or deque of the same queue gave, or a part of it."},
    {"Q102", "tensor cannot go into the queue",
     "enque takes a tensor between its alloc_tensor and its free_tensor, once: not one that was freed, and not one that is in the queue."},
    {"Q103", "tensor freed twice",
     "free_tensor gives the buffer back and sets the flag that the next alloc_tensor waits for; a second one would set it again."},
    {"Q104", "queue full",
     "As many tensors are in the queue as it is deep. On the device the oldest would be overwritten. Take one out before the next goes in, "
     "or give TQue a larger depth."},
    {"Q105", "deadlock: queue empty",
     "deque takes the oldest tensor out of the queue. There is none, and since the scalar unit runs the kernel in order, none will come."},
    {"Q106", "deadlock: no free buffer",
     "alloc_tensor waits until a buffer of the queue is free. All are in use, and since the scalar unit runs the kernel in order, nothing "
     "will free one. The report says where each of them is. free_tensor was forgotten, or init_buffer was given too few buffers."},
    {"Q107", "tensor not freed",
     "At the end of the kernel, or at reset(), a tensor was not given back with free_tensor, or is still in its queue. An enqueued tensor has "
     "a flag set that the next kernel on the core would find."},
    {"Q108", "event ids used up",
     "Every event has 8 ids. alloc_event_id takes one, and so do every tensor in a queue and every freed buffer that was not allocated again."},
    {"Q109", "queue or buffer without memory",
     "init_buffer gives a TQue or TBuf its memory and init_buf_pool a TBufPool: once, before the first use, with 1 to 64 buffers of at least "
     "1 byte; again only after reset()."},
    {"Q110", "on-chip memory used up",
     "A TPipe gives out each memory from its start, in the order of the calls, every buffer rounded up to 32 bytes; a TBufPool does so "
     "with its own bytes. The report lists what has the memory."},
    {"Q111", "TPipe destroyed", "After destroy() the queues and buffers of a TPipe cannot be used."},
    {"Q112", "enque and deque of different positions",
     "enque and deque with positions set and wait for the event of these positions, which must be the same for one tensor."},
    {"Q113", "part of a TBuf",
     "get() and get_with_offset() take a multiple of 32 bytes from a multiple of 32 bytes on, within the buffer."},
    {"Q114", "TBufPool misused",
     "A TPipe has at most 64 buffers and a TBufPool at most buf_id_size; a TBufPool serves and shares memory of its own kind only, and shares "
     "at most what the other has."},
    {"Q115", "event id not in use", "release_event_id gives back an id that alloc_event_id gave, once, with the same event."},
    {"Q116", "LocalMemAllocator",
     "alloc() places tensors one behind the other, without rounding up: every one must begin at a multiple of 32 bytes and end within the "
     "memory."},

    {"Q121", "Matmul in the wrong order",
     "register_matmul comes before pipe.init_buffer, for at most 4 Matmuls. With a tiling, A and B, iterate() computes one block of C in each "
     "round, and get_tensor_c stores it once; after the last block set_tensor_a or set_tensor_b begins anew. iterate_all does both."},
    {"Q122", "tiling that the cube core cannot work with",
     "All sizes are positive, base_m and base_n are multiples of 16 and base_k of 32 bytes. A block of A (base_m x base_k) and of B fit 64 KiB, "
     "twice with db_l0a and db_l0b of 2, and a block of C fits 128 KiB in numbers of 4 bytes; L1 has 512 KiB, and with a bias base_n is 256 "
     "at most."},
    {"Q123", "matrix smaller than its shape",
     "The rows of A, B and C are as far apart as set_org_shape or the tiling say, and the part of a core begins at the start of its tensors. All "
     "of it lies inside of the tensors, and is no larger than the blocks of the tiling together."},

    // ---- S: synchronisation
    {"S101", "flag set twice",
     "A flag is one bit. Setting it while it is set loses one of the two, and the device may hang at the next barrier. Every set_flag "
     "needs its wait_flag in between."},
    {"S102", "event id out of range", "Every event has the ids 0 to 7. The launch stops."},
    {"S103", "event of the other core", "The core has no such pair of pipes. The launch stops."},
    {"S104", "flag left set",
     "A flag is still set when the kernel ends. The next kernel on this core would pass its first wait_flag too early."},
    {"S105", "cross-core flag out of range", "There are 16 cross-core flags, 0 to 15; 11 to 14 serve sync_all. The launch stops."},
    {"S106", "cross-core flag left set",
     "A core has been sent a cross-core flag more often than it has waited for it when the kernel ends. The next kernel on this core would pass "
     "its first wait too early."},
    {"S107", "cross-core flag set too often",
     "A core counts each cross-core flag up to 15. A set beyond that is an exception of the device, and the launch stops."},
    {"S108", "cross-core flag of two modes",
     "A core has been sent one flag by sets of different modes and has not waited in between. The hardware keeps one count for them, so a wait "
     "cannot tell which of them it passes."},
    {"S201", "deadlock",
     "A pipe waits for a flag that nothing sets any more, so the device would hang. The report names every waiting pipe and the calls "
     "that set flags of that event."},
    {"S202", "deadlock between cores",
     "No core can go on: each has ended, or waits for a flag or a word in global memory that another one would have to write. Every core that "
     "takes part makes the same calls the same number of times, and all of them run at the same time: a launch has no more blocks than the chip "
     "has cores. The report says who waits for what, and who has not come."},
    {"S301", "race between pipes",
     "Two pipes of a core touch the same bytes, at least one of them writes, and nothing makes the second wait for the first: pipes "
     "run at the same time. Set a flag on the first pipe after its access and wait for it on the second pipe before its access: "
     "asc.set_flag(asc.HardEvent.MTE2_V, id) and asc.wait_flag(asc.HardEvent.MTE2_V, id) let V wait for MTE2. Data that is read needs "
     "such a flag, and so does a buffer that is written again: in a loop the next data_copy into a buffer has to wait (V_MTE2) for the "
     "add that still reads it. Such a loop sets the flag once before it begins and waits for it once after its end. A queue does "
     "all this for the two pipes of its position: enque after the tensor is filled, deque before it is used, free_tensor after its last "
     "use. With auto_sync the device compiler orders the scalar unit with V, MTE2 and MTE3; all other pairs are the kernel's duty."},
    {"S302", "race within a pipe",
     "Two instructions of one pipe touch the same bytes and at least one of them writes. A pipe starts its instructions in order but "
     "may complete them in another: the second can overtake the first. Put asc.pipe_barrier(asc.PipeID.PIPE_MTE2) (or the pipe in "
     "question) between them. On V the device compiler does it when auto_sync is on; on MTE2 and MTE3 it never does."},
    {"S303", "race between blocks",
     "Two blocks of a launch touch the same bytes of global memory and at least one of them writes. Blocks run on different cores, in "
     "any order and at the same time, so the result is chance. When both only store the same values through the scalar unit, the launch warns: "
     "that must hold for other data too. Give each block its own part of "
     "the array, for example by asc.get_block_idx()."},
    {"S304", "blocks share a cache line",
     "The scalar unit writes global memory through a data cache whose lines of 64 bytes are stored as a whole. When another block "
     "writes other bytes of the same line, the stored line puts the old values back and that write is lost. Give each block whole "
     "lines, or collect values in a local tensor and write them with data_copy."},
    {"S401", "old bytes in the data cache",
     "get_value of a global tensor goes through the data cache of the scalar unit, which keeps lines of 64 bytes and does not hear of stores "
     "by copies or other cores. Bytes that changed after their line came into the cache are read as they were, until "
     "data_cache_clean_and_invalid makes the cache forget the line. The simulator gives the new value unless the kernel has the option "
     "data_cache."},
    {"S402", "stored bytes still in the data cache",
     "set_value of a global tensor changes a line in the data cache of the scalar unit. Copies and other cores read memory, which has the "
     "old bytes until data_cache_clean_and_invalid, or the end of the kernel, writes the line back. The simulator gives the new value unless "
     "the kernel has the option data_cache."},
    {"S403", "line of the data cache over a store",
     "The data cache of the scalar unit writes lines of 64 bytes back as a whole. When the line was loaded before a copy to global memory "
     "stored in it, the old bytes come back. Write the line back, and make the copy wait for that; or make the first access to the line wait "
     "for the copy; or keep what set_value writes and what copies write in lines of their own."},

    // ---- T: types and shapes
    {"T000", "internal", "This is a fault of pyasc, not of your kernel; please report it with the kernel that shows it."},
    {"T101", "number does not fit the type",
     "A number known while compiling is converted to the type that the operation or argument has, and must be in its range."},
    {"T102", "int64 and uint64 mixed", "No integer type holds all values of both. Say which of them is meant by converting one operand."},
    {"T103", "wrong kind of value", "The function takes another kind of value here; the message says which."},
    {"T104", "not a condition",
     "Conditions are numbers (non-zero is true) or Python objects known while compiling; tensors and addresses have no truth."},
    {"T105", "arithmetic on float64", "The scalar unit has no float64 arithmetic. float64 can be stored, copied and converted."},
    {"T106", "operator does not take these values", "Operators work on numbers. Tensors are computed with by calling vector APIs."},
    {"T107", "division by zero",
     "The divisor of /, // or % is known while compiling and zero. One that is known at run time only is M202."},
    {"T108", "shift count out of range",
     "A shift count is at least 0 and less than the number of bits of the value: 32 for a Python int argument. A count that is known at run "
     "time only is M203."},
    {"T109", "value not known while compiling",
     "This place decides how the program looks, so its value must be known when the kernel is compiled: literals, globals, "
     "asc.ConstExpr parameters and what Python computes from them."},
    {"T110", "bound is not an int", "The bounds and the step of a range are ints, run-time ones or known ones."},
    {"T111", "bad range", "The step of a range is not 0, and a range has fewer than 2**63 elements."},
    {"T201", "fraction dropped",
     "A float was given where an integer type is used; as in Ascend C it is truncated toward zero. Of a float known while compiling it is "
     "told only when there is a fraction."},
    {"T202", "int division truncates",
     "'/' on two run-time ints truncates toward zero, as in upstream pyasc. Write // for Python's floor division, or use the option "
     "arithmetic=\"python\" to make it a true division."},
    {"T203", "comparison of an unsigned number with 0",
     "An unsigned number is never below 0, so the comparison does not depend on it. A difference of unsigned numbers wraps around to a large "
     "one instead of becoming negative."},
    {"T301", "GlobalTensor without a buffer",
     "A GlobalTensor has no place in memory and no dtype until set_global_buffer(address, size) is called on it."},
    {"T302", "negative index", "Elements of a tensor are counted from its start; Python's negative indices do not exist for tensors."},
    {"T303", "subscript of a tensor",
     "t[i] and t[i:] are the sub-tensor from element i to the end. Elements are read with get_value and written with set_value."},
    {"T304", "dtype cannot be decided", "A tensor gets its dtype from its constructor or from the address of its buffer."},
    {"T305", "no such position", "Tensors, TBufs and pools lie in on-chip memory: VECIN, VECOUT and VECCALC are the unified buffer."},
    {"T306", "misaligned LocalTensor",
     "A tensor in on-chip memory starts at a whole block of that memory: a multiple of 32 bytes in the unified buffer."},
    {"T307", "on-chip memory overflows",
     "The tensor ends beyond the end of its memory. The notes list the tensors that are already there."},
    {"T308", "no such queue",
     "A queue leads data from one memory to another over a pipe that has a way between them: in from GM to VECIN, out from VECOUT to GM, from "
     "VECIN to VECOUT what is only moved, and the ways of the cube core. VECCALC has no queue; scratch memory is a TBuf."},
    {"T309", "depth of a queue",
     "The depth is how many tensors can wait in a queue at once, known while compiling: 0 for a queue that works on its tensor in place, "
     "otherwise up to 8, because each of them takes an event id."},
    {"T310", "buffers do not fit",
     "A TPipe has 64 buffers at most and a TBufPool 16; each has a length of at least a byte, is rounded up to 32 bytes, and all of them fit "
     "the memory that their owner has."},
    {"T311", "tensor of another queue",
     "A queue takes the tensors that it gave: those of its own alloc_tensor() and deque(), or parts of them."},
    {"T312", "queue of depth 0",
     "A queue of depth 0 keeps no list of tensors: deque(t) works on the tensor t, and there is nothing to count."},
    {"T313", "part of a TBuf", "A part of a TBuf begins at a multiple of 32 bytes."},
    {"T318", "context of collective communication",
     "A core keeps the addresses of two contexts; which one a call means is known while compiling."},
    {"T321", "no room for a LocalTensorAuto",
     "The compiler finds a place in the unified buffer for every LocalTensorAuto; tensors that are never in use at the same time may share "
     "bytes. The notes list those that are in use when there are too many, with their sizes."},
    {"T322", "LocalTensorAuto beside an address known at run time",
     "The compiler keeps LocalTensorAuto and the LocalTensors of a kernel apart, for which it must know where these are."},
    {"T323", "LocalTensorAuto of run-time size leaves its block",
     "A tensor whose size is known at run time only lies behind those made before it. After the branch or loop that makes it, its bytes go to "
     "the next such tensor."},
    {"T330", "subscript of an array",
     "Elements of an asc.array are counted from 0 to its length less one, and there are no slices: a[i] is one element."},
    {"T331", "length of an array",
     "An asc.array has at least one element. The arrays that are alive at the same time share the memory of the scalar unit; large data "
     "belongs into a LocalTensor."},
    {"T332", "dimension of a ShapeInfo", "A ShapeInfo has 1 to 8 dimensions, which are counted from 0."},
    {"T341", "kernel type without cross-core flags",
     "Cross-core flags, which sync_all uses too, work in kernels of the MIX types only. Without kernel_type the compiler takes the smallest type "
     "that has what the kernel uses: the listing and the Ascend C text show it."},
    {"T342", "kernel type with one core per AI Core",
     "Flags of the modes 1 and 2 are for the cores of one AI Core, and sync_all(is_aiv_only=False) is for cores of both kinds, so the kernel type "
     "must have several of them: MIX_AIC_1_1 or MIX_AIC_1_2."},
    {"T343", "kernel type without a cube core",
     "A Matmul runs on the cube core, so a kernel that registers one is MIX_AIC_1_2, where vector cores ask the cube core of their AI Core, or with "
     "matmul_cube_only=True AIC_ONLY."},
    {"T351", "part of the Matmul that is not there",
     "The Matmul multiplies matrices in global memory in row-major order and waits for each result. Operands in on-chip memory, other formats, "
     "batches, quantisation, sparse matrices and results that come later are not there yet."},
    {"T352", "element types of a Matmul",
     "A and B have one element type, and C and the bias one of those that go with it; the tensors have the types that the MatmulTypes say."},
    {"T353", "matrix that may not be transposed",
     "A MatmulType says with is_trans whether its matrix may be passed transposed, since the code of the device depends on it."},
    {"T401", "no form of the API fits",
     "An API has one or more documented forms. The notes list them with the reason why each does not fit the arguments."},
    {"T402", "no such instruction on this chip",
     "The function belongs to Ascend C and works on other chips; the cores of Atlas A2 and A3 have no instruction for it."},
    {"T403", "instruction of the cube core",
     "The function, or the form of it that is called, belongs to the cube core, which multiplies matrices. Its parameters are documented and its "
     "structures can be made; the simulator has no cube core yet."},
    {"T404", "text of C++ in a kernel",
     "inline() puts text into the Ascend C of a kernel. Nothing is known of what it does, so that the kernel could be neither simulated nor "
     "checked."},
    {"T501", "text that cannot be printed",
     "printf and f-strings with run-time values know the conversions that the device has: %d %i %u %x for ints, %f for float16, bfloat16 and "
     "float32, %s for text known while compiling, %p for addresses, with flags, width and precision as in C. A call prints at most 32 KiB."},
    {"T502", "value does not fit the format", "Every conversion of a format has one value, of a type that it can show."},
};

std::span<const Code> codes() { return kCodes; }

} // namespace asc
