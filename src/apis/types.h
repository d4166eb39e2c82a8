// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vocabulary of the AI Core that everything else speaks: element types, pipes, memories, positions, events, addresses.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace asc {

/// Element types. `Bool` is Ascend C's bool: one byte, 0 or 1.
enum class DType : uint8_t { Void, Bool, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float16, BFloat16, Float32, Float64 };
inline constexpr unsigned kDTypes = 14;

struct DTypeInfo {
  std::string_view name; // Python and IR name
  std::string_view cpp;  // Ascend C name
  uint8_t bytes;
  bool is_float, is_signed;
};

inline constexpr std::array<DTypeInfo, kDTypes> kDTypeInfo = {{
    {"void", "void", 0, false, false},
    {"bool", "bool", 1, false, false},
    {"int8", "int8_t", 1, false, true},
    {"int16", "int16_t", 2, false, true},
    {"int32", "int32_t", 4, false, true},
    {"int64", "int64_t", 8, false, true},
    {"uint8", "uint8_t", 1, false, false},
    {"uint16", "uint16_t", 2, false, false},
    {"uint32", "uint32_t", 4, false, false},
    {"uint64", "uint64_t", 8, false, false},
    {"float16", "half", 2, true, true},
    {"bfloat16", "bfloat16_t", 2, true, true},
    {"float32", "float", 4, true, true},
    {"float64", "double", 8, true, true},
}};
constexpr const DTypeInfo &info(DType t) { return kDTypeInfo[static_cast<unsigned>(t)]; }
constexpr std::string_view name(DType t) { return info(t).name; }
constexpr uint32_t size_of(DType t) { return info(t).bytes; }

/// A set of element types: one bit per DType.
struct DTypes {
  uint16_t bits = 0;
  constexpr DTypes() = default;
  constexpr DTypes(DType t) : bits(uint16_t(1u << unsigned(t))) {}
  constexpr bool has(DType t) const { return bits >> unsigned(t) & 1; }
  /// The member of a set of one.
  constexpr DType only() const { return DType(std::countr_zero(bits)); }
  friend constexpr DTypes operator|(DTypes a, DTypes b) {
    DTypes r;
    r.bits = a.bits | b.bits;
    return r;
  }
};
constexpr DTypes operator|(DType a, DType b) { return DTypes(a) | DTypes(b); }

/// Pipes of a core, numbered as Ascend C's PipeID (07-sync section 1).
enum class Pipe : uint8_t { S = 0, V = 1, M = 2, MTE1 = 3, MTE2 = 4, MTE3 = 5, ALL = 6, MTE4 = 7, MTE5 = 8, V2 = 9, FIX = 10 };
inline constexpr unsigned kPipes = 11;
inline constexpr std::array<std::string_view, kPipes> kPipeNames = {"S",   "V",    "M",    "MTE1", "MTE2", "MTE3",
                                                                    "ALL", "MTE4", "MTE5", "V2",   "FIX"};
constexpr std::string_view name(Pipe p) { return kPipeNames[unsigned(p)]; }

/// Physical memories, numbered as Ascend C's Hardware enum (01-memory section 2), with size and start alignment in bytes (section 1).
enum class Memory : uint8_t { GM = 0, UB = 1, L1 = 2, L0A = 3, L0B = 4, L0C = 5, BT = 6, FB = 7 };
inline constexpr unsigned kMemories = 8;
struct MemoryInfo {
  std::string_view name;
  uint32_t bytes, alignment;
};
inline constexpr std::array<MemoryInfo, kMemories> kMemoryInfo = {{{"GM", 0, 1},
                                                                   {"UB", 192 * 1024, 32},
                                                                   {"L1", 512 * 1024, 32},
                                                                   {"L0A", 64 * 1024, 512},
                                                                   {"L0B", 64 * 1024, 512},
                                                                   {"L0C", 128 * 1024, 64},
                                                                   {"BT", 1024, 64},
                                                                   {"FB", 7168, 64}}};
constexpr const MemoryInfo &info(Memory m) { return kMemoryInfo[unsigned(m)]; }

/// Logical positions, numbered as pyasc's TPosition (01-memory section 2).
enum class Position : uint8_t { GM = 0, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, MAX };
inline constexpr unsigned kPositions = 13;
inline constexpr std::array<std::string_view, kPositions> kPositionNames = {"GM",  "A1",  "A2",    "B1",     "B2",      "C1", "C2",
                                                                            "CO1", "CO2", "VECIN", "VECOUT", "VECCALC", "MAX"};
