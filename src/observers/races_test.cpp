// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Racy and clean twins for every hazard, and random schedules against an oracle that keeps every access and searches a graph.
#include "observers/races.h"
#include "observers/script.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace asc {
namespace {

Script races(bool auto_sync = false) {
  std::vector<std::unique_ptr<sim::Observer>> observers;
  observers.push_back(make_race_checker(Checks::all().without(Check::DataCache)));
  return Script(auto_sync, std::move(observers));
}

std::vector<std::string> codes(const std::vector<sim::Finding> &findings) {
  std::vector<std::string> result;
  for (const sim::Finding &finding : findings) result.push_back(finding.code);
  return result;
}
using Codes = std::vector<std::string>;

const Tensor x_gm = gm("x_gm", 0, 1024, 0), z_gm = gm("z_gm", 0, 1024, 1);
const Tensor x = ub("x_local", 0, 1024), y = ub("y_local", 1024, 1024), z = ub("z_local", 2048, 1024);

// ---------------------------------------------------------------- every pair of pipes

struct Hazard {
  Pipe first, second;
  bool first_writes, second_writes;
};
/// All conflicting pairs of accesses, S with itself left out.
std::vector<Hazard> hazards() {
  std::vector<Hazard> result;
  for (Pipe first : {Pipe::S, Pipe::V, Pipe::MTE2, Pipe::MTE3})
    for (Pipe second : {Pipe::S, Pipe::V, Pipe::MTE2, Pipe::MTE3})
      for (int writes = 1; writes < 4; ++writes)
        if (first != Pipe::S || second != Pipe::S) result.push_back({first, second, (writes & 1) != 0, (writes & 2) != 0});
  return result;
}
enum class Between { Nothing, Flag, WrongId, LateSet, EarlyWait, Barrier, BarrierAll };

Codes play(const Hazard &hazard, bool auto_sync, Between between) {
  Script script = races(auto_sync);
  script.block(0);
  const uint32_t first = script.scalar_pc(Op::SetValue, "a"), second = script.scalar_pc(Op::SetValue, "a");
  const unsigned e = event(std::string(name(hazard.first)) + "_" + std::string(name(hazard.second)));
  const bool flag = between >= Between::Flag && between <= Between::EarlyWait;
  const auto touch = [&](uint32_t pc, Pipe pipe, bool writes) {
    const Access access = Script::plain(x, writes);
    script.access(pc, pipe, {&access, 1});
  };
  if (between == Between::LateSet || between == Between::EarlyWait) script.set_flag(e, 0); // before the access that it should cover
  if (between == Between::EarlyWait) script.wait_flag(e, 0);
  touch(first, hazard.first, hazard.first_writes);
  if (flag && between != Between::LateSet && between != Between::EarlyWait) script.set_flag(e, between == Between::WrongId ? 1 : 0);
  if (flag && between != Between::EarlyWait) script.wait_flag(e, 0);
  if (between == Between::Barrier) script.barrier(hazard.second);
  if (between == Between::BarrierAll) script.barrier(Pipe::ALL);
  touch(second, hazard.second, hazard.second_writes);
  return codes(script.finish());
}

TEST(Races, EveryPairOfPipes) {
  for (const Hazard &hazard : hazards()) {
    SCOPED_TRACE(std::string(name(hazard.first)) + (hazard.first_writes ? " writes, " : " reads, ") + std::string(name(hazard.second)) +
                 (hazard.second_writes ? " writes" : " reads"));
    const bool within = hazard.first == hazard.second;
    const Codes racy = {within ? "S302" : "S301"};
    EXPECT_EQ(play(hazard, false, Between::Nothing), racy);
    EXPECT_EQ(play(hazard, false, Between::BarrierAll), Codes{});
    if (hazard.second != Pipe::S) {
      EXPECT_EQ(play(hazard, false, Between::Barrier), within ? Codes{} : racy);
    }
    const std::string flag = std::string(name(hazard.first)) + "_" + std::string(name(hazard.second));
    if (event(flag) < kEvents) {
      EXPECT_EQ(play(hazard, false, Between::Flag), Codes{});
      EXPECT_EQ(play(hazard, false, Between::WrongId), racy);
      EXPECT_EQ(play(hazard, false, Between::LateSet), racy);
      EXPECT_EQ(play(hazard, false, Between::EarlyWait), racy);
    }
    const bool compiler = hazard.first == Pipe::S || hazard.second == Pipe::S || (within && hazard.first == Pipe::V);
    EXPECT_EQ(play(hazard, true, Between::Nothing), compiler ? Codes{} : racy);
    EXPECT_EQ(play(hazard, true, Between::BarrierAll), Codes{});
  }
}

TEST(Races, SIsInOrder) {
  Script script = races();
  script.block(0);
  script.set_value(x);
  script.get_value(x);
  script.set_value(x);
  EXPECT_EQ(codes(script.finish()), Codes{});
}

TEST(Races, TwoReadsAreNoRace) {
  Script script = races();
  script.block(0);
  script.data_copy(z_gm, x);
  script.add(z, x, x);
  script.get_value(x);
  EXPECT_EQ(codes(script.finish()), Codes{});
}

// ---------------------------------------------------------------- what a finding says

TEST(Races, TextsBetweenPipes) {
  Script script = races();
  script.block(3);
  script.data_copy(x, x_gm);
  script.add(z, x.part(256, 256), y);
  const auto findings = script.finish();
  ASSERT_EQ(findings.size(), 1u);
  const sim::Finding &f = findings[0];
  EXPECT_EQ(f.message, "race between data_copy (MTE2) and add (V) on x_local: the second reads what the first may still be writing");
  ASSERT_EQ(f.sites.size(), 2u);
  EXPECT_EQ(f.sites[0].pc, 1u);
  EXPECT_EQ(f.sites[0].pipe, Pipe::V);
  EXPECT_EQ(f.sites[0].block, 3u);
  EXPECT_EQ(f.sites[0].what, "reads x_local, UB bytes 256..511");
  EXPECT_EQ(f.sites[1].pc, 0u);
  EXPECT_EQ(f.sites[1].pipe, Pipe::MTE2);
  EXPECT_EQ(f.sites[1].what, "writes x_local, UB bytes 256..511");
  EXPECT_EQ(
      f.help,
      "call asc.set_flag(asc.HardEvent.MTE2_V, id) after the first access and asc.wait_flag(asc.HardEvent.MTE2_V, id) before the second");
  EXPECT_FALSE(f.fatal);
}

TEST(Races, TextsWithinAPipe) {
  Script script = races();
  script.block(0);
  script.data_copy(x, x_gm, "first");
  script.data_copy(x, x_gm, "second");
  const auto findings = script.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "S302");
  EXPECT_EQ(findings[0].message,
            "race between data_copy (MTE2) and data_copy (MTE2) on x_local: the second writes what the first may still be writing");
  EXPECT_EQ(findings[0].help, "put asc.pipe_barrier(asc.PipeID.PIPE_MTE2) between the two accesses");
}

