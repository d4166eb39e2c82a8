// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic stores: a register of the core says whether copies from the unified buffer to global memory replace what is there or combine with
// it (06-data-movement section 10).
#include "apis/atomic.h"
#include "apis/families.h"
#include "apis/numeric.h"
#include "apis/row_checks.h"
#include "apis/rules.h"

#include <cstring>

namespace asc {
namespace {

// ---------------------------------------------------------------- the stores

/// dst = combine(dst, src) for the elements of a block; arrays need not be aligned.
template <class T, class Fn> void each(std::byte *dst, const std::byte *src, size_t bytes, Fn combine) {
  for (size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T there, stored;
    std::memcpy(&there, dst + at, sizeof(T));
    std::memcpy(&stored, src + at, sizeof(T));
    there = combine(there, stored);
    std::memcpy(dst + at, &there, sizeof(T));
  }
}

struct Sum {
  template <class T> T operator()(T a, T b) const { return plus(a, b, OverflowMode<Overflow::Wrap>()); } // "atomic stores of integers"
};
struct Max {
  template <class T> T operator()(T a, T b) const { return maximum(a, b); }
};
struct Min {
  template <class T> T operator()(T a, T b) const { return minimum(a, b); }
};

template <class Fn> void combine_block(std::byte *dst, const std::byte *src, size_t bytes, DType type, bool keep_inf_nan, Fn fn) {
  const auto narrow = [&](auto to_float, auto from_float, uint16_t infinity) {
    each<uint16_t>(dst, src, bytes, [&](uint16_t a, uint16_t b) {
      const uint16_t value = from_float(fn(to_float(a), to_float(b)));
      return keep_inf_nan ? value : without_infinity(value, infinity);
    });
  };
  switch (type) {
  case DType::Int8: return each<int8_t>(dst, src, bytes, fn);
  case DType::Int16: return each<int16_t>(dst, src, bytes, fn);
  case DType::Int32: return each<int32_t>(dst, src, bytes, fn);
  case DType::Float32: return each<float>(dst, src, bytes, fn);
  case DType::Float16: return narrow(half_to_float, float_to_half, 0x7C00);
  case DType::BFloat16: return narrow(bfloat16_to_float, float_to_bfloat16, 0x7F80);
  default: return;
  }
}

} // namespace

void combine_blocks(std::byte *dst, const std::byte *src, const BlockCopy &copy, const CoreState &core) {
  for (size_t i = 0; i < copy.blocks; ++i, dst += copy.dst_step, src += copy.src_step) {
    const auto with = [&](auto fn) { combine_block(dst, src, copy.bytes, core.atomic.type, core.keep_inf_nan, fn); };
    switch (core.atomic.op) {
    case AtomicOp::Sum: with(Sum()); break;
    case AtomicOp::Max: with(Max()); break;
    case AtomicOp::Min: with(Min()); break;
    }
  }
}

namespace {

// ---------------------------------------------------------------- the register

constexpr DTypes kTypes = DType::Int8 | DType::Int16 | DType::Int32 | DType::Float16 | DType::BFloat16 | DType::Float32;

/// AtomicDtype of Ascend C, by its numbers.
constexpr std::array<DType, 7> kNumbered = {DType::Void,  DType::Float32, DType::Float16, DType::Int16,
                                            DType::Int32, DType::Int8,    DType::BFloat16};

constexpr Arg kTypeArgs[] = {{.name = "dtype", .kind = ArgKind::Type, .dtypes = kTypes, .doc = "element type of the stores that follow"}};
constexpr Arg kConfigArgs[] = {{.name = "atomic_type",
                                .kind = ArgKind::Enum,
                                .type = "AtomicDtype",
                                .doc = "element type of the stores that follow; ATOMIC_NONE: they replace"},
                               {.name = "atomic_op", .kind = ArgKind::Enum, .type = "AtomicOp", .doc = "how they combine"}};

template <AtomicOp op> void set(const Call &call, CoreState &core) { core.atomic = {DType(call.value(0)), op}; }
void set_none(const Call &, CoreState &core) { core.atomic = {}; }
void set_type(const Call &call, CoreState &core) { core.atomic.type = DType(call.value(0)); }
void set_config(const Call &call, CoreState &core) { core.atomic = {kNumbered[size_t(call.value(0))], AtomicOp(call.value(1))}; }
template <void (*registers)(const Call &, CoreState &)> void run(Exec &e) { registers(e.call, e.core); }

void get_config(Exec &e) {
  e.result = uint64_t(std::find(kNumbered.begin(), kNumbered.end(), e.core.atomic.type) - kNumbered.begin());
  e.further_results[0] = uint64_t(e.core.atomic.op);
}

constexpr const Rule *kTypeRules[] = {&argument_dtype};

constexpr Form kAdd[] = {{"SetAtomicAdd<$dtype>()"}}, kMax[] = {{"SetAtomicMax<$dtype>()"}}, kMin[] = {{"SetAtomicMin<$dtype>()"}},
               kNone[] = {{"SetAtomicNone()"}}, kType[] = {{"SetAtomicType<$dtype>()"}},
               kSetConfig[] = {{"SetStoreAtomicConfig<$atomic_type, $atomic_op>()"}},
               kGetConfig[] = {{"GetStoreAtomicConfig($result[0], $result[1])", {}, 2}};

constexpr Row kRows[] = {
    {.name = "set_atomic_add",
     .ascendc = "SetAtomicAdd",
     .args = kTypeArgs,
     .forms = kAdd,
     .rules = kTypeRules,
     .run = run<set<AtomicOp::Sum>>,
     .registers = set<AtomicOp::Sum>,
     .combines_stores = true,
     .doc = "Lets the stores to global memory that follow on this core add: dst = dst + src, until set_atomic_none.",
     .source = "Ascend C, SetAtomicAdd"},
    {.name = "set_atomic_max",
     .ascendc = "SetAtomicMax",
     .args = kTypeArgs,
     .forms = kMax,
     .rules = kTypeRules,
     .run = run<set<AtomicOp::Max>>,
     .registers = set<AtomicOp::Max>,
     .combines_stores = true,
     .doc = "Lets the stores to global memory that follow on this core keep the larger value: dst = max(dst, src), until set_atomic_none.",
     .source = "Ascend C, SetAtomicMax"},
    {.name = "set_atomic_min",
     .ascendc = "SetAtomicMin",
     .args = kTypeArgs,
     .forms = kMin,
     .rules = kTypeRules,
     .run = run<set<AtomicOp::Min>>,
     .registers = set<AtomicOp::Min>,
     .combines_stores = true,
     .doc = "Lets the stores to global memory that follow on this core keep the smaller value: dst = min(dst, src), until set_atomic_none.",
     .source = "Ascend C, SetAtomicMin"},
    {.name = "set_atomic_none",
     .ascendc = "SetAtomicNone",
     .forms = kNone,
     .run = run<set_none>,
     .registers = set_none,
     .doc = "Lets the stores to global memory that follow on this core replace what is there: dst = src.",
     .source = "Ascend C, SetAtomicNone"},
    {.name = "set_atomic_type",
     .ascendc = "SetAtomicType",
     .args = kTypeArgs,
     .forms = kType,
     .rules = kTypeRules,
     .run = run<set_type>,
     .registers = set_type,
     .combines_stores = true,
     .doc = "Changes the element type of atomic stores, and keeps how they combine: dst = op(dst, src).",
     .source = "Ascend C, SetAtomicType"},
    {.name = "set_store_atomic_config",
     .ascendc = "SetStoreAtomicConfig",
     .args = kConfigArgs,
     .forms = kSetConfig,
     .run = run<set_config>,
     .registers = set_config,
     .combines_stores = true,
     .doc = "Sets element type and operation of the stores to global memory that follow on this core: dst = op(dst, src).",
     .source = "Ascend C, SetStoreAtomicConfig"},
    {.name = "get_store_atomic_config",
     .ascendc = "GetStoreAtomicConfig",
     .forms = kGetConfig,
     .result = DType::Int16,
     .varies = true,
     .run = get_config,
     .doc = "Element type and operation of atomic stores, as the numbers of AtomicDtype and AtomicOp (1: max, 2: min).",
     .source = "Ascend C, GetStoreAtomicConfig"},
};
static_assert(check_rows(kRows));

std::optional<Violation> check_elements(const Call &call, const CoreState *core) {
  if (!core || core->atomic.type == DType::Void) return std::nullopt;
  for (unsigned arg = 0; arg < call.row->args.size(); ++arg) {
    if (!call.row->args[arg].is_tensor() || call.row->args[arg].role == Role::In || !call.has(arg)) continue;
    const DType stored = call.dtype(arg), meant = core->atomic.type;
    const bool same_sum =
        core->atomic.op == AtomicOp::Sum && !info(stored).is_float && !info(meant).is_float && size_of(stored) == size_of(meant);
    if (call.memory(arg) != Memory::GM || stored == meant || same_sum) return std::nullopt;
    return Violation{
        arg, "elements of " + std::string(name(stored)) + " are stored while atomic stores combine elements of " + std::string(name(meant)),
        "tensors of " + std::string(name(meant)), "set the type of the tensors, or call asc.set_atomic_none() before the copy"};
  }
  return std::nullopt;
}

} // namespace

constexpr Rule atomic_elements = {
    "R160",
    "elements of an atomic store",
    "Atomic stores combine elements of the type that set_atomic_add and the like were given, whatever the type of "
    "the tensors is. Source: Ascend C, SetAtomicAdd.",
    check_elements,
    /*is_static=*/false,
    /*is_warning=*/true};

std::span<const Row> atomic_rows() { return kRows; }

} // namespace asc
