// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel shows of itself besides printf: the elements of a tensor, time stamps, and marks for a profiler.
#include "apis/families.h"
#include "apis/format.h"
#include "apis/numeric.h"
#include "apis/row_checks.h"
#include "apis/rules.h"
#include "apis/vector.h"

#include <algorithm>
#include <cstring>

namespace asc {
namespace {

// ---------------------------------------------------------------- dump_tensor and dump_acc_chk_point

constexpr DTypes kDumped = DType::Bool | DType::Int8 | DType::UInt8 | DType::Int16 | DType::UInt16 | DType::Int32 | DType::UInt32 |
                           DType::Int64 | DType::UInt64 | DType::Float16 | DType::BFloat16 | DType::Float32;
constexpr uint64_t kMostDumped = 30 * 1024; // bytes of a call

constexpr Arg number(std::string_view name, int64_t low, std::string_view doc) {
  return {.name = name, .kind = ArgKind::Int, .dtypes = DType::UInt32, .low = low, .high = UINT32_MAX, .doc = doc};
}
constexpr Arg skipped(Arg arg) {
  arg.moves = true;
  return arg;
}
constexpr Arg kTensorArg = {.name = "tensor", .kind = ArgKind::Tensor, .dtypes = kDumped, .doc = "its first elements are shown"};
constexpr Arg kSizeArg = number("dump_size", 1, "how many elements");
constexpr Arg kDumpArgs[] = {
    kTensorArg,
    number("desc", 0, "a number that tells this dump from others"),
    kSizeArg,
    {.name = "shape_info", .kind = ArgKind::Shape, .doc = "the elements are shown in this shape; without it, in that of the tensor"}};
constexpr Arg kPointArgs[] = {kTensorArg, number("index", 0, "a number that tells this dump from others"),
                              skipped(number("count_off", 0, "the first element to show")), kSizeArg};
constexpr uint8_t kTensor = 0, kDesc = 1, kShape = index_of(kDumpArgs, "shape_info"), kOffset = index_of(kPointArgs, "count_off");

bool has_offset(const Call &call) { return call.row->args.data() == kPointArgs; }
bool has_shape(const Call &call) { return !has_offset(call) && call.has(kShape); }

/// The elements that a call shows, as a range of the tensor, and the shape that they are shown in.
struct Dumped {
  uint8_t size_arg;
  uint64_t first, count, element;
  std::vector<uint64_t> shape;

