// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compile reads from the Python program, by value: code objects, globals, closures, defaults, attributes of modules. Two functions
// with equal fingerprints compile to the same kernel; a function whose surroundings change gets another fingerprint.
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace asc {

struct Digest {
  std::array<uint8_t, 32> bytes = {};
  std::string hex() const;
  std::string_view view() const { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }
  auto operator<=>(const Digest &) const = default;
};
Digest digest_of(std::string_view bytes);

/// A reference that the garbage collector is told about by its owner.
class Ref {
public:
  Ref() = default;
  static Ref borrow(PyObject *o) { return Ref(Py_XNewRef(o)); }
  static Ref steal(PyObject *o) { return Ref(o); }
  Ref(const Ref &o) : object_(Py_XNewRef(o.object_)) {}
  Ref(Ref &&o) noexcept : object_(std::exchange(o.object_, nullptr)) {}
  Ref &operator=(Ref o) noexcept {
    std::swap(object_, o.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }
  PyObject *get() const { return object_; }
  explicit operator bool() const { return object_; }

private:
  explicit Ref(PyObject *o) : object_(o) {}
  PyObject *object_ = nullptr;
};

/// A place that a walk read, and what stood there.
struct Place {
  enum class Kind : uint8_t { Item, Size, Cell, Function } kind;
  Ref container;                            // dictionary, cell or function
  Ref key = {};                             // Item: the name
  Ref value = {};                           // Item, Cell: the object (null: nothing there); Function: the code object
  Ref defaults = {}, keyword_defaults = {}; // Function
  Ref annotations = {}, attributes = {};    // Function
  Py_ssize_t size = 0;                      // Size: entries of a dictionary to which a name may be added
  bool unchanged() const;
};

/// A thing that a compile depends on, for people who ask why a kernel was compiled again: a name, and short text of what it was.
struct Part {
  std::string name, shown;
  Digest digest;
};

/// The description of one value or of everything a function reads.
struct Description {
  std::string bytes;
  std::string opaque;      // what could not be described by value, if anything: such a kernel is not kept on disk
  bool unseen = false;     // something opaque may change without a trace: such a kernel is not kept in memory either
  bool changeable = false; // contains something that can change without being replaced (a list, an instance...)
  std::vector<Place> places;
  std::vector<Ref> held; // objects that count by identity
  bool wants_parts = false;
  std::vector<Part> parts;
};

/// Digests of code objects seen before (they never change, so a second walk need not read them again).
using CodeDigests = std::unordered_map<PyObject *, std::pair<Ref, Digest>>;

/// Describes any Python value. Runs no Python code of the user but annotations of structures that are text. Sets no Python error.
void describe(PyObject *value, Description &out, CodeDigests &codes);

/// A short text for a value, where it has one that runs no code of the user: 8, 'text', (1, 2), else "a list".
std::string short_text(PyObject *value);

/// Everything that a function reads while it is compiled.
class Environment {
public:
  explicit Environment(PyObject *function);
  /// Nothing that was read has changed. A few pointer comparisons, unless something changeable was read: then it is read again.
  bool current();
  /// Reads everything again.
  void refresh();
  const Digest &digest() const { return digest_; }
  const std::string &opaque() const { return description_.opaque; }
  bool unseen() const { return description_.unseen; }
  const std::shared_ptr<const std::vector<Part>> &parts() const { return parts_; }
  int traverse(visitproc visit, void *arg) const;

private:
  PyObject *function_; // borrowed: the owner holds it
  Description description_;
  CodeDigests codes_;
  Digest digest_;
  std::shared_ptr<const std::vector<Part>> parts_;
};

} // namespace asc
