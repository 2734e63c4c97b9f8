//===- TextCompat.h - Text of other versions of MLIR ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_TEXTCOMPAT_H
#define PARTITA_IR_IO_TEXTCOMPAT_H

#include <string>

namespace partita {

/// Rewrites what newer versions of MLIR print, so that this one reads it. Text
/// that needs nothing comes back as it is. Lines stay lines; columns behind a
/// rewritten constant move.
///
/// Constants of i1 in hexadecimal have a byte an element in newer versions,
/// and a bit an element here: `dense<"0x0100…"> : tensor<16xi1>`.
std::string adaptText(std::string text);

} // namespace partita

#endif // PARTITA_IR_IO_TEXTCOMPAT_H
