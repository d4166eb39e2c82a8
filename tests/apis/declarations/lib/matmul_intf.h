// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the texts of tilings use of Ascend C, as declarations.
#pragma once

#pragma clang diagnostic ignored "-Wundefined-internal" // templates on a configuration of the text, which are declared here only

#include <cstdint>

struct TCubeTiling {
  int32_t usedCoreNum, M, N, Ka, Kb, singleCoreM, singleCoreN, singleCoreK, baseM, baseN, baseK, depthA1, depthB1, stepM, stepN,
      isBias, transLength, iterateOrder, shareMode, shareL1Size, shareL0CSize, shareUbSize, batchM, batchN, singleBatchM,
      singleBatchN, stepKa, stepKb, depthAL1CacheUB, depthBL1CacheUB, dbL0A, dbL0B, dbL0C, ALayoutInfoB, ALayoutInfoS, ALayoutInfoN,
      ALayoutInfoG, ALayoutInfoD, BLayoutInfoB, BLayoutInfoS, BLayoutInfoN, BLayoutInfoG, BLayoutInfoD, CLayoutInfoB, CLayoutInfoS1,
      CLayoutInfoN, CLayoutInfoG, CLayoutInfoS2, BatchNum, mxTypePara;
};
static_assert(sizeof(TCubeTiling) == 200);

enum class CubeFormat : uint8_t { ND, NZ };
enum class IterateOrder : uint8_t { ORDER_M, ORDER_N, UNDEF };
struct MatmulConfig {
  bool doNorm = true;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
};
constexpr MatmulConfig CFG_NORM = {};

namespace matmul {
template <AscendC::TPosition position, CubeFormat format, typename T, bool isTrans = false> struct MatmulType {
  using Element = T;
};
template <class A, class B, class C, class Bias = C, const auto &config = CFG_NORM> struct Matmul {
  using Result = AscendC::GlobalTensor<typename C::Element>;
  void Init(TCubeTiling *tiling);
  void SetTensorA(const AscendC::GlobalTensor<typename A::Element> &gm, bool isTranspose = false);
  void SetTensorB(const AscendC::GlobalTensor<typename B::Element> &gm, bool isTranspose = false);
  void SetBias(const AscendC::GlobalTensor<typename Bias::Element> &bias);
  void DisableBias();
  void SetOrgShape(int orgM, int orgN, int orgKa);
  void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0);
  void SetSingleShape(int singleM, int singleN, int singleK);
  void SetTail(int tailM = -1, int tailN = -1, int tailK = -1);
  template <bool sync = true> bool Iterate(bool enPartialSum = false);
  template <bool sync = true> void GetTensorC(const Result &gm, uint8_t enAtomic = 0, bool enSequentialWrite = false);
  template <bool sync = true> void IterateAll(const Result &gm, uint8_t enAtomic = 0, bool enSequentialWrite = false);
  void End();
  Matmul() = default;
  Matmul(const Matmul &) = delete;
};
template <class Object> void regist(AscendC::TPipe *pipe, uint8_t *workspace, Object &object, TCubeTiling *tiling = nullptr);
} // namespace matmul
#define REGIST_MATMUL_OBJ(...) matmul::regist(__VA_ARGS__)