TEST(Races, TextsOfAWriteAfterARead) {
  Script script = races();
  script.block(0);
  script.add(z, x, y);
  script.data_copy(y, x_gm);
  const auto findings = script.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message,
            "race between add (V) and data_copy (MTE2) on y_local: the second writes what the first may still be reading");
  EXPECT_EQ(findings[0].sites[0].what, "writes y_local, UB bytes 1024..2047");
  EXPECT_EQ(findings[0].sites[1].what, "reads y_local, UB bytes 1024..2047");
}

TEST(Races, NamesOfScalarAccessesAndOverlappingTensors) {
  Script script = races();
  script.block(0);
  script.duplicate(ub("buffer", 0, 64));
  script.get_value(ub("head", 32, 4));
  const auto findings = script.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].sites[0].what, "reads head, UB bytes 32..35");
  EXPECT_EQ(findings[0].sites[1].what, "writes buffer, UB bytes 32..35");
  EXPECT_NE(findings[0].help.find("HardEvent.V_S"), std::string::npos);
}

TEST(Races, OneFindingPerPairOfLines) {
  Script script = races();
  script.block(0);
  for (int i = 0; i < 100; ++i) {
    script.data_copy(x.part(8 * i, 8), x_gm);
    script.add(z.part(8 * i, 8), x.part(8 * i, 8), y);
  }
  EXPECT_EQ(codes(script.finish()), Codes{"S301"});
}

// ---------------------------------------------------------------- parts of tensors

TEST(Races, OnlyCommonBytesCount) {
  for (const auto &[offset, clean] : {std::pair(0, false), {1023, false}, {1024, true}, {2000, true}}) {
    Script script = races();
    script.block(0);
    script.data_copy(ub("a", 0, 1024), x_gm);
    script.add(ub("c", 4096, 32), ub("b", offset, 32), ub("b", 8192, 32));
    EXPECT_EQ(codes(script.finish()), clean ? Codes{} : Codes{"S301"}) << offset;
  }
}

TEST(Races, MemoriesAndWindowsAreApart) {
  Script script = races();
  script.block(0);
  script.data_copy(ub("a", 0, 64), gm("b", 0, 64, 0));  // MTE2 reads window 0
  script.data_copy(gm("c", 0, 64, 1), ub("d", 64, 64)); // MTE3 writes window 1
  EXPECT_EQ(codes(script.finish()), Codes{});
  script.data_copy(gm("b", 0, 64, 0), ub("d", 64, 64)); // MTE3 writes window 0
  EXPECT_EQ(codes(script.finish()), Codes{"S301"});
}

