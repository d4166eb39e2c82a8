// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See arrays.h.
#include "kernel_file/arrays.h"

#include "diagnostics/diagnostic.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace asc::kernel_file {

static constexpr uint32_t kLongestHeader = 1 << 16;
static constexpr std::string_view kNumPy = "\x93NUMPY";
static constexpr std::string_view kCopyHelp = "numpy.save(path, numpy.ascontiguousarray(array)) writes one that can be read";

[[noreturn]] static void fail(const char *code, std::string message, std::string help) {
  throw DiagnosticError({.code = code, .message = std::move(message), .help = std::move(help)});
}
static std::string system_error() { return std::strerror(errno); }

// ---------------------------------------------------------------- memory

static std::string bytes_text(uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

Buffer::Buffer(uint64_t size) : size_(size) {
  const uint64_t memory = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  if (size <= memory) bytes_.reset(static_cast<std::byte *>(std::calloc(std::max<uint64_t>(size, 1), 1)));
  if (!bytes_)
    fail("C304", "an array of " + bytes_text(size) + " does not fit into memory, which has " + bytes_text(memory), "use smaller arrays");
}
void Buffer::Free::operator()(std::byte *p) const { std::free(p); }

int64_t elements_of(const std::vector<int64_t> &shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(product, size, &product) || product > INT64_MAX / 16) return -1;
  return product;
}

std::string shape_text(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
  return shape.empty() ? "scalar" : text;
}

// ---------------------------------------------------------------- reading

namespace {

class InputFile {
public:
  InputFile(const std::string &path, std::string what) : what_(std::move(what)), fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status;
    if (fd_ < 0 || fstat(fd_, &status) != 0) refuse(system_error(), "give the path of a file that exists and can be read");
    if (S_ISDIR(status.st_mode)) close(fd_), refuse("it is a folder", "give the path of a file");
    regular_ = S_ISREG(status.st_mode);
    size_ = regular_ ? uint64_t(status.st_size) : 0;
  }
  ~InputFile() {
    if (fd_ >= 0) close(fd_);
  }
  [[noreturn]] void refuse(const std::string &why, std::string help) const { fail("C302", what_ + ": " + why, std::move(help)); }

  /// Up to `size` bytes; fewer at the end of the file.
  uint64_t read(void *to, uint64_t size) {
    uint64_t done = 0;
    while (done < size) {
      const ssize_t n = ::read(fd_, static_cast<char *>(to) + done, std::min<uint64_t>(size - done, 1 << 30));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refuse(system_error(), "give a file that can be read");
      if (n == 0) break;
      done += uint64_t(n);
    }
    position_ += done;
    return done;
  }
  /// The bytes that were read already, and all that is left.
  Buffer rest(std::string_view first) {
    if (regular_) {
      const uint64_t left = size_ > position_ ? size_ - position_ : 0;
      Buffer buffer(first.size() + left);
      if (!first.empty()) std::memcpy(buffer.data(), first.data(), first.size());
      if (read(buffer.data() + first.size(), left) != left)
        refuse("it has become shorter while it was read", "give a file that nobody writes");
      return buffer;
    }
    std::string all(first); // a pipe: nobody knows its length
    std::vector<char> piece(1 << 16);
    while (const uint64_t n = read(piece.data(), piece.size())) all.append(piece.data(), n);
    Buffer buffer(all.size());
    if (!all.empty()) std::memcpy(buffer.data(), all.data(), all.size());
    return buffer;
  }

private:
  std::string what_;
  int fd_;
  bool regular_ = false;
  uint64_t size_ = 0, position_ = 0;
};

/// The dictionary at the start of an .npy file, as Python writes it.
class NumPyHeader {
public:
  NumPyHeader(std::string_view text, const InputFile &file) : in_(text), file_(file) {
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!take('}')) {
      const std::string_view key = text_();
      expect(':');
      if (key == "descr")
        type = text_(), has_type = true;
      else if (key == "fortran_order")
        fortran = truth(), has_order = true;
      else if (key == "shape")
        shape_(), has_shape = true;
      else
        bad();
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    blanks();
    if (!in_.empty() || !has_type || !has_order || !has_shape) bad();
  }

