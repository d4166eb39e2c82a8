// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The listing: `12  add.float32  t4<z>, t6<x>, t8<y>, count=r3  @17`. rN is a register, tN the pair of a tensor, <name> the Python name of
// an operand, :type the type of an operand where it is not the usual one, @N the place.
#include "isa/text.h"

#include "apis/matmul.h"
#include "apis/moment.h"
#include "apis/queue.h"
#include "diagnostics/diagnostic.h"
#include "isa/codec.h"
#include "isa/ops.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace asc {

static constexpr std::array<std::string_view, 5> kObjectNames = {"queue", "buffer", "pool", "allocator", "matmul"};

/// One slot of a form as the listing shows it.
namespace {
struct SlotText {
  std::string label; // "count=", "" for tensors
  bool pair;         // first slot of a tensor
  bool length;       // second slot of a tensor: shown only when it is unusual
  DType usual;
};
} // namespace

static DType single(DTypes set, DType otherwise) { return std::has_single_bit(set.bits) ? DType(std::countr_zero(set.bits)) : otherwise; }

static std::vector<SlotText> slots_text(const Row &row, unsigned form, DType type) {
  const Layout &lay = layout(row, form);
  std::vector<SlotText> slots(lay.slots);
  for (unsigned n = 0; n < row.args.size(); ++n) {
    if (lay.slot[n] == Layout::kAbsent) continue;
    const Arg &arg = row.args[n];
    SlotText *s = &slots[lay.slot[n]];
    const std::string name(arg.name);
    switch (arg.kind) {
    case ArgKind::Local:
    case ArgKind::Global:
    case ArgKind::Tensor:
      s[0] = {"", true, false, type};
      s[1] = {"", false, true, DType::UInt64};
      break;
    case ArgKind::Mask:
      s[0] = {name + ".lo=", false, false, DType::UInt64};
      s[1] = {name + ".hi=", false, false, DType::UInt64};
      break;
    case ArgKind::Struct:
      find_struct(arg.type)->for_each_slot([&](const Field &field, unsigned part, unsigned index) {
        const std::string number = field.kind == FieldKind::List ? std::to_string(index) : "";
        s[part] = {name + "." + std::string(field.name) + number + "=", false, false,
                   field.kind == FieldKind::Element ? type : field.dtype};
      });
      break;
    case ArgKind::Shape:
      s[0] = {name + ".rank=", false, false, DType::UInt32};
      for (unsigned d = 0; d < assume::most_dimensions; ++d) s[1 + d] = {name + std::to_string(d) + "=", false, false, DType::UInt32};
      break;
    case ArgKind::List:
      for (unsigned index = 0; index < arg.length; ++index)
        s[index] = {name + std::to_string(index) + "=", false, false, arg.dtypes.only()};
      break;
    case ArgKind::Structs:
      s[0] = {name + ".size=", false, false, DType::UInt32};
      for_each_field(arg, [&](const Field &field, unsigned part, unsigned, unsigned item) {
        s[part] = {name + std::to_string(item) + "." + std::string(field.name) + "=", false, false, field.dtype};
      });
      break;
    case ArgKind::Number: s[0] = {name + "=", false, false, single(arg.dtypes, type)}; break;
    case ArgKind::Int: s[0] = {name + "=", false, false, single(arg.dtypes, DType::Int32)}; break;
    case ArgKind::Flag: s[0] = {name + "=", false, false, DType::Bool}; break;
    case ArgKind::Constant:
    case ArgKind::Enum:
    case ArgKind::Type: s[0] = {name + "=", false, false, DType::Int32}; break;
    }
  }
  return slots;
}

// ---------------------------------------------------------------- print

static std::string quoted(std::string_view s) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (uint8_t(c) >= 0x20 && uint8_t(c) != 0x7F)
      out += c;
    else
      ((out += "\\x") += kHex[uint8_t(c) >> 4]) += kHex[c & 15];
  }
  return out += '"';
}

