// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `asc` dialect: types, and the ops that stand for structure. Everything else that a kernel calls is registered from the API rows
// (api_ops.h). Scalars are arith; control flow is scf; device functions are func.func. MLIR integers are signless; `ui8`..`ui64` appear as
// element types of tensors and addresses and in dtype attributes only.
#ifndef ASC_TD
#define ASC_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AscDialect : Dialect {
  let name = "asc";
  let cppNamespace = "::asc";
  let summary = "Ascend C kernels";
  let isExtensible = 1;
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// The row that an op was registered from; null for structural ops.
    const ::asc::Row *row_of(::mlir::OperationName name) const { return rows_.lookup(name.getAsOpaquePointer()); }
    ::mlir::OperationName name_of(const ::asc::Row &row) const;
    void register_row(const ::asc::Row &row);

  private:
    ::llvm::DenseMap<const void *, const ::asc::Row *> rows_;
    ::llvm::DenseMap<const ::asc::Row *, const void *> names_;
  }];
}

class AscType<string cls, string mnemonic_> : TypeDef<AscDialect, cls> {
  let mnemonic = mnemonic_;
  let genVerifyDecl = 1; // the element is a dtype
}

def AddressType : AscType<"Address", "address"> {
  let summary = "pointer into global memory (`__gm__ T*`)";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def GlobalTensorType : AscType<"GlobalTensor", "global_tensor"> {
  let summary = "typed view of global memory";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}
def LocalTensorType : AscType<"LocalTensor", "local_tensor"> {
  let summary = "typed view of on-chip memory at a logical position";
  let parameters = (ins "::mlir::Type":$element, "unsigned":$position);
  let hasCustomAssemblyFormat = 1; // <f32, VECIN>
}

// Objects of the framework. Which one a value is does not depend on the run: no branch or loop carries them.
class ObjectType<string cls, string mnemonic_> : TypeDef<AscDialect, cls> {
  let mnemonic = mnemonic_;
}
def PipeType : ObjectType<"Pipe", "pipe"> {
  let summary = "the TPipe: owner of on-chip memory and event ids";
}
class PlacedType<string cls, string mnemonic_> : ObjectType<cls, mnemonic_> {
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}
def QueueType : PlacedType<"Queue", "queue"> {
  let summary = "queue of buffers between two positions: <VECIN, 2> is a TQue, <GM, VECIN, 2> a TQueBind";
  let parameters = (ins "unsigned":$src, "unsigned":$dst, "unsigned":$depth, "bool":$bind);
  let extraClassDeclaration = [{
    /// The end whose memory the buffers lie in; tensors of the queue are at that position.
    ::asc::Position position() const;
  }];
}
def BufType : PlacedType<"Buf", "buf"> {
  let summary = "a TBuf: one buffer without a queue";
  let parameters = (ins "unsigned":$position);
}
def BufPoolType : PlacedType<"BufPool", "buf_pool"> {
  let summary = "a TBufPool for at most `buffers` buffers: <VECCALC, 4>";
  let parameters = (ins "unsigned":$position, "unsigned":$buffers);
}
def AllocatorType : PlacedType<"Allocator", "allocator"> {
  let summary = "a LocalMemAllocator of one memory: <UB>";
  let parameters = (ins "unsigned":$memory);
}

def MatmulType : ObjectType<"Matmul", "matmul"> {
  let summary = "a Matmul: element types of A and B, C, and the bias, the tensors that may be transposed (1: A, 2: B), and a member of IterateOrder";
  let parameters = (ins "::mlir::Type":$ab, "::mlir::Type":$c, "::mlir::Type":$bias, "unsigned":$transposable, "unsigned":$order);
  let assemblyFormat = "`<` $ab `,` $c `,` $bias `,` $transposable `,` $order `>`";
  let genVerifyDecl = 1;
}

// Objects in the memory of the scalar unit.
def TensorListType : ObjectType<"TensorList", "tensor_list"> {
  let summary = "a ListTensorDesc: tensors that a kernel gets as one argument";
}
def TensorDescType : ObjectType<"TensorDesc", "tensor_desc"> {
  let summary = "a TensorDesc: one of them";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
  let genVerifyDecl = 1;
}
def ArrayType : ObjectType<"Array", "array"> {
  let summary = "array of numbers: <i32 x 8>";
  let parameters = (ins "::mlir::Type":$element, "unsigned":$length);
  let assemblyFormat = "`<` $element `x` $length `>`";
  let genVerifyDecl = 1;
}
def ShapeInfoType : ObjectType<"ShapeInfo", "shape_info"> {
  let summary = "a ShapeInfo with that many dimensions, and original ones; both 0: an empty one";
  let parameters = (ins "unsigned":$rank, "unsigned":$original);
  let assemblyFormat = "`<` $rank `,` $original `>`";
  let genVerifyDecl = 1;
}
def StructType : ObjectType<"Struct", "struct"> {
  let summary = "structure: its name, names and types of its fields (numbers and structures), the most that they are aligned to, and the header "
                "of Ascend C that defines it, if one does";
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::ArrayAttr":$names, "::mlir::ArrayAttr":$types, "unsigned":$pack,
                        OptionalParameter<"::mlir::StringAttr">:$header);
  let assemblyFormat = "`<` $name `,` $names `,` $types `,` $pack (`,` $header^)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned size() const { return unsigned(getNames().size()); }
    ::mlir::Type field(unsigned index) const { return ::llvm::cast<::mlir::TypeAttr>(getTypes()[index]).getValue(); }
    /// How many numbers are in it, and how many are before a field.
    unsigned leaves() const { return leaves_before(size()); }
    unsigned leaves_before(unsigned index) const;
    void add_leaves(::llvm::SmallVectorImpl<::asc::DType> &dtypes) const;
  }];
}

