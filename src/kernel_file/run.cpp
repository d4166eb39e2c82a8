// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See run.h.
#include "kernel_file/run.h"

#include "observers/checkers.h"
#include "observers/coverage.h"
#include "sim/findings.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

namespace asc::kernel_file {
namespace {

using std::to_string;

[[noreturn]] void fail(const char *code, std::string message, std::string help) {
  throw DiagnosticError({.code = code, .message = std::move(message), .help = std::move(help)});
}

// ---------------------------------------------------------------- numbers

/// Finds what the names of dimensions stand for from the sizes of the arrays.
class Sizes {
public:
  Sizes(const KernelFile &file, const Request &request) : file_(file), request_(request), numbers_(request.dimensions) {
    std::vector<const Parameter *> open;
    for (const Parameter &p : file.parameters)
      if (is_read_from_file(p.role)) open.push_back(&p);
    // Those whose file tells the shape come first, then any that has one unknown left.
    for (const Parameter *p : open)
      if (array(*p).has_shape) dimensions_of(*p);
    for (size_t before = SIZE_MAX; open.size() < before;) {
      before = open.size();
      std::erase_if(open, [&](const Parameter *p) { return settle(*p); });
    }
    if (open.empty()) return;
    const Parameter &p = *open.front();
    const Dimension *unknown = nullptr;
    for (const Dimension &d : p.shape)
      if (!d.name.empty() && !numbers_.contains(d.name)) unknown = &d;
    fail("C305",
         "input '" + p.name + "' of kernel '" + file.name + "': " + to_string(elements(p)) + " elements do not tell its shape " +
             shape_text(p),
         unknown ? "give --" + unknown->name + " N, or an .npy file" : "give an .npy file");
  }

  Numbers numbers() const { return numbers_; }

  std::vector<int64_t> shape_of(const Parameter &p) const {
    std::vector<int64_t> shape;
    if (p.common) shape = common_ < 0 ? std::vector{common_} : common_shape_;
    for (const Dimension &d : p.shape) shape.push_back(size_of(d));
    return shape;
  }
  /// Asked after the tiling rule.
  void take(const Numbers &numbers) { numbers_ = numbers; }

private:
  const Array &array(const Parameter &p) const { return request_.inputs.at(p.name); }
  int64_t elements(const Parameter &p) const { return elements_of(array(p).shape); }

  int64_t size_of(const Dimension &d) const {
    if (d.name.empty()) return d.size;
    const auto at = numbers_.find(d.name);
    return at == numbers_.end() ? -1 : at->second;
  }

  [[noreturn]] void refuse(const Parameter &p, const std::string &got, const std::string &expected) const {
    fail("C305", "input '" + p.name + "' of kernel '" + file_.name + "': got " + got + ", expected " + expected,
         "give an array of that size; sizes are fixed, or named, by --shape when the kernel is compiled");
  }

  void bind(const Parameter &p, const Dimension &d, int64_t size) {
    const int64_t known = size_of(d);
    if (known >= 0 && known != size)
      refuse(p, "shape " + shape_text(array(p).shape),
             (d.name.empty() ? to_string(d.size) : d.name + " = " + to_string(known)) + " where it has " + to_string(size));
    if (known < 0) numbers_[d.name] = size;
  }
  void bind_common(const Parameter &p, std::vector<int64_t> shape) {
    const int64_t size = elements_of(shape);
    if (common_ >= 0 && common_ != size) differs(p, p.shape.empty() ? common_ : elements(p) / std::max<int64_t>(1, size) * common_);
    if (common_ >= 0) return;
    common_ = size, first_common_ = p.name, common_shape_ = std::move(shape);
  }
  [[noreturn]] void differs(const Parameter &p, int64_t expected) const {
    const std::string as = p.shape.empty() ? ", as '" + first_common_ + "' has them" : " for shape " + shape_text(p);
    refuse(p, to_string(elements(p)) + " elements", to_string(expected) + as);
  }

  void dimensions_of(const Parameter &p) {
    const std::vector<int64_t> &shape = array(p).shape;
    const size_t own = p.shape.size();
    if (shape.size() < own || (!p.common && shape.size() > own)) refuse(p, "shape " + shape_text(shape), shape_text(p));
    const size_t leading = shape.size() - own;
    for (size_t i = 0; i < own; ++i) bind(p, p.shape[i], shape[leading + i]);
    if (p.common) bind_common(p, {shape.begin(), shape.begin() + std::ptrdiff_t(leading)});
  }

