// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a core knows about itself.
#include "apis/families.h"
#include "apis/row_checks.h"

namespace asc {
namespace {

void get_block_idx(Exec &e) { e.result = e.core.block_idx; }
void get_block_num(Exec &e) { e.result = e.core.block_num; }
void get_sub_block_idx(Exec &e) { e.result = e.core.sub_block_idx; }
void get_sub_block_num(Exec &e) { e.result = e.core.sub_block_num; }
void get_data_block_size(Exec &e) { e.result = 32; }
void is_cube(Exec &e) { e.result = e.core.kind == CoreKind::AIC; }
void is_vector(Exec &e) { e.result = e.core.kind == CoreKind::AIV; }

void get_arch_version(Exec &e) { e.result = assume::arch_version; }
/// A counter of 50 MHz.
void get_system_cycle(Exec &e) { e.result = e.cycle * 50 / e.core.mhz; }
void get_program_counter(Exec &e) { e.result = e.pc; }

constexpr Arg kVersionArgs[] = {{.name = "core_version",
                                 .kind = ArgKind::Int,
                                 .dtypes = DType::UInt32,
                                 .default_value = 0,
                                 .doc = "Ascend C's variable for the result; the result is returned, so any number will do",
                                 .ignored = true}};
constexpr Form kVersion[] = {{"GetArchVersion($result)", "core_version"}}, kCycle[] = {{"GetSystemCycle()"}},
               kCounter[] = {{"GetProgramCounter()"}};

void init_soc_state(const Call &, CoreState &core) { core.init_soc_state(); }
void run_init_soc_state(Exec &e) { e.core.init_soc_state(); }

constexpr Form kInitSocState[] = {{"InitSocState()"}};
constexpr Form kTrap[] = {{"Trap()"}}, kBlockIdx[] = {{"GetBlockIdx()"}}, kBlockNum[] = {{"GetBlockNum()"}};
constexpr Form kSubBlockIdx[] = {{"GetSubBlockIdx()"}}, kSubBlockNum[] = {{"GetSubBlockNum()"}}, kTaskRatio[] = {{"GetTaskRatio()"}},
               kDataBlockSize[] = {{"GetDataBlockSizeInBytes()"}}, kIsCube[] = {{"AscendIsAIC()"}}, kIsVector[] = {{"AscendIsAIV()"}};

constexpr Row kRows[] = {
    {.name = "get_block_idx",
     .ascendc = "GetBlockIdx",
     .forms = kBlockIdx,
     .result = DType::Int32,
     .run = get_block_idx,
     .doc = "Index of this block among those of the launch, from 0.",
     .source = "Ascend C, GetBlockIdx"},
    {.name = "get_block_num",
     .ascendc = "GetBlockNum",
     .forms = kBlockNum,
     .result = DType::Int32,
     .run = get_block_num,
     .doc = "Number of blocks of the launch. In kernels of both kinds of core: of AI Cores.",
     .source = "Ascend C, GetBlockNum"},
    {.name = "get_sub_block_idx",
     .ascendc = "GetSubBlockIdx",
     .forms = kSubBlockIdx,
     .result = DType::Int64,
     .run = get_sub_block_idx,
     .doc = "Which of the vector cores of its AI Core this is; 0 on a cube core.",
     .source = "Ascend C, GetSubBlockIdx"},
    {.name = "get_sub_block_num",
     .ascendc = "GetSubBlockNum",
     .forms = kSubBlockNum,
     .result = DType::UInt64,
     .run = get_sub_block_num,
     .doc = "On a vector core: how many of them an AI Core has in this kernel; 1 on a cube core.",
     .source = "Ascend C, GetSubBlockNum"},
    {.name = "get_task_ratio",
     .ascendc = "GetTaskRatio",
     .forms = kTaskRatio,
     .result = DType::Int64,
     .run = get_sub_block_num,
     .doc = "On a vector core: vector cores per cube core in this kernel; 1 on a cube core.",
     .source = "Ascend C, GetTaskRatio"},
    {.name = "get_data_block_size_in_bytes",
     .ascendc = "GetDataBlockSizeInBytes",
     .forms = kDataBlockSize,
     .result = DType::Int32,
     .run = get_data_block_size,
     .doc = "Bytes of a data block: 32.",
     .source = "Ascend C, GetDataBlockSizeInBytes"},
    {.name = "get_arch_version",
     .ascendc = "GetArchVersion",
     .args = kVersionArgs,
     .forms = kVersion,
     .result = DType::UInt32,
     .run = get_arch_version,
     .doc = "Version of the core's architecture; it is read in hexadecimal.",
     .source = "Ascend C, GetArchVersion"},
    {.name = "get_system_cycle",
     .ascendc = "GetSystemCycle",
     .forms = kCycle,
     .result = DType::Int64,
     .varies = true,
     .run = get_system_cycle,
     .doc = "A counter of 50 MHz (20 ns); it does not wait for other pipes: to time one, make S wait for it first. In the simulator it "
            "counts from the start of the block.",
     .source = "Ascend C, GetSystemCycle"},
    {.name = "get_program_counter",
     .ascendc = "GetProgramCounter",
     .forms = kCounter,
     .result = DType::Int64,
     .varies = true,
     .run = get_program_counter,
     .doc = "The program counter; in the simulator the number of the instruction in the program.",
     .source = "Ascend C, GetProgramCounter"},
    {.name = "ascend_is_aic",
     .ascendc = "AscendIsAIC",
     .forms = kIsCube,
     .result = DType::Bool,
     .run = is_cube,
     .doc = "Whether this is a cube core. The device compiles each branch for its kind of core only.",
     .source = "Ascend C, ASCEND_IS_AIC"},
    {.name = "ascend_is_aiv",
     .ascendc = "AscendIsAIV",
     .forms = kIsVector,
     .result = DType::Bool,
     .run = is_vector,
     .doc = "Whether this is a vector core. The device compiles each branch for its kind of core only.",
     .source = "Ascend C, ASCEND_IS_AIV"},
    {.name = "init_soc_state",
     .ascendc = "InitSocState",
     .forms = kInitSocState,
     .run = run_init_soc_state,
     .registers = init_soc_state,
     .doc =
         "Resets the registers of the core: normal mask mode, all bits of the mask, stores that are not atomic; the constructor of a TPipe does it too.",
     .source = "Ascend C, InitSocState"},
    {.name = "trap",
     .ascendc = "Trap",
     .forms = kTrap,
     .doc = "Stops the launch with an error.",
     .source = "Ascend C, Trap",
     .structure = "trap"},
};
static_assert(check_rows(kRows));

} // namespace

std::span<const Row> system_rows() { return kRows; }

} // namespace asc
