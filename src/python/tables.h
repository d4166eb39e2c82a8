// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The definitions as plain Python data, for everything that Python derives from them: names of the package, stubs, pages, the error index.
#pragma once

#include <nanobind/nanobind.h>

namespace asc {

/// Adds rows(), structs(), enums(), dtypes(), error_codes() and assumptions() to the module; each returns new lists of dicts.
void bind_tables(nanobind::module_ &module);

} // namespace asc
