// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs as bytes and as text: round trips over all operations, rows and forms; damaged input.
#include "isa/text.h"

#include "apis/matmul.h"
#include "apis/moment.h"
#include "apis/queue.h"
#include "diagnostics/diagnostic.h"
#include "isa/codec.h"
#include "isa/ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

namespace asc {
namespace {

/// A program with every operation and every form of every row. It makes no sense to run it.
Program everything() {
  Program p;
  p.name = "every \"thing\"\n";
  p.auto_sync = false;
  p.constants = {0, 1, 0xFFFFFFFFFFFFFFFF, 0x3F800000};
  p.params = {{"x", ParamKind::Address, DType::Float32, true, false},
              {"y", ParamKind::Address, DType::UInt8, false, true},
              {"n", ParamKind::Scalar, DType::Int32}};
  p.objects = {{ObjectKind::Queue, Position::VECIN, Position::VECOUT, 2, 3},
               {ObjectKind::Buffer, Position::VECCALC, Position::VECCALC},
               {ObjectKind::Pool, Position::VECCALC, Position::VECCALC, 4, 4},
               {ObjectKind::Allocator, Position::VECIN, Position::VECIN},
               {ObjectKind::Matmul, Position::CO1, Position::CO1}};
  for (unsigned t = 1; t < kDTypes; ++t) p.arrays.push_back({DType(t), 10 * t, t, t % 2 ? 3u : 0});
  p.strings = {"", "/some where/kernel.py", "kernel", "x_local", "n[0] > \"1\"", "n is %d;\n"};
  p.sites = {{0, 0, 0, 0, 0, 0, kNoRegister, 0}, {1, 17, 4, 17, 30, 2, kNoRegister, 3}, {1, 3, 0, 4, 2, 2, 1, 4}};
  p.operands = {{6, DType::Float32, 3}, {7, DType::UInt64},                                                // of a Matmul,
                {8, DType::Int32},      {6, DType::Bool, 4},    {8, DType::Int32}, {2, DType::Float16, 3}, // print, assert
                {8, DType::Int32},      {6, DType::Float32, 3}, {7, DType::UInt64}};                       // and statement
  p.table = table_hash();
  const auto emit = [&](Instr i) {
    p.code.push_back(i);
    p.site_of.push_back(uint32_t(p.code.size() % p.sites.size()));
  };
  for (unsigned o = 0; o < unsigned(Op::Api); ++o) {
    const OpInfo &op = kOpInfo[o];
    for (unsigned t = 0; t < kDTypes; ++t) {
      if (!op.types.has(DType(t))) continue;
      const auto field = [&](Use use, uint32_t n) -> uint32_t {
        switch (use) {
        case Use::Write:
        case Use::WritePair:
        case Use::Update:
        case Use::UpdatePair: return 10 + 2 * n;
        case Use::Read:
        case Use::ReadPair: return 2 * n;
        case Use::MaybeRead: return t % 2 ? kNoRegister : 6;
        case Use::MaybeReadPair: return t % 2 ? kNoRegister : 6;
        case Use::Target: return t;
        case Use::Object:
        case Use::Queue: return 0;
        case Use::Buffer: return 1;
        case Use::Pool: return 2;
        case Use::Allocator: return 3;
        case Use::Matmul: return 4;
        case Use::Owner: return o % 2 ? kNoRegister : 2;
        case Use::Array: return t - 1;
        case Use::String:
        case Use::Text: return 5;
        case Use::Number: return 41;
        case Use::Operands: return Op(o) == Op::Matmul ? 0 : Op(o) == Op::Print ? 2 : Op(o) == Op::Assert ? 3 : 6;
        case Use::Count: return Op(o) == Op::Print ? 1 : Op(o) == Op::Matmul ? 2 : 3;
        default: return 0;
        }
      };
      Instr i{Op(o), DType(t), 0, field(op.dst, 0), field(op.a, 1), field(op.b, 2)};
      if (op.aux == Aux::Type) i.aux = uint8_t(DType::Int16);
      if (op.aux == Aux::Position) i.aux = uint8_t(Position::VECIN);
      if (op.aux == Aux::Event) i.aux = uint8_t(t + 20);
      if (op.aux == Aux::Pipe) i.aux = uint8_t(Pipe::MTE3);
      if (op.aux == Aux::Query) i.aux = uint8_t(QueueQuery::Idle);
      if (op.aux == Aux::Moment) i.aux = uint8_t(Moment::Leave);
      if (op.aux == Aux::Matmul) i.aux = uint8_t(MatmulCall::SetBias);
      emit(i);
    }
  }
  for (const Row *row : rows()) {
    if (!row->structure.empty() || !row->instead.empty()) continue;
    for (unsigned form = 0; form < row->forms.size(); ++form) {
      if (row->forms[form].of_cube) continue;
      const Layout &lay = layout(*row, form);
      Instr i{Op::Api, DType::Void, uint8_t(form), row_number(*row), uint32_t(p.operands.size()), kNoRegister};
      if (row->results(form)) i.b = 12;
      for (unsigned n = 0; n < row->args.size(); ++n) {
        if (lay.slot[n] == Layout::kAbsent) continue;
        for (unsigned part = 0; part < slots_of(row->args[n]); ++part) {
          SlotRef ref{20 + 2 * n, DType::Int64, part == 0 ? 3 + n % 2 : 0};
          if (row->args[n].is_tensor() && part == 0) i.type = ref.dtype = DType(std::countr_zero(row->args[n].dtypes.bits));
          if (row->args[n].is_tensor() && part == 1) ref = {ref.reg + 1, n % 2 ? DType::UInt64 : DType::Int64, n % 2 ? 4u : 0};
          p.operands.push_back(ref);
        }
      }
      emit(i);
    }
  }
  emit({Op::Halt, DType::Void, 0, 0, 0, 0});
  p.registers = 20 + 2 * kMaxArgs;
  return p;
}

std::string code_of(auto action) {
  try {
    action();
  } catch (const DiagnosticError &e) {
    return e.diagnostics.at(0).code;
  }
  return "";
}

TEST(Program, bytes_round_trip) {
  const Program p = everything();
  const std::string bytes = encode(p);
  const Program q = decode(bytes);
  EXPECT_EQ(encode(q), bytes);
  EXPECT_EQ(q.params[1].writes, true);
  EXPECT_EQ(q.params[1].reads, false);
  EXPECT_EQ(q.name, p.name);
  EXPECT_EQ(q.auto_sync, false);
}

TEST(Program, text_round_trip) {
  const Program p = everything();
  const std::string text = print(p);
  const Program q = parse(text);
  EXPECT_EQ(print(q), text);
  // Strings are numbered anew, so compare what they stand for.
  ASSERT_EQ(q.code.size(), p.code.size());
  for (size_t i = 0; i < p.code.size(); ++i) {
    EXPECT_EQ(q.code[i].op, p.code[i].op) << i;
    EXPECT_EQ(q.code[i].type, p.code[i].type) << i;
    EXPECT_EQ(q.code[i].aux, p.code[i].aux) << i;
    EXPECT_EQ(q.code[i].dst, p.code[i].dst) << i;
    EXPECT_EQ(q.code[i].a, p.code[i].a) << i;
    EXPECT_EQ(q.code[i].b, p.code[i].b) << i;
  }
  ASSERT_EQ(q.operands.size(), p.operands.size());
  for (size_t i = 0; i < p.operands.size(); ++i) {
    EXPECT_EQ(q.operands[i].reg, p.operands[i].reg) << i;
    EXPECT_EQ(q.operands[i].dtype, p.operands[i].dtype) << i;
    EXPECT_EQ(q.strings[q.operands[i].variable], p.strings[p.operands[i].variable]) << i;
  }
  ASSERT_EQ(q.objects.size(), p.objects.size());
  for (size_t i = 0; i < p.objects.size(); ++i) {
    EXPECT_EQ(q.objects[i].kind, p.objects[i].kind) << i;
    EXPECT_EQ(q.objects[i].src, p.objects[i].src) << i;
    EXPECT_EQ(q.objects[i].dst, p.objects[i].dst) << i;
    EXPECT_EQ(q.objects[i].depth, p.objects[i].depth) << i;
    EXPECT_EQ(q.strings[q.objects[i].variable], p.strings[p.objects[i].variable]) << i;
  }
  ASSERT_EQ(q.arrays.size(), p.arrays.size());
  for (size_t i = 0; i < p.arrays.size(); ++i) {
    EXPECT_EQ(q.arrays[i].dtype, p.arrays[i].dtype) << i;
    EXPECT_EQ(q.arrays[i].first, p.arrays[i].first) << i;
    EXPECT_EQ(q.arrays[i].length, p.arrays[i].length) << i;
    EXPECT_EQ(q.strings[q.arrays[i].variable], p.strings[p.arrays[i].variable]) << i;
  }
  EXPECT_EQ(q.constants, p.constants);
  EXPECT_EQ(q.site_of, p.site_of);
  EXPECT_EQ(q.registers, p.registers);
  EXPECT_EQ(q.strings[q.sites[2].variable], p.strings[p.sites[2].variable]);
  EXPECT_EQ(q.sites[2].inlined_at, 1u);
  EXPECT_EQ(q.sites[1].end_column, 30u);
}

TEST(Program, listing_shows_python_lines) {
  const Program p = everything();
  const std::string text = print(p, [](std::string_view, uint32_t line) { return line == 17 ? "    z = asc.add(x, y)\n" : ""; });
  EXPECT_NE(text.find("; kernel.py:17  z = asc.add(x, y)"), std::string::npos);
  EXPECT_EQ(print(parse(text)), print(p));
}

TEST(Program, operations_and_apis_have_different_names) {
  for (const OpInfo &op : kOpInfo)
    if (const Row *row = find_row(op.name)) {
      EXPECT_FALSE(row->structure.empty()) << op.name;
    }
}

TEST(Program, every_changed_byte_is_noticed) {
  const std::string bytes = encode(everything());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = char(changed[i] ^ (1 << i % 8));
    const std::string code = code_of([&] { decode(changed); });
    EXPECT_TRUE(code == "C101" || code == "C102") << "byte " << i << ": " << code;
  }
}

TEST(Program, every_cut_is_noticed) {
  const std::string bytes = encode(everything());
  for (size_t n = 0; n < bytes.size(); n += 1 + n / 64)
    EXPECT_EQ(code_of([&] { decode(std::string_view(bytes).substr(0, n)); }), "C101") << n;
  EXPECT_EQ(code_of([&] { decode(bytes + "x"); }), "C101");
  EXPECT_EQ(code_of([&] { decode("not a program, but long enough to hold a header of one"); }), "C101");
}

/// Changes that come with a right digest reach the validator: it accepts or refuses, and nothing else happens.
TEST(Program, changed_programs_are_refused_or_valid) {
  std::mt19937 random(1);
  unsigned refused = 0;
  const Program good = everything();
  for (unsigned round = 0; round < 3000; ++round) {
    Program p = good;
    const auto any = [&](size_t n) { return size_t(random() % n); };
    const auto word = [&] { return any(4) ? uint32_t(any(200)) : uint32_t(random()); };
    Instr &i = p.code[any(p.code.size())];
    switch (any(14)) {
    case 0: i.op = Op(any(2) ? any(kOps + 3) : random()); break;
    case 1: i.type = DType(any(kDTypes + 3)); break;
    case 2: i.aux = uint8_t(random()); break;
    case 3: i.dst = word(); break;
    case 4: i.a = word(); break;
    case 5: i.b = word(); break;
    case 6: p.operands[any(p.operands.size())] = {word(), DType(any(20)), word()}; break;
    case 7: p.sites[any(3)].inlined_at = word(); break;
    case 8: p.sites[any(3)].file = word(); break;
    case 9: p.site_of[any(p.site_of.size())] = word(); break;
    case 10: p.registers = word(); break;
    case 11: p.params[0].kind = ParamKind(any(4)); break;
    case 12: p.objects[any(4)] = {ObjectKind(any(6)), Position(any(15)), Position(any(15)), uint8_t(any(12)), uint32_t(any(8))}; break;
    case 13: p.arrays[any(13)] = {DType(any(16)), word(), word(), uint32_t(any(8))}; break;
    }
    const std::string code = code_of([&] { EXPECT_EQ(print(parse(print(decode(encode(p))))), print(p)); });
    EXPECT_TRUE(code.empty() || code == "C103") << code;
    refused += !code.empty();
  }
  EXPECT_GT(refused, 1500u);
}

TEST(Program, forms_of_the_cube_core_are_refused) {
  unsigned tried = 0;
  Program p = everything();
  for (Instr &i : p.code) {
    if (i.op != Op::Api || !rows()[i.dst]->forms.back().of_cube) continue;
    const uint8_t form = std::exchange(i.aux, uint8_t(rows()[i.dst]->forms.size() - 1));
    try {
      validate(p);
      ADD_FAILURE() << rows()[i.dst]->name;
    } catch (const DiagnosticError &e) {
      const std::string expected = "form " + std::to_string(i.aux) + " of " + std::string(rows()[i.dst]->name);
      EXPECT_NE(std::string(e.what()).find(expected), std::string::npos) << e.what();
    }
    i.aux = form, ++tried;
  }
  EXPECT_GT(tried, 1u);
}

/// Random damage under a header that fits it reaches the reader.
TEST(Program, damaged_bytes_never_crash) {
  std::mt19937 random(2);
  const std::string good = encode(everything());
  unsigned refused = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    std::string bytes = good;
    if (random() % 2) bytes.resize(40 + random() % (bytes.size() - 40));
    for (unsigned n = 1 + random() % 8; n-- > 0;) bytes[40 + random() % std::max<size_t>(bytes.size() - 40, 1)] = char(random());
    seal(bytes);
    const std::string code = code_of([&] { decode(bytes); });
    EXPECT_TRUE(code.empty() || code == "C101" || code == "C103") << code;
    refused += !code.empty();
  }
  EXPECT_GT(refused, 1500u);
}

