// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, whose results are bits in memory or in the register CMPMASK, and the choice between elements by such bits.
#include "apis/dequantise.h"
#include "apis/families.h"
#include "apis/lanes.h"
#include "apis/precision.h"
#include "apis/vector_row.h"

#include <algorithm>
#include <cstring>

namespace asc {
namespace {

/// CMPMODE of Ascend C, by its numbers.
enum class Comparison : uint8_t { Lt, Gt, Eq, Le, Ge, Ne };
/// SELMODE, by its numbers.
enum class Selection : uint8_t { Register, TensorScalar, TensorTensor };

constexpr DTypes kCompared = kFloats | DTypes(DType::Int32);

/// Bytes of the bits of so many lanes.
constexpr uint64_t bytes_of_bits(uint64_t lanes) { return (lanes + 7) / 8; }

// ---------------------------------------------------------------- comparing lanes

template <Comparison C, class T> ASC_INLINE bool holds(T a, T b) {
  switch (C) {
  case Comparison::Lt: return a < b;
  case Comparison::Gt: return a > b;
  case Comparison::Eq: return a == b;
  case Comparison::Le: return a <= b;
  case Comparison::Ge: return a >= b;
  case Comparison::Ne: return a != b;
  }
}

/// A LaneKernel whose dst are bits, the first lane in the lowest bit of the first byte; bits behind the last lane are 0.
template <class T, Comparison C, bool Scalar> struct CompareLoop {
  using Lane = std::conditional_t<std::is_same_v<T, Half>, float, T>;

  template <InstructionSet Set> ASC_INLINE static const Lane *lanes(const std::byte *from, size_t at, Lane *buffer, size_t n) {
    const T *elements = reinterpret_cast<const T *>(from) + at;
    if constexpr (std::is_same_v<T, Half>) {
      widen_halves<Set>(elements, buffer, n);
      return buffer;
    } else {
      return elements;
    }
  }
  static Lane scalar(uint64_t bits) {
    if constexpr (std::is_same_v<T, Half>)
      return half_to_float(uint16_t(bits));
    else
      return std::bit_cast<T>(uint32_t(bits));
  }

  template <InstructionSet Set>
  ASC_INLINE static void run(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext *context) {
    Lane first[kHalfChunk], second[kHalfChunk];
    uint8_t result[kHalfChunk];
    const Lane s = Scalar ? scalar(context->scalar) : Lane(0);
    for (size_t at = 0; at < n; at += kHalfChunk) {
      const size_t m = std::min(n - at, kHalfChunk);
      const Lane *a = lanes<Set>(src[0], at, first, m);
      if constexpr (Scalar) {
        ASC_VECTOR_LOOP
        for (size_t i = 0; i < m; ++i) result[i] = holds<C>(a[i], s);
      } else {
        const Lane *b = lanes<Set>(src[1], at, second, m);
        ASC_VECTOR_LOOP
        for (size_t i = 0; i < m; ++i) result[i] = holds<C>(a[i], b[i]);
      }
      const size_t bytes = bytes_of_bits(m);
      std::memset(result + m, 0, bytes * 8 - m);
      for (size_t i = 0; i < bytes; ++i) {
        uint64_t eight;
        std::memcpy(&eight, result + i * 8, sizeof(eight));
        dst[at / 8 + i] = std::byte(eight * 0x0102040810204080 >> 56); // bit k of the top byte is byte k
      }
    }
  }
  static void kernel(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
    run_on_best<CompareLoop>(dst, src, n, &context);
  }
};

template <class T, bool Scalar> LaneKernel float_kernel(Comparison c) {
  switch (c) {
  case Comparison::Lt: return CompareLoop<T, Comparison::Lt, Scalar>::kernel;
  case Comparison::Gt: return CompareLoop<T, Comparison::Gt, Scalar>::kernel;
  case Comparison::Eq: return CompareLoop<T, Comparison::Eq, Scalar>::kernel;
  case Comparison::Le: return CompareLoop<T, Comparison::Le, Scalar>::kernel;
  case Comparison::Ge: return CompareLoop<T, Comparison::Ge, Scalar>::kernel;
  case Comparison::Ne: return CompareLoop<T, Comparison::Ne, Scalar>::kernel;
  }
  return nullptr;
}
template <bool Scalar> LaneKernel compare_kernel(DType dtype, Comparison c) {
  if (dtype == DType::Float16) return float_kernel<Half, Scalar>(c);
  if (dtype == DType::Float32) return float_kernel<float, Scalar>(c);
  return CompareLoop<int32_t, Comparison::Eq, Scalar>::kernel; // the rule comparison_type leaves no other
}

// ---------------------------------------------------------------- compare, compare_scalar

constexpr Arg kCompareMode = {.name = "cmp_mode",
                              .kind = ArgKind::Enum,
                              .type = "CMPMODE",
                              .doc = "how src0 compares with src1: LT, GT, EQ, LE, GE or NE; int32 has EQ only"};
constexpr Arg kCompareCount = {.name = "count",
                               .kind = ArgKind::Int,
                               .dtypes = DType::Int32,
                               .low = 0,
                               .high = INT32_MAX,
                               .doc = "number of elements, whole repeats of 256 bytes"};
constexpr Arg bits_argument(DTypes dtypes) {
  return {.name = "dst",
          .kind = ArgKind::Local,
          .role = Role::Out,
          .dtypes = dtypes,
          .doc = "a bit for each element, the first in the lowest bit of the first byte, repeat after repeat without gaps"};
}
constexpr Arg kIgnoredMask = mask_number(DType::UInt64);
constexpr Arg kCompareArgs[] = {
    bits_argument(DType::Int8 | DType::UInt8),
    {.name = "src0", .kind = ArgKind::Local, .dtypes = kCompared, .doc = "first source"},
    {.name = "src1", .kind = ArgKind::Local, .dtypes = kCompared, .doc = "second source"},
    kCompareMode,
    kCompareCount,
    kIgnoredMask,
    kMaskBits,
    kRepeatTimes,
    repeat_params("BinaryRepeatParams"),
    kIsSetMask,
};
constexpr Arg kCompareScalarArgs[] = {
    bits_argument(DType::UInt8),
    {.name = "src0", .kind = ArgKind::Local, .dtypes = kCompared, .doc = "source"},
    {.name = "src1_scalar", .kind = ArgKind::Number, .doc = "what every element is compared with, converted to the element type of src0"},
    kCompareMode,
    kCompareCount,
    kIgnoredMask,
    kMaskBits,
    kRepeatTimes,
    repeat_params("UnaryRepeatParams"),
    kIsSetMask,
};
// The places are the same in both rows.
constexpr uint8_t kDst = index_of(kCompareArgs, "dst"), kSrc0 = index_of(kCompareArgs, "src0"), kSrc1 = index_of(kCompareArgs, "src1"),
                  kMode = index_of(kCompareArgs, "cmp_mode"), kCountArg = index_of(kCompareArgs, "count"),
                  kRepeats = index_of(kCompareArgs, "repeat_times"), kParams = index_of(kCompareArgs, "repeat_params");
static_assert(kParams == index_of(kCompareScalarArgs, "repeat_params") && kSrc1 == index_of(kCompareScalarArgs, "src1_scalar"));

bool with_scalar(const Call &call) { return call.row->args[kSrc1].kind == ArgKind::Number; }

/// The sources of a comparison into CMPMASK.
constexpr VectorArgs kRegisterSources = [] {
  VectorArgs v;
  v.tensors[0] = {kSrc0, {kParams, 1}, {kParams, 4}};
  v.tensors[1] = {kSrc1, {kParams, 2}, {kParams, 5}};
  v.size = 2;
  v.mask = index_of(kCompareArgs, "mask");
  v.mask_bits = index_of(kCompareArgs, "mask_bits");
  v.is_set_mask = index_of(kCompareArgs, "is_set_mask");
  return v;
}();

/// How a comparison walks its sources. Into memory, whole repeats whatever the mask and the mode (assumption "compare and compare_scalar
/// with a dst"); into CMPMASK, the lanes of one repeat that the mask enables.
std::optional<Walk> compared(const Call &call, const CoreState *core) {
  if (!call.has(kDst)) {
    std::optional<Walk> lanes = walk(call, kRegisterSources, core);
    if (lanes && lanes->repeats > 1) lanes->repeats = 1, lanes->tail = lanes->lanes;
    return lanes;
  }
  Walk walk;
  walk.element = size_of(call.dtype(kSrc0));
  walk.lanes = walk.tail = kRepeatBytes / walk.element;
  walk.bytes.fill(uint8_t(walk.element));
  const uint8_t count = call.has(kCountArg) ? kCountArg : kRepeats;
  if (!call.known(count)) return std::nullopt;
  if (call.has(kCountArg)) {
    walk.repeats = uint32_t(call.value(kCountArg)) / walk.lanes;
    return walk;
  }
  walk.repeats = uint8_t(call.value(kRepeats));
  const unsigned operands = with_scalar(call) ? 2 : 3;
  for (unsigned t = 0; t + 1 < operands; ++t) {
    const uint8_t block = uint8_t(t + 1), repeat = uint8_t(operands + t + 1);
    if (!call.known(kParams, block) || !call.known(kParams, repeat)) return std::nullopt;
    walk.strides[t] = {uint8_t(call.value(kParams, block)), uint8_t(call.value(kParams, repeat))};
  }
  return walk;
}

void compare_access(const Call &call, const CoreState &core, Accesses &accesses) {
  const std::optional<Walk> lanes = compared(call, &core);
  if (!lanes || lanes->repeats == 0) return;
  for (unsigned t = 0; t < (with_scalar(call) ? 1 : 2); ++t) {
    const uint8_t arg = uint8_t(kSrc0 + t);
    Access &access = accesses.add() = access_of(*lanes, t);
    access.arg = arg;
    access.read = true;
    access.address = call.address(arg);
  }
  if (!call.has(kDst)) return;
  Access &bits = accesses.add();
  bits.arg = kDst;
  bits.write = true;
  bits.address = call.address(kDst);
  bits.bytes = uint32_t(bytes_of_bits(lanes->elements()));
}

void compare_registers(const Call &call, CoreState &core) {
  if (!call.has(kDst)) vector_registers(call, kRegisterSources, core);
}

void compare(Exec &e) {
  const Call &call = e.call;
  const Walk lanes = *compared(call, &e.core);
  const bool scalar = with_scalar(call);
  const Comparison mode = Comparison(call.value(kMode));
  const LaneKernel kernel = scalar ? compare_kernel<true>(call.dtype(kSrc0), mode) : compare_kernel<false>(call.dtype(kSrc0), mode);
  LaneContext context;
  if (scalar) context.scalar = call.at(kSrc1).bits;
  const std::array<std::byte *, 2> sources = {e.data[kSrc0], scalar ? nullptr : e.data[kSrc1]};
  const auto into = [&](std::byte *bits) {
    read_lanes(lanes, {sources.data(), scalar ? 1u : 2u}, [&](const std::byte *const *src, size_t n, uint32_t repeat) {
      kernel(bits + size_t(repeat) * lanes.lanes / 8, src, n, context);
    });
  };
  if (call.has(kDst)) return into(e.data[kDst]);
  if (lanes.repeats > 0) { // where a lane is off, CMPMASK keeps its bit
    std::array<uint64_t, 2> bits = {};
    into(reinterpret_cast<std::byte *>(bits.data()));
    for (unsigned lane = 0; lane < lanes.tail; ++lane) {
      const uint64_t bit = uint64_t(1) << lane % 64;
      if (lanes.masked && !(lanes.mask[lane / 64] & bit)) continue;
      uint64_t &word = e.core.found.cmp_mask[lane / 64];
      word = (word & ~bit) | (bits[lane / 64] & bit);
    }
  }
  compare_registers(call, e.core);
}

std::optional<Violation> check_comparison(const Call &call, const CoreState *) {
  const DType dtype = call.dtype(kSrc0);
  if (!call.has(kDst) && dtype == DType::Int32)
    return Violation{kSrc0, "src0 is int32 in a comparison into CMPMASK", "float16 or float32",
                     "give a dst for the bits; int32 compares into memory only"};
  if (dtype == DType::Int32 && call.known(kMode) && Comparison(call.value(kMode)) != Comparison::Eq)
    return Violation{kMode, "cmp_mode is " + std::string(find_enum("CMPMODE")->members[size_t(call.value(kMode))].name) + " on int32", "EQ",
                     "int32 is compared for equality only; compare float32, or the sign of a difference"};
  return std::nullopt;
}
constexpr Rule comparison_type = {
    "R142", "comparison that the type has",
    "The cores compare float16 and float32 in all modes, and int32 for equality (EQ), into memory. Source: Ascend C, Compare and "
    "CompareScalar.",
    check_comparison, true};

std::optional<Violation> check_whole_repeats(const Call &call, const CoreState *) {
  if (!call.has(kCountArg) || !call.known(kCountArg)) return std::nullopt;
  const int64_t count = call.value(kCountArg), lanes = kRepeatBytes / size_of(call.dtype(kSrc0));
  if (count % lanes == 0) return std::nullopt;
  return Violation{
      kCountArg, quote("count", std::to_string(count)), "a multiple of " + std::to_string(lanes) + ": " + per_repeat(call.dtype(kSrc0)),
      "round count up to " + std::to_string((count / lanes + 1) * lanes) + " and leave the bits behind the last element alone"};
}
constexpr Rule whole_repeats = {
    "R143", "whole repeats are compared",
    "A comparison writes the bits of whole repeats of 256 bytes; elements behind the last whole one would not be compared. Source: Ascend "
    "C, Compare and CompareScalar, count.",
    check_whole_repeats};

constexpr const Rule *kCompareRules[] = {&argument_dtype, &equal_dtypes,         &comparison_type, &in_unified_buffer,  &aligned_start,
                                         &value_range,    &mask_in_counter_mode, &whole_repeats,   &no_partial_overlap, &inside_tensor};

constexpr Form kCompareForms[] = {
    {"Compare($dst, $src0, $src1, $cmp_mode, $count)"},
    {"Compare<$U, $T, $is_set_mask>($dst, $src0, $src1, $cmp_mode, $mask, $repeat_times, $repeat_params)"},
    {"Compare<$U, $T, $is_set_mask>($dst, $src0, $src1, $cmp_mode, $mask_bits, $repeat_times, $repeat_params)"},
    {"Compare<$T, $is_set_mask>($src0, $src1, $cmp_mode, $mask, $repeat_params)"},
    {"Compare<$T, $is_set_mask>($src0, $src1, $cmp_mode, $mask_bits, $repeat_params)"},
};
constexpr Form kCompareScalarForms[] = {
    {"CompareScalar($dst, $src0, $src1_scalar, $cmp_mode, $count)"},
    {"CompareScalar<$U, $T, $is_set_mask>($dst, $src0, $src1_scalar, $cmp_mode, $mask, $repeat_times, $repeat_params)"},
    {"CompareScalar<$U, $T, $is_set_mask>($dst, $src0, $src1_scalar, $cmp_mode, $mask_bits, $repeat_times, $repeat_params)"},
};

// ---------------------------------------------------------------- get_cmp_mask, set_cmp_mask

constexpr DTypes kAnyElement = [] {
  DTypes types;
  for (DType t : {DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64,
                  DType::Float16, DType::BFloat16, DType::Float32})
    types = types | DTypes(t);
  return types;
}();
constexpr Arg kGetArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kAnyElement, .doc = "16 bytes for the register"}};
constexpr Arg kSetArgs[] = {{.name = "src", .kind = ArgKind::Local, .dtypes = kAnyElement, .doc = "16 bytes for the register"}};
constexpr Form kGetForms[] = {{"GetCmpMask($dst)"}}, kSetForms[] = {{"SetCmpMask($src)"}};
constexpr uint32_t kMaskBytes = 16;

