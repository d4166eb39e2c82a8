// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The look-up, fast where nothing changed.
#include "runtime/lookup.h"

#include "frontend/debug_table.h"
#include "frontend/structures.h"
#include "frontend/values.h"
#include "runtime/cache.h"
#include "runtime/explain.h"
#include "runtime/raise.h"

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <cstdlib>

namespace nb = nanobind;

namespace asc {

// ---------------------------------------------------------------- targets

/// Targets by number, so that a look-up compares a number. Guarded by the GIL.
static std::vector<std::string> &targets() {
  static auto *list = new std::vector<std::string>{"Ascend910B1"};
  return *list;
}
static size_t target_number = 0;

const std::string &current_target() { return targets()[target_number]; }
void set_current_target(std::string name) {
  auto &list = targets();
  auto at = std::find(list.begin(), list.end(), name);
  target_number = size_t(at - list.begin());
  if (at == list.end()) list.push_back(std::move(name));
}

// ---------------------------------------------------------------- arguments to parameters

namespace {

std::string plural(size_t n, const char *noun) { return std::to_string(n) + " " + noun + (n == 1 ? "" : "s"); }

/// The parameters of a kernel; those with a default end in "=...".
std::string signature_help(const FunctionState &f) {
  std::string list;
  for (const auto &parameter : f.parameters)
    list += (list.empty() ? "" : ", ") + parameter.text + (parameter.default_value.get() ? "=..." : "");
  return "its parameters are: " + (list.empty() ? "none" : list);
}

} // namespace

void arrange(const FunctionState &f, PyObject *const *args, size_t count, PyObject *keywords, LaunchArguments &call, Ref &extra) {
  auto &objects = call.objects;
  if (!f.problem.empty()) throw error("K114", f.problem, f.problem_help);
  size_t size = f.parameters.size();
  objects.assign(size, nullptr);
  size_t positional = size;
  while (positional && f.parameters[positional - 1].keyword_only) --positional;
  if (count > positional)
    throw error("K111", "kernel '" + f.name + "' takes " + plural(positional, "positional argument") + ", got " + std::to_string(count),
                signature_help(f));
  std::copy_n(args, count, objects.begin());
  for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
    PyObject *keyword = PyTuple_GET_ITEM(keywords, k);
    size_t at = 0;
    while (at < size && f.parameters[at].name.get() != keyword) ++at;
    if (at == size)
      for (at = 0; at < size && PyUnicode_Compare(f.parameters[at].name.get(), keyword) != 0;) ++at;
    if (at == size) {
      if (!extra) extra = Ref::steal(PyDict_New());
      PyDict_SetItem(extra.get(), keyword, args[count + size_t(k)]);
      continue;
    }
    if (objects[at]) throw error("K113", "kernel '" + f.name + "' got argument '" + f.parameters[at].text + "' twice", signature_help(f));
    objects[at] = args[count + size_t(k)];
  }
  std::string missing;
  for (size_t i = 0; i < size; ++i) {
    if (!objects[i]) objects[i] = f.parameters[i].default_value.get();
    if (!objects[i]) missing += (missing.empty() ? "'" : ", '") + f.parameters[i].text + "'";
  }
  if (missing.empty()) return;
  std::string unknown; // keywords that are neither parameters nor options
  if (extra) {
    const nb::object options = nb::module_::import_("asc.runtime.options").attr("CALL_OPTIONS");
    for (auto [keyword, value] : nb::borrow<nb::dict>(extra.get()))
      if (PySequence_Contains(options.ptr(), keyword.ptr()) != 1)
        unknown += (unknown.empty() ? "'" : ", '") + std::string(text(keyword)) + "'";
  }
  throw error("K110", "kernel '" + f.name + "' is called without " + missing + (unknown.empty() ? "" : ", and has no parameter " + unknown),
              signature_help(f));
}

// ---------------------------------------------------------------- signature

namespace {

/// Static values by value: small ones in a word or two, all others by the digest of their description.
void sign_static(PyObject *value, Signature &words, std::vector<Ref> &held, bool &unseen) {
  enum Tag : uint64_t { Int = 1, Float, Singleton, Type, Digested };
  if (PyLong_CheckExact(value)) {
    int overflow = 0;
    long long n = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (!overflow) return words.append({Int, uint64_t(n)});
  }
  if (PyFloat_CheckExact(value)) return words.append({Float, std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(value))});
  if (value == Py_None || value == Py_True || value == Py_False)
    return words.append({Singleton, uint64_t(reinterpret_cast<uintptr_t>(value))});
  if (std::optional<DType> dtype = as_dtype(value)) return words.append({Type, uint64_t(*dtype)});
  Description description;
  CodeDigests codes;
  describe(value, description, codes);
  unseen |= description.unseen;
  std::move(description.held.begin(), description.held.end(), std::back_inserter(held));
  Digest digest = digest_of(description.bytes);
  words.push_back(Digested);
  auto *parts = reinterpret_cast<const uint64_t *>(digest.bytes.data());
  words.append(parts, parts + 4);
}

