//===- CodeObject.h - Kernels in memory -------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_DEVICE_CPU_CODEOBJECT_H
#define PARTITA_RUNTIME_DEVICE_CPU_CODEOBJECT_H

#include "absl/status/statusor.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace partita {

/// plan.proto says what a kernel does with its arguments.
using KernelFn = void (*)(void *const *buffers, int64_t begin, int64_t end);

/// A shared object that was loaded from memory.
class CodeObject {
public:
  /// InvalidArgument with the dynamic linker's reason.
  static absl::StatusOr<CodeObject> load(std::string_view bytes);
  CodeObject() = default;
  CodeObject(CodeObject &&other) noexcept;
  CodeObject &operator=(CodeObject &&other) noexcept;
  ~CodeObject();

  /// NotFound when the object does not define the symbol.
  absl::StatusOr<KernelFn> find(const std::string &symbol) const;

private:
  // The file stays open as long as the object is loaded: the dynamic linker
  // takes equal names, here the number of the descriptor, for the same object.
  int file = -1;
  void *handle = nullptr;
};

/// Features of this machine's processor, as the system spells them.
const std::vector<std::string> &getCpuFeatures();

/// Unimplemented when one of the features (LLVM's spelling, see plan.proto) is
/// not available. Names that are not known here pass.
absl::Status
checkCpuFeatures(const std::vector<std::string> &features,
                 const std::vector<std::string> &available = getCpuFeatures());

} // namespace partita

#endif // PARTITA_RUNTIME_DEVICE_CPU_CODEOBJECT_H