def KernelTensor : AnyTypeOf<[GlobalTensorType, LocalTensorType]>;
def KernelScalar : AnyTypeOf<[AnySignlessInteger, AnyFloat]>;

// Results print under their Python names.
def Named : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames", "getAsmBlockArgumentNames"]>;
class AscOp<string mnemonic, list<Trait> traits = []> : Op<AscDialect, mnemonic, !listconcat(traits, [Named])> {
  code extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn set_name) { ::asc::name_results(getOperation(), set_name); }
    void $cppClass::getAsmBlockArgumentNames(::mlir::Region &region, ::mlir::OpAsmSetValueNameFn set_name) {
      ::asc::name_arguments(region, set_name);
    }
  }];
}

def KernelOp : AscOp<"kernel", [FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "a kernel: entry point of a program";
  let description = [{`dtypes` gives the element type of each parameter with its signedness, or its structure; `arg_attrs` carry `asc.name`.}];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, ArrayAttr:$names, ArrayAttr:$dtypes,
                       UnitAttr:$no_auto_sync,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// The cores it runs on, as the pass detect_kernel_type has noted; AIV_ONLY before.
    ::asc::KernelType kernel_type();
    void set_kernel_type(::asc::KernelType type);
  }];
  let hasVerifier = 1;
}
def ReturnOp : AscOp<"return", [Pure, HasParent<"KernelOp">, Terminator]> {
  let summary = "end of a kernel";
  let assemblyFormat = "attr-dict";
}

