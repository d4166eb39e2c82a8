// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See options.h.
#include "kernel_file/options.h"

#include "apis/numeric.h"
#include "diagnostics/choose_checks.h"
#include "diagnostics/closest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace asc::kernel_file {
namespace {

[[noreturn]] void refuse(std::string message, std::string help) {
  throw DiagnosticError({.code = "C307", .message = std::move(message), .help = std::move(help)});
}

// ---------------------------------------------------------------- numbers

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string range_of(DType dtype) {
  const unsigned bits = info(dtype).bytes * 8;
  const uint64_t most = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  if (!info(dtype).is_signed) return "0 to " + std::to_string(most);
  return "-" + std::to_string(most / 2 + 1) + " to " + std::to_string(most / 2);
}

/// The bits of a number as a type; nothing: it is none.
std::optional<uint64_t> bits_of(std::string_view text, DType dtype) {
  const DTypeInfo &type = info(dtype);
  const char *end = text.data() + text.size();
  if (dtype == DType::Bool) {
    if (text == "0" || text == "false" || text == "False") return 0;
    if (text == "1" || text == "true" || text == "True") return 1;
    return std::nullopt;
  }
  if (type.is_float) {
    double value;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    switch (dtype) {
    case DType::Float64: return std::bit_cast<uint64_t>(value);
    case DType::Float32: return std::bit_cast<uint32_t>(float(value));
    case DType::Float16: return float_to_half(to_odd_float(value));
    default: return float_to_bfloat16(to_odd_float(value));
    }
  }
  const unsigned unused = 64 - type.bytes * 8;
  if (type.is_signed) {
    const std::optional<int64_t> value = whole_number(text);
    if (!value || int64_t(uint64_t(*value) << unused) >> unused != *value) return std::nullopt;
    return uint64_t(*value);
  }
  uint64_t value;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value << unused >> unused != value) return std::nullopt;
  return value;
}

// ---------------------------------------------------------------- which options there are

/// `--name` or `--name VALUE`; `read` takes the value.
struct Option {
  std::string name, value, meaning;
  bool required = false;
  std::function<void(Options &, const std::string &)> read;
  std::vector<std::string> other_names = {};
};

size_t count(const KernelFile &file, bool (*has)(Role)) {
  return size_t(std::count_if(file.parameters.begin(), file.parameters.end(), [&](const Parameter &p) { return has(p.role); }));
}

std::string array_text(const Parameter &p) { return std::string(name(p.dtype)) + " " + shape_text(p); }

int64_t at_least(const std::string &option, const std::string &text, int64_t least, int64_t most) {
  const std::optional<int64_t> value = whole_number(text);
  if (!value || *value < least || *value > most)
    refuse(option + ": got '" + text + "', expected a number from " + std::to_string(least) + " to " + std::to_string(most),
           "write " + option + " " + std::to_string(least));
  return *value;
}

void read_checks(Options &options, const std::string &text) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const ChosenChecks chosen = choose_checks(words, true, "--check", "C307");
  options.request.checks = chosen.checks, options.request.adversarial = chosen.adversarial;
  options.request.complete &= chosen.outputs; // --partial-output may have come before
}