inline constexpr std::array<Memory, kPositions> kPositionMemory = {Memory::GM, Memory::L1, Memory::L0A, Memory::L1, Memory::L0B,
                                                                   Memory::L1, Memory::BT, Memory::L0C, Memory::GM, Memory::UB,
                                                                   Memory::UB, Memory::UB, Memory::GM};
constexpr std::string_view name(Position p) { return kPositionNames[unsigned(p)]; }
constexpr Memory memory_of(Position p) { return kPositionMemory[unsigned(p)]; }

/// Hardware events, numbered as Ascend C's HardEvent (07-sync section 2): source pipe sets, destination pipe waits.
struct EventInfo {
  std::string_view name;
  Pipe src, dst;
  bool on_aiv, on_aic; // legal on the vector core, on the cube core
};
inline constexpr unsigned kEvents = 35;
inline constexpr std::array<EventInfo, kEvents> kEventInfo = {{
    {"MTE2_MTE1", Pipe::MTE2, Pipe::MTE1, false, true},
    {"MTE1_MTE2", Pipe::MTE1, Pipe::MTE2, false, true},
    {"MTE1_M", Pipe::MTE1, Pipe::M, false, true},
    {"M_MTE1", Pipe::M, Pipe::MTE1, false, true},
    {"MTE2_V", Pipe::MTE2, Pipe::V, true, false},
    {"V_MTE2", Pipe::V, Pipe::MTE2, true, false},
    {"MTE3_V", Pipe::MTE3, Pipe::V, true, false},
    {"V_MTE3", Pipe::V, Pipe::MTE3, true, false},
    {"M_V", Pipe::M, Pipe::V, false, false},
    {"V_M", Pipe::V, Pipe::M, false, false},
    {"V_V", Pipe::V, Pipe::V, true, false},
    {"MTE3_MTE1", Pipe::MTE3, Pipe::MTE1, false, true},
    {"MTE1_MTE3", Pipe::MTE1, Pipe::MTE3, false, true},
    {"MTE1_V", Pipe::MTE1, Pipe::V, false, false},
    {"MTE2_M", Pipe::MTE2, Pipe::M, false, true},
    {"M_MTE2", Pipe::M, Pipe::MTE2, false, true},
    {"V_MTE1", Pipe::V, Pipe::MTE1, false, false},
    {"M_FIX", Pipe::M, Pipe::FIX, false, true},
    {"FIX_M", Pipe::FIX, Pipe::M, false, true},
    {"MTE3_MTE2", Pipe::MTE3, Pipe::MTE2, true, true},
    {"MTE2_MTE3", Pipe::MTE2, Pipe::MTE3, true, true},
    {"S_V", Pipe::S, Pipe::V, true, false},
    {"V_S", Pipe::V, Pipe::S, true, false},
    {"S_MTE2", Pipe::S, Pipe::MTE2, true, true},
    {"MTE2_S", Pipe::MTE2, Pipe::S, true, true},
    {"S_MTE3", Pipe::S, Pipe::MTE3, true, true},
    {"MTE3_S", Pipe::MTE3, Pipe::S, true, true},
    {"MTE2_FIX", Pipe::MTE2, Pipe::FIX, false, true},
    {"FIX_MTE2", Pipe::FIX, Pipe::MTE2, false, true},
    {"FIX_S", Pipe::FIX, Pipe::S, false, true},
    {"M_S", Pipe::M, Pipe::S, false, true},
    {"FIX_MTE3", Pipe::FIX, Pipe::MTE3, false, true},
    {"MTE1_FIX", Pipe::MTE1, Pipe::FIX, false, true},
    {"FIX_MTE1", Pipe::FIX, Pipe::MTE1, false, true},
    {"FIX_FIX", Pipe::FIX, Pipe::FIX, false, false},
}};
inline constexpr unsigned kEventIds = 8; // ids 0..7 per event

/// The two kinds of core: vector and cube.
enum class CoreKind : uint8_t { AIV, AIC };
inline constexpr std::array<std::string_view, 2> kCoreNames = {"AIV", "AIC"};
constexpr std::string_view name(CoreKind kind) { return kCoreNames[unsigned(kind)]; }

