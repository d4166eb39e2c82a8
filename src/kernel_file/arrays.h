// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in files: raw binary, and NumPy's .npy. All is little-endian, rows come one after the other (C order).
#pragma once

#include "apis/types.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace asc::kernel_file {

/// Memory that the system gives when it is used; zeros at first.
class Buffer {
public:
  /// Throws DiagnosticError (C304) when this machine has less memory.
  Buffer() = default;
  explicit Buffer(uint64_t size);
  std::byte *data() const { return bytes_.get(); }
  uint64_t size() const { return size_; }

private:
  struct Free {
    void operator()(std::byte *p) const;
  };
  std::unique_ptr<std::byte, Free> bytes_;
  uint64_t size_ = 0;
};

struct Array {
  Buffer bytes;
  std::vector<int64_t> shape;
  bool has_shape = false; // the file says it; else it is one row of all elements
};

/// Elements of a shape; -1: more than an array can have.
int64_t elements_of(const std::vector<int64_t> &shape);
/// "2x3", "scalar" without dimensions.
std::string shape_text(const std::vector<int64_t> &shape);

/// A file that begins as an .npy file is one. `what` names the option in errors. Throws DiagnosticError (C302).
Array read_array(const std::string &path, DType dtype, const std::string &what);

/// Where a path leads, through links; of a file that is not there, the folder it would be in and its name.
std::string real_path(const std::string &path);

/// Files that come to be together: all are written beside their places first, and take them at the end. Without commit() none does.
class OutputFiles {
public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles &) = delete;
  ~OutputFiles();
  /// .npy where the path ends so, else raw. Throws DiagnosticError (C303), as commit() does.
  void add(const std::string &path, DType dtype, const std::vector<int64_t> &shape, const std::byte *data, uint64_t size);
  void commit();

private:
  struct File {
    std::string temporary, path;
  };
  std::vector<File> files_;
};

} // namespace asc::kernel_file