TEST(Races, Strides) {
  // V writes the even blocks of 32 bytes; MTE3 reads the odd ones, or all of them.
  for (const bool all : {false, true}) {
    Script script = races();
    script.block(0);
    Access even = Script::plain(ub("a", 0, 32), true);
    even.blocks = 8, even.repeats = 4, even.block_stride = 64, even.repeat_stride = 512;
    Access odd = even;
    odd.read = true, odd.write = false;
    odd.address = Address(Memory::UB, 0, all ? 0 : 32);
    if (all) odd.bytes = 64;
    script.access(script.scalar_pc(Op::SetValue, "a"), Pipe::V, {&even, 1});
    script.access(script.scalar_pc(Op::GetValue, "b"), Pipe::MTE3, {&odd, 1});
    const auto findings = script.finish();
    EXPECT_EQ(codes(findings), all ? Codes{"S301"} : Codes{});
    if (all) {
      EXPECT_EQ(findings[0].sites[0].what, "reads b, UB bytes 0..31 (first of 1024 bytes)");
    }
  }
}

TEST(Races, Masks) {
  // Of 64 floats V writes those with an even number; S reads one element.
  for (int element = 0; element < 64; ++element) {
    Script script = races();
    script.block(0);
    Access even = Script::plain(ub("a", 0, 256), true);
    even.masked = true, even.element = 4, even.mask = {0x5555555555555555, 0, 0, 0};
    script.access(script.scalar_pc(Op::SetValue, "a"), Pipe::V, {&even, 1});
    script.get_value(ub("a", 4 * element, 4));
    EXPECT_EQ(codes(script.finish()), element % 2 ? Codes{} : Codes{"S301"}) << element;
  }
}

// ---------------------------------------------------------------- one instruction

TEST(Races, AnInstructionDoesNotRaceWithItself) {
  for (const bool auto_sync : {false, true}) {
    Script script = races(auto_sync);
    script.block(0);
    script.add(x, x, x);
    EXPECT_EQ(codes(script.finish()), Codes{});
    script.add(x, x, x); // but with its next run
    EXPECT_EQ(codes(script.finish()), auto_sync ? Codes{} : Codes{"S302"});
  }
}

TEST(Races, AnInstructionMayWriteAByteTwice) {
  Script script = races();
  script.block(0);
  Access access = Script::plain(ub("a", 0, 256), true);
  access.repeats = 8, access.repeat_stride = 0;
  const uint32_t pc = script.scalar_pc(Op::SetValue, "a");
  script.access(pc, Pipe::V, {&access, 1});
  EXPECT_EQ(codes(script.finish()), Codes{});
  script.access(pc, Pipe::V, {&access, 1});
  EXPECT_EQ(codes(script.finish()), Codes{"S302"});
}

TEST(Races, TheNextRunOfTheSameLineWritesWhatThisOneReads) {
  Script script = races();
  script.block(0);
  script.add(z, x, y);
  script.add(Tensor(x.part(0, 64)), y, y, "next"); // another line, to see the hazard by itself
  EXPECT_EQ(codes(script.finish()), Codes{"S302"});
  script.block(1);
  script.add(ub("a", 0, 64), ub("b", 64, 64), ub("c", 4096, 64));
  script.add(ub("a", 64, 64), ub("b", 128, 64), ub("c", 4096, 64)); // writes the b of the run before; reads its own b elsewhere
  EXPECT_EQ(codes(script.finish()), Codes{"S302"});
}

// ---------------------------------------------------------------- loops

/// The classic add kernel with two buffers: events of buffer k have id k. `without` leaves one call out ("" none).
Codes double_buffered(const std::string &without, bool auto_sync = true) {
  Script script = races(auto_sync);
  script.block(0);
  const auto set = [&](const char *name, unsigned id, const char *where) {
    if (without != std::string("set ") + where) script.set_flag(event(name), id);
  };
  const auto wait = [&](const char *name, unsigned id, const char *where) {
    if (without != std::string("wait ") + where) script.wait_flag(event(name), id);
  };
  for (unsigned k = 0; k < 2; ++k) {
    set("V_MTE2", k, "V_MTE2 before");
    set("MTE3_V", k, "MTE3_V before");
  }
  for (int i = 0; i < 6; ++i) {
    const unsigned k = i % 2;
    const Tensor xk = ub("x_local", 1024 * k, 1024), yk = ub("y_local", 8192 + 1024 * k, 1024), zk = ub("z_local", 16384 + 1024 * k, 1024);
    wait("V_MTE2", k, "V_MTE2");
    script.data_copy(xk, gm("x_gm", 1024 * i, 1024, 0));
    script.data_copy(yk, gm("y_gm", 1024 * i, 1024, 1));
    set("MTE2_V", k, "MTE2_V");
    wait("MTE2_V", k, "MTE2_V");
    wait("MTE3_V", k, "MTE3_V");
    script.add(zk, xk, yk);
    set("V_MTE2", k, "V_MTE2");
    set("V_MTE3", k, "V_MTE3");
    wait("V_MTE3", k, "V_MTE3");
    script.data_copy(gm("z_gm", 1024 * i, 1024, 2), zk);
    set("MTE3_V", k, "MTE3_V");
  }
  return codes(script.finish());
}

