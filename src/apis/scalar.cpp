// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apis/scalar.h"

#include <array>
#include <utility>

namespace asc {
namespace {

using Function = ScalarResult (*)(uint64_t a, uint64_t b);

template <ScalarOp O, DType D> ScalarResult on_registers(uint64_t a, uint64_t b) {
  const Compute<D> x = load_scalar<D>(a), y = load_scalar<D>(b);
  if constexpr (is_comparison(O)) {
    return {compare<O>(x, y)};
  } else {
    const Computed<Compute<D>> r = compute<O, D>(x, y);
    return {store_scalar<D>(r.value), r.fault};
  }
}

template <ScalarOp O, size_t... D> constexpr std::array<Function, kDTypes> functions_of(std::index_sequence<D...>) {
  return {[]() -> Function {
    if constexpr (has_operation(O, DType(D)))
      return &on_registers<O, DType(D)>;
    else
      return nullptr;
  }()...};
}
constexpr unsigned kOperations = unsigned(ScalarOp::Ge) + 1;
template <size_t... O> constexpr std::array<std::array<Function, kDTypes>, kOperations> all_functions(std::index_sequence<O...>) {
  return {functions_of<ScalarOp(O)>(std::make_index_sequence<kDTypes>())...};
}
constexpr auto kFunctions = all_functions(std::make_index_sequence<kOperations>());

} // namespace

std::optional<ScalarResult> compute_scalar(ScalarOp op, DType type, uint64_t a, uint64_t b) {
  const Function function = kFunctions[unsigned(op)][unsigned(type)];
  return function ? std::optional(function(a, b)) : std::nullopt;
}

} // namespace asc
