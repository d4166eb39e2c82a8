// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels on disk: one self-checking file per key, published by an atomic rename, the least recently used removed above a size
// cap. Any number of processes may use one folder, on network disks too.
#pragma once

#include "runtime/compile.h"
#include "runtime/lookup.h"

#include <memory>
#include <string>

namespace asc::cache {

/// $PYASC_CACHE_DIR, else $PYASC_HOME/.pyasc/cache, else ~/.pyasc/cache.
std::string folder();
/// Bytes that the folder may hold before the least recently used entries go: what was set, else $PYASC_CACHE_LIMIT, else 1 GiB. Looked at
/// after every 64th entry that a process stores.
void set_limit(std::optional<uint64_t> bytes);
uint64_t limit();

struct Found {
  std::shared_ptr<const CompiledKernel> kernel; // null: not there
  std::string why;                              // of a miss
};
/// Looks a key up. A damaged or foreign file counts as not there and is warned about.
Found load(const Digest &key);

/// Publishes a kernel; `title` names its function. What goes wrong (a full disk, no rights) is warned about once, returned, and harms
/// nothing.
std::string store(const Digest &key, std::string_view title, const KeyParts &parts, const CompiledKernel &kernel);

/// The file of a key; empty if there is none.
std::string entry_file(const std::string &key);
/// What the keys of the other entries with this title are made of; the newest entries of the folder are looked at.
std::vector<std::vector<Part>> parts_of_entries(std::string_view title, const std::string &except_key);

/// A file of the folder, for people who look into it.
struct Entry {
  std::string key, title;
  std::string why_not; // it cannot be used by this build of the compiler; empty: it can
  std::vector<Part> parts;
  uint64_t bytes = 0;
  int64_t used = 0; // last use, in seconds since 1970
};
/// All entries, the last used first.
std::vector<Entry> entries();

struct Usage {
  uint64_t entries = 0, bytes = 0;
};
Usage usage();
/// Removes all entries; returns what was there.
Usage clear();

/// Names this build of the compiler: kernels of another build are not taken.
const std::string &build_id();

} // namespace asc::cache