TEST(Races, DoubleBufferingIsClean) {
  EXPECT_EQ(double_buffered("", true), Codes{});
  EXPECT_EQ(double_buffered("", false), Codes{});
}

TEST(Races, DoubleBufferingNeedsEachWait) {
  EXPECT_EQ(double_buffered("wait MTE2_V"), (Codes{"S301", "S301"})); // x and y are loaded by two lines
  EXPECT_EQ(double_buffered("wait V_MTE3"), (Codes{"S301"}));
  // When a buffer is used again: MTE2 against the add that still reads x and y, V against the store that still reads z.
  EXPECT_EQ(double_buffered("wait V_MTE2"), (Codes{"S301"})) << "one call is missing, so the load of y is not reported as well";
  EXPECT_EQ(double_buffered("wait MTE3_V"), (Codes{"S301"}));
}

TEST(Races, TheFirstRoundNeedsNoFlags) {
  // The flags set before the loop are waited for by the first two rounds and order nothing.
  EXPECT_EQ(double_buffered("set V_MTE2 before"), Codes{});
  EXPECT_EQ(double_buffered("set MTE3_V before"), Codes{});
}

TEST(Races, ScalarReadsInALoop) {
  for (const std::string without : {"", "V_S", "S_V"}) {
    Script script = races();
    script.block(0);
    for (int i = 0; i < 4; ++i) {
      script.duplicate(z);
      if (without != "V_S") script.set_flag(event("V_S")), script.wait_flag(event("V_S"));
      script.get_value(z);
      if (without != "S_V") script.set_flag(event("S_V")), script.wait_flag(event("S_V"));
      script.barrier(Pipe::V);
    }
    EXPECT_EQ(codes(script.finish()), without.empty() ? Codes{} : Codes{"S301"}) << without;
  }
}

TEST(Races, ManyRoundsForgetWhatIsOver) {
  Script script = races(true);
  script.block(0);
  for (int i = 0; i < 20000; ++i) {
    script.data_copy(x, x_gm.part(0, 1024));
    script.set_flag(event("MTE2_V"), 0);
    script.wait_flag(event("MTE2_V"), 0);
    script.add(z, x, y);
    script.set_flag(event("V_MTE2"), 0);
    script.wait_flag(event("V_MTE2"), 0);
  }
  EXPECT_EQ(codes(script.finish()), Codes{});
  script.data_copy(z_gm, z); // still remembers the last add
  EXPECT_EQ(codes(script.finish()), Codes{"S301"});
}

// ---------------------------------------------------------------- waits before sets

TEST(Races, AWaitBeforeItsSet) {
  Script script = races();
  script.block(0);
  const auto wait = script.issue(Pipe::V), add = script.issue(Pipe::V);
  script.data_copy(x, x_gm);
  script.set_flag(event("MTE2_V"), 0);
  script.later(wait).wait_flag(event("MTE2_V"), 0);
  script.later(add).add(z, x, y);
  EXPECT_EQ(codes(script.finish()), Codes{});
}

// ---------------------------------------------------------------- auto_sync

TEST(Races, AutoSyncDoesNotOrderTransfersWithV) {
  Script script = races(true);
  script.block(0);
  script.set_value(x); // S against MTE2: ordered by the device compiler
  script.data_copy(x, x_gm);
  script.get_value(x); // and back
  script.add(z, y, y);
  script.add(z, z, z);
  EXPECT_EQ(codes(script.finish()), Codes{});
  script.data_copy(z_gm, z); // V against MTE3 is the kernel's duty
  EXPECT_EQ(codes(script.finish()), Codes{"S301"});
}

// ---------------------------------------------------------------- between blocks

std::vector<sim::Finding> two_blocks(const std::function<void(Script &)> &first, const std::function<void(Script &)> &second) {
  Script script = races();
  first(script.block(0));
  second(script.block(1));
  return script.finish();
}

