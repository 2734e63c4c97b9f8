//===- Exchange.cpp - Boxes that devices send one another -------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mesh/Exchange.h"

#include <algorithm>
#include <map>

namespace partita {

/// Beyond so many devices the rounds would be too many.
static constexpr int64_t kMaxDevices = 32;

namespace {
/// Devices that hold the same elements of the same partial value.
struct Holders {
  Box box;
  int64_t part = 0;
  std::vector<int64_t> devices;
};

/// Gives transfers to rounds: colours the edges of a bipartite graph with as
/// many colours as the most edges at one vertex.
class Rounds {
public:
  Rounds(int64_t devices, const std::vector<BoxTransfer> &theTransfers)
      : transfers(theTransfers), colours(transfers.size(), -1) {
    std::vector<int64_t> sent(devices, 0), received(devices, 0);
    for (const BoxTransfer &transfer : transfers)
      count = std::max(
          {count, ++sent[transfer.sender], ++received[transfer.receiver]});
    atSender.assign(devices, std::vector<int64_t>(count, -1));
    atReceiver = atSender;
    for (size_t i = 0; i < transfers.size(); ++i)
      add(static_cast<int64_t>(i));
  }

  std::vector<std::vector<BoxTransfer>> get() const {
    std::vector<std::vector<BoxTransfer>> rounds(count);
    for (size_t i = 0; i < transfers.size(); ++i)
      rounds[colours[i]].push_back(transfers[i]);
    return rounds;
  }

private:
  static int64_t getFree(const std::vector<int64_t> &used) {
    return std::find(used.begin(), used.end(), -1) - used.begin();
  }

  void paint(int64_t edge, int64_t colour) {
    colours[edge] = colour;
    atSender[transfers[edge].sender][colour] = edge;
    atReceiver[transfers[edge].receiver][colour] = edge;
  }

  void add(int64_t edge) {
    int64_t receiver = transfers[edge].receiver;
    int64_t mine = getFree(atSender[transfers[edge].sender]);
    int64_t other = getFree(atReceiver[receiver]);
    if (mine != other)
      swapPath(receiver, mine, other);
    paint(edge, mine);
  }

  /// Swaps the two colours along the path from a receiver that begins with
  /// `first`, which is then free there.
  void swapPath(int64_t receiver, int64_t first, int64_t second) {
    std::vector<int64_t> path;
    bool isReceiver = true;
    for (int64_t edge = atReceiver[receiver][first]; edge >= 0;) {
      path.push_back(edge);
      isReceiver = !isReceiver;
      int64_t next = path.size() % 2 ? second : first;
      edge = isReceiver ? atReceiver[transfers[edge].receiver][next]
                        : atSender[transfers[edge].sender][next];
    }
    for (int64_t edge : path) {
      atSender[transfers[edge].sender][colours[edge]] = -1;
      atReceiver[transfers[edge].receiver][colours[edge]] = -1;
    }
    for (int64_t edge : path)
      paint(edge, colours[edge] == first ? second : first);
  }

  const std::vector<BoxTransfer> &transfers;
  std::vector<int64_t> colours;
  int64_t count = 0;
  /// By device and colour, the edge.
  std::vector<std::vector<int64_t>> atSender, atReceiver;
};
} // namespace

static std::vector<Holders> getHolders(const Mesh &mesh,
                                       std::span<const int64_t> shape,
                                       const TensorSharding &sharding) {
  std::map<std::pair<std::vector<int64_t>, int64_t>, Holders> found;
  for (int64_t device = 0; device < mesh.getNumDevices(); ++device) {
    Box box = getShardBox(mesh, shape, sharding, device);
    if (box.isEmpty())
      continue;
    int64_t part = mesh.getCoordinate(device, sharding.unreduced);
    Holders &holders = found[{box.begin, part}];
    holders.box = box;
    holders.part = part;
    holders.devices.push_back(device);
  }
  std::vector<Holders> all;
  all.reserve(found.size());
  for (auto &[key, holders] : found)
    all.push_back(std::move(holders));
  return all;
}

std::optional<ExchangePlan> planExchange(const Mesh &mesh,
                                         std::span<const int64_t> shape,
                                         const TensorSharding &from,
                                         const TensorSharding &to) {
  int64_t devices = mesh.getNumDevices();
  if (devices > kMaxDevices || shape.empty() ||
      normalize(from.unreduced) != normalize(to.unreduced))
    return std::nullopt;
  std::vector<Holders> holders = getHolders(mesh, shape, from);
  std::vector<int64_t> load(devices, 0);
  ExchangePlan plan;
  std::vector<BoxTransfer> sent;
  for (int64_t device = 0; device < devices; ++device) {
    Box want = getShardBox(mesh, shape, to, device);
    int64_t part = mesh.getCoordinate(device, from.unreduced);
    for (const Holders &source : holders) {
      Box box = intersect(source.box, want);
      if (source.part != part || box.isEmpty())
        continue;
      const std::vector<int64_t> &all = source.devices;
      if (std::find(all.begin(), all.end(), device) != all.end()) {
        plan.own.push_back({device, device, box});
        continue;
      }
      int64_t sender =
          *std::min_element(all.begin(), all.end(), [&](int64_t a, int64_t b) {
            return std::pair(load[a], a) < std::pair(load[b], b);
          });
      ++load[sender];
      sent.push_back({sender, device, box});
    }
  }
  if (!sent.empty())
    plan.rounds = Rounds(devices, sent).get();
  return plan;
}

std::vector<int64_t> getPayload(std::span<const BoxTransfer> round) {
  std::vector<int64_t> payload;
  for (const BoxTransfer &transfer : round) {
    payload.resize(transfer.box.begin.size(), 0);
    for (size_t d = 0; d < payload.size(); ++d)
      payload[d] =
          std::max(payload[d], transfer.box.end[d] - transfer.box.begin[d]);
  }
  return payload;
}

int64_t getNumElements(const ExchangePlan &plan) {
  int64_t sum = 0;
  for (const auto &round : plan.rounds) {
    int64_t elements = 1;
    for (int64_t size : getPayload(round))
      elements *= size;
    sum += elements;
  }
  return sum;
}

} // namespace partita