void mask_access(const Call &call, const CoreState &, Accesses &accesses) {
  Access &access = accesses.add();
  access.read = call.row->args[0].role == Role::In;
  access.write = !access.read;
  access.address = call.address(0);
  access.bytes = kMaskBytes;
}
void get_cmp_mask(Exec &e) { std::memcpy(e.data[0], e.core.found.cmp_mask.data(), kMaskBytes); }
void set_cmp_mask(Exec &e) { std::memcpy(e.core.found.cmp_mask.data(), e.data[0], kMaskBytes); }

std::optional<Violation> check_mask_start(const Call &call, const CoreState *) {
  if (!call.known(0) || call.address(0).memory() != Memory::UB || call.address(0).offset() % kMaskBytes == 0) return std::nullopt;
  const int64_t offset = call.address(0).offset();
  return Violation{0, std::string(call.row->args[0].name) + " starts at byte " + std::to_string(offset), "a multiple of 16 bytes",
                   "start at byte " + std::to_string(offset / kMaskBytes * kMaskBytes)};
}
constexpr Rule mask_start = {"R144", "tensor for CMPMASK aligned to 16 bytes",
                             "The register CMPMASK is loaded and stored as 16 bytes that start at a multiple of 16. Source: Ascend C, "
                             "GetCmpMask and SetCmpMask.",
                             check_mask_start};