  /// Whether the shape is known, or can be found since only one size is not.
  bool settle(const Parameter &p) {
    if (array(p).has_shape) return true;
    const int64_t all = elements(p);
    int64_t product = 1;
    unsigned unknown = p.common && common_ < 0;
    const Dimension *which = nullptr;
    if (p.common && common_ >= 0) product = common_;
    for (const Dimension &d : p.shape) {
      const int64_t size = size_of(d);
      if (size < 0) {
        if (!which || which->name != d.name) ++unknown;
        if (which && which->name == d.name) return false; // a square of unknown size
        which = &d;
      } else if (__builtin_mul_overflow(product, size, &product)) {
        refuse(p, to_string(all) + " elements", "more than an array can have");
      }
    }
    if (unknown > 1 || (unknown == 1 && product == 0)) return false;
    if (unknown == 0 && all != product) differs(p, product);
    if (unknown == 1 && all % product != 0)
      refuse(p, to_string(all) + " elements", "a multiple of " + to_string(product) + " for shape " + shape_text(p));
    if (which)
      numbers_[which->name] = all / product;
    else if (unknown)
      bind_common(p, {all / product});
    return true;
  }

  const KernelFile &file_;
  const Request &request_;
  Numbers numbers_;
  int64_t common_ = -1; // elements of the shared dimensions
  std::vector<int64_t> common_shape_;
  std::string first_common_;
};

uint64_t bits_of(int64_t value, DType dtype, const std::string &what) {
  const DTypeInfo &type = info(dtype);
  const unsigned bits = dtype == DType::Bool ? 1 : type.bytes * 8;
  const bool fits = type.is_signed ? bits == 64 || (value >= -(int64_t(1) << (bits - 1)) && value < int64_t(1) << (bits - 1))
                                   : value >= 0 && (bits == 64 || value < int64_t(1) << bits);
  if (!fits)
    fail("C305", what + " is " + to_string(value) + ", which is no " + std::string(type.name),
         "use smaller arrays, or compile the kernel with --dtype and a wider type for it");
  return uint64_t(value);
}

class Run {
public:
  Run(const Loaded &loaded, Request &request)
      : loaded_(loaded), file_(loaded.file), request_(request), sizes_(file_, request), numbers_(sizes_.numbers()) {
    basics();
    scalars();
    if (loaded.rule) rule();
    sizes_.take(numbers_);
    allocate();
  }

  Response result() {
    for (size_t i = 0; i < file_.steps.size() && response_.good(); ++i) step(i);
    if (response_.good() && request_.complete) whole_outputs();
    for (const Parameter &p : file_.parameters)
      if (is_written_to_file(p.role) && response_.good()) response_.outputs[p.name] = std::move(arrays_.at(p.name));
    return std::move(response_);
  }

private:
  int64_t number(const std::string &name) {
    if (const auto at = numbers_.find(name); at != numbers_.end()) return at->second;
    if (name == kShare) {
      const int64_t total = numbers_.at(std::string(kTotal)), cores = numbers_.at(std::string(kCores));
      if (total % cores != 0)
        fail("C305",
             to_string(total) + " elements do not divide evenly among " + to_string(cores) + " cores, and kernel '" + file_.name +
                 "' takes the elements of a core as a parameter",
             "choose another --cores, or arrays of a multiple of " + to_string(cores) + " elements");
      return total / cores;
    }
    throw InternalError("kernel file '" + file_.name + "' uses the unknown number '" + name + "'");
  }

  void basics() {
    int64_t total = 0;
    for (const Parameter &p : file_.parameters)
      if (is_read_from_file(p.role)) {
        total = elements_of(request_.inputs.at(p.name).shape);
        break;
      }
    numbers_.emplace(kTotal, total);
    const uint32_t cores = request_.cores ? request_.cores : file_.cores ? file_.cores : loaded_.all_cores();
    numbers_.emplace(kCores, cores);
    if (const auto row = numbers_.find("row"); row != numbers_.end()) numbers_.emplace(kRows, total / std::max<int64_t>(1, row->second));
  }

  void scalars() {
    for (const Parameter &p : file_.parameters) {
      if (p.role != Role::Scalar) continue;
      uint64_t bits = 0;
      if (const auto given = request_.scalars.find(p.name); given != request_.scalars.end())
        bits = given->second;
      else if (p.default_value)
        bits = *p.default_value;
      else if (!p.number.empty())
        bits = bits_of(number(p.number), p.dtype, "'" + p.name + "' of kernel '" + file_.name + "'");
      else
        throw InternalError("no value for '" + p.name + "'");
      scalars_[p.name] = bits;
      if (!info(p.dtype).is_float) numbers_.try_emplace(p.name, int64_t(bits)); // a number of the run keeps its name to itself
    }
  }

