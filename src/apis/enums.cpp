// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The enums that API arguments are members of. Those that types.h knows are made from it.
#include "apis/api.h"

namespace asc {

static constexpr auto kPositionMembers = [] {
  std::array<Member, kPositions> members{};
  for (unsigned i = 0; i < kPositions; ++i) members[i] = {kPositionNames[i], int64_t(i)};
  return members;
}();
static constexpr EnumRow kPosition = {"TPosition", "TPosition::", kPositionMembers,
                                      "Logical position of a local tensor: which on-chip memory holds it, and what the tensor is for."};

static constexpr std::array<Member, kPipes> kPipeMembers = {{{"PIPE_S", 0},
                                                             {"PIPE_V", 1},
                                                             {"PIPE_M", 2},
                                                             {"PIPE_MTE1", 3},
                                                             {"PIPE_MTE2", 4},
                                                             {"PIPE_MTE3", 5},
                                                             {"PIPE_ALL", 6},
                                                             {"PIPE_MTE4", 7},
                                                             {"PIPE_MTE5", 8},
                                                             {"PIPE_V2", 9},
                                                             {"PIPE_FIX", 10}}};
static_assert(
    [] {
      for (unsigned i = 0; i < kPipes; ++i)
        if (kPipeMembers[i].value != int64_t(i) || kPipeMembers[i].name.substr(5) != kPipeNames[i]) return false;
      return true;
    }(),
    "PipeID and Pipe agree");
static constexpr EnumRow kPipe = {"PipeID", "", kPipeMembers, "Execution pipe of an AI Core."};

static constexpr auto kEventMembers = [] {
  std::array<Member, kEvents> members{};
  for (unsigned i = 0; i < kEvents; ++i) members[i] = {kEventInfo[i].name, int64_t(i)};
  return members;
}();
static constexpr EnumRow kEvent = {"HardEvent", "HardEvent::", kEventMembers,
                                   "Pair of pipes that a flag orders: the first pipe sets the flag, the second one waits for it."};

static constexpr Member kMaskModeMembers[] = {{"NORMAL", 0}, {"COUNTER", 1}};
static constexpr EnumRow kMaskMode = {"MaskMode", "MaskMode::", kMaskModeMembers,
                                      "How set_vector_mask reads its values: as lanes of a repeat, or as a number of elements."};

static constexpr Member kRoundMembers[] = {{"CAST_NONE", 0},  {"CAST_RINT", 1},  {"CAST_FLOOR", 2}, {"CAST_CEIL", 3},
                                           {"CAST_ROUND", 4}, {"CAST_TRUNC", 5}, {"CAST_ODD", 6}};
static constexpr EnumRow kRound = {"RoundMode", "RoundMode::", kRoundMembers,
                                   "How a conversion rounds: to the nearest number (RINT: of two, the even one; ROUND: the one away from "
                                   "zero), down, up, toward zero, or to the odd one of the two neighbours."};

static constexpr Member kCompareMembers[] = {{"LT", 0}, {"GT", 1}, {"EQ", 2}, {"LE", 3}, {"GE", 4}, {"NE", 5}};
static constexpr EnumRow kCompare = {
    "CMPMODE", "CMPMODE::", kCompareMembers,
    "How two elements compare: less than, greater than, equal, less or equal, greater or equal, not equal."};

static constexpr Member kSelectMembers[] = {{"VSEL_CMPMASK_SPR", 0}, {"VSEL_TENSOR_SCALAR_MODE", 1}, {"VSEL_TENSOR_TENSOR_MODE", 2}};
static constexpr EnumRow kSelect = {
    "SelMode", "SELMODE::", kSelectMembers,
    "Where select takes its bits and its second operand from: bits that all repeats share, or bits of their "
    "own; a tensor, or a number."};

static constexpr Member kHardwareMembers[] = {{"GM", 0},  {"UB", 1},   {"L1", 2},     {"L0A", 3}, {"L0B", 4},
                                              {"L0C", 5}, {"BIAS", 6}, {"FIXBUF", 7}, {"MAX", 8}};
static constexpr EnumRow kHardware = {"Hardware", "Hardware::", kHardwareMembers, "Physical memory, for a LocalMemAllocator."};

static constexpr Member kDataFormatMembers[] = {{"ND", 0}, {"NZ", 1}, {"NCHW", 2}, {"NC1HWC0", 3}, {"NHWC", 4}};
static constexpr EnumRow kDataFormat = {"DataFormat", "DataFormat::", kDataFormatMembers, "Order of the elements of a tensor in memory."};

static constexpr Member kReduceOrderMembers[] = {
    {"ORDER_VALUE_INDEX", 0}, {"ORDER_INDEX_VALUE", 1}, {"ORDER_ONLY_VALUE", 2}, {"ORDER_ONLY_INDEX", 3}};
static constexpr EnumRow kReduceOrder = {
    "ReduceOrder", "ReduceOrder::", kReduceOrderMembers,
    "What whole_reduce_max and whole_reduce_min store: the value, its index, or both in either order."};

static constexpr Member kGatherMaskModeMembers[] = {{"DEFAULT", 0}};
static constexpr EnumRow kGatherMaskMode = {"GatherMaskMode", "GatherMaskMode::", kGatherMaskModeMembers,
                                            "How gather_mask works: there is one way."};

static constexpr Member kTransposeMembers[] = {
    {"TRANSPOSE_TYPE_NONE", 0},           {"TRANSPOSE_NZ2ND_0213", 1},       {"TRANSPOSE_NZ2NZ_0213", 2},
    {"TRANSPOSE_NZ2NZ_012_WITH_N", 3},    {"TRANSPOSE_NZ2ND_012_WITH_N", 4}, {"TRANSPOSE_NZ2ND_012_WITHOUT_N", 5},
    {"TRANSPOSE_NZ2NZ_012_WITHOUT_N", 6}, {"TRANSPOSE_ND2ND_ONLY", 7},       {"TRANSPOSE_ND_UB_GM", 8},
    {"TRANSPOSE_GRAD_ND_UB_GM", 9},       {"TRANSPOSE_ND2ND_B16", 10},       {"TRANSPOSE_NCHW2NHWC", 11},
    {"TRANSPOSE_NHWC2NCHW", 12}};
static constexpr EnumRow kTranspose = {"TransposeType", "TransposeType::", kTransposeMembers,
                                       "What transpose does: ND2ND_B16 is a matrix of 16 x 16 elements, NCHW2NHWC and NHWC2NCHW move the "
                                       "channels to the end and back, TYPE_NONE does nothing. The others are not on these chips."};

static constexpr Member kCubeFormatMembers[] = {{"ND", 0}, {"NZ", 1}};
static constexpr EnumRow kCubeFormat = {"CubeFormat", "CubeFormat::", kCubeFormatMembers,
                                        "Order of the elements of a matrix: ND is row after row, NZ in pieces of 16 rows and 32 bytes."};

static constexpr Member kLayoutMembers[] = {{"NONE", 0}, {"NORMAL", 1}, {"BSNGD", 2}, {"SBNGD", 3}, {"BNGS1S2", 4}};
static constexpr EnumRow kLayout = {"LayoutMode", "LayoutMode::", kLayoutMembers,
                                    "Order of the axes of a batch of matrices; NONE: no batch."};

static constexpr Member kIterateOrderMembers[] = {{"ORDER_M", 0}, {"ORDER_N", 1}, {"UNDEF", 2}};
static constexpr EnumRow kIterateOrder = {"IterateOrder", "IterateOrder::", kIterateOrderMembers,
                                          "Axis along which a Matmul goes through its blocks first; UNDEF: that of its tiling."};

std::span<const EnumRow *const> enums() {
  static constexpr const EnumRow *kAll[] = {&kPosition,       &kPipe,      &kEvent,      &kMaskMode,   &kRound,
                                            &kCompare,        &kSelect,    &kHardware,   &kDataFormat, &kReduceOrder,
                                            &kGatherMaskMode, &kTranspose, &kCubeFormat, &kLayout,     &kIterateOrder};
  return kAll;
}

const EnumRow *find_enum(std::string_view name) {
  for (const EnumRow *row : enums())
    if (row->name == name) return row;
  return nullptr;
}

} // namespace asc