def GlobalTensorOp : AscOp<"global_tensor", [Pure]> {
  let summary = "GlobalTensor on an address (set_global_buffer); without `size` get_size() is 0";
  let arguments = (ins AddressType:$address, Optional<AnySignlessInteger>:$size);
  let results = (outs GlobalTensorType:$tensor);
  let assemblyFormat = "$address (`,` $size^ `:` type($size))? attr-dict `:` qualified(type($address)) `->` qualified(type($tensor))";
  let hasVerifier = 1;
}
def LocalTensorOp : AscOp<"local_tensor"> {
  let summary = "LocalTensor at byte address `address` of its position's memory, `size` elements long";
  let description = [{The allocation effect keeps two variables on the same bytes apart, so that reports can name the right one.}];
  let arguments = (ins AnySignlessInteger:$address, AnySignlessInteger:$size);
  let results = (outs Res<LocalTensorType, "", [MemAlloc]>:$tensor);
  let assemblyFormat = "$address `,` $size attr-dict `:` type($address) `,` type($size) `->` qualified(type($tensor))";
}
def AutoTensorOp : AscOp<"auto_tensor"> {
  let summary = "LocalTensorAuto: a LocalTensor of `size` elements in the unified buffer, to which plan_memory gives an address";
  let arguments = (ins AnySignlessInteger:$size);
  let results = (outs Res<LocalTensorType, "", [MemAlloc]>:$tensor);
  let assemblyFormat = "$size attr-dict `:` type($size) `->` qualified(type($tensor))";
}
def ViewOp : AscOp<"view", [Pure, AllTypesMatch<["tensor", "result"]>]> {
  let summary = "sub-tensor from element `index` to the end";
  let arguments = (ins KernelTensor:$tensor, AnySignlessInteger:$index);
  let results = (outs KernelTensor:$result);
  let assemblyFormat = "$tensor `[` $index `:` type($index) `]` attr-dict `:` qualified(type($tensor))";
}
def ReinterpretCastOp : AscOp<"reinterpret_cast", [Pure]> {
  let summary = "same bytes, another element type";
  let arguments = (ins LocalTensorType:$tensor);
  let results = (outs LocalTensorType:$result);
  let assemblyFormat = "$tensor attr-dict `:` qualified(type($tensor)) `->` qualified(type($result))";
  let hasVerifier = 1;
}
def ResizeOp : AscOp<"resize", [Pure, AllTypesMatch<["tensor", "result"]>]> {
  let summary = "the tensor with another length: `size` elements (set_size), or bytes (set_buffer_len)";
  let arguments = (ins LocalTensorType:$tensor, AnySignlessInteger:$size, UnitAttr:$bytes);
  let results = (outs LocalTensorType:$result);
  let assemblyFormat = "$tensor `,` $size (`bytes` $bytes^)? attr-dict `:` qualified(type($tensor)) `,` type($size)";
}
def ShiftOp : AscOp<"shift", [Pure]> {
  let summary = "the bytes of a tensor from its element `index` on, as many as it has (set_addr_with_offset)";
  let arguments = (ins LocalTensorType:$tensor, AnySignlessInteger:$index);
  let results = (outs LocalTensorType:$result);
  let assemblyFormat = [{
    $tensor `[` $index `:` type($index) `]` attr-dict `:` qualified(type($tensor)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}
def SetUserTagOp : AscOp<"set_user_tag", [MemoryEffects<[MemWrite]>]> {
  let summary = "gives a tensor a number; UserTagOp and EnqueOp say which one";
  let arguments = (ins LocalTensorType:$tensor, I32:$tag);
  let assemblyFormat = "$tensor `,` $tag attr-dict `:` qualified(type($tensor))";
}
def UserTagOp : AscOp<"user_tag", [MemoryEffects<[MemRead]>]> {
  let summary = "the number of a tensor that has been given none since it was made: that of its buffer in a queue, or -1";
  let arguments = (ins LocalTensorType:$tensor);
  let results = (outs I32:$tag);
  let assemblyFormat = "$tensor attr-dict `:` qualified(type($tensor))";
}
def OffsetOp : AscOp<"offset", [Pure, AllTypesMatch<["address", "result"]>]> {
  let summary = "address moved by `index` elements";
  let arguments = (ins AddressType:$address, AnySignlessInteger:$index);
  let results = (outs AddressType:$result);
  let assemblyFormat = "$address `,` $index attr-dict `:` qualified(type($address)) `,` type($index)";
}
def AddressOfOp : AscOp<"address_of", [Pure]> {
  let summary = "address of the first element (get_phy_addr of a GlobalTensor)";
  let arguments = (ins GlobalTensorType:$tensor);
  let results = (outs AddressType:$address);
  let assemblyFormat = "$tensor attr-dict `:` qualified(type($tensor)) `->` qualified(type($address))";
  let hasVerifier = 1;
}
def LocalAddressOp : AscOp<"local_address", [Pure]> {
  let summary = "byte of its memory at which a tensor starts (get_phy_addr of a LocalTensor)";
  let arguments = (ins LocalTensorType:$tensor);
  let results = (outs I64:$address);
  let assemblyFormat = "$tensor attr-dict `:` qualified(type($tensor))";
}
def SizeOp : AscOp<"size", [Pure]> {
  let summary = "number of elements (get_size): i32 for local, i64 (unsigned) for global tensors";
  let arguments = (ins KernelTensor:$tensor);
  let results = (outs AnySignlessInteger:$size);
  let assemblyFormat = "$tensor attr-dict `:` qualified(type($tensor)) `->` type($size)";
  let hasVerifier = 1;
}
def GetValueOp : AscOp<"get_value", [MemoryEffects<[MemRead]>]> {
  let summary = "element `index` (S pipe)";
  let arguments = (ins KernelTensor:$tensor, AnySignlessInteger:$index);
  let results = (outs KernelScalar:$value);
  let assemblyFormat = "$tensor `[` $index `:` type($index) `]` attr-dict `:` qualified(type($tensor)) `->` type($value)";
  let hasVerifier = 1;
}
def SetValueOp : AscOp<"set_value", [MemoryEffects<[MemWrite]>]> {
  let summary = "element `index` = `value` (S pipe)";
  let arguments = (ins KernelTensor:$tensor, AnySignlessInteger:$index, KernelScalar:$value);
  let assemblyFormat = "$tensor `[` $index `:` type($index) `]` `,` $value attr-dict `:` qualified(type($tensor)) `,` type($value)";
  let hasVerifier = 1;
}
def SetFlagOp : AscOp<"set_flag", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the event's source pipe sets flag `id` when all its earlier instructions are complete";
  let arguments = (ins I32Attr:$event, AnySignlessInteger:$id);
  let assemblyFormat = "custom<EventName>($event) `,` $id attr-dict `:` type($id)";
  let hasVerifier = 1;
}
def WaitFlagOp : AscOp<"wait_flag", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the event's destination pipe waits for flag `id` and clears it";
  let arguments = (ins I32Attr:$event, AnySignlessInteger:$id);
  let assemblyFormat = "custom<EventName>($event) `,` $id attr-dict `:` type($id)";
  let hasVerifier = 1;
}
def PipeBarrierOp : AscOp<"pipe_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "later instructions of the pipe start after all earlier ones completed";
  let arguments = (ins I32Attr:$pipe);
  let assemblyFormat = "custom<PipeName>($pipe) attr-dict";
  let hasVerifier = 1;
}
def DataSyncBarrierOp : AscOp<"data_sync_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "S waits until earlier accesses are complete, of the memories that `kind` (asc.DataBarrier) names";
  let arguments = (ins I32Attr:$kind);
  let assemblyFormat = "$kind attr-dict";
  let hasVerifier = 1;
}
class CrossCoreFlagOp<string mnemonic> : AscOp<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins AnySignlessInteger:$flag, I32Attr:$mode, I32Attr:$pipe);
  let assemblyFormat = "$flag `,` `mode` $mode `,` custom<PipeName>($pipe) attr-dict `:` type($flag)";
  let hasVerifier = 1;
}
def CrossCoreSetFlagOp : CrossCoreFlagOp<"cross_core_set_flag"> {
  let summary = "sets a flag for other cores when all earlier instructions of the pipe are complete";
}
def CrossCoreWaitFlagOp : CrossCoreFlagOp<"cross_core_wait_flag"> {
  let summary = "the core waits until other cores have set the flag";
}
def RoundOp : AscOp<"round", [MemoryEffects<[MemWrite]>]> {
  let summary = "a round of a while loop begins: without an effect, a loop that may never end would be taken for dead code";
  let assemblyFormat = "attr-dict";
}

