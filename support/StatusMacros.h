//===- StatusMacros.h - Early return on an error status ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SUPPORT_STATUSMACROS_H
#define PARTITA_SUPPORT_STATUSMACROS_H

#include "absl/status/statusor.h"

/// Returns from the function when `expr`, an absl::Status, is not OK.
#define PARTITA_RETURN_IF_ERROR(expr)                                          \
  do {                                                                         \
    if (absl::Status partitaStatus = (expr); !partitaStatus.ok())              \
      return partitaStatus;                                                    \
  } while (false)

#define PARTITA_CONCAT_IMPL(a, b) a##b
#define PARTITA_CONCAT(a, b) PARTITA_CONCAT_IMPL(a, b)

/// `PARTITA_ASSIGN_OR_RETURN(auto x, f());`: unwraps an absl::StatusOr.
#define PARTITA_ASSIGN_OR_RETURN(lhs, expr)                                    \
  PARTITA_ASSIGN_OR_RETURN_IMPL(PARTITA_CONCAT(partitaOr, __LINE__), lhs, expr)
#define PARTITA_ASSIGN_OR_RETURN_IMPL(tmp, lhs, expr)                          \
  auto tmp = (expr);                                                           \
  if (!tmp.ok())                                                               \
    return tmp.status();                                                       \
  lhs = *std::move(tmp)

#endif // PARTITA_SUPPORT_STATUSMACROS_H
