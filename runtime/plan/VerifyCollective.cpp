//===- VerifyCollective.cpp - Collectives in plans --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/plan/Verifier.h"
#include "support/StatusMacros.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <tuple>

namespace partita {
namespace {

bool isReducing(plan::Collective::Kind kind) {
  return kind == plan::Collective::ALL_REDUCE ||
         kind == plan::Collective::REDUCE_SCATTER;
}

/// The result's shape, or nothing when the operand's does not fit.
std::optional<Shape> getResultShape(const plan::Collective &collective,
                                    const plan::Collective::Piece &piece,
                                    Shape shape, int64_t n) {
  auto kind = collective.kind();
  if (kind == plan::Collective::ALL_REDUCE ||
      kind == plan::Collective::PERMUTE || kind == plan::Collective::BROADCAST)
    return shape;
  if (piece.dim() >= shape.size())
    return std::nullopt;
  if (kind == plan::Collective::ALL_GATHER) {
    shape[piece.dim()] *= n;
    return shape;
  }
  if (shape[piece.dim()] % n)
    return std::nullopt;
  shape[piece.dim()] /= n;
  if (kind == plan::Collective::REDUCE_SCATTER)
    return shape;
  if (piece.concat_dim() >= shape.size())
    return std::nullopt;
  shape[piece.concat_dim()] *= n;
  return shape;
}

std::string toString(const Shape &shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
}
} // namespace

absl::Status PlanVerifier::verifyCollective(const plan::Collective &collective,
                                            const std::string &place) {
  if (!plan::Collective::Kind_IsValid(collective.kind()))
    return makePlanError(place, absl::StrCat("unknown kind of collective ",
                                             int(collective.kind())));
  std::string where =
      absl::StrCat(place, " (", std::string(getName(collective.kind())), ")");
  if (isReducing(collective.kind()) &&
      collective.reduction() >= kNumReductionKinds)
    return makePlanError(
        where, absl::StrCat("unknown reduction ", collective.reduction()));
  int64_t groupSize = 1;
  PARTITA_RETURN_IF_ERROR(verifyMembers(collective, where, groupSize));
  if (collective.pieces().empty())
    return makePlanError(where, "exchanges nothing");
  for (const plan::Collective::Piece &piece : collective.pieces())
    PARTITA_RETURN_IF_ERROR(verifyPiece(collective, piece, groupSize, where));
  PARTITA_RETURN_IF_ERROR(verifyOverlaps(collective, where));
  return verifySequence(collective, where);
}

absl::Status PlanVerifier::verifyMembers(const plan::Collective &collective,
                                         const std::string &place,
                                         int64_t &groupSize) {
  bool isPermute = collective.kind() == plan::Collective::PERMUTE;
  if (!collective.groups().empty() && (isPermute || !collective.axes().empty()))
    return makePlanError(place, "has groups besides axes or pairs");
  if (!isPermute && !collective.pairs().empty())
    return makePlanError(place, "has pairs but is no permute");
  if (!collective.groups().empty())
    return verifyGroups(collective, place, groupSize);
  std::vector<AxisRef> used;
  PARTITA_RETURN_IF_ERROR(verifySubAxes(collective.axes(), used, place));
  if (isPermute)
    return verifyPairs(collective, place);
  groupSize = getProduct(used);
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyGroups(const plan::Collective &collective,
                                        const std::string &place,
                                        int64_t &groupSize) {
  groupSize = collective.groups(0).devices_size();
  std::vector<bool> isSeen(static_cast<size_t>(numDevices));
  int64_t numSeen = 0;
  for (const plan::Collective::Group &group : collective.groups()) {
    if (group.devices_size() != groupSize || groupSize == 0)
      return makePlanError(place, "groups are empty or of different sizes");
    for (int64_t device : group.devices()) {
      if (device < 0 || device >= numDevices ||
          isSeen[static_cast<size_t>(device)])
        return makePlanError(
            place, absl::StrCat("device ", device,
                                " in a group does not exist or occurs twice"));
      isSeen[static_cast<size_t>(device)] = true;
      ++numSeen;
    }
  }
  if (numSeen != numDevices && collective.kind() != plan::Collective::BROADCAST)
    return makePlanError(place, absl::StrCat("groups hold ", numSeen, " of ",
                                             numDevices, " devices"));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyPairs(const plan::Collective &collective,
                                       const std::string &place) {
  std::vector<bool> isTarget(static_cast<size_t>(numDevices));
  for (const plan::Collective::Pair &pair : collective.pairs()) {
    if (pair.source() < 0 || pair.source() >= numDevices || pair.target() < 0 ||
        pair.target() >= numDevices)
      return makePlanError(
          place, absl::StrCat("pair of devices ", pair.source(), " and ",
                              pair.target(), " of ", numDevices));
    if (isTarget[static_cast<size_t>(pair.target())])
      return makePlanError(place, absl::StrCat("device ", pair.target(),
                                               " is the target twice"));
    isTarget[static_cast<size_t>(pair.target())] = true;
  }
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyPiece(const plan::Collective &collective,
                                       const plan::Collective::Piece &piece,
                                       int64_t groupSize,
                                       const std::string &place) {
  PARTITA_RETURN_IF_ERROR(verifyBufferId(piece.operand(), place));
  PARTITA_RETURN_IF_ERROR(verifyTarget(piece.result(), place));
  const plan::Buffer &operand = plan.buffers(static_cast<int>(piece.operand()));
  const plan::Buffer &result = plan.buffers(static_cast<int>(piece.result()));
  if (operand.dtype() != result.dtype())
    return makePlanError(
        place,
        absl::StrCat("operand of ", std::string(getName(getDType(operand))),
                     ", result of ", std::string(getName(getDType(result)))));
  std::optional<Shape> shape =
      getResultShape(collective, piece, getShape(operand), groupSize);
  if (!shape || *shape != getShape(result))
    return makePlanError(
        place,
        absl::StrCat("operand ", toString(getShape(operand)), " and result ",
                     toString(getShape(result)), " do not fit a group of ",
                     groupSize, " along dimension ", piece.dim()));
  auto reduction = static_cast<ReductionKind>(collective.reduction());
  if (isReducing(collective.kind()) &&
      !isReducible(reduction, getDType(operand)))
    return makePlanError(
        place, absl::StrCat("reduction ", std::string(getName(reduction)),
                            " is not defined for ",
                            std::string(getName(getDType(operand)))));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyOverlaps(const plan::Collective &collective,
                                          const std::string &place) {
  struct Range {
    uint32_t allocation;
    uint64_t begin, end;
    bool isResult;
  };
  std::vector<Range> ranges;
  auto add = [&](uint32_t id, bool isResult) {
    const plan::Buffer &buffer = plan.buffers(static_cast<int>(id));
    auto bytes = static_cast<uint64_t>(bufferBytes[id]);
    if (bytes)
      ranges.push_back({buffer.allocation(), buffer.offset(),
                        buffer.offset() + bytes, isResult});
  };
  for (const plan::Collective::Piece &piece : collective.pieces()) {
    const plan::Buffer &operand =
        plan.buffers(static_cast<int>(piece.operand()));
    const plan::Buffer &result = plan.buffers(static_cast<int>(piece.result()));
    bool isInPlace = collective.kind() == plan::Collective::ALL_REDUCE &&
                     operand.allocation() == result.allocation() &&
                     operand.offset() == result.offset();
    add(piece.result(), true);
    if (!isInPlace)
      add(piece.operand(), false);
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) {
    return std::tie(a.allocation, a.begin) < std::tie(b.allocation, b.begin);
  });
  uint64_t end = 0, resultEnd = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const Range &range = ranges[i];
    if (i == 0 || range.allocation != ranges[i - 1].allocation)
      end = resultEnd = 0;
    if (range.begin < (range.isResult ? end : resultEnd))
      return makePlanError(place, absl::StrCat("a result overlaps another "
                                               "buffer of the collective at "
                                               "offset ",
                                               range.begin, " of allocation ",
                                               range.allocation));
    end = std::max(end, range.end);
    if (range.isResult)
      resultEnd = std::max(resultEnd, range.end);
  }
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifySequence(const plan::Collective &collective,
                                          const std::string &place) {
  auto [it, isNew] = sequences.try_emplace(collective.sequence(), &collective);
  if (isNew)
    return absl::OkStatus();
  const plan::Collective &other = *it->second;
  bool isSame = collective.kind() == other.kind() &&
                collective.reduction() == other.reduction() &&
                collective.pieces_size() == other.pieces_size() &&
                getGroups(mesh, collective) == getGroups(mesh, other);
  for (int i = 0; isSame && i < collective.pieces_size(); ++i) {
    const plan::Collective::Piece &a = collective.pieces(i);
    const plan::Collective::Piece &b = other.pieces(i);
    const plan::Buffer &operandA = plan.buffers(static_cast<int>(a.operand()));
    const plan::Buffer &operandB = plan.buffers(static_cast<int>(b.operand()));
    isSame = a.dim() == b.dim() && a.concat_dim() == b.concat_dim() &&
             operandA.dtype() == operandB.dtype() &&
             getShape(operandA) == getShape(operandB);
  }
  if (!isSame)
    return makePlanError(place, absl::StrCat("differs from another collective "
                                             "of sequence number ",
                                             collective.sequence()));
  return absl::OkStatus();
}

} // namespace partita