constexpr const Rule *kMaskRules[] = {&argument_dtype, &in_unified_buffer, &mask_start, &inside_tensor};

/// A row that moves CMPMASK.
constexpr Row moving_mask(Row row) {
  row.pipe = Pipe::V;
  row.rules = kMaskRules;
  row.cost = {CostShape::Vector, "copy"};
  row.access = mask_access;
  return row;
}

// ---------------------------------------------------------------- select

constexpr Arg kSelectArgs[] = {
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kFloats, .doc = "destination"},
    {.name = "sel_mask",
     .kind = ArgKind::Local,
     .dtypes = DType::UInt8 | DType::UInt16 | DType::UInt32 | DTypes(DType::UInt64),
     .doc = "a bit for each element, the first in the lowest bit of the first byte: 1 takes src0, 0 src1"},
    {.name = "src0", .kind = ArgKind::Local, .dtypes = kFloats, .doc = "elements where the bit is 1"},
    {.name = "src1", .kind = ArgKind::Local, .dtypes = kFloats, .doc = "elements where the bit is 0"},
    {.name = "src1_scalar",
     .kind = ArgKind::Number,
     .doc = "what dst gets where the bit is 0, converted to the element type",
     .python = "src1"},
    {.name = "sel_mode",
     .kind = ArgKind::Enum,
     .type = "SelMode",
     .doc =
         "VSEL_CMPMASK_SPR: src1 is a tensor, and all repeats use the first bits of sel_mask, as many as a repeat has elements; "
         "VSEL_TENSOR_TENSOR_MODE: src1 is a tensor, and every element has its own bit; VSEL_TENSOR_SCALAR_MODE: the same, and src1 is a "
         "number"},
    kCount,
    mask_number(DType::UInt64),
    kMaskBits,
    kRepeatTimes,
    repeat_params("BinaryRepeatParams"),
    {.name = "is_set_mask", .kind = ArgKind::Flag, .default_value = 1, .doc = "not looked at: the mask is always that of the call"},
    {.name = "register_mode",
     .kind = ArgKind::Enum,
     .type = "SelMode",
     .doc =
         "without sel_mask, VSEL_CMPMASK_SPR: the bits are those of CMPMASK; VSEL_TENSOR_TENSOR_MODE: they are at the address in UB that "
         "CMPMASK holds in its low 32 bits",
     .python = "sel_mode"},
};
constexpr uint8_t kSelDst = index_of(kSelectArgs, "dst"), kSelMask = index_of(kSelectArgs, "sel_mask"),
                  kFirst = index_of(kSelectArgs, "src0"), kSecond = index_of(kSelectArgs, "src1"),
                  kScalar = index_of(kSelectArgs, "src1_scalar"), kSelMode = index_of(kSelectArgs, "sel_mode"),
                  kSelParams = index_of(kSelectArgs, "repeat_params"), kRegisterMode = index_of(kSelectArgs, "register_mode");

