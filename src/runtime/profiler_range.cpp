// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks torch once it has been imported; before, a launch pays two comparisons.
#include "runtime/profiler_range.h"
#include "runtime/arguments.h"

namespace nb = nanobind;

namespace asc {

ProfilerRange::ProfilerRange(const std::string &name) {
  if (!torch_seen()) return;
  static PyObject *is_recording = nb::object(nb::module_::import_("torch").attr("autograd").attr("_profiler_enabled")).release().ptr();
  if (!nb::cast<bool>(nb::borrow(is_recording)())) return;
  range_ = nb::module_::import_("pyasc.profiler").attr("profiled")(name.c_str());
  range_.attr("__enter__")();
}

ProfilerRange::~ProfilerRange() {
  if (!range_.is_valid()) return;
  try {
    range_.attr("__exit__")(nb::none(), nb::none(), nb::none());
  } catch (nb::python_error &error) {
    error.discard_as_unraisable("the end of a range of torch.profiler");
  }
}

} // namespace asc