// Addresses that the core keeps (types.h): of the workspace of the system, and of contexts of collective communication.
def SetPointerOp : AscOp<"set_pointer", [MemoryEffects<[MemWrite]>]> {
  let summary = "pointer `number` of the core becomes `address`";
  let arguments = (ins I32Attr:$number, AddressType:$address);
  let assemblyFormat = "$number `,` $address attr-dict `:` qualified(type($address))";
  let hasVerifier = 1;
}
def GetPointerOp : AscOp<"get_pointer", [MemoryEffects<[MemRead]>]> {
  let summary = "pointer `number` of the core";
  let arguments = (ins I32Attr:$number);
  let results = (outs AddressType:$address);
  let assemblyFormat = "$number attr-dict `:` qualified(type($address))";
  let hasVerifier = 1;
}

// Text. `dtypes` are the asc.DType numbers of the values; formats are those of printf (apis/format.h).
def PrintedValue : AnyTypeOf<[KernelScalar, AddressType]>;
def PrintfOp : AscOp<"printf", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "prints values by a format";
  let arguments = (ins StrAttr:$format, DenseI32ArrayAttr:$dtypes, Variadic<PrintedValue>:$values);
  let assemblyFormat = "$format (`,` $values^ `:` qualified(type($values)))? attr-dict";
  let hasVerifier = 1;
}
def AssertOp : AscOp<"assert", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "stops the launch unless the condition, whose Python text is `test`, holds";
  let description = [{The first values belong to the format of the message; the rest has the `names` and is for the report.}];
  let arguments = (ins I1:$condition, StrAttr:$test, StrAttr:$format, DenseI32ArrayAttr:$dtypes, StrArrayAttr:$names,
                       Variadic<PrintedValue>:$values);
  let assemblyFormat = "$condition `,` $test `,` $format (`,` $values^ `:` qualified(type($values)))? attr-dict";
  let hasVerifier = 1;
}
def ToFileOp : AscOp<"to_file", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "writes the bytes of a tensor to a file of the host";
  let arguments = (ins LocalTensorType:$tensor, StrAttr:$file);
  let assemblyFormat = "$tensor `,` $file attr-dict `:` qualified(type($tensor))";
}
def TrapOp : AscOp<"trap", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "stops the launch";
  let assemblyFormat = "attr-dict";
}

