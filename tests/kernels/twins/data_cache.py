# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The data cache of the scalar unit: what it has and memory has not, and the other way round. Flags are all there. What becomes of the
results is shown in test_data_cache.py."""

import asc
import numpy as np

from twins.pair import order, pair, tile, write_back

MTE2_MTE3, MTE3_S, S_MTE2, S_MTE3 = asc.HardEvent.MTE2_MTE3, asc.HardEvent.MTE3_S, asc.HardEvent.S_MTE2, asc.HardEvent.S_MTE3


@pair("S401", lambda x, y, z: np.concatenate([x, [x[0] + 0 * z[1]]]))
@asc.jit
def s_reads_a_line_that_it_had_before_a_copy(x_gm, y_gm, z_gm):
    x = tile(0)
    before = z_gm.get_value(1)  # <- there
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    order(S_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    order(MTE3_S)
    write_back(z_gm)  # <- clean
    z_gm.set_value(256, z_gm.get_value(0) + 0.0 * before)  # <- here


@pair("S402", lambda x, y, z: np.tile(np.concatenate([[5], z[257:]]), 2))
@asc.jit
def a_copy_reads_what_s_has_in_its_cache(x_gm, y_gm, z_gm):
    x = tile(0)
    z_gm.set_value(256, 5.0)  # <- there
    write_back(z_gm[256])  # <- clean
    order(S_MTE2)
    asc.data_copy(x, z_gm[256], 256)  # <- here
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)


@pair("S403", lambda x, y, z: np.concatenate([[5], z[1:8], x[:8]]))
@asc.jit
def a_copy_stores_in_a_line_that_s_has_changed(x_gm, y_gm, z_gm):
    x = tile(0)
    z_gm.set_value(0, 5.0)  # <- here
    write_back(z_gm)  # <- clean
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    order(S_MTE3)
    asc.data_copy(z_gm[8], x, 8)  # <- there


@pair("S402", lambda x, y, z: np.concatenate([[5], z[1:16], [6]]), blocks=2)
@asc.jit
def another_core_reads_what_s_has_in_its_cache(x_gm, y_gm, z_gm):
    if asc.get_block_idx() == 0:
        z_gm.set_value(0, 5.0)  # <- there
        write_back(z_gm)  # <- clean
        asc.data_sync_barrier(asc.MemDsbT.DDR)
    asc.sync_all()
    if asc.get_block_idx() == 1:
        z_gm.set_value(16, z_gm.get_value(0) + 1.0)  # <- here


@pair("S401", lambda x, y, z: np.concatenate([[5], z[1:16], [6]]), blocks=2)
@asc.jit
def s_reads_a_line_that_it_had_before_another_core_changed_it(x_gm, y_gm, z_gm):
    before = z_gm.get_value(1)  # <- there
    asc.sync_all()
    if asc.get_block_idx() == 0:
        z_gm.set_value(0, 5.0 + 0.0 * before)  # <- there
        write_back(z_gm)
        asc.data_sync_barrier(asc.MemDsbT.DDR)
    asc.sync_all()
    if asc.get_block_idx() == 1:
        write_back(z_gm)  # <- clean
        z_gm.set_value(16, z_gm.get_value(0) + 1.0 + 0.0 * before)  # <- here


# ---------------------------------------------------------------- what this run happens to do in the right order


@pair("S304", lambda x, y, z: np.where(np.isin(np.arange(512), [0, 16]), 2, z), blocks=2)
@asc.jit
def two_cores_write_back_lines_that_nothing_orders(x_gm, y_gm, z_gm):
    asc.sync_all()
    at = 16 * asc.get_block_idx()
    at = asc.get_block_idx()  # <- racy
    z_gm.set_value(at, 2.0)  # <- here, there
    write_back(z_gm[at])
    asc.sync_all()


@pair("S304", lambda x, y, z: np.concatenate([[2], z[1:8], x[:8]]), blocks=2)
@asc.jit
def another_core_copies_into_a_line_that_may_not_be_written_back(x_gm, y_gm, z_gm):
    x = tile(0)
    if asc.get_block_idx() == 0:
        z_gm.set_value(0, 2.0)  # <- here
        write_back(z_gm)  # <- clean
        asc.sync_all()
        write_back(z_gm)  # <- racy
    else:
        asc.data_copy(x, x_gm, 256)
        order(MTE2_MTE3)
        asc.sync_all()
        asc.data_copy(z_gm[8], x, 8)  # <- there


@pair("S403", lambda x, y, z: np.concatenate([x[:8], [5]]))
@asc.jit
def s_brings_a_line_that_a_copy_may_still_change(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 8)  # <- there
    order(MTE3_S)  # <- clean
    z_gm.set_value(8, 5.0)  # <- here
    order(MTE3_S, 1)
    write_back(z_gm)


@pair("S403", lambda x, y, z: np.concatenate([x[:8], [5]]))
@asc.jit
def a_copy_stores_in_a_line_that_may_not_be_written_back(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    z_gm.set_value(8, 5.0)  # <- here
    write_back(z_gm)
    order(S_MTE3)  # <- clean
    asc.data_copy(z_gm, x, 8)  # <- there


@pair("S402", lambda x, y, z: np.concatenate([[5], z[1:16], [6]]), blocks=2)
@asc.jit
def another_core_is_told_before_the_line_is_written_back(x_gm, y_gm, z_gm):
    if asc.get_block_idx() == 0:
        z_gm.set_value(0, 5.0)  # <- there
        write_back(z_gm)  # <- clean
        asc.sync_all()
        write_back(z_gm)  # <- racy
    else:
        asc.sync_all()
        z_gm.set_value(16, z_gm.get_value(0) + 1.0)  # <- here


@pair("S402", lambda x, y, z: np.concatenate([[5], z[1:8], [6], z[9:256], [5], z[1:8]]), blocks=2)
@asc.jit
def a_copy_reads_what_was_told_before_the_line_was_written_back(x_gm, y_gm, z_gm):
    x = tile(0)
    if asc.get_block_idx() == 0:
        z_gm.set_value(0, 5.0)  # <- there
        write_back(z_gm)  # <- clean
        asc.sync_all()
        z_gm.set_value(8, 6.0)
        write_back(z_gm)
    else:
        asc.sync_all()
        asc.data_copy(x, z_gm, 8)  # <- here
        order(MTE2_MTE3)
        asc.data_copy(z_gm[256], x, 8)


@pair("S401", lambda x, y, z: np.concatenate([x[:8], z[8:16], [x[0]]]), blocks=2)
@asc.jit
def s_brings_a_line_that_another_core_may_still_change(x_gm, y_gm, z_gm):
    x = tile(0)
    if asc.get_block_idx() == 0:
        asc.data_copy(x, x_gm, 256)
        order(MTE2_MTE3)
        asc.data_copy(z_gm, x, 8)  # <- there
        asc.sync_all()
    else:
        before = z_gm.get_value(8)  # <- there
        asc.sync_all()
        write_back(z_gm)  # <- clean
        z_gm.set_value(16, z_gm.get_value(0) + 0.0 * before)  # <- here


@pair("S401", lambda x, y, z: np.concatenate([x[:8], z[8:16], [x[0]]]))
@asc.jit
def s_brings_a_line_before_it_waits_for_the_copy(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 8)  # <- there
    before = z_gm.get_value(8)  # <- there
    order(MTE3_S)
    write_back(z_gm)  # <- clean
    z_gm.set_value(16, z_gm.get_value(0) + 0.0 * before)  # <- here