  void rule() {
    std::vector<int64_t> facts, results(file_.rule->results.size());
    for (const std::string &fact : file_.rule->facts) {
      const auto own = scalars_.find(fact);
      facts.push_back(own == scalars_.end() ? number(fact) : int64_t(own->second));
    }
    facts.resize(std::max<size_t>(facts.size(), 1)), results.resize(std::max<size_t>(results.size(), 1));
    const sim::Window windows[] = {{reinterpret_cast<std::byte *>(facts.data()), facts.size() * 8, true, "facts"},
                                   {reinterpret_cast<std::byte *>(results.data()), results.size() * 8, false, "results"}};
    const uint64_t arguments[] = {Address(Memory::GM, 0, 0).word, Address(Memory::GM, 1, 0).word};
    sim::LaunchOptions options;
    options.cycle_limit = kRuleCycles;
    options.interrupt = request_.interrupt;
    const sim::LaunchResult result = sim::launch(*loaded_.rule, arguments, windows, options);
    const auto error = std::find_if(result.findings.begin(), result.findings.end(), [](const sim::Finding &f) { return !f.warning; });
    if (error != result.findings.end()) refused(*error);
    for (size_t i = 0; i < file_.rule->results.size(); ++i) numbers_[file_.rule->results[i]] = results[i];
  }

  /// An assertion of the rule is its reason, in the words of who wrote it.
  [[noreturn]] void refused(const sim::Finding &finding) {
    constexpr std::string_view kAssertion = "assertion failed: ";
    std::string reason = finding.message;
    if (reason.starts_with(kAssertion)) reason.erase(0, kAssertion.size());
    Diagnostic d = to_diagnostics(sim::program_of(*loaded_.rule), {finding}).front();
    d.code = "C305", d.message = "kernel '" + file_.name + "' cannot serve this call: " + reason;
    d.help = "give other arrays or options";
    d.places.clear();
    // Who calls the rule is the program around it, and in host functions what they were made into: no lines that the user has.
    const auto is_made = [](const Span &span) { return span.file.starts_with('<'); };
    if (!d.notes.empty()) d.notes.pop_back();
    std::erase_if(d.notes, [&](const Note &note) { return is_made(note.span); });
    if (is_made(d.span))
      d.span = {};
    else
      d.help += "; the place is in the tiling rule of the kernel";
    throw DiagnosticError(std::move(d));
  }

  void allocate() {
    for (const Parameter &p : file_.parameters) {
      if (p.role == Role::Scalar) continue;
      if (is_read_from_file(p.role)) {
        arrays_[p.name] = std::move(request_.inputs.at(p.name));
        continue;
      }
      const std::vector<int64_t> shape = sizes_.shape_of(p);
      const bool known = std::all_of(shape.begin(), shape.end(), [](int64_t size) { return size >= 0; });
      const int64_t elements = known ? elements_of(shape) : -1;
      if (elements < 0 || elements > kMostElements)
        fail("C305",
             "array '" + p.name + "' of kernel '" + file_.name + "' would have the shape " + shape_text(shape) + ", which no array has",
             "give other arrays or options");
      arrays_[p.name] = {Buffer(uint64_t(elements) * size_of(p.dtype)), shape, true};
    }
  }

  uint32_t blocks_of(size_t i) {
    const int64_t blocks = number(file_.steps[i].blocks);
    const int64_t most = 65535 / cores(info(sim::program_of(*loaded_.steps[i]).type));
    if (blocks < 1 || blocks > most)
      fail("C305", "kernel '" + file_.name + "' would run on " + to_string(blocks) + " cores, expected 1 to " + to_string(most),
           "give other arrays, or another --cores");
    return uint32_t(blocks);
  }