constexpr VectorArgs kSelectPlaces = [] {
  VectorArgs v = vector_args(kSelectArgs);
  v.size = 3;
  v.tensors = {};
  const uint8_t tensors[] = {kSelDst, kFirst, kSecond};
  for (uint8_t t = 0; t < 3; ++t) v.tensors[t] = {tensors[t], {kSelParams, t}, {kSelParams, uint8_t(3 + t)}};
  v.is_set_mask = VectorArgs::kNone;
  return v;
}();

constexpr Form kSelectForms[] = {
    {"Select($dst, $sel_mask, $src0, $src1_scalar, $sel_mode, $count)"},
    {"Select($dst, $sel_mask, $src0, $src1, $sel_mode, $count)"},
    {"Select<$T, $U, $is_set_mask>($dst, $sel_mask, $src0, $src1_scalar, $sel_mode, $mask_bits, $repeat_times, $repeat_params)"},
    {"Select<$T, $U, $is_set_mask>($dst, $sel_mask, $src0, $src1_scalar, $sel_mode, $mask, $repeat_times, $repeat_params)"},
    {"Select<$T, $U>($dst, $sel_mask, $src0, $repeat_times, $repeat_params)"},
    {"Select<$T, $U, $is_set_mask>($dst, $sel_mask, $src0, $src1, $sel_mode, $mask_bits, $repeat_times, $repeat_params)"},
    {"Select<$T, $U, $is_set_mask>($dst, $sel_mask, $src0, $src1, $sel_mode, $mask, $repeat_times, $repeat_params)"},
    {"Select<$T, $register_mode>($dst, $src0, $src1, $repeat_times, $repeat_params)"},
};