/// Which cores a kernel runs on, numbered as pyasc's KernelType: the cores of each kind in one AI Core, and whether cross-core flags work
/// (07-sync sections 4 and 8).
enum class KernelType : uint8_t {
  AIV_ONLY,
  AIC_ONLY,
  MIX_AIV_HARD_SYNC,
  MIX_AIC_HARD_SYNC,
  MIX_AIV_1_0,
  MIX_AIC_1_0,
  MIX_AIC_1_1,
  MIX_AIC_1_2
};
inline constexpr unsigned kKernelTypes = 8;
struct KernelTypeInfo {
  std::string_view name;
  uint8_t aivs, aics;
  bool cross_core;
};
inline constexpr std::array<KernelTypeInfo, kKernelTypes> kKernelTypeInfo = {{{"AIV_ONLY", 1, 0, false},
                                                                              {"AIC_ONLY", 0, 1, false},
                                                                              {"MIX_AIV_HARD_SYNC", 1, 0, true},
                                                                              {"MIX_AIC_HARD_SYNC", 0, 1, true},
                                                                              {"MIX_AIV_1_0", 1, 0, true},
                                                                              {"MIX_AIC_1_0", 0, 1, true},
                                                                              {"MIX_AIC_1_1", 1, 1, true},
                                                                              {"MIX_AIC_1_2", 2, 1, true}}};
constexpr const KernelTypeInfo &info(KernelType type) { return kKernelTypeInfo[unsigned(type)]; }
constexpr unsigned cores(const KernelTypeInfo &type) { return type.aivs + type.aics; }

/// Cross-core flags: ids, counters, and the modes of a set (07-sync section 4).
inline constexpr unsigned kCrossFlags = 16, kMostCrossCount = 15, kCrossModes = 3;

/// What data_sync_barrier waits for, numbered as Ascend C's MemDsbT (07-sync section 3).
enum class DataBarrier : uint8_t { All, Global, UnifiedBuffer, None };
inline constexpr unsigned kDataBarriers = 4;
inline constexpr std::array<std::string_view, kDataBarriers> kDataBarrierNames = {"ALL", "DDR", "UB", "SEQ"};

/// Addresses that the core keeps for kernels (06-data-movement section 12): of the system's workspace, and of two contexts of collective
/// communication.
inline constexpr unsigned kPointers = 3, kWorkspacePointer = 0, kFirstContextPointer = 1, kContexts = kPointers - kFirstContextPointer;

/// What a store to global memory does with what is there (06-data-movement section 10), the operations numbered as in
/// get_store_atomic_config.
enum class AtomicOp : uint8_t { Sum, Max, Min };
struct Atomic {
  DType type = DType::Void; // of the elements; Void: the store replaces them
  AtomicOp op = AtomicOp::Sum;

  /// 0 for a store that replaces, else a number for each way to combine.
  constexpr uint8_t number() const { return type == DType::Void ? 0 : uint8_t(unsigned(op) * kDTypes + unsigned(type)); }
  static constexpr Atomic of(uint8_t number) { return {DType(number % kDTypes), AtomicOp(number / kDTypes)}; }
};

/// A simulated address in one 64-bit word: memory (4 bits), window (20 bits: the kernel argument it points into, 0 for local memory) and a
/// signed byte offset (40 bits, biased so that it never borrows from the window).
struct Address {
  static constexpr uint64_t kBias = uint64_t(1) << 39;
  static constexpr uint64_t kOffsetMask = (uint64_t(1) << 40) - 1;
  uint64_t word = kBias;

  constexpr Address() = default;
  constexpr explicit Address(uint64_t w) : word(w) {}
  constexpr Address(Memory m, uint32_t window, int64_t offset)
      : word(uint64_t(m) << 60 | uint64_t(window & 0xFFFFF) << 40 | ((uint64_t(offset) + kBias) & kOffsetMask)) {}
  constexpr Memory memory() const { return Memory(word >> 60 & 7); }
  constexpr uint32_t window() const { return uint32_t(word >> 40 & 0xFFFFF); }
  constexpr int64_t offset() const { return int64_t(word & kOffsetMask) - int64_t(kBias); }
  /// This address moved by `bytes`; nothing when that leaves the 40 bits.
  constexpr std::optional<Address> moved(int64_t bytes) const {
    int64_t sum;
    if (__builtin_add_overflow(offset(), bytes, &sum) || sum >= int64_t(kBias) || sum < -int64_t(kBias)) return std::nullopt;
    return Address(memory(), window(), sum);
  }
};

} // namespace asc
