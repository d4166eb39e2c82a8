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

// Of the cube core and of formats. Where upstream's numbers differ from those of Ascend C, these are Ascend C's.
static constexpr Member kBlockModeMembers[] = {{"BLOCK_MODE_NORMAL", 0},
                                               {"BLOCK_MODE_MATRIX", 1},
                                               {"BLOCK_MODE_VECTOR", 2},
                                               {"BLOCK_MODE_SMALL_CHANNEL", 3},
                                               {"BLOCK_MODE_DEPTHWISE", 4}};
static constexpr EnumRow kBlockMode = {"BlockMode", "BlockMode::", kBlockModeMembers,
                                       "What the blocks of a copy out of the cube's accumulator are."};

static constexpr Member kDeqScaleMembers[] = {{"DEQ_NONE", 0}, {"DEQ", 1},   {"VDEQ", 2},  {"DEQ8", 3},
                                              {"VDEQ8", 4},    {"DEQ16", 5}, {"VDEQ16", 6}};
static constexpr EnumRow kDeqScale = {"DeqScale", "DeqScale::", kDeqScaleMembers,
                                      "How a copy out of the cube's accumulator dequantises: with one scale or (V) with one for each "
                                      "channel."};

static constexpr Member kPadModeMembers[] = {{"PAD_NONE", 0},  {"PAD_MODE1", 1}, {"PAD_MODE2", 2}, {"PAD_MODE3", 3}, {"PAD_MODE4", 4},
                                             {"PAD_MODE5", 5}, {"PAD_MODE6", 6}, {"PAD_MODE7", 7}, {"PAD_MODE8", 8}};
static constexpr EnumRow kPadMode = {"pad_t", "pad_t::", kPadModeMembers, "How a copy out of the cube's accumulator pads."};

static constexpr Member kQuantModesMembers[] = {{"NoQuant", 0}, {"F322F16", 1},   {"VREQ8", 8},         {"REQ8", 9},        {"VDEQF16", 10},
                                                {"DEQF16", 11}, {"F322BF16", 16}, {"VQF322B8_PRE", 23}, {"QF322B8_PRE", 24}};
static constexpr EnumRow kQuantModes = {"QuantModes", "QuantMode_t::", kQuantModesMembers,
                                        "How a result of the cube is converted on its way out: F322F16 and F322BF16 round, the others "
                                        "quantise, with one factor or (V) with one for each column."};

static constexpr Member kCO2LayoutMembers[] = {{"NZ", 0}, {"ROW_MAJOR", 1}, {"COLUMN_MAJOR", 2}};
static constexpr EnumRow kCO2Layout = {"CO2Layout", "CO2Layout::", kCO2LayoutMembers, "Order of the elements that fixpipe writes."};

static constexpr Member kAippFormatMembers[] = {{"YUV420SP_U8", 0}, {"XRGB8888_U8", 1}, {"RGB888_U8", 4}, {"YUV400_U8", 9}};
static constexpr EnumRow kAippFormat = {"AippInputFormat", "AippInputFormat::", kAippFormatMembers,
                                        "Format of the image that load_image_to_local reads."};

static constexpr Member kCubeFormatMembers[] = {{"ND", 0},       {"NZ", 1},     {"ZN", 2},     {"ZZ", 3},        {"NN", 4},
                                                {"ND_ALIGN", 5}, {"SCALAR", 6}, {"VECTOR", 7}, {"ROW_MAJOR", 0}, {"COLUMN_MAJOR", 8}};
static constexpr EnumRow kCubeFormat = {"CubeFormat", "CubeFormat::", kCubeFormatMembers, "Format of a matrix of a Matmul."};

static constexpr Member kLayoutModeMembers[] = {{"NONE", 0}, {"BSNGD", 1}, {"SBNGD", 2}, {"BNGS1S2", 3}, {"NORMAL", 4}};
static constexpr EnumRow kLayoutMode = {"LayoutMode", "LayoutMode::", kLayoutModeMembers,
                                        "Order of the dimensions of the matrices of a batched Matmul."};

static constexpr Member kBatchModeMembers[] = {
    {"NONE", 0}, {"BATCH_LESS_THAN_L1", 1}, {"BATCH_LARGE_THAN_L1", 2}, {"SINGLE_LARGE_THAN_L1", 3}};
static constexpr EnumRow kBatchMode = {"BatchMode", "BatchMode::", kBatchModeMembers,
                                       "How the matrices of a batched Matmul compare with the L1 buffer."};

static constexpr Member kBatchOutModeMembers[] = {{"SINGLE_BATCH", 0}, {"MULTI_BATCH", 1}, {"DYNAMIC", 2}};
static constexpr EnumRow kBatchOutMode = {"BatchOutMode", "BatchOutMode::", kBatchOutModeMembers,
                                          "How many matrices a batched Matmul puts out at once."};

static constexpr Member kIterateModeMembers[] = {{"ITERATE_MODE_NORMAL", 1},
                                                 {"ITERATE_MODE_ALL", 2},
                                                 {"ITERATE_MODE_BATCH", 4},
                                                 {"ITERATE_MODE_N_BATCH", 8},
                                                 {"ITERATE_MODE_DEFAULT", 255}};
static constexpr EnumRow kIterateMode = {"IterateMode", "IterateMode::", kIterateModeMembers,
                                         "Which of iterate, iterate_all, iterate_batch and iterate_n_batch a Matmul is made for."};

