// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar unit's operations: one handler per operation and type around what apis/scalar.h computes. A fault is a finding under the
// checks.
#include "sim/machine.h"

#include "apis/scalar.h"
#include "diagnostics/diagnostic.h"
#include "isa/ops.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace asc::sim {
namespace {

// ---------------------------------------------------------------- findings

/// The text of an integer register of that type.
std::string text(uint64_t bits, DType type) { return info(type).is_signed ? std::to_string(int64_t(bits)) : std::to_string(bits); }

constexpr const char *kSigns[] = {" + ", " - ", " * ", " / ", " % ", " // ", " % ", " & ", " | ", " ^ ", " << ", " >> "};
constexpr const char *sign_of(ScalarOp op) { return op <= ScalarOp::Shr ? kSigns[unsigned(op)] : ""; }

[[gnu::cold, gnu::noinline]] void report(Machine &m, const Step &s, ScalarOp op, DType d, uint64_t a, uint64_t b, uint64_t result,
                                         ScalarFault fault) {
  const std::string type(name(d)), width = std::to_string(8 * size_of(d));
  switch (fault) {
  case ScalarFault::None: return;
  case ScalarFault::Overflow:
    return m.warn(
        s, "M201",
        [&] {
          const std::string right = text(b, d), left = text(a, d),
                            computed = op == ScalarOp::Neg ? "-(" + left + ")"
                                                           : left + sign_of(op) + (right.starts_with('-') ? "(" + right + ")" : right);
          return type + " overflow: " + computed + " does not fit; it wraps to " + text(result, d);
        },
        "use a wider type for the operands");
  case ScalarFault::DivisionByZero:
    return m.warn(
        s, "M202", [&] { return type + " division by zero; the result is 0"; },
        "test the divisor before dividing; in a range it is the step");
  case ScalarFault::FarShift:
    return m.warn(
        s, "M203",
        [&] {
          return "an integer of " + width + " bits is shifted by " + text(b, d) + " bits; only the count modulo " + width + " is used";
        },
        "shift by 0 to " + std::to_string(8 * size_of(d) - 1) + " bits" + (size_of(d) < 8 ? ", or use a wider type" : ""));
  }
}

// ---------------------------------------------------------------- operations

template <Op O, DType D> const Step *operation(Machine &m, const Step &s) {
  constexpr bool one = O == Op::Neg || O == Op::Not;
  const Compute<D> a = load_scalar<D>(m.reg(s.a)), b = one ? Compute<D>(0) : load_scalar<D>(m.reg(s.b));
  const Computed<Compute<D>> r = compute<scalar_op(O), D>(a, b);
  if (r.fault != ScalarFault::None) [[unlikely]]
    report(m, s, scalar_op(O), D, store_scalar<D>(a), store_scalar<D>(b), store_scalar<D>(r.value), r.fault);
  m.set_reg(s.dst, store_scalar<D>(r.value));
  return &s + 1;
}

template <Op O, DType D> const Step *comparison(Machine &m, const Step &s) {
  m.set_reg(s.dst, compare<scalar_op(O)>(load_scalar<D>(m.reg(s.a)), load_scalar<D>(m.reg(s.b))));
  return &s + 1;
}

template <Op O, DType D> const Step *scalar(Machine &m, const Step &s) {
  if constexpr (is_comparison(scalar_op(O)))
    return comparison<O, D>(m, s);
  else
    return operation<O, D>(m, s);
}

template <DType D> const Step *size(Machine &m, const Step &s) {
  m.set_reg(s.dst, m.reg(s.a + 1) / size_of(D));
  return &s + 1;
}

const Step *cast(Machine &m, const Step &s) {
  m.set_reg(s.dst, cast_scalar(m.reg(s.a), DType(s.aux), s.type));
  return &s + 1;
}
/// From an integer or Bool to an integer that is not wider: the low bits, extended by the new signedness.
template <DType D> const Step *cast_integer(Machine &m, const Step &s) {
  m.set_reg(s.dst, store_scalar<D>(load_scalar<D>(m.reg(s.a))));
  return &s + 1;
}
/// The value of an integer register of that type.
__int128 wide(uint64_t bits, DType type) { return info(type).is_signed ? __int128(int64_t(bits)) : __int128(bits); }
[[gnu::cold, gnu::noinline]] void does_not_fit(Machine &m, const Step &s, uint64_t from, uint64_t to) {
  m.warn(
      s, "M205",
      [&] {
        return "the value is " + text(from, DType(s.aux)) + ", which " + std::string(name(s.type)) + " cannot hold; it becomes " +
               text(to, s.type);
      },
      "keep the value in the range of " + std::string(name(s.type)) + ", or write x.cast(dtype) where the low bits are meant");
}
const Step *narrow(Machine &m, const Step &s) {
  const uint64_t from = extend_scalar(m.reg(s.a), DType(s.aux)), to = cast_scalar(from, DType(s.aux), s.type);
  if (wide(from, DType(s.aux)) != wide(to, s.type)) does_not_fit(m, s, from, to);
  m.set_reg(s.dst, to);
  return &s + 1;
}

const Step *move(Machine &m, const Step &s) {
  m.set_reg(s.dst, m.reg(s.a));
  return &s + 1;
}
const Step *move2(Machine &m, const Step &s) {
  const uint64_t first = m.reg(s.a), second = m.reg(s.a + 1);
  m.set_reg(s.dst, first), m.set_reg(s.dst + 1, second);
  return &s + 1;
}
const Step *select(Machine &m, const Step &s) {
  m.set_reg(s.dst, m.reg(m.reg(s.dst) ? s.a : s.b));
  return &s + 1;
}
const Step *select2(Machine &m, const Step &s) {
  const uint32_t from = m.reg(s.dst) ? s.a : s.b;
  const uint64_t first = m.reg(from), second = m.reg(from + 1);
  m.set_reg(s.dst, first), m.set_reg(s.dst + 1, second);
  return &s + 1;
}
const Step *jump(Machine &m, const Step &s) {
  if (s.target <= &s) m.spend(kScalarCost.loop - 1);
  return s.target;
}
const Step *jump_if_zero(Machine &m, const Step &s) {
  if (m.reg(s.a) != 0) return &s + 1;
  return jump(m, s);
}

// ---------------------------------------------------------------- tables

template <Op O, size_t... D> constexpr std::array<Handler, kDTypes> handlers_of(std::index_sequence<D...>) {
  return {[]() -> Handler {
    if constexpr (has_operation(scalar_op(O), DType(D)))
      return &scalar<O, DType(D)>;
    else
      return nullptr;
  }()...};
}

constexpr unsigned kFirst = unsigned(Op::Add), kCount = unsigned(Op::Ge) - kFirst + 1;
template <size_t... O> constexpr std::array<std::array<Handler, kDTypes>, kCount> all_handlers(std::index_sequence<O...>) {
  return {handlers_of<Op(kFirst + O)>(std::make_index_sequence<kDTypes>())...};
}
constexpr auto kHandlers = all_handlers(std::make_index_sequence<kCount>());

template <size_t... D> constexpr std::array<Handler, kDTypes> integer_casts(std::index_sequence<D...>) {
  return {[]() -> Handler {
    if constexpr (kIntegers.has(DType(D)))
      return &cast_integer<DType(D)>;
    else
      return nullptr;
  }()...};
}
template <size_t... D> constexpr std::array<Handler, kDTypes> sizes(std::index_sequence<D...>) {
  return {[]() -> Handler {
    if constexpr (kScalars.has(DType(D)))
      return &size<DType(D)>;
    else
      return nullptr;
  }()...};
}
constexpr auto kIntegerCasts = integer_casts(std::make_index_sequence<kDTypes>());
constexpr auto kSizes = sizes(std::make_index_sequence<kDTypes>());

template <const Step *(Machine::*Method)(const Step &)> const Step *method(Machine &m, const Step &s) { return (m.*Method)(s); }

} // namespace

