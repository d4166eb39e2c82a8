// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a block runs. S executes the program in order and hands instructions to the pipes. A pipe takes effect at once unless it waits for a
// flag; then its instructions queue up with their operands captured, and take effect when the flag is set. Each pipe has a clock, so time
// and order are separate.
#include "sim/machine.h"

#include "apis/numeric.h"

#include <algorithm>
#include <cmath>

namespace asc::sim {

static std::string bytes_text(int64_t low, int64_t high) { // [low, high)
  return "bytes " + std::to_string(low) + ".." + std::to_string(high - 1);
}
static std::string flag_name(unsigned event, unsigned id) { return std::string(kEventInfo[event].name) + ", id " + std::to_string(id); }
static int64_t saturating_add(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/// An address in no array.
static constexpr Address kNoArray(Memory::GM, 0xFFFFF, 0);

// ---------------------------------------------------------------- life of a block

Machine::Machine() : ub_(Memory::UB) {}

void Machine::start(const LaunchContext &launch, uint32_t core, unsigned active) {
  launch_ = &launch;
  const Program &p = program();
  registers_.assign(p.registers, 0);
  std::copy(p.constants.begin(), p.constants.end(), registers_.begin());
  for (size_t i = 0; i < p.params.size(); ++i)
    registers_[p.constants.size() + i] =
        p.params[i].kind == ParamKind::Address ? launch.args[i] : extend_scalar(launch.args[i], p.params[i].dtype);
  uint32_t words = 0;
  for (const ScalarArray &array : p.arrays) words = std::max(words, array.first + array.length);
  arrays_.words.resize(words), arrays_.set.assign(words, 0);
  ub_.poison();
  core_ = CoreState{};
  place_ = core_of(p.type, core);
  core_.block_idx = block_idx(p.type, place_), core_.block_num = launch.options.blocks;
  core_.kind = place_.kind;
  core_.sub_block_idx = place_.sub;
  core_.sub_block_num = place_.kind == CoreKind::AIC ? info(p.type).aics : info(p.type).aivs;
  core_.mhz = launch.executable.chip->mhz;
  pointers_.fill(kNoArray.word);
  traffic_ = {launch.executable.chip, active, launch.write_miss};
  for (PipeState &pipe : pipes_) {
    pipe.free = pipe.data_free = pipe.done = 0;
    pipe.time = {};
    if (!pipe.queue.empty()) pipe.queue.clear();
  }
  if (flags_used_) flags_.fill({});
  if (cache_used_) cache_.fill(0);
  flags_used_ = cache_used_ = false;
  data_cache_.start();
  last_uses_.start(p.auto_sync && launch.executable.scalar_accesses);
  framework_.start(p.objects.size());
  known_calls_.start(launch.executable.known, launch.executable.known_slots, launch.options.checks.has(Check::Rules));
  accesses_.bytes_at = [this](Address address, uint64_t bytes) { return looked_at_ = true, bytes_at(address, bytes); };
  in_l2_.resize(launch.windows.size());
  for (LineSet &lines : in_l2_) lines.clear();
  functions_.clear();
  now_ = stalled_ = instructions_ = 0;
  if (adversary_.on) {
    stores_.clear();
    for (auto &reached : reached_) reached.clear();
  }
  adversary_ = {launch.options.adversarial, launch.options.seed * 0x2545F4914F6CDD1Dull + core};
  read_bytes_ = written_bytes_ = transfers_ = 0;
  printed_.clear(), printed_full_ = false, files_.clear();
  next_ = launch.executable.steps.data();
  state_ = State::Ready;
  blocked_ = nullptr;
  const BlockInfo block_info{&p, core, launch.options.blocks, launch.window_bytes, &launch.constant, launch.cross != nullptr};
  followers_ = 0;
  for (Observer *observer : launch.options.observers) {
    std::unique_ptr<BlockObserver> own = observer->block(block_info, launch.report);
    const auto place = own->follows_order() ? observers_.begin() + std::ptrdiff_t(followers_++) : observers_.end();
    observers_.insert(place, std::move(own));
  }
}

void Machine::run(uint64_t until) {
  const Step *step = next_;
  uint64_t count = 0;
  state_ = State::Ready;
  while (step && now_ < until) {
    ++now_, ++count; // S takes a cycle to issue an instruction
    step = step->run(*this, *step);
  }
  if (state_ != State::Stopped) next_ = state_ == State::Waiting ? blocked_ : step;
  instructions_ += count;
}

void Machine::account(LaunchResult &result) const {
  result.instructions += instructions_;
  result.gm_read_bytes += read_bytes_, result.gm_written_bytes += written_bytes_, result.gm_transfers += transfers_;
  for (unsigned i = 0; i < kPipes; ++i) {
    result.pipes[i].busy += pipes_[i].time.busy;
    result.pipes[i].instructions += pipes_[i].time.instructions;
  }
  result.pipes[unsigned(Pipe::S)].busy += now_ - stalled_;
  result.pipes[unsigned(Pipe::S)].instructions += instructions_;
}

void Machine::release() {
  observers_.clear();
  launch_ = nullptr;
}

Machine::Stop Machine::fault(Finding finding) {
  finding.fatal = true;
  launch_->report.add(std::move(finding));
  state_ = State::Faulted;
  return {};
}

void Machine::fail_cycle_limit() {
  fault({"M204",
         own_name() + " has run for " + std::to_string(now_) + " simulated cycles, the limit of this launch",
         {site(*next_, Pipe::S, "was about to run")},
         "look for a loop that never ends; for a long kernel raise the limit: @asc.jit(max_cycles=...)"});
}

template <class Event> void Machine::notify(Tickets tickets, Event &&event) {
  for (size_t i = 0; i < followers_; ++i) event(*observers_[i], tickets.empty() ? 0 : tickets[i]);
}

const Step *Machine::halt(const Step &) {
  if (adversary_.on) exhaust();
  if (state_ != State::Ready) return nullptr;
  if (any_queued()) return deadlock(nullptr);
  if (launch_->options.data_cache) data_cache_.clean_all(place_of_line()); // "data cache at the end of a kernel"
  const uint64_t last = now_;
  for (const PipeState &pipe : pipes_) now_ = std::max(now_, pipe.done);
  stalled_ += now_ - last;
  if (launch_->options.checks.has(Check::Flags)) report_leftover_flags();
  state_ = State::Halted;
  for (auto &observer : observers_) observer->end(now_);
  return nullptr;
}

// ---------------------------------------------------------------- memory

uint64_t Machine::size_of_memory(Address address) const {
  switch (address.memory()) {
  case Memory::GM: return address.window() < launch_->windows.size() ? launch_->windows[address.window()].bytes : 0;
  case Memory::UB: return place_.kind == CoreKind::AIV ? ub_.size() : 0;
  default: return 0; // of the cube core
  }
}

/// Where an address is in host memory; null outside. Inside, what an instruction may touch has been checked by `reach`.
std::byte *Machine::host(Address address) const {
  if (address.offset() < 0 || uint64_t(address.offset()) > size_of_memory(address)) return nullptr;
  if (address.memory() == Memory::UB) return ub_.at(uint64_t(address.offset()));
  return address.memory() == Memory::GM && address.window() < launch_->windows.size()
             ? launch_->windows[address.window()].data + address.offset()
             : nullptr;
}

/// The bytes at an address of UB, wherever they are; null outside.
const std::byte *Machine::bytes_at(Address address, uint64_t bytes) {
  const int64_t offset = address.offset();
  if (address.memory() != Memory::UB || offset < 0 || uint64_t(offset) + bytes > ub_.size()) return nullptr;
  return ub_.find(uint64_t(offset), uint64_t(offset), uint64_t(offset) + bytes);
}

/// Whether an access stays inside its memory. Always asked: nothing outside is ever read or written.
bool Machine::reach(const Step &s, Pipe p, const Access &access) {
  if (access.empty()) return true;
  const auto [low, high] = access.extent();
  const Address address = access.address;
  int64_t begin, end;
  if (__builtin_add_overflow(address.offset(), low, &begin) || __builtin_add_overflow(address.offset(), high, &end) || begin < 0 ||
      uint64_t(end) > size_of_memory(address))
    return out_of_bounds(s, p, access);
  if (!access.write) return true;
  if (address.memory() == Memory::UB)
    ub_.touch(uint64_t(begin), uint64_t(end));
  else if (const Window &window = launch_->windows[address.window()]; window.read_only)
    return fault({"M102",
                  "the array of " + window.name + " is read-only and the kernel writes it",
                  {site(s, p, "writes " + operand_name(s, access.arg))},
                  "pass a writable array, for example a copy"});
  return true;
}

/// Offsets are read where they stand, by the instruction and by the observers, unless it is the instruction that overwrites them.
void Machine::keep_offsets(Access &access) {
  const size_t blocks = access.offset_count(), bytes = blocks * sizeof(uint32_t);
  const bool overwritten = std::any_of(accesses_.span().begin(), accesses_.span().end(), [&](const Access &other) {
    if (!other.write || other.address.memory() != Memory::UB) return false;
    const auto [low, high] = other.extent();
    const std::byte *start = ub_.at(0) + other.address.offset();
    return start + low < access.offsets + bytes && access.offsets < start + high;
  });
  if (!overwritten) return;
  offsets_.resize(std::max(offsets_.size(), bytes));
  for (size_t i = 0; i < blocks; ++i) // those of lanes that are off may lie outside of the memory
    if (access.has_offset(i)) std::memcpy(offsets_.data() + i * sizeof(uint32_t), access.offsets + i * sizeof(uint32_t), sizeof(uint32_t));
  access.offsets = offsets_.data();
}

/// Finds the first offset that leads outside the tensor, or to a place where no element or block begins.
void Machine::check_offsets(const Step &s, Pipe p, const Call &call, const Access &access) {
  const auto [low, high] = access.extent();
  const int64_t length = int64_t(call.length(access.arg)), size = access.bytes;
  const auto wrong = [&](int64_t byte) { return byte % size != 0 || (length != 0 && byte + size > length); };
  if ((length == 0 || high <= length) && (access.all_bits % size | access.start % size) == 0) return;
  if (!launch_->report.wanted("M107", place_.number, pc_of(s))) return;
  for (size_t i = 0; i < access.offset_count(); ++i) {
    if (!access.has_offset(i)) continue;
    const int64_t place = access.start + access.offset(i);
    if (!wrong(place)) continue;
    const std::string name = operand_name(s, access.arg), what = size == 32 ? "a block" : "an element";
    const bool beyond = place % size == 0;
    launch_->report.add({"M107",
                         std::string(s.site->row->name) + ": offset " + std::to_string(i) + " leads to byte " + std::to_string(place) +
                             " of " + name + ", expected " +
                             (beyond ? "0 to " + std::to_string(length - size) + ": it has " + plural(length, "byte")
                                     : "a multiple of " + std::to_string(size) + ", where " + what + " begins"),
                         {site(s, p, "reads " + name)},
                         beyond ? "check the offsets against the size of " + name + ": they count bytes"
                                : "offsets count bytes: multiply the number of " + what + " by " + std::to_string(size)});
    return;
  }
}

Machine::Stop Machine::out_of_bounds(const Step &s, Pipe p, const Access &access) {
  const Address address = access.address;
  const auto [low, high] = access.extent();
  const int64_t begin = saturating_add(address.offset(), low), end = saturating_add(address.offset(), high),
                size = int64_t(size_of_memory(address));
  const std::string name = operand_name(s, access.arg), does = access.write ? "writes " : "reads ";
  std::string where, help;
  if (address.memory() == Memory::GM) {
    const bool known = address.window() < launch_->windows.size();
    where = known ? "the array of " + launch_->windows[address.window()].name : "an array that does not exist";
    help = known ? "check the offset and the number of elements against the size of the array"
                 : "set the address first: asc.set_sys_workspace(address) or asc.set_hccl_context(index, address)";
  } else {
    where = std::string(info(address.memory()).name);
    help = size == 0 ? where + " belongs to the cube core; vector kernels have UB" : "check the address and the length of " + name;
  }
  std::string message = name + " reaches outside " + where + " (" + plural(size, "byte") + "): " + does + bytes_text(begin, end) + ", ";
  if (begin < 0)
    message += plural(-begin, "byte") + " before its start";
  else
    message += plural(end - size, "byte") + " past its end";
  FindingSite place = site(s, p, does + name);
  place.bytes = {access.write, name, address.memory(), begin, end, end - begin};
  return fault({"M101", std::move(message), {std::move(place)}, std::move(help)});
}

/// `address` moved by register `index` elements of the step's type; nothing after a fault.
std::optional<Address> Machine::moved(const Step &s, Address address, uint32_t index, DType index_type, int64_t &bytes) {
  const uint64_t n = extend_scalar(registers_[index], index_type);
  const bool huge = index_type == DType::UInt64 && n >> 63;
  if (!huge && !__builtin_mul_overflow(int64_t(n), int64_t(size_of(s.type)), &bytes))
    if (const auto result = address.moved(bytes)) return result;
  fault({"M103",
         "an address is moved by " + (huge ? std::to_string(n) : std::to_string(int64_t(n))) + " elements of " + std::string(name(s.type)) +
             ", which leaves the address space",
         {site(s, Pipe::S)},
         "check the offset: it counts elements"});
  return std::nullopt;
}

const Step *Machine::local(const Step &s) {
  const Memory memory = memory_of(Position(s.aux));
  const int64_t start = int64_t(registers_[s.a]), count = int64_t(registers_[s.b]);
  int64_t bytes = 0, end = 0;
  const bool fits = start >= 0 && count >= 0 && !__builtin_mul_overflow(count, int64_t(size_of(s.type)), &bytes) &&
                    !__builtin_add_overflow(start, bytes, &end) && end <= int64_t(info(memory).bytes);
  if (!fits)
    return fault({"M104",
                  "a tensor of " + plural(count, "element") + " of " + std::string(name(s.type)) + " at byte " + std::to_string(start) +
                      " does not fit " + std::string(info(memory).name) + ", which has " + plural(info(memory).bytes, "byte"),
                  {site(s, Pipe::S)},
                  "make the tensors smaller, or let those that are not alive together share their addresses"});
  registers_[s.dst] = Address(memory, 0, start).word;
  registers_[s.dst + 1] = uint64_t(bytes);
  return &s + 1;
}

const Step *Machine::global(const Step &s) {
  const int64_t count = s.b == kNoRegister ? 0 : int64_t(registers_[s.b]);
  int64_t bytes = 0;
  if (count < 0 || __builtin_mul_overflow(count, int64_t(size_of(s.type)), &bytes))
    return fault(
        {"M104", "a global tensor of " + plural(count, "element"), {site(s, Pipe::S)}, "the size is a number of elements from 0 on"});
  registers_[s.dst] = registers_[s.a];
  registers_[s.dst + 1] = uint64_t(bytes);
  return &s + 1;
}

const Step *Machine::view(const Step &s) {
  int64_t bytes = 0;
  const int64_t length = int64_t(registers_[s.a + 1]);
  const auto address = moved(s, Address(registers_[s.a]), s.b, DType(s.aux), bytes);
  if (!address) return nullptr;
  // A length of 0 means: not given.
  const bool inside = bytes >= 0 && bytes <= length;
  if (length != 0 && !inside)
    warn(
        s, "M105",
        [&] {
          const int64_t size = length / int64_t(size_of(s.type));
          return "a sub-tensor starts at element " + std::to_string(int64_t(registers_[s.b])) + ", expected 0 to " + std::to_string(size) +
                 ": " + operand_name(s, 0) + " has " + plural(size, "element");
        },
        "check the index against the size of the tensor");
  registers_[s.dst] = address->word;
  registers_[s.dst + 1] = length != 0 && inside ? uint64_t(length - bytes) : 0;
  return &s + 1;
}

const Step *Machine::resize(const Step &s) {
  const Address address(registers_[s.a]);
  const int64_t count = int64_t(registers_[s.b]), room = int64_t(info(address.memory()).bytes) - address.offset();
  int64_t bytes = 0;
  if (count < 0 || __builtin_mul_overflow(count, int64_t(size_of(s.type)), &bytes) || bytes > room)
    return fault({"M104",
                  "a tensor of " + plural(count, "element") + " of " + std::string(name(s.type)) + " at byte " +
                      std::to_string(address.offset()) + " does not fit " + std::string(info(address.memory()).name) + ", which has " +
                      plural(info(address.memory()).bytes, "byte"),
                  {site(s, Pipe::S)},
                  "give the tensor no more elements than there are from its start to the end of the memory"});
  registers_[s.dst] = registers_[s.a];
  registers_[s.dst + 1] = uint64_t(bytes);
  return &s + 1;
}

const Step *Machine::offset(const Step &s) {
  int64_t bytes = 0;
  const auto address = moved(s, Address(registers_[s.a]), s.b, DType(s.aux), bytes);
  if (!address) return nullptr;
  registers_[s.dst] = address->word;
  return &s + 1;
}

unsigned Machine::scalar_cycles(Address address) {
  if (address.memory() != Memory::GM) return kScalarCost.local_access;
  const uint64_t line = address.word / kCacheLine;
  uint64_t &tag = cache_[line % kCacheLines];
  cache_used_ = true;
  if (tag == line) return kScalarCost.memory_hit;
  tag = line;
  return kScalarCost.memory_miss;
}

/// S stands still until the pipes are done with bytes that it is about to use, as the flags of the device's compiler make it.
void Machine::wait_for_uses(const Access &access) {
  if (access.empty() || access.address.memory() != Memory::UB) return;
  const auto [low, high] = access.extent();
  const uint64_t start = uint64_t(access.address.offset());
  const uint64_t done = last_uses_.complete(access.write, start + uint64_t(low), start + uint64_t(high));
  if (done <= now_) return;
  stalled_ += done - now_;
  now_ = done;
}

void Machine::note_uses(Pipe p) {
  for (const Access &access : accesses_.span()) {
    if (access.empty() || access.address.memory() != Memory::UB) continue;
    const auto [low, high] = access.extent();
    const uint64_t start = uint64_t(access.address.offset());
    last_uses_.note(p, access.write, start + uint64_t(low), start + uint64_t(high), pipe(p).done);
  }
}

/// GetValue and SetValue: one element of the tensor at register `tensor`.
const Step *Machine::scalar_access(const Step &s, uint32_t tensor, uint32_t index, bool write) {
  int64_t bytes = 0;
  const auto address = moved(s, Address(registers_[tensor]), index, DType(s.aux), bytes);
  if (!address) return nullptr;
  const int64_t length = int64_t(registers_[tensor + 1]), size = size_of(s.type);
  if (length != 0 && (bytes < 0 || bytes > length - size))
    warn(
        s, "M105",
        [&] {
          return "element " + std::to_string(bytes / size) + " of " + operand_name(s, 0) + ", expected 0 to " +
                 std::to_string(length / size - 1) + ": it has " + plural(length / size, "element");
        },
        "check the index against the size of the tensor");
  if (place_.kind == CoreKind::AIC && address->memory() == Memory::UB) { // left out there
    if (!write) registers_[s.dst] = 0;
    return &s + 1;
  }
  Access access;
  access.read = !write, access.write = write;
  access.element = uint8_t(size), access.bytes = uint32_t(size);
  access.address = *address;
  if (!reach(s, Pipe::S, access)) return nullptr;
  if (adversary_.on) {
    complete_before(access);
    if (!write) store_all();
  }
  std::byte *data = host(*address);
  if (ub_.lent() && address->memory() == Memory::UB) {
    const uint64_t low = uint64_t(address->offset()), high = low + uint64_t(size);
    if (write)
      ub_.fetch(low, high);
    else
      data = ub_.find(low, low, high);
  }
  const bool cached = in_data_cache(*address);
  if (write && cached) {
    data_cache_.write(*address, reinterpret_cast<const std::byte *>(&registers_[s.b]), unsigned(size), place_of_line());
  } else if (write && stores_late()) {
    stores_.push_back({*address, registers_[s.b], unsigned(size)});
  } else if (write) {
    std::memcpy(data, &registers_[s.b], size_t(size));
  } else {
    uint64_t bits = 0;
    if (cached)
      data_cache_.read(*address, reinterpret_cast<std::byte *>(&bits), unsigned(size), place_of_line());
    else
      std::memcpy(&bits, data, size_t(size));
    registers_[s.dst] = extend_scalar(bits, s.type);
  }
  if (last_uses_.follow()) wait_for_uses(access);
  const uint64_t start = now_;
  now_ += scalar_cycles(*address) - 1;                         // the first cycle is that of the issue
  if (launch_->cross && cached) launch_->cross->written(now_); // a line may have been written back
  if (launch_->cross) tell_of_writes({&access, 1});
  const Execution execution{pc_of(s), Pipe::S, nullptr, {&access, 1}, start, now_, 0, write ? registers_[s.b] : 0};
  for (auto &observer : observers_) observer->execute(execution);
  return &s + 1;
}
const Step *Machine::get_value(const Step &s) { return scalar_access(s, s.a, s.b, false); }
const Step *Machine::set_value(const Step &s) { return scalar_access(s, s.dst, s.a, true); }

// ---------------------------------------------------------------- API instructions

void Machine::read_operands(const ApiSite &site) {
  call_.row = site.row, call_.lay = site.lay, call_.form = site.form;
  for (size_t i = 0; i < site.reads.size(); ++i) {
    const SlotRead &read = site.reads[i];
    call_.slots[i] = {read.of(registers_[read.reg]), read.dtype};
  }
}

const Step *Machine::api(const Step &s) {
  const ApiSite &site = *s.site;
  read_operands(site);
  const Pipe p = site.row->pipe_of ? site.row->pipe_of(call_) : site.row->pipe;
  if (place_.kind == CoreKind::AIC && left_out(p)) {
    for (unsigned k = 0; k < site.row->results(site.form); ++k) registers_[site.result + k] = 0;
    return &s + 1;
  }
  KnownCalls::Entry *known = site.known ? known_calls_.find(site, call_, core_) : nullptr;
  if (site.known && !known && (!launch_->options.checks.has(Check::Rules) || check_rules(s, p))) known_calls_.add(site, call_, core_);
  if (p != Pipe::S && (site.result != kNoRegister || (site.row->ends_in_scalar && site.row->ends_in_scalar(call_))))
    return wait_for_end(s, p, known);
  if (p == Pipe::S || at_once(p)) return execute(s, call_, core_, p, now_, {}, known) ? &s + 1 : nullptr;
  Pending *pending = defer(p, s, Action::Run);
  if (!pending) return nullptr;
  pending->call = std::make_unique<Call>(call_);
  pending->core = core_;
  if (site.row->registers) site.row->registers(call_, core_);
  return &s + 1;
}

/// An instruction of a pipe whose end S waits for.
const Step *Machine::wait_for_end(const Step &s, Pipe p, KnownCalls::Entry *known) {
  while (adversary_.on && state_ == State::Ready && complete(p)) {
  }
  if (state_ != State::Ready) return nullptr;
  if (!pipe(p).queue.empty()) return deadlock(&s);
  if (!execute(s, call_, core_, p, now_, {}, known)) return nullptr;
  const uint64_t start = now_;
  now_ = std::max(now_, pipe(p).done);
  stalled_ += now_ - start;
  notify({}, [&](BlockObserver &observer, uint64_t) { observer.scalar_waits(pc_of(s), p, start, now_); });
  return &s + 1;
}

/// The device compiles what needs the vector unit or UB for the vector cores only (08-scalar section 2).
bool Machine::left_out(Pipe p) const {
  const auto tensors = std::span(call_.lay->tensor).first(call_.lay->tensors);
  return p == Pipe::V ||
         std::any_of(tensors.begin(), tensors.end(), [&](uint8_t arg) { return call_.address(arg).memory() == Memory::UB; });
}

/// Asks the rules that values of the run decide; true when all hold.
bool Machine::check_rules(const Step &s, Pipe p) {
  bool hold = true;
  for (const Rule *rule : s.site->rules) {
    const auto violation = rule->check(call_, &core_);
    hold &= !violation;
    if (!violation || !launch_->report.wanted(rule->code, place_.number, pc_of(s))) continue;
    launch_->report.add({std::string(rule->code),
                         std::string(s.site->row->name) + ": " + violation->got + ", expected " + violation->expected,
                         {site(s, p, operand_name(s, violation->arg))},
                         violation->help,
                         /*fatal=*/false,
                         rule->is_warning});
  }
  return hold;
}

/// Leaves the bytes of a large copy to UB from an array that no block writes where they are (LocalMemory::lend); false for all else.
bool Machine::leave_in_array(const ApiSite &site) {
  constexpr uint64_t kWorthIt = 4096;
  if (!site.row->copies || accesses_.size != 2 || launch_->stops != Stops::Never) return false;
  const bool read_first = accesses_.list[0].read;
  const Access &from = accesses_.list[read_first ? 0 : 1], &to = accesses_.list[read_first ? 1 : 0];
  if (from.address.memory() != Memory::GM || to.address.memory() != Memory::UB || !launch_->constant[from.address.window()]) return false;
  if (from.blocks != 1 || to.blocks != 1) return false; // blocks within repeats may be in another order
  const uint64_t bytes = uint64_t(from.extent().second), low = uint64_t(to.address.offset());
  const std::byte *source = host(from.address);
  const bool aligned = reinterpret_cast<uintptr_t>(source) % sizeof(uint64_t) == 0; // as every element in UB is
  if (bytes < kWorthIt || !aligned || !from.dense() || !to.dense() || uint64_t(to.extent().second) != bytes) return false;
  ub_.drop(low, low + bytes);
  ub_.lend(low, low + bytes, source);
  return true;
}

/// Tells an instruction where its bytes are when some of UB are lent. What it writes has to be in UB; an operand that is only read may be
/// in its array.
void Machine::find_lent(Exec &exec) {
  const auto in_ub = [](const Access &access) { return access.address.memory() == Memory::UB && !access.empty(); };
  const auto accesses = accesses_.span();
  const bool reads = std::any_of(accesses.begin(), accesses.end(), [&](const Access &a) { return a.read && in_ub(a); });
  for (const Access &access : accesses) {
    if (!access.write || !in_ub(access)) continue;
    const auto [low, high] = access.extent();
    const uint64_t start = uint64_t(access.address.offset());
    if (access.dense() && !reads)
      ub_.drop(start + low, start + high);
    else
      ub_.fetch(start + low, start + high);
  }
  for (const Access &access : accesses) {
    if (!access.read || !in_ub(access)) continue;
    auto [low, high] = access.extent();
    if (!access.of_tensor()) {
      ub_.fetch(uint64_t(access.address.offset() + low), uint64_t(access.address.offset() + high));
      continue;
    }
    for (const Access &other : accesses) // all that the argument reaches
      if (other.arg == access.arg && in_ub(other)) low = std::min(low, other.extent().first), high = std::max(high, other.extent().second);
    const uint64_t start = uint64_t(access.address.offset());
    if (access.arg < kMaxArgs)
      exec.data[access.arg] = ub_.find(start, start + low, start + high);
    else
      ub_.fetch(start + low, start + high);
  }
}

/// Lets an instruction take effect: checks where it reaches, runs it, moves the pipe's clock, tells the observers.
bool Machine::execute(const Step &s, const Call &call, CoreState &core, Pipe p, uint64_t issued, Tickets tickets,
                      KnownCalls::Entry *known) {
  const Row &row = *s.site->row;
  accesses_.size = 0;
  const bool restored = known && known->restore(call, accesses_);
  if (!restored && row.access) {
    looked_at_ = false;
    row.access(call, core, accesses_);
    if (known && !looked_at_) known_calls_.keep(*known, call, accesses_);
  }
  for (Access &access : accesses_.span()) {
    if (restored && access.address.memory() != Memory::GM) continue; // has been checked, at the same place
    if (!reach(s, p, access)) return false;
    if (!access.offsets) continue;
    keep_offsets(access);
    if (access.given_offsets && launch_->options.checks.has(Check::Bounds)) check_offsets(s, p, call, access);
  }
  if (adversary_.on && p == Pipe::S && accesses_.size != 0) {
    store_all();
    const Accesses before = accesses_; // what is done now has its own
    for (const Access &access : before.span()) complete_before(access);
    accesses_ = before;
  }
  if (adversary_.on && program().auto_sync && p != Pipe::S) note_reach(p);
  Exec exec{call, core};
  exec.cycle = issued, exec.pc = pc_of(s);
  if (leave_in_array(*s.site)) {
    if (row.registers) row.registers(call, core);
  } else {
    for (unsigned i = 0; i < s.site->lay->tensors; ++i) {
      const unsigned arg = s.site->lay->tensor[i];
      exec.data[arg] = host(call.address(arg));
    }
    if (ub_.lent()) find_lent(exec);
    exec.accesses = accesses_.span();
    exec.unified_buffer = ub_.at(0);
    exec.stream_stores = launch_->stream_stores;
    row.run(exec);
    if (p == Pipe::S && row.varies) act_on_data_cache(call);
    if (!exec.text.empty()) say(exec.text);
  }
  if (s.site->result != kNoRegister) {
    registers_[s.site->result] = exec.result;
    for (unsigned k = 1; k < row.results(call.form); ++k) registers_[s.site->result + k] = exec.further_results[k - 1];
  }
  if (launch_->cross) tell_of_writes(accesses_.span());
  if (last_uses_.follow() && p == Pipe::S)
    for (const Access &access : accesses_.span()) wait_for_uses(access);
  const auto [start, end] = clock(*s.site, call, p, p == Pipe::S ? now_ : issued, known);
  if (last_uses_.follow() && p != Pipe::S) note_uses(p);
  Execution execution{pc_of(s), p, &call, accesses_.span(), start, end, 0};
  if (known) execution.repeats = known->number();
  for (size_t i = 0; i < observers_.size(); ++i) {
    execution.ticket = tickets.empty() ? 0 : tickets[i];
    observers_[i]->execute(execution);
  }
  return true;
}

/// What the next access to a line costs, and with the option data_cache, which bytes it finds.
void Machine::act_on_data_cache(const Call &call) {
  const CacheAction action = cache_action(call);
  const uint64_t number = cache_line(action.at);
  uint64_t &tag = cache_[number % kCacheLines];
  switch (action.kind) {
  case CacheAction::None: return;
  case CacheAction::Clean:
    if (tag == number) tag = 0;
    data_cache_.clean(action.at, place_of_line());
    break;
  case CacheAction::CleanAll:
    cache_.fill(0);
    data_cache_.clean_all(place_of_line());
    break;
  case CacheAction::Load:
    if (action.at.offset() < 0 || uint64_t(action.at.offset()) >= size_of_memory(action.at)) return;
    tag = number, cache_used_ = true;
    if (launch_->options.data_cache) data_cache_.load(action.at, place_of_line());
    break;
  }
  if (launch_->options.data_cache && launch_->cross) launch_->cross->written(now_);
}

/// Cores that wait for a word in global memory look again.
void Machine::tell_of_writes(std::span<const Access> accesses) {
  for (const Access &access : accesses)
    if (access.write && access.address.memory() == Memory::GM) return launch_->cross->written(now_);
}

/// Start and end of an instruction whose accesses are in `accesses_`; moves the pipe's clock.
std::pair<uint64_t, uint64_t> Machine::clock(const ApiSite &site, const Call &call, Pipe p, uint64_t issued, KnownCalls::Entry *known) {
  if (p == Pipe::S) return {issued, issued}; // the cycle of the issue is all it takes
  PipeState &state = pipe(p);
  const uint64_t start = std::max(issued, state.free);
  uint64_t end = start + 1;
  if (site.row->cost.shape == CostShape::Vector) {
    uint64_t cycles = known ? known->cycles() : 0;
    if (cycles == 0) {
      cycles = site.row->cost.repeats ? vector_cycles(*site.vector, site.row->cost.repeats(call), site.element)
                                      : vector_cycles(*site.vector, accesses_.span(), site.element);
      if (known) known->keep_cycles(cycles);
    }
    end = start + cycles;
  } else if (site.row->cost.shape == CostShape::Dma) {
    const DmaTime time = transfer_time();
    const uint64_t data = std::max(start, state.data_free);
    end = data + time.latency + time.occupancy;
    state.data_free = data + time.occupancy;
    // A transfer engine takes the next instruction while this one is on its way; the vector pipe does not.
    state.free = p == Pipe::V ? end : start + time.issue;
  }
  if (site.row->cost.shape != CostShape::Dma) state.free = end;
  state.time.busy += end > state.done ? end - std::max(start, state.done) : 0;
  state.time.instructions += 1;
  state.done = std::max(state.done, end);
  return {start, end};
}

DmaTime Machine::transfer_time() {
  const Access *from = nullptr, *to = nullptr;
  for (const Access &access : accesses_.span())
    if (!access.empty()) (access.write ? to : from) = &access;
  if (!from || !to) return {1, 1, 0}; // nothing to copy
  const bool load = from->address.memory() == Memory::GM, store = to->address.memory() == Memory::GM;
  if (!load && !store) return dma_time(Path::UbToUb, *from, 0, traffic_);
  ++transfers_;
  DmaTime time = {};
  for (const Access &rows : accesses_.span()) {
    if (rows.empty() || rows.write == load) continue; // the side in UB
    const Address base = rows.address;
    uint64_t total = 0, fresh = 0;
    rows.for_each_run([&](int64_t offset, int64_t bytes) {
      total += uint64_t(bytes);
      fresh += in_l2_[base.window()].add(uint64_t(base.offset() + offset), uint64_t(base.offset() + offset + bytes));
    });
    (load ? read_bytes_ : written_bytes_) += total;
    const uint64_t missed = store              ? uint64_t(std::llround(double(total) * launch_->write_miss))
                            : launch_->fits_l2 ? std::min(fresh, total)
                                               : total;
    const DmaTime part = dma_time(load ? Path::GmToUb : Path::UbToGm, rows, missed, traffic_);
    time = {part.issue, time.occupancy + part.occupancy, std::max(time.latency, part.latency)};
  }
  return time;
}

// ---------------------------------------------------------------- flags and barriers

/// Appends an instruction to the queue of a pipe; null when S cannot get rid of it, which is for ever.
Pending *Machine::defer(Pipe p, const Step &s, Action action) {
  auto &queue = pipe(p).queue;
  if (adversary_.on && queue.size() >= kQueueDepth) exhaust();
  if (queue.size() >= kQueueDepth) {
    deadlock(&s);
    return nullptr;
  }
  Pending &pending = queue.emplace_back(Pending{&s, action, now_});
  pending.tickets.reserve(observers_.size());
  for (auto &observer : observers_) pending.tickets.push_back(observer->issue(pc_of(s), p));
  return &pending;
}

/// The id of a set_flag or wait_flag; false after a fault.
bool Machine::event_id(const Step &s, unsigned &id) {
  const EventInfo &event = kEventInfo[s.aux];
  const int64_t value = int64_t(registers_[s.a]);
  if (value < 0 || value >= int64_t(kEventIds))
    return fault({"S102",
                  "event id " + std::to_string(value) + " of " + std::string(event.name) + "; ids are 0 to 7",
                  {site(s, Pipe::S)},
                  "take ids from 0 to 7"});
  id = unsigned(value);
  return true;
}

const Step *Machine::set_flag(const Step &s) {
  unsigned id = 0;
  if (!on_core(unsigned(s.aux))) return foreign_event(s, s.aux);
  return event_id(s, id) && set(s, s.aux, id) ? &s + 1 : nullptr;
}

const Step *Machine::wait_flag(const Step &s) {
  unsigned id = 0;
  if (!on_core(unsigned(s.aux))) return foreign_event(s, s.aux);
  return event_id(s, id) && wait(s, s.aux, id) ? &s + 1 : nullptr;
}

bool Machine::on_core(Pipe p) const {
  if (p == Pipe::S || p == Pipe::MTE2 || p == Pipe::MTE3) return true;
  return place_.kind == CoreKind::AIV ? p == Pipe::V : p == Pipe::M || p == Pipe::MTE1 || p == Pipe::FIX;
}
bool Machine::on_core(unsigned event) const { return place_.kind == CoreKind::AIV ? kEventInfo[event].on_aiv : kEventInfo[event].on_aic; }

Machine::Stop Machine::foreign_event(const Step &s, unsigned event) {
  const bool vector = place_.kind == CoreKind::AIV;
  return fault({"S103",
                "the " + std::string(vector ? "vector" : "cube") + " core has no event " + std::string(kEventInfo[event].name),
                {site(s, Pipe::S)},
                vector ? "use an event between S, V, MTE2 and MTE3" : "put it under `if asc.ascend_is_aiv():`"});
}

bool Machine::set(const Step &s, unsigned event, unsigned id) {
  if (!on_core(event)) return true; // of a queue: the device leaves it out
  const Pipe src = kEventInfo[event].src;
  if (adversary_.on && src == Pipe::S) {
    store_all();
    Pending pending{&s, Action::Set, now_, uint8_t(event), uint8_t(id)};
    let_pass(pending, 0);
    if (state_ != State::Ready) return false;
  }
  if (src == Pipe::S || at_once(src))
    raise(s, event, id, now_, {});
  else if (Pending *pending = defer(src, s, Action::Set))
    pending->event = uint8_t(event), pending->id = uint8_t(id);
  return state_ == State::Ready;
}

bool Machine::wait(const Step &s, unsigned event, unsigned id) {
  if (!on_core(event)) return true;
  const Pipe dst = kEventInfo[event].dst;
  const bool set = flag(event, id).set || (adversary_.on && dst == Pipe::S && demand(event, id));
  // Whatever could set the flag has run as far as it can: S would wait for ever.
  if (dst == Pipe::S && !set) return deadlock(&s, FlagWait{&s, Pipe::S, event, id});
  if (set && (dst == Pipe::S || at_once(dst)))
    lower(s, event, id, now_, {});
  else if (Pending *pending = defer(dst, s, Action::Wait))
    pending->event = uint8_t(event), pending->id = uint8_t(id);
  return state_ == State::Ready;
}

const Step *Machine::barrier(const Step &s) {
  const Pipe p = Pipe(s.aux);
  if (p != Pipe::ALL) {
    if (!on_core(p)) return &s + 1;
    if (at_once(p))
      pass_barrier(s, p, now_, {});
    else
      defer(p, s, Action::Barrier);
    return state_ == State::Ready ? &s + 1 : nullptr;
  }
  return wait_for_all(s) ? &s + 1 : nullptr;
}

/// A barrier on all pipes, where S waits too.
bool Machine::wait_for_all(const Step &s) {
  if (adversary_.on) exhaust();
  if (state_ != State::Ready) return false;
  if (any_queued()) return deadlock(&s);
  const uint64_t start = now_;
  for (const PipeState &pipe : pipes_) now_ = std::max({now_, pipe.done, pipe.free});
  stalled_ += now_ - start;
  for (PipeState &pipe : pipes_) pipe.free = pipe.data_free = pipe.done = now_;
  notify({}, [&](BlockObserver &observer, uint64_t ticket) { observer.barrier(pc_of(s), Pipe::ALL, ticket, start, now_); });
  return true;
}

/// S waits until accesses are complete; what it hands out later comes after them.
const Step *Machine::data_barrier(const Step &s) {
  const auto kind = DataBarrier(s.a);
  if (kind == DataBarrier::None || (kind == DataBarrier::UnifiedBuffer && place_.kind == CoreKind::AIC)) return &s + 1;
  if (adversary_.on) store_all();
  const uint64_t start = now_;
  for (unsigned i = 0; i < kPipes; ++i) {
    const Pipe p = Pipe(i);
    if (kind == DataBarrier::Global && p != Pipe::MTE2 && p != Pipe::MTE3) continue;
    if (adversary_.on && !complete_accesses(p)) return state_ == State::Ready ? deadlock(&s) : nullptr;
    const auto &queue = pipe(p).queue;
    if (std::any_of(queue.begin(), queue.end(), [](const Pending &pending) { return pending.action == Action::Run; })) return deadlock(&s);
    now_ = std::max(now_, pipe(p).done);
  }
  stalled_ += now_ - start;
  notify({}, [&](BlockObserver &observer, uint64_t) { observer.data_barrier(pc_of(s), kind, start, now_); });
  return &s + 1;
}

const Step *Machine::set_pointer(const Step &s) {
  pointers_[s.dst] = registers_[s.a];
  return &s + 1;
}
const Step *Machine::get_pointer(const Step &s) {
  registers_[s.dst] = pointers_[s.a];
  return &s + 1;
}

/// The flag is set when everything before on its source pipe is complete. Then a pipe that waits for it goes on.
void Machine::raise(const Step &s, unsigned event, unsigned id, uint64_t issued, Tickets tickets) {
  const Pipe src_pipe = kEventInfo[event].src, dst_pipe = kEventInfo[event].dst;
  uint64_t time = issued;
  if (src_pipe != Pipe::S) {
    PipeState &src = pipe(src_pipe);
    time = std::max({issued, src.free, src.done}) + kScalarCost.set_flag;
    src.free = std::max(issued, src.free) + kScalarCost.set_flag;
  }
  Flag &f = flag(event, id);
  if (f.set && launch_->report.wanted("S101", place_.number, pc_of(s), f.pc))
    launch_->report.add({"S101",
                         "flag " + flag_name(event, id) + " is set while it is set already: a flag is one bit, so one of the two is lost",
                         {site(s, src_pipe, "sets the flag"), {f.pc, src_pipe, place_.number, "set it before"}},
                         "wait for the flag between the two, or use another id"});
  f = {true, pc_of(s), std::max(time, f.set ? f.time : 0)};
  flags_used_ = true;
  notify(tickets, [&](BlockObserver &observer, uint64_t ticket) { observer.set_flag(pc_of(s), event, id, ticket, time); });
  if (!adversary_.on) drain(dst_pipe);
}

/// The destination pipe finds the flag set and clears it.
void Machine::lower(const Step &s, unsigned event, unsigned id, uint64_t issued, Tickets tickets) {
  Flag &f = flag(event, id);
  const Pipe dst = kEventInfo[event].dst;
  f.set = false;
  uint64_t start = issued, end;
  if (dst == Pipe::S) {
    end = now_ = std::max(issued, f.time + kScalarCost.wait_flag);
    stalled_ += end - start;
  } else {
    start = std::max(issued, pipe(dst).free);
    end = pipe(dst).free = std::max(start, f.time) + kScalarCost.wait_flag;
  }
  notify(tickets, [&](BlockObserver &observer, uint64_t ticket) { observer.wait_flag(pc_of(s), event, id, ticket, start, end); });
}

void Machine::pass_barrier(const Step &s, Pipe p, uint64_t issued, Tickets tickets) {
  PipeState &state = pipe(p);
  const uint64_t start = std::max(issued, state.free);
  const uint64_t end = std::max(start, state.done) + (p == Pipe::V ? kScalarCost.barrier_vector : kScalarCost.barrier);
  state.free = state.data_free = state.done = end;
  notify(tickets, [&](BlockObserver &observer, uint64_t ticket) { observer.barrier(pc_of(s), p, ticket, start, end); });
}

// ---------------------------------------------------------------- cross-core flags

bool Machine::cross_flag(const Step &s, unsigned &flag) {
  const int64_t value = int64_t(registers_[s.a]);
  if (value < 0 || value >= int64_t(kCrossFlags))
    return fault({"S105",
                  "cross-core flag " + std::to_string(value) + "; there are 0 to 15",
                  {site(s, Pipe::S)},
                  "take a flag from 0 to 10; 11 to 14 serve sync_all"});
  flag = unsigned(value);
  return true;
}

const Step *Machine::cross_core_set_flag(const Step &s) {
  unsigned flag = 0;
  if (!cross_flag(s, flag)) return nullptr;
  const Pipe p = Pipe(s.aux);
  if (at_once(p))
    cross_set(s, flag, now_, {});
  else if (Pending *pending = defer(p, s, Action::CrossSet))
    pending->id = uint8_t(flag);
  return state_ == State::Ready ? &s + 1 : nullptr;
}

/// Everything before on the pipe is complete: the set counts.
void Machine::cross_set(const Step &s, unsigned flag, uint64_t issued, Tickets tickets) {
  PipeState &state = pipe(Pipe(s.aux));
  const uint64_t time = std::max({issued, state.free, state.done}) + kScalarCost.set_flag;
  state.free = std::max(issued, state.free) + kScalarCost.set_flag;
  const unsigned mode = s.b;
  const CrossCore::Round round = launch_->cross->set(place_, flag, mode, time, pc_of(s));
  notify(tickets, [&](BlockObserver &observer, uint64_t ticket) {
    observer.release(pc_of(s), Pipe(s.aux), round.variable, round.readers, ticket, time);
  });
  for (const uint32_t target : launch_->cross->targets(place_, mode)) {
    const std::string which = "cross-core flag " + std::to_string(flag) + " of " + core_name(program().type, target);
    if (launch_->cross->count(target, flag) > kMostCrossCount) {
      fault({"S107",
             which + " is set more than " + std::to_string(kMostCrossCount) + " times without a wait: the counter has 4 bits",
             {site(s, Pipe(s.aux), "sets the flag")},
             "wait for the flag as often as it is set"});
      return;
    }
    if (launch_->cross->mixes_modes(target, flag) && launch_->report.wanted("S108", place_.number, pc_of(s)))
      launch_->report.add({"S108",
                           which + " is set by two modes at a time",
                           {site(s, Pipe(s.aux), "sets it by mode " + std::to_string(mode))},
                           "take a flag of its own for each mode"});
  }
}

/// The core stands still; the instruction is issued again when what it waits for has come.
const Step *Machine::park(const Step &s, unsigned awaited) {
  state_ = State::Waiting, blocked_ = &s, awaited_ = awaited;
  --now_; // the issue counts once
  return nullptr;
}

/// For Row::poll: its operands, where `accesses_` are what it uses.
Exec Machine::look_at_words() {
  Exec exec{call_, core_};
  exec.progress = progress_;
  for (const Access &access : accesses_.span()) {
    exec.data[access.arg] = host(call_.address(access.arg));
    if (const auto [low, high] = access.extent(); access.address.memory() == Memory::UB && ub_.lent())
      ub_.fetch(uint64_t(access.address.offset() + low), uint64_t(access.address.offset() + high));
  }
  return exec;
}

std::string Machine::missing() {
  if (awaited_ != kMemoryChange || !blocked_->site->row->missing) return {};
  const ApiSite &site = *blocked_->site;
  read_operands(site);
  accesses_.size = 0;
  site.row->access(call_, core_, accesses_);
  return site.row->missing(look_at_words());
}

/// Row::poll. What the core did before is complete when it looks first, and what it does later comes after the last look.
const Step *Machine::poll(const Step &s) {
  const ApiSite &site = *s.site;
  const Row &row = *site.row;
  read_operands(site);
  if (place_.kind == CoreKind::AIC && left_out(Pipe::S)) return &s + 1;
  CrossCore &cross = *launch_->cross;
  const bool again = blocked_ == &s;
  if (again) {
    const uint64_t start = now_;
    now_ = std::max(now_, cross.write_time());
    stalled_ += now_ - start;
  } else {
    progress_ = 0;
    if (launch_->options.checks.has(Check::Rules)) check_rules(s, Pipe::S);
    if (!wait_for_all(s)) return nullptr;
  }
  accesses_.size = 0;
  row.access(call_, core_, accesses_);
  for (const Access &access : accesses_.span())
    if (!reach(s, Pipe::S, access)) return nullptr;
  Exec exec = look_at_words();
  const uint64_t variable = accesses_.list[0].address.word;
  const auto release = [&] {
    cross.written(now_);
    notify({}, [&](BlockObserver &observer, uint64_t ticket) { observer.release(pc_of(s), Pipe::S, variable, 0, ticket, now_); });
  };
  Poll outcome;
  while ((outcome = row.poll(exec)) == Poll::Told) release();
  progress_ = exec.progress;
  if (outcome != Poll::Done) {
    seen_ = cross.writes();
    return park(s, kMemoryChange);
  }
  now_ += kScalarCost.cross_core;
  notify({}, [&](BlockObserver &observer, uint64_t) { observer.acquire(pc_of(s), variable, now_); });
  release();
  const Execution scratch{pc_of(s), Pipe::S, &call_, accesses_.span().subspan(1), now_, now_, 0};
  for (auto &observer : observers_) observer->execute(scratch);
  blocked_ = nullptr;
  return wait_for_all(s) ? &s + 1 : nullptr;
}

/// The core goes on when its counter of the flag is not 0. What its pipes have been given goes on in the meantime.
const Step *Machine::cross_core_wait_flag(const Step &s) {
  unsigned flag = 0;
  if (!cross_flag(s, flag)) return nullptr;
  if (launch_->cross->count(place_.number, flag) == 0) return park(s, flag);
  const CrossCore::Passed passed = launch_->cross->take(place_.number, flag);
  const uint64_t start = now_;
  const Hardware &chip = *launch_->executable.chip;
  const uint64_t latency = passed.mode == 0 ? uint64_t(std::llround(chip.cycles(kLaunchCost.all_cores))) : kScalarCost.cross_core;
  now_ = std::max(now_, passed.time + latency);
  stalled_ += now_ - start;
  notify({}, [&](BlockObserver &observer, uint64_t) { observer.acquire(pc_of(s), passed.variable, now_); });
  return &s + 1;
}

/// Runs the queue of a pipe up to the next wait for a flag that is not set. May set flags that let other pipes go on in turn; those come
/// back here only while the head is a set_flag, which is no wait and stops them.
void Machine::drain(Pipe p) {
  auto &queue = pipe(p).queue;
  if (queue.empty() || queue.front().action != Action::Wait) return;
  while (!queue.empty()) {
    if (queue.front().action == Action::Wait && !flag(queue.front().event, queue.front().id).set) return;
    perform(queue.front(), p);
    if (state_ != State::Ready) return;
    queue.pop_front();
  }
}

void Machine::perform(const Pending &pending, Pipe p) {
  const Step &s = *pending.step;
  switch (pending.action) {
  case Action::Wait: return lower(s, pending.event, pending.id, pending.issued, pending.tickets);
  case Action::Set: return raise(s, pending.event, pending.id, pending.issued, pending.tickets);
  case Action::Barrier: return pass_barrier(s, p, pending.issued, pending.tickets);
  case Action::CrossSet: return cross_set(s, pending.id, pending.issued, pending.tickets);
  case Action::Run: {
    CoreState core = pending.core;
    core.found = core_.found;
    execute(s, *pending.call, core, p, pending.issued, pending.tickets);
    core_.found = core.found;
    return;
  }
  }
}

bool Machine::any_queued() const {
  return std::any_of(pipes_.begin(), pipes_.end(), [](const PipeState &p) { return !p.queue.empty(); });
}

/// Nothing can run: explains who waits for what. `scalar_stop` is where S stands: at a wait for a flag (`scalar_wait`), a barrier on all
/// pipes, or an instruction that does not fit into its pipe's queue; null when it has come to the end.
Machine::Stop Machine::deadlock(const Step *scalar_stop, std::optional<FlagWait> scalar_wait) {
  std::vector<FlagWait> waits;
  if (scalar_wait) waits.push_back(*scalar_wait);
  for (unsigned p = 0; p < kPipes; ++p)
    if (!pipes_[p].queue.empty()) {
      const Pending &head = pipes_[p].queue.front();
      waits.push_back({head.step, Pipe(p), head.event, head.id});
    }

  // Its set_flag stands in a queue behind another wait: then that one is nearer to the cause.
  const auto queued_set = [&](const FlagWait &wait) -> const Step * {
    for (const PipeState &state : pipes_)
      for (const Pending &pending : state.queue)
        if (pending.action == Action::Set && pending.event == wait.event && pending.id == wait.id) return pending.step;
    return nullptr;
  };
  // Or S would come to it, if it went on.
  const auto later_set = [&](const FlagWait &wait) -> const Step * {
    if (!scalar_stop) return nullptr;
    for (const Step &step : std::span(launch_->executable.steps).subspan(pc_of(*scalar_stop)))
      if (step.op == Op::SetFlag && step.aux == wait.event && step.a < program().constants.size() && registers_[step.a] == wait.id)
        return &step;
    return nullptr;
  };
  if (const auto root = std::find_if(waits.begin(), waits.end(), [&](const FlagWait &w) { return !queued_set(w); }); root != waits.end())
    std::rotate(waits.begin(), root, root + 1);

  Finding finding{"S201", "deadlock in " + own_name() + ": ", {}, {}};
  for (const FlagWait &wait : waits) {
    finding.message +=
        (&wait == waits.data() ? "" : "; ") + std::string(name(wait.pipe)) + " waits for flag " + flag_name(wait.event, wait.id);
    const Step *queued = queued_set(wait), *set = queued ? queued : later_set(wait);
    if (!set)
      finding.message += ", which nothing sets any more";
    else
      finding.message += ", whose set_flag stands behind the wait on " + std::string(name(queued ? kEventInfo[wait.event].src : Pipe::S));
    finding.sites.push_back(site(*wait.step, wait.pipe, "waits for " + flag_name(wait.event, wait.id)));
    if (set) finding.sites.push_back(site(*set, kEventInfo[wait.event].src, "would set " + flag_name(wait.event, wait.id)));
  }
  if (scalar_stop && !scalar_wait) {
    const bool full = std::any_of(pipes_.begin(), pipes_.end(), [](const PipeState &p) { return p.queue.size() >= kQueueDepth; });
    const std::string why =
        !full ? (scalar_stop->op == Op::Api ? "waits for the end of " + call_name(program(), pc_of(*scalar_stop)) : "waits for all pipes")
              : "has issued " + std::to_string(kQueueDepth) + " instructions to a pipe that waits";
    finding.message += "; S " + why;
    finding.sites.push_back(site(*scalar_stop, Pipe::S, why));
  }

  const FlagWait &cause = waits.front();
  const EventInfo &event = kEventInfo[cause.event];
  const std::string event_text(event.name), call = "asc.set_flag(asc.HardEvent." + event_text + ", " + std::to_string(cause.id) + ")";
  std::string other_ids;
  for (unsigned id = 0; id < kEventIds; ++id)
    if (flag(cause.event, id).set) other_ids += (other_ids.empty() ? "" : " and ") + std::to_string(id);
  std::vector<const Step *> sets;
  const Step *later = later_set(cause);
  for (const Step &step : launch_->executable.steps)
    if (step.op == Op::SetFlag && step.aux == cause.event && &step != later) sets.push_back(&step);
  for (const Step *set : std::span(sets).first(std::min<size_t>(sets.size(), 3)))
    finding.sites.push_back(site(*set, event.src, "sets a flag of " + event_text));
  if (queued_set(cause))
    finding.help = "the waits wait for each other: set one of the flags before the wait on its pipe";
  else if (!other_ids.empty())
    finding.help = "flag " + event_text + " is set with id " + other_ids + ": use one id in set_flag and wait_flag";
  else if (later)
    finding.help = "S does not come to " + call + ": put it before the " + (scalar_wait ? "wait_flag" : "call at which S waits");
  else if (sets.empty())
    finding.help = "the kernel has no set_flag of " + event_text + ": add " + call + " after the " + std::string(name(event.src)) +
                   " instructions that " + std::string(name(event.dst)) + " has to wait for";
  else
    finding.help = "the set_flag of " + event_text + " did not run with id " + std::to_string(cause.id) +
                   " once more: every wait_flag needs a set_flag of its own, on every path through the kernel";
  return fault(std::move(finding));
}

void Machine::report_leftover_flags() {
  if (!flags_used_) return;
  for (unsigned event = 0; event < kEvents; ++event)
    for (unsigned id = 0; id < kEventIds; ++id)
      // Those of queues belong to a tensor that was not freed, which has a finding of its own.
      if (const Flag &f = flag(event, id);
          f.set && program().code[f.pc].op == Op::SetFlag && launch_->report.wanted("S104", place_.number, f.pc))
        launch_->report.add(
            {"S104",
             "flag " + flag_name(event, id) + " is still set at the end of the kernel; it would let the next kernel pass a wait",
             {{f.pc, kEventInfo[event].src, place_.number, "sets the flag"}},
             "add asc.wait_flag(asc.HardEvent." + std::string(kEventInfo[event].name) + ", " + std::to_string(id) +
                 ") or remove the set_flag"});
}

} // namespace asc::sim
