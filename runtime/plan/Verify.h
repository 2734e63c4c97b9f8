//===- Verify.h - What a plan must fulfil -----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_PLAN_VERIFY_H
#define PARTITA_RUNTIME_PLAN_VERIFY_H

#include "runtime/plan/plan.pb.h"

#include "absl/status/status.h"

namespace partita {

/// Checks everything that running the plan relies on, so that no plan can make
/// the executor read or write outside its memory (what kernels do is theirs):
///
/// - ids are in range, buffers lie within their allocations, aligned to their
///   element size;
/// - shapes, shardings and buffers of arguments and results agree; an argument
///   in memory that the program writes feeds a result in place;
/// - nothing writes constants; launches fit their kernels;
/// - collectives: groups partition the devices, shapes fit kind and group,
///   the reduction is defined for the element type, equal sequence numbers mean
///   equal collectives;
/// - blocks do not call one another in a circle.
///
/// InvalidArgument with the place: "block 2, step 5: …".
absl::Status verifyPlan(const plan::Plan &plan);

} // namespace partita

#endif // PARTITA_RUNTIME_PLAN_VERIFY_H
