// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/accesses.h"

#include "apis/cache.h"
#include "dialect/constants.h"
#include "passes/plan_memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

namespace asc {

using mlir::Operation;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

// ---------------------------------------------------------------- numbers

/// Offsets have 40 bits; sums of a few numbers below the limit do not overflow.
static constexpr int64_t kMaxOffset = int64_t(1) << 39, kLimit = int64_t(1) << 48;

void Sum::add(Value value, int64_t factor) {
  if (factor == 0) return;
  auto term = llvm::find_if(terms, [&](const auto &t) { return t.first == value; });
  if (term == terms.end()) return void(terms.push_back({value, factor}));
  if ((term->second += factor) == 0) terms.erase(term);
}
void Sum::add(const Sum &other, int64_t factor) {
  const auto times = [&](int64_t number) {
    int64_t product = 0;
    known &= !__builtin_mul_overflow(number, factor, &product) && std::abs(product) < kLimit;
    return known ? product : 0;
  };
  known &= other.known;
  constant += times(other.constant);
  for (const auto &[value, f] : other.terms) add(value, times(f));
  known &= std::abs(constant) < kLimit;
}

namespace {

constexpr int64_t kNoLimit = INT64_MAX / 4; // for bytes and rounds: far from overflow when added to

/// A constant that can be an offset, or a number of elements or rounds.
std::optional<int64_t> small_constant(Value value) {
  const std::optional<int64_t> number = constant_of(value);
  return number && -kMaxOffset <= *number && *number < kMaxOffset ? number : std::nullopt;
}

/// Overflow is a mistake of the kernel.
template <class IntOp> bool is_exact(IntOp op) { return bitEnumContainsAll(op.getOverflowFlags(), arith::IntegerOverflowFlags::nsw); }
bool keeps_value(ConvertOp op) {
  const DTypeInfo &from = info(DType(op.getFrom())), &to = info(DType(op.getTo()));
  if (from.is_float || to.is_float || DType(op.getTo()) == DType::Bool) return false;
  return op.getChecked() || (to.bytes > from.bytes && (to.is_signed || !from.is_signed)) ||
         (to.bytes == from.bytes && to.is_signed == from.is_signed);
}

Sum sum_of(Value value) {
  Sum sum;
  Operation *op = value.getDefiningOp();
  if (const std::optional<int64_t> constant = small_constant(value)) {
    sum.constant = *constant;
  } else if (auto add = llvm::dyn_cast_or_null<arith::AddIOp>(op); add && is_exact(add)) {
    sum = sum_of(add.getLhs());
    sum.add(sum_of(add.getRhs()), 1);
  } else if (auto sub = llvm::dyn_cast_or_null<arith::SubIOp>(op); sub && is_exact(sub)) {
    sum = sum_of(sub.getLhs());
    sum.add(sum_of(sub.getRhs()), -1);
  } else if (auto mul = llvm::dyn_cast_or_null<arith::MulIOp>(op); mul && is_exact(mul) && small_constant(mul.getRhs())) {
    sum.add(sum_of(mul.getLhs()), *small_constant(mul.getRhs()));
  } else if (mul && is_exact(mul) && small_constant(mul.getLhs())) {
    sum.add(sum_of(mul.getRhs()), *small_constant(mul.getLhs()));
  } else if (auto convert = llvm::dyn_cast_or_null<ConvertOp>(op); convert && keeps_value(convert)) {
    sum = sum_of(convert.getValue());
  } else {
    sum.add(value, 1);
  }
  return sum;
}

/// The largest value, if the op that makes it tells.
std::optional<int64_t> bound_of(Value value) {
  if (const std::optional<int64_t> constant = small_constant(value)) return constant;
  Operation *op = value.getDefiningOp();
  const auto either = [](std::optional<int64_t> a, std::optional<int64_t> b) { return a && b ? std::min(*a, *b) : a ? a : b; };
  const auto both = [](std::optional<int64_t> a, std::optional<int64_t> b) {
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  };
  if (llvm::isa_and_nonnull<arith::MinSIOp>(op)) return either(bound_of(op->getOperand(0)), bound_of(op->getOperand(1)));
  if (llvm::isa_and_nonnull<arith::MaxSIOp>(op)) return both(bound_of(op->getOperand(0)), bound_of(op->getOperand(1)));
  if (auto convert = llvm::dyn_cast_or_null<ConvertOp>(op); convert && keeps_value(convert)) return bound_of(convert.getValue());
  if (auto select = llvm::dyn_cast_or_null<arith::SelectOp>(op)) {
    // x if x < y else z
    std::optional<int64_t> yes = bound_of(select.getTrueValue());
    auto test = select.getCondition().getDefiningOp<arith::CmpIOp>();
    using P = arith::CmpIPredicate;
    if (test && test.getLhs() == select.getTrueValue() && (test.getPredicate() == P::slt || test.getPredicate() == P::sle))
      yes = either(yes, bound_of(test.getRhs()));
    return both(yes, bound_of(select.getFalseValue()));
  }
  return std::nullopt;
}

/// Constant bounds of a loop: its counter takes the values first, first + step, ... up to last.
struct Counter {
  int64_t first, last;
};
std::optional<Counter> counter_of(scf::ForOp loop) {
  const std::optional<int64_t> low = small_constant(loop.getLowerBound()), high = small_constant(loop.getUpperBound()),
                               step = small_constant(loop.getStep());
  if (!low || !high || !step || *step <= 0 || *high <= *low) return std::nullopt;
  return Counter{*low, *low + (*high - 1 - *low) / *step * *step};
}

/// The loop whose counter the value is.
scf::ForOp counted_loop(Value value) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  auto loop = argument ? llvm::dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && loop.getInductionVar() == value ? loop : scf::ForOp();
}

// ---------------------------------------------------------------- places

void move(Place &place, const Sum &elements, int64_t size) {
  if (place.start) place.start->add(elements, size);
  if (place.start && !place.start->known) place.start.reset();
}

/// Follows a tensor or address back to the tensors and parameters that it may be part of.
class PlaceFinder {
public:
  explicit PlaceFinder(bool moving_buffers) : moving_buffers_(moving_buffers) {}
  llvm::SmallVector<Place> find(Value value) {
    visit(value, [&](const Place &place) { found_.push_back(place); });
    return std::move(found_);
  }

private:
  using Then = llvm::function_ref<void(const Place &)>;