Handler handler_of(const Instr &i) {
  if (i.op >= Op::Add && i.op <= Op::Ge) return kHandlers[unsigned(i.op) - kFirst][unsigned(i.type)];
  switch (i.op) {
  case Op::Halt: return method<&Machine::halt>;
  case Op::Move: return move;
  case Op::Move2: return move2;
  case Op::Cast: {
    // To a wider type the signedness of the source counts.
    const bool low_bits = kIndices.has(DType(i.aux)) && kIntegers.has(i.type) && size_of(i.type) <= size_of(DType(i.aux));
    return low_bits ? kIntegerCasts[unsigned(i.type)] : cast;
  }
  case Op::Narrow: return narrow;
  case Op::Select: return select;
  case Op::Select2: return select2;
  case Op::Jump: return jump;
  case Op::JumpIfZero: return jump_if_zero;
  case Op::Local: return method<&Machine::local>;
  case Op::Global: return method<&Machine::global>;
  case Op::View: return method<&Machine::view>;
  case Op::Resize: return method<&Machine::resize>;
  case Op::Offset: return method<&Machine::offset>;
  case Op::Size: return kSizes[unsigned(i.type)];
  case Op::GetValue: return method<&Machine::get_value>;
  case Op::SetValue: return method<&Machine::set_value>;
  case Op::CrossCoreSetFlag: return method<&Machine::cross_core_set_flag>;
  case Op::CrossCoreWaitFlag: return method<&Machine::cross_core_wait_flag>;
  case Op::SetFlag: return method<&Machine::set_flag>;
  case Op::WaitFlag: return method<&Machine::wait_flag>;
  case Op::Barrier: return method<&Machine::barrier>;
  case Op::DataBarrier: return method<&Machine::data_barrier>;
  case Op::SetPointer: return method<&Machine::set_pointer>;
  case Op::GetPointer: return method<&Machine::get_pointer>;
  case Op::Construct: return method<&Machine::construct>;
  case Op::PipeInit: return method<&Machine::pipe_init>;
  case Op::PipeReset: return method<&Machine::pipe_reset>;
  case Op::PipeDestroy: return method<&Machine::pipe_destroy>;
  case Op::InitQueue: return method<&Machine::init_queue>;
  case Op::InitBuffer:
  case Op::InitPool: return method<&Machine::init_memory>;
  case Op::SharePool: return method<&Machine::share_pool>;
  case Op::ResetPool: return method<&Machine::reset_pool>;
  case Op::AllocTensor: return method<&Machine::alloc_tensor>;
  case Op::Enque: return method<&Machine::enque>;
  case Op::Deque: return method<&Machine::deque>;
  case Op::DequeInPlace: return method<&Machine::deque_in_place>;
  case Op::FreeTensor: return method<&Machine::free_tensor>;
  case Op::FreeEvents: return method<&Machine::free_events>;
  case Op::QueueState: return method<&Machine::queue_state>;
  case Op::UserTag: return method<&Machine::user_tag>;
  case Op::StackBuffer: return method<&Machine::stack_buffer>;
  case Op::ListInit: return method<&Machine::list_init>;
  case Op::ListSize: return method<&Machine::list_size>;
  case Op::ListDim: return method<&Machine::list_dim>;
  case Op::ListShape: return method<&Machine::list_shape>;
  case Op::ListData: return method<&Machine::list_data>;
  case Op::ListTensor: return method<&Machine::list_tensor>;
  case Op::GetBuffer: return method<&Machine::get_buffer>;
  case Op::AllocEvent: return method<&Machine::alloc_event>;
  case Op::FetchEvent: return method<&Machine::fetch_event>;
  case Op::ReleaseEvent: return method<&Machine::release_event>;
  case Op::Allocate: return method<&Machine::allocate>;
  case Op::CurrentAddress: return method<&Machine::current_address>;
  case Op::Matmul: return method<&Machine::matmul>;
  case Op::MatmulIterate: return method<&Machine::matmul_iterate>;
  case Op::Print: return method<&Machine::print>;
  case Op::Assert: return method<&Machine::assertion>;
  case Op::ToFile: return method<&Machine::to_file>;
  case Op::Trap: return method<&Machine::trap>;
  case Op::Statement: return method<&Machine::statement>;
  case Op::NewArray: return method<&Machine::new_array>;
  case Op::FillArray: return method<&Machine::fill_array>;
  case Op::Element: return method<&Machine::element>;
  case Op::SetElement: return method<&Machine::set_element>;
  case Op::Api: return rows()[i.dst]->poll ? Handler(method<&Machine::poll>) : method<&Machine::api>;
  default: throw InternalError("no handler for " + std::string(info(i.op).name));
  }
}

} // namespace asc::sim