  void step(size_t i) {
    const sim::Executable &executable = *loaded_.steps[i];
    const Program &program = sim::program_of(executable);
    std::vector<sim::Window> windows;
    std::vector<uint64_t> words;
    std::map<std::string_view, uint32_t> window_of;
    Launched launched{&program, blocks_of(i), {}, {}};
    for (size_t n = 0; n < program.params.size(); ++n) {
      const Param &param = program.params[n];
      const std::string &name = file_.steps[i].arguments[n];
      if (param.kind == ParamKind::Scalar) {
        const auto scalar = scalars_.find(name);
        const Parameter *p = scalar == scalars_.end() ? nullptr : file_.find(name);
        words.push_back(p && p->dtype == param.dtype ? scalar->second
                                                     : bits_of(number(name), param.dtype, "'" + name + "' of kernel '" + file_.name + "'"));
        continue;
      }
      const auto [at, added] = window_of.try_emplace(name, uint32_t(windows.size()));
      const Buffer &bytes = arrays_.at(name).bytes;
      if (added) windows.push_back({bytes.data(), bytes.size(), file_.find(name)->role == Role::Input, param.name});
      words.push_back(Address(Memory::GM, at->second, 0).word);
      if (param.reads) launched.least_read += bytes.size();
      if (param.writes) launched.least_written += bytes.size();
    }

    std::vector<std::unique_ptr<sim::Observer>> own = make_checkers(request_.checks & useful_checks(program));
    Coverage coverage;
    std::vector<sim::Observer *> observers;
    for (auto &observer : own) observers.push_back(observer.get());
    if (request_.complete) observers.push_back(&coverage);
    Progress progress(request_.progress, launched.blocks);
    if (request_.progress) observers.push_back(&progress);

    sim::LaunchOptions options;
    options.blocks = launched.blocks;
    options.checks = request_.checks;
    options.threads = request_.threads;
    if (request_.cycle_limit) options.cycle_limit = request_.cycle_limit;
    options.interrupt = request_.interrupt;
    options.observers = observers;
    options.adversarial = request_.adversarial, options.seed = request_.seed;
    options.data_cache = file_.steps[i].data_cache;
    if (request_.profile) options.cores = &launched.cores;
    launched.result = sim::launch(executable, words, windows, options);
    if (request_.complete)
      for (const auto &[name, window] : window_of) coverage.add_to(covered_[std::string(name)], window);
    response_.printed += launched.result.printed;
    response_.interrupted = launched.result.interrupted;
    std::vector<Diagnostic> found = to_diagnostics(program, launched.result.findings);
    for (Diagnostic &d : found)
      if (d.code == "M204") d.help = "look for a loop that never ends; for a long kernel raise the limit: --max-cycles N";
    // Errors come first, so those of a later launch go before the warnings of an earlier one.
    const bool errors = !found.empty() && found.front().severity == Severity::Error;
    response_.findings.insert(errors ? response_.findings.begin() : response_.findings.end(), found.begin(), found.end());
    response_.launches.push_back(std::move(launched));
  }

  /// A kernel that leaves out a part of its output, such as a tail shorter than a tile, has not done what the file promises.
  void whole_outputs() {
    for (const Parameter &p : file_.parameters) {
      if (p.role != Role::Output) continue;
      const Array &array = arrays_.at(p.name);
      const Gap gap = gap_in(covered_[p.name], array.bytes.size());
      if (gap.bytes == 0) continue;
      const uint64_t element = size_of(p.dtype);
      Diagnostic d;
      d.code = "C306";
      d.message = "kernel '" + file_.name + "' did not write " + to_string((gap.bytes + element - 1) / element) + " of the " +
                  to_string(elements_of(array.shape)) + " elements of output '" + p.name + "', from element " +
                  to_string(gap.begin / element) + " on";
      d.help = "the kernel does not serve this size: use other sizes or another --cores, or have it work on the tail; "
               "if the rest is meant to be 0, say --partial-output";
      response_.findings.insert(response_.findings.begin(), std::move(d));
    }
  }

  struct Progress final : sim::Observer {
    Progress(const std::function<void(uint32_t, uint32_t)> &tell, uint32_t blocks) : tell_(tell), blocks_(blocks) {}
    std::unique_ptr<sim::BlockObserver> block(const sim::BlockInfo &, sim::Report &) override { return std::make_unique<Block>(*this); }

  private:
    struct Block final : sim::BlockObserver {
      explicit Block(Progress &all) : all_(all) {}
      bool follows_order() const override { return false; }
      void end(uint64_t) override { all_.tell_(++all_.done_, all_.blocks_); }
      Progress &all_;
    };
    const std::function<void(uint32_t, uint32_t)> &tell_;
    const uint32_t blocks_;
    std::atomic<uint32_t> done_ = 0;
  };

  static constexpr uint64_t kRuleCycles = 1'000'000;

  const Loaded &loaded_;
  const KernelFile &file_;
  Request &request_;
  Sizes sizes_;
  Numbers numbers_;
  std::map<std::string, uint64_t, std::less<>> scalars_;
  std::map<std::string, Array, std::less<>> arrays_;
  std::map<std::string, IntervalMap, std::less<>> covered_; // bytes of the arrays that the launches have written
  Response response_;
};

} // namespace

Response run(const Loaded &loaded, Request request) { return Run(loaded, request).result(); }

} // namespace asc::kernel_file