  void visit(Value value, Then then) {
    Operation *op = value.getDefiningOp();
    if (!op) return visit_argument(llvm::cast<mlir::BlockArgument>(value), then);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](LocalTensorOp o) { then(local(o)); })
        .Case([&](GetBufOp o) { then(part_of_buffer(o)); })
        .Case<AllocTensorOp, DequeOp, AllocateOp>([&](auto) { then(owned(value)); })
        .Case<GlobalTensorOp, AddressOfOp, ReinterpretCastOp>([&](auto) { visit(op->getOperand(0), then); })
        .Case([&](ResizeOp o) {
          std::optional<int64_t> bytes = small_constant(o.getSize());
          if (bytes && !o.getBytes()) *bytes *= size_of(element_dtype(o.getType()));
          visit(o.getTensor(), [&](Place place) {
            if (!bytes || *bytes > place.room) return then(unknown(value)); // it may reach into what lies behind
            place.room = *bytes;
            then(place);
          });
        })
        .Case<ViewOp, OffsetOp>([&](auto o) {
          const int64_t size = size_of(element_dtype(op->getOperand(0).getType()));
          Sum moved = sum_of(o.getIndex());
          ++moves_;
          visit(op->getOperand(0), [&](Place place) {
            move(place, moved, size);
            if (moved.terms.empty() && place.room != INT64_MAX) place.room -= moved.constant * size;
            then(place);
          });
          --moves_;
        })
        .Case([&](arith::SelectOp o) { visit(o.getTrueValue(), then), visit(o.getFalseValue(), then); })
        .Case([&](scf::IfOp o) {
          const unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
          visit(o.thenYield().getOperand(number), then), visit(o.elseYield().getOperand(number), then);
        })
        .Case([&](scf::ForOp o) {
          const unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
          visit_carried(value, {o.getInitArgs()[number], o.getYieldedValues()[number]}, then);
        })
        .Case([&](scf::WhileOp o) {
          const unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
          visit_carried(value, {o.getConditionOp().getArgs()[number]}, then);
        })
        .Default([&](Operation *) { then(unknown(value)); });
  }

  void visit_argument(mlir::BlockArgument argument, Then then) {
    const unsigned number = argument.getArgNumber();
    llvm::TypeSwitch<Operation *>(argument.getOwner()->getParentOp())
        .Case([&](KernelOp) {
          Place place;
          place.array = Place::kFirstArray + number;
          place.start.emplace();
          then(place);
        })
        .Case([&](scf::ForOp o) { visit_carried(argument, {o.getInitArgs()[number - 1], o.getYieldedValues()[number - 1]}, then); })
        .Case([&](scf::WhileOp o) {
          if (argument.getOwner() == o.getAfterBody()) return visit_carried(argument, {o.getConditionOp().getArgs()[number]}, then);
          visit_carried(argument, {o.getInits()[number], o.getYieldOp().getOperand(number)}, then);
        })
        .Default([&](Operation *) { then(unknown(argument)); });
  }

  /// What goes round a loop: a value of another round is not what it is in this one.
  void visit_carried(Value value, std::initializer_list<Value> sources, Then then) {
    if (auto open = open_.find(value); open != open_.end()) {
      open->second.wanders |= moves_ != open->second.moves;
      return;
    }
    open_[value] = {moves_, false};
    for (Value source : sources) visit(source, [](const Place &) {});
    const bool wanders = open_[value].wanders; // each round moves it further
    for (Value source : sources)
      visit(source, [&](Place place) {
        if (place.start && (wanders || !place.start->terms.empty())) place.start.reset();
        then(place);
      });
    open_.erase(value);
  }

  static Place local(LocalTensorOp op) {
    Place place;
    place.array = unsigned(memory_of(Position(op.getType().getPosition())));
    const int64_t size = size_of(element_dtype(op.getType()));
    if (const std::optional<int64_t> elements = small_constant(op.getSize())) place.room = *elements * size;
    place.start.emplace();
    move(place, sum_of(op.getAddress()), 1);
    if (!place.start) return place;
    if (auto area = op->getAttrOfType<mlir::IntegerAttr>(kArea)) {
      place.area = int(area.getInt());
    } else if (place.start->terms.empty()) {
      place.area = Place::kAbsolute;
      place.low = place.start->constant;
      if (place.room != INT64_MAX) place.high = place.low + place.room;
    }
    return place;
  }

  static Place owned(Value owner) {
    Place place;
    place.array = unsigned(Memory::UB);
    place.owner = owner;
    place.area = Place::kAbsolute;
    place.start.emplace();
    return place;
  }

  Place part_of_buffer(GetBufOp op) const {
    if (moving_buffers_) return unknown(op);
    Place place = owned(op.getBuf());
    if (op.getOffset()) move(place, sum_of(op.getOffset()), 1);
    if (op.getSize())
      if (const std::optional<int64_t> elements = small_constant(op.getSize()))
        place.room = *elements * size_of(element_dtype(op.getType()));
    return place;
  }

  static Place unknown(Value value) {
    Place place;
    auto type = llvm::dyn_cast<LocalTensorType>(value.getType());
    place.array = type ? unsigned(memory_of(Position(type.getPosition()))) : Place::kAnyArray;
    return place;
  }

  struct Open {
    unsigned moves;
    bool wanders;
  };
  const bool moving_buffers_;
  llvm::SmallVector<Place> found_;
  llvm::DenseMap<Value, Open> open_; // values that go round loops and are being followed
  unsigned moves_ = 0;               // on the way to where the visit is
};

