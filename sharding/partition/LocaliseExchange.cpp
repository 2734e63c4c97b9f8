//===- LocaliseExchange.cpp - Reshards as exchanges of boxes --------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device cuts the box that it sends in a round out of its shard, and writes
// the one that it receives into its new shard. Boxes of one round are sent in
// payloads of one shape: a smaller box travels with neighbours, which the
// receiver leaves aside.
//
//===----------------------------------------------------------------------===//

#include "mesh/Exchange.h"
#include "sharding/partition/Localise.h"

using namespace mlir;

namespace partita {

namespace {
/// Per dimension, a number for each device.
using Tables = SmallVector<SmallVector<int64_t>>;

class ExchangeBuilder {
public:
  ExchangeBuilder(const LocalOp &self, LocalBuilder &theLocal)
      : op(cast<comm::ReshardOp>(self.op)), local(theLocal),
        builder(theLocal.getBuilder()), from(self.operands[0]),
        to(self.results[0]), rank(from.local.getRank()),
        devices(theLocal.getMesh().getNumDevices()) {}

  Value build() {
    std::vector<int64_t> shape(from.global.getShape().begin(),
                               from.global.getShape().end());
    std::optional<ExchangePlan> plan =
        planExchange(local.getMesh(), shape, from.sharding, to.sharding);
    assert(plan && "only what the planner found is marked");
    for (int64_t device = 0; device < devices; ++device) {
      had.push_back(getShardBox(local.getMesh(), shape, from.sharding, device));
      wanted.push_back(
          getShardBox(local.getMesh(), shape, to.sharding, device));
    }
    Value result = local.makeSplat(to.local, 0);
    // At most one box a device.
    if (!plan->own.empty())
      result = addRound(result, plan->own, /*isOwn=*/true);
    for (const auto &round : plan->rounds)
      result = addRound(result, round, /*isOwn=*/false);
    return result;
  }

private:
  Value addRound(Value result, ArrayRef<BoxTransfer> round, bool isOwn) {
    std::vector<int64_t> payload = getPayload(round);
    SmallVector<int64_t> zeros(devices, 0);
    Tables offsets(rank, zeros), places(rank, zeros), lows(rank, zeros),
        highs(rank, zeros);
    bool isExact = true;
    for (int64_t d = 0; d < rank; ++d) {
      // Who receives nothing writes into the margin.
      places[d].assign(devices, -payload[d]);
      for (const BoxTransfer &transfer : round) {
        int64_t begin = transfer.box.begin[d], end = transfer.box.end[d];
        int64_t first = had[transfer.sender].begin[d];
        int64_t target = wanted[transfer.receiver].begin[d];
        int64_t offset =
            std::min(begin - first, from.local.getDimSize(d) - payload[d]);
        offsets[d][transfer.sender] = offset;
        places[d][transfer.receiver] = first + offset - target;
        lows[d][transfer.receiver] = begin - target;
        highs[d][transfer.receiver] = end - target;
        isExact &= end - begin == payload[d] && offset == begin - first;
      }
    }
    Value piece = cut(op.getOperand(), offsets, payload);
    if (!isOwn)
      piece = permute(piece, round);
    Value written = write(result, piece, places, payload);
    if (isExact)
      return written;
    return core::SelectOp::create(builder, op.getLoc(), to.local,
                                  makeMask(lows, highs), written, result);
  }

  SmallVector<Value> lookUp(const Tables &tables) {
    SmallVector<Value> indices;
    for (const auto &table : tables)
      indices.push_back(local.lookUpByDevice(table));
    return indices;
  }

  Value cut(Value value, const Tables &offsets, ArrayRef<int64_t> payload) {
    auto type = local.getType(payload, from.local.getElementType());
    if (type == value.getType())
      return value;
    return core::DynamicSliceOp::create(builder, op.getLoc(), type, value,
                                        lookUp(offsets), payload);
  }