/// Binds the arguments and signs their types.
void bind(const FunctionState &f, const CompileOptions &compile, LaunchArguments &call) {
  const unsigned insert_sync = compile.insert_sync ? 1 + *compile.insert_sync : 0;
  call.signature.push_back(target_number << 8 | unsigned(compile.auto_sync) | unsigned(compile.python_arithmetic) << 1 | insert_sync << 2 |
                           unsigned(compile.dump) << 4 | unsigned(compile.time_stamps) << 5);
  call.signature.push_back(compile.without_sync ? 1 + uint64_t(*compile.without_sync) : 0);
  call.signature.push_back(compile.kernel_type ? 1 + uint64_t(*compile.kernel_type) : 0);
  auto *environment = reinterpret_cast<const uint64_t *>(f.environment->digest().bytes.data());
  call.signature.append(environment, environment + 4);
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    Bound b = bind_argument(call.objects[i], f.parameters[i], f.name, call.words, call.tensors);
    call.signature.push_back(uint64_t(b.kind) << 8 | uint64_t(b.dtype));
    if (b.kind == Bound::Kind::Static) sign_static(b.object, call.signature, call.held, call.unseen);
    if (b.kind == Bound::Kind::Struct) call.signature.push_back(b.layout->number);
    call.bound.push_back(b);
  }
}

// ---------------------------------------------------------------- look-up

/// The whole key: everything that compiling reads, and who compiles. `opaque`: what has no value that another process could compare.
Digest key_of(const FunctionState &f, const CompileOptions &options, const LaunchArguments &call, std::string &opaque, KeyParts &parts) {
  Description text;
  auto add = [&](std::string name, std::string_view value, std::string shown) {
    text.bytes.append(std::to_string(value.size())).append(":").append(value);
    parts.call.push_back({std::move(name), std::move(shown), digest_of(value)});
  };
  auto option = [&](const char *name, const std::string &value) { add(std::string("option ") + name, value, value); };
  const std::string table = std::to_string(table_hash());
  add("the compiler", cache::build_id() + table + PY_VERSION, "");
  option("platform", options.target);
  option("auto_sync", options.auto_sync ? "True" : "False");
  option("arithmetic", options.python_arithmetic ? "'python'" : "'ascendc'");
  option("dump", options.dump ? "True" : "False");
  option("time_stamps", options.time_stamps ? "True" : "False");
  option("insert_sync", !options.insert_sync ? "None" : *options.insert_sync ? "True" : "False");
  option("without_sync", options.without_sync ? std::to_string(*options.without_sync) : "None");
  option("kernel_type", options.kernel_type ? std::string(info(*options.kernel_type).name) : "None");
  text.bytes += f.environment->digest().view();
  parts.environment = f.environment->parts();
  opaque = f.environment->opaque();
  CodeDigests codes;
  for (size_t i = 0; i < call.bound.size(); ++i) {
    const Bound &b = call.bound[i];
    Description value;
    value.bytes = {char('0' + int(b.kind)), char('a' + int(b.dtype))};
    std::string shown = b.kind == Bound::Kind::Array ? "an array of " : "a number of type ";
    if (b.kind == Bound::Kind::Static) {
      describe(b.object, value, codes);
      shown = short_text(b.object);
    } else if (b.kind == Bound::Kind::Struct) {
      describe(reinterpret_cast<PyObject *>(b.layout->cls), value, codes);
      shown = "a " + b.layout->name;
    } else {
      shown += info(b.dtype).name;
    }
    add("argument " + f.parameters[i].text, value.bytes, std::move(shown));
    if (opaque.empty()) opaque = value.opaque;
  }
  return digest_of(text.bytes);
}

/// Makes sure that the environment is the one of now; says what changed since the last launch.
std::string refresh(FunctionState &f) {
  if (!f.environment) {
    f.environment.emplace(f.function.get());
    return "first use in this process";
  }
  if (f.environment->current()) return "";
  const Digest digest = f.environment->digest();
  const auto before = f.environment->parts();
  f.environment->refresh();
  if (f.environment->digest() == digest) return "";
  const std::vector<std::string> changes = differences(*before, *f.environment->parts());
  std::string text = "changed since the last launch: ";
  for (const std::string &change : changes) text += (&change == changes.data() ? "" : "; ") + change;
  return changes.empty() ? "a value that the kernel uses changed" : text;
}

} // namespace

static PyObject *compile_log; // under the GIL
void set_compile_log(PyObject *callable) { Py_XSETREF(compile_log, callable == Py_None ? nullptr : Py_NewRef(callable)); }
static void show_to_log(const std::shared_ptr<CompiledKernel> &kernel) {
  if (compile_log) nb::borrow(compile_log)(kernel);
}

/// ASCENDC_DUMP: not set, "" or "true" in any case means yes.
static bool environment_wants_dump() {
  const char *value = std::getenv("ASCENDC_DUMP");
  return !value || !*value || llvm::StringRef(value).equals_insensitive("true");
}