// ---------------------------------------------------------------- do two places meet

/// Values that the difference of two offsets can have: base + jump, base + 2 jump, ..., each moved by low to high.
struct Difference {
  int64_t base = 0, low = 0, high = 0;
  int64_t jump = 0;       // from round to round of the loop that differs; 0: none
  bool open_jump = false; // `jump` is only the smallest possible one
  int64_t rounds = 0;     // largest number of jumps; 0: the difference is `base` alone
};

/// The smallest positive step of a loop.
int64_t least_step(Value step) {
  if (const std::optional<int64_t> constant = small_constant(step)) return *constant;
  Operation *op = step.getDefiningOp();
  if (auto mul = llvm::dyn_cast_or_null<arith::MulIOp>(op); mul && is_exact(mul))
    return std::max<int64_t>(least_step(mul.getLhs()) * least_step(mul.getRhs()), 1);
  if (auto convert = llvm::dyn_cast_or_null<ConvertOp>(op); convert && keeps_value(convert)) return least_step(convert.getValue());
  return 1; // a step is positive
}

/// Both offsets, the loops around both ops, outermost first.
class Meeting {
public:
  Meeting(const Footprint &earlier, const Footprint &later, llvm::ArrayRef<Operation *> loops)
      : earlier_(earlier), later_(later), loops_(loops) {}

