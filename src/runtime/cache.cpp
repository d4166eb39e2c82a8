// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The disk cache. File: magic, payload length, BLAKE3 digest of the payload, payload.
#include "runtime/cache.h"

#include "isa/codec.h"
#include "runtime/raise.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

namespace asc::cache {

namespace fs = std::filesystem;

static constexpr std::string_view kMagic = "PYASC-K2";
static constexpr std::string_view kSuffix = ".entry";
static constexpr size_t kHeader = kMagic.size() + sizeof(uint64_t) + sizeof(Digest);

static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static void warn_once(std::string_view code, const std::string &message, const std::string &help);

/// "20M" in bytes.
static std::optional<uint64_t> parse_size(const std::string &text) {
  constexpr uint64_t kMost = uint64_t(1) << 60;
  size_t digits = std::min(text.size(), text.find_first_not_of("0123456789"));
  uint64_t number = 0;
  for (size_t i = 0; i < digits; ++i) number = std::min(kMost, 10 * number + uint64_t(text[i] - '0'));
  const std::string_view unit = std::string_view(text).substr(digits);
  static constexpr std::string_view kUnits = "kMG";
  const size_t power = unit.empty() ? 0 : kUnits.find(unit) + 1;
  if (digits == 0 || unit.size() > 1 || (!unit.empty() && power == 0)) return std::nullopt;
  return std::min(kMost, number) << std::min<size_t>(10 * power, 30);
}

static std::atomic<uint64_t> size_limit{UINT64_MAX}; // not set
void set_limit(std::optional<uint64_t> bytes) { size_limit = bytes.value_or(UINT64_MAX); }
uint64_t limit() {
  if (size_limit != UINT64_MAX) return size_limit;
  const std::string text = variable("PYASC_CACHE_LIMIT");
  if (text.empty()) return uint64_t(1) << 30;
  const std::optional<uint64_t> size = parse_size(text);
  if (!size)
    warn_once("C204", "PYASC_CACHE_LIMIT is '" + text + "', expected a number of bytes; the compile cache keeps 1 GiB",
              "write a number, with k, M or G after it for larger units: PYASC_CACHE_LIMIT=200M");
  return size.value_or(uint64_t(1) << 30);
}

std::string folder() {
  if (std::string set = variable("PYASC_CACHE_DIR"); !set.empty()) return set;
  std::string home = variable("PYASC_HOME");
  if (home.empty()) home = variable("HOME");
  return (home.empty() ? std::string(".") : home) + "/.pyasc/cache";
}

static fs::path path_of(const Digest &key) { return fs::path(folder()) / (key.hex() + std::string(kSuffix)); }

static void warn_once(std::string_view code, const std::string &message, const std::string &help) {
  static std::vector<std::string> *told = new std::vector<std::string>; // under the GIL
  if (std::find(told->begin(), told->end(), message) != told->end()) return;
  told->push_back(message);
  Diagnostic d;
  d.code = code;
  d.severity = Severity::Warning;
  d.message = message;
  d.help = help;
  warn({d});
}

// ---------------------------------------------------------------- payload

namespace {

struct Writer {
  std::string bytes;
  void number(uint64_t n) { bytes.append(reinterpret_cast<const char *>(&n), sizeof n); }
  void text(std::string_view s) {
    number(s.size());
    bytes += s;
  }
  void span(const Span &s) {
    text(s.file);
    for (uint64_t n : {s.line, s.column, s.end_line, s.end_column}) number(n);
  }
};

/// Reads what Writer wrote. The digest was checked, so a fault here means a file of another version: `ok` turns false and everything reads
/// as empty.
struct Reader {
  std::string_view bytes;
  bool ok = true;
  uint64_t number() {
    uint64_t n = 0;
    if (bytes.size() < sizeof n) return ok = false, 0;
    std::memcpy(&n, bytes.data(), sizeof n);
    bytes.remove_prefix(sizeof n);
    return n;
  }
  std::string text() {
    uint64_t size = number();
    if (size > bytes.size()) return ok = false, std::string();
    std::string s(bytes.substr(0, size));
    bytes.remove_prefix(size);
    return s;
  }
  Span span() {
    Span s;
    s.file = text();
    for (uint32_t *n : {&s.line, &s.column, &s.end_line, &s.end_column}) *n = uint32_t(number());
    return s;
  }
};

void write_parts(Writer &w, const KeyParts &parts) {
  w.number(parts.call.size() + parts.environment->size());
  for (const std::vector<Part> *list : {&parts.call, parts.environment.get()})
    for (const Part &part : *list) {
      w.text(part.name);
      w.text(part.shown);
      w.text(part.digest.view());
    }
}
std::vector<Part> read_parts(Reader &r) {
  std::vector<Part> parts;
  for (uint64_t count = r.number(); count > 0 && r.ok; --count) {
    Part part{r.text(), r.text(), {}};
    const std::string digest = r.text();
    if (digest.size() == sizeof part.digest.bytes) std::copy(digest.begin(), digest.end(), part.digest.bytes.begin());
    parts.push_back(std::move(part));
  }
  return parts;
}

std::string encode_entry(const Digest &key, std::string_view title, const KeyParts &parts, const CompiledKernel &kernel) {
  Writer w;
  w.text(key.view());
  w.text(build_id());
  w.text(title);
  write_parts(w, parts);
  w.text(kernel.ir);
  w.text(kernel.ascendc);
  w.text(kernel.binary);
  w.number(std::bit_cast<uint64_t>(kernel.milliseconds));
  w.number(kernel.inserted_sync.size());
  for (const std::string &line : kernel.inserted_sync) w.text(line);
  w.number(kernel.warnings.size());
  for (const Diagnostic &d : kernel.warnings) {
    w.text(d.code);
    w.text(d.message);
    w.text(d.help);
    w.span(d.span);
    w.number(d.notes.size());
    for (const Note &note : d.notes) {
      w.text(note.text);
      w.span(note.span);
    }
  }
  Writer file;
  file.bytes = kMagic;
  file.number(w.bytes.size());
  file.bytes += digest_of(w.bytes).view();
  file.bytes += w.bytes;
  return std::move(file.bytes);
}

/// What is between header and end, as it was written; else empty, with the reason.
std::string_view payload_of(std::string_view file, std::string &why) {
  if (file.size() < kHeader || !file.starts_with(kMagic)) return why = "it is not a cache entry", "";
  Reader header{file.substr(kMagic.size())};
  uint64_t length = header.number();
  std::string_view payload = file.substr(kHeader);
  if (length != payload.size()) return why = "its length is wrong", "";
  if (digest_of(payload).view() != file.substr(kHeader - sizeof(Digest), sizeof(Digest))) return why = "its digest does not match", "";
  return payload;
}

/// Throws DiagnosticError for a damaged program; returns null, with the reason, for a damaged or foreign file.
std::shared_ptr<const CompiledKernel> decode_entry(std::string_view file, const Digest &key, std::string &why) {
  Reader r{payload_of(file, why)};
  if (r.bytes.empty()) return nullptr;
  if (r.text() != key.view()) return why = "it belongs to another key", nullptr;
  if (r.text() != build_id()) return why = "another build of the compiler wrote it", nullptr;
  r.text(); // title
  read_parts(r);
  auto kernel = std::make_shared<CompiledKernel>();
  kernel->key = key.hex();
  kernel->ir = r.text();
  kernel->ascendc = r.text();
  kernel->binary = r.text();
  kernel->milliseconds = std::bit_cast<double>(r.number());
  for (uint64_t lines = r.number(); lines > 0 && r.ok; --lines) kernel->inserted_sync.push_back(r.text());
  uint64_t warnings = r.number();
  for (uint64_t i = 0; i < warnings && r.ok; ++i) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = r.text();
    d.message = r.text();
    d.help = r.text();
    d.span = r.span();
    uint64_t notes = r.number();
    for (uint64_t k = 0; k < notes && r.ok; ++k) {
      std::string text = r.text();
      d.notes.push_back({std::move(text), r.span()});
    }
    kernel->warnings.push_back(std::move(d));
  }
  if (!r.ok || !r.bytes.empty()) return why = "its content is not as this version writes it", nullptr;
  kernel->set_program(decode(kernel->binary));
  return kernel;
}

// ---------------------------------------------------------------- files

/// The whole file; false with errno.
bool read_file(const fs::path &path, std::string &bytes) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  bool ok = fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || (errno = EISDIR, false));
  if (ok) bytes.resize(size_t(status.st_size));
  for (size_t at = 0; ok && at < bytes.size();) {
    ssize_t n = read(file, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ok = false;
    if (n <= 0) {
      bytes.resize(at); // became shorter while being read: the digest will tell
      break;
    }
    at += size_t(n);
  }
  int failure = errno;
  close(file);
  errno = failure;
  return ok;
}