  explicit Dumped(const Call &call)
      : size_arg(has_offset(call) ? index_of(kPointArgs, "dump_size") : index_of(kDumpArgs, "dump_size")),
        first(has_offset(call) ? call.at(kOffset).bits : 0), count(call.at(size_arg).bits), element(size_of(call.dtype(kTensor))) {
    if (!has_shape(call)) return;
    for (unsigned d = 0; d < call.at(kShape).bits; ++d) shape.push_back(call.at(kShape, 1 + d).bits);
  }
  /// How many elements the shape has; only whether they are too many to show when they are.
  uint64_t shape_size() const {
    uint64_t size = 1;
    for (uint64_t dimension : shape) size = std::min(size * dimension, kMostDumped + 1);
    return std::find(shape.begin(), shape.end(), 0) == shape.end() ? size : 0;
  }
  bool too_many() const { return count * element > kMostDumped || (!shape.empty() && shape_size() * element > kMostDumped); }
};

void access(const Call &call, const CoreState &, Accesses &accesses) {
  const Dumped dumped(call);
  if (dumped.too_many()) return; // shows nothing
  Access &access = accesses.add();
  access.arg = kTensor, access.read = true;
  access.element = uint8_t(dumped.element);
  access.address = call.address(kTensor);
  access.start = int64_t(dumped.first * dumped.element);
  access.bytes = uint32_t(dumped.count * dumped.element);
}

/// Where the first element lies: in global memory its address, as %p of printf shows it, else the offset in its memory.
std::string address_of(const Call &call, const Dumped &dumped) {
  const Address address = call.address(kTensor);
  const uint64_t start = address.memory() == Memory::GM ? address.word : uint64_t(address.offset());
  return "0x" + convert_value({"", 'x'}, start + dumped.first * dumped.element, DType::UInt64);
}

/// Numbers from outside in: a list for each dimension. `element(i)` is the text of element i.
template <class Fn> void add_nested(std::string &text, std::span<const uint64_t> shape, uint64_t &next, Fn &&element) {
  text += "[";
  for (uint64_t i = 0; i < shape[0]; ++i) {
    const bool innermost = shape.size() == 1;
    if (i > 0) text += innermost ? "," : ",\n";
    if (innermost)
      text += element(next++);
    else
      add_nested(text, shape.subspan(1), next, element);
  }
  text += "]";
}

/// What is said when a shape has more or fewer elements than are shown.
std::string comparison(const Dumped &dumped) {
  const uint64_t size = dumped.shape_size();
  if (size == dumped.count) return {};
  std::string text = "shape is [";
  for (uint64_t dimension : dumped.shape) text += (text.back() == '[' ? "" : ", ") + std::to_string(dimension);
  text += "], dumpSize is " + std::to_string(dumped.count);
  return text + (dumped.count > size ? ", dumpSize is greater than shapeSize.\n" : ", data is not enough.\n");
}

void dump(Exec &e) {
  const Dumped dumped(e.call);
  if (dumped.too_many()) return;
  const DType dtype = e.call.dtype(kTensor);
  const FormatPiece piece{"", usual_conversion(dtype)};
  const auto element = [&](uint64_t i) -> std::string {
    if (i >= dumped.count) return "-";
    uint64_t bits = 0;
    std::memcpy(&bits, e.data[kTensor] + (dumped.first + i) * dumped.element, dumped.element);
    return convert_value(piece, extend_scalar(bits, dtype), dtype);
  };
  e.text = "DumpTensor: desc=" + std::to_string(e.call.at(kDesc).bits) + ", addr=" + address_of(e.call, dumped) +
           ", data_type=" + std::string(name(dtype)) + ", position=" + std::string(info(*e.call.memory(kTensor)).name) +
           ", dump_size=" + std::to_string(dumped.count) + "\n";
  if (dumped.shape.empty()) {
    for (uint64_t i = 0; i < dumped.count; ++i) e.text += (i > 0 ? ", " : "[") + element(i);
    e.text += "]\n";
    return;
  }
  e.text += comparison(dumped);
  uint64_t next = 0;
  add_nested(e.text, dumped.shape, next, element);
  e.text += "\n";
}

// ---------------------------------------------------------------- LocalTensor.print

constexpr Arg kPrintArgs[] = {{.name = "tensor", .kind = ArgKind::Local, .dtypes = kDumped, .doc = "its first elements are shown"},
                              number("data_len", 1, "how many elements")};

void print_access(const Call &call, const CoreState &, Accesses &accesses) {
  Access &access = accesses.add();
  access.arg = kTensor, access.read = true;
  access.element = uint8_t(size_of(call.dtype(kTensor)));
  access.address = call.address(kTensor);
  access.bytes = uint32_t(call.at(1).bits * access.element);
}

/// A line for each block of 32 bytes.
void print(Exec &e) {
  const DType dtype = e.call.dtype(kTensor);
  const FormatPiece piece{"", usual_conversion(dtype)};
  const uint64_t size = size_of(dtype), count = e.call.at(1).bits;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, e.data[kTensor] + i * size, size);
    const bool last = i + 1 == count || (i + 1) * size % kBlockBytes == 0;
    e.text += convert_value(piece, extend_scalar(bits, dtype), dtype) + (last ? "\n" : " ");
  }
}

std::optional<Violation> check_place(const Call &call, const CoreState *) {
  const std::optional<Memory> memory = call.memory(kTensor);
  if (!memory || *memory == Memory::GM || *memory == Memory::UB || *memory == Memory::L1 || *memory == Memory::L0C) return std::nullopt;
  return Violation{kTensor, "tensor is in " + place_of(call, kTensor), "a tensor in global memory, UB, L1 or L0C",
                   "copy the data to one of these first"};
}
std::optional<Violation> check_start(const Call &call, const CoreState *) {
  const bool known = call.known(kTensor) && (!has_offset(call) || call.known(kOffset));
  const std::optional<Memory> memory = call.memory(kTensor);
  if (!known || !memory) return std::nullopt;
  const Dumped dumped(call);
  const uint64_t start = uint64_t(call.address(kTensor).offset()) + dumped.first * dumped.element;
  const uint64_t alignment = *memory == Memory::GM ? dumped.element : info(*memory).alignment;
  if (start % alignment == 0) return std::nullopt;
  return Violation{dumped.first ? kOffset : kTensor,
                   "the elements to show start at byte " + std::to_string(start) + " of " + std::string(info(*memory).name),
                   "a multiple of " + std::to_string(alignment) + " bytes", "start at an earlier element, and show more of them"};
}
std::optional<Violation> check_size(const Call &call, const CoreState *) {
  const Dumped dumped(call);
  if (!call.known(dumped.size_arg) || !dumped.too_many()) return std::nullopt;
  const bool by_size = dumped.count * dumped.element > kMostDumped;
  const std::string got =
      by_size ? "dump_size is " + std::to_string(dumped.count) + " (" + std::to_string(dumped.count * dumped.element) + " bytes)"
              : "the shape has more elements";
  return Violation{by_size ? dumped.size_arg : kShape, got + ", so nothing is shown",
                   "at most " + std::to_string(kMostDumped / dumped.element) + " elements (30 KiB)", "show the tensor in parts: t[i:]"};
}
constexpr Rule dump_place = {"R125", "memory of a dumped tensor",
                             "dump_tensor shows tensors in global memory, UB, L1 and L0C. Source: Ascend C, DumpTensor.", check_place};
constexpr Rule dump_start = {
    "R126", "start of what is dumped",
    "The elements that dump_tensor and dump_acc_chk_point show start where an instruction could read them: in UB and "
    "L1 at a multiple of 32 bytes, in L0C of 64, in global memory at a whole element. Source: Ascend C, DumpTensor.",
    check_start};
