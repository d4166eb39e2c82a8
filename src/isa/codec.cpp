// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout of a program file, little-endian: header (magic, version, length, hash of the API table, digest of all other bytes), then the
// fields of Program in order; every list and text has its size in front.
#include "isa/codec.h"

#include "apis/format.h"
#include "apis/matmul.h"
#include "apis/moment.h"
#include "apis/queue.h"
#include "diagnostics/diagnostic.h"
#include "isa/ops.h"

#include <algorithm>
#include <cstring>

namespace asc {

static_assert(std::endian::native == std::endian::little, "lists are copied as they lie in memory");

static constexpr std::string_view kMagic = "ASCPROG\x1a";
static constexpr uint32_t kVersion = 9;
static constexpr size_t kHeader = 40, kLengthAt = 16, kDigestAt = 32; // magic 8, version 4, reserved 4, length 8, table 8, digest 8

[[noreturn]] static void fail(std::string code, std::string message, std::string help) {
  Diagnostic d;
  d.code = std::move(code), d.message = std::move(message), d.help = std::move(help);
  throw DiagnosticError(std::move(d));
}
[[noreturn]] static void damaged(std::string what) { fail("C101", "not a usable program file: " + what, "compile the kernel again"); }
[[noreturn]] static void foreign(std::string what) {
  fail("C102", "program of another version: " + what, "compile the kernel again with this version");
}

/// Every step is a bijection of the state, so a change within one word always shows.
static uint64_t digest(uint64_t h, std::string_view bytes) {
  auto mix = [&h](uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  };
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    mix(word);
  }
  for (; i < bytes.size(); ++i) mix(uint8_t(bytes[i]));
  return h;
}
static uint64_t digest_of(std::string_view file) { return digest(digest(file.size(), file.substr(0, kDigestAt)), file.substr(kHeader)); }

// ---------------------------------------------------------------- writing

namespace {
struct Writer {
  std::string out;
  template <class T> void put(T v) { out.append(reinterpret_cast<const char *>(&v), sizeof v); }
  void text(std::string_view s) { put(uint32_t(s.size())), out.append(s); }
  template <class T> void list(const std::vector<T> &v) {
    put(uint32_t(v.size()));
    out.append(reinterpret_cast<const char *>(v.data()), v.size() * sizeof(T));
  }
};

struct Reader {
  std::string_view in;
  template <class T> T get() {
    T v;
    if (in.size() < sizeof v) damaged("it ends too early");
    std::memcpy(&v, in.data(), sizeof v);
    in.remove_prefix(sizeof v);
    return v;
  }
  /// The size of a list whose entries take at least `bytes` each.
  size_t size(size_t bytes) {
    const size_t n = get<uint32_t>();
    if (n > in.size() / bytes) damaged("a list is longer than the file");
    return n;
  }
  std::string text() {
    const size_t n = size(1);
    std::string s(in.substr(0, n));
    in.remove_prefix(n);
    return s;
  }
  template <class T> std::vector<T> list() {
    std::vector<T> v(size(sizeof(T)));
    if (!v.empty()) std::memcpy(v.data(), in.data(), v.size() * sizeof(T));
    in.remove_prefix(v.size() * sizeof(T));
    return v;
  }
};
} // namespace

std::string encode(const Program &p) {
  Writer w;
  w.out.append(kMagic);
  w.put(kVersion), w.put(uint32_t(0)), w.put(uint64_t(0)), w.put(p.table), w.put(uint64_t(0));
  w.text(p.name), w.text(p.target);
  w.put(p.type), w.put(uint8_t(p.auto_sync));
  w.put(p.registers);
  w.list(p.constants);
  w.put(uint32_t(p.params.size()));
  for (const Param &q : p.params) w.text(q.name), w.put(q.kind), w.put(q.dtype), w.put(uint8_t(q.reads | q.writes << 1));
  w.list(p.code);
  w.put(uint32_t(p.operands.size()));
  for (const SlotRef &s : p.operands) w.put(s.reg), w.put(s.dtype), w.put(s.variable);
  w.put(uint32_t(p.objects.size()));
  for (const Object &o : p.objects) w.put(o.kind), w.put(o.src), w.put(o.dst), w.put(o.depth), w.put(o.variable);
  w.put(uint32_t(p.arrays.size()));
  for (const ScalarArray &a : p.arrays) w.put(a.dtype), w.put(a.first), w.put(a.length), w.put(a.variable);
  w.put(uint32_t(p.strings.size()));
  for (const std::string &s : p.strings) w.text(s);
  w.list(p.sites);
  w.list(p.site_of);
  seal(w.out);
  return std::move(w.out);
}