static bool is_plain(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

static std::string hex(uint64_t v) {
  char digits[16];
  return "0x" + std::string(digits, std::to_chars(digits, digits + 16, v, 16).ptr);
}

namespace {
struct Printer {
  const Program &p;
  const SourceLine &source;
  std::string out;
  uint32_t shown_file = 0, shown_line = 0;

  std::string variable(uint32_t index) const {
    const std::string &s = p.strings[index];
    return s.empty() ? "" : "<" + (is_plain(s) ? s : quoted(s)) + ">";
  }
  static std::string reg(uint32_t r) { return "r" + std::to_string(r); }
  static std::string pair(uint32_t r) { return "t" + std::to_string(r); }
  static std::string object(uint32_t i) { return "o" + std::to_string(i); }
  static std::string array(uint32_t i) { return "a" + std::to_string(i); }

  void header() {
    out += "program " + quoted(p.name) + " target " + quoted(p.target) + " type " + std::string(info(p.type).name) + " auto_sync " +
           (p.auto_sync ? "on" : "off") + " registers " + std::to_string(p.registers) + " table " + hex(p.table) + "\n";
    for (size_t i = 0; i < p.constants.size(); ++i)
      out += "const " + reg(uint32_t(i)) + " " + hex(p.constants[i]) + " ; " + std::to_string(int64_t(p.constants[i])) + "\n";
    for (size_t i = 0; i < p.params.size(); ++i) {
      const Param &q = p.params[i];
      out += "param " + reg(uint32_t(p.constants.size() + i)) + " " + quoted(q.name) +
             (q.kind == ParamKind::Address ? " address " : " scalar ");
      out += std::string(name(q.dtype)) + (q.reads ? " reads" : "") + (q.writes ? " writes" : "") + "\n";
    }
    for (size_t i = 0; i < p.objects.size(); ++i) {
      const Object &o = p.objects[i];
      out += "object " + object(uint32_t(i)) + " " + std::string(kObjectNames[unsigned(o.kind)]) + " " + std::string(name(o.src)) + " " +
             std::string(name(o.dst)) + " " + std::to_string(o.depth) + variable(o.variable) + "\n";
    }
    for (size_t i = 0; i < p.arrays.size(); ++i) {
      const ScalarArray &a = p.arrays[i];
      out += "array " + array(uint32_t(i)) + " " + std::string(name(a.dtype)) + " " + std::to_string(a.length) + " at " +
             std::to_string(a.first) + variable(a.variable) + "\n";
    }
    for (size_t i = 0; i < p.sites.size(); ++i) {
      const Site &s = p.sites[i];
      out += "site @" + std::to_string(i) + " " + quoted(p.strings[s.file]) + " " + std::to_string(s.line) + " " +
             std::to_string(s.column) + " " + std::to_string(s.end_line) + " " + std::to_string(s.end_column) + " in " +
             quoted(p.strings[s.function]) + " called " + (s.inlined_at == kNoRegister ? "-" : "@" + std::to_string(s.inlined_at)) +
             variable(s.variable) + "\n";
    }
  }

  void python_line(const Site &s) {
    if (!source || s.line == 0 || (s.file == shown_file && s.line == shown_line)) return;
    shown_file = s.file, shown_line = s.line;
    const std::string &file = p.strings[s.file];
    std::string text = source(file, s.line);
    std::replace(text.begin(), text.end(), '\n', ' ');
    out += "; " + file.substr(file.rfind('/') + 1) + ":" + std::to_string(s.line) + "  " +
           text.substr(std::min(text.size(), text.find_first_not_of(' '))) + "\n";
  }

  void field(std::vector<std::string> &list, Use use, uint32_t value) const {
    switch (use) {
    case Use::String:
    case Use::Text: list.push_back(quoted(p.strings[value])); return;
    case Use::Number: list.push_back("#" + std::to_string(value)); return;
    case Use::Read:
    case Use::Write:
    case Use::Update: list.push_back(reg(value)); return;
    case Use::ReadPair:
    case Use::WritePair:
    case Use::UpdatePair: list.push_back(pair(value)); return;
    case Use::MaybeRead: list.push_back(value == kNoRegister ? "-" : reg(value)); return;
    case Use::MaybeReadPair: list.push_back(value == kNoRegister ? "-" : pair(value)); return;
    case Use::Target: list.push_back("to=" + std::to_string(value)); return;
    case Use::Array: list.push_back(array(value)); return;
    case Use::Mode: list.push_back("mode=" + std::to_string(value)); return;
    case Use::Barrier: list.push_back("barrier=" + std::to_string(value)); return;
    case Use::Pointer: list.push_back("pointer=" + std::to_string(value)); return;
    case Use::None:
    case Use::Row:
    case Use::Operands:
    case Use::Count:
    case Use::Result: return;
    default: list.push_back(value == kNoRegister ? "-" : object(value)); return;
    }
  }

  std::vector<std::string> scalar(const Instr &i, const OpInfo &op) const {
    std::vector<std::string> list;
    if (op.aux == Aux::Event) list.emplace_back(kEventInfo[i.aux].name);
    if (op.aux == Aux::Pipe) list.emplace_back(kPipeNames[i.aux]);
    if (op.aux == Aux::Position) list.emplace_back(kPositionNames[i.aux]);
    if (op.aux == Aux::Query) list.emplace_back(kQueueQueryNames[i.aux]);
    if (op.aux == Aux::Moment) list.emplace_back(kMomentNames[i.aux]);
    if (op.aux == Aux::Matmul) list.emplace_back(kMatmulCalls[i.aux].name);
    field(list, op.dst, i.dst), field(list, op.a, i.a), field(list, op.b, i.b);
    if (op.aux == Aux::Type) list.emplace_back(name(DType(i.aux)));
    if (op.b == Use::Count)
      for (const SlotRef &value : std::span(p.operands).subspan(i.a, i.b))
        list.push_back(reg(value.reg) + ":" + std::string(name(value.dtype)) + variable(value.variable));
    return list;
  }

  std::vector<std::string> api(const Instr &i, const Row &row) const {
    std::vector<std::string> list;
    const auto slots = slots_text(row, i.aux, i.type);
    for (size_t n = 0; n < slots.size(); ++n) {
      const SlotRef &ref = p.operands[i.a + n];
      const std::string type = ref.dtype == slots[n].usual ? "" : ":" + std::string(name(ref.dtype));
      if (slots[n].length) {
        if (!type.empty() || ref.variable != 0) list.back() += " +" + type + variable(ref.variable);
      } else {
        list.push_back(slots[n].label + (slots[n].pair ? pair(ref.reg) : reg(ref.reg)) + type + variable(ref.variable));
      }
    }
    if (i.aux != 0) list.push_back("form=" + std::to_string(i.aux));
    if (row.results(i.aux)) list.push_back("result=" + reg(i.b));
    return list;
  }

  void instruction(size_t pc) {
    const Instr &i = p.code[pc];
    python_line(p.sites[p.site_of[pc]]);
    const OpInfo &op = info(i.op);
    std::string mnemonic(i.op == Op::Api ? rows()[i.dst]->name : op.name);
    if (i.type != DType::Void) mnemonic += "." + std::string(name(i.type));
    const auto list = i.op == Op::Api ? api(i, *rows()[i.dst]) : scalar(i, op);
    std::string line = std::to_string(pc);
    line.insert(0, line.size() < 5 ? 5 - line.size() : 0, ' ');
    line += "  " + mnemonic;
    if (line.size() < 26) line.resize(26, ' ');
    for (size_t n = 0; n < list.size(); ++n) line += (n ? ", " : " ") + list[n];
    if (line.size() < 76) line.resize(76, ' ');
    out += line + " @" + std::to_string(p.site_of[pc]) + "\n";
  }
};
} // namespace

std::string print(const Program &program, const SourceLine &source) {
  validate(program);
  Printer printer{program, source, {}};
  printer.header();
  printer.out += "code\n";
  for (size_t pc = 0; pc < program.code.size(); ++pc) printer.instruction(pc);
  return std::move(printer.out);
}

// ---------------------------------------------------------------- parse

namespace {
struct Token {
  std::string text;
  bool is_string = false;
};

struct Parser {
  Program p;
  uint32_t line = 0;
  std::vector<Token> tokens;
  size_t next = 0;
  std::map<std::string, uint32_t, std::less<>> interned;

  [[noreturn]] void bad(const std::string &what) const {
    Diagnostic d;
    d.code = "C104", d.message = "line " + std::to_string(line) + " of the listing: " + what;
    d.help = "see an unchanged listing for the form of each line";
    throw DiagnosticError(std::move(d));
  }

  uint32_t intern(const std::string &s) {
    const auto [it, added] = interned.try_emplace(s, uint32_t(p.strings.size()));
    if (added) p.strings.push_back(s);
    return it->second;
  }

  Token string_token(std::string_view text, size_t &i) const {
    Token t{"", true};
    const auto digit = [&](size_t at) -> int {
      const char c = at < text.size() ? text[at] : ' ';
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      bad("\\x wants two hexadecimal digits");
    };
    for (++i;; ++i) {
      if (i >= text.size()) bad("a string has no end");
      if (text[i] == '"') break;
      if (text[i] != '\\')
        t.text += text[i];
      else if (++i < text.size() && text[i] == 'x')
        t.text += char(digit(i + 1) << 4 | digit(i + 2)), i += 2;
      else if (i < text.size())
        t.text += text[i];
    }
    ++i;
    return t;
  }

  void tokenize(std::string_view text) {
    tokens.clear(), next = 0;
    for (size_t i = 0; i < text.size();) {
      const char c = text[i];
      if (c == ';') return;
      if (c == ' ' || c == ',' || c == '\t' || c == '\r')
        ++i;
      else if (c == '"')
        tokens.push_back(string_token(text, i));
      else if (c == '<' || c == '>')
        tokens.push_back({std::string(1, c)}), ++i;
      else {
        const size_t end = std::min(text.size(), text.find_first_of(" \t\r,;\"<>", i));
        tokens.push_back({std::string(text.substr(i, end - i))});
        i = end;
      }
    }
  }

  bool at_end() const { return next >= tokens.size(); }
  bool at(std::string_view word) const { return !at_end() && !tokens[next].is_string && tokens[next].text == word; }
  bool accept(std::string_view word) { return at(word) && ++next; }
  void expect(std::string_view word) {
    if (!accept(word)) bad("'" + std::string(word) + "' expected");
  }
  std::string take(std::string_view what) {
    if (at_end()) bad(std::string(what) + " expected");
    return tokens[next++].text;
  }
  std::string take_string() {
    if (at_end() || !tokens[next].is_string) bad("a string in quotes expected");
    return tokens[next++].text;
  }
  void end() const {
    if (!at_end()) bad("'" + tokens[next].text + "' is too much");
  }

  uint64_t number(std::string_view s, int base = 10, uint64_t most = UINT32_MAX) const {
    uint64_t v = 0;
    const auto [stop, error] = std::from_chars(s.data(), s.data() + s.size(), v, base);
    if (error != std::errc() || stop != s.data() + s.size() || v > most) bad("'" + std::string(s) + "' is not a number");
    return v;
  }
  uint64_t hex_number() {
    const std::string s = take("a hexadecimal number");
    if (s.substr(0, 2) != "0x") bad("'" + s + "' does not begin with 0x");
    return number(std::string_view(s).substr(2), 16, UINT64_MAX);
  }
  uint32_t numbered(std::string_view s, std::string_view prefix) const {
    if (s.substr(0, prefix.size()) != prefix) bad("'" + std::string(s) + "' where " + std::string(prefix) + "N was expected");
    return uint32_t(number(s.substr(prefix.size())));
  }
  /// The index of a name in a table.
  template <class Table, class Name> uint8_t index(const Table &table, std::string_view s, Name name_of, std::string_view what) const {
    for (size_t i = 0; i < table.size(); ++i)
      if (name_of(table[i]) == s) return uint8_t(i);
    bad("'" + std::string(s) + "' is not " + std::string(what));
  }
  DType dtype(std::string_view s) const {
    return DType(index(kDTypeInfo, s, [](auto &t) { return t.name; }, "a type"));
  }
  uint32_t variable() {
    if (!accept("<")) return 0;
    const std::string s = take("a name");
    expect(">");
    return intern(s);
  }

  void program_line() {
    p.name = take_string();
    expect("target"), p.target = take_string();
    expect("type"), p.type = KernelType(index(kKernelTypeInfo, take("a kernel type"), [](auto &t) { return t.name; }, "a kernel type"));
    expect("auto_sync"), p.auto_sync = accept("on");
    if (!p.auto_sync) expect("off");
    expect("registers"), p.registers = uint32_t(number(take("a number")));
    expect("table"), p.table = hex_number();
    end();
  }
  void const_line() {
    if (numbered(take("a register"), "r") != p.constants.size() || !p.params.empty())
      bad("constants are numbered from r0 on, before the parameters");
    p.constants.push_back(hex_number());
    end();
  }
  void param_line() {
    if (numbered(take("a register"), "r") != p.constants.size() + p.params.size()) bad("parameters are numbered after the constants");
    Param q;
    q.name = take_string();
    q.kind = accept("address") ? ParamKind::Address : ParamKind::Scalar;
    if (q.kind == ParamKind::Scalar) expect("scalar");
    q.dtype = dtype(take("a type"));
    q.reads = accept("reads"), q.writes = accept("writes");
    end();
    p.params.push_back(std::move(q));
  }
  void site_line() {
    if (numbered(take("a place"), "@") != p.sites.size()) bad("places are numbered from @0 on");
    Site s{};
    s.file = intern(take_string());
    for (uint32_t *v : {&s.line, &s.column, &s.end_line, &s.end_column}) *v = uint32_t(number(take("a number")));
    expect("in"), s.function = intern(take_string());
    expect("called"), s.inlined_at = accept("-") ? kNoRegister : numbered(take("a place"), "@");
    s.variable = variable();
    end();
    p.sites.push_back(s);
  }

  void object_line() {
    if (numbered(take("an object"), "o") != p.objects.size()) bad("objects are numbered from o0 on");
    const auto itself = [](auto &t) { return t; };
    Object o{};
    o.kind = ObjectKind(index(kObjectNames, take("a kind"), itself, "a kind of object"));
    for (Position *end : {&o.src, &o.dst}) *end = Position(index(kPositionNames, take("a position"), itself, "a position"));
    o.depth = uint8_t(number(take("a depth"), 10, UINT8_MAX));
    o.variable = variable();
    end();
    p.objects.push_back(o);
  }

  void array_line() {
    if (numbered(take("an array"), "a") != p.arrays.size()) bad("arrays are numbered from a0 on");
    ScalarArray a{};
    a.dtype = dtype(take("a type"));
    a.length = uint32_t(number(take("a length")));
    expect("at"), a.first = uint32_t(number(take("a number")));
    a.variable = variable();
    end();
    p.arrays.push_back(a);
  }

  uint32_t field(Use use) {
    switch (use) {
    case Use::Read:
    case Use::Write:
    case Use::Update: return numbered(take("a register"), "r");
    case Use::ReadPair:
    case Use::WritePair:
    case Use::UpdatePair: return numbered(take("a tensor"), "t");
    case Use::MaybeRead: return accept("-") ? kNoRegister : numbered(take("a register"), "r");
    case Use::MaybeReadPair: return accept("-") ? kNoRegister : numbered(take("a pair"), "t");
    case Use::Target: return numbered(take("a target"), "to=");
    case Use::Mode: return numbered(take("a mode"), "mode=");
    case Use::Barrier: return numbered(take("a barrier"), "barrier=");
    case Use::Pointer: return numbered(take("a pointer"), "pointer=");
    case Use::String:
    case Use::Text: return intern(take_string());
    case Use::Number: return numbered(take("a number"), "#");
    case Use::Array: return numbered(take("an array"), "a");
    case Use::None:
    case Use::Row:
    case Use::Operands:
    case Use::Count:
    case Use::Result: return 0;
    default: return accept("-") ? kNoRegister : numbered(take("an object"), "o");
    }
  }

  void scalar(Instr &i, const OpInfo &op) {
    const auto named = [](auto &t) { return t.name; };
    const auto itself = [](auto &t) { return t; };
    if (op.aux == Aux::Event) i.aux = index(kEventInfo, take("an event"), named, "an event");
    if (op.aux == Aux::Pipe) i.aux = index(kPipeNames, take("a pipe"), itself, "a pipe");
    if (op.aux == Aux::Position) i.aux = index(kPositionNames, take("a position"), itself, "a position");
    if (op.aux == Aux::Query) i.aux = index(kQueueQueryNames, take("a question"), itself, "a question");
    if (op.aux == Aux::Moment) i.aux = index(kMomentNames, take("a moment"), itself, "a moment");
    if (op.aux == Aux::Matmul) i.aux = index(kMatmulCalls, take("a call"), named, "a call of a Matmul");
    i.dst = field(op.dst), i.a = field(op.a), i.b = field(op.b);
    if (op.aux == Aux::Type) i.aux = uint8_t(dtype(take("a type")));
    if (op.b != Use::Count) return;
    i.a = uint32_t(p.operands.size());
    while (!at_end() && tokens[next].text[0] != '@') p.operands.push_back(slot("", "r", DType::Void));
    i.b = uint32_t(p.operands.size()) - i.a;
  }

  /// `label`, register, `:type`, `<variable>`.
  SlotRef slot(const std::string &label, std::string_view prefix, DType usual) {
    std::string text = take(label + std::string(prefix) + "N");
    if (text.substr(0, label.size()) != label) bad("'" + text + "' where " + label + " was expected");
    text.erase(0, label.size());
    SlotRef ref{0, usual};
    if (const size_t colon = text.find(':'); colon != std::string::npos) {
      ref.dtype = dtype(std::string_view(text).substr(colon + 1));
      text.resize(colon);
    }
    if (prefix != "+")
      ref.reg = numbered(text, prefix);
    else if (text != "+")
      bad("'" + text + "' where + was expected");
    ref.variable = variable();
    return ref;
  }

  void api(Instr &i, const Row &row) {
    // The form stands behind the operands that it determines.
    for (const Token &t : tokens)
      if (!t.is_string && t.text.substr(0, 5) == "form=") i.aux = uint8_t(number(std::string_view(t.text).substr(5), 10, UINT8_MAX));
    if (i.aux >= row.forms.size()) bad(std::string(row.name) + " has no form " + std::to_string(i.aux));
    i.a = uint32_t(p.operands.size());
    i.b = kNoRegister;
    for (const SlotText &s : slots_text(row, i.aux, i.type)) {
      if (!s.length)
        p.operands.push_back(slot(s.label, s.pair ? "t" : "r", s.usual));
      else {
        SlotRef ref{0, s.usual};
        if (!at_end() && !tokens[next].is_string && tokens[next].text.substr(0, 1) == "+") ref = slot("", "+", s.usual);
        ref.reg = p.operands.back().reg + 1;
        p.operands.push_back(ref);
      }
    }
    if (i.aux != 0) take("form");
    if (row.results(i.aux)) i.b = numbered(take("a result"), "result=r");
  }

  void instruction() {
    if (number(take("a number")) != p.code.size()) bad("instruction " + std::to_string(p.code.size()) + " expected");
    std::string mnemonic = take("an instruction");
    Instr i{};
    if (const size_t dot = mnemonic.rfind('.'); dot != std::string::npos) {
      i.type = dtype(std::string_view(mnemonic).substr(dot + 1));
      mnemonic.resize(dot);
    }
    const auto op = std::find_if(kOpInfo.begin(), kOpInfo.end() - 1, [&](auto &o) { return o.name == mnemonic; });
    i.op = Op(op - kOpInfo.begin());
    if (i.op != Op::Api)
      scalar(i, *op);
    else if (const Row *row = find_row(mnemonic))
      i.dst = row_number(*row), api(i, *row);
    else
      bad("'" + mnemonic + "' is not an instruction");
    p.site_of.push_back(numbered(take("a place"), "@"));
    end();
    p.code.push_back(i);
  }

  Program run(std::string_view text) {
    intern("");
    bool in_code = false;
    while (!text.empty()) {
      const size_t stop = std::min(text.size(), text.find('\n'));
      ++line;
      tokenize(text.substr(0, stop));
      text.remove_prefix(std::min(text.size(), stop + 1));
      if (at_end()) continue;
      if (in_code)
        instruction();
      else if (accept("program"))
        program_line();
      else if (accept("const"))
        const_line();
      else if (accept("param"))
        param_line();
      else if (accept("object"))
        object_line();
      else if (accept("array"))
        array_line();
      else if (accept("site"))
        site_line();
      else
        expect("code"), end(), in_code = true;
    }
    validate(p);
    return std::move(p);
  }
};
} // namespace

Program parse(std::string_view text) { return Parser{}.run(text); }

} // namespace asc
