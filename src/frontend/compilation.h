// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one compilation: where we are in the Python source, where the next op goes, which values may be used here, and how to
// complain.
#pragma once

#include "dialect/dialect.h"
#include "dialect/location.h"
#include "frontend/frontend.h"
#include "frontend/syntax.h"
#include "frontend/values.h"

#include <memory>
#include <unordered_map>

namespace asc {

/// A Python source text that a tree was parsed from.
struct SourceFile {
  nb::object tree; // FunctionDef
  std::string filename;
  int32_t line_offset = 0; // added to the line numbers of the tree
  bool walrus = false;     // expressions of the file may assign variables
};

struct DebugTable;
class Translator;

class Compilation {
public:
  Compilation(mlir::MLIRContext &context, const FrontendOptions &options, std::vector<Diagnostic> &warnings, DebugTable &debug);
  ~Compilation();
  Compilation(const Compilation &) = delete;

  /// The compilation that runs on this thread. Throws L301 when there is none: a kernel-only function was called from the host.
  static Compilation &current();
  /// The same; null when there is none.
  static Compilation *running();

  mlir::MLIRContext &context;
  const FrontendOptions &options;
  DebugTable &debug;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OpBuilder ops;
  Translator *translator = nullptr;

  // ---- places and errors

  PyObject *node = nullptr;           // the node being translated
  const SourceFile *source = nullptr; // of the function being translated
  nb::object cause;                   // the Python exception behind the error being reported

  Span span(PyObject *of) const;
  Span span() const { return span(node); }
  mlir::Location loc();

  /// An error at a node (the current one if null).
  DiagnosticError error(std::string_view code, std::string message, std::string help = {}, PyObject *at = nullptr,
                        std::vector<Note> notes = {}) const;
  /// T109: `what` is a run-time value where a known one is needed; says which parameters the value comes from.
  DiagnosticError not_known(std::string_view what, nb::handle value, std::string help, PyObject *at = nullptr) const;
  /// The op that made the value carries the name of the first variable that it is assigned to.
  void name_op(mlir::Value value, PyObject *variable);

  /// Once per code and place.
  void warn(std::string_view code, std::string message, std::string help = {}, PyObject *at = nullptr);
  /// A Python exception that came out of a static evaluation at `at`. Rethrows those that are no mistake of the kernel.
  DiagnosticError failed_in_python(nb::python_error &error, PyObject *at);

  // ---- going on after an error (options.all_errors)

  std::vector<Diagnostic> found; // so far
  uint64_t failures = 0;         // statements that had an error, or used what an earlier one failed to make
  void record(const DiagnosticError &error);
  /// At the end of a function: when a statement in it has failed, the call has no value. `called_here` is added to what was found in it.
  void fail_if_failed(uint64_t failures_before, size_t found_before, const Note &called_here);

  // ---- regions: a value may be used where it was made and further in

  /// The regions being filled, outermost first. Those of branches and loops are built apart and moved into their op when it is complete.
  std::vector<mlir::Region *> regions;

  /// The IR value behind a run-time value. Throws when it belongs to another compilation or to a branch, loop or function that is closed.
  mlir::Value use(const IRValue &value) const;

  template <class T> nb::object make(mlir::Value ir, DType dtype) const {
    T value;
    value.ir = ir, value.dtype = dtype, value.compilation = id_;
    return nb::cast(std::move(value));
  }
  nb::object make_scalar(mlir::Value ir, DType dtype) const { return make<PlainValue>(ir, dtype); }
  nb::object make_local(mlir::Value ir, DType dtype, Position position) const;
  nb::object make_global(mlir::Value ir, DType dtype, bool fixed) const;

  // ---- objects that change

  /// Undo log of the GlobalTensors that were given a buffer.
  struct Change {
    nb::object tensor;
    mlir::Value ir;
    DType dtype;
  };
  std::vector<Change> journal;

  /// Takes note of a mutable Python object that the kernel made here.
  void created(nb::handle object);
  bool has_created(nb::handle object) const { return created_.contains(object.ptr()); }
  /// Throws unless the object was made by this kernel in the very region that changes it: changes in a branch or a loop would not be
  /// undone.
  void check_changeable(nb::handle object) const;
  /// The object may be a part of another one by now: it must not change any more.
  void freeze(nb::handle object);

  /// Throws unless `tensor` was made here, so that a queue can put a buffer of its own into the object.
  void check_fillable(nb::handle tensor) const;

  // ---- the framework: what a kernel has one of

  struct Single {
    mlir::Region *function = nullptr; // the function that makes it; null: there is none
    mlir::Region *region = nullptr;   // the branch or loop, or the function itself
    mlir::LocationAttr place;
  };
  struct Singles {
    Single pipe;
    std::array<Single, kMemories> allocators;
  } singles;
  Single here() { return {regions.front(), regions.back(), loc()}; }
  /// Forgets what the function being translated has made since `before`.
  void restore(const Singles &before);

  // ---- limits

  void step();        // a statement
  unsigned depth = 0; // nested evaluations

  uint64_t id() const { return id_; }

private:
  uint64_t id_, steps_ = 0;
  Compilation *outer_;
  std::vector<Diagnostic> &warnings_;
  PyObject *located_ = nullptr; // the node that loc_ belongs to
  mlir::LocationAttr loc_;
  struct Created {
    nb::object object;
    mlir::Region *region;
  };
  std::unordered_map<PyObject *, Created> created_;
  std::vector<std::unique_ptr<mlir::Region>> given_up_; // objects may still hold values of theirs
  friend class OpenRegion;
};

/// Makes `node` the current one for a while.
class At {
public:
  At(Compilation &c, PyObject *node) : c_(c), before_(c.node) { c.node = node; }
  ~At() { c_.node = before_; }
  At(const At &) = delete;

private:
  Compilation &c_;
  PyObject *before_;
};

/// A level of nested evaluation. Throws L204 when there are too many.
class Deeper {
public:
  explicit Deeper(Compilation &c);
  ~Deeper() { --c_.depth; }
  Deeper(const Deeper &) = delete;

private:
  Compilation &c_;
};

/// A region built apart: ops go there until it is closed.
class OpenRegion {
public:
  explicit OpenRegion(Compilation &c);
  ~OpenRegion();
  OpenRegion(const OpenRegion &) = delete;
  void close(); // ops go where they went before; the region stays
  void reopen();
  mlir::Block &block() { return region->front(); }
  std::unique_ptr<mlir::Region> region;

private:
  Compilation &c_;
  mlir::OpBuilder::InsertPoint before_;
  bool open_ = true;
};

/// The exception object of a Python error.
nb::object exception_of(nb::python_error &error);

/// A value for messages: "an int32 value", "a LocalTensor of float16", "'abc' (str)".
std::string describe(nb::handle value);
/// What can be done with a value where a number is expected, as a help line; empty for numbers.
std::string help_for(nb::handle value);
/// The same for two operands, of which at least one is wrong.
std::string help_for(nb::handle lhs, nb::handle rhs);
/// The UTF-8 text of a Python string; empty if it cannot be encoded.
std::string_view text(nb::handle string);
/// The source text of a node.
std::string unparsed(PyObject *node);
std::string join(const std::vector<std::string> &parts, std::string_view separator);
/// The word that another one may have been meant to be; empty when none is like it.
std::string nearest(std::string_view word, const std::vector<std::string_view> &words);

} // namespace asc
