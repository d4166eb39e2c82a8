// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the texts of the framework use of Ascend C, as declarations: a compiler that reads a text with them finds wrong names, missing
// arguments, and temporaries where Ascend C takes a variable.
#pragma once

#include <cstdint>

#define __aicore__
#define __global__ __attribute__((annotate("global")))
#define __gm__
#define GM_ADDR uint8_t *
#define KERNEL_TASK_TYPE_DEFAULT(type)
using half = _Float16;

namespace AscendC {

enum class TPosition : uint8_t { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC };
enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };
enum class RoundMode : uint8_t { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class HardEvent : uint8_t { MTE2_V, V_S };
enum class DataFormat : uint8_t { ND, NZ, NCHW, NC1HWC0, NHWC };
using TEventID = int8_t;

struct ShapeInfo {
  ShapeInfo() = default;
  ShapeInfo(uint8_t shapeDim, const uint32_t shape[], uint8_t originalShapeDim, const uint32_t originalShape[], DataFormat dataFormat);
  uint32_t shape[8], originalShape[8];
};

template <typename T> struct LocalTensor {
  LocalTensor() = default;
  LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize);
  LocalTensor operator[](uint32_t offset) const;
  void SetSize(uint32_t size);
  void SetBufferLen(uint32_t dataLen);
  template <typename U> void SetAddrWithOffset(LocalTensor<U> &src, uint32_t offset);
  void SetUserTag(int32_t tag);
  int32_t GetUserTag() const;
#if defined(ASCENDC_CPU_DEBUG) && ASCENDC_CPU_DEBUG == 1
  void Print(uint32_t len);
  int32_t ToFile(const char *fileName) const;
#endif
  uint32_t GetSize() const;
  void SetShapeInfo(const ShapeInfo &shapeInfo);
  ShapeInfo GetShapeInfo() const;
};
template <typename T> struct GlobalTensor {
  GlobalTensor operator[](uint64_t offset) const;
  void SetGlobalBuffer(__gm__ T *buffer, uint64_t size);
  void SetGlobalBuffer(__gm__ T *buffer);
  __gm__ T *GetPhyAddr() const;
  T GetValue(uint64_t offset) const;
  void SetValue(uint64_t offset, T value);
  void SetShapeInfo(const ShapeInfo &shapeInfo);
  ShapeInfo GetShapeInfo() const;
};

template <TPosition src, TPosition dst, int32_t depth, int32_t mask = 0> struct TQueBind {
  template <typename T> LocalTensor<T> AllocTensor();
  template <typename T> void AllocTensor(LocalTensor<T> &tensor);
  template <typename T> bool EnQue(const LocalTensor<T> &tensor);
  template <TPosition srcUserPos, TPosition dstUserPos, typename T> bool EnQue(const LocalTensor<T> &tensor);
  template <typename T> LocalTensor<T> DeQue();
  template <TPosition srcUserPos, TPosition dstUserPos, typename T> LocalTensor<T> DeQue();
  template <typename T> void DeQue(LocalTensor<T> &tensor);
  template <typename T> void FreeTensor(LocalTensor<T> &tensor);
  void FreeAllEvent();
  bool VacantInQue();
  bool HasTensorInQue();
  int32_t GetTensorCountInQue();
  bool HasIdleBuffer();

private:
  TQueBind(const TQueBind &) = delete; // passed by reference

public:
  TQueBind() = default;
};
constexpr TPosition source_of(TPosition pos) { return pos == TPosition::VECOUT ? pos : TPosition::GM; }
constexpr TPosition destination_of(TPosition pos) { return pos == TPosition::VECOUT ? TPosition::GM : pos; }
template <TPosition pos, int32_t depth, int32_t mask = 0> struct TQue : TQueBind<source_of(pos), destination_of(pos), depth, mask> {};

template <TPosition pos> struct TBuf {
  template <typename T> LocalTensor<T> Get();
  template <typename T> LocalTensor<T> Get(uint32_t len);
  template <typename T> LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset);
  TBuf() = default;
  TBuf(const TBuf &) = delete;
};

