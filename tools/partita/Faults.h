//===- Faults.h - How a fault of the compiler ends --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TOOLS_PARTITA_FAULTS_H
#define PARTITA_TOOLS_PARTITA_FAULTS_H

#include <string>

namespace partita {

/// From here on, memory that runs out, and faults of Partita or of a library (a
/// failed assertion, an access to no memory, a stack that overflows), end the
/// process like any other failure: with a message that names `input`, and
/// `exitCode`.
void reportFaults(const std::string &input, int exitCode);

} // namespace partita

#endif // PARTITA_TOOLS_PARTITA_FAULTS_H