  std::string_view type;
  bool fortran = false;
  std::vector<int64_t> shape;

private:
  [[noreturn]] void bad() const { file_.refuse("its .npy header is not one of a plain array", std::string(kCopyHelp)); }
  void blanks() {
    while (!in_.empty() && (in_[0] == ' ' || in_[0] == '\n')) in_.remove_prefix(1);
  }
  bool take(char c) {
    blanks();
    if (in_.empty() || in_[0] != c) return false;
    in_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) bad();
  }
  std::string_view text_() {
    blanks();
    const char quote = in_.empty() ? ' ' : in_[0];
    const size_t end = quote == '\'' || quote == '"' ? in_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) bad();
    const std::string_view text = in_.substr(1, end - 1);
    in_.remove_prefix(end + 1);
    return text;
  }
  bool truth() {
    blanks();
    for (std::string_view word : {"True", "False"})
      if (in_.starts_with(word)) {
        in_.remove_prefix(word.size());
        return word == "True";
      }
    bad();
  }
  void shape_() {
    expect('(');
    while (!take(')')) {
      blanks();
      int64_t size = 0;
      size_t digits = 0;
      for (; digits < in_.size() && in_[digits] >= '0' && in_[digits] <= '9' && digits < 18; ++digits)
        size = size * 10 + (in_[digits] - '0');
      if (digits == 0 || shape.size() == 32) bad();
      in_.remove_prefix(digits);
      shape.push_back(size);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view in_;
  const InputFile &file_;
};

/// How NumPy writes an element type.
std::string numpy_type(DType dtype) {
  const DTypeInfo &type = info(dtype);
  if (dtype == DType::Bool) return "|b1";
  if (dtype == DType::BFloat16) return "<V2"; // as ml_dtypes' bfloat16 is saved
  return std::string(type.bytes == 1 ? "|" : "<") + (type.is_float ? 'f' : type.is_signed ? 'i' : 'u') + char('0' + type.bytes);
}

/// The element type that a .npy type stands for, as a name; what there is no name for, as it is written.
std::string type_name(std::string_view numpy) {
  for (unsigned i = unsigned(DType::Bool); i < kDTypes; ++i)
    if (numpy_type(DType(i)) == numpy) return std::string(name(DType(i)));
  return std::string(numpy);
}

void check_type(const NumPyHeader &header, DType dtype, const InputFile &file) {
  const std::string wanted = numpy_type(dtype);
  if (header.type == wanted || (dtype == DType::BFloat16 && (header.type == "|V2" || header.type == "<u2"))) return;
  const std::string name(asc::name(dtype));
  if (!header.type.empty() && header.type[0] == '>' && header.type.substr(1) == wanted.substr(1))
    file.refuse("its elements are big-endian", "numpy.save(path, array.astype('" + wanted + "')) writes it little-endian");
  const std::string help = dtype == DType::BFloat16 ? "convert it with ml_dtypes: array.astype(ml_dtypes.bfloat16)"
                                                    : "convert it, array.astype(numpy." + name + "), or compile the kernel with --dtype";
  file.refuse("it has elements of " + type_name(header.type) + ", expected " + name, help);
}

Array read_numpy(InputFile &file, DType dtype) {
  uint8_t version[2], length[4] = {};
  if (file.read(version, 2) != 2 || version[0] < 1 || version[0] > 3)
    file.refuse("its .npy format is not 1.0, 2.0 or 3.0", std::string(kCopyHelp));
  const size_t bytes = version[0] == 1 ? 2 : 4;
  const bool there = file.read(length, bytes) == bytes;
  const uint32_t size = length[0] | length[1] << 8 | length[2] << 16 | uint32_t(length[3]) << 24;
  std::string text(there && size <= kLongestHeader ? size : 0, '\0');
  if (text.empty() || file.read(text.data(), size) != size) file.refuse("its .npy header was cut short", std::string(kCopyHelp));
  const NumPyHeader header(text, file);
  check_type(header, dtype, file);
  if (header.fortran && std::count_if(header.shape.begin(), header.shape.end(), [](int64_t n) { return n != 1; }) > 1)
    file.refuse("its columns come one after the other (Fortran order)", std::string(kCopyHelp));
  Array array{file.rest({}), header.shape, true};
  const int64_t elements = elements_of(header.shape);
  if (elements < 0 || array.bytes.size() != uint64_t(elements) * size_of(dtype))
    file.refuse("it holds " + bytes_text(array.bytes.size()) + " of elements, and " + shape_text(header.shape) + " of " +
                    std::string(name(dtype)) + " are another number",
                "write the file again: it was cut short, or changed");
  return array;
}

} // namespace