  /// In the same round of the loops before number `level` and in a later round of that one; level == size: in the same round of all.
  bool possible(unsigned level) const {
    if (level < loops_.size() && (has_one_round(loops_[level]) || is_new_in(loops_[level]))) return false;
    Difference d;
    d.base = later_.place.start->constant - earlier_.place.start->constant;
    d.rounds = level < loops_.size() ? kNoLimit : 0;
    llvm::SmallVector<Value> values;
    for (const auto *sum : {&*later_.place.start, &*earlier_.place.start})
      for (const auto &[value, factor] : sum->terms)
        if (!llvm::is_contained(values, value)) values.push_back(value);
    for (Value value : values)
      if (!add(d, value, level)) return true;
    return meets(d);
  }

private:
  static bool has_one_round(Operation *op) {
    auto loop = llvm::dyn_cast<scf::ForOp>(op);
    const std::optional<Counter> counter = loop ? counter_of(loop) : std::nullopt;
    return counter && counter->first == counter->last;
  }
  /// Each round has a buffer of its own, or the queue keeps the rounds in order.
  bool is_new_in(Operation *loop) const {
    Operation *owner = earlier_.place.owner ? earlier_.place.owner.getDefiningOp() : nullptr;
    return llvm::isa_and_nonnull<AllocTensorOp, DequeOp, AllocateOp>(owner) && loop->isAncestor(owner);
  }
  static int64_t factor(const Sum &sum, Value value) {
    for (const auto &[term, factor] : sum.terms)
      if (term == value) return factor;
    return 0;
  }

  /// Adds what a value contributes; false when nothing is known about it.
  bool add(Difference &d, Value value, unsigned level) const {
    const int64_t earlier = factor(*earlier_.place.start, value), later = factor(*later_.place.start, value);
    scf::ForOp loop = counted_loop(value);
    Operation *scope = loop ? loop.getOperation() : innermost_loop(value);
    const auto at = llvm::find(loops_, scope);
    const bool is_common = at != loops_.end();
    const unsigned number = unsigned(at - loops_.begin());
    if (!scope || (is_common && number < level)) return earlier == later; // the same number in both
    if (!loop) return false;
    if (is_common && number == level && earlier == later) {
      const std::optional<int64_t> step = small_constant(loop.getStep());
      d.jump = later * (step ? *step : least_step(loop.getStep()));
      d.open_jump = !step;
      if (const std::optional<Counter> counter = counter_of(loop)) d.rounds = (counter->last - counter->first) / *step;
      return true;
    }
    const std::optional<Counter> counter = counter_of(loop);
    if (!counter) return false;
    const auto widen = [&](int64_t f) {
      d.low += std::min(f * counter->first, f * counter->last);
      d.high += std::max(f * counter->first, f * counter->last);
    };
    widen(later), widen(-earlier);
    return true;
  }

