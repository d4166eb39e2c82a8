// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What public documents leave open and how we decided. Each decision is one entry here; code names its constant, docs print the table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace asc {

struct Assumption {
  std::string_view topic; // its name, quoted by comments
  std::string_view assumption, where;
};

namespace assume {
inline constexpr bool keep_inf_nan_at_start = true;        // "half results at kernel start"
inline constexpr bool saturate_int_at_start = false;       // "integer overflow at kernel start"
inline constexpr uint16_t half_nan = 0x7E00;               // "max, min and relu" and "NaN results"
inline constexpr uint32_t float_nan = 0x7FC00000;          // "max, min and relu" and "NaN results"
inline constexpr uint64_t double_nan = 0x7FF8000000000000; // "NaN results"
inline constexpr int64_t nan_as_integer = 0;               // "NaN to integer"
inline constexpr unsigned scalar_memory = 16 * 1024;       // "arrays of the scalar unit", bytes
inline constexpr unsigned most_dimensions = 8;             // "ShapeInfo"
inline constexpr uint32_t arch_version = 0x220;            // "get_arch_version"
} // namespace assume

inline constexpr Assumption kAssumptions[] = {
    {"half results at kernel start", "Inf and NaN are kept as IEEE has them (CTRL[48] = 1)", "CoreState::keep_inf_nan"},
    {"integer overflow at kernel start", "vector arithmetic keeps the low bits (CTRL[53] = 0)", "CoreState::saturate_int"},
    {"max, min and relu", "a NaN in an input gives the quiet NaN; +0 is larger than -0", "maximum(), minimum() in numeric.h"},
    {"NaN results", "always the one positive quiet NaN: no payload, no sign", "quiet() in numeric.h"},
    {"NaN to integer", "0", "cast_scalar() in numeric.h"},
    {"saturated half", "max, min and relu saturate their result like arithmetic does (CTRL[48] = 0); abs changes the sign bit alone",
     "saturate_half() in numeric.h"},
    {"mask bits of 32-bit and 64-bit lanes", "bits beyond the lanes of a repeat enable nothing", "walk() in vector.cpp"},
    {"chains between repeats",
     "a source that reads what any earlier repeat of the same instruction wrote is as undefined as one that reads the "
     "repeat just before",
     "R109"},
    {"data_copy_pad without is_pad",
     "a block without paddings is filled up with its first element, or with the value of set_pad_value if that was called; paddings are "
     "the last pad value",
     "fills_with_first_element() in data_copy_pad.cpp"},
    {"multiply and add", "two roundings, of the product and of the sum, for float32 as documented samples show for float16",
     "multiplied_and_added() in numeric.h"},
    {"add_relu and sub_relu on integers", "the sum wraps or saturates first, then negative values become 0", "vector_binary.cpp"},
    {"shift_left of a signed element by its width", "the sign bit remains, all others are 0", "shifted_left() in numeric.h"},
    {"leaky_relu of zeros", "a zero stays as it is, whatever the scalar", "leaky_relu() in vector_scalar.cpp"},
    {"div, exp, ln and sqrt", "correctly rounded, subnormals included",
     "divided() in numeric.h, exponential.h, logarithm.h, square_root() in roots.h"},
    {"vector instructions that convert",
     "a result of float16 is rounded to float16 before it becomes an integer; one of int16 is exact; NaN becomes 0",
     "unconverted() in vector_mixed.cpp"},
    {"scratch memory of add_deq_relu",
     "its sources and its scratch memory hold garbage afterwards; with a mask it takes 256 bytes of the scratch memory for each repeat",
     "access() in dequantise.cpp"},
    {"mask registers after bilinear_interpolation", "MASK holds the mask of the call, the mode is NORMAL",
     "registers() in bilinear_interpolation.cpp"},
    {"printf",
     "flags, width and precision are those of C; a value is widened to 64 bits by its own signedness before any of %d %u %x; a block has "
     "1 MiB of the buffer of 75 MiB, or its share when there are more blocks, and what does not fit is left out",
     "convert_value() in format.cpp, src/sim/text.cpp"},
    {"float32 to float16 by CAST_ODD", "finite numbers beyond 65504 become 65504 of their sign; Inf stays Inf, NaN the quiet NaN",
     "to_odd_half() in numeric.h"},
    {"dump_tensor",
     "the 30 KiB of a call are those of the elements, and of the shape; a tensor with a ShapeInfo is shown in its shape; bool shows 1 and 0; addr is an offset in on-chip memory, and in a dump of "
     "dump_acc_chk_point that of the first element shown",
     "dump.cpp"},
    {"print_time_stamp", "the clock is that of the block, from 0; pcPtr is the number of the instruction in the program; no entry time",
     "print_time_stamp() in dump.cpp"},
    {"ASCENDC_DUMP", "false removes what printf, print and dumps show; an assertion that fails stops the kernel all the same",
     "is_left_out() in api_call.cpp"},
    {"arrays of the scalar unit", "those that are alive at the same time have 16 KiB together; an access costs what one to the cache does",
     "assume::scalar_memory, src/sim/arrays.cpp"},
    {"ShapeInfo", "a shape has 1 to 8 dimensions; the values are copied when the ShapeInfo is made", "assume::most_dimensions"},
    {"set_flag of a flag that is up",
     "a pipe does not set it again before the wait that was issued before has passed: TQue takes the id of a flag again as soon as deque has "
     "issued the wait; without such a wait it is S101",
     "Machine::let_pass in adversary.cpp"},
    {"order by the device compiler",
     "with auto_sync the flag between S and another pipe is set and waited for directly before the later access: S knows then that all is "
     "complete that it has issued to that pipe",
     "HappensBefore::ordered, Machine::complete_before in adversary.cpp"},
    {"largest and smallest elements of reductions",
     "of equal elements the first one, -0 and +0 being equal; the first NaN before all else, as the quiet NaN",
     "first_extreme() in reduce.h"},
    {"registers after reduce_max and reduce_min",
     "the mode stays; MASK is that of the last instruction: the values of the pairs that are left, or two lanes where a tail follows",
     "extreme_registers() in tensor_reduce.cpp"},
    {"sums of reductions", "an element whose neighbour is off passes on as it is; a sum over repeats is kept in the element type",
     "tree_sums() in reduce.cpp"},
    {"what reductions to one element leave in dst", "element 0, with cal_index element 1; all else stays", "tensor_reduce.cpp"},
    {"which reductions end in the scalar unit",
     "reduce_sum with a count, or with a mask where one sum per repeat fits a repeat; reduce_max and reduce_min of several repeats with an "
     "index, or with a tail: S waits for them, so that what follows on any pipe comes after them",
     "ends_in_scalar in tensor_reduce.cpp"},
    {"order of scores", "by value, -0 and +0 being equal; NaN comes first; the reserved bytes of a float16 record are 0",
     "comes_before() in sort.cpp"},
    {"registers after extract", "as after gather_mask with a mask of 0: NORMAL, MASK 0", "extract_registers() in sort.cpp"},
    {"get_mrg_sort_result, get_gather_mask_remain_count and the count that gather_mask gives back", "S waits for the vector pipe",
     "Machine::wait_for_end()"},
    {"gather_mask", "what follows the last element in dst stays; a repeat of more elements than 256 bytes have goes on block by block",
     "Gather::selected() in gather_mask.cpp"},
    {"mrg_sort with suspension and an empty list", "nothing is merged", "merge() in sort.cpp"},
    {"cast_deq of int16",
     "the product is rounded to float32, then to the nearest even integer; the scale has 10 bits of mantissa; the other half of a block of "
     "dst stays as it is",
     "DequantisedBytes in dequantise.cpp"},
    {"compare and compare_scalar with a dst",
     "the bits of repeats follow each other whatever the strides of dst; mask and counter mode are ignored",
     "compared() in compare_select.cpp"},
    {"CMPMASK",
     "0 at kernel start; a comparison of float32, and VSEL_CMPMASK_SPR, change the bits of the lanes that take part only; in counter mode a "
     "comparison without a dst takes at most one repeat",
     "compare(), select() in compare_select.cpp"},
    {"casts to integers that do not saturate", "CTRL[59] = 1: the low bits of the rounded value, 0 for Inf and NaN",
     "low_bits() in rounding.h"},
    {"TCubeTiling",
     "lib/matmul_intf.h defines it, with 50 numbers of type int32: the 49 of the interface and mxTypePara; trans_length is transLength there",
     "python/asc/language/adv/tiling.py"},
    {"ln and sqrt outside their range", "ln of a zero of either sign is -Inf, of a negative number NaN; sqrt is as IEEE 754 has it",
     "logarithm() in logarithm.h"},
    {"rsqrt and reciprocal",
     "correctly rounded; the tables of the device are not public. 0 gives Inf of its sign, rsqrt of a negative number NaN",
     "rsqrt() in vector_unary.cpp"},
    {"copy in counter mode",
     "the count is that of every repeat, repeat_time is looked at, and a count beyond 256 bytes goes on block by block",
     "counted_access() in vector_copy.cpp"},
    {"trans_data_to_5hd",
     "the strides of a single repeat count once, as documented; calls with addresses are about elements of 16 bits unless dtype tells",
     "block_plan() in transpose.cpp"},
    {"sums of a Matmul",
     "products are exact; a sum of float16, bfloat16 or float32 takes the products of 32 bytes of K in ascending order in float64 and is then "
     "rounded to float32; int32 saturates after every step of base_k",
     "CubeBlock::multiply in matmul.h"},
    {"slices without shape_value",
     "dimension i of the ShapeInfo of a tensor, as its ShapeInfo lists them, is that of slice i; end_index is the last index, and at most shape_value",
     "Emission::with_extents in api_call.cpp, slices.cpp"},
    {"user tags",
     "alloc_tensor gives a buffer of a queue the tag -1, enque keeps that of the tensor, deque gives it back; views and casts have the tag that "
     "their tensor has when they are made",
     "Machine::user_tag in framework.cpp, LocalTensor::user_tag in values.h"},
    {"print and to_file of a LocalTensor",
     "print separates the elements of a line by spaces; to_file writes the bytes as they lie in memory, once for a launch: a later call, and "
     "a block with a higher number, replaces the file; on a device both do nothing",
     "print() in dump.cpp, Machine::to_file in text.cpp"},
    {"set_buffer_len", "its argument is in bytes, as the library takes it, although it is documented in elements", "ResizeOp"},
    {"copies to fractals on a vector core",
     "as documented, not as the library does it: R165 tells where they differ; what completes 32 bytes is 0", "fractals.cpp"},
    {"atomic results of a Matmul", "the cores of a launch add to C by en_atomic one after the other, in the order of the simulator",
     "is_atomic() in executable.cpp"},
    {"get_arch_version", "0x220", "assume::arch_version"},
    {"get_system_cycle, get_program_counter", "the counter is 0 when a block starts; the number of the instruction in the program",
     "system.cpp"},
    {"get_sys_workspace, get_hccl_context", "before the kernel sets the address there is nothing: the first access is an error",
     "Machine::start()"},
    {"atomic stores of integers", "a sum that does not fit keeps the low bits", "Sum in atomic.cpp"},
    {"atomic stores of float16 and bfloat16", "each is rounded to nearest even, and saturates as CTRL[48] says", "atomic.cpp"},
    {"order of atomic stores",
     "cores take turns by simulated time, which is the same for every run of a launch; a copy combines all its elements at once",
     "Run::in_turns() in simulator.cpp"},
    {"change of the atomic register while stores are on their way", "a store combines as the register says when S issues it",
     "Machine::api()"},
    {"set_atomic_type, get_store_atomic_config",
     "the operation is a sum until one is set, and after set_atomic_none; max is number 1, min number 2", "atomic.cpp"},
    {"data cache at the end of a kernel", "lines that were written to are written back", "Machine::halt()"},
    {"places of lines in the data cache", "option data_cache: 512 lines, each in the place of its number modulo 512",
     "DataCache in src/sim/data_cache.h"},
    {"check_local_memory_ia", "the window begins behind the unit start_addr and ends with the unit end_addr", "watch_window.cpp"},
};

} // namespace asc
