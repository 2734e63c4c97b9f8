//===- Explain.h - A report for people --------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_EXPLAIN_H
#define PARTITA_DRIVER_EXPLAIN_H

#include "support/Json.h"

namespace partita {

/// A compile report as text: mesh, shardings of arguments and results, each
/// collective with its place, reason and price, memory, time by phase.
std::string makeExplanation(const Json &report);
/// The same as an HTML page that needs no other file.
std::string makeExplanationPage(const Json &report);

/// The axes of a report's mesh, "data=4 x model=2"; "" for one device.
std::string formatMesh(const Json &report);
/// Bytes for people: 83012 is "81.1 KiB".
std::string formatBytes(double bytes);
/// Seconds for people: "12 µs", "3.4 ms", "1.25 s".
std::string formatSeconds(double seconds);

} // namespace partita

#endif // PARTITA_DRIVER_EXPLAIN_H