TEST(Races, BlocksOnTheirOwnPartsAreClean) {
  Script script = races();
  for (uint32_t block = 0; block < 8; ++block) {
    script.block(block);
    for (int tile = 0; tile < 4; ++tile) {
      script.data_copy(ub("x", 1024 * tile, 1024), gm("x_gm", 0, 1024, 0));                                // all read the same
      script.data_copy(gm("z_gm", 1024 * (8 * tile + block), 1024, 1), ub("z", 8192 + 1024 * tile, 1024)); // all write, interleaved
    }
  }
  EXPECT_EQ(codes(script.finish()), Codes{});
}

TEST(Races, TwoBlocksWriteTheSameBytes) {
  const auto findings =
      two_blocks([](Script &s) { s.data_copy(gm("z_gm", 0, 1024), z); }, [](Script &s) { s.data_copy(gm("z_gm", 1000, 1024), z); });
  ASSERT_EQ(codes(findings), Codes{"S303"});
  const sim::Finding &f = findings[0];
  EXPECT_EQ(f.message, "race between blocks 0 and 1 on z_gm: both write the same bytes");
  ASSERT_EQ(f.sites.size(), 2u);
  EXPECT_EQ(f.sites[0].block, 0u);
  EXPECT_EQ(f.sites[1].block, 1u);
  EXPECT_EQ(f.sites[0].what, "writes z_gm, GM bytes 1000..1023");
  EXPECT_EQ(f.help,
            "give each block its own part of z_gm, for example by asc.get_block_idx(); blocks run in any order and at the same time");
}

TEST(Races, OneBlockReadsWhatAnotherWrites) {
  const auto reads = [](Script &s) { s.data_copy(x, gm("x_gm", 512, 64)); };
  const auto writes = [](Script &s) { s.data_copy(gm("x_gm", 0, 1024), z); };
  for (const bool reader_first : {false, true}) {
    const auto findings = reader_first ? two_blocks(reads, writes) : two_blocks(writes, reads);
    ASSERT_EQ(codes(findings), Codes{"S303"});
    EXPECT_NE(findings[0].message.find("one writes and the other reads"), std::string::npos);
    EXPECT_EQ(findings[0].sites[0].what, "writes x_gm, GM bytes 512..575") << "points at the write";
    EXPECT_EQ(findings[0].sites[1].what, "reads x_gm, GM bytes 512..575");
    EXPECT_EQ(findings[0].sites[0].block, reader_first ? 1u : 0u);
  }
}

TEST(Races, ABlockThatReadsAndThenWrites) {
  const auto findings = two_blocks(
      [](Script &s) {
        s.data_copy(x, gm("x_gm", 0, 64));
        s.barrier(Pipe::ALL);
        s.data_copy(gm("x_gm", 0, 64), x);
      },
      [](Script &s) { s.data_copy(x, gm("x_gm", 32, 64)); });
  EXPECT_EQ(codes(findings), Codes{"S303"});
}

TEST(Races, OneFindingPerPairOfLinesForManyBlocks) {
  Script script = races();
  for (uint32_t block = 0; block < 300; ++block) {
    script.block(block);
    script.data_copy(gm("z_gm", 0, 1024), z);
    script.data_copy(gm("z_gm", 4096, 1024), z, "another line");
    script.data_copy(gm("w_gm", 1024 * block, 1024, 1), z, "a clean line");
  }
  const auto findings = script.finish();
  EXPECT_EQ(codes(findings), (Codes{"S303", "S303"}));
  for (const sim::Finding &finding : findings) {
    EXPECT_EQ(finding.sites[0].block, 0u);
    EXPECT_EQ(finding.sites[0].pc, finding.sites[1].pc);
  }
}

TEST(Races, ARangeThatReachesOverOthers) {
  for (const bool reads_the_end : {false, true}) {
    Script script = races();
    script.block(0).data_copy(gm("z_gm", 0, 10000), z, "wide");
    script.block(1).data_copy(ub("a", 0, 64), gm("z_gm", 0, 64, 1), "another array");
    script.block(1).data_copy(ub("a", 64, 64), gm("z_gm", 20000, 64), "beyond");
    script.block(2).data_copy(gm("z_gm", 10000, 64), z, "right after");
    if (reads_the_end) script.block(3).data_copy(x, gm("z_gm", 9990, 10));
    EXPECT_EQ(codes(script.finish()), reads_the_end ? Codes{"S303"} : Codes{});
  }
}

TEST(Races, ScalarWritesShareCacheLines) {
  const auto store = [](int64_t offset) { return [=](Script &s) { s.set_value(gm("out", offset, 4)); }; };
  const auto findings = two_blocks(store(0), store(4));
  ASSERT_EQ(codes(findings), Codes{"S304"});
  EXPECT_EQ(findings[0].sites[0].what, "writes out, cache line at GM bytes 0..63");
  EXPECT_EQ(codes(two_blocks(store(60), store(64))), Codes{}) << "neighbouring lines";
  EXPECT_EQ(codes(two_blocks(store(0), store(0)))[0], "S303") << "the same bytes are a plain race";
  EXPECT_EQ(codes(two_blocks(store(0), [](Script &s) { s.data_copy(gm("out", 32, 32), z); })), Codes{"S304"}) << "a transfer into the line";
  EXPECT_EQ(codes(two_blocks(store(0), [](Script &s) { s.data_copy(x, gm("out", 32, 32)); })), Codes{})
      << "reading other bytes of the line";
}

