// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DLPack where NumPy cannot: bfloat16 has no type there, so its words come and go as uint16.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace asc {

using HostArray = nb::ndarray<nb::device::cpu, nb::c_contig>;

static constexpr nb::dlpack::dtype kBFloat16 = {uint8_t(nb::dlpack::dtype_code::Bfloat), 16, 1};

/// A view of the same memory under another element type, which keeps the array alive.
template <class View> static View view(const HostArray &array, nb::dlpack::dtype dtype) {
  std::vector<size_t> shape(array.ndim());
  for (size_t i = 0; i < array.ndim(); ++i) shape[i] = array.shape(i);
  nb::capsule owner(new HostArray(array), [](void *p) noexcept { delete static_cast<HostArray *>(p); });
  return View(const_cast<void *>(static_cast<const void *>(array.data())), array.ndim(), shape.data(), owner, nullptr, dtype);
}

void bind_dlpack(nb::module_ &m) {
  m.def(
      "from_dlpack",
      [](HostArray source) {
        const bool bfloat16 = source.dtype() == kBFloat16;
        return std::pair(view<nb::ndarray<nb::numpy>>(source, bfloat16 ? nb::dtype<uint16_t>() : source.dtype()), bfloat16);
      },
      "source"_a.noconvert(), "a NumPy array of the memory of a DLPack object, and whether its uint16 are bfloat16");
  m.def(
      "bfloat16_dlpack", [](HostArray bits) { return view<nb::ndarray<>>(bits, kBFloat16); }, "bits"_a.noconvert(),
      "a DLPack capsule whose elements are bfloat16, from an array of uint16");
}

} // namespace asc
