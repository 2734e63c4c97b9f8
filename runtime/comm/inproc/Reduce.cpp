//===- Reduce.cpp - Combining arrays element by element ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/inproc/Reduce.h"

namespace partita {

namespace baseline {
ReduceFn getReduceFn(ReductionKind kind, DType type);
} // namespace baseline
#if PARTITA_HAS_X86
namespace avx2 {
ReduceFn getReduceFn(ReductionKind kind, DType type);
} // namespace avx2
namespace avx512 {
ReduceFn getReduceFn(ReductionKind kind, DType type);
} // namespace avx512
#endif

ReduceFn getReduceFn(ReductionKind kind, DType type) {
#if PARTITA_HAS_X86
  static const bool hasAvx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  static const bool hasAvx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  if (hasAvx512)
    return avx512::getReduceFn(kind, type);
  if (hasAvx2)
    return avx2::getReduceFn(kind, type);
#endif
  return baseline::getReduceFn(kind, type);
}

} // namespace partita
