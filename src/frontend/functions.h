// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the kernel language that are no API rows: methods of tensors and numbers, constructors, asc.number and the like. Each is a
// table entry with its signature as text.
#pragma once

#include "frontend/arithmetic.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <span>

namespace asc {

class Translator;
struct Frame;

/// An argument of a call, with the node to point at.
struct Argument {
  nb::object value;
  PyObject *node = nullptr;
  PyObject *keyword = nullptr; // its name; null: positional
};
using Arguments = std::vector<Argument>;

/// The arguments in the order of the signature; a null value where the call leaves one out.
using Bound = std::span<const Argument>;

/// `signature`: parameter names separated by ", "; "a|b" is one parameter with two names; a trailing "=..." makes one optional and is shown
/// to users; a last "*a" takes all further positional arguments, however many. `ascendc`: the name in Ascend C, which is another spelling
/// of a method.
struct Function {
  std::string_view name, signature, doc;
  nb::object (*call)(Compilation &c, nb::handle self, Bound arguments);
  std::string_view ascendc = {};
};

/// Arguments matched with a signature. Throws L401 with the signature when they do not fit.
std::vector<Argument> bind_arguments(const Compilation &c, std::string_view name, std::string_view signature, const Arguments &arguments);

DType dtype_argument(Compilation &c, const Argument &argument, std::string_view what);
/// An int that is known while compiling.
int64_t static_int(Compilation &c, const Argument &argument, std::string_view what);
/// A member of an enum as its number.
int64_t member_argument(Compilation &c, const Argument &argument, std::string_view enumeration, std::string_view what);
/// A count that is not negative where it is known.
Index element_index(Compilation &c, const Argument &argument, std::string_view what);

/// A method read from a run-time value, before it is called.
struct BoundMethod {
  nb::object self;
  const Function *function;
};

/// A call of a function made with @asc.jit by Python code that runs while a kernel is compiled: a special method, the key of sorted.
nb::object call_while_compiling(nb::handle callee, const Arguments &arguments);

/// The parameters of a Python function: positional ones, those by keyword only, and last the ones with a star and
/// with two.
struct ParameterList {
  struct Parameter {
    nb::object name, otherwise; // its default value; null: none
    bool is_static = false;     // annotated asc.ConstExpr
    DType dtype = DType::Void;  // that it is annotated with; Void: none
  };
  std::string function;
  std::vector<Parameter> parameters;
  size_t positional_only = 0, positional = 0; // of the parameters
  bool starred = false, keywords = false;     // there is one with a star, with two
  bool inlined = false;                       // of a closure
};

/// The variables of a comprehension by interned name; null: not assigned yet.
using Scope = llvm::SmallDenseMap<PyObject *, nb::object, 2>;

/// A function that a kernel defines, a lambda or a nested def: translated where it is called, with the variables around it as they are
/// then.
struct Closure {
  uint64_t compilation;
  Translator *translator; // it and the frames live as long as the compilation
  PyObject *node;
  Frame *frame; // that it is defined in
  std::vector<std::shared_ptr<Scope>> scopes;
  ParameterList signature;
  std::vector<PyObject *> names; // of its variables

  /// For Python's own functions that call it, such as sorted.
  nb::object call(const Arguments &arguments) const;
};

template <class T> nb::handle class_of() { return nb::type<T>(); }

/// A class of run-time values.
struct Class {
  nb::handle (*type)();
  std::string_view name;
  std::span<const Function> methods;
  const Function *constructor;
  std::string_view instead = {}; // without a constructor: where its objects come from
};
std::span<const Class> classes();
std::span<const Class> framework_classes();   // framework.cpp
std::span<const Class> aggregate_classes();   // aggregates.cpp
std::span<const Class> tensor_list_classes(); // tensor_lists.cpp
/// The Python object around the IR value of an object of the framework.
nb::object make_object(const Compilation &c, mlir::Value value);
/// Null for other classes.
const Class *find_class(nb::handle type);

/// The IR value of a tensor. Throws T301 when it has no buffer.
mlir::Value tensor_ir(Compilation &c, nb::handle tensor);
/// The user tag of a LocalTensor (int32).
nb::object user_tag_of(Compilation &c, nb::handle tensor);

// aggregates.cpp
extern const Function kArrayFunction;
nb::object make_aggregate(const Compilation &c, mlir::Value value); // null for other types
int64_t length_of(const Array &array);
/// Elements of an array. Throws T302 and T330 for subscripts that are none.
nb::object element_of(Compilation &c, const Array &array, nb::handle subscript);
void set_element(Compilation &c, const Array &array, nb::handle subscript, nb::handle value);
nb::list elements_of(Compilation &c, const Array &array);
/// Dimension `index` of a ShapeInfo (int32).
nb::object dimension_of(Compilation &c, mlir::Value info, unsigned index);
nb::object set_shape_info(Compilation &c, nb::handle tensor, Bound arguments);
nb::object get_shape_info(Compilation &c, nb::handle tensor, Bound);

std::span<const Function> intrinsics(); // number, ceildiv, static_assert, range, static_range, printf, get_tpipe_ptr
nb::object get_tpipe_ptr(Compilation &c, nb::handle, Bound);

/// An attribute of a run-time value: dtype, shape, a field or a method. Throws L402 for others.
nb::object attribute_of(Compilation &c, nb::handle value, std::string_view attribute);

/// Whether a value is a run-time value or a container of some.
bool has_run_time(nb::handle value, unsigned depth = 0);

/// tensor[subscript], where a slice is a Python slice object.
nb::object subscript_of(Compilation &c, nb::handle tensor, nb::handle subscript);

/// tensor(offset): a tensor of that one element.
nb::object one_element(Compilation &c, nb::handle tensor, const Argument &offset);

/// range(...) with run-time bounds, before it is iterated; `unrolled` for asc.static_range.
struct LoopRange {
  nb::object start, stop, step;
  bool unrolled = false;
};
inline constexpr std::string_view kNoStep = "the step of a range is 0", kStepHelp = "give a step above 0, or below 0 to count down";

} // namespace asc
