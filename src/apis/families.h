// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of API rows: one function per family file. The order is the order of the opcodes.
#pragma once

#include "apis/api.h"

namespace asc {

std::span<const Row> vector_binary_rows();
std::span<const Row> vector_scalar_rows();
std::span<const Row> vector_unary_rows();
std::span<const Row> vector_mixed_rows();
std::span<const Row> cast_rows();
std::span<const Row> compare_select_rows();
std::span<const Row> dequantise_rows();
std::span<const Row> bilinear_interpolation_rows();
std::span<const Row> repeat_reduce_rows();
std::span<const Row> tensor_reduce_rows();
std::span<const Row> sort_rows();
std::span<const Row> gather_mask_rows();
std::span<const Row> duplicate_rows();
std::span<const Row> vector_gather_rows();
std::span<const Row> brcb_rows();
std::span<const Row> vector_copy_rows();
std::span<const Row> transpose_rows();
std::span<const Row> data_copy_rows();
std::span<const Row> data_copy_pad_rows();
std::span<const Row> mask_rows();
std::span<const Row> system_rows();
std::span<const Row> sync_rows();
std::span<const Row> scalar_function_rows();
std::span<const Row> dump_rows();
std::span<const Row> block_sync_rows();
std::span<const Row> atomic_rows();
std::span<const Row> cache_rows();
std::span<const Row> watch_window_rows();
std::span<const Row> ctrl_rows();

inline constexpr std::span<const Row> (*kFamilies[])() = {
    vector_binary_rows,
    vector_scalar_rows,
    vector_unary_rows,
    vector_mixed_rows,
    cast_rows,
    compare_select_rows,
    dequantise_rows,
    bilinear_interpolation_rows,
    repeat_reduce_rows,
    tensor_reduce_rows,
    sort_rows,
    gather_mask_rows,
    duplicate_rows,
    data_copy_rows,
    data_copy_pad_rows,
    mask_rows,
    system_rows,
    sync_rows,
    scalar_function_rows,
    dump_rows,
    block_sync_rows,
    vector_gather_rows,
    brcb_rows,
    vector_copy_rows,
    transpose_rows,
    atomic_rows,
    cache_rows,
    watch_window_rows,
    ctrl_rows,
};

} // namespace asc
