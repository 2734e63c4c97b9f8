//===- Window.cpp - Ops that shift indices along split dimensions ---------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/partition/Window.h"

#include <set>

using namespace mlir;

namespace partita {

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

std::optional<int64_t> getConstantIndex(Value index, int64_t last) {
  auto constant = index.getDefiningOp<core::ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                        : SplatElementsAttr();
  if (!splat)
    return std::nullopt;
  auto value = dyn_cast<IntegerAttr>(splat.getSplatValue<Attribute>());
  if (!value)
    return std::nullopt;
  int64_t number = value.getType().isUnsignedInteger()
                       ? static_cast<int64_t>(value.getValue().getZExtValue())
                       : value.getValue().getSExtValue();
  return std::clamp<int64_t>(number, 0, last);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Lets the given dimension of all tensors of the result's rank share a factor,
/// of the size of the longest: a slice of one element can lie in shards too.
static void shareFactor(Operation *op, IndexRule &rule, size_t d) {
  size_t rank = rule.results[0].size();
  int32_t number = rule.results[0][d].front();
  Factor &factor = rule.factors[number];
  factor.kind = FactorKind::Window;
  for (auto [operand, dims] : llvm::zip(op->getOperands(), rule.operands)) {
    if (dims.size() != rank)
      continue;
    dims[d] = {number};
    factor.size = std::max(factor.size, getTensor(operand).getDimSize(d));
  }
}

/// Dimensions that the op shifts and that could be split all the same.
static SmallVector<int64_t> getShiftedDims(Operation *op) {
  SmallVector<int64_t> dims;
  if (auto slice = dyn_cast<core::SliceOp>(op)) {
    for (int64_t d = 0; d < slice.getType().getRank(); ++d)
      if (slice.getOperand().getType().getDimSize(d) !=
          slice.getType().getDimSize(d))
        dims.push_back(d);
  } else if (auto pad = dyn_cast<core::PadOp>(op)) {
    for (int64_t d = 0; d < pad.getType().getRank(); ++d)
      if (pad.getLow()[d] != 0 || pad.getHigh()[d] != 0 ||
          pad.getInterior()[d] != 0)
        dims.push_back(d);
  } else if (auto reverse = dyn_cast<core::ReverseOp>(op)) {
    llvm::append_range(dims, reverse.getDims());
  } else if (auto join = dyn_cast<core::ConcatenateOp>(op)) {
    dims.push_back(static_cast<int64_t>(join.getDim()));
  } else if (auto update = dyn_cast<core::DynamicUpdateSliceOp>(op)) {
    for (auto [d, index] : llvm::enumerate(update.getIndices()))
      if (update.getUpdate().getType().getDimSize(d) !=
              update.getType().getDimSize(d) &&
          getConstantIndex(index, 0))
        dims.push_back(static_cast<int64_t>(d));
  }
  return dims;
}

std::optional<IndexRule> getWindowRule(Operation *op) {
  SmallVector<int64_t> dims = getShiftedDims(op);
  if (dims.empty())
    return std::nullopt;
  IndexRule rule = cast<IndexRuleOpInterface>(op).getIndexRule();
  for (int64_t d : dims)
    if (!rule.results[0][d].empty())
      shareFactor(op, rule, d);
  return rule;
}

std::optional<IndexRule> getOwnerRule(Operation *op) {
  auto slice = dyn_cast<core::SliceOp>(op);
  if (!slice)
    return std::nullopt;
  RankedTensorType from = slice.getOperand().getType();
  bool isLogical = from.getElementType().isInteger(1);
  IndexRule rule = slice.getIndexRule();
  bool isFound = false;
  for (int64_t d = 0; d < from.getRank(); ++d) {
    if (slice.getType().getDimSize(d) != 1 || from.getDimSize(d) == 1)
      continue;
    Factor &factor = rule.factors[rule.operands[0][d].front()];
    factor.kind = FactorKind::Reduction;
    factor.reduction = isLogical ? ReductionKind::Or : ReductionKind::Sum;
    isFound = true;
  }
  return isFound ? std::optional(rule) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

SmallVector<int64_t> getWindowStarts(const LocalDim &result, int64_t shift,
                                     int64_t stride) {
  SmallVector<int64_t> starts;
  for (int64_t c = 0; c < getProduct(result.axes); ++c)
    starts.push_back(c * result.local * stride + shift);
  return starts;
}

LocalDim getSpan(const LocalDim &result, int64_t stride) {
  auto span = [&](int64_t size) {
    return std::max<int64_t>((size - 1) * stride + 1, 0);
  };
  return {span(result.global), span(result.local), result.axes};
}

int64_t getWindowLimit(const LocalDim &to, ArrayRef<int64_t> starts) {
  // Windows of a reversal run downwards: the first one is the last stretch.
  bool isReversed = starts.size() > 1 && starts[1] < starts[0];
  return starts.front() + (isReversed ? to.local : to.global);
}

WindowPlan planWindow(const LocalDim &dim, ArrayRef<int64_t> starts,
                      int64_t size, int64_t limit) {
  limit = std::min(limit, dim.global);
  WindowPlan rounds(1);
  // Per round but the first: the coordinates that send and that receive.
  std::vector<std::set<int64_t>> senders(1), receivers(1);
  for (auto [receiver, start] : llvm::enumerate(starts)) {
    auto to = static_cast<int64_t>(receiver);
    int64_t begin = std::max<int64_t>(start, 0);
    int64_t end = std::min(start + size, limit);
    while (begin < end) {
      int64_t from = begin / dim.local;
      int64_t until = std::min(end, (from + 1) * dim.local);
      size_t round = from == to ? 0 : 1;
      while (round > 0 && round < rounds.size() &&
             (senders[round].contains(from) || receivers[round].contains(to)))
        ++round;
      if (round == rounds.size()) {
        rounds.emplace_back();
        senders.emplace_back();
        receivers.emplace_back();
      }
      rounds[round].push_back({from, to, begin, until});
      senders[round].insert(from);
      receivers[round].insert(to);
      begin = until;
    }
  }
  return rounds;
}

StretchedWindows getStretchedWindows(core::PadOp op, int64_t d,
                                     const LocalDim &from, const LocalDim &to) {
  int64_t step = op.getInterior()[d] + 1, low = op.getLow()[d];
  StretchedWindows windows;
  for (int64_t c = 0; c < getProduct(to.axes); ++c) {
    int64_t first = c * to.local - low;
    int64_t start = llvm::divideCeilSigned(first, step);
    windows.starts.push_back(start);
    windows.places.push_back(start * step - first);
  }
  windows.span = {from.global - std::min<int64_t>(windows.starts.front(), 0),
                  llvm::divideCeilSigned(to.local, step), to.axes};
  return windows;
}

static int64_t getLargest(ArrayRef<WindowTransfer> round) {
  int64_t largest = 0;
  for (const WindowTransfer &transfer : round)
    largest = std::max(largest, transfer.end - transfer.begin);
  return largest;
}

/// The shift of window starts against shard starts, per operand.
static SmallVector<int64_t> getShifts(Operation *op, int64_t d) {
  if (auto slice = dyn_cast<core::SliceOp>(op))
    return {slice.getStarts()[d]};
  if (auto pad = dyn_cast<core::PadOp>(op))
    return {-pad.getLow()[d]};
  SmallVector<int64_t> shifts;
  if (auto join = dyn_cast<core::ConcatenateOp>(op)) {
    int64_t at = 0;
    for (Value operand : join.getOperands()) {
      shifts.push_back(-at);
      at += getTensor(operand).getDimSize(d);
    }
  } else if (auto update = dyn_cast<core::DynamicUpdateSliceOp>(op)) {
    int64_t last = update.getType().getDimSize(d) -
                   update.getUpdate().getType().getDimSize(d);
    shifts = {0, -getConstantIndex(update.getIndices()[d], last).value_or(0)};
  }
  return shifts;
}

double getWindowSeconds(Operation *op, const Strategy &strategy) {
  // Priced by bytes; a round counts just enough that fewer are better.
  constexpr double kSecondsPerRound = 2e-9;
  double seconds = 0;
  auto result = getTensor(op->getResult(0));
  const TensorSharding &out = strategy.results[0];
  for (int64_t d : getShiftedDims(op)) {
    const Axes &axes = out.dims[d].axes;
    if (axes.empty())
      continue;
    int64_t shards = getProduct(axes);
    LocalDim to{result.getDimSize(d),
                (result.getDimSize(d) + shards - 1) / shards, axes};
    SmallVector<int64_t> shifts = getShifts(op, d);
    auto slice = dyn_cast<core::SliceOp>(op);
    int64_t stride = slice ? slice.getStrides()[d] : 1;
    LocalDim span = getSpan(to, stride);
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      RankedTensorType type = getTensor(operand);
      if (type.getRank() != result.getRank() ||
          strategy.operands[i].dims[d].axes.empty())
        continue;
      LocalDim from{type.getDimSize(d),
                    (type.getDimSize(d) + shards - 1) / shards, axes};
      SmallVector<int64_t> starts =
          getWindowStarts(to, i < shifts.size() ? shifts[i] : 0, stride);
      if (isa<core::ReverseOp>(op))
        for (int64_t &start : starts)
          start = to.global - start - to.local;
      if (auto pad = dyn_cast<core::PadOp>(op); pad && pad.getInterior()[d]) {
        StretchedWindows windows = getStretchedWindows(pad, d, from, to);
        starts = windows.starts;
        span = windows.span;
      }
      int64_t rest = getElementBytes(type.getElementType());
      std::vector<int64_t> shape(type.getShape().begin(),
                                 type.getShape().end());
      for (auto [e, size] :
           llvm::enumerate(getLocalShape(shape, strategy.operands[i])))
        if (static_cast<int64_t>(e) != d)
          rest *= size;
      for (const auto &round : llvm::drop_begin(planWindow(
               from, starts, span.local, getWindowLimit(span, starts))))
        seconds +=
            kSecondsPerRound +
            kSecondsPerByte * static_cast<double>(rest * getLargest(round));
    }
  }
  return seconds;
}

void keepWholeOperands(Operation *op, const StrategyRequest &request,
                       Strategy &strategy) {
  int64_t rank = getTensor(op->getResult(0)).getRank();
  for (int64_t d : getShiftedDims(op))
    for (auto [have, wanted] : llvm::zip(request.operands, strategy.operands))
      if (have.getRank() == rank && have.dims[d].axes.empty())
        wanted.dims[d].axes.clear();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {
/// Builds the exchange of one window.
class WindowBuilder {
public:
  WindowBuilder(LocalBuilder &theLocal, Value theValue, int64_t theDim,
                const LocalDim &theShards, const LocalDim &to,
                ArrayRef<int64_t> theStarts)
      : local(theLocal), builder(theLocal.getBuilder()), value(theValue),
        d(theDim), shards(theShards), starts(theStarts), size(to.local),
        limit(getWindowLimit(to, theStarts)), axes(to.axes),
        count(getProduct(to.axes)) {}

  Value build() {
    if (!shards.isSplit())
      return cutOut();
    SmallVector<int64_t> shape(getTensor(value).getShape());
    shape[d] = size;
    Value result = local.makeSplat(
        local.getType(shape, getTensor(value).getElementType()), 0);
    for (auto [i, round] :
         llvm::enumerate(planWindow(shards, starts, size, limit)))
      if (!round.empty())
        result = addRound(result, round, /*isOwn=*/i == 0);
    return result;
  }

private:
  /// A value per coordinate; coordinates that do not take part have none.
  using Table = SmallVector<std::optional<int64_t>>;

  /// The window of a value that each device has as a whole.
  Value cutOut() {
    Table places;
    for (int64_t start : starts)
      places.push_back(-std::clamp(start, -size, shards.global));
    return shift(value, places);
  }

  Value addRound(Value result, ArrayRef<WindowTransfer> round, bool isOwn) {
    int64_t largest = getLargest(round);
    Table offsets(count), places(count), lows(count), highs(count);
    for (const WindowTransfer &transfer : round) {
      int64_t first = transfer.sender * shards.local;
      int64_t offset = std::min(transfer.begin - first, shards.local - largest);
      int64_t start = starts[transfer.receiver];
      offsets[transfer.sender] = offset;
      places[transfer.receiver] = first + offset - start;
      lows[transfer.receiver] = transfer.begin - start;
      highs[transfer.receiver] = transfer.end - start;
    }
    Value piece = sliceAt(value, offsets, largest);
    if (!isOwn)
      piece = permute(piece, round);
    if (largest == size && isUniform(places, 0) && isEverywhere(lows, 0) &&
        isEverywhere(highs, size))
      return piece;
    Value shifted = shift(piece, places);
    Value mask = makeMask(lows, highs);
    RankedTensorType type = getTensor(result);
    return core::SelectOp::create(
        builder, local.getLoc(), type,
        local.broadcastAlong(mask, d, type.getShape()), shifted, result);
  }

  static bool isUniform(const Table &table, int64_t number) {
    return llvm::all_of(table, [&](std::optional<int64_t> entry) {
      return !entry || *entry == number;
    });
  }
  static bool isEverywhere(const Table &table, int64_t number) {
    return llvm::all_of(table, [&](std::optional<int64_t> entry) {
      return entry && *entry == number;
    });
  }

  /// The table's entry of the device, a scalar of i32. Where there is none it
  /// is `other`.
  Value lookUp(const Table &table, int64_t other) {
    SmallVector<int32_t> numbers;
    for (std::optional<int64_t> entry : table)
      numbers.push_back(static_cast<int32_t>(entry.value_or(other)));
    Type i32 = builder.getI32Type();
    auto scalar = local.getType({}, i32);
    if (llvm::all_equal(numbers))
      return local.makeSplat(scalar, numbers.front());
    Value all = core::ConstantOp::create(
        builder, local.getLoc(),
        DenseElementsAttr::get(local.getType({count}, i32),
                               ArrayRef<int32_t>(numbers)));
    LocalDim single{count, 1, axes};
    Value entry = core::DynamicSliceOp::create(
        builder, local.getLoc(), local.getType({1}, i32), all,
        ValueRange{local.makeShardStart(single, i32)}, ArrayRef<int64_t>({1}));
    return core::ReshapeOp::create(builder, local.getLoc(), scalar, entry);
  }

  /// `length` elements of dimension d from the offset of the device on.
  Value sliceAt(Value from, const Table &offsets, int64_t length) {
    RankedTensorType type = getTensor(from);
    if (type.getDimSize(d) == length)
      return from;
    std::optional<int64_t> any;
    for (std::optional<int64_t> entry : offsets)
      any = any ? any : entry;
    SmallVector<int64_t> shape(type.getShape());
    shape[d] = length;
    auto made = local.getType(shape, type.getElementType());
    if (isUniform(offsets, *any)) {
      SmallVector<int64_t> begin(type.getRank(), 0), ones(type.getRank(), 1),
          end(shape);
      begin[d] = *any;
      end[d] = *any + length;
      return core::SliceOp::create(builder, local.getLoc(), made, from, begin,
                                   end, ones);
    }
    Value zero = local.makeSplat(local.getType({}, builder.getI32Type()), 0);
    SmallVector<Value> indices(type.getRank(), zero);
    indices[d] = lookUp(offsets, *any);
    return core::DynamicSliceOp::create(builder, local.getLoc(), made, from,
                                        indices, shape);
  }

  Value permute(Value piece, ArrayRef<WindowTransfer> round) {
    SmallVector<int64_t> sources, targets;
    for (ArrayRef<int64_t> group : local.getMesh().getGroups(axes))
      for (const WindowTransfer &transfer : round) {
        sources.push_back(group[transfer.sender]);
        targets.push_back(group[transfer.receiver]);
      }
    return comm::PermuteOp::create(
               builder, local.getLoc(), TypeRange{piece.getType()},
               ValueRange{piece}, local.getMeshName().getValue(),
               local.getAxesAttr(axes), sources, targets, ArrayAttr(),
               ArrayAttr())
        ->getResult(0);
  }

  /// Moves the piece to its place in a window.
  Value shift(Value piece, const Table &places) {
    RankedTensorType type = getTensor(piece);
    SmallVector<int64_t> none(type.getRank(), 0), margin = none,
                                                  shape(type.getShape());
    margin[d] = size;
    shape[d] += 2 * size;
    Value zero = local.makeSplat(local.getType({}, type.getElementType()), 0);
    Value wide = core::PadOp::create(
        builder, local.getLoc(), local.getType(shape, type.getElementType()),
        piece, zero, margin, margin, none);
    Table offsets(places);
    for (std::optional<int64_t> &entry : offsets)
      if (entry)
        entry = size - *entry;
    return sliceAt(wide, offsets, size);
  }

  Value makeMask(const Table &lows, const Table &highs) {
    auto type = local.getType({size}, builder.getI32Type());
    Value at = core::IotaOp::create(builder, local.getLoc(), type, 0);
    Value low = local.compare(at, local.broadcast(lookUp(lows, 0), {size}),
                              Comparison::Ge);
    Value high = local.compare(at, local.broadcast(lookUp(highs, 0), {size}),
                               Comparison::Lt);
    return core::AndOp::create(builder, local.getLoc(), low, high);
  }

  LocalBuilder &local;
  OpBuilder &builder;
  Value value;
  int64_t d;
  const LocalDim &shards;
  ArrayRef<int64_t> starts;
  int64_t size, limit;
  const Axes &axes;
  int64_t count;
};
} // namespace

Value takeWindow(LocalBuilder &local, Value value, int64_t d,
                 const LocalDim &from, const LocalDim &to,
                 ArrayRef<int64_t> starts) {
  return WindowBuilder(local, value, d, from, to, starts).build();
}

} // namespace partita