// ---------------------------------------------------------------- data barriers

TEST(Races, ADataBarrierOrdersWhatSHandsOutLater) {
  for (const DataBarrier kind : {DataBarrier::All, DataBarrier::Global, DataBarrier::UnifiedBuffer})
    for (const bool global : {false, true}) {
      Script script = races();
      script.block(0);
      const Tensor &t = global ? z_gm : x;
      const Access write = Script::plain(t, true), read = Script::plain(t, false);
      script.access(script.scalar_pc(Op::SetValue, "a"), Pipe::MTE3, {&write, 1});
      script.data_barrier(kind);
      script.access(script.scalar_pc(Op::GetValue, "b"), Pipe::MTE2, {&read, 1});
      const bool orders =
          kind == DataBarrier::All || (kind == DataBarrier::Global && global) || (kind == DataBarrier::UnifiedBuffer && !global);
      EXPECT_EQ(codes(script.finish()), orders ? Codes{} : Codes{"S301"}) << unsigned(kind) << global;
    }
}

TEST(Races, ADataBarrierCountsForLaterInstructionsAndEarlierAccessesOnly) {
  Script script = races();
  script.block(0);
  const Access write = Script::plain(z_gm, true);
  const uint32_t first = script.scalar_pc(Op::SetValue, "a"), second = script.scalar_pc(Op::SetValue, "b");
  const auto tickets = script.issue(Pipe::MTE2); // before the barrier: it does not know of it
  script.access(first, Pipe::MTE3, {&write, 1});
  script.data_barrier(DataBarrier::Global);
  script.later(tickets).access(second, Pipe::MTE2, {&write, 1});
  EXPECT_EQ(codes(script.finish()), Codes{"S301"});

  Script after = races();
  after.block(0);
  after.data_barrier(DataBarrier::Global);
  after.access(after.scalar_pc(Op::SetValue, "a"), Pipe::MTE3, {&write, 1});
  after.access(after.scalar_pc(Op::SetValue, "b"), Pipe::MTE2, {&write, 1});
  EXPECT_EQ(codes(after.finish()), Codes{"S301"});
}

TEST(Races, ADataBarrierCompletesStoresOfS) {
  for (const bool barrier : {false, true}) {
    Script script = races();
    script.block(0).set_value(z_gm);
    if (barrier) script.data_barrier(DataBarrier::Global);
    script.data_copy(x, z_gm);
    EXPECT_EQ(codes(script.finish()), barrier ? Codes{} : Codes{"S301"});
  }
}

// ---------------------------------------------------------------- atomic stores

constexpr Atomic kAdd{DType::Float32, AtomicOp::Sum}, kMax{DType::Float32, AtomicOp::Max}, kAddHalf{DType::Float16, AtomicOp::Sum};

TEST(Races, AtomicStoresOfOneKindCommute) {
  for (const auto &[second, racy] : {std::pair(kAdd, false), {kMax, true}, {kAddHalf, true}, {Atomic(), true}}) {
    Script within = races();
    within.block(0).combine(z_gm, kAdd, "first");
    within.combine(z_gm, second, "second");
    EXPECT_EQ(codes(within.finish()), racy ? Codes{"S302"} : Codes{}) << unsigned(second.number());

    Script between = races();
    between.block(0).combine(z_gm, kAdd, "first");
    between.block(1).combine(z_gm, second, "second");
    EXPECT_EQ(codes(between.finish()), racy ? Codes{"S303"} : Codes{}) << unsigned(second.number());
  }
}

TEST(Races, TheSumIsReadBehindAllStores) {
  // Each of the two has to come before the read, whichever of them did so last.
  for (const unsigned ordered : {0u, 1u, 2u}) {
    Script script = races();
    script.block(0);
    const Access read = Script::plain(z_gm, false);
    script.combine(z_gm, kAdd, "first");
    if (ordered > 0) script.set_flag(event("MTE3_MTE2"));
    script.combine(z_gm, kAdd, "second");
    if (ordered > 1) script.set_flag(event("MTE3_MTE2"), 1);
    if (ordered > 0) script.wait_flag(event("MTE3_MTE2"));
    if (ordered > 1) script.wait_flag(event("MTE3_MTE2"), 1);
    script.access(script.scalar_pc(Op::GetValue, "z"), Pipe::MTE2, {&read, 1});
    EXPECT_EQ(codes(script.finish()), ordered == 2 ? Codes{} : Codes{"S301"}) << ordered;
  }
}