Selection selection(const Call &call) {
  if (!call.has(kSelMask)) return Selection(call.value(kRegisterMode));
  return call.has(kSelMode) ? Selection(call.value(kSelMode)) : Selection::TensorScalar;
}

/// The library fills 32 elements of its scratch memory, to load CMPMASK from there: with the scalar, or the address of sel_mask.
uint32_t scratch_bytes(const Call &call) {
  if (!call.has(kSelMask) || !call.has(kSelMode)) return 0;
  constexpr uint32_t kElements = 32;
  switch (selection(call)) {
  case Selection::Register: return 0;
  case Selection::TensorScalar: return kElements * size_of(call.dtype(kSelDst));
  case Selection::TensorTensor: return kElements * sizeof(uint32_t);
  }
  return 0;
}

/// The bytes with the bits of the lanes that are on; those of the lanes that are off are not read.
Access bits_of(const Walk &lanes, bool reused) {
  Access bits;
  bits.read = true;
  bits.bytes = lanes.lanes / 8;
  bits.repeats = reused ? 1 : lanes.repeats;
  bits.repeat_stride = bits.bytes;
  if (bits.repeats == lanes.repeats && lanes.tail != lanes.lanes) bits.tail = uint32_t(bytes_of_bits(lanes.tail));
  bits.masked = lanes.masked;
  for (unsigned lane = 0; lane < lanes.lanes; lane += 8)
    if (lanes.mask[lane / 64] >> lane % 64 & 0xFF) bits.mask[0] |= uint64_t(1) << lane / 8;
  return bits;
}

