// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues, pools and event ids: where buffers lie, which flags order them, and what is found when they are misused.
#include "sim/framework.h"

#include "observers/checkers.h"
#include "sim/program_builder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace asc::sim {
namespace {

constexpr DType kF = DType::Float32;

/// A program with a TPipe, on `n` floats in and out. Queues have 2 buffers of 256 bytes unless said otherwise.
struct Queues {
  ProgramBuilder b;
  ProgramBuilder::Reg x = b.array("x", kF), z = b.array("z", kF);
  ProgramBuilder::Reg gx, gz;
  std::vector<float> in = std::vector<float>(4096, 1.5f), out = std::vector<float>(4096);

  Queues() {
    b.emit(Op::PipeInit, DType::Void);
    gx = b.global(kF, x), gz = b.global(kF, z);
  }
  uint32_t queue(Position position, uint8_t depth = 1, uint64_t buffers = 2, uint64_t bytes = 256) {
    const uint32_t q = b.queue(position, depth);
    b.init_queue(q, buffers, bytes);
    return q;
  }
  LaunchResult run() {
    b.emit(Op::PipeDestroy, DType::Void);
    TestLaunch launch;
    launch.array(in).array(out);
    const auto executable = prepare(b.build());
    const auto checkers = make_checkers();
    std::vector<Observer *> observers;
    for (const auto &checker : checkers) observers.push_back(checker.get());
    launch.options.observers = observers;
    return launch.run(*executable);
  }
  std::vector<std::string> codes() { return codes_of(run()); }
};

/// z = x + x for `tiles` tiles of 64 elements, through two queues.
LaunchResult add_tiles(unsigned tiles, uint64_t buffers, Queues &q) {
  const uint32_t in = q.queue(Position::VECIN, 1, buffers), out = q.queue(Position::VECOUT, 1, buffers);
  for (unsigned t = 0; t < tiles; ++t) {
    const auto offset = q.b.constant(uint64_t(t) * 64);
    const auto a = q.b.take(Op::AllocTensor, kF, in);
    q.b.copy(a, q.b.view(kF, q.gx, offset), 64);
    q.b.enque(in, a);
    const auto x = q.b.take(Op::Deque, kF, in), r = q.b.take(Op::AllocTensor, kF, out);
    q.b.api("add", 0, {r, x, x, q.b.constant(uint64_t(64))});
    q.b.enque(out, r);
    q.b.free(in, x);
    const auto z = q.b.take(Op::Deque, kF, out);
    q.b.copy(q.b.view(kF, q.gz, offset), z, 64);
    q.b.free(out, z);
  }
  return q.run();
}

TEST(Framework, queues_order_their_two_sides) {
  for (uint64_t buffers : {1, 2, 3, 4}) {
    Queues q;
    for (size_t i = 0; i < q.in.size(); ++i) q.in[i] = float(i);
    EXPECT_EQ(codes_of(add_tiles(10, buffers, q)), std::vector<std::string>());
    for (size_t i = 0; i < 640; ++i) ASSERT_EQ(q.out[i], 2.0f * float(i)) << buffers << " buffers, element " << i;
  }
}

TEST(Framework, more_buffers_let_transfers_overlap) {
  Queues one, two;
  const uint64_t alone = add_tiles(16, 1, one).cycles, overlapped = add_tiles(16, 2, two).cycles;
  EXPECT_LT(overlapped, alone);
}

TEST(Framework, buffers_are_rounded_up_and_follow_each_other) {
  Queues q; // 01-memory section 10: buffers at 0 and 1024, then 2048, then the TBuf at 2560
  const uint32_t in = q.queue(Position::VECIN, 1, 2, 1000), out = q.queue(Position::VECOUT, 1, 1, 512);
  const uint32_t buf = q.b.object({ObjectKind::Buffer, Position::VECCALC, Position::VECCALC});
  q.b.emit(Op::InitBuffer, DType::Void, buf, kNoRegister, q.b.constant(uint64_t(100)));
  const auto first = q.b.take(Op::AllocTensor, kF, in), second = q.b.take(Op::AllocTensor, kF, in),
             third = q.b.take(Op::AllocTensor, kF, out), fourth = q.b.take(Op::GetBuffer, kF, buf);
  q.b.p.code.back().b = kNoRegister;
  // Each is filled with its number; a tensor over the whole memory sees where they are.
  for (const auto &[tensor, value, count] : {std::tuple{first, 1.0f, 256}, {second, 2.0f, 256}, {third, 3.0f, 128}, {fourth, 4.0f, 32}})
    q.b.api("duplicate", 0, {tensor, q.b.constant(value), q.b.constant(uint64_t(count))});
  q.b.barrier(Pipe::ALL);
  q.b.copy(q.gz, q.b.local(kF, 0, 672), 672);
  for (const auto &[queue, tensor] : {std::pair{in, first}, {in, second}, {out, third}}) q.b.free(queue, tensor);
  EXPECT_EQ(q.codes(), std::vector<std::string>());
  for (unsigned i = 0; i < 672; ++i) ASSERT_EQ(q.out[i], i < 256 ? 1.0f : i < 512 ? 2.0f : i < 640 ? 3.0f : 4.0f) << i;
}

TEST(Framework, a_queue_is_first_in_first_out) {
  Queues q;
  const uint32_t in = q.queue(Position::VECIN, 4, 4);
  for (float value : {1.0f, 2.0f, 3.0f}) {
    const auto t = q.b.take(Op::AllocTensor, kF, in);
    q.b.api("duplicate", 0, {t, q.b.constant(value), q.b.constant(uint64_t(64))});
    q.b.enque(in, t);
  }
  for (unsigned n = 0; n < 3; ++n) {
    const auto t = q.b.take(Op::Deque, kF, in);
    q.b.barrier(Pipe::ALL);
    q.b.copy(q.b.view(kF, q.gz, q.b.constant(uint64_t(n) * 64)), t, 64);
    q.b.barrier(Pipe::ALL);
    q.b.free(in, t);
  }
  EXPECT_EQ(q.codes(), std::vector<std::string>());
  EXPECT_EQ(q.out[0], 1.0f);
  EXPECT_EQ(q.out[64], 2.0f);
  EXPECT_EQ(q.out[128], 3.0f);
}

TEST(Framework, queries) {
  Queues q;
  const uint32_t in = q.queue(Position::VECIN, 2, 2);
  const auto buffer = q.b.local(DType::Int32, 4096, 64);
  uint64_t next = 0;
  const auto ask = [&](QueueQuery query) {
    const auto answer = q.b.reg();
    q.b.emit(Op::QueueState, DType::Void, answer, in, 0, uint8_t(query));
    q.b.store(DType::Int32, buffer, next++, answer);
  };
  const auto ask_all = [&] {
    for (auto query : {QueueQuery::Vacant, QueueQuery::HasTensor, QueueQuery::Count, QueueQuery::Idle}) ask(query);
  };
  ask_all();
  const auto a = q.b.take(Op::AllocTensor, kF, in), b = q.b.take(Op::AllocTensor, kF, in);
  q.b.enque(in, a), q.b.enque(in, b);
  ask_all();
  const auto c = q.b.take(Op::Deque, kF, in);
  q.b.free(in, c);
  ask_all();
  q.b.free(in, q.b.take(Op::Deque, kF, in));
  while (next < 16) q.b.store(DType::Int32, buffer, next++, q.b.constant(uint64_t(0)));
  q.b.barrier(Pipe::ALL);
  q.b.copy(q.b.global(DType::Int32, q.z), buffer, 16);
  EXPECT_EQ(q.codes(), std::vector<std::string>());
  std::array<int32_t, 12> got;
  std::memcpy(got.data(), q.out.data(), sizeof got);
  EXPECT_EQ(got, (std::array<int32_t, 12>{1, 0, 0, 1, 0, 1, 2, 0, 1, 1, 1, 1}));
}

TEST(Framework, misuse_has_a_code_of_its_own) {
  using B = ProgramBuilder;
  struct Case {
    const char *code;
    void (*write)(Queues &, uint32_t in);
  };
  const Case cases[] = {
      {"Q101", [](Queues &q, uint32_t in) { q.b.enque(in, q.b.local(kF, 8192, 64)); }},
      {"Q101",
       [](Queues &q, uint32_t in) {
         const uint32_t out = q.queue(Position::VECOUT);
         q.b.free(out, q.b.take(Op::AllocTensor, kF, in));
       }},
      {"Q102",
       [](Queues &q, uint32_t in) {
         const B::Reg t = q.b.take(Op::AllocTensor, kF, in);
         q.b.free(in, t), q.b.enque(in, t);
       }},
      {"Q102",
       [](Queues &q, uint32_t in) {
         const B::Reg t = q.b.take(Op::AllocTensor, kF, in);
         q.b.enque(in, t), q.b.enque(in, t);
       }},
      {"Q103",
       [](Queues &q, uint32_t in) {
         const B::Reg t = q.b.take(Op::AllocTensor, kF, in);
         q.b.free(in, t), q.b.free(in, t);
       }},
      {"Q104",
       [](Queues &q, uint32_t in) {
         q.b.enque(in, q.b.take(Op::AllocTensor, kF, in));
         q.b.enque(in, q.b.take(Op::AllocTensor, kF, in));
       }},
      {"Q105", [](Queues &q, uint32_t in) { q.b.take(Op::Deque, kF, in); }},
      {"Q106",
       [](Queues &q, uint32_t in) {
         for (unsigned n = 0; n < 3; ++n) q.b.take(Op::AllocTensor, kF, in);
       }},
      {"Q107", [](Queues &q, uint32_t in) { q.b.take(Op::AllocTensor, kF, in); }},
      {"Q107", [](Queues &q, uint32_t in) { q.b.enque(in, q.b.take(Op::AllocTensor, kF, in)); }},
      {"Q107",
       [](Queues &q, uint32_t in) {
         q.b.enque(in, q.b.take(Op::AllocTensor, kF, in));
         q.b.take(Op::Deque, kF, in);
       }},
      {"Q108",
       [](Queues &q, uint32_t) {
         for (unsigned n = 0; n < 9; ++n) q.b.emit(Op::AllocEvent, DType::Void, q.b.reg(), 0, 0, B::event_of("MTE2_V"));
       }},
      {"Q109", [](Queues &q, uint32_t in) { q.b.init_queue(in, 1, 32); }},
      {"Q109", [](Queues &q, uint32_t) { q.b.take(Op::AllocTensor, kF, q.b.queue(Position::VECIN, 1)); }},
      {"Q109", [](Queues &q, uint32_t) { q.queue(Position::VECIN, 1, 0); }},
      {"Q109", [](Queues &q, uint32_t) { q.queue(Position::VECIN, 1, 65, 32); }},
      {"Q109", [](Queues &q, uint32_t) { q.queue(Position::VECIN, 1, 1, uint64_t(-32)); }},
      {"Q110", [](Queues &q, uint32_t) { q.queue(Position::VECIN, 1, 2, 98304); }},
      {"Q111",
       [](Queues &q, uint32_t in) {
         q.b.emit(Op::PipeDestroy, DType::Void);
         q.b.take(Op::AllocTensor, kF, in);
       }},
      {"Q112",
       [](Queues &q, uint32_t in) {
         q.b.emit(Op::Enque, DType::Void, q.b.take(Op::AllocTensor, kF, in), in, 0, B::event_of("MTE2_MTE3"));
         q.b.take(Op::Deque, kF, in);
       }},
      {"Q114",
       [](Queues &q, uint32_t) {
         for (unsigned n = 0; n < 2; ++n) q.queue(Position::VECIN, 1, 33, 32);
       }},
      {"Q115",
       [](Queues &q, uint32_t) { q.b.emit(Op::ReleaseEvent, DType::Void, 0, q.b.constant(uint64_t(3)), 0, B::event_of("MTE2_V")); }},
      {"Q116",
       [](Queues &q, uint32_t) {
         const uint32_t a = q.b.object({ObjectKind::Allocator, Position::VECIN, Position::VECIN});
         for (uint64_t n : {3, 8}) q.b.emit(Op::Allocate, kF, q.b.reg(2), a, q.b.constant(n), uint8_t(Position::VECIN));
       }},
      {"Q116",
       [](Queues &q, uint32_t) {
         const uint32_t a = q.b.object({ObjectKind::Allocator, Position::VECIN, Position::VECIN});
         q.b.emit(Op::Allocate, kF, q.b.reg(2), a, q.b.constant(uint64_t(49153)), uint8_t(Position::VECIN));
       }},
  };
  for (const Case &c : cases) {
    Queues q;
    c.write(q, q.queue(Position::VECIN));
    EXPECT_EQ(q.codes(), std::vector<std::string>{c.code});
  }
}

TEST(Framework, parts_of_a_buffer) {
  for (const auto &[elements, offset, code] : {std::tuple{8, 32, ""},
                                               {64, 0, ""},
                                               {8, 16, "Q113"},
                                               {4, 0, "Q113"},
                                               {72, 0, "Q113"},
                                               {64, 32, "Q113"},
                                               {0, 0, "Q113"},
                                               {8, -32, "Q113"}}) {
    Queues q;
    const uint32_t buf = q.b.object({ObjectKind::Buffer, Position::VECCALC, Position::VECCALC});
    q.b.emit(Op::InitBuffer, DType::Void, buf, kNoRegister, q.b.constant(uint64_t(256)));
    const auto pair = q.b.reg(2);
    q.b.emit(Op::Move, DType::Int64, pair, q.b.constant(uint64_t(elements)));
    q.b.emit(Op::Move, DType::Int64, pair + 1, q.b.constant(uint64_t(int64_t(offset))));
    q.b.emit(Op::GetBuffer, kF, q.b.reg(2), buf, pair);
    EXPECT_EQ(q.codes(), *code ? std::vector<std::string>{code} : std::vector<std::string>()) << elements << " from " << offset;
  }
}

TEST(Framework, pools_share_and_reset) {
  Queues q;
  const Object object{ObjectKind::Pool, Position::VECCALC, Position::VECCALC, 2};
  const uint32_t first = q.b.object(object), second = q.b.object(object);
  q.b.emit(Op::InitPool, DType::Void, first, kNoRegister, q.b.constant(uint64_t(1024)));
  q.b.emit(Op::SharePool, DType::Void, second, first, q.b.constant(uint64_t(512)));
  const uint32_t a = q.b.queue(Position::VECIN, 1), c = q.b.queue(Position::VECIN, 1), d = q.b.queue(Position::VECIN, 1);
  q.b.init_queue(a, 2, 512, first);
  q.b.init_queue(c, 2, 512, second); // the same bytes: a capacity of 1024 as the first has
  const auto t = q.b.take(Op::AllocTensor, kF, a);
  q.b.api("duplicate", 0, {t, q.b.constant(7.0f), q.b.constant(uint64_t(128))});
  q.b.free(a, t);
  q.b.barrier(Pipe::ALL);
  const auto u = q.b.take(Op::AllocTensor, kF, c);
  q.b.copy(q.gz, u, 128);
  q.b.barrier(Pipe::ALL);
  q.b.free(c, u);
  q.b.emit(Op::ResetPool, DType::Void, first);
  q.b.emit(Op::InitPool, DType::Void, first, kNoRegister, q.b.constant(uint64_t(256)));
  q.b.init_queue(d, 1, 256, first);
  EXPECT_EQ(q.codes(), std::vector<std::string>());
  EXPECT_EQ(q.out[127], 7.0f);
}

TEST(Framework, misuse_of_pools) {
  struct Case {
    const char *code;
    void (*write)(Queues &, uint32_t pool);
  };
  const Case cases[] = {
      {"Q109", [](Queues &q, uint32_t pool) { q.b.init_queue(q.b.queue(Position::VECIN, 1), 1, 32, pool); }}, // no memory yet
      {"Q109",
       [](Queues &q, uint32_t pool) {
         q.b.emit(Op::InitPool, DType::Void, pool, kNoRegister, q.b.constant(uint64_t(1024)));
         q.b.init_queue(q.b.queue(Position::VECIN, 1), 3, 32, pool); // more than its buf_id_size of 2
       }},
      {"Q114",
       [](Queues &q, uint32_t pool) {
         q.b.emit(Op::InitPool, DType::Void, pool, kNoRegister, q.b.constant(uint64_t(1024)));
         for (unsigned n = 0; n < 2; ++n) q.b.init_queue(q.b.queue(Position::VECIN, 1), 2, 32, pool);
       }},
      {"Q110",
       [](Queues &q, uint32_t pool) {
         q.b.emit(Op::InitPool, DType::Void, pool, kNoRegister, q.b.constant(uint64_t(1024)));
         q.b.init_queue(q.b.queue(Position::VECIN, 1), 2, 544, pool);
       }},
      {"Q114",
       [](Queues &q, uint32_t pool) {
         const uint32_t other = q.b.object({ObjectKind::Pool, Position::VECCALC, Position::VECCALC, 2});
         q.b.emit(Op::InitPool, DType::Void, other, kNoRegister, q.b.constant(uint64_t(512)));
         q.b.emit(Op::SharePool, DType::Void, pool, other, q.b.constant(uint64_t(544)));
       }},
  };
  for (const Case &c : cases) {
    Queues q;
    c.write(q, q.b.object({ObjectKind::Pool, Position::VECCALC, Position::VECCALC, 2}));
    EXPECT_EQ(q.codes(), std::vector<std::string>{c.code});
  }
}

TEST(Framework, in_place_queues_keep_their_events) {
  Queues q;
  const uint32_t in = q.queue(Position::VECIN, 0, 1);
  for (unsigned n = 0; n < 3; ++n) {
    const auto t = q.b.take(Op::AllocTensor, kF, in);
    q.b.copy(t, q.gx, 64);
    q.b.enque(in, t);
    q.b.emit(Op::DequeInPlace, DType::Void, t, in, 0, ProgramBuilder::event_of("MTE2_V"));
    q.b.api("adds", 0, {q.b.local(kF, 4096, 64), t, q.b.constant(1.0f), q.b.constant(uint64_t(64)), q.b.constant(uint64_t(1))});
    q.b.free(in, t);
  }
  EXPECT_EQ(q.codes(), std::vector<std::string>());
}

TEST(Framework, event_ids) {
  Queues q;
  const uint8_t event = ProgramBuilder::event_of("V_MTE3");
  const auto ids = q.b.local(DType::Int32, 0, 8);
  const auto id = [&](Op op) {
    const auto dst = q.b.reg();
    q.b.emit(op, DType::Void, dst, 0, 0, event);
    return dst;
  };
  q.b.store(DType::Int32, ids, 0, id(Op::AllocEvent));
  q.b.store(DType::Int32, ids, 1, id(Op::FetchEvent));
  q.b.store(DType::Int32, ids, 2, id(Op::AllocEvent));
  q.b.emit(Op::ReleaseEvent, DType::Void, 0, q.b.constant(uint64_t(0)), 0, event);
  q.b.store(DType::Int32, ids, 3, id(Op::AllocEvent));
  for (uint64_t n : {4, 5, 6, 7}) q.b.store(DType::Int32, ids, n, q.b.constant(uint64_t(0)));
  q.b.barrier(Pipe::ALL);
  q.b.copy(q.b.global(DType::Int32, q.z), ids, 8);
  EXPECT_EQ(q.codes(), std::vector<std::string>());
  std::array<int32_t, 4> got;
  std::memcpy(got.data(), q.out.data(), sizeof got);
  EXPECT_EQ(got, (std::array<int32_t, 4>{0, 1, 1, 0}));
}

TEST(Framework, a_missing_queue_is_a_race) {
  // The twin of queues_order_their_two_sides: what is read without deque is not ready.
  Queues q;
  const uint32_t in = q.queue(Position::VECIN);
  const auto t = q.b.take(Op::AllocTensor, kF, in);
  q.b.copy(t, q.gx, 64);
  q.b.api("add", 0, {q.b.local(kF, 4096, 64), t, t, q.b.constant(uint64_t(64))});
  q.b.free(in, t);
  EXPECT_EQ(q.codes(), std::vector<std::string>{"S301"});
}

} // namespace
} // namespace asc::sim