TEST(Races, AStoreBeforeTheSumIsNotForgotten) {
  for (const bool barrier : {false, true}) {
    Script script = races();
    script.block(0).data_copy(z_gm, x);
    if (barrier) script.barrier(Pipe::MTE3);
    script.combine(z_gm, kAdd);
    EXPECT_EQ(codes(script.finish()), barrier ? Codes{} : Codes{"S302"});
  }
  // Another block adds to what this one has stored, or read, before it added.
  for (const bool stores : {false, true}) {
    Script script = races();
    script.block(0);
    if (stores)
      script.data_copy(z_gm, x);
    else
      script.data_copy(x, z_gm);
    script.barrier(Pipe::ALL);
    script.combine(z_gm, kAdd, "own");
    script.barrier(Pipe::ALL);
    script.combine(z_gm, kAdd, "own, later");
    script.block(1).combine(z_gm, kAdd, "other");
    EXPECT_EQ(codes(script.finish()), Codes{"S303"}) << stores;
  }
}

TEST(Races, TextOfAtomicStores) {
  Script script = races();
  script.block(0).combine(z_gm, kAdd, "first");
  script.block(1).combine(z_gm, kMax, "second");
  const auto findings = script.finish();
  ASSERT_EQ(codes(findings), Codes{"S303"});
  EXPECT_EQ(findings[0].sites[0].what, "writes z_gm, GM bytes 0..1023, by atomic add of float32");
  EXPECT_EQ(findings[0].sites[1].what, "writes z_gm, GM bytes 0..1023, by atomic max of float32");
}

// ---------------------------------------------------------------- random schedules

/// Keeps every access and every dependence as a graph: an access is ordered after another one if a path leads from its end to the other's
/// begin.
class Oracle {
public:
  struct Touch {
    size_t begin, end;
    Pipe pipe;
    uint64_t from, to;
    bool write;
  };
  size_t issue() const { return waited_; }
  /// True when the access races with an earlier one.
  bool access(Pipe pipe, uint64_t from, uint64_t to, bool write, size_t waited) {
    const size_t begin = start(pipe, waited), end = node({begin});
    bool race = false;
    for (const Touch &t : touches_)
      if (t.from < to && from < t.to && (t.write || write) && !(t.pipe == Pipe::S && pipe == Pipe::S)) race |= !reaches(t.end, begin);
    touches_.push_back({begin, end, pipe, from, to, write});
    return race;
  }
  void set(unsigned e, unsigned id, size_t waited) { flags_[{e, id}] = after_all(kEventInfo[e].src, start(kEventInfo[e].src, waited)); }
  void wait(unsigned e, unsigned id, size_t waited) {
    const Pipe pipe = kEventInfo[e].dst;
    control(pipe, node({start(pipe, waited), flags_[{e, id}]}));
  }
  void barrier(Pipe pipe, size_t waited) { control(pipe, after_all(pipe, start(pipe, waited))); }
  void barrier_all() {
    const size_t all = node({});
    for (size_t n = 0; n < all; ++n) edges_[n].push_back(all);
    for (Pipe pipe : {Pipe::S, Pipe::V, Pipe::MTE2, Pipe::MTE3}) control(pipe, all);
  }

private:
  size_t node(std::vector<size_t> before) {
    edges_.emplace_back();
    for (size_t b : before) edges_[b].push_back(edges_.size() - 1);
    return edges_.size() - 1;
  }
  /// What holds the pipe back is the last wait or barrier on it, and what S had waited for at the dispatch.
  size_t start(Pipe pipe, size_t waited) { return node({last_[unsigned(pipe)], pipe == Pipe::S ? waited_ : waited}); }
  size_t after_all(Pipe pipe, size_t n) {
    for (const Touch &t : touches_)
      if (t.pipe == pipe) edges_[t.end].push_back(n);
    return n;
  }
  void control(Pipe pipe, size_t n) {
    last_[unsigned(pipe)] = n;
    if (pipe == Pipe::S) waited_ = n;
  }
  bool reaches(size_t from, size_t to) const {
    std::vector<char> seen(edges_.size());
    std::vector<size_t> open = {from};
    while (!open.empty()) {
      const size_t n = open.back();
      open.pop_back();
      if (n == to) return true;
      if (seen[n]++) continue;
      open.insert(open.end(), edges_[n].begin(), edges_[n].end());
    }
    return false;
  }
  std::vector<std::vector<size_t>> edges_ = std::vector<std::vector<size_t>>(1); // node 0: the begin of the block
  std::vector<Touch> touches_;
  std::map<std::pair<unsigned, unsigned>, size_t> flags_;
  std::array<size_t, kPipes> last_ = {};
  size_t waited_ = 0;
};

