//===- Inputs.h - The arguments of a run ------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_INPUTS_H
#define PARTITA_DRIVER_INPUTS_H

#include "driver/Signature.h"

#include "absl/status/statusor.h"

namespace partita {

/// Reads whole arrays for the arguments: from one .npz archive that holds a0,
/// a1, …, or from .npy files, one an argument. InvalidArgument when there are
/// too few or too many, or one has another shape or element type; else as in
/// support/Npz.h.
absl::StatusOr<std::vector<HostTensor>>
readInputs(const std::vector<std::string> &paths, const Signature &signature);

/// Random arguments, the same for the same seed: standard normal floats,
/// integers and booleans 0 or 1.
std::vector<HostTensor> makeRandomInputs(const Signature &signature,
                                         uint64_t seed);

} // namespace partita

#endif // PARTITA_DRIVER_INPUTS_H
