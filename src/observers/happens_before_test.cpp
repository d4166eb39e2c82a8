// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What orders two accesses and what does not, by 07-sync sections 1 to 3.
#include "observers/happens_before.h"
#include "observers/script.h"

#include <gtest/gtest.h>

namespace asc {
namespace {

constexpr Pipe kVectorCore[] = {Pipe::S, Pipe::V, Pipe::MTE2, Pipe::MTE3};

TEST(HappensBefore, NothingIsOrderedByItself) {
  for (Pipe a : kVectorCore)
    for (Pipe b : kVectorCore) {
      HappensBefore order(false);
      order.start(a, 0);
      const uint64_t epoch = order.epoch(a);
      order.start(b, 0);
      EXPECT_EQ(order.ordered(a, epoch, b), a == b && a == Pipe::S) << name(a) << " " << name(b);
    }
}

TEST(HappensBefore, AFlagOrdersItsPipes) {
  for (unsigned e = 0; e < kEvents; ++e) {
    const EventInfo &info = kEventInfo[e];
    if (!info.on_aiv) continue;
    HappensBefore order(false);
    order.start(info.src, 0);
    const uint64_t before = order.epoch(info.src);
    order.set_flag(e, 3, 0);
    const uint64_t after = order.epoch(info.src);
    order.wait_flag(e, 3, 0);
    order.start(info.dst, 0);
    EXPECT_TRUE(order.ordered(info.src, before, info.dst)) << info.name;
    EXPECT_FALSE(order.ordered(info.src, after, info.dst)) << info.name << ": accesses after the flag was set";
    for (Pipe other : kVectorCore)
      if (other != info.dst && other != info.src && info.dst != Pipe::S) { // what S waits for holds for all that it dispatches
        EXPECT_FALSE(order.ordered(info.src, before, other)) << info.name << " " << name(other);
      }
  }
}

TEST(HappensBefore, AnotherIdIsAnotherFlag) {
  HappensBefore order(false);
  const uint64_t epoch = order.epoch(Pipe::MTE2);
  order.set_flag(event("MTE2_V"), 0, 0);
  order.wait_flag(event("MTE2_V"), 1, 0);
  order.start(Pipe::V, 0);
  EXPECT_FALSE(order.ordered(Pipe::MTE2, epoch, Pipe::V));
}

TEST(HappensBefore, FlagsChain) {
  HappensBefore order(false);
  const uint64_t epoch = order.epoch(Pipe::MTE2);
  order.set_flag(event("MTE2_V"), 0, 0);
  order.wait_flag(event("MTE2_V"), 0, 0);
  order.set_flag(event("V_MTE3"), 0, 0);
  order.start(Pipe::MTE3, 0);
  EXPECT_FALSE(order.ordered(Pipe::MTE2, epoch, Pipe::MTE3));
  order.wait_flag(event("V_MTE3"), 0, 0);
  EXPECT_TRUE(order.ordered(Pipe::MTE2, epoch, Pipe::MTE3));
  order.set_flag(event("MTE3_MTE2"), 0, 0);
  EXPECT_FALSE(order.ordered(Pipe::MTE2, epoch, Pipe::MTE2));
  order.wait_flag(event("MTE3_MTE2"), 0, 0);
  EXPECT_TRUE(order.ordered(Pipe::MTE2, epoch, Pipe::MTE2)) << "a chain that comes back";
}

TEST(HappensBefore, Barriers) {
  HappensBefore order(false);
  const uint64_t v = order.epoch(Pipe::V), mte2 = order.epoch(Pipe::MTE2);
  order.barrier(Pipe::V, 0);
  EXPECT_TRUE(order.ordered(Pipe::V, v, Pipe::V));
  EXPECT_FALSE(order.ordered(Pipe::V, order.epoch(Pipe::V), Pipe::V)) << "accesses after the barrier";
  EXPECT_FALSE(order.ordered(Pipe::V, v, Pipe::MTE2)) << "a barrier tells other pipes nothing";
  EXPECT_FALSE(order.ordered(Pipe::MTE2, mte2, Pipe::MTE2));
  const uint64_t s = order.epoch(Pipe::S);
  order.barrier(Pipe::ALL, 0);
  for (Pipe pipe : kVectorCore) {
    EXPECT_TRUE(order.ordered(Pipe::V, v, pipe)) << name(pipe);
    EXPECT_TRUE(order.ordered(Pipe::MTE2, mte2, pipe)) << name(pipe);
    EXPECT_TRUE(order.ordered(Pipe::S, s, pipe)) << name(pipe);
  }
  EXPECT_FALSE(order.ordered(Pipe::MTE2, order.epoch(Pipe::MTE2), Pipe::V));
}

TEST(HappensBefore, DispatchPassesOnWhatSWaitedFor) {
  HappensBefore order(false);
  const uint64_t v = order.epoch(Pipe::V);
  order.set_flag(event("V_S"), 0, 0);
  order.start(Pipe::MTE3, 0);
  EXPECT_FALSE(order.ordered(Pipe::V, v, Pipe::MTE3));
  order.wait_flag(event("V_S"), 0, 0);
  const uint64_t s = order.epoch(Pipe::S);
  order.start(Pipe::MTE3, 0);
  EXPECT_TRUE(order.ordered(Pipe::V, v, Pipe::MTE3));
  EXPECT_FALSE(order.ordered(Pipe::S, s, Pipe::MTE3)) << "the accesses of S itself need S_MTE3";
}

TEST(HappensBefore, AQueuedInstructionKnowsWhatSKnewWhenItWasDispatched) {
  HappensBefore order(false);
  const uint64_t v = order.epoch(Pipe::V);
  order.set_flag(event("V_S"), 0, 0);
  const uint64_t early = order.issue();
  order.wait_flag(event("V_S"), 0, 0);
  const uint64_t late = order.issue();
  EXPECT_NE(early, late);
  order.start(Pipe::MTE3, early);
  EXPECT_FALSE(order.ordered(Pipe::V, v, Pipe::MTE3));
  order.start(Pipe::MTE3, late);
  EXPECT_TRUE(order.ordered(Pipe::V, v, Pipe::MTE3));
}

TEST(HappensBefore, AutoSyncOrdersS) {
  for (Pipe other : {Pipe::V, Pipe::MTE2, Pipe::MTE3}) {
    HappensBefore to_s(true), from_s(true);
    uint64_t epoch = to_s.epoch(other);
    to_s.start(Pipe::S, 0);
    EXPECT_FALSE(to_s.known(other, epoch, Pipe::S)) << name(other);
    EXPECT_TRUE(to_s.ordered(other, epoch, Pipe::S)) << name(other);
    EXPECT_TRUE(to_s.known(other, epoch, Pipe::S)) << "S has waited";
    EXPECT_FALSE(to_s.known(other, to_s.epoch(other), Pipe::S)) << "but not for later accesses";
    epoch = from_s.epoch(Pipe::S);
    from_s.start(other, 0);
    EXPECT_TRUE(from_s.ordered(Pipe::S, epoch, other)) << name(other);
    EXPECT_TRUE(from_s.known(Pipe::S, epoch, other)) << name(other);
    EXPECT_FALSE(from_s.known(Pipe::S, from_s.epoch(Pipe::S), other)) << name(other);
  }
}

TEST(HappensBefore, AutoSyncOrdersVWithItselfAndNoOtherPair) {
  for (Pipe a : {Pipe::V, Pipe::MTE2, Pipe::MTE3})
    for (Pipe b : {Pipe::V, Pipe::MTE2, Pipe::MTE3}) {
      HappensBefore order(true);
      order.start(b, 0);
      EXPECT_EQ(order.ordered(a, order.epoch(a), b), a == Pipe::V && b == Pipe::V) << name(a) << " " << name(b);
    }
}

TEST(HappensBefore, AutoSyncFlagsCarryWhatTheirSourceKnows) {
  HappensBefore order(true);
  const uint64_t mte2 = order.epoch(Pipe::MTE2);
  order.set_flag(event("MTE2_V"), 0, 0);
  order.wait_flag(event("MTE2_V"), 0, 0);
  const uint64_t v = order.epoch(Pipe::V);
  order.start(Pipe::S, 0);
  EXPECT_FALSE(order.known(Pipe::MTE2, mte2, Pipe::S));
  EXPECT_TRUE(order.ordered(Pipe::V, v, Pipe::S));
  EXPECT_TRUE(order.known(Pipe::MTE2, mte2, Pipe::S));
  order.start(Pipe::MTE3, 0); // dispatched after S has waited
  EXPECT_TRUE(order.ordered(Pipe::MTE2, mte2, Pipe::MTE3));
}

TEST(HappensBefore, AutoSyncCannotOrderWhatSDidAfterTheDispatch) {
  HappensBefore order(true);
  const uint64_t before = order.epoch(Pipe::S);
  const uint64_t ticket = order.issue();
  const uint64_t after = order.epoch(Pipe::S);
  order.start(Pipe::V, ticket);
  EXPECT_FALSE(order.ordered(Pipe::S, after, Pipe::V));
  EXPECT_TRUE(order.ordered(Pipe::S, before, Pipe::V));
}

} // namespace
} // namespace asc
