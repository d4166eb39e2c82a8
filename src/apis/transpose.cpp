// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpositions: matrices of 16 x 16 elements, the order of channels, and blocks that lie anywhere.
#include "apis/families.h"
#include "apis/precision.h"
#include "apis/row_checks.h"
#include "apis/rules.h"
#include "apis/vector.h"

#include <algorithm>
#include <cstring>

namespace asc {
namespace {

Access &add(Accesses &accesses, const Call &call, uint8_t arg, uint64_t bytes) {
  Access &access = accesses.add();
  access.arg = arg, access.address = call.address(arg);
  access.read = call.row->args[arg].role == Role::In, access.write = !access.read;
  access.bytes = uint32_t(bytes);
  return access;
}

// ---------------------------------------------------------------- transpose

constexpr DTypes k16Bits = DType::Int16 | DType::UInt16 | DTypes(DType::Float16);
constexpr DTypes kUpTo32Bits = k16Bits | DType::Int8 | DType::UInt8 | DType::Int32 | DType::UInt32 | DTypes(DType::Float32);

constexpr Arg kArgs[] = {
    {.name = "dst_matrix", .kind = ArgKind::Local, .role = Role::Out, .dtypes = k16Bits, .doc = "destination", .python = "dst"},
    {.name = "src_matrix", .kind = ArgKind::Local, .dtypes = k16Bits, .doc = "source: 16 rows of 16 elements", .python = "src"},
    {.name = "dst", .kind = ArgKind::Local, .role = Role::Out, .dtypes = kUpTo32Bits, .doc = "destination"},
    {.name = "src", .kind = ArgKind::Local, .dtypes = kUpTo32Bits, .doc = "source"},
    {.name = "shared_tmp_buffer",
     .kind = ArgKind::Local,
     .role = Role::Out,
     .dtypes = DType::UInt8,
     .doc = "memory for intermediate results, with h0 = 32 for elements of 8 bits, else 16, and w0 = the elements of a block of 32 bytes: "
            "(c + 2) * h0 * w0 elements for NCHW2NHWC, (2 * c + 1) * h0 * w0 for NHWC2NCHW, none for ND2ND_B16"},
    {.name = "params", .kind = ArgKind::Struct, .type = "TransposeParamsExt", .doc = "sizes, and what is done"},
};
constexpr uint8_t kDstMatrix = index_of(kArgs, "dst_matrix"), kSrcMatrix = index_of(kArgs, "src_matrix"), kDst = index_of(kArgs, "dst"),
                  kSrc = index_of(kArgs, "src"), kTmp = index_of(kArgs, "shared_tmp_buffer"), kParams = index_of(kArgs, "params");

constexpr Form kForms[] = {
    {"Transpose($dst_matrix, $src_matrix)"},
    {"Transpose($dst, $src, $shared_tmp_buffer, $params)"},
};

constexpr uint32_t kSide = 16; // of a square matrix

/// TransposeType.
enum : int64_t { kNone = 0, kSquare = 10, kChannelsLast = 11, kChannelsFirst = 12 };

/// The values of a call.
struct Plan {
  int64_t type = kSquare;
  uint32_t n = 1, c = 0, plane = 0; // h * w
  uint32_t element = 0;
  uint64_t bytes = 0, tmp = 0;
};

uint8_t dst_of(const Call &call) { return call.has(kParams) ? kDst : kDstMatrix; }
uint8_t src_of(const Call &call) { return call.has(kParams) ? kSrc : kSrcMatrix; }
constexpr uint64_t kOutside = 2 * info(Memory::UB).bytes; // more reach no further outside

Plan plan_of(const Call &call) {
  Plan plan;
  plan.element = size_of(call.dtype(dst_of(call)));
  if (call.has(kParams)) {
    const auto field = [&](unsigned part) { return uint32_t(uint16_t(call.value(kParams, part))); };
    plan.type = call.value(kParams, 4);
    plan.n = field(0), plan.c = field(1), plan.plane = field(2) * field(3);
  }
  if (plan.type == kSquare) {
    plan.bytes = kSide * kSide * plan.element;
  } else if (plan.type == kChannelsLast || plan.type == kChannelsFirst) {
    plan.bytes = std::min(uint64_t(plan.n) * plan.c, kOutside) * std::min<uint64_t>(plan.plane, kOutside) * plan.element;
    const uint64_t tile = (plan.element == 1 ? 32 : 16) * kBlockBytes;
    if (plan.bytes) plan.tmp = (plan.type == kChannelsLast ? plan.c + 2 : 2 * plan.c + 1) * tile;
  }
  return plan;
}

void access(const Call &call, const CoreState &, Accesses &accesses) {
  const Plan plan = plan_of(call);
  if (plan.bytes == 0) return;
  add(accesses, call, dst_of(call), std::min(plan.bytes, kOutside));
  add(accesses, call, src_of(call), std::min(plan.bytes, kOutside));
  if (plan.tmp) add(accesses, call, kTmp, std::min(plan.tmp, kOutside)).garbage = true;
}

/// dst[j][i] = src[i][j] for i < rows, j < columns, and the same of what follows, `n` times.
template <class T> void transpose_all(std::byte *dst, const std::byte *src, size_t n, size_t rows, size_t columns) {
  for (size_t m = 0; m < n; ++m, dst += rows * columns * sizeof(T), src += rows * columns * sizeof(T))
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < columns; ++j) std::memcpy(dst + (j * rows + i) * sizeof(T), src + (i * columns + j) * sizeof(T), sizeof(T));
}

void transpose(Exec &e) {
  const Plan plan = plan_of(e.call);
  if (plan.bytes == 0) return;
  std::byte *dst = e.data[dst_of(e.call)];
  const std::byte *src = e.data[src_of(e.call)];
  std::byte copy[kSide * kSide * sizeof(uint32_t)];
  size_t rows = plan.c, columns = plan.plane;
  if (plan.type == kSquare)
    src = static_cast<std::byte *>(std::memcpy(copy, src, plan.bytes)), rows = columns = kSide; // in place, too
  else if (plan.type == kChannelsFirst)
    std::swap(rows, columns);
  const auto run = plan.element == 1 ? transpose_all<uint8_t> : plan.element == 2 ? transpose_all<uint16_t> : transpose_all<uint32_t>;
  run(dst, src, plan.type == kSquare ? 1 : plan.n, rows, columns);
}

std::optional<Violation> check_plan(const Call &call, const CoreState *) {
  if (!call.has(kParams) || !call.known(kParams, 4)) return std::nullopt;
  const Plan plan = plan_of(call);
  if (plan.type <= kNone || plan.type > kChannelsFirst) return std::nullopt;
  if (plan.type == kSquare && call.dtype(kDst) != DType::UInt16)
    return Violation{kDst, quote("dst", name(call.dtype(kDst))), "uint16 for ND2ND_B16",
                     "call transpose(dst, src), or see the same bytes as uint16: reinterpret_cast(asc.uint16)"};
  if (plan.type != kSquare && plan.type != kChannelsLast && plan.type != kChannelsFirst)
    return Violation{kParams, "params.transpose_type is " + std::string(find_enum("TransposeType")->members[size_t(plan.type)].name),
                     "ND2ND_B16, NCHW2NHWC or NHWC2NCHW", "the other kinds are not available on this chip"};
  if (!call.known(kParams, 2) || !call.known(kParams, 3)) return std::nullopt;
  const int64_t h = call.value(kParams, 2), w = call.value(kParams, 3);
  const std::string sizes = "params has h_size " + std::to_string(h) + " and w_size " + std::to_string(w);
  if (plan.type == kSquare && (h != kSide || w != kSide))
    return Violation{kParams, sizes, "16 and 16 for ND2ND_B16", "pass h_size=16, w_size=16, or call transpose(dst, src)"};
  if (plan.type == kSquare) return std::nullopt;
  if (h * w > 4095) return Violation{kParams, sizes + ", " + std::to_string(h * w) + " elements", "at most 4095", "split the planes"};
  if (h * w * plan.element % kBlockBytes)
    return Violation{kParams, sizes + ", " + std::to_string(h * w * plan.element) + " bytes", "planes of a multiple of 32 bytes",
                     "fill up the planes to whole blocks"};
  return std::nullopt;
}
constexpr Rule transpose_plan = {
    "R170", "kind and sizes of a transposition",
    "TRANSPOSE_ND2ND_B16 is for a matrix of 16 x 16 elements of uint16, with h_size and w_size 16. Orders of channels "
    "have planes (h_size * w_size) of at most 4095 elements and a multiple of 32 bytes. Other kinds are not on these chips. Source: Ascend "
    "C, Transpose.",
    check_plan};

constexpr const Rule *kRules[] = {&argument_dtype, &equal_dtypes,   &in_unified_buffer,  &aligned_start,
                                  &value_range,    &transpose_plan, &no_partial_overlap, &inside_tensor};

bool is_square(const Call &call) { return !call.has(kParams) || (call.known(kParams, 4) && plan_of(call).type == kSquare); }

// ---------------------------------------------------------------- trans_data_to_5hd

constexpr unsigned kBlocks = kListLength; // of a repeat, on either side

constexpr std::string_view kDstNames[kBlocks] = {
    "dst_list[0]", "dst_list[1]", "dst_list[2]",  "dst_list[3]",  "dst_list[4]",  "dst_list[5]",  "dst_list[6]",  "dst_list[7]",
    "dst_list[8]", "dst_list[9]", "dst_list[10]", "dst_list[11]", "dst_list[12]", "dst_list[13]", "dst_list[14]", "dst_list[15]"};
constexpr std::string_view kSrcNames[kBlocks] = {
    "src_list[0]", "src_list[1]", "src_list[2]",  "src_list[3]",  "src_list[4]",  "src_list[5]",  "src_list[6]",  "src_list[7]",
    "src_list[8]", "src_list[9]", "src_list[10]", "src_list[11]", "src_list[12]", "src_list[13]", "src_list[14]", "src_list[15]"};

constexpr auto kBlockArgs = [] {
  std::array<Arg, 2 * kBlocks + 6> args{};
  for (unsigned i = 0; i < kBlocks; ++i) {
    args[i] = {.name = kDstNames[i],
               .kind = ArgKind::Local,
               .role = Role::Out,
               .dtypes = kUpTo32Bits,
               .doc = "16 tensors whose first blocks (32 bytes) are written",
               .alias = "dst_or_list",
               .list = "dst_list"};
    args[kBlocks + i] = {.name = kSrcNames[i],
                         .kind = ArgKind::Local,
                         .dtypes = kUpTo32Bits,
                         .doc = "16 tensors whose first blocks are read",
                         .alias = "src_or_list",
                         .list = "src_list"};
  }
  Arg *rest = &args[2 * kBlocks];
  rest[0] = {.name = "dst_addresses",
             .kind = ArgKind::List,
             .dtypes = DType::UInt64,
             .doc = "addresses of the 16 blocks that are written, as get_phy_addr gives them: multiples of 32",
             .python = "dst_list",
             .alias = "dst_or_list",
             .moves = true,
             .length = kListLength};
  rest[1] = {.name = "src_addresses",
             .kind = ArgKind::List,
             .dtypes = DType::UInt64,
             .doc = "addresses of the 16 blocks that are read",
             .python = "src_list",
             .alias = "src_or_list",
             .moves = true,
             .length = kListLength};
  rest[2] = {.name = "dst",
             .kind = ArgKind::Local,
             .dtypes = DType::UInt64,
             .doc = "16 addresses of blocks that are written",
             .alias = "dst_or_list"};
  rest[3] = {.name = "src",
             .kind = ArgKind::Local,
             .dtypes = DType::UInt64,
             .doc = "16 addresses of blocks that are read",
             .alias = "src_or_list"};
  rest[4] = {.name = "params", .kind = ArgKind::Struct, .type = "TransDataTo5HDParams", .doc = "repeats, and halves of blocks"};
  rest[5] = {.name = "dtype",
             .kind = ArgKind::Type,
             .dtypes = kUpTo32Bits,
             .default_value = int64_t(DType::Float16),
             .doc = "element type of the blocks; only its size matters"};
  return args;
}();
constexpr uint8_t kDstAddresses = index_of(kBlockArgs, "dst_addresses"), kSrcAddresses = index_of(kBlockArgs, "src_addresses"),
                  kDstTensor = index_of(kBlockArgs, "dst"), kSrcTensor = index_of(kBlockArgs, "src"),
                  kRepeats = index_of(kBlockArgs, "params"), kType = index_of(kBlockArgs, "dtype");

constexpr Form kBlockForms[] = {
    {"TransDataTo5HD<$T>($dst_list, $src_list, $params)"},
    {.call = "TransDataTo5HD<$dtype>($dst_addresses, $src_addresses, $params)", .by_address = true},
    {.call = "TransDataTo5HD<$dtype>($dst, $src, $params)", .by_address = true},
};

/// How the blocks of a call are walked: the same for all 16 of a side.
struct BlockPlan {
  uint32_t element;
  uint32_t repeats;
  int64_t dst_half, src_half, dst_start, src_start, dst_stride, src_stride; // bytes
};
BlockPlan block_plan(const Call &call) {
  BlockPlan plan;
  plan.element = size_of(call.has(0) ? call.dtype(0) : DType(call.value(kType)));
  plan.dst_half = plan.element == 1 && call.value(kRepeats, 0) ? kBlockBytes / 2 : 0;
  plan.src_half = plan.element == 1 && call.value(kRepeats, 1) ? kBlockBytes / 2 : 0;
  plan.repeats = uint8_t(call.value(kRepeats, 2));
  plan.dst_stride = int64_t(uint16_t(call.value(kRepeats, 3))) * kBlockBytes;
  plan.src_stride = int64_t(uint16_t(call.value(kRepeats, 4))) * kBlockBytes;
  const bool once = plan.repeats == 1; // the strides count even then (assumption "trans_data_to_5hd")
  plan.dst_start = plan.dst_half + (once ? plan.dst_stride : 0);
  plan.src_start = plan.src_half + (once ? plan.src_stride : 0);
  return plan;
}

void add_block(Accesses &accesses, const BlockPlan &plan, uint8_t arg, Address address, bool write) {
  Access &access = accesses.add();
  access.arg = arg, access.address = address;
  access.read = !write, access.write = write;
  access.element = uint8_t(plan.element);
  access.bytes = plan.element == 1 ? kBlockBytes / 2 : kBlockBytes;
  access.repeats = plan.repeats;
  access.start = write ? plan.dst_start : plan.src_start;
  access.repeat_stride = write ? plan.dst_stride : plan.src_stride;
}

/// A number that stands for a place in UB; one that is far outside stays outside.
Address place_of(uint64_t address) { return Address(Memory::UB, 0, int64_t(std::min<uint64_t>(address, uint64_t(1) << 32))); }

void block_access(const Call &call, const CoreState &, Accesses &accesses) {
  const BlockPlan plan = block_plan(call);
  if (plan.repeats == 0) return;
  for (const bool write : {true, false}) {
    const uint8_t tensor = write ? kDstTensor : kSrcTensor, words = write ? kDstAddresses : kSrcAddresses;
    const std::byte *addresses = nullptr;
    if (call.has(tensor)) {
      add(accesses, call, tensor, kBlocks * sizeof(uint64_t));
      addresses = accesses.bytes_at(call.address(tensor), kBlocks * sizeof(uint64_t));
      if (!addresses) { // it may be anywhere
        Access &all = accesses.add();
        all.arg = Access::kByAddress, all.address = Address(Memory::UB, 0, 0);
        all.read = !write, all.write = write;
        all.bytes = info(Memory::UB).bytes;
        continue;
      }
    }
    for (unsigned i = 0; i < kBlocks; ++i) {
      if (const unsigned arg = write ? i : kBlocks + i; call.has(arg)) {
        add_block(accesses, plan, uint8_t(arg), call.address(arg), write);
      } else if (call.has(words)) {
        add_block(accesses, plan, Access::kByAddress, place_of(call.at(words, i).bits), write);
      } else {
        uint64_t address;
        std::memcpy(&address, addresses + i * sizeof(address), sizeof(address));
        add_block(accesses, plan, Access::kByAddress, place_of(address), write);
      }
    }
  }
}

/// One repeat: everything is read before anything is written.
template <class T> void transpose_blocks(std::byte *const *dst, const std::byte *const *src) {
  constexpr unsigned columns = sizeof(T) == 4 ? 8 : 16;
  T elements[kBlocks][columns];
  for (unsigned i = 0; i < kBlocks; ++i) std::memcpy(elements[i], src[i], sizeof(elements[i]));
  for (unsigned j = 0; j < columns; ++j)
    for (unsigned i = 0; i < kBlocks; ++i) {
      // Elements of 32 bits: column j fills two blocks, of eight elements each.
      const unsigned block = sizeof(T) == 4 ? 2 * j + i / 8 : j, place = sizeof(T) == 4 ? i % 8 : i;
      std::memcpy(dst[block] + place * sizeof(T), &elements[i][j], sizeof(T));
    }
}

void trans_data_to_5hd(Exec &e) {
  const BlockPlan plan = block_plan(e.call);
  if (plan.repeats == 0) return;
  std::byte *dst[kBlocks], *src[kBlocks];
  unsigned written = 0, read = 0;
  for (const Access &access : e.accesses) {
    if (access.arg == kDstTensor || access.arg == kSrcTensor) continue;
    std::byte *block = (access.of_tensor() ? e.data[access.arg] : e.unified_buffer + access.address.offset()) + access.start;
    (access.write ? dst[written++] : src[read++]) = block;
  }
  const auto run = plan.element == 1   ? transpose_blocks<uint8_t>
                   : plan.element == 2 ? transpose_blocks<uint16_t>
                                       : transpose_blocks<uint32_t>;
  for (uint32_t r = 0; r < plan.repeats; ++r) {
    run(dst, src);
    for (unsigned i = 0; i < kBlocks; ++i) dst[i] += plan.dst_stride, src[i] += plan.src_stride;
  }
}

std::optional<Violation> check_addresses(const Call &call, const CoreState *) {
  for (const uint8_t arg : {kDstAddresses, kSrcAddresses})
    for (unsigned i = 0; call.has(arg) && i < kBlocks; ++i) {
      if (!call.known(arg, i)) continue;
      const uint64_t address = call.at(arg, i).bits;
      if (address % kBlockBytes == 0 && address < info(Memory::UB).bytes) continue;
      return Violation{arg, std::string(kBlockArgs[arg].keyword()) + "[" + std::to_string(i) + "] is " + std::to_string(address),
                       "a multiple of 32 below " + std::to_string(info(Memory::UB).bytes),
                       "pass addresses of blocks: tensor.get_phy_addr(offset)"};
    }
  return std::nullopt;
}
constexpr Rule block_addresses = {
    "R171", "addresses of blocks",
    "trans_data_to_5hd takes addresses of blocks of the unified buffer, which start at multiples of 32 bytes. "
    "Source: Ascend C, TransDataTo5HD.",
    check_addresses};

std::optional<Violation> check_single_repeat(const Call &call, const CoreState *) {
  if (!call.known(kRepeats, 2) || call.value(kRepeats, 2) != 1) return std::nullopt;
  for (const unsigned part : {3u, 4u})
    if (call.known(kRepeats, part) && call.value(kRepeats, part) != 0)
      return Violation{kRepeats,
                       "params." + std::string(find_struct("TransDataTo5HDParams")->fields[part].name) + " is " +
                           std::to_string(call.value(kRepeats, part)) + " with one repeat",
                       "0: the blocks are moved by the stride even then", "leave out the strides of a single repeat"};
  return std::nullopt;
}
constexpr Rule single_repeat = {
    "R172",
    "strides of a single repeat",
    "With one repeat trans_data_to_5hd moves all its blocks by the repeat strides once, as documented. The simulator does so, and warns: "
    "they are to be 0 then. Source: Ascend C, TransDataTo5HD.",
    check_single_repeat,
    /*is_static=*/false,
    /*is_warning=*/true};

constexpr const Rule *kBlockRules[] = {&argument_dtype, &equal_dtypes,    &in_unified_buffer,  &aligned_start, &value_range,
                                       &single_repeat,  &block_addresses, &no_partial_overlap, &inside_tensor};

constexpr Row kRows[] = {
    {.name = "transpose",
     .ascendc = "Transpose",
     .pipe = Pipe::V,
     .args = kArgs,
     .forms = kForms,
     .rules = kRules,
     .cost = {CostShape::Vector, "transpose"},
     .access = access,
     .run = transpose,
     .in_place = is_square,
     .precision = &precision::exact,
     .doc = "Transposes a matrix of 16 x 16 elements of 16 bits, dst[j][i] = src[i][j], which may be done in place; or moves channels: "
            "dst[n][h][w][c] = src[n][c][h][w] (NCHW2NHWC) and back. Masks have no influence.",
     .source = "Ascend C, Transpose"},
    {.name = "trans_data_to_5hd",
     .ascendc = "TransDataTo5HD",
     .pipe = Pipe::V,
     .args = kBlockArgs,
     .forms = kBlockForms,
     .rules = kBlockRules,
     .cost = {CostShape::Vector, "transpose"},
     .access = block_access,
     .run = trans_data_to_5hd,
     .precision = &precision::exact,
     .doc =
         "Transposes 16 blocks of 32 bytes that lie anywhere. 16 bits: element i of dst_list[j] = element j of src_list[i]. 32 bits: for "
         "the eight columns j, dst_list[2 * j] and dst_list[2 * j + 1] get elements j of the blocks 0 to 7 and 8 to 15. 8 bits: as 16 "
         "bits, in halves of blocks. Repeat r moves all blocks by r strides. Masks have no influence.",
     .source = "Ascend C, TransDataTo5HD"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> transpose_rows() { return kRows; }

} // namespace asc
