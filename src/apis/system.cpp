// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a core knows about itself.
#include "apis/families.h"
#include "apis/row_checks.h"

namespace asc {
namespace {

void get_block_idx(Exec &e) { e.result = e.core.block_idx; }
void get_block_num(Exec &e) { e.result = e.core.block_num; }

void init_soc_state(const Call &, CoreState &core) { core.init_soc_state(); }
void run_init_soc_state(Exec &e) { e.core.init_soc_state(); }

constexpr Form kInitSocState[] = {{"InitSocState()"}};
constexpr Form kTrap[] = {{"Trap()"}}, kBlockIdx[] = {{"GetBlockIdx()"}}, kBlockNum[] = {{"GetBlockNum()"}};

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
     .doc = "Number of blocks of the launch.",
     .source = "Ascend C, GetBlockNum"},
    {.name = "init_soc_state",
     .ascendc = "InitSocState",
     .forms = kInitSocState,
     .run = run_init_soc_state,
     .registers = init_soc_state,
     .doc = "Resets the registers of the core: normal mask mode, all bits of the mask; the constructor of a TPipe does it too.",
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
