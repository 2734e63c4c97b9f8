//===- Package.h - Files of compiled programs -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A package file: 8 bytes "PARTITA\n", format version (4 bytes), checksum of
// the rest (CRC-32, 4 bytes), size of the rest (8 bytes), all little-endian,
// then a serialised plan::Plan.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_PLAN_PACKAGE_H
#define PARTITA_RUNTIME_PLAN_PACKAGE_H

#include "runtime/plan/plan.pb.h"

#include "absl/status/statusor.h"

#include <limits>
#include <string>
#include <string_view>

namespace partita {

inline constexpr uint32_t kPlanFormatVersion = 1;

/// The hash that `fingerprint` should hold: of the plan without that field.
uint64_t computeFingerprint(const plan::Plan &plan);

/// Sets version and fingerprint and returns the file's text. InvalidArgument
/// when the plan does not pass `verifyPlan`, or exceeds the limit: protocol
/// buffers end at 2 GiB.
absl::StatusOr<std::string>
serializePackage(plan::Plan plan,
                 size_t limit = std::numeric_limits<int32_t>::max());

/// Reads a package's text; `name` stands for it in errors. DataLoss when it is
/// no package, truncated or corrupt; FailedPrecondition for another version;
/// InvalidArgument when its plan does not pass `verifyPlan`.
absl::StatusOr<plan::Plan> parsePackage(std::string_view text,
                                        const std::string &name);

/// Whether the text starts as a package does.
bool isPackage(std::string_view text);

/// Writes the file whole or not at all.
absl::Status writePackage(const std::string &path, plan::Plan plan);
absl::StatusOr<plan::Plan> readPackage(const std::string &path);

} // namespace partita

#endif // PARTITA_RUNTIME_PLAN_PACKAGE_H
