//===- Checks.h - What test programs check about themselves -----*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `check.expect_*` op compares two values. No back-end need know of it: while
// compiling, both values become results of @main, and after each step the
// driver compares them.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_CHECKS_H
#define PARTITA_DRIVER_CHECKS_H

#include "driver/Execution.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace partita {

/// Two results of @main that must agree, or one that is shown.
struct Check {
  enum class Kind {
    Equal,  ///< The same value; NaN is NaN, and 0 is not -0.
    Almost, ///< Within `tolerance`, absolute or relative.
    Close,  ///< From `minUlps` to `maxUlps` representable numbers apart.
    Print,  ///< `actual` is written to standard error; nothing is compared.
  };
  Kind kind = Kind::Equal;
  double tolerance = 0;
  uint64_t minUlps = 0, maxUlps = 0;
  int64_t actual = 0, expected = 0; ///< Results of @main.
  std::string op;                   ///< "check.expect_eq"
  std::string place;                ///< "file.mlir:7:3"
};

/// Makes the operands of all checks and prints further results of @main and
/// removes them. Fails on one that @main runs in a loop or a branch.
mlir::FailureOr<std::vector<Check>> takeChecks(mlir::ModuleOp module);

/// Where the tensors break the check: "at [1, 2] 3.5 instead of 4; 7 of 24
/// elements differ". Empty where they do not.
std::string findBreach(const Check &check, const HostTensor &actual,
                       const HostTensor &expected);

/// A tensor as `interpreter.print` shows it: its type, and its elements with a
/// line for each row.
std::string toText(const HostTensor &tensor);

/// An execution that makes the checks after each step, and whose results are
/// the program's own.
std::unique_ptr<Execution> makeChecked(std::unique_ptr<Execution> execution,
                                       std::vector<Check> checks);

} // namespace partita

#endif // PARTITA_DRIVER_CHECKS_H
