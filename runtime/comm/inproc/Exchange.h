//===- Exchange.h - What one collective moves -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A collective among devices that share an address space: members read one
// another's operands directly. The work is cut into chunks that may run at once
// on several workers, in any order; the result does not depend on that, since
// each element is reduced by one worker in the order of the members.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_COMM_INPROC_EXCHANGE_H
#define PARTITA_RUNTIME_COMM_INPROC_EXCHANGE_H

#include "runtime/comm/inproc/BoxCopy.h"
#include "runtime/comm/inproc/Reduce.h"
#include "runtime/plan/Convert.h"

namespace partita {

class Exchange {
public:
  /// Devices that wait for one another, and what flows among them (by position
  /// in `members`; used by permute and broadcast alone).
  struct Group {
    std::vector<int64_t> members;
    struct Transfer {
      int32_t source, target;
    };
    std::vector<Transfer> transfers;
    /// Members that receive nothing, whose results become zero.
    std::vector<int32_t> zeros;
  };

  /// The pointers of one execution: operand and result of piece p and member m
  /// are at [p * number of members + m].
  struct Pointers {
    std::vector<const std::byte *> operands;
    std::vector<std::byte *> results;
  };

  /// `collective` is one of the verified plan's. Work is cut into chunks of
  /// about `chunkBytes` of results.
  Exchange(const plan::Plan &plan, const Mesh &mesh,
           const plan::Collective &collective, int64_t chunkBytes);

  plan::Collective::Kind getKind() const { return kind; }
  const std::vector<Group> &getGroups() const { return groups; }
  /// Position of the group in which a device takes part.
  int32_t getGroup(int64_t device) const { return places[device].group; }
  int32_t getPosition(int64_t device) const { return places[device].position; }

  int64_t getNumPieces() const { return static_cast<int64_t>(pieces.size()); }
  /// Bytes of the results of all pieces on one device.
  int64_t getResultBytes() const { return resultBytes; }

  int64_t getNumChunks(const Group &group) const;
  void run(const Group &group, const Pointers &pointers, int64_t begin,
           int64_t end) const;

private:
  struct Piece {
    int64_t elementBytes = 0, resultBytes = 0;
    /// What is cut into chunks: elements of the result to reduce, or rows to
    /// copy, for each flow.
    int64_t numUnits = 0, unitsPerChunk = 1, chunksPerFlow = 0;
    ReduceFn reduce = nullptr;
    /// Of reduce-scatter: contiguous elements of the operand that go to one
    /// member, and how far the next such run is.
    int64_t run = 0, stride = 0;
    std::optional<BoxCopy> copy;
    /// Bytes by which the copy's source lies further for each next target, and
    /// its target for each next source.
    int64_t sourceStep = 0, targetStep = 0;
  };
  struct Place {
    int32_t group = 0, position = 0;
  };

  void makeGroups(const plan::Collective &collective, const Mesh &mesh);
  void makePairGroups(const plan::Collective &collective);
  void addGroup(std::vector<int64_t> members);
  void addPiece(const plan::Plan &plan, const plan::Collective::Piece &piece);
  void setCopy(Piece &added, const plan::Collective::Piece &piece,
               const Shape &operand, const Shape &result);
  /// What goes from one member to one other, to all, or from all to one.
  int64_t getNumFlows(const Group &group) const;
  void runChunk(const Group &group, const Piece &piece,
                const std::byte *const *operands, std::byte *const *results,
                int64_t chunk) const;
  void reduceAll(const Piece &piece, const std::byte *const *operands,
                 std::byte *const *results, int64_t begin, int64_t end) const;
  void reduceTo(const Piece &piece, const std::byte *const *operands,
                std::byte *const *results, int64_t target, int64_t begin,
                int64_t end) const;

  plan::Collective::Kind kind;
  ReductionKind reduction;
  int64_t groupSize = 1, resultBytes = 0, chunkBytes;
  std::vector<Group> groups;
  std::vector<Place> places; // by device
  std::vector<Piece> pieces;
};

} // namespace partita

#endif // PARTITA_RUNTIME_COMM_INPROC_EXCHANGE_H