std::shared_ptr<const CompiledKernel> find(FunctionState &f, const KernelOptions &kernel_options, LaunchArguments &call) {
  std::string reason = refresh(f);
  CompileOptions options = kernel_options.compile;
  if (kernel_options.dump_by_environment) options.dump = environment_wants_dump();
  bind(f, options, call);
  const bool unseen = f.environment->unseen() || call.unseen;
  const bool in_memory = !kernel_options.always_compile && !unseen;
  if (in_memory) {
    for (size_t i = 0; i < f.entries.size(); ++i)
      if (f.entries[i].signature == call.signature) {
        if (i) std::rotate(f.entries.begin(), f.entries.begin() + std::ptrdiff_t(i), f.entries.begin() + std::ptrdiff_t(i) + 1);
        ++f.info.memory_hits;
        f.info.last.assign("memory hit");
        f.info.key = f.entries[0].kernel->key;
        return f.entries[0].kernel;
      }
  }
  if (reason.empty()) reason = f.entries.empty() ? "first launch" : "new argument types, static values or options";

  options.target = current_target();
  std::string opaque;
  auto parts = std::make_shared<KeyParts>();
  Digest key = key_of(f, options, call, opaque, *parts);
  f.info.key = key.hex();
  f.last_parts = parts;
  const char *dumps = std::getenv("PYASC_DUMP_PATH");
  bool dumping = dumps && *dumps;
  bool on_disk = !kernel_options.always_compile && opaque.empty();
  std::shared_ptr<const CompiledKernel> kernel;
  if (kernel_options.always_compile)
    reason += "; option always_compile is set";
  else if (unseen)
    reason += "; not kept: it uses " + opaque + ", which may change unseen";
  else if (!opaque.empty())
    reason += "; not kept on disk: it uses " + opaque;
  else if (dumping)
    reason += "; compiled for its dumps (PYASC_DUMP_PATH)";
  else {
    cache::Found found = cache::load(key);
    kernel = found.kernel;
    if (!kernel) reason += "; " + found.why;
  }
  Ref function = f.function; // compiling runs Python code, which may do anything
  if (kernel) {
    ++f.info.disk_hits;
    f.info.last = "disk hit: " + reason;
  } else {
    std::vector<ArgSpec> specs;
    for (const Bound &b : call.bound) {
      ArgSpec spec;
      spec.kind = b.kind == Bound::Kind::Static   ? ArgSpec::Kind::Static
                  : b.kind == Bound::Kind::Array  ? ArgSpec::Kind::Address
                  : b.kind == Bound::Kind::Struct ? ArgSpec::Kind::Struct
                                                  : ArgSpec::Kind::Scalar;
      spec.dtype = b.dtype;
      if (b.kind == Bound::Kind::Static) spec.value = nb::borrow(b.object);
      if (b.kind == Bound::Kind::Struct) spec.value = nb::borrow(reinterpret_cast<PyObject *>(b.layout->cls));
      specs.push_back(std::move(spec));
    }
    ++f.info.compiles;
    f.info.last = "does not compile: " + reason;
    kernel = compile_kernel(function.get(), specs, options, key.hex());
    refresh(f);
    KeyParts again;
    if (key_of(f, options, call, opaque, again) != key) { // another thread, or a property that was read
      f.info.last = "compiled and not kept: what it uses changed meanwhile";
      warn(kernel->warnings);
      return kernel;
    }
    if (on_disk) {
      const std::string failure = kernel->debug ? "it calls breakpoint()" : cache::store(key, f.title(), *parts, *kernel);
      if (!failure.empty()) reason += "; not kept on disk: " + failure;
    }
    f.info.last = "compiled: " + reason;
  }
  show_to_log(std::const_pointer_cast<CompiledKernel>(kernel));
  if (in_memory) {
    if (f.entries.size() >= FunctionState::kEntries) f.entries.pop_back();
    f.entries.insert(f.entries.begin(), {call.signature, kernel, std::move(call.held), std::move(parts)});
  }
  warn(kernel->warnings);
  return kernel;
}

std::string FunctionState::title() const {
  auto *fn = reinterpret_cast<PyFunctionObject *>(function.get());
  const char *file = PyUnicode_AsUTF8(reinterpret_cast<PyCodeObject *>(fn->func_code)->co_filename);
  PyErr_Clear();
  return name + " in " + (file ? file : "?");
}

int FunctionState::traverse(visitproc visit, void *arg) const {
  Py_VISIT(function.get());
  for (const Entry &entry : entries) {
    for (const Ref &ref : entry.held) Py_VISIT(ref.get());
    if (entry.kernel->debug && entry.kernel.use_count() == 1) // nobody else has it
      if (int result = entry.kernel->debug->traverse(visit, arg)) return result;
  }
  for (const Parameter &p : parameters)
    for (const Ref *ref : {&p.name, &p.default_value, &p.static_types, &p.structure}) Py_VISIT(ref->get());
  return environment ? environment->traverse(visit, arg) : 0;
}

} // namespace asc
