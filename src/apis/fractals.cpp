// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between matrices in rows and matrices in fractals (06-data-movement sections 8 and 9).
#include "apis/fractals.h"
#include "apis/atomic.h"
#include "apis/rules.h"
#include "apis/vector.h"

#include <algorithm>
#include <cstring>

namespace asc {

static constexpr size_t kPiece = 16;       // elements of a row of a fractal in Nz2NdParamsFull
static constexpr size_t kMatrixUnit = 256; // elements of a fractal

enum Nd2NzPart : uint8_t { NdNum, NValue, DValue, SrcMatrix, SrcRow, DstColumn, DstRow, DstMatrix };
enum Nz2NdPart : uint8_t { SrcMatrixUnits = 3, SrcColumnUnits, DstRowElements, DstMatrixElements }; // behind DValue

static size_t field(const Call &call, unsigned params, uint8_t part) { return size_t(uint16_t(call.value(params, part))); }

static Access &add(Accesses &accesses, const Call &call, uint8_t arg, bool write) {
  Access &access = accesses.add();
  access.arg = arg, access.read = !write, access.write = write, access.address = call.address(arg);
  return access;
}

// ---------------------------------------------------------------- to fractals

ToFractals::ToFractals(const Call &call, unsigned params, size_t element)
    : matrices(field(call, params, NdNum)), rows(field(call, params, NValue)), row_bytes(field(call, params, DValue) * element),
      columns((row_bytes + kBlockBytes - 1) / kBlockBytes), src_matrix(field(call, params, SrcMatrix) * element),
      src_row(field(call, params, SrcRow) * element), dst_matrix(field(call, params, DstMatrix) * element),
      dst_column(field(call, params, DstColumn) * kBlockBytes), dst_row(field(call, params, DstRow) * kBlockBytes) {}

void ToFractals::access(uint8_t dst, uint8_t src, const Call &call, Accesses &accesses) const {
  if (matrices == 0 || rows == 0 || row_bytes == 0) return;
  const bool joined = dst_row == kBlockBytes;
  for (size_t m = 0; m < matrices; ++m) {
    Access &to = add(accesses, call, dst, true);
    to.start = int64_t(m * dst_matrix);
    to.repeats = uint32_t(columns), to.repeat_stride = int64_t(dst_column);
    to.blocks = joined ? 1 : uint32_t(rows), to.block_stride = int64_t(dst_row);
    to.bytes = uint32_t(joined ? rows * kBlockBytes : kBlockBytes);
  }
  Access &from = add(accesses, call, src, false);
  from.repeats = uint32_t(matrices), from.repeat_stride = int64_t(src_matrix);
  from.blocks = uint32_t(rows), from.block_stride = int64_t(src_row);
  from.bytes = uint32_t(row_bytes);
}

void ToFractals::run(std::byte *dst, const std::byte *src) const {
  for (size_t m = 0; m < matrices; ++m)
    for (size_t n = 0; n < rows; ++n)
      for (size_t c = 0; c < columns; ++c) {
        const std::byte *from = src + m * src_matrix + n * src_row + c * kBlockBytes;
        std::byte *to = dst + m * dst_matrix + c * dst_column + n * dst_row;
        const size_t bytes = std::min<size_t>(kBlockBytes, row_bytes - c * kBlockBytes);
        std::memcpy(to, from, bytes);
        std::memset(to + bytes, 0, kBlockBytes - bytes);
      }
}

std::optional<Violation> check_to_fractals(const Call &call, unsigned params, size_t element) {
  if (element == sizeof(uint64_t))
    return Violation{params, "elements of 64 bits", "elements of 8, 16 or 32 bits", "copy them as twice as many elements of 32 bits"};
  const auto known = [&](uint8_t part) { return call.known(params, part); };
  const size_t matrices = field(call, params, NdNum), stride = field(call, params, DstMatrix) * element;
  if (known(NdNum) && known(DstMatrix) && matrices > 1 && stride % kBlockBytes != 0)
    return Violation{params, quote("intri_params.dst_nz_matrix_stride", std::to_string(stride / element)),
                     "a multiple of " + std::to_string(kBlockBytes / element) + " (32 bytes)",
                     "let every matrix start at a block of 32 bytes"};
  return std::nullopt;
}

std::optional<Violation> check_library_of_fractals(const Call &call, unsigned params, size_t element) {
  for (unsigned part = NdNum; part <= DstMatrix; ++part)
    if (!call.known(params, part)) return std::nullopt;
  const auto value = [&](uint8_t part) { return field(call, params, part); };
  const auto differs = [&](std::string what, std::string library, std::string help) {
    return Violation{params, std::move(what), std::move(library), std::move(help)};
  };
  if (value(NdNum) == 0 || value(NValue) == 0 || value(DValue) == 0) return std::nullopt;
  if (value(SrcMatrix) != 0 || value(DstMatrix) != 0)
    return differs("matrices with strides, which the library of vector cores adds once to all of them", "strides of 0",
                   "copy one matrix at a time, with both matrix strides 0");
  if (value(DstRow) != 1)
    return differs(quote("intri_params.dst_nz_n_stride", std::to_string(value(DstRow))) + ", which the library of vector cores takes for " +
                       std::to_string(value(DstRow) < 64 ? 1 : (value(DstRow) - 32) / 32 + 1),
                   "1", "let the rows of a column of fractals follow each other");
  if (element == sizeof(float))
    return differs("elements of 32 bits, of which the library of vector cores takes 16 for a row of a fractal", "elements of 8 or 16 bits",
                   "copy the blocks with DataCopyParams, a column of fractals at a time");
  if (value(DValue) * element % kBlockBytes != 0)
    return differs(quote("intri_params.d_value", std::to_string(value(DValue))) +
                       ", and the library of vector cores fills its last row of " + "32 bytes as data_copy_pad does, not with 0",
                   "a multiple of " + std::to_string(kBlockBytes / element), "do not rely on the elements behind the last column");
  if (value(NValue) > 255 && value(SrcRow) != value(DValue))
    return differs(quote("intri_params.n_value", std::to_string(value(NValue))) +
                       ", and from row 255 on the library of vector cores takes " + "rows of d_value elements for rows of src_d_value",
                   "at most 255 rows, or src_d_value as d_value", "copy at most 255 rows at a time");
  return std::nullopt;
}

// ---------------------------------------------------------------- from fractals

FromFractals::FromFractals(const Call &call, unsigned params, size_t element)
    : matrices(field(call, params, NdNum)), rows(field(call, params, NValue)), columns(field(call, params, DValue) / kPiece),
      piece(kPiece * element), src_matrix(field(call, params, SrcMatrixUnits) * kMatrixUnit * element),
      src_column(field(call, params, SrcColumnUnits) * piece), dst_matrix(field(call, params, DstMatrixElements) * element),
      dst_row(field(call, params, DstRowElements) * element) {}

void FromFractals::access(uint8_t dst, uint8_t src, const Call &call, Accesses &accesses) const {
  if (matrices == 0 || rows == 0 || columns == 0) return;
  Access &to = add(accesses, call, dst, true);
  to.repeats = uint32_t(matrices), to.repeat_stride = int64_t(dst_matrix);
  to.blocks = uint32_t(rows), to.block_stride = int64_t(dst_row);
  to.bytes = uint32_t(columns * piece);
  Access &from = add(accesses, call, src, false);
  from.repeats = uint32_t(matrices), from.repeat_stride = int64_t(src_matrix);
  from.blocks = uint32_t(columns), from.block_stride = int64_t(src_column);
  from.bytes = uint32_t(rows * piece);
}

void FromFractals::run(std::byte *dst, const std::byte *src, const CoreState &core) const {
  for (size_t m = 0; m < matrices; ++m)
    for (size_t n = 0; n < rows; ++n)
      store_blocks(dst + m * dst_matrix + n * dst_row, src + m * src_matrix + n * piece, {columns, piece, src_column, piece}, core);
}

std::optional<Violation> check_from_fractals(const Call &call, unsigned params, size_t element) {
  if (element != 2 && element != 4)
    return Violation{params, "elements of " + std::to_string(8 * element) + " bits", "elements of 16 or 32 bits",
                     "convert them first, or copy the rows with DataCopyParams"};
  const auto known = [&](uint8_t part) { return call.known(params, part); };
  if (known(DValue) && field(call, params, DValue) % kPiece != 0)
    return Violation{params, quote("intri_params.d_value", std::to_string(field(call, params, DValue))), "a multiple of 16",
                     "copy whole fractals, or the rest with data_copy_pad"};
  if (!known(NdNum) || !known(NValue) || !known(SrcMatrixUnits) || field(call, params, NdNum) < 2) return std::nullopt;
  const size_t stride = field(call, params, SrcMatrixUnits) * kMatrixUnit, unit = field(call, params, NValue) * element;
  if (unit == 0 || stride % unit == 0) return std::nullopt;
  return Violation{
      params,
      quote("intri_params.src_nd_matrix_stride", std::to_string(stride / kMatrixUnit) + " (" + std::to_string(stride) + " elements)"),
      "elements that are a multiple of n_value times the bytes of an element, " + std::to_string(unit), "copy one matrix at a time"};
}

} // namespace asc
