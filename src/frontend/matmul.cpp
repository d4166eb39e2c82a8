// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Matmul of asc.adv: a multiplication of matrices in global memory, block by block on the cube core. Its synchronous form with matrices
// in row-major order is here; the rest of its interface is refused with one code.
#include "frontend/matmul.h"

#include "apis/matmul.h"

#include <algorithm>
#include <array>
#include <utility>

namespace asc {

static bool given(const Argument &argument) { return argument.value && !argument.value.is_none(); }

static DiagnosticError unsupported(Compilation &c, std::string what, PyObject *at = nullptr) {
  return c.error("T351", what + " is not supported",
                 "a Matmul works on matrices in global memory (TPosition.GM) in row-major order (CubeFormat.ND) and waits for each result: "
                 "set_tensor_a, set_tensor_b, set_bias, then iterate and get_tensor_c, or iterate_all",
                 at);
}

static mlir::Value ir(Compilation &c, nb::handle self) { return c.use(*as<Matmul>(self)); }
static MatmulType type_of(nb::handle self) { return llvm::cast<MatmulType>(as<Matmul>(self)->ir.getType()); }

// ---------------------------------------------------------------- construction

namespace {
struct MatrixType {
  DType dtype;
  bool is_trans;
};
} // namespace

/// The number of a member of an enum of asc; others are errors.
static int64_t member_of(Compilation &c, const Argument &argument, const char *field, std::string_view enumeration, const std::string &of) {
  return member_argument(c, {argument.value.attr(field), argument.node}, enumeration, "the " + std::string(field) + " of " + of);
}

static MatrixType operand(Compilation &c, const Argument &argument, const std::string &what) {
  if (!nb::hasattr(argument.value, "__asc_matmul_type__"))
    throw c.error("T103", what + " is " + describe(argument.value) + ", expected an asc.adv.MatmulType",
                  "write asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, asc.float16)", argument.node);
  const auto position = Position(member_of(c, argument, "position", "TPosition", what));
  if (position != Position::GM) throw unsupported(c, what + " at TPosition." + std::string(name(position)), argument.node);
  if (member_of(c, argument, "format", "CubeFormat", what) != 0)
    throw unsupported(c, "another format of " + what + " than ND", argument.node);
  if (member_of(c, argument, "layout", "LayoutMode", what) != 0) throw unsupported(c, "a batch layout of " + what, argument.node);
  return {dtype_argument(c, {argument.value.attr("dtype"), argument.node}, "the dtype of " + what),
          nb::cast<bool>(nb::bool_(nb::object(argument.value.attr("is_trans"))))};
}

static nb::object construct(Compilation &c, nb::handle, Bound a) {
  const MatrixType left = operand(c, a[0], "a"), right = operand(c, a[1], "b"), result = operand(c, a[2], "c");
  const MatrixType bias = given(a[3]) ? operand(c, a[3], "bias") : MatrixType{result.dtype, false};
  if (a[5].value && static_int(c, a[5], "matmul_policy") != 0) throw unsupported(c, "a matmul_policy other than 0", a[5].node);
  int64_t order = 2;
  if (given(a[4])) {
    if (!nb::hasattr(a[4].value, "__asc_matmul_config__"))
      throw c.error("T103", "matmul_config is " + describe(a[4].value) + ", expected an asc.adv.MatmulConfig", {}, a[4].node);
    order = nb::cast<int64_t>(nb::int_(nb::object(a[4].value.attr("iterate_order"))));
    for (nb::handle name : nb::object(a[4].value.attr("changed")()))
      if (text(name) != "iterate_order") throw unsupported(c, "the field " + std::string(text(name)) + " of a MatmulConfig", a[4].node);
  }
  // A result of half or bfloat16 has no bias of its own type unless one is given.
  MatmulTypes types{left.dtype, result.dtype, bias.dtype};
  if (!given(a[3]) && left.dtype != DType::Int8 && !is_legal(types)) types.bias = DType::Float32;
  if (left.dtype != right.dtype || !is_legal(types))
    throw c.error("T352",
                  "no Matmul of " + std::string(name(left.dtype)) + " and " + std::string(name(right.dtype)) + " gives " +
                      std::string(name(result.dtype)) + (given(a[3]) ? " with a bias of " + std::string(name(bias.dtype)) : ""),
                  "A and B are int8 with C and bias int32; float16 with C and bias float32 or float16; bfloat16 or float32 with C float32, "
                  "float16 or bfloat16 and a bias of float32");
  const auto element = [&](DType dtype) { return element_type(c.context, dtype); };
  mlir::Type type = MatmulType::get(&c.context, element(types.ab), element(types.c), element(types.bias),
                                    unsigned(left.is_trans) | unsigned(right.is_trans) << 1, unsigned(order));
  return c.make<Matmul>(c.ops.create<MatmulOp>(c.loc(), type), DType::Void);
}

/// A TCubeTiling.
static mlir::Value tiling_argument(Compilation &c, const Argument &argument) {
  auto *structure = as<Structure>(argument.value);
  auto type = structure ? llvm::cast<StructType>(structure->ir.getType()) : StructType();
  if (!type || type.getName().getValue() != "TCubeTiling" || !type.getHeader())
    throw c.error("T103", "the tiling is " + describe(argument.value) + ", expected an asc.adv.TCubeTiling",
                  "pass it to the kernel: def kernel(..., tiling: asc.adv.TCubeTiling)", argument.node);
  return c.use(*structure);
}

nb::object register_matmul(Compilation &c, nb::handle, Bound a) {
  auto *pipe = as<TPipe>(a[0].value);
  if (!pipe) throw c.error("T103", "the pipe is " + describe(a[0].value) + ", expected a TPipe", {}, a[0].node);
  auto *workspace = as<GlobalAddress>(a[1].value);
  if (!workspace)
    throw c.error("T103", "the workspace is " + describe(a[1].value) + ", expected a GlobalAddress",
                  "pass an array of 16 MiB to the kernel as the workspace of the library", a[1].node);
  if (!as<Matmul>(a[2].value)) throw c.error("T103", "this is " + describe(a[2].value) + ", expected a Matmul", {}, a[2].node);
  mlir::Value tiling = given(a[3]) ? tiling_argument(c, a[3]) : mlir::Value();
  c.ops.create<RegisterMatmulOp>(c.loc(), c.use(*pipe), c.use(*workspace), ir(c, a[2].value), tiling);
  return nb::none();
}

// ---------------------------------------------------------------- operands and sizes

static nb::object init(Compilation &c, nb::handle self, Bound a) {
  c.ops.create<MatmulInitOp>(c.loc(), ir(c, self), tiling_argument(c, a[0]));
  return nb::none();
}

/// A tensor in global memory with elements of that type.
static mlir::Value tensor_argument(Compilation &c, const Argument &argument, const std::string &what, mlir::Type element) {
  if (as<LocalTensor>(argument.value)) throw unsupported(c, what + " in on-chip memory", argument.node);
  if (number_of(argument.value) || as<PlainValue>(argument.value)) throw unsupported(c, what + " as a number", argument.node);
  auto *tensor = as<GlobalTensor>(argument.value);
  if (!tensor) throw c.error("T103", what + " is " + describe(argument.value) + ", expected a GlobalTensor", {}, argument.node);
  mlir::Value value = tensor_ir(c, argument.value);
  if (tensor->dtype != dtype_of(element))
    throw c.error("T352",
                  what + " has the dtype " + std::string(name(tensor->dtype)) + ", and the type of the Matmul says " +
                      std::string(name(dtype_of(element))),
                  "give the MatmulType the dtype of the tensor", argument.node);
  return value;
}

static mlir::Value flag_argument(Compilation &c, const Argument &argument, bool otherwise) {
  if (!given(argument)) return int_constant(c, otherwise, DType::Bool);
  At at(c, argument.node ? argument.node : c.node);
  Truth flag = truth(c, argument.value);
  return flag.known ? int_constant(c, *flag.known, DType::Bool) : flag.ir;
}
static std::optional<bool> known_flag(Compilation &c, const Argument &argument) {
  return given(argument) ? truth(c, argument.value).known : std::optional(false);
}

template <unsigned kOperand> static nb::object set_operand(Compilation &c, nb::handle self, Bound a) {
  constexpr const char *kNames[] = {"A", "B", "the bias"};
  MatmulType type = type_of(self);
  mlir::Value matmul = ir(c, self), tensor = tensor_argument(c, a[0], kNames[kOperand], kOperand == 2 ? type.getBias() : type.getAb());
  mlir::Value transpose;
  if constexpr (kOperand < 2) {
    if (known_flag(c, a[1]) == true && !(type.getTransposable() >> kOperand & 1))
      throw c.error("T353", std::string(kNames[kOperand]) + " is transposed, and its MatmulType does not permit that",
                    "write asc.adv.MatmulType(position, format, dtype, is_trans=True)", a[1].node);
    transpose = flag_argument(c, a[1], false);
  }
  c.ops.create<MatmulSetOp>(c.loc(), kOperand, matmul, tensor, transpose);
  return nb::none();
}

static nb::object disable_bias(Compilation &c, nb::handle self, Bound) {
  c.ops.create<MatmulDisableBiasOp>(c.loc(), ir(c, self));
  return nb::none();
}

template <unsigned kShape> static nb::object set_shape(Compilation &c, nb::handle self, Bound a) {
  mlir::Value matmul = ir(c, self);
  llvm::SmallVector<mlir::Value> sizes;
  for (const Argument &argument : a) {
    if (!given(argument)) {
      if (kShape == 2)
        sizes.push_back(int_constant(c, -1, DType::Int32));
      else if (sizes.size() == 3 && given(a[4]))
        sizes.push_back(sizes[2]); // kb is ka
      continue;
    }
    At at(c, argument.node ? argument.node : c.node);
    sizes.push_back(index(c, argument.value, "the size").ir);
  }
  c.ops.create<MatmulShapeOp>(c.loc(), kShape, matmul, sizes);
  return nb::none();
}

// ---------------------------------------------------------------- results

static nb::object iterate(Compilation &c, nb::handle self, Bound a) {
  if (known_flag(c, a[1]) != true && given(a[1])) throw unsupported(c, "iterate(sync=False)", a[1].node);
  if (given(a[2])) throw unsupported(c, "a local_c_matrix", a[2].node);
  ir(c, self);
  return nb::cast(MatmulLoop{nb::borrow(self), a[0].value, a[0].node});
}

mlir::Value iterate_once(Compilation &c, const MatmulLoop &loop) {
  return c.ops.create<MatmulIterateOp>(c.loc(), scalar_type(c.context, DType::Bool), ir(c, loop.matmul),
                                       flag_argument(c, {loop.partial_sum, loop.node}, false));
}

template <class Op>
static nb::object store(Compilation &c, nb::handle self, const Argument &to, const Argument &en_atomic, const Argument &sequential) {
  mlir::Value matmul = ir(c, self), tensor = tensor_argument(c, to, "C", type_of(self).getC());
  mlir::Value atomic = int_constant(c, 0, DType::Int32);
  if (given(en_atomic)) {
    At at(c, en_atomic.node ? en_atomic.node : c.node);
    Index mode = index(c, en_atomic.value, "en_atomic");
    if (mode.known && (*mode.known < 0 || *mode.known >= int64_t(kStoreModes)))
      throw c.error("T103", "en_atomic is " + std::to_string(*mode.known) + ", expected 0 (store), 1 (add), 2 (max) or 3 (min)");
    atomic = mode.ir;
  }
  c.ops.create<Op>(c.loc(), matmul, tensor, atomic, flag_argument(c, sequential, false));
  return nb::none();
}

static nb::object get_tensor_c(Compilation &c, nb::handle self, Bound a) {
  if (given(a[3]) && known_flag(c, a[3]) != true) throw unsupported(c, "get_tensor_c(sync=False)", a[3].node);
  if (given(a[4])) throw unsupported(c, "an optional_tensor", a[4].node);
  return store<MatmulGetOp>(c, self, a[0], a[1], a[2]);
}
static nb::object iterate_all(Compilation &c, nb::handle self, Bound a) {
  if (given(a[2]) && known_flag(c, a[2]) != true) throw unsupported(c, "iterate_all(sync=False)", a[2].node);
  if (given(a[4]) && known_flag(c, a[4]) != false) throw unsupported(c, "wait_iterate_all", a[4].node);
  if (given(a[5]) && known_flag(c, a[5]) != false) throw unsupported(c, "fake_msg", a[5].node);
  return store<MatmulIterateAllOp>(c, self, a[0], a[1], a[3]);
}
static nb::object end(Compilation &c, nb::handle self, Bound) {
  c.ops.create<MatmulEndOp>(c.loc(), ir(c, self));
  return nb::none();
}

// ---------------------------------------------------------------- tables

static constexpr std::string_view kOthers[][3] = {
    {"wait_iterate_all", "", "WaitIterateAll"},
    {"iterate_batch",
     "tensor, batch_a=, batch_b=, en_sequential_write=, matrix_stride_a=0, matrix_stride_b=0, matrix_stride_c=0, en_partial_sum=, en_atomic=, "
     "sync=True, wait_iterate_batch=",
     "IterateBatch"},
    {"wait_iterate_batch", "", "WaitIterateBatch"},
    {"get_batch_tensor_c", "tensor=, batch_a=, batch_b=, en_sequential_write=False, sync=True", "GetBatchTensorC"},
    {"iterate_n_batch",
     "batch_loop, batch_a, batch_b, en_sequential_write, matrix_stride_a=0, matrix_stride_b=0, matrix_stride_c=0, sync=True, "
     "wait_iterate_batch=False",
     "IterateNBatch"},
    {"set_self_define_data", "data_ptr", "SetSelfDefineData"},
    {"set_sparse_index", "index_global", "SetSparseIndex"},
    {"set_user_def_info", "tiling_ptr", "SetUserDefInfo"},
    {"set_hf32", "enable_hf32=False, trans_mode=0", "SetHF32"},
    {"set_batch_num", "batch_a, batch_b", "SetBatchNum"},
    {"set_workspace", "addr, size=None", "SetWorkspace"},
    {"wait_get_tensor_c", "", "WaitGetTensorC"},
    {"get_offset_c", "", "GetOffsetC"},
    {"async_get_tensor_c", "c", "AsyncGetTensorC"},
    {"set_quant_scalar", "quant_scalar", "SetQuantScalar"},
    {"set_quant_vector", "quant_vector", "SetQuantVector"},
};
template <unsigned kNumber> static nb::object other(Compilation &c, nb::handle, Bound) {
  throw unsupported(c, std::string(kOthers[kNumber][0]) + "()");
}
template <unsigned... kNumbers> static constexpr auto others(std::integer_sequence<unsigned, kNumbers...>) {
  return std::array{Function{kOthers[kNumbers][0], kOthers[kNumbers][1], "Not supported: T351.", other<kNumbers>, kOthers[kNumbers][2]}...};
}

static constexpr auto kMethods = [] {
  constexpr Function kSupported[] = {
      {"init", "tiling", "Gives the Matmul another TCubeTiling: all sizes are those of the tiling, and iterate begins anew.", init, "Init"},
      {"set_tensor_a", "tensor, transpose=False", "A begins at the tensor, a GlobalTensor; iterate begins anew.", set_operand<0>,
       "SetTensorA"},
      {"set_tensor_b", "tensor, transpose=False", "B begins at the tensor, a GlobalTensor; iterate begins anew.", set_operand<1>,
       "SetTensorB"},
      {"set_bias", "tensor", "A number for each column, added to every row of C until disable_bias().", set_operand<2>, "SetBias"},
      {"disable_bias", "", "No bias is added from now on.", disable_bias, "DisableBias"},
      {"set_org_shape", "org_m, org_n, org_ka, org_kb=None, org_kc=None",
       "Sizes of the whole matrices in memory, which are the distances of their rows; org_kb is org_ka and org_kc, the distance of the rows "
       "of C, is org_n unless they are given.",
       set_shape<0>, "SetOrgShape"},
      {"set_single_shape", "single_m, single_n, single_k",
       "The part of this core: single_m rows and single_n columns of C, sums over single_k.", set_shape<1>, "SetSingleShape"},
      {"set_tail", "tail_m=-1, tail_n=-1, tail_k=-1", "The same; -1 leaves a size as it is.", set_shape<2>, "SetTail"},
      {"iterate", "en_partial_sum=False, sync=True, local_c_matrix=None",
       "A loop over the blocks of C: with mm.iterate() as i computes block i, an int32 from 0 on, in every round. en_partial_sum adds to the "
       "block before, for a C of one block.",
       iterate, "Iterate"},
      {"get_tensor_c", "tensor, en_atomic=0, en_sequential_write=False, sync=True, optional_tensor=None",
       "Stores the block that iterate has computed at its place in the GlobalTensor, or packed at its start with en_sequential_write. en_atomic "
       "1 adds to what is there, 2 keeps the larger, 3 the smaller number.",
       get_tensor_c, "GetTensorC"},
      {"iterate_all", "tensor, en_atomic=0, sync=True, en_sequential_write=None, wait_iterate_all=None, fake_msg=None",
       "Computes and stores all blocks of C; with en_sequential_write block i begins i * base_m * base_n elements after the start.",
       iterate_all, "IterateAll"},
      {"end", "", "Ends the Matmul.", end, "End"},
  };
  constexpr auto kUnsupported = others(std::make_integer_sequence<unsigned, std::size(kOthers)>());
  std::array<Function, std::size(kSupported) + kUnsupported.size()> all{};
  std::copy(kUnsupported.begin(), kUnsupported.end(), std::copy(std::begin(kSupported), std::end(kSupported), all.begin()));
  return all;
}();

static constexpr Function kConstructor = {
    "Matmul", "a, b, c, bias=None, matmul_config=None, matmul_policy=0",
    "C = A B + bias on the cube core, for matrices in global memory; a, b, c and bias are MatmulTypes.", construct};

std::span<const Class> matmul_classes() {
  static constexpr Class kClasses[] = {{class_of<Matmul>, "Matmul", kMethods, &kConstructor}};
  return kClasses;
}

} // namespace asc
