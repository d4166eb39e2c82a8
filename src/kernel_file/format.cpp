// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See format.h. Little-endian; every list and text has its size in front, and is short: sizes beyond these limits are damage.
#include "kernel_file/format.h"

#include "diagnostics/diagnostic.h"
#include "isa/codec.h"
#include "kernel_file/sha256.h"
#include "sim/hardware.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace asc::kernel_file {
namespace {

constexpr std::string_view kMagic = "PYASCKRN";
constexpr uint32_t kVersion = 2;
constexpr size_t kTrailer = 8 + sizeof(Digest) + kMagic.size();
constexpr size_t kMostParameters = 256, kMostDimensions = 8, kMostNumbers = 256, kMostSteps = 256;

[[noreturn]] void damaged(const std::string &what) {
  throw DiagnosticError(
      {.code = "C301", .message = "not a usable .kernel file: " + what, .help = "copy the file again, or compile the kernel again"});
}

// ---------------------------------------------------------------- bytes

struct Writer {
  std::string out;
  template <class T> void put(T value) { out.append(reinterpret_cast<const char *>(&value), sizeof value); }
  void text(std::string_view s) { put(uint32_t(s.size())), out.append(s); }
  template <class T, class Fn> void list(const std::vector<T> &items, Fn &&write) {
    put(uint32_t(items.size()));
    for (const T &item : items) write(item);
  }
  void texts(const std::vector<std::string> &items) {
    list(items, [this](const std::string &item) { text(item); });
  }
};

struct Reader {
  std::string_view in;
  template <class T> T get() {
    T value;
    if (in.size() < sizeof value) damaged("its payload ends too early");
    std::memcpy(&value, in.data(), sizeof value);
    in.remove_prefix(sizeof value);
    return value;
  }
  bool flag() {
    const uint8_t value = get<uint8_t>();
    if (value > 1) damaged("a flag is " + std::to_string(value));
    return value;
  }
  std::string text() {
    const size_t size = get<uint32_t>();
    if (size > in.size()) damaged("a text is longer than the payload");
    std::string s(in.substr(0, size));
    in.remove_prefix(size);
    return s;
  }
  template <class Fn> auto list(size_t most, Fn &&read) {
    const size_t size = get<uint32_t>();
    if (size > most) damaged("a list has " + std::to_string(size) + " entries");
    std::vector<decltype(read())> items;
    for (size_t i = 0; i < size; ++i) items.push_back(read());
    return items;
  }
  std::vector<std::string> texts(size_t most) {
    return list(most, [this] { return text(); });
  }
};

KernelFile decode(std::string_view payload) {
  Reader r{payload};
  if (const uint32_t version = r.get<uint32_t>(); version != kVersion)
    throw DiagnosticError(
        {.code = "C102",
         .message = ".kernel file of another version: file format " + std::to_string(version) + ", this is " + std::to_string(kVersion),
         .help = "compile the kernel again with this version"});
  KernelFile file;
  file.name = r.text(), file.summary = r.text(), file.producer = r.text();
  file.cores = r.get<uint32_t>();
  file.parameters = r.list(kMostParameters, [&] {
    Parameter p;
    p.name = r.text(), p.role = r.get<Role>(), p.dtype = r.get<DType>(), p.common = r.flag();
    p.shape = r.list(kMostDimensions, [&] { return Dimension{r.text(), r.get<int64_t>()}; });
    p.number = r.text();
    if (r.flag()) p.default_value = r.get<uint64_t>();
    return p;
  });
  if (r.flag()) {
    Rule &rule = file.rule.emplace();
    rule.program = r.text(), rule.facts = r.texts(kMostNumbers), rule.results = r.texts(kMostNumbers);
  }
  file.steps = r.list(kMostSteps, [&] { return Step{r.text(), r.text(), r.texts(kMostParameters), r.flag()}; });
  if (!r.in.empty()) damaged("bytes are left over in its payload");
  return file;
}

// ---------------------------------------------------------------- meaning

/// Checks that every name that is used is known by then, and that programs and parameters agree.
struct Validator {
  const KernelFile &file;
  std::set<std::string, std::less<>> numbers = {std::string(kTotal), std::string(kCores), std::string(kShare)};