void seal(std::string &file) {
  const uint64_t length = file.size();
  std::memcpy(file.data() + kLengthAt, &length, 8);
  const uint64_t sum = digest_of(file);
  std::memcpy(file.data() + kDigestAt, &sum, 8);
}

Program decode(std::string_view bytes) {
  if (bytes.size() < kHeader || bytes.substr(0, kMagic.size()) != kMagic) damaged("it does not begin as one");
  Reader r{bytes.substr(kMagic.size())};
  const uint32_t version = r.get<uint32_t>();
  if (version != kVersion) foreign("file format " + std::to_string(version) + ", this is " + std::to_string(kVersion));
  r.get<uint32_t>();
  const uint64_t length = r.get<uint64_t>();
  if (length != bytes.size()) damaged("it has " + std::to_string(bytes.size()) + " bytes and should have " + std::to_string(length));
  Program p;
  p.table = r.get<uint64_t>();
  if (r.get<uint64_t>() != digest_of(bytes)) damaged("its digest does not match its content");
  if (p.table != table_hash()) foreign("it was made for another set of APIs");
  p.name = r.text(), p.target = r.text();
  p.type = r.get<KernelType>();
  p.auto_sync = r.get<uint8_t>() != 0;
  p.registers = r.get<uint32_t>();
  p.constants = r.list<uint64_t>();
  p.params.resize(r.size(7));
  for (Param &q : p.params) {
    q.name = r.text(), q.kind = r.get<ParamKind>(), q.dtype = r.get<DType>();
    const uint8_t use = r.get<uint8_t>();
    q.reads = use & 1, q.writes = use >> 1 & 1;
  }
  p.code = r.list<Instr>();
  p.operands.resize(r.size(9));
  for (SlotRef &s : p.operands) s.reg = r.get<uint32_t>(), s.dtype = r.get<DType>(), s.variable = r.get<uint32_t>();
  p.objects.resize(r.size(8));
  for (Object &o : p.objects)
    o.kind = r.get<ObjectKind>(), o.src = r.get<Position>(), o.dst = r.get<Position>(), o.depth = r.get<uint8_t>(),
    o.variable = r.get<uint32_t>();
  p.arrays.resize(r.size(13));
  for (ScalarArray &a : p.arrays)
    a.dtype = r.get<DType>(), a.first = r.get<uint32_t>(), a.length = r.get<uint32_t>(), a.variable = r.get<uint32_t>();
  p.strings.resize(r.size(4));
  for (std::string &s : p.strings) s = r.text();
  p.sites = r.list<Site>();
  p.site_of = r.list<uint32_t>();
  if (!r.in.empty()) damaged("bytes are left over");
  validate(p);
  return p;
}

// ---------------------------------------------------------------- validation

namespace {
struct Validator {
  const Program &p;
  size_t pc = 0;

  [[noreturn]] void bad(const std::string &what) const { fail("C103", "meaningless program: " + what, "compile the kernel again"); }
  [[noreturn]] void bad_at(const std::string &what) const { bad("instruction " + std::to_string(pc) + ": " + what); }
  void string(uint32_t index) const {
    if (index >= p.strings.size()) bad("string " + std::to_string(index) + " of " + std::to_string(p.strings.size()));
  }
  void dtype(DType t, DTypes legal) const {
    if (unsigned(t) >= kDTypes || !legal.has(t)) bad_at("type " + std::to_string(unsigned(t)));
  }
  /// Constants are never written, so `count` registers from `r` on are legal to write after them.
  void registers(uint32_t r, unsigned count, bool written) const {
    if (r >= p.registers || p.registers - r < count) bad_at("register " + std::to_string(r) + " of " + std::to_string(p.registers));
    if (written && r < p.constants.size()) bad_at("writes the constant r" + std::to_string(r));
  }