std::vector<Option> options_of(const Loaded &loaded) {
  const KernelFile &file = loaded.file;
  std::vector<Option> list;
  const bool one_input = count(file, is_read_from_file) == 1, one_output = count(file, is_written_to_file) == 1;
  for (const Parameter &p : file.parameters)
    if (is_read_from_file(p.role)) {
      Option option{input_option(p), "FILE", "reads " + p.name + ": " + array_text(p), true,
                    [&p](Options &o, const std::string &path) { o.inputs[p.name] = path; }};
      if (one_input) option.other_names = {"--input"};
      list.push_back(std::move(option));
    }
  for (const Parameter &p : file.parameters)
    if (is_written_to_file(p.role)) {
      Option option{output_option(file, p), "FILE", "writes " + p.name + ": " + array_text(p), true,
                    [&p](Options &o, const std::string &path) { o.outputs[p.name] = path; }};
      if (one_output) option.other_names = {"--output-" + p.name};
      list.push_back(std::move(option));
    }
  const std::vector<std::string> dimensions = file.dimensions();
  const auto is_dimension = [&](const std::string &name) {
    return std::find(dimensions.begin(), dimensions.end(), name) != dimensions.end();
  };
  for (const Parameter &p : file.parameters) {
    const bool constant = p.name.starts_with("."); // of a host function
    if (p.role != Role::Scalar || p.name == kCores || constant || is_dimension(p.name)) continue;
    std::string meaning(name(p.dtype));
    if (p.default_value) meaning += "; " + number_text(*p.default_value, p.dtype) + " unless given";
    if (p.number == kTotal) meaning += "; the elements of the first input unless given";
    if (p.number == kShare) meaning += "; the elements of the first input, divided among the cores, unless given";
    if (!p.number.empty() && p.number != kTotal && p.number != kShare) meaning += "; " + p.number + " unless given";
    const bool required = !p.default_value && p.number.empty();
    list.push_back({"--" + p.name, info(p.dtype).is_float ? "X" : "N", meaning, required, [&p](Options &o, const std::string &text) {
                      const std::optional<uint64_t> bits = bits_of(text, p.dtype);
                      if (!bits)
                        refuse("--" + p.name + ": got '" + text + "', expected a number of type " + std::string(name(p.dtype)),
                               info(p.dtype).is_float ? "write it as 0.5 or 1e-5" : "write a whole number from " + range_of(p.dtype));
                      o.request.scalars[p.name] = *bits;
                    }});
  }
  for (const std::string &d : dimensions)
    list.push_back({"--" + d, "N", "size of the dimension " + d + ", where the files do not tell it", false,
                    [d](Options &o, const std::string &text) { o.request.dimensions[d] = at_least("--" + d, text, 0, kMostElements); }});

  const uint32_t cores = file.cores ? file.cores : loaded.all_cores();
  list.push_back({"--cores", "N", "cores that the kernel may use; " + std::to_string(cores) + " unless given", false,
                  [](Options &o, const std::string &text) { o.request.cores = uint32_t(at_least("--cores", text, 1, 65535)); }});
  list.push_back(
      {"--check", "NAMES", "checks of the run, separated by commas: all (the default), none, or some of those below", false, read_checks});
  list.push_back({"--seed", "N", "of adversarial mode", false, [](Options &o, const std::string &text) {
                    o.request.seed = uint64_t(at_least("--seed", text, 0, std::numeric_limits<uint32_t>::max()));
                  }});
  list.push_back({"--partial-output", "", "elements that the kernel does not write are meant to be 0", false,
                  [](Options &o, const std::string &) { o.request.complete = false; }});
  list.push_back(
      {"--max-cycles", "N", "most simulated cycles of a core; 2^33 unless given", false,
       [](Options &o, const std::string &text) { o.request.cycle_limit = uint64_t(at_least("--max-cycles", text, 1, int64_t(1) << 62)); }});
  list.push_back({"--threads", "N", "threads of this machine; all unless given", false,
                  [](Options &o, const std::string &text) { o.request.threads = unsigned(at_least("--threads", text, 1, 65535)); }});
  list.push_back(
      {"--profile", "", "prints cycles, and what was moved", false, [](Options &o, const std::string &) { o.request.profile = true; }});
  list.push_back({"--json", "", "prints one JSON object instead of text", false, [](Options &o, const std::string &) { o.json = true; }});
  list.push_back(
      {"--info", "", "prints what this file holds, and runs nothing", false, [](Options &o, const std::string &) { o.info = true; }});
  list.push_back({"--help", "", "prints this page", false, [](Options &o, const std::string &) { o.help = true; }, {"-h"}});
  return list;
}

/// `--max_cycles` is `--max-cycles`.
std::string with_hyphens(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

const Option *find(const std::vector<Option> &options, const std::string &name) {
  const auto same = [&](const std::string &other) { return with_hyphens(other) == with_hyphens(name); };
  const auto at = std::find_if(options.begin(), options.end(), [&](const Option &option) {
    return same(option.name) || std::any_of(option.other_names.begin(), option.other_names.end(), same);
  });
  return at == options.end() ? nullptr : &*at;
}

[[noreturn]] void unknown(const std::vector<Option> &options, const std::string &word) {
  if (!word.starts_with("-")) refuse("got '" + word + "', expected an option", "options begin with --; --help lists them");
  std::vector<std::string_view> names;
  for (const Option &option : options) {
    names.push_back(option.name);
    for (const std::string &other : option.other_names)
      if (other.starts_with("--")) names.push_back(other);
  }
  const std::string near(closest(word, names));
  refuse("there is no option '" + word + "'", (near.empty() ? "" : "did you mean " + near + "? ") + "--help lists the options");
}

} // namespace