constexpr Rule dump_size = {"R127",
                            "size of a dump",
                            "A call shows up to 30 KiB; one that asks for more shows nothing. Source: Ascend C, DumpTensor.",
                            check_size,
                            /*is_static=*/false,
                            /*is_warning=*/true};
constexpr const Rule *kDumpRules[] = {&argument_dtype, &dump_place, &value_range, &dump_start, &dump_size, &inside_tensor};

// ---------------------------------------------------------------- print_time_stamp

constexpr int64_t kReservedIds = 0xFFFF;
constexpr Arg kStampArgs[] = {{.name = "desc_id",
                               .kind = ArgKind::Int,
                               .dtypes = DType::Int32,
                               .low = 0,
                               .high = INT32_MAX,
                               .doc = "a number that tells this time stamp from others, more than 65535"}};

void print_time_stamp(Exec &e) {
  e.text = "descId is " + std::to_string(e.call.value(0)) + ", rsv is 0, timeStamp is " + std::to_string(e.cycle) + ", pcPtr is " +
           std::to_string(e.pc) + ".\n";
}
std::optional<Violation> check_id(const Call &call, const CoreState *) {
  if (!call.known(0) || call.value(0) > kReservedIds || call.value(0) < 0) return std::nullopt;
  return Violation{0, quote("desc_id", std::to_string(call.value(0))), "more than " + std::to_string(kReservedIds),
                   "the numbers below belong to Ascend C's own time stamps: add 65536"};
}
constexpr Rule stamp_id = {"R128",
                           "number of a time stamp",
                           "Ascend C's own time stamps have the numbers up to 65535. Source: Ascend C, PrintTimeStamp.",
                           check_id,
                           /*is_static=*/false,
                           /*is_warning=*/true};
constexpr const Rule *kStampRules[] = {&value_range, &stamp_id};

// ---------------------------------------------------------------- rows

void nothing(Exec &) {}

constexpr const Rule *kPrintRules[] = {&argument_dtype, &value_range, &inside_tensor};
constexpr Form kPrint[] = {{"Print($tensor, $data_len)"}};
constexpr Form kDump[] = {{"DumpTensor($tensor, $desc, $dump_size)"}, {"DumpTensor($tensor, $desc, $dump_size, $shape_info)"}},
               kPoint[] = {{"DumpAccChkPoint($tensor, $index, $count_off, $dump_size)"}}, kStamp[] = {{"PrintTimeStamp($desc_id)"}},
               kStart[] = {{"MetricsProfStart()"}}, kStop[] = {{"MetricsProfStop()"}};

constexpr Row kRows[] = {
    {.name = "dump_tensor",
     .ascendc = "DumpTensor",
     .args = kDumpArgs,
     .forms = kDump,
     .rules = kDumpRules,
     .access = access,
     .run = dump,
     .tells = Tells::Dump,
     .doc = "Prints the first elements of a tensor; it does not wait for other pipes.",
     .source = "Ascend C, DumpTensor"},
    {.name = "dump_acc_chk_point",
     .ascendc = "DumpAccChkPoint",
     .args = kPointArgs,
     .forms = kPoint,
     .rules = kDumpRules,
     .access = access,
     .run = dump,
     .tells = Tells::Dump,
     .doc = "Prints elements of a tensor from one of them on; it does not wait for other pipes.",
     .source = "Ascend C, DumpAccChkPoint"},
    {.name = "print",
     .ascendc = "Print",
     .receiver = "LocalTensor",
     .args = kPrintArgs,
     .forms = kPrint,
     .rules = kPrintRules,
     .access = print_access,
     .run = print,
     .tells = Tells::Dump,
     .doc = "Prints the first elements of the tensor, a line for each block of 32 bytes; it does not wait for other pipes.",
     .source = "Ascend C, LocalTensor"},
    {.name = "print_time_stamp",
     .ascendc = "PrintTimeStamp",
     .args = kStampArgs,
     .forms = kStamp,
     .rules = kStampRules,
     .run = print_time_stamp,
     .tells = Tells::TimeStamp,
     .doc = "Prints the cycle of the block's clock and the number of the instruction, with the option time_stamps=True.",
     .source = "Ascend C, PrintTimeStamp"},
    {.name = "metrics_prof_start",
     .ascendc = "MetricsProfStart",
     .forms = kStart,
     .run = nothing,
     .tells = Tells::Profile,
     .doc = "Begins a region for the profiler of the device; the simulator does nothing.",
     .source = "Ascend C, MetricsProfStart"},
    {.name = "metrics_prof_stop",
     .ascendc = "MetricsProfStop",
     .forms = kStop,
     .run = nothing,
     .tells = Tells::Profile,
     .doc = "Ends a region for the profiler of the device; the simulator does nothing.",
     .source = "Ascend C, MetricsProfStop"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> dump_rows() { return kRows; }

} // namespace asc
