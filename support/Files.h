//===- Files.h - Whole files in and out -------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SUPPORT_FILES_H
#define PARTITA_SUPPORT_FILES_H

#include "absl/status/statusor.h"

#include <string>
#include <string_view>
#include <vector>

namespace partita {

/// The contents of a file. NotFound when there is none, else a status that
/// carries the reason of the system; both name the file.
absl::StatusOr<std::string> readFile(const std::string &path);

/// Writes the pieces one after the other to a temporary file beside `path` and
/// renames it to `path`: either the whole file is there, or the old state.
/// Writes straight to `path` when that is a device or pipe.
absl::Status writeFile(const std::string &path,
                       const std::vector<std::string_view> &pieces);

} // namespace partita

#endif // PARTITA_SUPPORT_FILES_H