  [[noreturn]] void bad(const std::string &what) const { damaged("kernel '" + file.name + "': " + what); }
  void known(const std::string &number, const std::string &user) const {
    if (!numbers.contains(number)) bad(user + " is made of '" + number + "', which is no number");
  }

  void parameters() {
    std::set<std::string_view> names;
    for (const Parameter &p : file.parameters) {
      if (p.name.empty() || !names.insert(p.name).second) bad("two parameters have the name '" + p.name + "'");
      if (unsigned(p.role) >= kRoles || unsigned(p.dtype) >= kDTypes || p.dtype == DType::Void) bad("role or type of '" + p.name + "'");
      if (p.role == Role::Scalar && (p.common || !p.shape.empty())) bad("'" + p.name + "' has a shape");
      if (p.role == Role::Scalar ? !p.number.empty() && p.default_value : !p.number.empty() || p.default_value)
        bad("default of '" + p.name + "'");
      for (const Dimension &d : p.shape) {
        if (d.size < 0 || d.size > kMostElements || (!d.name.empty() && d.size != 0)) bad("shape of '" + p.name + "'");
        if (d.name == kTotal || d.name == kCores || d.name == kShare) bad("a dimension has the name '" + d.name + "'");
        if (is_read_from_file(p.role) && !d.name.empty()) numbers.insert(d.name);
      }
    }
    if (numbers.contains("row")) numbers.emplace(kRows);
  }

  void scalars() {
    for (const Parameter &p : file.parameters) {
      if (p.role != Role::Scalar || info(p.dtype).is_float) continue;
      if (!p.number.empty()) known(p.number, "parameter '" + p.name + "'");
      numbers.insert(p.name);
    }
  }

  void rule(const Program &program) {
    const Rule &rule = *file.rule;
    const auto is_list = [](const Param &p) { return p.kind == ParamKind::Address && p.dtype == DType::Int64; };
    if (program.params.size() != 2 || !is_list(program.params[0]) || !is_list(program.params[1]) || program.params[0].writes)
      bad("the tiling rule takes other parameters than facts and results");
    for (const std::string &fact : rule.facts) known(fact, "the tiling rule");
    for (const std::string &result : rule.results)
      if (!numbers.insert(result).second) bad("result '" + result + "' of the tiling rule is known without it");
  }

  void step(const Step &step, const Program &program) {
    if (program.params.size() != step.arguments.size()) bad("number of arguments of '" + program.name + "'");
    known(step.blocks, "the number of blocks");
    for (size_t i = 0; i < step.arguments.size(); ++i) {
      const Param &wanted = program.params[i];
      const Parameter *given = file.find(step.arguments[i]);
      const std::string what = "argument '" + step.arguments[i] + "' of '" + program.name + "'";
      if (wanted.kind == ParamKind::Address) {
        if (!given || given->role == Role::Scalar || given->dtype != wanted.dtype) bad(what + " is no array of its type");
        if (wanted.writes && given->role == Role::Input) bad(what + " is written, and an input");
      } else if (given ? given->role != Role::Scalar : info(wanted.dtype).is_float) {
        bad(what + " is no scalar of its type");
      } else if (given && given->dtype != wanted.dtype && (info(given->dtype).is_float || info(wanted.dtype).is_float)) {
        bad(what + " is no scalar of its type");
      } else if (!given) {
        known(step.arguments[i], what);
      }
    }
  }

  void outputs() {
    for (const Parameter &p : file.parameters)
      for (const Dimension &d : p.shape)
        if (!d.name.empty()) known(d.name, "the shape of '" + p.name + "'");
  }
};

} // namespace

std::vector<std::string> sizes_of(const Parameter &p) {
  std::vector<std::string> sizes;
  if (p.common) sizes.push_back("...");
  for (const Dimension &d : p.shape) sizes.push_back(d.name.empty() ? std::to_string(d.size) : d.name);
  return sizes;
}

