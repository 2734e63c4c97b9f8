//===- Reduce.h - Combining arrays element by element -----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_COMM_INPROC_REDUCE_H
#define PARTITA_RUNTIME_COMM_INPROC_REDUCE_H

#include "mesh/Mesh.h"
#include "support/DType.h"

namespace partita {

/// Combines `count` elements of the inputs, in their order, and writes them to
/// every output. One pass over memory; an output may be one of the inputs. The
/// result does not depend on how a range is cut into calls.
using ReduceFn = void (*)(const void *const *inputs, int64_t numInputs,
                          void *const *outputs, int64_t numOutputs,
                          int64_t count);

/// The function for the best instruction set of this machine. bf16, f16 and
/// smaller floats accumulate in single precision and round once; integers
/// wrap; maxima and minima hand on NaN. Null where `isReducible`
/// (plan/Convert.h) is false.
ReduceFn getReduceFn(ReductionKind kind, DType type);

} // namespace partita

#endif // PARTITA_RUNTIME_COMM_INPROC_REDUCE_H