def StatementOp : AscOp<"statement", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a moment of a kernel in debug form: entry `number` of its debug table, with the parts of variables that exist at run time";
  let description = [{`dtypes` are those of the values, of tensors and addresses the elements'; `names` their variables.}];
  let arguments = (ins I32Attr:$moment, I32Attr:$number, DenseI32ArrayAttr:$dtypes, StrArrayAttr:$names,
                       Variadic<AnyTypeOf<[KernelScalar, AddressType, KernelTensor]>>:$values);
  let assemblyFormat = "custom<MomentName>($moment) $number (`,` $values^ `:` qualified(type($values)))? attr-dict";
  let hasVerifier = 1;
}

// The framework. Every op reads and writes its object, so that none of them moves or disappears.
def Owner : AnyTypeOf<[PipeType, BufPoolType]>;
class FrameworkOp<string mnemonic, list<Trait> traits = []>
    : AscOp<mnemonic, !listconcat(traits, [MemoryEffects<[MemRead, MemWrite]>])>;

def PipeOp : FrameworkOp<"pipe"> {
  let summary = "constructor of the TPipe; its destructor runs at the end of the block";
  let results = (outs PipeType:$pipe);
  let assemblyFormat = "attr-dict `:` qualified(type($pipe))";
}
def PipePtrOp : FrameworkOp<"pipe_ptr"> {
  let summary = "the TPipe of the kernel (get_tpipe_ptr)";
  let results = (outs PipeType:$pipe);
  let assemblyFormat = "attr-dict `:` qualified(type($pipe))";
}
class PipeMethod<string mnemonic> : FrameworkOp<mnemonic> {
  let arguments = (ins PipeType:$pipe);
  let assemblyFormat = "$pipe attr-dict `:` qualified(type($pipe))";
}
def PipeInitOp : PipeMethod<"pipe_init"> { let summary = "TPipe.init"; }
def PipeResetOp : PipeMethod<"pipe_reset"> { let summary = "TPipe.reset"; }
def PipeDestroyOp : PipeMethod<"pipe_destroy"> { let summary = "TPipe.destroy"; }

class Constructor<string mnemonic, Type type, string about> : FrameworkOp<mnemonic> {
  let summary = about;
  let results = (outs type:$object);
  let assemblyFormat = "attr-dict `:` qualified(type($object))";
}
def QueueOp : Constructor<"queue", QueueType, "constructor of a TQue or TQueBind">;
def BufOp : Constructor<"buf", BufType, "constructor of a TBuf">;
def BufPoolOp : Constructor<"buf_pool", BufPoolType, "constructor of a TBufPool">;
def AllocatorOp : Constructor<"allocator", AllocatorType, "constructor of a LocalMemAllocator">;

def InitQueueOp : FrameworkOp<"init_queue"> {
  let summary = "gives a queue `number` buffers of `bytes` bytes";
  let arguments = (ins Owner:$owner, QueueType:$queue, AnySignlessInteger:$number, AnySignlessInteger:$bytes);
  let assemblyFormat = [{
    $owner `,` $queue `,` $number `,` $bytes attr-dict
    `:` qualified(type($owner)) `,` qualified(type($queue)) `,` type($number) `,` type($bytes)
  }];
  let hasVerifier = 1;
}
def InitBufOp : FrameworkOp<"init_buf"> {
  let summary = "gives a TBuf its `bytes` bytes";
  let arguments = (ins Owner:$owner, BufType:$buf, AnySignlessInteger:$bytes);
  let assemblyFormat = [{
    $owner `,` $buf `,` $bytes attr-dict `:` qualified(type($owner)) `,` qualified(type($buf)) `,` type($bytes)
  }];
  let hasVerifier = 1;
}
def InitPoolOp : FrameworkOp<"init_pool"> {
  let summary = "gives a pool `bytes` bytes: new ones, or those of another pool";
  let arguments = (ins Owner:$owner, BufPoolType:$pool, AnySignlessInteger:$bytes, Optional<BufPoolType>:$shared);
  let assemblyFormat = [{
    $owner `,` $pool `,` $bytes (`sharing` $shared^ `:` qualified(type($shared)))? attr-dict
    `:` qualified(type($owner)) `,` qualified(type($pool)) `,` type($bytes)
  }];
  let hasVerifier = 1;
}
def ResetPoolOp : FrameworkOp<"reset_pool"> {
  let summary = "TBufPool.reset";
  let arguments = (ins BufPoolType:$pool);
  let assemblyFormat = "$pool attr-dict `:` qualified(type($pool))";
}

def AllocTensorOp : FrameworkOp<"alloc_tensor"> {
  let summary = "takes a free buffer of the queue";
  let arguments = (ins QueueType:$queue);
  let results = (outs LocalTensorType:$tensor);
  let assemblyFormat = "$queue attr-dict `:` qualified(type($queue)) `->` qualified(type($tensor))";
  let hasVerifier = 1;
}
def EnqueOp : FrameworkOp<"enque"> {
  let summary = "appends a tensor, with a tag if it has got one; the positions choose another event than that of the queue";
  let arguments = (ins QueueType:$queue, LocalTensorType:$tensor, Optional<I32>:$tag, OptionalAttr<I32Attr>:$src,
                       OptionalAttr<I32Attr>:$dst);
  let assemblyFormat = [{
    $queue `,` $tensor (`tag` $tag^)? (`from` custom<PositionName>($src)^ `to` custom<PositionName>($dst))? attr-dict
    `:` qualified(type($queue)) `,` qualified(type($tensor))
  }];
  let hasVerifier = 1;
}
def DequeOp : FrameworkOp<"deque"> {
  let summary = "takes the first tensor off the queue";
  let arguments = (ins QueueType:$queue, OptionalAttr<I32Attr>:$src, OptionalAttr<I32Attr>:$dst);
  let results = (outs LocalTensorType:$tensor);
  let assemblyFormat = [{
    $queue (`from` custom<PositionName>($src)^ `to` custom<PositionName>($dst))? attr-dict
    `:` qualified(type($queue)) `->` qualified(type($tensor))
  }];
  let hasVerifier = 1;
}
def DequeInPlaceOp : FrameworkOp<"deque_in_place"> {
  let summary = "takes this very tensor off a queue of depth 0";
  let arguments = (ins QueueType:$queue, LocalTensorType:$tensor);
  let assemblyFormat = "$queue `,` $tensor attr-dict `:` qualified(type($queue)) `,` qualified(type($tensor))";
  let hasVerifier = 1;
}
def FreeTensorOp : FrameworkOp<"free_tensor"> {
  let summary = "gives the buffer of a tensor back";
  let arguments = (ins QueueType:$queue, LocalTensorType:$tensor);
  let assemblyFormat = "$queue `,` $tensor attr-dict `:` qualified(type($queue)) `,` qualified(type($tensor))";
  let hasVerifier = 1;
}
def FreeAllEventOp : FrameworkOp<"free_all_event"> {
  let summary = "waits until all buffers that were given back are no longer in use";
  let arguments = (ins QueueType:$queue);
  let assemblyFormat = "$queue attr-dict `:` qualified(type($queue))";
}
def QueueStateOp : FrameworkOp<"queue_state"> {
  let summary = "vacant, has_tensor, idle: i1; count: i32";
  let arguments = (ins I32Attr:$query, QueueType:$queue);
  let results = (outs AnySignlessInteger:$value);
  let assemblyFormat = "custom<QueryName>($query) $queue attr-dict `:` qualified(type($queue)) `->` type($value)";
  let hasVerifier = 1;
}

def GetBufOp : FrameworkOp<"get_buf", [AttrSizedOperandSegments]> {
  let summary = "the tensor of a TBuf, or `size` elements of it, from byte `offset` on";
  let arguments = (ins BufType:$buf, Optional<AnySignlessInteger>:$size, Optional<AnySignlessInteger>:$offset);
  let results = (outs LocalTensorType:$tensor);
  let assemblyFormat = [{
    $buf (`size` $size^ `:` type($size))? (`offset` $offset^ `:` type($offset))? attr-dict
    `:` qualified(type($buf)) `->` qualified(type($tensor))
  }];
  let hasVerifier = 1;
}
def StackBufferOp : FrameworkOp<"stack_buffer"> {
  let summary = "the part of the unified buffer that the TPipe has not given out (pop_stack_buffer)";
  let results = (outs LocalTensorType:$tensor);
  let assemblyFormat = "attr-dict `->` qualified(type($tensor))";
  let hasVerifier = 1;
}
def AllocEventIdOp : FrameworkOp<"alloc_event_id"> {
  let summary = "takes an id of an event";
  let arguments = (ins PipeType:$pipe, I32Attr:$event);
  let results = (outs I32:$id);
  let assemblyFormat = "$pipe `,` custom<EventName>($event) attr-dict `:` qualified(type($pipe))";
  let hasVerifier = 1;
}
def FetchEventIdOp : FrameworkOp<"fetch_event_id"> {
  let summary = "an id of an event that is free";
  let arguments = (ins PipeType:$pipe, I32Attr:$event);
  let results = (outs I32:$id);
  let assemblyFormat = "$pipe `,` custom<EventName>($event) attr-dict `:` qualified(type($pipe))";
  let hasVerifier = 1;
}
def ReleaseEventIdOp : FrameworkOp<"release_event_id"> {
  let summary = "gives an id of an event back";
  let arguments = (ins PipeType:$pipe, I32Attr:$event, AnySignlessInteger:$id);
  let assemblyFormat = "$pipe `,` custom<EventName>($event) `,` $id attr-dict `:` qualified(type($pipe)) `,` type($id)";
  let hasVerifier = 1;
}
def BaseAddressOp : FrameworkOp<"base_address"> {
  let summary = "where the pool of a position's memory begins";
  let arguments = (ins PipeType:$pipe, I32Attr:$position);
  let results = (outs I32:$address);
  let assemblyFormat = "$pipe `,` custom<PositionName>($position) attr-dict `:` qualified(type($pipe))";
}

def AllocateOp : FrameworkOp<"allocate"> {
  let summary = "the next `size` elements of the allocator's memory";
  let arguments = (ins AllocatorType:$allocator, AnySignlessInteger:$size);
  let results = (outs LocalTensorType:$tensor);
  let assemblyFormat = "$allocator `,` $size attr-dict `:` qualified(type($allocator)) `,` type($size) `->` qualified(type($tensor))";
  let hasVerifier = 1;
}
def CurrentAddressOp : FrameworkOp<"current_address"> {
  let summary = "byte address of the next tensor";
  let arguments = (ins AllocatorType:$allocator);
  let results = (outs I32:$address);
  let assemblyFormat = "$allocator attr-dict `:` qualified(type($allocator))";
}

// The Matmul.
def MatmulOp : Constructor<"matmul", MatmulType, "constructor of a Matmul">;
def RegisterMatmulOp : FrameworkOp<"register_matmul"> {
  let summary = "the Matmul is served from now on; gives it a tiling, if there is one";
  let arguments = (ins PipeType:$pipe, AddressType:$workspace, MatmulType:$matmul, Optional<StructType>:$tiling);
  let assemblyFormat = [{
    $pipe `,` $workspace `,` $matmul (`,` $tiling^ `:` qualified(type($tiling)))? attr-dict
    `:` qualified(type($pipe)) `,` qualified(type($workspace)) `,` qualified(type($matmul))
  }];
  let hasVerifier = 1;
}
def MatmulInitOp : FrameworkOp<"matmul_init"> {
  let summary = "gives a Matmul a tiling";
  let arguments = (ins MatmulType:$matmul, StructType:$tiling);
  let assemblyFormat = "$matmul `,` $tiling attr-dict `:` qualified(type($matmul)) `,` qualified(type($tiling))";
  let hasVerifier = 1;
}
def MatmulSetOp : FrameworkOp<"matmul_set"> {
  let summary = "A (0), B (1) or the bias (2) begins at the tensor; A and B may be transposed";
  let arguments = (ins I32Attr:$which, MatmulType:$matmul, GlobalTensorType:$tensor, Optional<I1>:$transpose);
  let assemblyFormat = [{
    $which $matmul `,` $tensor (`transposed` $transpose^)? attr-dict `:` qualified(type($matmul)) `,` qualified(type($tensor))
  }];
  let hasVerifier = 1;
}
def MatmulDisableBiasOp : FrameworkOp<"matmul_disable_bias"> {
  let summary = "no bias is added from now on";
  let arguments = (ins MatmulType:$matmul);
  let assemblyFormat = "$matmul attr-dict `:` qualified(type($matmul))";
}
def MatmulShapeOp : FrameworkOp<"matmul_shape"> {
  let summary = "sizes of the matrices in memory (0), of the part of this core (1), or of its tail (2)";
  let arguments = (ins I32Attr:$shape, MatmulType:$matmul, Variadic<AnySignlessInteger>:$sizes);
  let assemblyFormat = "$shape $matmul `,` $sizes attr-dict `:` qualified(type($matmul)) `,` type($sizes)";
  let hasVerifier = 1;
}
def MatmulIterateOp : FrameworkOp<"matmul_iterate"> {
  let summary = "computes the next block, or adds to the one before; false after the last one";
  let arguments = (ins MatmulType:$matmul, I1:$partial_sum);
  let results = (outs I1:$more);
  let assemblyFormat = "$matmul `,` $partial_sum attr-dict `:` qualified(type($matmul))";
}
class MatmulStoreOp<string mnemonic, string about> : FrameworkOp<mnemonic> {
  let summary = about;
  let arguments = (ins MatmulType:$matmul, GlobalTensorType:$tensor, AnySignlessInteger:$atomic, I1:$sequential);
  let assemblyFormat = [{
    $matmul `,` $tensor `,` $atomic `,` $sequential attr-dict
    `:` qualified(type($matmul)) `,` qualified(type($tensor)) `,` type($atomic)
  }];
  let hasVerifier = 1;
}
def MatmulGetOp : MatmulStoreOp<"matmul_get_tensor_c", "stores the block that iterate has computed">;
def MatmulIterateAllOp : MatmulStoreOp<"matmul_iterate_all", "computes and stores all blocks">;
def MatmulEndOp : FrameworkOp<"matmul_end"> {
  let summary = "end of a Matmul";
  let arguments = (ins MatmulType:$matmul);
  let assemblyFormat = "$matmul attr-dict `:` qualified(type($matmul))";
}

// Objects in the memory of the scalar unit. What is in an object is not a value of the IR: it is read and written in program order.
def ArrayOp : AscOp<"array"> {
  let summary = "array of these `values`, or full of the one value; without any, its elements have no value yet";
  let arguments = (ins Variadic<KernelScalar>:$values);
  let results = (outs Res<ArrayType, "", [MemAlloc]>:$array);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict `->` qualified(type($array))";
  let hasVerifier = 1;
}
def ElementOp : AscOp<"element", [MemoryEffects<[MemRead]>]> {
  let summary = "element `index` of an array";
  let arguments = (ins ArrayType:$array, AnySignlessInteger:$index);
  let results = (outs KernelScalar:$value);
  let assemblyFormat = "$array `[` $index `:` type($index) `]` attr-dict `:` qualified(type($array)) `->` type($value)";
  let hasVerifier = 1;
}
def SetElementOp : AscOp<"set_element", [MemoryEffects<[MemWrite]>]> {
  let summary = "element `index` of an array = `value`";
  let arguments = (ins ArrayType:$array, AnySignlessInteger:$index, KernelScalar:$value);
  let assemblyFormat = "$array `[` $index `:` type($index) `]` `,` $value attr-dict `:` qualified(type($array)) `,` type($value)";
  let hasVerifier = 1;
}
def ShapeInfoOp : AscOp<"shape_info", [MemoryEffects<[MemRead]>]> {
  let summary = "ShapeInfo of two arrays of 32-bit integers, shape and original shape, as they are now; `format` is a member of DataFormat";
  let arguments = (ins Variadic<ArrayType>:$shapes, I32Attr:$format);
  let results = (outs Res<ShapeInfoType, "", [MemAlloc]>:$info);
  let assemblyFormat = "$format ($shapes^ `:` qualified(type($shapes)))? attr-dict `->` qualified(type($info))";
  let hasVerifier = 1;
}
def DimensionOp : AscOp<"dimension", [Pure]> {
  let summary = "dimension `index` of a ShapeInfo, or of its original shape";
  let arguments = (ins ShapeInfoType:$info, AnySignlessInteger:$index, UnitAttr:$original);
  let results = (outs I32:$size);
  let assemblyFormat = "$info `[` $index `:` type($index) `]` (`original` $original^)? attr-dict `:` qualified(type($info))";
  let hasVerifier = 1;
}
def SetL2CacheHintOp : AscOp<"set_l2_cache_hint", [MemoryEffects<[MemWrite]>]> {
  let summary = "how copies of the tensor use the L2 cache; `mode` and `rw` are members of CacheMode and CacheRwMode";
  let arguments = (ins GlobalTensorType:$tensor, I32Attr:$mode, I32Attr:$rw);
  let assemblyFormat = "$tensor `,` $mode `,` $rw attr-dict `:` qualified(type($tensor))";
  let hasVerifier = 1;
}
def SetShapeInfoOp : AscOp<"set_shape_info", [MemoryEffects<[MemWrite]>]> {
  let summary = "ties a ShapeInfo to a tensor";
  let arguments = (ins KernelTensor:$tensor, ShapeInfoType:$info);
  let assemblyFormat = "$tensor `,` $info attr-dict `:` qualified(type($tensor)) `,` qualified(type($info))";
}
def GetShapeInfoOp : AscOp<"get_shape_info", [MemoryEffects<[MemRead]>, AllTypesMatch<["info", "result"]>]> {
  let summary = "the ShapeInfo of a tensor, which is `info`";
  let arguments = (ins KernelTensor:$tensor, ShapeInfoType:$info);
  let results = (outs ShapeInfoType:$result);
  let assemblyFormat = "$tensor `,` $info attr-dict `:` qualified(type($tensor)) `,` qualified(type($info))";
}

// Lists of tensors.
def TensorListOp : Constructor<"tensor_list", TensorListType, "constructor of a ListTensorDesc">;
def TensorDescOp : Constructor<"tensor_desc", TensorDescType, "constructor of a TensorDesc">;
def ListInitOp : FrameworkOp<"list_init"> {
  let summary = "the list is that at the address; `length` bytes and `count` tensors are checked unless they are 0xFFFFFFFF";
  let arguments = (ins TensorListType:$list, AddressType:$data, I32:$length, I32:$count);
  let assemblyFormat = "$list `,` $data `,` $length `,` $count attr-dict `:` qualified(type($list)) `,` qualified(type($data))";
}
def ListSizeOp : FrameworkOp<"list_size"> {
  let summary = "number of tensors";
  let arguments = (ins TensorListType:$list);
  let results = (outs I32:$size);
  let assemblyFormat = "$list attr-dict `:` qualified(type($list))";
}
def ListDataOp : FrameworkOp<"list_data"> {
  let summary = "address of tensor `index`";
  let arguments = (ins TensorListType:$list, AnySignlessInteger:$index);
  let results = (outs AddressType:$address);
  let assemblyFormat = "$list `[` $index `:` type($index) `]` attr-dict `:` qualified(type($list)) `->` qualified(type($address))";
}
def ListDescOp : FrameworkOp<"list_desc"> {
  let summary = "`desc` is tensor `index` from now on; its shape goes to the array";
  let arguments = (ins TensorListType:$list, TensorDescType:$desc, AnySignlessInteger:$index, Optional<ArrayType>:$shape);
  let assemblyFormat = [{
    $list `[` $index `:` type($index) `]` `,` $desc (`shape` $shape^ `:` qualified(type($shape)))? attr-dict
    `:` qualified(type($list)) `,` qualified(type($desc))
  }];
}
def SetShapeAddressOp : FrameworkOp<"set_shape_address"> {
  let summary = "where the shape goes when the tensor changes: ListDescOp says so";
  let arguments = (ins TensorDescType:$desc, AnyTypeOf<[ArrayType, AnySignlessInteger]>:$shape);
  let assemblyFormat = "$desc `,` $shape attr-dict `:` qualified(type($desc)) `,` qualified(type($shape))";
}
class DescQueryOp<string mnemonic, string about> : FrameworkOp<mnemonic> {
  let summary = about;
  let arguments = (ins TensorDescType:$desc);
  let results = (outs I64:$value);
  let assemblyFormat = "$desc attr-dict `:` qualified(type($desc))";
}
def DescDimOp : DescQueryOp<"desc_dim", "number of dimensions">;
def DescIndexOp : DescQueryOp<"desc_index", "number of the tensor in its list">;
def DescShapeOp : FrameworkOp<"desc_shape"> {
  let summary = "dimension `index`";
  let arguments = (ins TensorDescType:$desc, AnySignlessInteger:$index);
  let results = (outs I64:$value);
  let assemblyFormat = "$desc `[` $index `:` type($index) `]` attr-dict `:` qualified(type($desc))";
}
def DescDataOp : FrameworkOp<"desc_data"> {
  let summary = "address of the tensor";
  let arguments = (ins TensorDescType:$desc);
  let results = (outs AddressType:$address);
  let assemblyFormat = "$desc attr-dict `:` qualified(type($desc)) `->` qualified(type($address))";
}
def DescTensorOp : FrameworkOp<"desc_tensor"> {
  let summary = "the tensor (get_data_obj)";
  let arguments = (ins TensorDescType:$desc);
  let results = (outs GlobalTensorType:$tensor);
  let assemblyFormat = "$desc attr-dict `:` qualified(type($desc)) `->` qualified(type($tensor))";
}

def StructOp : AscOp<"struct"> {
  let summary = "structure of these numbers, those of inner structures in the place of their fields";
  let arguments = (ins Variadic<KernelScalar>:$values);
  let results = (outs Res<StructType, "", [MemAlloc]>:$structure);
  let assemblyFormat = "$values `:` type($values) attr-dict `->` qualified(type($structure))";
  let hasVerifier = 1;
}
def MemberOp : AscOp<"member", [Pure]> {
  let summary = "the structure that is field `index`, in its place";
  let arguments = (ins StructType:$structure, I32Attr:$index);
  let results = (outs StructType:$member);
  let assemblyFormat = "$structure `[` $index `]` attr-dict `:` qualified(type($structure)) `->` qualified(type($member))";
  let hasVerifier = 1;
}
def GetFieldOp : AscOp<"get_field", [MemoryEffects<[MemRead]>]> {
  let summary = "the number in field `index`";
  let arguments = (ins StructType:$structure, I32Attr:$index);
  let results = (outs KernelScalar:$value);
  let assemblyFormat = "$structure `[` $index `]` attr-dict `:` qualified(type($structure)) `->` type($value)";
  let hasVerifier = 1;
}
def SetFieldOp : AscOp<"set_field", [MemoryEffects<[MemWrite]>]> {
  let summary = "field `index` = `value`";
  let arguments = (ins StructType:$structure, KernelScalar:$value, I32Attr:$index);
  let assemblyFormat = "$structure `[` $index `]` `,` $value attr-dict `:` qualified(type($structure)) `,` type($value)";
  let hasVerifier = 1;
}
def CopyStructOp : AscOp<"copy_struct", [MemoryEffects<[MemRead]>, AllTypesMatch<["structure", "copy"]>]> {
  let summary = "another structure with the same values";
  let arguments = (ins StructType:$structure);
  let results = (outs Res<StructType, "", [MemAlloc]>:$copy);
  let assemblyFormat = "$structure attr-dict `:` qualified(type($structure))";
}

// Scalar operations that arith lacks.
def FloorModOp : AscOp<"floor_mod", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "Python's % on floats and signed integers (unsigned: arith.remui): the result has the sign of the divisor";
  let arguments = (ins KernelScalar:$lhs, KernelScalar:$rhs);
  let results = (outs KernelScalar:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def FloorDivOp : AscOp<"floor_div", [Pure, AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "Python's // on floats (integers: arith.floordivsi, arith.divui)";
  let arguments = (ins KernelScalar:$lhs, KernelScalar:$rhs);
  let results = (outs KernelScalar:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def ConvertOp : AscOp<"convert", [Pure]> {
  let summary = "scalar conversion from dtype `from` to dtype `to` (asc.DType numbers), as the program's Cast; `checked`: as its Narrow";
  let arguments = (ins KernelScalar:$value, I32Attr:$from, I32Attr:$to, UnitAttr:$checked);
  let results = (outs KernelScalar:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

#endif