  static Operation *innermost_loop(Value value) {
    Operation *up = value.getParentRegion()->getParentOp();
    while (up && !is_loop(up)) up = llvm::isa<KernelOp>(up) ? nullptr : up->getParentOp();
    return up;
  }

  bool meets(const Difference &d) const {
    // The hulls share a byte if the difference is in (low, high).
    const int64_t low = earlier_.low - later_.high, high = earlier_.high - later_.low;
    const auto near = [&](int64_t difference) { return difference + d.high > low && difference + d.low < high; };
    if (d.rounds == 0 || d.jump == 0) return near(d.base) && (d.low != d.high || touch(d.base + d.low));
    if (d.open_jump) return d.jump > 0 ? d.base + d.jump + d.low < high : d.base + d.jump + d.high > low;
    // The first round that comes near, and those after it until it is passed.
    const int64_t target = d.jump > 0 ? low - d.high - d.base : high - d.low - d.base;
    for (int64_t round = std::max<int64_t>(target / d.jump, 1); round <= d.rounds; ++round) {
      const int64_t difference = d.base + round * d.jump;
      if (d.jump > 0 ? difference + d.low >= high : difference + d.high <= low) return false;
      if (near(difference) && (d.low != d.high || touch(difference + d.low))) return true;
    }
    return false;
  }

  /// Byte by byte, where the bytes are known.
  bool touch(int64_t difference) const {
    if (earlier_.runs.empty() || later_.runs.empty()) return true;
    auto a = earlier_.runs.begin();
    for (const auto &[begin, end] : later_.runs) {
      while (a != earlier_.runs.end() && a->second <= begin + difference) ++a;
      if (a == earlier_.runs.end()) return false;
      if (a->first < end + difference) return true;
    }
    return false;
  }

  const Footprint &earlier_, &later_;
  llvm::ArrayRef<Operation *> loops_;
};

} // namespace

// ---------------------------------------------------------------- sites

KernelAccesses::KernelAccesses(KernelOp kernel) : kernel_(kernel), order_(kernel) {
  kernel.walk([&](Operation *op) {
    if (ApiOp::is(op) && ApiOp(op).row().name == "set_mask_count") counter_mode_ = true;
    if (llvm::isa<PipeInitOp, PipeResetOp, PipeDestroyOp, ResetPoolOp>(op)) moving_buffers_ = true;
    if (auto pool = llvm::dyn_cast<InitPoolOp>(op); pool && pool.getShared()) moving_buffers_ = true;
  });
  kernel.walk<mlir::WalkOrder::PreOrder>([&](Operation *op) { add(op); });
}

llvm::SmallVector<Place> KernelAccesses::places(Value tensor) const { return PlaceFinder(moving_buffers_).find(tensor); }

/// Adds reads of all that a tensor may be.
void KernelAccesses::add_whole(Site &site, Value tensor) {
  for (Place &place : places(tensor)) {
    const int64_t high = std::min(place.room, kNoLimit);
    site.footprints.push_back({std::move(place), tensor, false, /*read=*/true, /*write=*/false, 0, high, {}});
  }
}

void KernelAccesses::add(Operation *op) {
  if (ApiOp::is(op)) return add_call(ApiOp(op));
  if (!llvm::isa<GetValueOp, SetValueOp, ToFileOp>(op)) return;
  Site site{op, Pipe::S, {}};
  Value tensor = op->getOperand(0);
  if (llvm::isa<ToFileOp>(op)) {
    add_whole(site, tensor);
    sites_.push_back(std::move(site));
    return;
  }
  const int64_t size = size_of(element_dtype(tensor.getType()));
  const llvm::SmallVector<Place> found = places(tensor);
  for (Place place : found) {
    move(place, sum_of(op->getOperand(1)), size);
    const bool reads = llvm::isa<GetValueOp>(op);
    site.footprints.push_back({place, tensor, found.size() == 1, reads, !reads, 0, size, {{0, size}}});
  }
  sites_.push_back(std::move(site));
}