std::string number_text(uint64_t bits, DType dtype) {
  char text[32];
  const auto shown = [&](auto value) { return std::string(text, std::to_chars(text, text + sizeof text, value).ptr); };
  switch (dtype) {
  case DType::Float64: return shown(std::bit_cast<double>(bits));
  case DType::Float32: return shown(std::bit_cast<float>(uint32_t(bits)));
  case DType::Float16: return shown(half_to_float(uint16_t(bits)));
  case DType::BFloat16: return shown(bfloat16_to_float(uint16_t(bits)));
  default: return info(dtype).is_signed ? shown(int64_t(bits)) : shown(bits);
  }
}

std::string input_option(const Parameter &p) { return "--input-" + p.name; }
std::string output_option(const KernelFile &file, const Parameter &p) {
  return count(file, is_written_to_file) == 1 ? "--output" : "--output-" + p.name;
}

Options parse_options(const Loaded &loaded, std::span<const std::string> arguments) {
  const std::vector<Option> list = options_of(loaded);
  Options options;
  std::map<const Option *, std::string> given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const size_t equals = arguments[i].starts_with("--") ? arguments[i].find('=') : std::string::npos;
    const std::string name = arguments[i].substr(0, equals);
    const Option *option = find(list, name);
    if (!option) unknown(list, name);
    std::string value;
    if (option->value.empty()) {
      if (equals != std::string::npos) refuse(option->name + " takes no value", "write " + option->name);
    } else if (equals != std::string::npos) {
      value = arguments[i].substr(equals + 1);
    } else if (i + 1 < arguments.size()) {
      value = arguments[++i];
    } else {
      refuse(option->name + " has no value", "write " + option->name + " " + option->value);
    }
    if (!given.emplace(option, value).second) refuse(option->name + " is given twice", "give it once");
    option->read(options, value);
  }
  if (options.help || options.info) return options;
  if (given.contains(find(list, "--seed")) && !options.request.adversarial)
    refuse("--seed is of adversarial mode, which --check does not ask for", "write --check adversarial, or leave --seed out");
  std::string missing, wanted;
  for (const Option &option : list)
    if (option.required && !given.contains(&option)) {
      missing += (missing.empty() ? "" : ", ") + option.name;
      wanted += " " + option.name + " " + option.value;
    }
  if (!missing.empty()) refuse("missing: " + missing, "add" + wanted + "; --help explains the options");
  // Two outputs in one file would be one.
  for (auto a = options.outputs.begin(); a != options.outputs.end(); ++a)
    for (auto b = std::next(a); b != options.outputs.end(); ++b)
      if (real_path(a->second) == real_path(b->second) && !a->second.starts_with("/dev/"))
        refuse("outputs '" + a->first + "' and '" + b->first + "' go to the same file " + a->second, "give each a file of its own");
  return options;
}

std::string help_page(const Loaded &loaded, const std::string &command) {
  const KernelFile &file = loaded.file;
  const std::vector<Option> list = options_of(loaded);
  std::string page = file.name + (file.summary.empty() ? "" : ": " + file.summary) + "\n\nusage: " + command;
  size_t width = 0;
  for (const Option &option : list) {
    width = std::max(width, option.name.size() + (option.value.empty() ? 0 : 1) + option.value.size());
    if (option.required) page += " " + option.name + " " + option.value;
  }
  page += " [options]\n";
  const auto rows = [&](const char *title, auto &&chosen) {
    std::string rows;
    for (const Option &option : list) {
      if (!chosen(option)) continue;
      std::string head = "  " + option.name + (option.value.empty() ? "" : " " + option.value);
      head.resize(std::max(width + 4, head.size() + 2), ' ');
      rows += head + option.meaning + "\n";
    }
    if (!rows.empty()) page += std::string("\n") + title + "\n" + rows;
  };
  rows("needed:", [](const Option &option) { return option.required; });
  rows("options:", [](const Option &option) { return !option.required; });
  page += "\nChecks: adversarial, outputs";
  for (const CheckInfo &check : check_infos()) page += ", " + std::string(check.name);
  page += "\nFiles that end in .npy are NumPy's, all others are raw binary, little-endian, in C order.\n";
  if (std::any_of(file.parameters.begin(), file.parameters.end(), [](const Parameter &p) { return p.common; }))
    page += "Arrays of the shape (...) have the same number of elements; an output has the shape of the first input.\n";
  return page + "Status: 0 all is well, 1 the checks found something, 2 the call or a file is not as it must be, 130 interrupted.\n"
                "Outputs are written when all is well, as a whole, and not at all otherwise.\n";
}

} // namespace asc::kernel_file
