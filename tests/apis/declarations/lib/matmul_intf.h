// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the texts of tilings use of Ascend C, as declarations.
#pragma once

#include <cstdint>

struct TCubeTiling {
  int32_t usedCoreNum, M, N, Ka, Kb, singleCoreM, singleCoreN, singleCoreK, baseM, baseN, baseK, depthA1, depthB1, stepM, stepN,
      isBias, transLength, iterateOrder, shareMode, shareL1Size, shareL0CSize, shareUbSize, batchM, batchN, singleBatchM,
      singleBatchN, stepKa, stepKb, depthAL1CacheUB, depthBL1CacheUB, dbL0A, dbL0B, dbL0C, ALayoutInfoB, ALayoutInfoS, ALayoutInfoN,
      ALayoutInfoG, ALayoutInfoD, BLayoutInfoB, BLayoutInfoS, BLayoutInfoN, BLayoutInfoG, BLayoutInfoD, CLayoutInfoB, CLayoutInfoS1,
      CLayoutInfoN, CLayoutInfoG, CLayoutInfoS2, BatchNum, mxTypePara;
};
static_assert(sizeof(TCubeTiling) == 200);