void select_access(const Call &call, const CoreState &core, Accesses &accesses) {
  const std::optional<Walk> lanes = walk(call, &core);
  if (!lanes || lanes->repeats == 0) return;
  vector_access(call, core, accesses);
  const Selection mode = selection(call);
  if (call.has(kSelMask)) {
    Access &bits = accesses.add() = bits_of(*lanes, mode == Selection::Register);
    bits.arg = kSelMask;
    bits.address = call.address(kSelMask);
  } else if (mode == Selection::TensorTensor) {
    Access &bits = accesses.add() = bits_of(*lanes, false);
    bits.arg = Access::kRegister;
    bits.address = Address(Memory::UB, 0, int64_t(uint32_t(core.found.cmp_mask[0])));
  }
  if (scratch_bytes(call) == 0) return;
  Access &scratch = accesses.add();
  scratch.arg = Access::kScratch;
  scratch.write = scratch.garbage = true;
  scratch.address = Address(Memory::UB, 0, kScratchStart);
  scratch.bytes = scratch_bytes(call);
}

/// dst[i] = bit i of the table ? src0[i] : src1[i]
template <class U, bool Scalar> struct SelectLoop {
  template <InstructionSet Set>
  ASC_INLINE static void run(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext *context) {
    const U *a = reinterpret_cast<const U *>(src[0]);
    const U *b = Scalar ? nullptr : reinterpret_cast<const U *>(src[1]);
    const U scalar = U(context->scalar);
    U *out = reinterpret_cast<U *>(dst);
    const auto lanes = [&](size_t at, U bits, size_t m) {
      ASC_VECTOR_LOOP
      for (size_t k = 0; k < m; ++k) {
        const U other = Scalar ? scalar : b[at + k];
        out[at + k] = bits & U(U(1) << k) ? a[at + k] : other;
      }
    };
    size_t at = 0;
    for (; at + 8 <= n; at += 8) lanes(at, U(context->table[at / 8]), 8);
    if (at < n) lanes(at, U(context->table[at / 8]), n - at);
  }
  static void kernel(std::byte *dst, const std::byte *const *src, size_t n, const LaneContext &context) {
    run_on_best<SelectLoop>(dst, src, n, &context);
  }
};
template <bool Scalar> LaneKernel select_kernel(DType dtype) {
  return size_of(dtype) == 2 ? SelectLoop<uint16_t, Scalar>::kernel : SelectLoop<uint32_t, Scalar>::kernel;
}

