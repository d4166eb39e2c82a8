// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ errors as Python exceptions.
#include "runtime/raise.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <new>

namespace nb = nanobind;

namespace asc {

DiagnosticError error(std::string_view code, std::string message, std::string help) {
  Diagnostic d;
  d.code = code;
  d.message = std::move(message);
  d.help = std::move(help);
  return DiagnosticError(std::move(d));
}

/// Sets the exception that `pyasc.errors.<function>(argument)` returns; an exception that comes up on the way replaces it.
static void set_from_factory(const char *function, nb::object argument) {
  nb::object exception = nb::module_::import_("pyasc.errors").attr(function)(argument);
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())), exception.ptr());
}

void set_python_error(const DiagnosticError &error) noexcept {
  // A Python exception that a static evaluation ended with stays reachable as __cause__ of ours.
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (type) PyErr_NormalizeException(&type, &value, &traceback);
  try {
    bool findings = dynamic_cast<const LaunchFindings *>(&error);
    set_from_factory(findings ? "from_findings" : "from_diagnostics", nb::cast(error.diagnostics));
    if (value) {
      PyObject *type2, *value2, *traceback2;
      PyErr_Fetch(&type2, &value2, &traceback2);
      PyErr_NormalizeException(&type2, &value2, &traceback2);
      PyException_SetCause(value2, Py_NewRef(value));
      PyErr_Restore(type2, value2, traceback2);
    }
  } catch (nb::python_error &e) {
    e.restore();
  } catch (const std::exception &e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
}

void set_python_error(const InternalError &error) noexcept {
  try {
    set_from_factory("internal_error", nb::str(error.what()));
  } catch (nb::python_error &e) {
    e.restore();
  } catch (const std::exception &e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

void set_python_error_from_current_exception() noexcept {
  try {
    throw;
  } catch (nb::python_error &e) {
    e.restore();
  } catch (const DiagnosticError &e) {
    set_python_error(e);
  } catch (const InternalError &e) {
    set_python_error(e);
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &e) {
    set_python_error(InternalError(e.what()));
  }
}

void warn(const std::vector<Diagnostic> &warnings) {
  if (!warnings.empty()) nb::module_::import_("pyasc.report").attr("warn")(nb::cast(warnings));
}

} // namespace asc