TEST(Program, damaged_text_never_crashes) {
  std::mt19937 random(3);
  const std::string good = print(everything());
  static constexpr std::string_view kSpice = "\"<>@;,:.+-=0123456789rtxyz \n\\";
  unsigned refused = 0;
  for (unsigned round = 0; round < 1000; ++round) {
    std::string text = good;
    for (unsigned n = 1 + random() % 3; n-- > 0;) text[random() % text.size()] = kSpice[random() % kSpice.size()];
    const std::string code = code_of([&] { parse(text); });
    EXPECT_TRUE(code.empty() || code == "C104" || code == "C103" || code == "C102") << code;
    refused += !code.empty();
  }
  EXPECT_GT(refused, 300u);
}

TEST(Program, errors_name_the_line) {
  try {
    parse("program \"x\" target \"Ascend910B1\" type AIV_ONLY auto_sync on registers 1 table 0x0\nconst r0 12\n");
    FAIL();
  } catch (const DiagnosticError &e) {
    EXPECT_EQ(e.diagnostics[0].message, "line 2 of the listing: '12' does not begin with 0x");
  }
}

TEST(Program, another_table_is_refused) {
  Program p = everything();
  p.table ^= 1;
  EXPECT_EQ(code_of([&] { decode(encode(p)); }), "C102");
  EXPECT_EQ(code_of([&] { validate(p); }), "C102");
}

} // namespace
} // namespace asc