std::string shape_text(const Parameter &p) {
  std::string text;
  for (const std::string &size : sizes_of(p)) text += (text.empty() ? "" : ", ") + size;
  return "(" + text + ")";
}

const Parameter *KernelFile::find(std::string_view wanted) const {
  const auto at = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter &p) { return p.name == wanted; });
  return at == parameters.end() ? nullptr : &*at;
}

std::vector<std::string> KernelFile::dimensions() const {
  std::vector<std::string> names;
  for (const Parameter &p : parameters)
    for (const Dimension &d : p.shape)
      if (is_read_from_file(p.role) && !d.name.empty() && std::find(names.begin(), names.end(), d.name) == names.end())
        names.push_back(d.name);
  return names;
}

uint32_t cores_of_chip(const Program &program) {
  const KernelTypeInfo &type = info(program.type);
  const uint32_t vector_cores = sim::find_chip(program.target)->vector_cores;
  return type.aics == 0 ? vector_cores : vector_cores / sim::kVectorCoresPerCube;
}

std::string encode(const KernelFile &file) {
  Writer w;
  w.put(kVersion);
  w.text(file.name), w.text(file.summary), w.text(file.producer);
  w.put(file.cores);
  w.list(file.parameters, [&](const Parameter &p) {
    w.text(p.name), w.put(p.role), w.put(p.dtype), w.put(uint8_t(p.common));
    w.list(p.shape, [&](const Dimension &d) { w.text(d.name), w.put(d.size); });
    w.text(p.number), w.put(uint8_t(p.default_value.has_value()));
    if (p.default_value) w.put(*p.default_value);
  });
  w.put(uint8_t(file.rule.has_value()));
  if (file.rule) w.text(file.rule->program), w.texts(file.rule->facts), w.texts(file.rule->results);
  w.list(file.steps,
         [&](const Step &step) { w.text(step.program), w.text(step.blocks), w.texts(step.arguments), w.put(uint8_t(step.data_cache)); });
  return std::move(w.out);
}

Loaded load(std::string_view payload) {
  Loaded loaded{decode(payload), {}, {}};
  const KernelFile &file = loaded.file;
  Validator validator{file};
  validator.parameters(), validator.scalars();
  if (file.rule) {
    loaded.rule = sim::prepare(asc::decode(file.rule->program));
    validator.rule(sim::program_of(*loaded.rule));
  }
  if (file.steps.empty()) damaged("nothing to run");
  for (const Step &step : file.steps) {
    loaded.steps.push_back(sim::prepare(asc::decode(step.program)));
    validator.step(step, sim::program_of(*loaded.steps.back()));
  }
  validator.outputs();
  return loaded;
}

// ---------------------------------------------------------------- the file

static Digest digest_of(std::string_view file) {
  return sha256({file.substr(0, file.size() - kTrailer + 8), file.substr(file.size() - kMagic.size())});
}

std::string attach(std::string_view runner, std::string_view payload) {
  std::string file;
  file.reserve(runner.size() + payload.size() + kTrailer);
  file.append(runner).append(payload);
  const uint64_t length = payload.size();
  file.append(reinterpret_cast<const char *>(&length), 8).append(sizeof(Digest), '\0').append(kMagic);
  const Digest digest = digest_of(file);
  std::memcpy(file.data() + file.size() - kTrailer + 8, digest.data(), digest.size());
  return file;
}

std::string_view detach(std::string_view file) {
  if (file.size() < kTrailer || !file.ends_with(kMagic)) damaged("its end is missing");
  const std::string_view trailer = file.substr(file.size() - kTrailer);
  const Digest digest = digest_of(file);
  if (std::memcmp(digest.data(), trailer.data() + 8, digest.size()) != 0) damaged("its digest does not match its content");
  uint64_t length;
  std::memcpy(&length, trailer.data(), 8);
  if (length > file.size() - kTrailer) damaged("its payload is longer than the file");
  return file.substr(file.size() - kTrailer - length, length);
}

} // namespace asc::kernel_file