static constexpr Member kIterateOrderMembers[] = {{"ORDER_M", 0}, {"ORDER_N", 1}, {"UNDEF", 2}};
static constexpr EnumRow kIterateOrder = {"IterateOrder", "IterateOrder::", kIterateOrderMembers,
                                          "Whether the iterations of a Matmul go along M or along N first."};

static constexpr Member kScheduleTypeMembers[] = {{"INNER_PRODUCT", 0}, {"OUTER_PRODUCT", 1}};
static constexpr EnumRow kScheduleType = {"ScheduleType", "ScheduleType::", kScheduleTypeMembers, "Order of the loops of a Matmul."};

static constexpr Member kMatmulConfigModeMembers[] = {
    {"CONFIG_NORM", 0}, {"CONFIG_MDL", 1}, {"CONFIG_SPECIALMDL", 2}, {"CONFIG_IBSHARE", 3}};
static constexpr EnumRow kMatmulConfigMode = {"MatmulConfigMode", "MatmulConfigMode::", kMatmulConfigModeMembers,
                                              "Which of the predefined configurations of a Matmul."};

static constexpr Member kMatmulPolicyMembers[] = {
    {"MatmulPolicy", 0}, {"TrianUpperMatmulPolicy", 1}, {"TrianLowerMatmulPolicy", 2}, {"NBuffer33MatmulPolicy", 3}};
static constexpr EnumRow kMatmulPolicy = {"MatmulPolicy", "", kMatmulPolicyMembers,
                                          "What a Matmul computes: all of the product, or its upper or lower triangle; and with how many "
                                          "buffers."};

static constexpr auto kDataBarrierMembers = [] {
  std::array<Member, kDataBarriers> members{};
  for (unsigned i = 0; i < kDataBarriers; ++i) members[i] = {kDataBarrierNames[i], int64_t(i)};
  return members;
}();
static constexpr EnumRow kDataBarrier = {"MemDsbT", "MemDsbT::", kDataBarrierMembers,
                                         "What data_sync_barrier waits for: all accesses, those to global memory (DDR), those to the "
                                         "unified buffer (UB), or nothing (SEQ, reserved)."};

static constexpr Member kAtomicTypeMembers[] = {{"ATOMIC_NONE", 0}, {"ATOMIC_F32", 1}, {"ATOMIC_F16", 2}, {"ATOMIC_S16", 3},
                                                {"ATOMIC_S32", 4},  {"ATOMIC_S8", 5},  {"ATOMIC_BF16", 6}};
static constexpr EnumRow kAtomicType = {"AtomicDtype", "AtomicDtype::", kAtomicTypeMembers, "Element type of atomic stores."};

static constexpr Member kAtomicOpMembers[] = {{"ATOMIC_SUM", 0}};
static constexpr EnumRow kAtomicOp = {"AtomicOp", "AtomicOp::", kAtomicOpMembers, "How an atomic store combines with what is there."};

static constexpr Member kCacheLineMembers[] = {{"SINGLE_CACHE_LINE", 0}, {"ENTIRE_DATA_CACHE", 1}};
static constexpr EnumRow kCacheLine = {"CacheLine", "CacheLine::", kCacheLineMembers, "How much of the data cache is cleaned."};

static constexpr Member kDcciMembers[] = {{"CACHELINE_ALL", 0}, {"CACHELINE_UB", 1}, {"CACHELINE_ATOMIC", 3}, {"CACHELINE_OUT", 2}};
static constexpr EnumRow kDcci = {"DcciDst", "DcciDst::", kDcciMembers, "Of which memory lines of the data cache are cleaned."};

static constexpr Member kCacheModeMembers[] = {
    {"CACHE_MODE_DISABLE", 0}, {"CACHE_MODE_NORMAL", 1}, {"CACHE_MODE_LAST", 2}, {"CACHE_MODE_PERSISTENT", 4}};
static constexpr EnumRow kCacheMode = {"CacheMode", "CacheMode::", kCacheModeMembers, "How copies of a global tensor use the L2 cache."};

static constexpr Member kCacheRwMembers[] = {{"READ", 1}, {"WRITE", 2}, {"RW", 3}};
static constexpr EnumRow kCacheRw = {"CacheRwMode", "CacheRwMode::", kCacheRwMembers,
                                     "Which copies of a global tensor a CacheMode is for."};

std::span<const EnumRow *const> enums() {
  static constexpr const EnumRow *kAll[] = {&kPosition,         &kPipe,         &kEvent,       &kMaskMode,     &kRound,
                                            &kCompare,          &kSelect,       &kHardware,    &kDataFormat,   &kReduceOrder,
                                            &kGatherMaskMode,   &kTranspose,    &kBlockMode,   &kDeqScale,     &kPadMode,
                                            &kQuantModes,       &kCO2Layout,    &kAippFormat,  &kCubeFormat,   &kLayoutMode,
                                            &kBatchMode,        &kBatchOutMode, &kIterateMode, &kIterateOrder, &kScheduleType,
                                            &kMatmulConfigMode, &kMatmulPolicy, &kDataBarrier, &kAtomicType,   &kAtomicOp,
                                            &kCacheLine,        &kDcci,         &kCacheMode,   &kCacheRw};
  return kAll;
}

const EnumRow *find_enum(std::string_view name) {
  for (const EnumRow *row : enums())
    if (row->name == name) return row;
  return nullptr;
}

} // namespace asc