  void tables() const {
    if (p.strings.empty() || !p.strings[0].empty()) bad("string 0 is not empty");
    if (p.sites.empty()) bad("no site 0");
    if (p.site_of.size() != p.code.size())
      bad(std::to_string(p.site_of.size()) + " places for " + std::to_string(p.code.size()) + " instructions");
    const uint64_t fixed = uint64_t(p.constants.size()) + p.params.size();
    if (p.registers < fixed || p.registers > fixed + 2 * p.code.size()) bad(std::to_string(p.registers) + " registers");
    for (const Param &q : p.params) {
      if (q.kind > ParamKind::Scalar) bad("kind of the parameter " + q.name);
      if (unsigned(q.dtype) >= kDTypes || q.dtype == DType::Void) bad("type of the parameter " + q.name);
    }
    for (size_t i = 0; i < p.objects.size(); ++i) object(p.objects[i], "object " + std::to_string(i));
    for (size_t i = 0; i < p.arrays.size(); ++i) {
      const ScalarArray &a = p.arrays[i];
      if (unsigned(a.dtype) >= kDTypes || a.dtype == DType::Void || a.length == 0 || a.first > kArrayWords ||
          a.length > kArrayWords - a.first)
        bad("array " + std::to_string(i));
      string(a.variable);
    }
    for (size_t i = 0; i < p.sites.size(); ++i) {
      const Site &s = p.sites[i];
      string(s.file), string(s.function), string(s.variable);
      // Only earlier sites: a chain of calls always ends.
      if (s.inlined_at != kNoRegister && s.inlined_at >= i)
        bad("site " + std::to_string(i) + " is called from site " + std::to_string(s.inlined_at));
    }
    for (uint32_t s : p.site_of)
      if (s >= p.sites.size()) bad("site " + std::to_string(s) + " of " + std::to_string(p.sites.size()));
    if (unsigned(p.type) >= kKernelTypes) bad("kernel type " + std::to_string(unsigned(p.type)));
    if (p.code.empty() || (p.code.back().op != Op::Halt && p.code.back().op != Op::Jump)) bad("the code has no end");
  }

  void object(const Object &o, const std::string &what) const {
    if (o.kind > ObjectKind::Matmul) bad(what + ": kind " + std::to_string(unsigned(o.kind)));
    if (unsigned(o.src) >= kPositions || unsigned(o.dst) >= kPositions) bad(what + ": position");
    if (o.kind == ObjectKind::Queue ? !queue_events({o.src, o.dst}) : o.src != o.dst || memory_of(o.dst) == Memory::GM)
      bad(what + " between " + std::string(name(o.src)) + " and " + std::string(name(o.dst)));
    if (o.kind == ObjectKind::Queue && o.depth > kMaxQueueDepth) bad(what + ": depth " + std::to_string(o.depth));
    string(o.variable);
  }

  void use(Use use, uint32_t value) const {
    if (const unsigned kinds = object_kinds(use); kinds != 0) {
      if (use == Use::Owner && value == kNoRegister) return;
      if (value >= p.objects.size() || !(kinds >> unsigned(p.objects[value].kind) & 1)) bad_at("object " + std::to_string(value));
      return;
    }
    switch (use) {
    case Use::None:
      if (value != 0) bad_at("an unused field is not 0");
      return;
    case Use::Read: return registers(value, 1, false);
    case Use::Write:
    case Use::Update: return registers(value, 1, true);
    case Use::ReadPair: return registers(value, 2, false);
    case Use::WritePair:
    case Use::UpdatePair: return registers(value, 2, true);
    case Use::MaybeRead:
      if (value != kNoRegister) registers(value, 1, false);
      return;
    case Use::MaybeReadPair:
      if (value != kNoRegister) registers(value, 2, false);
      return;
    case Use::Target:
      if (value >= p.code.size()) bad_at("jumps to " + std::to_string(value) + " of " + std::to_string(p.code.size()));
      return;
    case Use::Array:
      if (value >= p.arrays.size() || p.arrays[value].dtype != p.code[pc].type) bad_at("array " + std::to_string(value));
      return;
    case Use::Mode:
      if (value >= kCrossModes) bad_at("mode " + std::to_string(value));
      return;
    case Use::Barrier:
      if (value >= kDataBarriers) bad_at("barrier " + std::to_string(value));
      return;
    case Use::Pointer:
      if (value >= kPointers) bad_at("pointer " + std::to_string(value));
      return;
    case Use::String:
      if (value >= p.strings.size()) bad_at("string " + std::to_string(value));
      return;
    case Use::Row:
    case Use::Operands:
    case Use::Result:
    case Use::Text:
    case Use::Number:
    case Use::Count: return; // api(), values(), text()
    default: return;         // objects
    }
  }

