//===- Npz.h - NumPy array files --------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes NumPy's .npy files and .npz archives (stored or compressed)
// as HostTensors. Element types that NumPy lacks (bfloat16, float8, 4-bit
// kinds, …) are stored as raw unsigned bits of the same width, so whoever reads
// them says which type to expect.
//
// Errors name the file, and the member of an archive:
//   NotFound          the file or member does not exist
//   InvalidArgument   another element type than expected, or one with no
//                     counterpart here (objects, strings, structures)
//   DataLoss          not an array or archive, truncated, or corrupt
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SUPPORT_NPZ_H
#define PARTITA_SUPPORT_NPZ_H

#include "support/HostTensor.h"

#include "absl/status/statusor.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partita {

/// An opened .npz archive.
class NpzReader {
public:
  static absl::StatusOr<NpzReader> open(const std::string &path);
  NpzReader(NpzReader &&) noexcept;
  NpzReader &operator=(NpzReader &&) noexcept;
  ~NpzReader();

  /// Names of the arrays, without the ".npy" of their members, in the order of
  /// the archive.
  const std::vector<std::string> &getNames() const;
  bool contains(std::string_view name) const;

  /// Reads one array. With `expected`, its stored type must be that type's (see
  /// `parseNpy`).
  absl::StatusOr<HostTensor> read(std::string_view name,
                                  std::optional<DType> expected = {}) const;

private:
  struct State;
  explicit NpzReader(std::unique_ptr<State> theState);
  std::unique_ptr<State> state;
};

/// Reads an array from the text of a .npy file; `name` stands for it in errors.
/// Arrays in Fortran order or of foreign byte order are converted. Without
/// `expected`, the stored type decides; with it, the stored type must be the
/// one that `expected` is written as, for kinds that NumPy lacks unsigned,
/// signed or untyped ("V") bits of its width.
absl::StatusOr<HostTensor> parseNpy(std::string_view contents,
                                    const std::string &name,
                                    std::optional<DType> expected = {});

absl::StatusOr<HostTensor> readNpy(const std::string &path,
                                   std::optional<DType> expected = {});

using NamedTensor = std::pair<std::string, HostTensor>;

/// Both write a temporary file beside `path` and rename it, so that no part of
/// a file is left behind by an error.
absl::Status writeNpy(const std::string &path, const HostTensor &tensor);
absl::Status writeNpz(const std::string &path,
                      const std::vector<NamedTensor> &tensors);

} // namespace partita

#endif // PARTITA_SUPPORT_NPZ_H