void select(Exec &e) {
  const Call &call = e.call;
  const Walk lanes = *walk(call, &e.core);
  const Selection mode = selection(call);
  const DType dtype = call.dtype(kSelDst);
  if (lanes.repeats == 0) return vector_registers(call, e.core);

  const bool reused = mode == Selection::Register, in_memory = call.has(kSelMask) || !reused;
  const std::byte *bits = call.has(kSelMask) ? e.data[kSelMask]
                          : in_memory        ? in_ub(e, kSelDst, int64_t(uint32_t(e.core.found.cmp_mask[0])))
                                             : nullptr;
  std::array<std::byte, UINT8_MAX * kMaskBytes> copied; // where only some of the bytes are there to be read
  if (reused && in_memory) {                            // those bits of CMPMASK that lanes use are loaded
    bits_of(lanes, true).for_each_run([&](int64_t offset, int64_t bytes) {
      std::memcpy(reinterpret_cast<std::byte *>(e.core.found.cmp_mask.data()) + offset, bits + offset, size_t(bytes));
    });
  } else if (in_memory && lanes.masked) {
    bits_of(lanes, false).for_each_run([&](int64_t offset, int64_t bytes) {
      std::memcpy(copied.data() + offset, bits + offset, size_t(bytes));
    });
    bits = copied.data();
  }

  // The device has the scalar in CMPMASK, or the address of the bits.
  uint64_t scalar = call.has(kScalar) ? call.at(kScalar).bits : e.core.found.cmp_mask[0];
  if (const uint32_t bytes = scratch_bytes(call)) {
    const bool is_scalar = mode == Selection::TensorScalar;
    const uint64_t value = is_scalar ? scalar : uint64_t(call.address(kSelMask).offset());
    const bool narrow = is_scalar && size_of(dtype) == 2;
    const uint64_t word = narrow ? uint16_t(value) * 0x0001000100010001u : uint32_t(value) * 0x0000000100000001u;
    for (uint32_t at = 0; at < bytes; at += sizeof(word)) std::memcpy(in_ub(e, kSelDst, kScratchStart) + at, &word, sizeof(word));
    e.core.found.cmp_mask = {word, word};
  }

  std::array<uint64_t, 2> mask = e.core.found.cmp_mask;
  if (reused) bits = reinterpret_cast<const std::byte *>(mask.data());
  const LaneKernel kernel = mode == Selection::TensorScalar ? select_kernel<true>(dtype) : select_kernel<false>(dtype);
  Lanes(e).with_table(kernel, scalar, bits, reused ? 0 : lanes.lanes / 8);
}

std::optional<Violation> check_selection(const Call &call, const CoreState *) {
  const bool scalar = call.has(kScalar);
  const uint8_t arg = call.has(kSelMode) ? kSelMode : kRegisterMode;
  if (call.has(arg) && !call.known(arg)) return std::nullopt;
  if (scalar == (selection(call) == Selection::TensorScalar) || (call.has(kSelMask) && !call.has(kSelMode))) return std::nullopt;
  return Violation{arg,
                   "sel_mode is " + std::string(find_enum("SelMode")->members[size_t(selection(call))].name) + " and src1 " +
                       (scalar ? "a number" : "a tensor"),
                   scalar ? "VSEL_TENSOR_SCALAR_MODE" : "VSEL_CMPMASK_SPR or VSEL_TENSOR_TENSOR_MODE",
                   scalar ? "use asc.SelMode.VSEL_TENSOR_SCALAR_MODE, or a tensor for src1"
                          : "use one of these modes, or a number for src1"};
}
constexpr Rule selection_mode = {
    "R145", "mode of a selection",
    "VSEL_TENSOR_SCALAR_MODE chooses between a tensor and a number; VSEL_CMPMASK_SPR and VSEL_TENSOR_TENSOR_MODE choose between two "
    "tensors. Source: Ascend C, Select.",
    check_selection, true};

