# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scalar unit and the other pipes. With auto_sync the device compiler orders them; without it nothing does but flags."""

import asc
import numpy as np

from twins.pair import order, pair, tile, write_back

MTE2_V, V_MTE3, MTE2_MTE3, MTE3_MTE2 = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE3, asc.HardEvent.MTE2_MTE3, asc.HardEvent.MTE3_MTE2
S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S = (
    asc.HardEvent.S_V,
    asc.HardEvent.V_S,
    asc.HardEvent.S_MTE2,
    asc.HardEvent.MTE2_S,
    asc.HardEvent.S_MTE3,
    asc.HardEvent.MTE3_S,
)
PIPE_ALL = asc.PipeID.PIPE_ALL
READS_AT_ONCE = "S takes a value when it reads it; what other pipes write later cannot change it"


def replaced(array, index, value):
    array = array.copy()
    array[index] = value
    return array


@pair("S301", lambda x, y, z: replaced(x, 9, 5) + 1, by_compiler=True)
@asc.jit
def v_reads_what_s_writes(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(PIPE_ALL)
    x.set_value(9, 5.0)  # <- there
    order(S_V)  # <- clean
    asc.adds(z, x, 1.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.full_like(x, x[3] + 1), by_compiler=True)
@asc.jit
def s_reads_what_v_writes(x_gm, y_gm, z_gm):
    x, z, w = tile(0), tile(1), tile(2)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(PIPE_ALL)
    asc.adds(z, x, 1.0, 256)  # <- there
    order(V_S)  # <- clean
    value = z.get_value(3)  # <- here
    asc.duplicate(w, value, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, w, 256)


@pair("S301", lambda x, y, z: replaced(x + 1, 3, 7), by_compiler=True)
@asc.jit
def s_overwrites_what_v_writes(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(PIPE_ALL)
    asc.adds(z, x, 1.0, 256)  # <- there
    order(V_S)  # <- clean
    z.set_value(3, 7.0)  # <- here
    order(S_MTE3)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x + 1, by_compiler=True)
@asc.jit
def s_overwrites_what_v_reads(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(PIPE_ALL)
    asc.adds(z, x, 1.0, 256)  # <- there
    order(V_S)  # <- clean
    x.set_value(3, 777.0)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: replaced(x, 9, 5), by_compiler=True)
@asc.jit
def mte3_stores_what_s_writes(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(PIPE_ALL)
    x.set_value(9, 5.0)  # <- there
    order(S_MTE3)  # <- clean
    asc.data_copy(z_gm, x, 256)  # <- here


@pair("S301", lambda x, y, z: x, by_compiler=True)
@asc.jit
def s_overwrites_what_mte3_stores(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(PIPE_ALL)
    asc.data_copy(z_gm, x, 256)  # <- there
    order(MTE3_S)  # <- clean
    x.set_value(9, 555.0)  # <- here


@pair("S301", lambda x, y, z: np.full_like(x, x[3]), by_compiler=True)
@asc.jit
def s_reads_what_mte2_loads(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.duplicate(x, 0.0, 256)
    asc.pipe_barrier(PIPE_ALL)
    asc.data_copy(x, x_gm, 256)  # <- there
    order(MTE2_S)  # <- clean
    value = x.get_value(3)  # <- here
    asc.duplicate(z, value, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: x, by_compiler=True)
@asc.jit
def mte2_overwrites_what_s_writes(x_gm, y_gm, z_gm):
    x = tile(0)
    x.set_value(9, 555.0)  # <- there
    order(S_MTE2)  # <- clean
    asc.data_copy(x, x_gm, 256)  # <- here
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)


@pair("S301", lambda x, y, z: np.full_like(x, x[3]), by_compiler=True, unseen=READS_AT_ONCE)
@asc.jit
def mte2_overwrites_what_s_reads(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(PIPE_ALL)
    value = x.get_value(3)  # <- there
    order(S_MTE2)  # <- clean
    asc.data_copy(x, y_gm, 256)  # <- here
    asc.duplicate(z, value, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.full_like(x, x[3]), by_compiler=True, unseen=READS_AT_ONCE)
@asc.jit
def v_overwrites_what_s_reads(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    asc.pipe_barrier(PIPE_ALL)
    value = x.get_value(3)  # <- there
    order(S_V)  # <- clean
    asc.duplicate(x, 0.0, 256)  # <- here
    asc.duplicate(z, value, 256)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.full_like(x, 2), by_compiler=True)
@asc.jit
def v_overwrites_what_s_writes(x_gm, y_gm, z_gm):
    z = tile(0)
    z.set_value(9, 555.0)  # <- there
    order(S_V)  # <- clean
    asc.duplicate(z, 2.0, 256)  # <- here
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: np.tile(replaced(x, 0, 5), 2), by_compiler=True)
@asc.jit
def mte2_loads_what_s_stores_to_global_memory(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)
    asc.pipe_barrier(PIPE_ALL)
    z_gm.set_value(0, 5.0)  # <- there
    write_back(z_gm)
    order(S_MTE2)  # <- clean
    asc.data_copy(x, z_gm, 256)  # <- here
    order(MTE2_MTE3)
    asc.data_copy(z_gm[256], x, 256)


@pair("S301", lambda x, y, z: np.full_like(x, x[7]), by_compiler=True)
@asc.jit
def s_reads_what_mte3_stores_to_global_memory(x_gm, y_gm, z_gm):
    x, z = tile(0), tile(1)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    order(MTE3_S)  # <- clean
    value = z_gm.get_value(7)  # <- here
    order(S_MTE3)
    asc.duplicate(z, value, 256)
    asc.pipe_barrier(asc.PipeID.PIPE_MTE3)
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair("S301", lambda x, y, z: replaced(x, 7, 5), by_compiler=True)
@asc.jit
def s_overwrites_what_mte3_stores_to_global_memory(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    asc.data_copy(z_gm, x, 256)  # <- there
    order(MTE3_S)  # <- clean
    z_gm.set_value(7, 5.0)  # <- here


@pair("S301", lambda x, y, z: x, by_compiler=True)
@asc.jit
def mte3_overwrites_what_s_stores_to_global_memory(x_gm, y_gm, z_gm):
    x = tile(0)
    asc.data_copy(x, x_gm, 256)
    order(MTE2_MTE3)
    z_gm.set_value(7, 555.0)  # <- there
    write_back(z_gm)
    order(S_MTE3)  # <- clean
    asc.data_copy(z_gm, x, 256)  # <- here


@pair("S301", lambda x, y, z: np.full_like(x, 6), by_compiler=True)
@asc.jit
def a_loop_that_ends_by_what_v_counts(x_gm, y_gm, z_gm):
    z = tile(0)
    asc.duplicate(z, 0.0, 256)
    order(V_S, 1)
    while z.get_value(0) < 6.0:  # <- here
        order(S_V)
        asc.pipe_barrier(asc.PipeID.PIPE_V)
        asc.adds(z, z, 1.0, 256)  # <- there
        order(V_S)  # <- clean
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)


@pair(
    "S301",
    lambda x, y, z: np.concatenate([x[:128] + 1, np.full(128, 3)]),
    ahead=True,
    unseen="S stores before it dispatches the load that V waits for",
)
@asc.jit
def s_overwrites_what_a_blocked_instruction_will_read(x_gm, y_gm, z_gm):
    """V waits for a load that S has not dispatched yet. Not even the device compiler can make S wait for V then."""
    x, z = tile(0), tile(1)
    asc.duplicate(x, 2.0, 256)
    asc.pipe_barrier(PIPE_ALL)
    asc.wait_flag(MTE2_V, 0)
    asc.adds(z, x, 1.0, 256)  # <- here
    x.set_value(200, 555.0)  # <- racy, there
    asc.data_copy(x, x_gm, 128)
    asc.set_flag(MTE2_V, 0)
    order(V_S)
    x.set_value(200, 555.0)  # <- clean
    order(V_MTE3)
    asc.data_copy(z_gm, z, 256)
