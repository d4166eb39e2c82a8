// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch arguments: NumPy arrays and scalars, CPU torch tensors, bytes, Python numbers. Arrays are used where they lie; what cannot be is
// copied in and back.
#pragma once

#include "apis/types.h"
#include "runtime/fingerprint.h"

#include "llvm/ADT/SmallVector.h"

#include <span>
#include <string>
#include <vector>

namespace asc {

/// A parameter of a kernel, from the Python function.
struct Parameter {
  Ref name; // interned
  std::string text;
  Ref default_value; // null: none
  Ref static_types;  // annotated ConstExpr: a tuple of the classes allowed (empty: any); null: a run-time parameter
  bool keyword_only = false;
  bool prefers_scalar = false;     // annotated int, float, bool or a dtype: what a bare dtype given to compile() stands for
  DType scalar_type = DType::Void; // annotated with a dtype: the type that every number is passed as
  Ref structure;                   // annotated with a structure class; null: it is not
  bool is_static() const { return bool(static_types); }
};

struct StructLayout;

/// An argument, bound to what a parameter can be.
struct Bound {
  enum class Kind : uint8_t { Static, Scalar, Array, Struct };
  Kind kind = Kind::Static;
  DType dtype = DType::Void;
  bool read_only = false;               // Array: the caller forbids writing
  bool mock = false;                    // stands for a type; cannot be launched
  bool is_list = false;                 // Array: the descriptor of a list of tensors, still without addresses
  PyObject *object = nullptr;           // borrowed from the caller
  uint64_t bits = 0;                    // Scalar
  const StructLayout *layout = nullptr; // Struct
  uint32_t first = 0, count = 0;        // Struct: its numbers in the words of the call; list: its tensors
  std::byte *data = nullptr;            // Array
  uint64_t bytes = 0;
  bool needs_copy = false; // not contiguous, or not aligned to its element
};

/// Called once, before anything else here; false with a Python error when NumPy is missing.
bool init_arguments();
bool is_numpy_array(PyObject *object);
bool is_numpy_scalar(PyObject *object);
/// Whether the elements of a NumPy array are Python objects.
bool holds_objects(PyObject *array);

/// Whether somebody has imported torch. Looks again only when there are other modules than before.
bool torch_seen();

/// The numbers of the structures of a call.
using StructWords = llvm::SmallVector<uint64_t, 32>;

/// The tensors of the lists of a call, kept alive: a Python list may change while the kernel runs. And the descriptors.
struct ListedTensors {
  std::vector<Bound> bound;
  std::vector<Ref> kept;
  std::span<const Bound> of(const Bound &list) const { return std::span(bound).subspan(list.first, list.count); }
};

/// Throws DiagnosticError (K1..) naming kernel and parameter.
Bound bind_argument(PyObject *object, const Parameter &parameter, const std::string &kernel, StructWords &words, ListedTensors &tensors);

/// A number as the bits of a type. `what` is where it comes from. Throws DiagnosticError (K120, K123, K124).
uint64_t number_bits(PyObject *object, DType dtype, const std::string &what);

/// Copies of the arrays that cannot be used where they lie; written back when the launch is over.
class Copies {
public:
  /// Makes `bound` point at a contiguous copy, which is returned; it lives as long as this. The same array given twice is one copy.
  PyObject *copy_in(Bound &bound);
  void write_back(PyObject *object) const;

private:
  struct Pair {
    Ref original, copy;
  };
  std::vector<Pair> pairs_;
};

/// Whether two arrays share memory, exactly (numpy.shares_memory); each a NumPy array, a torch tensor or bytes.
bool share_memory(const Bound &a, const Bound &b);

} // namespace asc