std::optional<Violation> check_select_scratch(const Call &call, const CoreState *core) {
  if (!core || scratch_bytes(call) == 0) return std::nullopt;
  static thread_local Accesses accesses;
  accesses.size = 0;
  select_access(call, *core, accesses);
  for (const Access &access : accesses.span()) {
    if (access.arg >= kMaxArgs) continue;
    const int64_t start = access.address.offset(), end = start + access.extent().second;
    if (end <= kScratchStart || start >= kScratchStart + scratch_bytes(call)) continue;
    return Violation{access.arg, std::string(kSelectArgs[access.arg].name) + " reaches byte " + std::to_string(end - 1) + " of UB",
                     "tensors that leave bytes " + std::to_string(kScratchStart) + ".." +
                         std::to_string(kScratchStart + scratch_bytes(call) - 1) + " alone: they are scratch memory of this call",
                     "let the tensor end at byte " + std::to_string(kScratchStart - 1) + " or before"};
  }
  return std::nullopt;
}
constexpr Rule select_scratch = {
    "R146", "room for scratch memory of select",
    "With a sel_mask, VSEL_TENSOR_SCALAR_MODE and VSEL_TENSOR_TENSOR_MODE overwrite 32 elements of the unified buffer from byte 188416 on. "
    "The call's own tensors must not lie there; other tensors there are overwritten, and reading them afterwards is M302. Source: Ascend C, "
    "Select.",
    check_select_scratch};

constexpr const Rule *kSelectRules[] = {&argument_dtype,     &equal_dtypes,  &selection_mode,       &in_unified_buffer,
                                        &aligned_start,      &value_range,   &mask_in_counter_mode, &block_stride_of_dst,
                                        &no_partial_overlap, &inside_tensor, &select_scratch};

constexpr Row select_row() {
  Row row = vector_row({.name = "select",
                        .ascendc = "Select",
                        .forms = kSelectForms,
                        .rules = kSelectRules,
                        .cost = {.key = "sel"},
                        .run = select,
                        .precision = &precision::exact,
                        .doc = "Chooses between elements by bits: dst = bit ? src0 : src1. With a sel_mask, the register CMPMASK is "
                               "overwritten, and unless the mode is VSEL_CMPMASK_SPR so are 32 elements of the unified buffer from byte "
                               "188416 on. The form with neither src1 nor mode takes the number in the lowest element of CMPMASK for src1. "
                               "Forms without a mask use the mask registers as they are.",
                        .source = "Ascend C, Select"},
                       kSelectArgs, kSelectPlaces);
  row.access = select_access;
  row.scratch = kScratchBytes;
  return row;
}

constexpr Row kRows[] = {
    {.name = "compare",
     .ascendc = "Compare",
     .pipe = Pipe::V,
     .args = kCompareArgs,
     .forms = kCompareForms,
     .rules = kCompareRules,
     .cost = {CostShape::Vector, "cmp"},
     .access = compare_access,
     .run = compare,
     .registers = compare_registers,
     .precision = &precision::exact,
     .doc = "Compares element by element: bit i of dst is src0[i] op src1[i]. A comparison with NaN is false, but for NE, which is true. "
            "With a dst all elements of every repeat are compared, whatever the mask. Without one the bits of a single repeat go to the "
            "register CMPMASK, where elements that the mask turns off keep their old bits.",
     .source = "Ascend C, Compare"},
    {.name = "compare_scalar",
     .ascendc = "CompareScalar",
     .pipe = Pipe::V,
     .args = kCompareScalarArgs,
     .forms = kCompareScalarForms,
     .rules = kCompareRules,
     .cost = {CostShape::Vector, "cmps"},
     .access = compare_access,
     .run = compare,
     .registers = compare_registers,
     .precision = &precision::exact,
     .doc =
         "Compares every element with a scalar: bit i of dst is src0[i] op src1_scalar. A comparison with NaN is false, but for NE, which "
         "is true. All elements of every repeat are compared, whatever the mask.",
     .source = "Ascend C, CompareScalar"},
    moving_mask({.name = "get_cmp_mask",
                 .ascendc = "GetCmpMask",
                 .args = kGetArgs,
                 .forms = kGetForms,
                 .run = get_cmp_mask,
                 .precision = &precision::exact,
                 .doc = "Stores the register CMPMASK, the bits of the last comparison without a dst: 16 bytes.",
                 .source = "Ascend C, GetCmpMask"}),
    moving_mask({.name = "set_cmp_mask",
                 .ascendc = "SetCmpMask",
                 .args = kSetArgs,
                 .forms = kSetForms,
                 .run = set_cmp_mask,
                 .registers = [](const Call &, CoreState &) {}, // CMPMASK is V's: it is written when the call runs

                 .precision = &precision::exact,
                 .doc = "Loads the register CMPMASK, from which select takes its bits: 16 bytes.",
                 .source = "Ascend C, SetCmpMask"}),
    select_row(),
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> compare_select_rows() { return kRows; }

} // namespace asc
