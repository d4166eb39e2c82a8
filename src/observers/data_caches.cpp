// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See data_caches.h.
#include "observers/data_caches.h"

#include "apis/cache.h"
#include "sim/describe.h"
#include "sim/report.h"

#include <algorithm>

namespace asc {

static constexpr uint64_t kWhole = ~uint64_t(0);

/// Bytes first..end-1 of a line.
static uint64_t mask_of(uint64_t first, uint64_t end) {
  return (end - first == kCacheLine ? kWhole : (uint64_t(1) << (end - first)) - 1) << first;
}

static Address start_of(uint64_t number) { return Address(number * kCacheLine); }

// ---------------------------------------------------------------- what S does

void CoreCache::follow(const sim::Execution &execution, uint64_t epoch) {
  const bool scalar_unit = execution.pipe == Pipe::S;
  const auto mark_of = [&](uint8_t arg) { return Mark{epoch, 0, execution.pc, execution.pipe, arg, uint16_t(info_.block)}; };
  if (scalar_unit && execution.call) { // what else it does is dumped or polled
    const CacheAction action = cache_action(*execution.call);
    if (action.kind == CacheAction::Clean) clean(action.at, mark_of(0));
    if (action.kind == CacheAction::CleanAll) clean_all(mark_of(0));
    if (action.kind == CacheAction::Load) load(action.at, mark_of(0));
    return;
  }
  for (const Access &access : execution.accesses) {
    if (access.address.memory() != Memory::GM || access.empty() || constant(access.address)) continue;
    const Mark mark = mark_of(access.arg);
    for_each_range(access, [&](uint64_t begin, uint64_t end) {
      if (!scalar_unit) return other(access.address, begin, end, mark, access.write);
      for (uint64_t at = begin; at < end;) { // an element may lie in two lines
        const Address address(Memory::GM, access.address.window(), int64_t(at));
        const uint64_t first = address.word % kCacheLine, last = std::min<uint64_t>(kCacheLine, first + end - at);
        scalar(cache_line(address), mask_of(first, last), mark, access.write);
        at += last - first;
      }
    });
  }
}

CacheLines::Line &CoreCache::line_of(uint64_t number) {
  if (!all_.last || all_.last->first != number) all_.last = &*all_.lines.try_emplace(number).first;
  return all_.last->second;
}

/// The line that this core's cache may have, or null.
CachedLine *CoreCache::open(Line &line) {
  const auto found = std::find_if(line.begin(), line.end(), [&](const CachedLine &cached) { return own(cached) && cached.open(); });
  return found == line.end() ? nullptr : &*found;
}

/// Calls `fn(mark, bytes)` for the last stores of the bytes of a line.
template <class Fn> void CoreCache::for_each_store(uint64_t number, uint64_t mask, Fn &&fn) {
  Shadow &shadow = order_.global();
  const uint64_t start = uint64_t(start_of(number).offset());
  shadow.map(start_of(number)).visit(start, start + kCacheLine, [&](uint64_t begin, uint64_t end, Shadow::Id id) {
    const uint64_t bytes = mask & mask_of(begin - start, end - start);
    if (id == 0 || bytes == 0) return;
    if (shadow[id].writer.epoch != 0) fn(shadow[id].writer, bytes);
    shadow.for_each_reader(id, [&](Mark mark) {
      if (mark.atomic) fn(mark, bytes);
    });
  });
}

/// What nothing orders before the load may come after it. What S has stored is in memory when its line has been written back.
CachedLine &CoreCache::load(Line &line, uint64_t number, Mark loader) {
  CachedLine loaded{.loader = loader};
  for_each_store(number, kWhole, [&](Mark store, uint64_t bytes) {
    if (store.pipe != Pipe::S && !order_.completed(store, Pipe::S)) loaded.old |= bytes;
  });
  for (const CachedLine &cached : line)
    if (!own(cached) && (cached.open() || !order_.completed(cached.clean, Pipe::S))) loaded.old |= cached.written;
  return line.emplace_back(loaded);
}

/// Outside of the array there is nothing to load.
void CoreCache::load(Address address, Mark loader) {
  const uint32_t window = address.window();
  if (window >= info_.window_bytes.size() || uint64_t(address.offset()) >= info_.window_bytes[window] || constant(address)) return;
  const uint64_t number = cache_line(address);
  if (Line &line = line_of(number); !open(line)) load(line, number, loader);
}

void CoreCache::scalar(uint64_t number, uint64_t mask, Mark mark, bool writes) {
  Line &line = line_of(number);
  CachedLine *cached = open(line);
  if (!cached) cached = &load(line, number, mark);
  if (!writes) {
    if (cached->old != 0 || line.size() > 1) read(line, number, mask, mark, cached);
    return;
  }
  cached->written |= mask, cached->old &= ~mask, cached->writer = mark;
  if (line.size() == 1) return;
  store(line, number, mask, mark);
  for (CachedLine &before : line)
    if (own(before) && !before.open()) before.written &= ~mask;
  std::erase_if(line, [&](const CachedLine &before) { return own(before) && !before.open() && before.written == 0; });
}

/// True when nothing is left of the line.
bool CoreCache::give_up(Line &line, uint64_t number, Mark clean) {
  if (CachedLine *cached = open(line)) {
    write_back(*cached, number);
    cached->clean = clean;
    if (cached->written == 0) line.erase(line.begin() + (cached - line.data()));
  }
  return line.empty();
}

void CoreCache::clean(Address address, Mark clean) {
  const auto found = all_.lines.find(cache_line(address));
  if (found == all_.lines.end() || !give_up(found->second, found->first, clean)) return;
  all_.last = nullptr;
  all_.lines.erase(found);
}

void CoreCache::clean_all(Mark clean) {
  all_.last = nullptr;
  for (auto entry = all_.lines.begin(); entry != all_.lines.end();)
    entry = give_up(entry->second, entry->first, clean) ? all_.lines.erase(entry) : std::next(entry);
}

void CoreCache::end() {
  for (auto &[number, line] : all_.lines)
    if (const CachedLine *cached = open(line)) write_back(*cached, number);
}

/// The whole line goes to memory, with what it has of the bytes that others have stored since.
void CoreCache::write_back(const CachedLine &line, uint64_t number) {
  if (line.written == 0) return;
  for_each_store(number, line.old, [&](Mark store, uint64_t) {
    if (store.pipe != Pipe::S || store.core != line.loader.core) report_lost(line, number, store);
  });
}

// ---------------------------------------------------------------- what others do, past the cache

/// An access by a pipe.
void CoreCache::other(Address array, uint64_t begin, uint64_t end, Mark mark, bool writes) {
  const Address first(Memory::GM, array.window(), int64_t(begin)), last(Memory::GM, array.window(), int64_t(end - 1));
  const auto stop = all_.lines.upper_bound(cache_line(last));
  for (auto entry = all_.lines.lower_bound(cache_line(first)); entry != stop; ++entry) {
    auto &[number, line] = *entry;
    const uint64_t from = number == cache_line(first) ? first.word % kCacheLine : 0,
                   to = number == cache_line(last) ? last.word % kCacheLine + 1 : kCacheLine;
    if (writes)
      store(line, number, mask_of(from, to), mark);
    else
      read(line, number, mask_of(from, to), mark, nullptr);
  }
}

/// A store by a pipe, or by S of this core into its cache: to the lines of others it is all the same when it gets to memory.
void CoreCache::store(Line &line, uint64_t number, uint64_t mask, Mark mark) {
  for (auto cached = line.begin(); cached != line.end(); ++cached) {
    if (mark.pipe == Pipe::S && own(*cached)) continue;
    if (cached->open()) cached->old |= mask;
    if (cached->written == 0 || (!cached->open() && order_.completed(cached->clean, mark.pipe))) continue;
    const auto changed_later = [&](const CachedLine &later) { return later.loader.core == cached->loader.core && later.written != 0; };
    if (std::none_of(cached + 1, line.end(), changed_later)) report_lost(*cached, number, mark); // else that one tells it
  }
}

/// A read by a pipe, or by S with the line that is in its cache. Where the store is not ordered before it, that is a race.
void CoreCache::read(const Line &line, uint64_t number, uint64_t mask, Mark reader, const CachedLine *cached) {
  for_each_store(number, mask, [&](Mark store, uint64_t bytes) {
    if (!order_.completed(store, reader.pipe)) return;
    bool unwritten = false;
    if (store.pipe == Pipe::S && !(reader.pipe == Pipe::S && store.core == reader.core))
      for (const CachedLine &other : line)
        if (other.loader.core == store.core && (other.written & bytes) && (other.open() || !order_.completed(other.clean, reader.pipe))) {
          unwritten = true;
          report_unwritten(other, number, other.written & bytes, store, reader);
        }
    if (!unwritten && cached && (cached->old & bytes)) report_old(*cached, number, cached->old & bytes, store, reader);
  });
}

// ---------------------------------------------------------------- findings

static std::string bytes_text(uint64_t number, uint64_t mask) {
  const uint64_t start = uint64_t(start_of(number).offset());
  const uint64_t begin = start + unsigned(std::countr_zero(mask)), end = start + kCacheLine - unsigned(std::countl_zero(mask));
  return byte_range(Memory::GM, begin, end, end - begin);
}
static std::string line_text(uint64_t number) { return "the line of " + bytes_text(number, kWhole); }

static std::string clean_call(const std::string &tensor) {
  return "asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, asc.DcciDst.CACHELINE_OUT, " + tensor + "[i])";
}

std::string CoreCache::tensor(Mark mark) const { return operand_name(program_, mark.pc, mark.arg); }

/// Of two on one core it goes without saying which.
std::string CoreCache::actor(Mark mark, Mark other) const {
  const std::string core = mark.core == other.core ? "" : " of " + core_name(program_.type, mark.core);
  return call_name(program_, mark.pc) + " (" + std::string(name(mark.pipe)) + ")" + core;
}

void CoreCache::report_old(const CachedLine &line, uint64_t number, uint64_t mask, Mark store, Mark reader) {
  if (!report_.wanted("S401", reader.core, reader.pc, store.pc)) return;
  sim::Finding f;
  f.code = "S401";
  f.message =
      "get_value reads " + tensor(reader) + " from the data cache, where the line was before " + actor(store, reader) + " changed it";
  f.sites = {site(reader, "reads " + tensor(reader) + ", " + bytes_text(number, mask)), site(store, "changes these bytes in memory"),
             site(line.loader, "brought " + line_text(number) + " into the cache")};
  f.help = "forget the line first: call " + clean_call(tensor(reader)) + " after waiting for the change, before the read";
  report_.add(std::move(f));
}

void CoreCache::report_unwritten(const CachedLine &line, uint64_t number, uint64_t mask, Mark store, Mark reader) {
  if (!report_.wanted("S402", reader.core, reader.pc, store.pc)) return;
  const bool same = store.core == reader.core;
  sim::Finding f;
  f.code = "S402";
  f.message = actor(reader, store) + " reads " + tensor(reader) + " in memory, and what " + actor(store, reader) + " has stored there " +
              (line.open() ? "is" : "may be") + " still in " + (same ? "the" : "that core's") + " data cache";
  f.sites = {site(reader, "reads " + tensor(reader) + ", " + bytes_text(number, mask)), site(store, "stores these bytes in the cache")};
  if (!line.open()) f.sites.push_back(site(line.clean, "writes the line back, and the read does not wait for it"));
  f.help = "write the line back first: call " + clean_call(tensor(store)) + " after set_value, before " +
           (same ? line.open() ? "the read" : "the flag that the read waits for" : "the other core is told");
  if (!line.open() && !same) f.help += ", with asc.data_sync_barrier(asc.MemDsbT.DDR) between the two";
  report_.add(std::move(f));
}

/// The line has been or will be written back over what others have stored.
void CoreCache::report_lost(const CachedLine &line, uint64_t number, Mark store) {
  const bool same = store.core == line.loader.core;
  const char *code = same ? "S403" : "S304";
  if (!report_.wanted(code, line.writer.core, line.writer.pc, store.pc)) return;
  sim::Finding f;
  f.code = code;
  f.message = "what " + actor(store, line.writer) + " stores in " + line_text(number) +
              " is lost: the data cache has that line from before, and writes it back whole because of " + actor(line.writer, store);
  f.sites = {site(line.writer, "writes into the line in the cache"), site(store, "stores in it"),
             site(line.loader, "brought the line into the cache")};
  if (!line.open()) f.sites.push_back(site(line.clean, "writes the line back, and the other store does not wait for it"));
  if (same)
    f.help = "let the two store in different lines of 64 bytes; or write the line back before the other store: call " +
             clean_call(tensor(line.writer)) +
             " after set_value and make the store wait for it, or make get_value and set_value wait for "
             "the store";
  else
    f.help = "give each block whole lines of 64 bytes, or let one block write its line back, and the other one forget its own, before that "
             "one writes";
  report_.add(std::move(f));
}

} // namespace asc