  void aux(Aux aux, uint8_t value) const {
    switch (aux) {
    case Aux::None:
      if (value != 0) bad_at("an unused field is not 0");
      return;
    case Aux::Type: return dtype(DType(value), kScalars);
    case Aux::Position:
      if (value >= kPositions || memory_of(Position(value)) == Memory::GM) bad_at("position " + std::to_string(value));
      return;
    case Aux::Event:
      if (value >= kEvents) bad_at("event " + std::to_string(value));
      return;
    case Aux::Pipe:
      if (value >= kPipes || Pipe(value) == Pipe::S) bad_at("pipe " + std::to_string(value));
      return;
    case Aux::Query:
      if (value >= kQueueQueries) bad_at("question " + std::to_string(value));
      return;
    case Aux::Moment:
      if (value >= kMoments) bad_at("moment " + std::to_string(value));
      return;
    case Aux::Matmul:
      if (value >= kMatmulCalls.size()) bad_at("call " + std::to_string(value) + " of a Matmul");
      return;
    case Aux::Form: return; // api()
    }
  }

  void api(const Instr &i) const {
    if (i.dst >= rows().size()) bad_at("API " + std::to_string(i.dst) + " of " + std::to_string(rows().size()));
    const Row &row = *rows()[i.dst];
    if (!row.structure.empty() || (!row.run && !row.poll)) bad_at(std::string(row.name) + " is not an instruction");
    if (i.aux >= row.forms.size() || row.forms[i.aux].of_cube) bad_at("form " + std::to_string(i.aux) + " of " + std::string(row.name));
    const Layout &lay = layout(row, i.aux);
    if (i.a > p.operands.size() || p.operands.size() - i.a < lay.slots) bad_at("operands of " + std::string(row.name));
    if (row.results(i.aux))
      registers(i.b, row.results(i.aux), true);
    else if (i.b != kNoRegister)
      bad_at(std::string(row.name) + " has no result");
    for (unsigned n = 0; n < row.args.size(); ++n) {
      if (lay.slot[n] == Layout::kAbsent) continue;
      const Arg &arg = row.args[n];
      const SlotRef *slot = &p.operands[i.a + lay.slot[n]];
      for (unsigned part = 0; part < slots_of(arg); ++part) {
        registers(slot[part].reg, 1, false), string(slot[part].variable);
        if (unsigned(slot[part].dtype) >= kDTypes) bad_at("type of " + std::string(arg.name));
      }
      if (!arg.is_tensor()) continue;
      if (slot[1].reg != slot[0].reg + 1) bad_at("registers of " + std::string(arg.name));
      dtype(slot[0].dtype, arg.dtypes);
    }
  }

  std::vector<DType> values(const Instr &i) const {
    if (i.a > p.operands.size() || p.operands.size() - i.a < i.b) bad_at(std::to_string(i.b) + " values");
    std::vector<DType> types;
    for (const SlotRef &value : std::span(p.operands).subspan(i.a, i.b)) {
      registers(value.reg, 1, false), string(value.variable), dtype(value.dtype, kScalars);
      types.push_back(value.dtype);
    }
    return types;
  }

  void matmul(const Instr &i) const {
    const MatmulCallInfo &call = kMatmulCalls[i.aux];
    const std::vector<DType> types = values(i);
    if (types.size() != call.slots) bad_at("operands of " + std::string(call.name));
    if (call.tensor && p.operands[i.a + 1].reg != p.operands[i.a].reg + 1) bad_at("registers of " + std::string(call.name));
  }

  void text(const Instr &i) const {
    string(i.dst);
    std::vector<DType> types = values(i);
    const bool condition = i.op == Op::Assert;
    if (condition && types.empty()) bad_at("no condition");
    if (condition) types.erase(types.begin());
    const std::string mismatch = format_mismatch(parse_format(p.strings[i.dst]), types, !condition);
    if (!mismatch.empty()) bad_at("format: " + mismatch);
  }

  void run() {
    if (p.table != table_hash()) foreign("it was made for another set of APIs");
    tables();
    for (pc = 0; pc < p.code.size(); ++pc) {
      const Instr &i = p.code[pc];
      if (unsigned(i.op) >= kOps) bad_at("operation " + std::to_string(unsigned(i.op)));
      const OpInfo &op = info(i.op);
      dtype(i.type, op.types);
      use(op.dst, i.dst), use(op.a, i.a), use(op.b, i.b), aux(op.aux, i.aux);
      if (i.op == Op::Api) api(i);
      if (op.dst == Use::Text) text(i);
      if (op.dst == Use::Number) values(i);
      if (i.op == Op::Matmul) matmul(i);
    }
  }
};
} // namespace

void validate(const Program &program) { Validator{program}.run(); }

} // namespace asc