template <TPosition pos, uint32_t bufIDSize = 4> struct TBufPool {
  template <typename Queue> bool InitBuffer(Queue &que, uint8_t num, uint32_t len);
  template <TPosition bufPos> bool InitBuffer(TBuf<bufPos> &buf, uint32_t len);
  template <typename Pool> bool InitBufPool(Pool &bufPool, uint32_t len);
  template <typename Pool, typename Shared> bool InitBufPool(Pool &bufPool, uint32_t len, Shared &shareBuf);
  void Reset();
  TBufPool() = default;
  TBufPool(const TBufPool &) = delete;
};

struct TPipe {
  void Init();
  void Destroy();
  void Reset();
  template <typename Queue> bool InitBuffer(Queue &que, uint8_t num, uint32_t len);
  template <TPosition pos> bool InitBuffer(TBuf<pos> &buf, uint32_t len);
  template <typename Pool> bool InitBufPool(Pool &bufPool, uint32_t len);
  template <typename Pool, typename Shared> bool InitBufPool(Pool &bufPool, uint32_t len, Shared &shareBuf);
  template <HardEvent event> TEventID AllocEventID();
  template <HardEvent event> TEventID FetchEventID();
  template <HardEvent event> void ReleaseEventID(TEventID id);
  uint64_t GetBaseAddr(int8_t logicPos);
  TPipe() = default;
  TPipe(const TPipe &) = delete;
};
TPipe *GetTPipePtr();

template <typename T, TPosition pos> bool PopStackBuffer(LocalTensor<T> &popLocal);

template <typename T> struct TensorDesc {
  void SetShapeAddr(uint64_t *shapePtr);
  uint64_t GetDim();
  uint64_t GetIndex();
  uint64_t GetShape(uint32_t offset);
  __gm__ T *GetDataPtr();
  GlobalTensor<T> GetDataObj();
  TensorDesc() = default;
  TensorDesc(const TensorDesc &) = delete;
};
struct ListTensorDesc {
  void Init(__gm__ void *data, uint32_t length, uint32_t shapeSize);
  uint32_t GetSize();
  template <typename T> __gm__ T *GetDataPtr(uint32_t index);
  template <typename T> void GetDesc(TensorDesc<T> &desc, uint32_t index);
  ListTensorDesc() = default;
  ListTensorDesc(const ListTensorDesc &) = delete;
};

template <Hardware hard = Hardware::UB> struct LocalMemAllocator {
  template <TPosition pos, typename T, uint32_t tileSize> LocalTensor<T> Alloc();
  template <TPosition pos, typename T> LocalTensor<T> Alloc(uint32_t tileSize);
  uint32_t GetCurAddr();
  LocalMemAllocator() = default;
  LocalMemAllocator(const LocalMemAllocator &) = delete;
};

void InitSocState();
template <HardEvent event> void SetFlag(int32_t id);
template <HardEvent event> void WaitFlag(int32_t id);
template <typename T> void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, uint32_t count);
template <typename T> void Duplicate(const LocalTensor<T> &dst, const T &value, int32_t count);
template <typename T> void Add(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, int32_t count);

template <typename T, typename U, RoundMode roundMode> U ScalarCast(T valueIn);
template <int countValue> int64_t ScalarGetSFFValue(uint64_t valueIn);
template <int countValue> int64_t ScalarGetCountOfValue(uint64_t valueIn);
int64_t ScalarCountLeadingZero(uint64_t valueIn);
int64_t CountBitsCntSameAsSignBit(int64_t valueIn);

template <typename Tensor> void DumpTensor(const Tensor &tensor, uint32_t desc, uint32_t dumpSize);
template <typename Tensor> void DumpTensor(const Tensor &tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo &shapeInfo);
template <typename Tensor> void DumpAccChkPoint(const Tensor &tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize);
#ifdef ASCENDC_TIME_STAMP_ON
void PrintTimeStamp(uint32_t descId);
#endif
void MetricsProfStart();
void MetricsProfStop();

} // namespace AscendC
