//===- Signature.h - What a program takes and gives -------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_SIGNATURE_H
#define PARTITA_DRIVER_SIGNATURE_H

#include "support/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace partita {

/// An argument or result of @main; the shape is the global one.
struct ValueInfo {
  /// As the source has it, "params['w1']", else "arg3" or "result3".
  std::string name;
  DType dtype = DType::F32;
  Shape shape;
  /// Of an argument: the result that feeds it in the next step.
  std::optional<int64_t> fedBy;

  /// "tensor<64x256xf32>"
  std::string getTypeText() const;
};

struct Signature {
  std::vector<ValueInfo> arguments;
  std::vector<ValueInfo> results;
};

/// The signature of a module's @main on global shapes.
Signature getSignature(mlir::ModuleOp module);

/// Refuses arguments whose alias is no result, one of another type, or one that
/// another argument has already.
llvm::LogicalResult verifyAliases(mlir::ModuleOp module,
                                  const Signature &signature);

/// Gives every donated argument of @main without an alias the first result of
/// its type that no argument has yet: sets `core.alias`.
void matchDonations(mlir::ModuleOp module);

} // namespace partita

#endif // PARTITA_DRIVER_SIGNATURE_H