/// The accesses of a call, its numbers replaced by their bounds where they are not constants: a larger number never means fewer bytes
/// (but for Arg::moves).
/// Nothing when they are not known, or depend on registers that the kernel may have changed.
static std::optional<Accesses> accesses_of(ApiOp op, Call call, bool counter_mode, bool &exact) {
  const Row &row = call.row ? *call.row : op.row();
  if (!row.access) return std::nullopt;
  exact = true;
  for (unsigned index = 0; index < row.args.size(); ++index) {
    const Arg &arg = row.args[index];
    if (!call.has(index) || arg.is_tensor() || arg.kind == ArgKind::Number || arg.kind == ArgKind::Shape) continue;
    for (unsigned part = 0; part < slots_of(arg); ++part) {
      Operand &slot = call.slots[call.lay->slot[index] + part];
      if (slot.known) continue;
      const std::optional<int64_t> bound = arg.kind == ArgKind::Mask ? std::nullopt : bound_of(op.operands(index)[part]);
      if (!bound || *bound < 0 || arg.moves) return std::nullopt;
      slot.bits = uint64_t(*bound), slot.known = true, exact = false;
    }
  }
  const auto with = [&](const CoreState &core) {
    Accesses accesses;
    row.access(call, core, accesses);
    return accesses;
  };
  const Accesses plain = with({});
  const auto same = [&](const Accesses &other) {
    return std::equal(
        plain.span().begin(), plain.span().end(), other.span().begin(), other.span().end(), [](const Access &a, const Access &b) {
          return a.arg == b.arg && a.masked == b.masked && a.repeats == b.repeats && a.blocks == b.blocks && a.bytes == b.bytes &&
                 a.tail == b.tail && a.repeat_stride == b.repeat_stride && a.block_stride == b.block_stride && a.mask == b.mask;
        });
  };
  CoreState masked, counting;
  masked.mask_lo = counting.mask_lo = 1, masked.mask_hi = counting.mask_hi = 0;
  counting.counter_mode = true;
  if (!same(with(masked)) || (counter_mode && !same(with(counting)))) return std::nullopt;
  return plain;
}

/// The last `bytes` bytes of UB.
static Footprint scratch_of(uint32_t bytes) {
  Footprint scratch;
  scratch.write = true;
  scratch.high = bytes;
  Place &place = scratch.place;
  place.array = unsigned(Memory::UB);
  place.area = Place::kAbsolute;
  place.high = info(Memory::UB).bytes;
  place.low = place.high - bytes;
  place.start.emplace().constant = place.low;
  return scratch;
}

/// Tensors whose address is in a register when the call reads it: any that the kernel gives to a row that remembers.
void KernelAccesses::add_remembered(Site &site) {
  kernel_.walk([&](Operation *op) {
    if (!ApiOp::is(op) || !ApiOp(op).row().remembers) return;
    for (Value tensor : op->getOperands())
      if (llvm::isa<LocalTensorType>(tensor.getType())) add_whole(site, tensor);
  });
}