  Value permute(Value piece, ArrayRef<BoxTransfer> round) {
    SmallVector<int64_t> sources, targets;
    for (const BoxTransfer &transfer : round) {
      sources.push_back(transfer.sender);
      targets.push_back(transfer.receiver);
    }
    SmallVector<AxisRef> axes;
    const Mesh &mesh = local.getMesh();
    for (size_t i = 0; i < mesh.getAxes().size(); ++i) {
      AxisRef axis = mesh.getWholeAxis(static_cast<int32_t>(i));
      if (llvm::any_of(round, [&](const BoxTransfer &transfer) {
            return mesh.getCoordinate(transfer.sender, axis) !=
                   mesh.getCoordinate(transfer.receiver, axis);
          }))
        axes.push_back(axis);
    }
    auto made = comm::PermuteOp::create(
        builder, op.getLoc(), TypeRange{piece.getType()}, ValueRange{piece},
        local.getMeshName().getValue(), local.getAxesAttr(axes), sources,
        targets, ArrayAttr(), ArrayAttr());
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (attr.getName() != kExchangeAttrName &&
          attr.getName() != kShardingsAttrName)
        made->setDiscardableAttr(attr.getName(), attr.getValue());
    return made->getResult(0);
  }

  /// The result with the piece at its place. Around it there is a margin as
  /// large as the piece, which may reach over.
  Value write(Value result, Value piece, const Tables &places,
              ArrayRef<int64_t> payload) {
    if (piece.getType() == result.getType() &&
        llvm::all_of(places, [](const auto &table) {
          return llvm::all_of(table, [](int64_t place) { return place == 0; });
        }))
      return piece;
    SmallVector<int64_t> margin(payload), none(rank, 0), ones(rank, 1), wide,
        limits;
    Tables shifted(places);
    for (int64_t d = 0; d < rank; ++d) {
      int64_t size = to.local.getDimSize(d);
      wide.push_back(size + 2 * margin[d]);
      limits.push_back(size + margin[d]);
      for (int64_t &place : shifted[d])
        place += margin[d];
    }
    Type element = to.local.getElementType();
    Value zero = local.makeSplat(local.getType({}, element), 0);
    Value padded =
        core::PadOp::create(builder, op.getLoc(), local.getType(wide, element),
                            result, zero, margin, margin, none);
    Value written = core::DynamicUpdateSliceOp::create(
        builder, op.getLoc(), padded.getType(), padded, piece, lookUp(shifted));
    return core::SliceOp::create(builder, op.getLoc(), to.local, written,
                                 margin, limits, ones);
  }

  Value makeMask(const Tables &lows, const Tables &highs) {
    Value mask;
    for (int64_t d = 0; d < rank; ++d) {
      int64_t size = to.local.getDimSize(d);
      auto type = local.getType({size}, builder.getI32Type());
      Value at = core::IotaOp::create(builder, op.getLoc(), type, 0);
      Value low = local.compare(
          at, local.broadcast(local.lookUpByDevice(lows[d]), {size}),
          Comparison::Ge);
      Value high = local.compare(
          at, local.broadcast(local.lookUpByDevice(highs[d]), {size}),
          Comparison::Lt);
      Value inside = local.broadcastAlong(
          core::AndOp::create(builder, op.getLoc(), low, high), d,
          to.local.getShape());
      mask = mask ? core::AndOp::create(builder, op.getLoc(), mask, inside)
                        .getResult()
                  : inside;
    }
    return mask;
  }

  comm::ReshardOp op;
  LocalBuilder &local;
  OpBuilder &builder;
  const LocalValue &from, &to;
  int64_t rank, devices;
  std::vector<Box> had, wanted;
};
} // namespace

void localiseExchange(const LocalOp &self, LocalBuilder &local) {
  local.getBuilder().setInsertionPoint(self.op);
  Value result = ExchangeBuilder(self, local).build();
  self.op->getResult(0).replaceAllUsesWith(result);
  self.op->erase();
}

} // namespace partita
