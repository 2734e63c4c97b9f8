//===- Exchange.cpp - What one collective moves -----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/inproc/Exchange.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace partita {

using plan::Collective;

Exchange::Exchange(const plan::Plan &plan, const Mesh &mesh,
                   const Collective &collective, int64_t theChunkBytes)
    : kind(collective.kind()),
      reduction(static_cast<ReductionKind>(collective.reduction())),
      chunkBytes(theChunkBytes),
      places(static_cast<size_t>(mesh.getNumDevices())) {
  makeGroups(collective, mesh);
  for (const Collective::Piece &piece : collective.pieces())
    addPiece(plan, piece);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void Exchange::addGroup(std::vector<int64_t> members) {
  for (size_t i = 0; i < members.size(); ++i)
    places[static_cast<size_t>(members[i])] = {
        static_cast<int32_t>(groups.size()), static_cast<int32_t>(i)};
  groups.push_back({std::move(members), {}, {}});
}

void Exchange::makeGroups(const Collective &collective, const Mesh &mesh) {
  if (kind == Collective::PERMUTE)
    return makePairGroups(collective);
  std::vector<bool> isMember(places.size());
  for (std::vector<int64_t> &members : partita::getGroups(mesh, collective)) {
    groupSize = static_cast<int64_t>(members.size());
    for (int64_t device : members)
      isMember[static_cast<size_t>(device)] = true;
    addGroup(std::move(members));
  }
  if (kind != Collective::BROADCAST)
    return;
  for (Group &group : groups)
    for (int32_t i = 0; i < groupSize; ++i)
      group.transfers.push_back({0, i});
  for (size_t device = 0; device < places.size(); ++device) {
    if (isMember[device])
      continue;
    addGroup({static_cast<int64_t>(device)});
    groups.back().zeros.push_back(0);
  }
}

void Exchange::makePairGroups(const Collective &collective) {
  // Devices that pairs connect, directly or not, form a group: none may go on
  // while another still reads what it sent.
  std::vector<size_t> leader(places.size());
  std::iota(leader.begin(), leader.end(), 0);
  auto find = [&](int64_t device) {
    auto at = static_cast<size_t>(device);
    while (leader[at] != at)
      at = leader[at] = leader[leader[at]];
    return at;
  };
  for (const Collective::Pair &pair : collective.pairs())
    leader[find(pair.source())] = find(pair.target());
  std::vector<std::vector<int64_t>> members(places.size());
  for (size_t device = 0; device < places.size(); ++device)
    members[find(static_cast<int64_t>(device))].push_back(
        static_cast<int64_t>(device));
  for (std::vector<int64_t> &list : members)
    if (!list.empty())
      addGroup(std::move(list));
  std::vector<bool> isTarget(places.size());
  for (const Collective::Pair &pair : collective.pairs()) {
    const Place &target = places[static_cast<size_t>(pair.target())];
    groups[static_cast<size_t>(target.group)].transfers.push_back(
        {places[static_cast<size_t>(pair.source())].position, target.position});
    isTarget[static_cast<size_t>(pair.target())] = true;
  }
  for (size_t device = 0; device < places.size(); ++device)
    if (!isTarget[device])
      groups[static_cast<size_t>(places[device].group)].zeros.push_back(
          places[device].position);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

void Exchange::addPiece(const plan::Plan &plan,
                        const Collective::Piece &piece) {
  const plan::Buffer &operand = plan.buffers(static_cast<int>(piece.operand()));
  const plan::Buffer &result = plan.buffers(static_cast<int>(piece.result()));
  Shape operandShape = getShape(operand), resultShape = getShape(result);
  Piece added;
  added.elementBytes = getByteWidth(getDType(operand));
  added.resultBytes = getNumBytes(result);
  resultBytes += added.resultBytes;
  int64_t unitBytes = added.elementBytes;
  if (kind == Collective::ALL_REDUCE || kind == Collective::REDUCE_SCATTER) {
    added.reduce = getReduceFn(reduction, getDType(operand));
    added.numUnits = getNumElements(resultShape);
    added.run = added.stride = added.numUnits;
    if (kind == Collective::REDUCE_SCATTER) {
      std::vector<int64_t> strides = getRowMajorStrides(operandShape);
      added.run = resultShape[piece.dim()] * strides[piece.dim()];
      added.stride = operandShape[piece.dim()] * strides[piece.dim()];
    }
  } else {
    setCopy(added, piece, operandShape, resultShape);
    added.numUnits = added.copy->getNumRows();
    if (added.numUnits)
      unitBytes = added.copy->getNumBytes() / added.numUnits;
  }
  added.unitsPerChunk =
      std::max<int64_t>(1, chunkBytes / std::max<int64_t>(1, unitBytes));
  // Chunks of a reduction start at whole cache lines.
  if (added.unitsPerChunk > 64)
    added.unitsPerChunk -= added.unitsPerChunk % 64;
  added.chunksPerFlow =
      (added.numUnits + added.unitsPerChunk - 1) / added.unitsPerChunk;
  pieces.push_back(std::move(added));
}

void Exchange::setCopy(Piece &added, const Collective::Piece &piece,
                       const Shape &operand, const Shape &result) {
  Shape origin(operand.size()), box = operand;
  if (kind == Collective::ALL_TO_ALL)
    box[piece.dim()] /= groupSize;
  added.copy.emplace(operand, origin, result, origin, box, added.elementBytes);
  auto getStep = [&](const Shape &shape, uint32_t dim) {
    return box[dim] * getRowMajorStrides(shape)[dim] * added.elementBytes;
  };
  if (kind == Collective::ALL_GATHER)
    added.targetStep = getStep(result, piece.dim());
  if (kind == Collective::ALL_TO_ALL) {
    added.sourceStep = getStep(operand, piece.dim());
    added.targetStep = getStep(result, piece.concat_dim());
  }
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

int64_t Exchange::getNumFlows(const Group &group) const {
  auto n = static_cast<int64_t>(group.members.size());
  switch (kind) {
  case Collective::ALL_REDUCE:
    return 1;
  case Collective::REDUCE_SCATTER:
    return n;
  case Collective::ALL_GATHER:
  case Collective::ALL_TO_ALL:
    return n * n;
  default:
    return static_cast<int64_t>(group.transfers.size() + group.zeros.size());
  }
}

int64_t Exchange::getNumChunks(const Group &group) const {
  int64_t chunks = 0;
  for (const Piece &piece : pieces)
    chunks += piece.chunksPerFlow;
  return chunks * getNumFlows(group);
}

void Exchange::run(const Group &group, const Pointers &pointers, int64_t begin,
                   int64_t end) const {
  size_t n = group.members.size();
  int64_t flows = getNumFlows(group), first = 0;
  for (size_t p = 0; p < pieces.size() && first < end; ++p) {
    int64_t chunks = pieces[p].chunksPerFlow * flows;
    for (int64_t chunk = std::max(begin, first);
         chunk < std::min(end, first + chunks); ++chunk)
      runChunk(group, pieces[p], &pointers.operands[p * n],
               &pointers.results[p * n], chunk - first);
    first += chunks;
  }
}

void Exchange::runChunk(const Group &group, const Piece &piece,
                        const std::byte *const *operands,
                        std::byte *const *results, int64_t chunk) const {
  auto n = static_cast<int64_t>(group.members.size());
  int64_t target = 0, source = 0;
  bool isAmongAll =
      kind == Collective::ALL_GATHER || kind == Collective::ALL_TO_ALL;
  if (isAmongAll) {
    // Targets vary fastest: what is read once is written everywhere.
    target = chunk % n;
    chunk /= n;
  }
  int64_t flow = chunk / piece.chunksPerFlow;
  int64_t begin = chunk % piece.chunksPerFlow * piece.unitsPerChunk;
  int64_t end = std::min(begin + piece.unitsPerChunk, piece.numUnits);
  if (kind == Collective::ALL_REDUCE)
    return reduceAll(piece, operands, results, begin, end);
  if (kind == Collective::REDUCE_SCATTER)
    return reduceTo(piece, operands, results, flow, begin, end);
  if (isAmongAll) {
    source = flow;
  } else if (flow < static_cast<int64_t>(group.transfers.size())) {
    const Group::Transfer &transfer =
        group.transfers[static_cast<size_t>(flow)];
    source = transfer.source;
    target = transfer.target;
  } else {
    size_t at = static_cast<size_t>(flow) - group.transfers.size();
    if (begin == 0)
      std::memset(results[group.zeros[at]], 0,
                  static_cast<size_t>(piece.resultBytes));
    return;
  }
  piece.copy->run(operands[source] + target * piece.sourceStep,
                  results[target] + source * piece.targetStep, begin, end);
}

void Exchange::reduceAll(const Piece &piece, const std::byte *const *operands,
                         std::byte *const *results, int64_t begin,
                         int64_t end) const {
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  for (int64_t i = 0; i < groupSize; ++i) {
    inputs.push_back(operands[i] + begin * piece.elementBytes);
    outputs.push_back(results[i] + begin * piece.elementBytes);
  }
  piece.reduce(inputs.data(), groupSize, outputs.data(), groupSize,
               end - begin);
}

void Exchange::reduceTo(const Piece &piece, const std::byte *const *operands,
                        std::byte *const *results, int64_t target,
                        int64_t begin, int64_t end) const {
  std::vector<const void *> inputs(static_cast<size_t>(groupSize));
  while (begin < end) {
    int64_t row = begin / piece.run, within = begin % piece.run;
    int64_t count = std::min(end - begin, piece.run - within);
    int64_t offset = row * piece.stride + target * piece.run + within;
    for (int64_t i = 0; i < groupSize; ++i)
      inputs[static_cast<size_t>(i)] =
          operands[i] + offset * piece.elementBytes;
    void *output = results[target] + begin * piece.elementBytes;
    piece.reduce(inputs.data(), groupSize, &output, 1, count);
    begin += count;
  }
}

} // namespace partita
