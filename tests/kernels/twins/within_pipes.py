# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Within MTE2 and MTE3, which complete their instructions in any order between barriers, and within V, where the device compiler may put
no barrier."""

import asc
import numpy as np

from twins.pair import order, pair, tile

MTE2_V, V_MTE3, MTE2_MTE3, MTE3_MTE2 = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE3, asc.HardEvent.MTE2_MTE3, asc.HardEvent.MTE3_MTE2
V_MTE2 = asc.HardEvent.V_MTE2
PIPE_V, PIPE_MTE2, PIPE_MTE3, PIPE_ALL = asc.PipeID.PIPE_V, asc.PipeID.PIPE_MTE2, asc.PipeID.PIPE_MTE3, asc.PipeID.PIPE_ALL


# ---------------------------------------------------------------- MTE2


@pair("S302", lambda x, y, z: np.concatenate([x[:128], y[:128]]))
@asc.jit
def mte2_overwrites_what_mte2_loads(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)  # <- there
    asc.pipe_barrier(PIPE_MTE2)  # <- clean
    asc.data_copy(x[128], y_gm, 128)  # <- here
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)


@pair("S302", lambda x, y, z: y)
@asc.jit
def a_flag_between_two_loads_is_no_order(x_gm, y_gm, z_gm):
    """MTE2 sets the flag after the first load, and does not wait for it."""
    x = tile(0)
    asc.data_copy(x, x_gm, 256)  # <- there
    order(MTE2_V)
    asc.pipe_barrier(PIPE_MTE2)  # <- clean
    asc.data_copy(x, y_gm, 256)  # <- here
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)


@pair("S302", lambda x, y, z: y)
@asc.jit
def two_loads_ordered_by_a_flag_there_and_back(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)  # <- there
    order(MTE2_V)
    order(V_MTE2)  # <- clean
    asc.data_copy(x, y_gm, 256)  # <- here
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)


@pair("S302", lambda x, y, z: np.concatenate([x[:64], x[:192]]))
@asc.jit
def loads_of_a_loop_that_overlap(x_gm, y_gm, z_gm):
    """Each round loads a block that the next one overwrites in part."""
    x = tile(0)
    for i in range(2):
        asc.pipe_barrier(PIPE_MTE2)  # <- clean
        asc.data_copy(x[64 * i], x_gm, 192)  # <- here, there
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)


@pair("S302", lambda x, y, z: np.concatenate([y[:20], np.zeros(4), x[24:]]))
@asc.jit
def a_tail_loaded_over_a_tile(x_gm, y_gm, z_gm):
    x, y = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)  # <- there
    asc.pipe_barrier(PIPE_MTE2)  # <- clean
    copy, padding = asc.DataCopyExtParams(1, 80, 0, 0, 0), asc.DataCopyPadExtParams(asc.float32, True, 0, 4, 0)
    asc.data_copy_pad(x, y_gm, copy, padding)  # <- here
    asc.data_copy(y, x_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 24)
    asc.data_copy(z_gm[24], y[24], 232)


@pair("S302", lambda x, y, z: np.concatenate([x[:128], y[:128]]))
@asc.jit
def a_barrier_of_another_pipe_between_two_loads(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)  # <- there
    asc.pipe_barrier(PIPE_MTE2)  # <- clean
    asc.pipe_barrier(PIPE_V)  # <- racy
    asc.data_copy(x[128], y_gm, 128)  # <- here
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)


# ---------------------------------------------------------------- MTE3


@pair("S302", lambda x, y, z: np.concatenate([x[:248], y[:8]]))
@asc.jit
def mte3_overwrites_what_mte3_stores(x_gm, y_gm, z_gm):
    x, y = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.data_copy(y, y_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    asc.pipe_barrier(PIPE_MTE3)  # <- clean
    asc.data_copy(z_gm[248], y, 8)  # <- here


@pair("S302", lambda x, y, z: np.concatenate([x[:128], y[:128]]))
@asc.jit
def stores_of_a_loop_that_overlap(x_gm, y_gm, z_gm):
    """Each round stores a tile of which the next one overwrites the second half."""
    x, y = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.data_copy(y, y_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    asc.pipe_barrier(PIPE_MTE3)  # <- clean
    for i in range(2):
        asc.data_copy(z_gm[128 + 64 * i], y[64 * i], 64)  # <- here


@pair("S302", lambda x, y, z: np.concatenate([y[:10], x[10:]]))
@asc.jit
def a_tail_stored_over_a_tile(x_gm, y_gm, z_gm):
    x, y = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.data_copy(y, y_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    asc.pipe_barrier(PIPE_MTE3)  # <- clean
    asc.data_copy_pad(z_gm, y, asc.DataCopyExtParams(1, 40, 0, 0, 0))  # <- here


@pair("S302", lambda x, y, z: y)
@asc.jit
def a_flag_between_two_stores_is_no_order(x_gm, y_gm, z_gm):
    x, y = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.data_copy(y, y_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    order(asc.HardEvent.MTE3_V)
    asc.pipe_barrier(PIPE_MTE3)  # <- clean
    asc.data_copy(z_gm, y, 256)  # <- here


# ---------------------------------------------------------------- V


@pair("S302", lambda x, y, z: (x + 1) * 2, by_compiler=True)
@asc.jit
def v_reads_what_v_writes(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(z, x, 1.0, 256)  # <- there
    asc.pipe_barrier(PIPE_V)  # <- clean
    asc.muls(x, z, 2.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, x, 256)


@pair("S302", lambda x, y, z: x + 1, by_compiler=True)
@asc.jit
def v_overwrites_what_v_reads(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(z, x, 1.0, 256)  # <- there
    asc.pipe_barrier(PIPE_V)  # <- clean
    asc.duplicate(x, 0.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S302", lambda x, y, z: x + 1, by_compiler=True)
@asc.jit
def v_overwrites_what_v_writes(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.duplicate(z, 0.0, 256)  # <- there
    asc.pipe_barrier(PIPE_V)  # <- clean
    asc.adds(z, x, 1.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S302", lambda x, y, z: x * 2 + 1, by_compiler=True)
@asc.jit
def v_computes_in_place(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.muls(x, x, 2.0, 256)  # <- there
    asc.pipe_barrier(PIPE_V)  # <- clean
    asc.adds(x, x, 1.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, x, 256)


@pair("S302", lambda x, y, z: 6 * x, by_compiler=True)
@asc.jit
def v_in_the_next_round_of_a_loop(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.duplicate(z, 0.0, 256)
    asc.pipe_barrier(PIPE_V)
    for _ in range(2):
        asc.add(z, z, x, 256)  # <- here
        asc.pipe_barrier(PIPE_V)
        asc.muls(z, z, 2.0, 256)  # <- there
        asc.pipe_barrier(PIPE_V)  # <- clean
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S302", lambda x, y, z: x + y, by_compiler=True)
@asc.jit
def v_reads_what_a_copy_inside_the_unified_buffer_writes(x_gm, y_gm, z_gm):
    x, y, z, w = tile(0), tile(1), tile(2), tile(3)
    asc.data_copy(x, x_gm, 256)
    asc.data_copy(y, y_gm, 256)
    order(MTE2_V)
    asc.data_copy(w, x, 256)  # <- there
    asc.pipe_barrier(PIPE_V)  # <- clean
    asc.add(z, w, y, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S302", lambda x, y, z: np.concatenate([x[:192] + 1, x[192:] * 2]), by_compiler=True)
@asc.jit
def v_overwrites_the_end_of_what_v_writes(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_V)
    asc.adds(z, x, 1.0, 256)  # <- there
    asc.pipe_barrier(PIPE_V)  # <- clean
    asc.muls(z[192], x[192], 2.0, 64)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)