/// Writes a file under a name of its own and renames it: a reader sees all of it or nothing.
bool publish(const fs::path &path, std::string_view bytes) {
  static thread_local std::mt19937_64 random{std::random_device{}()};
  char unique[64];
  std::snprintf(unique, sizeof unique, ".tmp-%d-%016llx", int(getpid()), static_cast<unsigned long long>(random()));
  fs::path temporary = path.parent_path() / unique;
  int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return false;
  bool ok = true;
  for (size_t at = 0; ok && at < bytes.size();) {
    ssize_t n = write(file, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      ok = false;
    else
      at += size_t(n);
  }
  if (close(file) != 0) ok = false;
  if (ok && rename(temporary.c_str(), path.c_str()) == 0) return true;
  int failure = errno;
  unlink(temporary.c_str());
  errno = failure;
  return false;
}

struct EntryFile {
  fs::path path;
  uint64_t bytes;
  int64_t used; // seconds, last use
  bool temporary;
};
std::vector<EntryFile> entry_files() {
  std::vector<EntryFile> files;
  std::error_code failure;
  for (fs::directory_iterator at(folder(), failure), end; !failure && at != end; at.increment(failure)) {
    std::string name = at->path().filename();
    bool temporary = name.starts_with(".tmp-");
    struct stat status;
    if ((!temporary && !name.ends_with(kSuffix)) || stat(at->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    files.push_back({at->path(), uint64_t(status.st_size), int64_t(status.st_mtime), temporary});
  }
  return files;
}

/// Removes what a killed process left, and the least recently used entries until the folder is at four fifths of its cap.
void trim() {
  std::vector<EntryFile> files = entry_files();
  int64_t now = time(nullptr);
  uint64_t total = 0;
  for (const EntryFile &file : files) {
    if (file.temporary && file.used < now - 3600) unlink(file.path.c_str());
    if (!file.temporary) total += file.bytes;
  }
  if (total <= limit()) return;
  std::erase_if(files, [](const EntryFile &file) { return file.temporary; });
  std::sort(files.begin(), files.end(), [](const EntryFile &a, const EntryFile &b) { return a.used < b.used; });
  for (const EntryFile &file : files) {
    if (total <= limit() / 5 * 4) break;
    if (unlink(file.path.c_str()) == 0) total -= file.bytes;
  }
}

} // namespace

Found load(const Digest &key) {
  fs::path path = path_of(key);
  std::string bytes, why;
  if (!read_file(path, bytes)) {
    if (errno == ENOENT || errno == ENOTDIR) return {nullptr, "no entry on disk"};
    why = std::string("it cannot be read: ") + std::strerror(errno);
  } else {
    try {
      if (auto kernel = decode_entry(bytes, key, why)) {
        utimensat(AT_FDCWD, path.c_str(), nullptr,
                  0); // least recently used goes by modification time; a read-only folder just keeps its order
        return {kernel, ""};
      }
    } catch (const DiagnosticError &e) {
      why = e.what();
    }
  }
  warn_once("C201", "cache entry " + path.string() + " is not usable: " + why + "; the kernel is compiled again", "");
  return {nullptr, "the entry on disk is not usable: " + why};
}

std::string store(const Digest &key, std::string_view title, const KeyParts &parts, const CompiledKernel &kernel) {
  static std::atomic<unsigned> stored;
  std::error_code failure;
  fs::path path = path_of(key);
  fs::create_directories(path.parent_path(), failure);
  if (!publish(path, encode_entry(key, title, parts, kernel))) {
    const std::string why = "cannot write to the compile cache in " + folder() + ": " + std::strerror(errno);
    warn_once("C202", why + "; kernels are compiled again by each process", "set PYASC_CACHE_DIR to a folder that can be written");
    return why;
  }
  if (stored++ % 64 == 0) trim();
  return "";
}

std::string entry_file(const std::string &key) {
  const std::string path = folder() + "/" + key + std::string(kSuffix);
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

/// What people see of an entry.
static Entry read_entry(const EntryFile &file) {
  Entry entry{file.path.stem(), "", "", {}, file.bytes, file.used};
  std::string bytes;
  if (!read_file(file.path, bytes)) return entry.why_not = std::string("it cannot be read: ") + std::strerror(errno), entry;
  Reader r{payload_of(bytes, entry.why_not)};
  if (r.bytes.empty()) return entry;
  r.text(); // key
  if (r.text() != build_id()) entry.why_not = "another build of the compiler wrote it";
  entry.title = r.text();
  entry.parts = read_parts(r);
  if (!r.ok) entry.why_not = "its content is not as this version writes it";
  return entry;
}

static std::vector<EntryFile> newest_first() {
  std::vector<EntryFile> files = entry_files();
  std::erase_if(files, [](const EntryFile &file) { return file.temporary; });
  std::sort(files.begin(), files.end(),
            [](const EntryFile &a, const EntryFile &b) { return a.used != b.used ? a.used > b.used : a.path < b.path; });
  return files;
}

std::vector<Entry> entries() {
  std::vector<Entry> found;
  for (const EntryFile &file : newest_first()) found.push_back(read_entry(file));
  return found;
}

std::vector<std::vector<Part>> parts_of_entries(std::string_view title, const std::string &except_key) {
  constexpr size_t kMost = 2000; // files that are looked at
  std::vector<EntryFile> files = newest_first();
  std::vector<std::vector<Part>> found;
  for (size_t i = 0; i < std::min(files.size(), kMost); ++i) {
    if (files[i].path.stem() == except_key) continue;
    if (Entry entry = read_entry(files[i]); entry.title == title && !entry.parts.empty()) found.push_back(std::move(entry.parts));
  }
  return found;
}

Usage usage() {
  Usage total;
  for (const EntryFile &file : entry_files())
    if (!file.temporary) ++total.entries, total.bytes += file.bytes;
  return total;
}

Usage clear() {
  Usage total;
  for (const EntryFile &file : entry_files())
    if (unlink(file.path.c_str()) == 0 && !file.temporary) ++total.entries, total.bytes += file.bytes;
  return total;
}

// ---------------------------------------------------------------- build id

/// The linker's digest of this very library, so that every change of the compiler changes every key.
static std::string find_build_id() {
  std::string id;
  dl_iterate_phdr(
      [](dl_phdr_info *library, size_t, void *result) {
        auto here = reinterpret_cast<uintptr_t>(&find_build_id);
        bool ours = false;
        for (int i = 0; i < library->dlpi_phnum; ++i) {
          const auto &segment = library->dlpi_phdr[i];
          uintptr_t start = library->dlpi_addr + segment.p_vaddr;
          ours |= segment.p_type == PT_LOAD && here >= start && here < start + segment.p_memsz;
        }
        if (!ours) return 0;
        for (int i = 0; i < library->dlpi_phnum; ++i) {
          const auto &segment = library->dlpi_phdr[i];
          if (segment.p_type != PT_NOTE) continue;
          auto *at = reinterpret_cast<const char *>(library->dlpi_addr + segment.p_vaddr), *end = at + segment.p_memsz;
          while (at + sizeof(ElfW(Nhdr)) <= end) {
            auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
            const char *name = at + sizeof *note, *content = name + (note->n_namesz + 3) / 4 * 4;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
              static_cast<std::string *>(result)->assign(content, note->n_descsz);
            at = content + (note->n_descsz + 3) / 4 * 4;
          }
        }
        return 1;
      },
      &id);
  if (id.empty()) throw InternalError("this build of pyasc carries no build id (linker option --build-id)");
  return id;
}

const std::string &build_id() {
  static const std::string *id = new std::string(find_build_id());
  return *id;
}

} // namespace asc::cache