Array read_array(const std::string &path, DType dtype, const std::string &what) {
  InputFile file(path, what + " " + path);
  char magic[6];
  const std::string_view first(magic, file.read(magic, sizeof magic));
  if (first == kNumPy) return read_numpy(file, dtype);
  if (path.ends_with(".npy")) file.refuse("it does not begin as an .npy file", "give raw data a name with another ending, such as .bin");
  Array array{file.rest(first), {}, false};
  if (array.bytes.size() % size_of(dtype) != 0)
    file.refuse(bytes_text(array.bytes.size()) + " are not a whole number of " + std::string(name(dtype)) + " elements of " +
                    bytes_text(size_of(dtype)),
                "write the elements as " + std::string(name(dtype)) + ", or compile the kernel with --dtype");
  array.shape = {int64_t(array.bytes.size() / size_of(dtype))};
  return array;
}

// ---------------------------------------------------------------- writing

static std::string numpy_header(DType dtype, const std::vector<int64_t> &shape) {
  std::string sizes;
  for (int64_t size : shape) sizes += std::to_string(size) + (shape.size() == 1 ? "," : &size == &shape.back() ? "" : ", ");
  std::string text = "{'descr': '" + numpy_type(dtype) + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  const size_t before = kNumPy.size() + 4;
  text.append(63 - (before + text.size()) % 64, ' ').append("\n"); // the elements begin at a multiple of 64
  return std::string(kNumPy) + std::string("\1\0", 2) + char(text.size() & 0xFF) + char(text.size() >> 8) + text;
}

[[noreturn]] static void cannot_write(const std::string &path) {
  const std::string why = system_error();
  fail("C303", "cannot write " + path + ": " + why, "give a path where a file can be written");
}

static bool write_all(int fd, const void *from, uint64_t size) {
  for (uint64_t done = 0; done < size;) {
    const ssize_t n = ::write(fd, static_cast<const char *>(from) + done, std::min<uint64_t>(size - done, 1 << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    done += uint64_t(n);
  }
  return true;
}

std::string real_path(const std::string &path) {
  const size_t name = path.rfind('/') + 1; // 0: there is no /
  const std::string folder = name ? path.substr(0, name) : ".";
  char real[PATH_MAX];
  if (realpath(path.c_str(), real)) return real;
  return realpath(folder.c_str(), real) ? std::string(real) + "/" + path.substr(name) : path;
}

OutputFiles::~OutputFiles() {
  for (const File &file : files_)
    if (!file.temporary.empty()) unlink(file.temporary.c_str());
}

void OutputFiles::add(const std::string &path, DType dtype, const std::vector<int64_t> &shape, const std::byte *data, uint64_t size) {
  File file{{}, real_path(path)};
  struct stat status;
  const bool exists = stat(path.c_str(), &status) == 0;
  int fd = -1;
  if (exists && !S_ISREG(status.st_mode)) { // devices and pipes are written as they are
    fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    const mode_t mode = exists ? status.st_mode & 07777 : 0666;
    for (unsigned i = 0; fd < 0 && (i == 0 || errno == EEXIST); ++i) { // somebody else's, or left behind
      file.temporary = file.path + "." + std::to_string(getpid()) + "." + std::to_string(i) + ".part";
      fd = open(file.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
  }
  if (fd < 0) cannot_write(path);
  files_.push_back(std::move(file));
  const std::string header = path.ends_with(".npy") ? numpy_header(dtype, shape) : "";
  const bool written = write_all(fd, header.data(), header.size()) && write_all(fd, data, size);
  if (close(fd) != 0 || !written) cannot_write(path);
}

void OutputFiles::commit() {
  for (File &file : files_) {
    if (file.temporary.empty()) continue;
    if (rename(file.temporary.c_str(), file.path.c_str()) != 0) cannot_write(file.path);
    file.temporary.clear();
  }
}

} // namespace asc::kernel_file
