// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Matmul: its calls are done at once, on behalf of the cube core that S waits for. They are instructions of the pipe FIX, which begin
// when S issues them and are complete when S goes on.
#include "sim/matmul.h"

#include "apis/numeric.h"
#include "sim/machine.h"

#include <algorithm>
#include <cmath>

namespace asc::sim {

static constexpr int64_t kLargest = int64_t(1) << 28; // of the sizes of a part
static constexpr std::array<std::string_view, 4> kHelp = {"set_tensor_a", "set_tensor_b", "set_bias", "the tensor of get_tensor_c"};

MatmulState &Machine::matmul_of(const Step &s) { return framework_.matmuls[s.op == Op::MatmulIterate ? s.a : s.dst]; }

Machine::Stop Machine::matmul_fault(const Step &s, std::string_view code, std::string message, std::string help) {
  return fault({std::string(code), std::move(message), {site(s, Pipe::S)}, std::move(help)});
}

const Step *Machine::matmul(const Step &s) {
  MatmulState &m = matmul_of(s);
  const auto call = MatmulCall(s.aux);
  const std::string object = object_name(s.dst);
  const SlotRef *slots = program().operands.data() + s.a;
  const auto value = [&](unsigned slot) { return int64_t(extend_scalar(registers_[slots[slot].reg], slots[slot].dtype)); };
  const KernelTypeInfo &type = info(program().type);
  if (call == MatmulCall::Register) {
    if (place_.kind == CoreKind::AIC && type.aivs) return halt(s); // it serves the vector cores from now on
    if (framework_.count != 0)
      return matmul_fault(s, "Q121", object + " is registered after a buffer got its memory",
                          "call register_matmul before pipe.init_buffer");
    const auto registered =
        std::count_if(framework_.matmuls.begin(), framework_.matmuls.end(), [](const auto &other) { return other.second.registered; });
    if (!m.registered && registered >= MatmulState::kMost)
      return matmul_fault(s, "Q121", "a kernel registers more than " + std::to_string(MatmulState::kMost) + " Matmuls",
                          "use one of them for several products: init() gives it another tiling");
    m = {}, m.registered = true;
    return &s + 1;
  }
  if (!m.registered)
    return matmul_fault(s, "Q121", object + " is used before it is registered",
                        "call asc.adv.register_matmul(pipe, workspace, mm, tiling) first");
  if (call == MatmulCall::End) {
    m = {};
    return &s + 1;
  }
  if (call == MatmulCall::Init) return init_matmul(s, m) ? &s + 1 : nullptr;
  if (!m.initialised) return matmul_fault(s, "Q121", object + " has no tiling yet", "give register_matmul a tiling, or call init(tiling)");
  switch (call) {
  case MatmulCall::SetA:
  case MatmulCall::SetB: {
    if (value(2) && !value(3))
      return matmul_fault(s, "Q121",
                          std::string(call == MatmulCall::SetA ? "A" : "B") + " of " + object +
                              " is transposed, and its MatmulType does not permit that",
                          "write asc.adv.MatmulType(position, format, dtype, is_trans=True)");
    m.operands[call == MatmulCall::SetA ? 0 : 1] = {Address(registers_[slots[0].reg]), registers_[slots[1].reg], slots[0].dtype,
                                                    value(2) != 0, true};
    m.restart();
    return &s + 1;
  }
  case MatmulCall::SetBias:
    m.operands[2] = {Address(registers_[slots[0].reg]), registers_[slots[1].reg], slots[0].dtype, false, true};
    return &s + 1;
  case MatmulCall::DisableBias: m.operands[2].given = false; return &s + 1;
  case MatmulCall::OrgShape: {
    std::array<int64_t, 5> sizes;
    for (unsigned i = 0; i < 5; ++i) sizes[i] = value(i);
    if (*std::min_element(sizes.begin(), sizes.begin() + 4) < 1 || sizes[4] < 0 ||
        *std::max_element(sizes.begin(), sizes.end()) > INT32_MAX)
      return matmul_fault(s, "Q123", "set_org_shape of " + object + " gets a size that is not positive",
                          "give the sizes of the whole matrices in elements");
    m.org_m = sizes[0], m.org_n = sizes[1], m.org_ka = sizes[2], m.org_kb = sizes[3], m.org_kc = sizes[4] ? sizes[4] : sizes[1];
    m.restart();
    return &s + 1;
  }
  case MatmulCall::SingleShape: {
    const std::array<int64_t *, 3> own = {&m.m, &m.n, &m.k};
    constexpr std::array<char, 3> kAxes = {'m', 'n', 'k'};
    for (unsigned i = 0; i < 3; ++i) {
      const int64_t size = value(i);
      if (size == -1) continue;
      if (size < 1 || size > m.most[i])
        return matmul_fault(s, "Q123",
                            "the part of a core of " + object + " gets " + kAxes[i] + " = " + std::to_string(size) + ", expected 1 to " +
                                std::to_string(m.most[i]) + ", the blocks of its tiling together",
                            "make single_core_" + std::string(1, kAxes[i]) + " of the tiling as large as the largest part");
      *own[i] = size;
    }
    m.restart();
    return &s + 1;
  }
  case MatmulCall::GetTensorC:
    if (!m.has_block)
      return matmul_fault(s, "Q121", "get_tensor_c of " + object + " without a block that iterate has computed since the last one",
                          "call it once in every round of with " + object + ".iterate():");
    m.has_block = false;
    return store_block(s, m, {Address(registers_[slots[0].reg]), registers_[slots[1].reg], slots[0].dtype, false, true}, value(2),
                       value(3) != 0)
               ? &s + 1
               : nullptr;
  default: break;
  }
  return iterate_all(s, m, {Address(registers_[slots[0].reg]), registers_[slots[1].reg], slots[0].dtype, false, true}, value(2),
                     value(3) != 0)
             ? &s + 1
             : nullptr;
}

bool Machine::init_matmul(const Step &s, MatmulState &m) {
  const std::string object = object_name(s.dst);
  const SlotRef *slots = program().operands.data() + s.a;
  const int64_t order = int64_t(registers_[slots[0].reg]);
  const auto field = [&](Tiling f) { return int64_t(int32_t(registers_[slots[1 + unsigned(f)].reg])); };
  const auto bad = [&](std::string what, std::string help) {
    return matmul_fault(s, "Q122", "the tiling of " + object + ": " + what, std::move(help));
  };
  for (unsigned i = unsigned(Tiling::M); i <= unsigned(Tiling::StepN); ++i) {
    static constexpr std::string_view kNames[] = {"m",      "n",      "k_a",    "k_b",    "single_core_m", "single_core_n", "single_core_k",
                                                  "base_m", "base_n", "base_k", "step_m", "step_n"};
    if (field(Tiling(i)) < 1)
      return bad(std::string(kNames[i]) + " is " + std::to_string(field(Tiling(i))) + ", expected 1 or more", "fill the field");
  }
  for (unsigned i = unsigned(Tiling::SingleM); i <= unsigned(Tiling::BaseK); ++i)
    if (field(Tiling(i)) > kLargest)
      return bad("a size is " + std::to_string(field(Tiling(i))) + ", expected at most " + std::to_string(kLargest),
                 "give each core a smaller part");
  const auto operands = m.operands;
  m = {}, m.registered = m.initialised = true, m.operands = operands;
  m.org_m = field(Tiling::M), m.org_n = m.org_kc = field(Tiling::N), m.org_ka = field(Tiling::Ka), m.org_kb = field(Tiling::Kb);
  m.m = field(Tiling::SingleM), m.n = field(Tiling::SingleN), m.k = field(Tiling::SingleK);
  m.base_m = field(Tiling::BaseM), m.base_n = field(Tiling::BaseN), m.base_k = field(Tiling::BaseK);
  m.step_m = field(Tiling::StepM), m.step_n = field(Tiling::StepN);
  m.rows_first = (order == 2 ? field(Tiling::Order) : order) == 0;
  m.double_a = field(Tiling::DbA) == 2, m.double_b = field(Tiling::DbB) == 2, m.double_c = field(Tiling::DbC) == 2;
  const auto up = [](int64_t size, int64_t base) { return (size + base - 1) / base * base; };
  m.most = {up(m.m, m.base_m), up(m.n, m.base_n), up(m.k, m.base_k)};
  if (m.base_m % 16 || m.base_n % 16)
    return bad("base_m is " + std::to_string(m.base_m) + " and base_n is " + std::to_string(m.base_n) + ", expected multiples of 16",
               "a block consists of pieces of 16 x 16");
  if (field(Tiling::L1) > int64_t(info(Memory::L1).bytes))
    return bad("share_l1_size is " + std::to_string(field(Tiling::L1)) + ", and L1 has " + std::to_string(info(Memory::L1).bytes) +
                   " bytes",
               "keep fewer blocks in L1");
  if (m.base_m * m.base_n * 4 * (1 + m.double_c) > int64_t(info(Memory::L0C).bytes))
    return bad("a block of C has " + std::to_string(m.base_m) + " x " + std::to_string(m.base_n) + " numbers of 4 bytes" +
                   (m.double_c ? ", twice" : "") + ", and L0C has " + std::to_string(info(Memory::L0C).bytes) + " bytes",
               "make base_m or base_n smaller");
  return true;
}

/// What only the operands and the tiling together tell, before the first block.
bool Machine::check_matmul(const Step &s, const MatmulState &m) {
  const std::string object = object_name(s.op == Op::MatmulIterate ? s.a : s.dst);
  for (unsigned i = 0; i < 2; ++i)
    if (!m.operands[i].given)
      return matmul_fault(s, "Q121", object + " has no " + std::string(kMatmulOperands[i]),
                          "call " + object + "." + std::string(kHelp[i]) + "(tensor) first");
  const DType type = m.operands[0].dtype;
  const auto bad = [&](std::string what, std::string help) {
    return matmul_fault(s, "Q122", "the tiling of " + object + ": " + what, std::move(help));
  };
  if (m.base_k % fractal_width(type))
    return bad("base_k is " + std::to_string(m.base_k) + ", expected a multiple of " + std::to_string(fractal_width(type)) + " for " +
                   std::string(name(type)),
               "a step along K consists of pieces of 32 bytes");
  const auto fits = [&](Memory memory, int64_t rows, bool twice) {
    const int64_t bytes = rows * m.base_k * int64_t(size_of(type)) * (1 + twice);
    return bytes <= int64_t(info(memory).bytes);
  };
  const auto too_large = [&](Memory memory, const char *rows, int64_t size, bool twice) {
    return bad(std::string(rows) + " x base_k is " + std::to_string(size) + " x " + std::to_string(m.base_k) + " numbers of " +
                   std::string(name(type)) + (twice ? ", twice" : "") + ", and " + std::string(info(memory).name) + " has " +
                   std::to_string(info(memory).bytes) + " bytes",
               "make base_k smaller");
  };
  if (!fits(Memory::L0A, m.base_m, m.double_a)) return too_large(Memory::L0A, "base_m", m.base_m, m.double_a);
  if (!fits(Memory::L0B, m.base_n, m.double_b)) return too_large(Memory::L0B, "base_n", m.base_n, m.double_b);
  if (m.operands[2].given && m.base_n * 4 > int64_t(info(Memory::BT).bytes))
    return bad("base_n is " + std::to_string(m.base_n) + ", and with a bias it is 256 at most", "make base_n smaller");
  return true;
}

/// The bytes of a part of a matrix: `rows` runs of `columns` elements from element `start` on.
static Access part(MatmulOperand which, const MatmulState::Tensor &t, int64_t start, int64_t rows, int64_t columns, int64_t stride) {
  const int64_t size = size_of(t.dtype);
  Access access;
  access.arg = uint8_t(which);
  access.element = uint8_t(size);
  access.address = t.address;
  access.start = start * size;
  access.repeats = uint32_t(rows), access.bytes = uint32_t(columns * size), access.repeat_stride = stride * size;
  return access;
}

/// Rows `row`.. of A, columns `column`.. of B and the bias: their bytes go to `accesses_`. False after a fault.
bool Machine::read_parts(const Step &s, const MatmulState &m, BlockGrid::Block at, int64_t rows, int64_t columns, bool with_bias) {
  const auto [a, b, bias] = m.operands;
  const int64_t row = at.row * m.base_m, column = at.column * m.base_n;
  accesses_.size = 0;
  accesses_.add() =
      a.transposed ? part(MatmulOperand::A, a, row, m.k, rows, m.org_m) : part(MatmulOperand::A, a, row * m.org_ka, rows, m.k, m.org_ka);
  accesses_.add() = b.transposed ? part(MatmulOperand::B, b, column * m.org_kb, columns, m.k, m.org_kb)
                                 : part(MatmulOperand::B, b, column, m.k, columns, m.org_n);
  if (with_bias) accesses_.add() = part(MatmulOperand::Bias, bias, column, 1, columns, 0);
  for (unsigned i = 0; i < accesses_.size; ++i) {
    accesses_.list[i].read = true;
    if (!inside(s, m.operands[i], accesses_.list[i])) return false;
  }
  return true;
}

/// Whether an access stays inside of its tensor and of its array.
bool Machine::inside(const Step &s, const MatmulState::Tensor &t, const Access &access) {
  const int64_t end = access.extent().second, size = size_of(t.dtype);
  if (t.length != 0 && uint64_t(end) > t.length)
    return matmul_fault(s, "Q123",
                        std::string(kMatmulOperands[access.arg]) + " of " + object_name(s.op == Op::MatmulIterate ? s.a : s.dst) + " has " +
                            plural(int64_t(t.length) / size, "element") + ", and the shapes need " + std::to_string(end / size),
                        "check set_org_shape, set_single_shape, the tiling, and the tensor given to " + std::string(kHelp[access.arg]));
  return reach(s, Pipe::FIX, access);
}

void Machine::compute(MatmulState &m, BlockGrid::Block at, int64_t rows, int64_t columns, bool with_bias, bool add) {
  const auto [a, b, bias] = m.operands;
  const int64_t row = at.row * m.base_m, column = at.column * m.base_n;
  const auto from = [&](const MatmulState::Tensor &t, int64_t element) { return host(t.address) + element * int64_t(size_of(t.dtype)); };
  const Matrix left = a.transposed ? Matrix{from(a, row), a.dtype, 1, m.org_m} : Matrix{from(a, row * m.org_ka), a.dtype, m.org_ka, 1};
  const Matrix right =
      b.transposed ? Matrix{from(b, column * m.org_kb), b.dtype, 1, m.org_kb} : Matrix{from(b, column), b.dtype, m.org_n, 1};
  if (!add) m.block.start(rows, columns, a.dtype, with_bias ? Matrix{from(bias, column), bias.dtype, 0, 1} : Matrix{});
  m.block.multiply(left, right, m.k, m.base_k, saturates());
}

bool Machine::saturates() const { return !(place_.kind == CoreKind::AIC ? core_.keep_inf_nan : assume::keep_inf_nan_at_start); }

/// The cube core needs that many cycles, and the time of the transfers of `accesses_`; S waits for it. Tells the observers;
/// what cores combine atomically is no race between them, and is left out.
void Machine::served(const Step &s, uint64_t cube, bool atomic) {
  uint64_t transfers = 0;
  for (const Access &access : accesses_.span()) {
    uint64_t total = 0, fresh = 0;
    access.for_each_run([&](int64_t offset, int64_t bytes) {
      const int64_t start = access.address.offset() + offset;
      total += uint64_t(bytes), fresh += in_l2_[access.address.window()].add(uint64_t(start), uint64_t(start + bytes));
    });
    ++transfers_;
    (access.write ? written_bytes_ : read_bytes_) += total;
    const uint64_t missed = access.write       ? uint64_t(std::llround(double(total) * launch_->write_miss))
                            : launch_->fits_l2 ? std::min(fresh, total)
                                               : total;
    Access place = access;
    if (const auto address = access.address.moved(access.start)) place.address = *address, place.start = 0;
    const DmaTime time = dma_time(access.write ? Path::UbToGm : Path::GmToUb, place, missed, traffic_);
    transfers += time.occupancy + time.latency;
  }
  const uint64_t start = std::max(now_, pipe(Pipe::FIX).free), message = place_.kind == CoreKind::AIV ? 2 * kScalarCost.cross_core : 0;
  const uint64_t end = start + message + std::max(cube, transfers);
  PipeState &state = pipe(Pipe::FIX);
  state.free = state.done = end;
  state.time.busy += end - start, state.time.instructions += 1;
  if (launch_->cross) tell_of_writes(accesses_.span());
  const Execution execution{pc_of(s), Pipe::FIX, nullptr, atomic ? std::span<const Access>() : accesses_.span(), start, end, 0};
  for (auto &observer : observers_) observer->execute(execution);
  for (size_t i = 0; i < followers_; ++i) observers_[i]->scalar_waits(pc_of(s), Pipe::FIX, start, end);
  stalled_ += end - now_;
  now_ = end;
}

const Step *Machine::matmul_iterate(const Step &s) {
  MatmulState &m = matmul_of(s);
  const std::string object = object_name(s.a);
  if (!m.initialised)
    return matmul_fault(s, "Q121", object + " is used before it is registered with a tiling",
                        "call asc.adv.register_matmul(pipe, workspace, mm, tiling) first");
  if (m.ended)
    return matmul_fault(s, "Q121", "iterate of " + object + " has been through all blocks",
                        "call set_tensor_a or set_tensor_b before the next loop");
  if (m.next == 0 && !check_matmul(s, m)) return nullptr;
  const BlockGrid grid = m.grid();
  m.ended = m.next == grid.size();
  registers_[s.dst] = !m.ended;
  if (m.ended) return &s + 1;
  const bool add = registers_[s.b] & 1;
  if (add && (grid.size() != 1 || !m.computed))
    return matmul_fault(s, "Q121",
                        object + " adds to a block before, and " +
                            (grid.size() != 1 ? "C has " + std::to_string(grid.size()) + " blocks" : "there is none"),
                        "en_partial_sum is for a C of one block, after an iterate() without it");
  m.at = grid.at(m.next++);
  m.rows = std::min(m.base_m, m.m - m.at.row * m.base_m), m.columns = std::min(m.base_n, m.n - m.at.column * m.base_n);
  const bool with_bias = m.operands[2].given && !add;
  if (!read_parts(s, m, m.at, m.rows, m.columns, with_bias)) return nullptr;
  compute(m, m.at, m.rows, m.columns, with_bias, add);
  m.has_block = m.computed = true;
  served(s, cube_cycles(m.operands[0].dtype, m.rows, m.columns, m.k));
  return &s + 1;
}

/// Where a block of C goes: packed, or to its place.
static Access place_of(const MatmulState &m, const MatmulState::Tensor &c, int64_t sequential) {
  Access access = sequential >= 0
                      ? part(MatmulOperand::C, c, sequential, m.rows, m.columns, m.columns)
                      : part(MatmulOperand::C, c, m.at.row * m.base_m * m.org_kc + m.at.column * m.base_n, m.rows, m.columns, m.org_kc);
  access.write = true;
  return access;
}

bool Machine::store_mode(const Step &s, int64_t atomic) {
  if (atomic >= 0 && atomic < int64_t(kStoreModes)) return true;
  return matmul_fault(s, "Q121", "en_atomic is " + std::to_string(atomic) + ", expected 0 (store), 1 (add), 2 (max) or 3 (min)",
                      "pass one of these");
}

bool Machine::store_block(const Step &s, MatmulState &m, const MatmulState::Tensor &c, int64_t atomic, bool sequential) {
  if (!store_mode(s, atomic)) return false;
  accesses_.size = 0;
  const Access &access = accesses_.add() = place_of(m, c, sequential ? 0 : -1);
  if (!inside(s, c, access)) return false;
  m.block.store(host(c.address) + access.start, c.dtype, access.repeat_stride / int64_t(size_of(c.dtype)), StoreMode(atomic), saturates());
  served(s, 0, atomic != 0);
  return true;
}

bool Machine::iterate_all(const Step &s, MatmulState &m, const MatmulState::Tensor &c, int64_t atomic, bool sequential) {
  const std::string object = object_name(s.dst);
  if (m.ended || m.next)
    return matmul_fault(s, "Q121", "iterate_all of " + object + " after blocks were computed already",
                        "call set_tensor_a or set_tensor_b first");
  if (!check_matmul(s, m) || !store_mode(s, atomic)) return false;
  const bool with_bias = m.operands[2].given;
  if (!read_parts(s, m, {0, 0}, m.m, m.n, with_bias)) return false;
  served(s, cube_cycles(m.operands[0].dtype, m.m, m.n, m.k));
  const BlockGrid grid = m.grid();
  for (; m.next < grid.size(); ++m.next) {
    m.at = grid.at(m.next);
    m.rows = std::min(m.base_m, m.m - m.at.row * m.base_m), m.columns = std::min(m.base_n, m.n - m.at.column * m.base_n);
    accesses_.size = 0;
    const Access &access = accesses_.add() = place_of(m, c, sequential ? m.next * m.base_m * m.base_n : -1);
    if (!inside(s, c, access)) return false;
    compute(m, m.at, m.rows, m.columns, with_bias, false);
    m.block.store(host(c.address) + access.start, c.dtype, access.repeat_stride / int64_t(size_of(c.dtype)), StoreMode(atomic),
                  saturates());
    if (sequential) served(s, 0, atomic != 0);
  }
  m.ended = true;
  if (sequential) return true;
  accesses_.size = 0;
  Access &all = accesses_.add() = part(MatmulOperand::C, c, 0, m.m, m.n, m.org_kc);
  all.write = true;
  served(s, 0, atomic != 0);
  return true;
}

} // namespace asc::sim