void KernelAccesses::add_call(ApiOp op) {
  const Call call = op.call();
  const Row &row = op.row();
  Site site{op.operation(), row.pipe_of ? row.pipe_of(call) : row.pipe, {}};
  bool exact = false;
  const std::optional<Accesses> accesses = accesses_of(op, call, counter_mode_, exact);
  const CacheAction::Kind cache = cache_action(call).kind;
  const bool line = cache == CacheAction::Clean, cleans = line || cache == CacheAction::CleanAll; // S stores what the cache has
  for (unsigned index = 0; index < row.args.size(); ++index) {
    const Arg &arg = row.args[index];
    if (!arg.is_tensor() || !call.has(index)) continue;
    Footprint footprint;
    footprint.tensor = op.operands(index)[0];
    footprint.read = arg.role != Role::Out, footprint.write = arg.role != Role::In;
    bool touched = !accesses;
    if (accesses) {
      for (const Access &access : accesses->span()) {
        if (access.arg != index || access.empty()) continue;
        const auto [low, high] = access.extent();
        footprint.low = touched ? std::min(footprint.low, low) : low;
        footprint.high = touched ? std::max(footprint.high, high) : high;
        touched = true;
        if (exact) access.for_each_run([&](int64_t offset, int64_t bytes) { footprint.runs.push_back({offset, offset + bytes}); });
      }
      if (!std::is_sorted(footprint.runs.begin(), footprint.runs.end())) std::sort(footprint.runs.begin(), footprint.runs.end());
    }
    if (!touched) continue;
    llvm::SmallVector<Place> found = places(footprint.tensor);
    footprint.sole = found.size() == 1;
    for (Place &place : found) {
      Footprint one = footprint;
      if (!accesses) one.high = std::min(place.room, kNoLimit);
      if (cleans) one.write = true, one.low = line ? 1 - int64_t(kCacheLine) : -kNoLimit, one.high = line ? kCacheLine : kNoLimit;
      one.place = std::move(place);
      site.footprints.push_back(std::move(one));
    }
  }
  if (row.scratch) site.footprints.push_back(scratch_of(row.scratch));
  if (row.recalls && row.recalls(call)) add_remembered(site);
  if (row.forms[op.form()].by_address) {
    site.footprints.push_back(scratch_of(info(Memory::UB).bytes));
    site.footprints.back().read = true;
  }
  if (!site.footprints.empty()) sites_.push_back(std::move(site));
}

static bool may_be_one_array(unsigned a, unsigned b) {
  return a == b || (std::max(a, b) == Place::kAnyArray && std::min(a, b) >= Place::kFirstArray);
}

std::optional<Conflict> KernelAccesses::conflict(const Site &earlier, const Site &later) const {
  std::optional<llvm::SmallVector<Operation *>> loops; // around both, outermost first
  const auto levels = [&]() -> llvm::ArrayRef<Operation *> {
    if (!loops) {
      loops.emplace();
      for (Operation *up = earlier.op->getParentOp(); up != kernel_; up = up->getParentOp())
        if (is_loop(up) && up->isAncestor(later.op)) loops->insert(loops->begin(), up);
    }
    return *loops;
  };
  const bool precedes = order_.first(earlier.op) < order_.first(later.op);
  std::optional<Conflict> found;
  for (const Footprint &a : earlier.footprints)
    for (const Footprint &b : later.footprints) {
      if (!a.write && !b.write) continue;
      const Place &p = a.place, &q = b.place;
      if (!may_be_one_array(p.array, q.array)) continue;
      if (p.area != q.area && p.area != Place::kAnywhere && q.area != Place::kAnywhere) continue;
      if (p.low >= q.high || q.low >= p.high) continue;
      if (p.owner && q.owner && p.owner != q.owner) continue;
      if (!p.start || !q.start || p.owner != q.owner) {
        if (!found) found = Conflict{&a, &b};
        continue;
      }
      const Meeting meeting(a, b, levels());
      bool meets = precedes && meeting.possible(unsigned(levels().size()));
      for (unsigned level = 0; level < levels().size() && !meets; ++level) meets = meeting.possible(level);
      if (!meets) continue;
      const auto is_certain = [](const Footprint &f) {
        return f.sole && f.place.area == Place::kAbsolute && f.place.start->terms.empty() && !f.runs.empty();
      };
      found = Conflict{&a, &b, is_certain(a) && is_certain(b)};
      if (found->certain) return found;
    }
  return found;
}

} // namespace asc
