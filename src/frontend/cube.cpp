// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the cube core: their names, parameters and meaning are known, their calls are refused. One that becomes supported moves
// to a row in src/apis.
#include "frontend/cube.h"

#include <array>
#include <utility>

namespace asc {

namespace {

struct CubeName {
  std::string_view name, signature, ascendc, doc;
};
constexpr CubeName kNames[] = {
    {"mmad", "dst, fm, filter, bias=, params=", "Mmad",
     "Multiplies matrices and accumulates: dst (CO1) = fm (A2) x filter (B2), plus dst or bias (C2); MmadParams has the sizes."},
    {"mmad_with_sparse", "dst, fm, filter, mmad_params", "MmadWithSparse",
     "As mmad, of int8, where B has two values other than 0 among four, as load_data_with_sparse has left it."},
    {"load_data", "dst, src, params", "LoadData",
     "Loads fractals from A1, B1 or global memory to A2 or B2: LoadData2DParams and LoadData2DParamsV2 as they are, LoadData3DParamsV1, "
     "LoadData3DParamsV2 and LoadData3DParamsV2Pro as the windows of a convolution (img2col)."},
    {"load_data_with_transpose", "dst, src, params", "LoadDataWithTranspose",
     "Loads fractals from A1 or B1 to A2 or B2 and transposes them."},
    {"load_data_with_sparse", "dst, src, idx, load_data_params", "LoadDataWithSparse",
     "Loads a compressed B (int8) and its index tensor for mmad_with_sparse."},
    {"set_load_data_boundary", "boundary", "SetLoadDataBoundary", "Bytes of the ring in L1 that load_data reads windows from; 0: no ring."},
    {"set_load_data_padding_value", "pad_value", "SetLoadDataPaddingValue", "What load_data takes for elements outside of the image."},
    {"set_load_data_repeat", "param", "SetLoadDataRepeat", "How often load_data repeats with LoadData3DParamsV2, and its stride."},
    {"init_const_value", "dst, init_const_value_params", "InitConstValue",
     "Fills blocks of a tensor of A1, B1, A2 or B2 with a value: InitConstValueParams."},
    {"fixpipe", "dst, src, cbuf_workspace=, params=, config=FixpipeConfig.cfg_row_major()", "Fixpipe",
     "Moves a result from CO1 to global memory, with conversion, quantisation and ReLU, as rows or as fractals: FixpipeParamsV220; "
     "cbuf_workspace (A1) has a factor for each column."},
    {"set_fix_pipe_pre_quant_flag", "config", "SetFixpipePreQuantFlag", "The factor that fixpipe quantises all columns with, as bits."},
    {"load_image_to_local", "dst, load_data_params", "LoadImageToLocal",
     "Loads a part of the image that set_aipp_functions describes to A1 or B1."},
    {"set_aipp_functions", "src0, src1=, input_format=, config=", "SetAippFunctions",
     "Where the image for load_image_to_local is, its format, and what is done to it: AippParams."},
    {"set_hf32_mode", "hf32_mode", "SetHF32Mode", "Whether mmad rounds float32 to HF32 (11 bits of mantissa) before it multiplies."},
    {"set_hf32_trans_mode", "trans_mode", "SetHF32TransMode",
     "How it rounds: to the nearest number away from zero (True) or the even one (False)."},
    {"set_mm_layout_transform", "mm_layout_mode", "SetMMLayoutTransform",
     "Whether mmad walks along columns (True) or rows (False) of its result first."},
};

template <size_t kIndex> nb::object refuse(Compilation &c, nb::handle, Bound) {
  throw c.error("T403", std::string(kNames[kIndex].name) + "(): the instructions of the cube core are not supported yet",
                "compute with vector instructions: asc.mul, asc.muls, asc.axpy and asc.add of rows in the unified buffer");
}

template <size_t... kIndex> constexpr auto made(std::index_sequence<kIndex...>) {
  return std::array{Function{kNames[kIndex].name, kNames[kIndex].signature, kNames[kIndex].doc, refuse<kIndex>, kNames[kIndex].ascendc}...};
}

} // namespace

std::span<const Function> cube_functions() {
  static constexpr auto functions = made(std::make_index_sequence<std::size(kNames)>());
  return functions;
}

} // namespace asc
