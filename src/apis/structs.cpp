// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameter structures of API calls, with their fields in constructor order.
#include "apis/api.h"

namespace asc {

static constexpr Field kBinaryRepeatFields[] = {
    {"dst_blk_stride", "dstBlkStride", DType::UInt8, 1, 255, "blocks (32 bytes) from one block of dst to the next within a repeat"},
    {"src0_blk_stride", "src0BlkStride", DType::UInt8, 1, 255,
     "blocks from one block of src0 to the next within a repeat; 0 reads one block eight times"},
    {"src1_blk_stride", "src1BlkStride", DType::UInt8, 1, 255,
     "blocks from one block of src1 to the next within a repeat; 0 reads one block eight times"},
    {"dst_rep_stride", "dstRepStride", DType::UInt8, 8, 255, "blocks from one repeat of dst to the next"},
    {"src0_rep_stride", "src0RepStride", DType::UInt8, 8, 255,
     "blocks from one repeat of src0 to the next; 0 reads the same data in every repeat"},
    {"src1_rep_stride", "src1RepStride", DType::UInt8, 8, 255,
     "blocks from one repeat of src1 to the next; 0 reads the same data in every repeat"},
};
static constexpr StructRow kBinaryRepeat = {
    "BinaryRepeatParams", kBinaryRepeatFields,
    "Strides of a vector instruction with two sources, in blocks of 32 bytes; the defaults are contiguous."};

static constexpr Field kUnaryRepeatFields[] = {
    {"dst_blk_stride", "dstBlkStride", DType::UInt16, 1, 255, "blocks (32 bytes) from one block of dst to the next within a repeat"},
    {"src_blk_stride", "srcBlkStride", DType::UInt16, 1, 255,
     "blocks from one block of src to the next within a repeat; 0 reads one block eight times"},
    {"dst_rep_stride", "dstRepStride", DType::UInt8, 8, 255, "blocks from one repeat of dst to the next"},
    {"src_rep_stride", "srcRepStride", DType::UInt8, 8, 255,
     "blocks from one repeat of src to the next; 0 reads the same data in every repeat"},
};
static constexpr StructRow kUnaryRepeat = {
    "UnaryRepeatParams", kUnaryRepeatFields,
    "Strides of a vector instruction with one source, in blocks of 32 bytes; the defaults are contiguous."};

static constexpr Field kBlockRepeatFields[] = {
    {"dst_blk_stride", "dstBlkStride", DType::UInt16, 1, 255, "blocks (32 bytes) from one block of dst to the next within a repeat"},
    {"dst_rep_stride", "dstRepStride", DType::UInt16, 8, 255, "blocks from one repeat of dst to the next"},
};
static constexpr StructRow kBrcbRepeat = {"BrcbRepeatParams", kBlockRepeatFields,
                                          "Strides of the destination of brcb, in blocks of 32 bytes; the defaults are contiguous."};
static constexpr StructRow kGatherRepeat = {
    "GatherRepeatParams", kBlockRepeatFields,
    "Strides of the destination of gatherb, in blocks of 32 bytes; the defaults are contiguous. A block stride of 0 is one of 1."};

static constexpr Field kCopyRepeatFields[] = {
    {"dst_stride", "dstStride", DType::UInt16, 0, 65535, "blocks (32 bytes) from one block of dst to the next within a repeat; 1 is dense"},
    {"src_stride", "srcStride", DType::UInt16, 0, 65535,
     "blocks from one block of src to the next within a repeat; 0 reads one block eight times"},
    {"dst_repeat_size", "dstRepeatSize", DType::UInt16, 0, 4095, "blocks from one repeat of dst to the next; 8 is dense"},
    {"src_repeat_size", "srcRepeatSize", DType::UInt16, 0, 4095,
     "blocks from one repeat of src to the next; 0 reads the same data in every repeat"},
};
static constexpr StructRow kCopyRepeat = {
    "CopyRepeatParams", kCopyRepeatFields,
    "Strides of copy, in blocks of 32 bytes. The defaults are 0, not those of a dense copy: 1, 1, 8, 8."};

static constexpr Field kTo5HdFields[] = {
    {"dst_high_half", "dstHighHalf", DType::Bool, 0, 1,
     "elements of 8 bits: write the upper 16 bytes of the blocks of dst, else the lower"},
    {"src_high_half", "srcHighHalf", DType::Bool, 0, 1, "elements of 8 bits: read the upper 16 bytes of the blocks of src, else the lower"},
    {"repeat_times", "repeatTimes", DType::UInt8, 1, 255, "number of repeats"},
    {"dst_rep_stride", "dstRepStride", DType::UInt16, 0, 65535, "blocks (32 bytes) from one repeat to the next in dst; 0 for one repeat"},
    {"src_rep_stride", "srcRepStride", DType::UInt16, 0, 65535, "blocks from one repeat to the next in src; 0 for one repeat"},
};
static constexpr StructRow kTo5Hd = {"TransDataTo5HDParams", kTo5HdFields,
                                     "Repeats of trans_data_to_5hd, and the halves of blocks that elements of 8 bits take."};

static constexpr Field kTransposeFields[] = {
    {"n_size", "nSize", DType::UInt16, 0, 65535, "size of the outermost dimension"},
    {"c_size", "cSize", DType::UInt16, 0, 4095, "channels"},
    {"h_size", "hSize", DType::UInt16, 0, 4095, "rows; h_size * w_size is at most 4095"},
    {"w_size", "wSize", DType::UInt16, 0, 4095, "columns"},
    {"transpose_type", "transposeType", DType::Int32, 10, 12, "what is done", FieldKind::Member, 0, 0, "TransposeType"},
};
static constexpr StructRow kTransposeExt = {
    "TransposeParamsExt", kTransposeFields,
    "Sizes and kind of a transposition: h_size and w_size are 16 for TRANSPOSE_ND2ND_B16; a size of 0 does nothing in the other two."};

static constexpr Field kDataCopyFields[] = {
    {"block_count", "blockCount", DType::UInt16, 1, 4095, "number of blocks to copy; 0 copies nothing"},
    {"block_len", "blockLen", DType::UInt16, 0, 65535, "length of one block in units of 32 bytes; 0 copies nothing"},
    {"src_stride", "srcStride", DType::UInt16, 0, 65535,
     "gap between the end of one source block and the start of the next, in units of 32 bytes"},
    {"dst_stride", "dstStride", DType::UInt16, 0, 65535,
     "gap between the end of one destination block and the start of the next, in units of 32 bytes"},
};
static constexpr StructRow kDataCopy = {
    "DataCopyParams", kDataCopyFields,
    "Blocks of equal length, with gaps between them on either side. In data_copy_pad the length is in bytes, and so is the gap in global "
    "memory."};

static constexpr Field kDataCopyExtFields[] = {
    {"block_count", "blockCount", DType::UInt16, 1, 4095, "number of blocks to copy; 0 copies nothing"},
    {"block_len", "blockLen", DType::UInt32, 0, 2097151, "length of one block in bytes; 0 copies nothing"},
    {"src_stride", "srcStride", DType::UInt32, 0, UINT32_MAX,
     "gap between the end of one source block and the start of the next: bytes in global memory, units of 32 bytes in the unified buffer"},
    {"dst_stride", "dstStride", DType::UInt32, 0, UINT32_MAX,
     "gap between the end of one destination block and the start of the next: bytes in global memory, units of 32 bytes in the unified "
     "buffer"},
    {"rsv", "rsv", DType::UInt32, 0, UINT32_MAX, "reserved"},
};
static constexpr StructRow kDataCopyExt = {"DataCopyExtParams", kDataCopyExtFields,
                                           "Blocks of any number of bytes, with gaps between them on either side, for data_copy_pad."};

static constexpr Field kIsPad = {"is_pad", "isPad", DType::Bool, 0, 1, "whether to fill with padding_value"};
static constexpr Field kLeftPadding = {
    "left_padding", "leftPadding", DType::UInt8, 0, 32, "elements to fill in front of each block, 32 bytes at most"};
static constexpr Field kRightPadding = {
    "right_padding", "rightPadding", DType::UInt8, 0, 32, "elements to fill behind each block, 32 bytes at most"};

static constexpr Field kDataCopyPadExtFields[] = {
    {"dtype", "T", DType::Void, {}, 0, "element type of the tensors", FieldKind::Type},
    kIsPad,
    kLeftPadding,
    kRightPadding,
    {"padding_value", "paddingValue", DType::Void, 0, 0, "value of the filled elements", FieldKind::Element},
};
static constexpr StructRow kDataCopyPadExt = {"DataCopyPadExtParams", kDataCopyPadExtFields,
                                              "How data_copy_pad fills up blocks in the unified buffer to whole 32 bytes."};

static constexpr Field kDataCopyPadFields[] = {
    kIsPad,
    kLeftPadding,
    kRightPadding,
    {"padding_value", "paddingValue", DType::UInt64, 0, INT64_MAX, "bits of the filled elements: their low ones are taken"},
};
static constexpr StructRow kDataCopyPad = {
    "DataCopyPadParams", kDataCopyPadFields,
    "As DataCopyPadExtParams, with the value as bits: for a float other than 0 use DataCopyPadExtParams."};

static constexpr Field kVdeqFields[] = {
    {"scale", "vdeqScale", DType::Float32, {}, 0, "factor of each lane", FieldKind::List},
    {"offset", "vdeqOffset", DType::Int16, {}, 255, "what is added to each lane after the factor", FieldKind::List, -256},
    {"sign_mode", "vdeqSignMode", DType::Bool, {}, 1, "whether the results of a lane are signed", FieldKind::List},
};
static constexpr StructRow kVdeq = {"VdeqInfo", kVdeqFields, "Scales, offsets and signs of the 16 lanes of a block, for set_deq_scale."};

static constexpr Field kMrgSort4InfoFields[] = {
    {"element_lengths", "elementLengths", DType::UInt16, {}, 4095, "records in each of the four lists", FieldKind::List, 0, kShortList},
    {"if_exhausted_suspension", "ifExhaustedSuspension", DType::Bool, 0, 1, "whether to stop as soon as one of the lists is used up"},
    {"valid_bit", "validBit", DType::UInt16, 15, 15, "which lists take part: 3, 7 or 15 for the first two, three or four"},
    {"repeat_times", "repeatTimes", DType::UInt16, 1, 255, "number of merges, each of the lists that follow those before"},
};
static constexpr StructRow kMrgSort4Info = {"MrgSort4Info", kMrgSort4InfoFields, "The lists that mrg_sort merges, and how often."};

static constexpr Field kMrgSortSrcListFields[] = {
    {"dtype", "T", DType::Void, {}, 0, "element type of the tensors", FieldKind::Type},
    {"src1", "src1", DType::Void, {}, 0, "first list", FieldKind::Tensor},
    {"src2", "src2", DType::Void, {}, 0, "second list", FieldKind::Tensor},
    {"src3", "src3", DType::Void, 0, 0, "third list, or None", FieldKind::Tensor},
    {"src4", "src4", DType::Void, 0, 0, "fourth list, or None", FieldKind::Tensor},
};
static constexpr StructRow kMrgSortSrcList = {"MrgSortSrcList", kMrgSortSrcListFields,
                                              "Two to four lists of sorted records, for mrg_sort."};

static constexpr Field kGatherMaskFields[] = {
    {"src0_block_stride", "src0BlockStride", DType::UInt8, 1, 255, "blocks (32 bytes) from one block of src0 to the next within a repeat"},
    {"repeat_times", "repeatTimes", DType::UInt16, 1, UINT16_MAX, "number of repeats"},
    {"src0_repeat_stride", "src0RepeatStride", DType::UInt16, 0, UINT16_MAX, "blocks from one repeat of src0 to the next"},
    {"src1_repeat_stride", "src1RepeatStride", DType::UInt8, 0, 255, "blocks from one repeat of the pattern tensor to the next"},
};
static constexpr StructRow kGatherMask = {"GatherMaskParams", kGatherMaskFields,
                                          "Repeats and strides of gather_mask. By default all repeats read the same 256 bytes."};

/// An integer that is at least 1.
static constexpr Field positive(std::string_view name, std::string_view ascendc, int64_t high, std::string_view doc) {
  return {name, ascendc, DType::UInt16, {}, high, doc, FieldKind::Value, 1};
}
static constexpr Field kEnhancedFields[] = {
    {"block_mode", "blockMode", DType::Int32, 0, 4, "what the blocks are", FieldKind::Member, 0, 0, "BlockMode"},
    {"deq_scale", "deqScale", DType::Int32, 0, 6, "how values are dequantised", FieldKind::Member, 0, 0, "DeqScale"},
    {"deq_value_in", "deqValueIn", DType::UInt64, 0, INT64_MAX, "scale, as bits"},
    {"sid_store_mode_in", "sidStoreModeIn", DType::UInt8, 0, 255, "how results are stored"},
    {"is_relu_in", "isReluIn", DType::Bool, 0, 1, "whether negative values become 0"},
    {"pad_mode_in", "padModeIn", DType::Int32, 0, 8, "how values are padded", FieldKind::Member, 0, 0, "pad_t"},
    {"pad_value_in", "padValueIn", DType::UInt64, 0, INT64_MAX, "the padding, as bits"},
};
static constexpr StructRow kEnhanced = {"DataCopyEnhancedParams", kEnhancedFields,
                                        "What a copy out of the cube's accumulator does besides copying. Copies between global memory and "
                                        "the unified buffer, and within it, do nothing of that."};

static constexpr Field kNd2NzFields[] = {
    {"nd_num", "ndNum", DType::UInt16, {}, 4095, "number of matrices; 0 copies nothing"},
    {"n_value", "nValue", DType::UInt16, {}, 16384, "rows of a matrix; 0 copies nothing"},
    {"d_value", "dValue", DType::UInt16, {}, 65535, "columns of a matrix; 0 copies nothing"},
    {"src_nd_matrix_stride", "srcNdMatrixStride", DType::UInt16, {}, 65535, "elements from one matrix to the next in src"},
    positive("src_d_value", "srcDValue", 65535, "elements from one row to the next in src"),
    positive("dst_nz_c0_stride", "dstNzC0Stride", 16384, "units of 32 bytes from one column of fractals to the next in dst"),
    positive("dst_nz_n_stride", "dstNzNStride", 16384, "units of 32 bytes from one row to the next in dst"),
    {"dst_nz_matrix_stride", "dstNzMatrixStride", DType::UInt16, {}, 65535, "elements from one matrix to the next in dst"},
};
static constexpr StructRow kNd2Nz = {"Nd2NzParams", kNd2NzFields,
                                     "Matrices in rows that become matrices in fractals: columns of rows of 32 bytes."};

static constexpr Field kNz2NdFields[] = {
    {"nd_num", "ndNum", DType::UInt16, {}, 4095, "number of matrices; 0 copies nothing"},
    positive("n_value", "nValue", 8192, "rows of a matrix"),
    positive("d_value", "dValue", 8192, "columns of a matrix, a multiple of 16"),
    positive("src_nd_matrix_stride", "srcNdMatrixStride", 512, "units of 256 elements from one matrix to the next in src"),
    {"src_n_stride", "srcNStride", DType::UInt16, {}, 4096, "units of 16 elements from one column of fractals to the next in src"},
    positive("dst_d_stride", "dstDStride", 65535, "elements from one row to the next in dst"),
    positive("dst_nd_matrix_stride", "dstNdMatrixStride", 65535, "elements from one matrix to the next in dst"),
};
static constexpr StructRow kNz2Nd = {"Nz2NdParamsFull", kNz2NdFields,
                                     "Matrices in fractals (columns of rows of 16 elements) that become matrices in rows."};

static constexpr Field kSliceFields[] = {
    {"start_index", "startIndex", DType::UInt32, 0, UINT32_MAX, "first element, or row"},
    {"end_index", "endIndex", DType::UInt32, 31, UINT32_MAX, "last element, or row"},
    {"stride", "stride", DType::UInt32, 0, UINT32_MAX, "gap between segments in elements, or between rows in rows"},
    {"burst_len", "burstLen", DType::UInt32, 32, UINT32_MAX, "length of a segment in units of 32 bytes; 1 in outer dimensions"},
    {"shape_value", "shapeValue", DType::UInt32, 0, UINT32_MAX, "elements, or rows, of the whole dimension; 0: those of the ShapeInfo"},
};
static constexpr StructRow kSlice = {
    "SliceInfo", kSliceFields,
    "What data_copy takes of one dimension of a tensor: in the innermost one segments of elements, in others "
    "rows."};

static constexpr Field kCO12DstFields[] = {
    {"n_size", "nSize", DType::UInt16, {}, 65535, "columns"},
    {"m_size", "mSize", DType::UInt16, {}, 65535, "rows"},
    {"dst_stride", "dstStride", DType::UInt32, {}, UINT32_MAX, "from one row, or column of fractals, to the next in dst"},
    {"src_stride", "srcStride", DType::UInt16, {}, 65535, "from one column of fractals to the next in src"},
    {"quant_pre", "quantPre", DType::Int32, 0, 24, "how values are converted", FieldKind::Member, 0, 0, "QuantModes"},
    {"relu_pre", "reluPre", DType::UInt8, 0, 255, "1: negative values become 0"},
    {"channel_split", "channelSplit", DType::Bool, 0, 1, "whether fractals have 8 columns instead of 16"},
    {"nz2nd_en", "nz2ndEn", DType::Bool, 0, 1, "whether fractals become rows"},
};
static constexpr StructRow kCO12Dst = {"DataCopyCO12DstParams", kCO12DstFields, "A copy out of the cube's accumulator."};

static constexpr Field flag(std::string_view name, std::string_view ascendc, std::string_view doc) {
  return {name, ascendc, DType::Bool, 0, 1, doc};
}
static constexpr Field kWatchFields[] = {
    {"enable_bit", "enableBit", DType::UInt8, 0, 3, "which of the four windows"},
    {"start_addr", "startAddr", DType::UInt32, 0, UINT16_MAX, "unit of 32 bytes in front of the window"},
    {"end_addr", "endAddr", DType::UInt32, 0, UINT16_MAX, "last unit of 32 bytes of the window"},
    flag("is_scalar_read", "isScalarRead", "whether reads by the scalar unit are watched"),
    flag("is_scalar_write", "isScalarWrite", "whether writes by the scalar unit are watched"),
    flag("is_vector_read", "isVectorRead", "whether reads by the vector unit are watched"),
    flag("is_vector_write", "isVectorWrite", "whether writes by the vector unit are watched"),
    flag("is_mte_read", "isMteRead", "whether reads by copies are watched"),
    flag("is_mte_write", "isMteWrite", "whether writes by copies are watched"),
    flag("is_enable", "isEnable", "whether the window watches at all"),
};
static constexpr StructRow kWatch = {"CheckLocalMemoryIAParam", kWatchFields,
                                     "A window on the unified buffer, and the accesses that check_local_memory_ia watches for in it."};

std::span<const StructRow *const> structs() {
  static constexpr const StructRow *kAll[] = {
      &kBinaryRepeat, &kUnaryRepeat,    &kDataCopy,   &kDataCopyExt, &kDataCopyPadExt, &kDataCopyPad, &kVdeq,
      &kMrgSort4Info, &kMrgSortSrcList, &kGatherMask, &kBrcbRepeat,  &kGatherRepeat,   &kCopyRepeat,  &kTo5Hd,
      &kTransposeExt, &kEnhanced,       &kNd2Nz,      &kNz2Nd,       &kCO12Dst,        &kSlice,       &kWatch};
  return kAll;
}

const StructRow *find_struct(std::string_view name) {
  for (const StructRow *row : structs())
    if (row->name == name) return row;
  return nullptr;
}

} // namespace asc
