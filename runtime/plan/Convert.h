//===- Convert.h - Meshes and shardings in plans ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the messages of plan.proto and the types of mesh/. The `from`
// functions expect messages that `verifyPlan` accepted.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_PLAN_CONVERT_H
#define PARTITA_RUNTIME_PLAN_CONVERT_H

#include "mesh/Sharding.h"
#include "runtime/plan/plan.pb.h"
#include "support/HostTensor.h"

#include <string_view>

namespace partita {

void toPlan(const Mesh &mesh, plan::Mesh &message);
void toPlan(const TensorSharding &sharding, plan::Sharding &message);
void toPlan(std::span<const AxisRef> axes,
            google::protobuf::RepeatedPtrField<plan::SubAxis> &message);

Mesh fromPlan(const plan::Mesh &message);
TensorSharding fromPlan(const plan::Sharding &message);
std::vector<AxisRef>
fromPlan(const google::protobuf::RepeatedPtrField<plan::SubAxis> &message);

DType getDType(const plan::Buffer &buffer);
Shape getShape(const plan::Buffer &buffer);
int64_t getNumBytes(const plan::Buffer &buffer);

/// "all-reduce", as reports spell it.
std::string_view getName(plan::Collective::Kind kind);

/// Whether elements of the type can be combined: order needs real numbers,
/// bitwise operations need integers or booleans.
bool isReducible(ReductionKind kind, DType type);

/// What a device needs at its peak: arguments, results, constants and arena.
/// Differs from what a run measures only where no run takes a branch.
int64_t getPeakBytes(const plan::Plan &plan);

/// The groups of a collective, by the order of its members. For a permute each
/// pair is a group {source, target}.
std::vector<std::vector<int64_t>> getGroups(const Mesh &mesh,
                                            const plan::Collective &collective);

} // namespace partita

#endif // PARTITA_RUNTIME_PLAN_CONVERT_H
