//===- Namespaces.h - Namespaces of foreign attributes ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JAX writes attributes such as `mhlo.num_partitions`, `tf.aliasing_output` and
// `jax.buffer_donor`. Their dialects are known here, and have no ops: an
// attribute passes, a misspelt op does not.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_NAMESPACES_H
#define PARTITA_IR_IO_NAMESPACES_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"

namespace partita::io {

/// A dialect that has nothing but a name.
#define PARTITA_EMPTY_DIALECT(ClassName, dialectName)                          \
  class ClassName : public mlir::Dialect {                                     \
  public:                                                                      \
    explicit ClassName(mlir::MLIRContext *context)                             \
        : Dialect(dialectName, context, mlir::TypeID::get<ClassName>()) {}     \
    static constexpr llvm::StringLiteral getDialectNamespace() {               \
      return llvm::StringLiteral(dialectName);                                 \
    }                                                                          \
  };

PARTITA_EMPTY_DIALECT(JaxDialect, "jax")
PARTITA_EMPTY_DIALECT(MhloDialect, "mhlo")
PARTITA_EMPTY_DIALECT(TfDialect, "tf")

#undef PARTITA_EMPTY_DIALECT

} // namespace partita::io

#endif // PARTITA_IR_IO_NAMESPACES_H
