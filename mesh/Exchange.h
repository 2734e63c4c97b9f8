//===- Exchange.h - Boxes that devices send one another ---------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From any sharding to any other with the same partial values: each device
// sends each other one just the box of elements that it holds and the other
// lacks. In a round a device sends and receives at most once, so that a round
// is a permute. The planner and localisation take the rounds from here, so that
// they agree on them.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_MESH_EXCHANGE_H
#define PARTITA_MESH_EXCHANGE_H

#include "mesh/Sharding.h"

#include <optional>

namespace partita {

/// The box goes from one device to another, in global indices.
struct BoxTransfer {
  int64_t sender = 0, receiver = 0;
  Box box;
};

struct ExchangePlan {
  /// What devices have themselves.
  std::vector<BoxTransfer> own;
  /// As few rounds as possible.
  std::vector<std::vector<BoxTransfer>> rounds;
};

/// Nothing where partial values differ, or on meshes of many devices.
std::optional<ExchangePlan> planExchange(const Mesh &mesh,
                                         std::span<const int64_t> shape,
                                         const TensorSharding &from,
                                         const TensorSharding &to);

/// The shape that holds each box of a round.
std::vector<int64_t> getPayload(std::span<const BoxTransfer> round);

/// The elements of all payloads of the rounds.
int64_t getNumElements(const ExchangePlan &plan);

} // namespace partita

#endif // PARTITA_MESH_EXCHANGE_H