TEST(Races, EqualsTheGraphUpToTheFirstRace) {
  struct Instr {
    enum { Touch, Set, Wait, Barrier } kind;
    Pipe pipe;
    unsigned event, id;
    uint64_t from, to;
    bool write;
    uint32_t pc;
    std::vector<uint64_t> tickets;
    size_t waited;
  };
  constexpr Pipe pipes[] = {Pipe::S, Pipe::V, Pipe::MTE2, Pipe::MTE3};
  std::vector<unsigned> events;
  for (unsigned e = 0; e < kEvents; ++e)
    if (kEventInfo[e].on_aiv) events.push_back(e);
  unsigned clean = 0, racy = 0, queued = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    Script script = races();
    script.block(0);
    Oracle oracle;
    std::map<unsigned, std::deque<Instr>> queues;
    std::set<std::pair<unsigned, unsigned>> flags;
    bool race = false, found = false;
    const uint32_t pcs = 60;
    for (uint32_t pc = 0; pc < pcs; ++pc) script.scalar_pc(Op::SetValue, "t");

    const auto run = [&](Instr &i) {
      if (!i.tickets.empty()) script.later(i.tickets);
      switch (i.kind) {
      case Instr::Touch: {
        const Access access = Script::plain(ub("t", int64_t(i.from), uint32_t(i.to - i.from)), i.write);
        script.access(2 * i.pc + 1, i.pipe, {&access, 1});
        race |= oracle.access(i.pipe, i.from, i.to, i.write, i.waited);
        break;
      }
      case Instr::Set:
        script.set_flag(i.event, i.id);
        oracle.set(i.event, i.id, i.waited);
        flags.insert({i.event, i.id});
        break;
      case Instr::Wait:
        script.wait_flag(i.event, i.id);
        oracle.wait(i.event, i.id, i.waited);
        flags.erase({i.event, i.id});
        break;
      case Instr::Barrier: script.barrier(i.pipe); oracle.barrier(i.pipe, i.waited);
      }
    };
    const auto drain = [&] {
      for (bool more = true; more;) {
        more = false;
        for (auto &[pipe, queue] : queues)
          while (!queue.empty() && !(queue.front().kind == Instr::Wait && !flags.count({queue.front().event, queue.front().id})) &&
                 !(queue.front().kind == Instr::Set && flags.count({queue.front().event, queue.front().id}))) {
            run(queue.front());
            queue.pop_front();
            more = true;
          }
      }
    };
    for (uint32_t pc = 0; pc < pcs && !race && !found; ++pc) {
      Instr i{Instr::Touch, pipes[random() % 4], 0, 0, 0, 0, false, pc, {}, oracle.issue()};
      const unsigned what = random() % 16;
      if (what < 5) {
        i.from = random() % 60, i.to = i.from + 1 + random() % 8, i.write = random() % 3 == 0;
        if (seed % 2 && random() % 8) i.from = i.from / 10 * 10, i.to = i.from + 8; // the same ranges again and again: RecentRanges
      } else if (what < 15) {
        const unsigned e = events[random() % events.size()], id = random() % 2;
        i.kind = what < 10 ? Instr::Set : Instr::Wait, i.event = e, i.id = id;
        i.pipe = i.kind == Instr::Set ? kEventInfo[e].src : kEventInfo[e].dst;
        if (i.kind == Instr::Wait && !flags.count({e, id}) && (i.pipe == Pipe::S || random() % 8)) continue;
        if (i.kind == Instr::Set && i.pipe == Pipe::S && flags.count({e, id})) continue;
      } else if (i.pipe == Pipe::S) {
        if (std::any_of(queues.begin(), queues.end(), [](auto &q) { return !q.second.empty(); })) continue;
        script.barrier(Pipe::ALL);
        oracle.barrier_all();
        continue;
      } else {
        i.kind = Instr::Barrier;
      }
      const bool blocked =
          (i.kind == Instr::Wait && !flags.count({i.event, i.id})) || (i.kind == Instr::Set && flags.count({i.event, i.id}));
      auto &queue = queues[unsigned(i.pipe)];
      if (i.pipe != Pipe::S && (blocked || !queue.empty())) {
        i.tickets = script.issue(i.pipe);
        queue.push_back(std::move(i));
        ++queued;
      } else {
        run(i);
      }
      drain();
      found = !script.report.take().empty();
    }
    ASSERT_EQ(found, race) << "seed " << seed;
    ++(race ? racy : clean);
  }
  EXPECT_GT(clean, 100u);
  EXPECT_GT(racy, 1000u);
  EXPECT_GT(queued, 3000u);
}

} // namespace
} // namespace asc
