//===- Sharing.cpp - Which values share memory ----------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/memory/Sharing.h"

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/core/Core.h"
#include "ir/core/Types.h"

using namespace mlir;

namespace partita {

static int64_t getBytes(Value value) {
  return getNumBytes(cast<RankedTensorType>(value.getType()));
}

//===----------------------------------------------------------------------===//
// Points and lifetimes
//===----------------------------------------------------------------------===//

void Sharing::number(Block &block) {
  for (Operation &op : block) {
    numbers[&op] = numPoints++;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        number(inner);
  }
}

int64_t Sharing::getEnd(Operation *op, unsigned region) const {
  return numbers.lookup(op->getRegion(region).front().getTerminator());
}

int64_t Sharing::getLastUse(Value value) const {
  int64_t last = -1;
  for (Operation *user : value.getUsers()) {
    last = std::max(last, numbers.lookup(user));
    // What a loop reads from outside it reads again in the next iteration.
    for (Operation *op = user; op->getBlock() != value.getParentBlock();
         op = op->getParentOp())
      if (auto loop = dyn_cast<core::WhileOp>(op->getParentOp()))
        last = std::max(last, getEnd(loop, 1));
  }
  return last;
}

int64_t Sharing::getLastUse(ValueRange values, int64_t least) const {
  for (Value value : values)
    least = std::max(least, getLastUse(value));
  return least;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

int64_t Sharing::addDatum(int64_t bytes, ArrayRef<LiveRange> ranges,
                          Storage::Kind kind, int64_t number) {
  auto id = static_cast<int64_t>(data.size());
  data.push_back({llvm::SmallVector<LiveRange, 2>(ranges), id});
  Storage &storage = storages.emplace_back();
  storage.kind = kind;
  storage.number = number;
  storage.bytes = bytes;
  members.push_back({id});
  return id;
}

void Sharing::addAlias(Value alias, Value value, int64_t point) {
  int64_t datum = ids.lookup(value);
  ids[alias] = datum;
  LiveRange *range = &data[datum].ranges.front();
  for (LiveRange &candidate : data[datum].ranges)
    if (candidate.begin <= point)
      range = &candidate;
  range->end = std::max({range->end, point, getLastUse(alias)});
}

void Sharing::addArguments() {
  for (BlockArgument argument : main.getArguments()) {
    unsigned i = argument.getArgNumber();
    bool isFed = bool(main.getArgAttr(i, kAliasAttrName));
    int64_t end = isFed ? getLastUse(argument) : numPoints;
    int64_t datum =
        addDatum(getBytes(argument), {{-1, end}}, Storage::Kind::Argument, i);
    storages[datum].isWritable = isFed;
    ids[argument] = datum;
  }
}

void Sharing::addResults(Operation &op) {
  int64_t point = numbers.lookup(&op);
  for (Value result : op.getResults())
    ids[result] = addDatum(getBytes(result),
                           {{point, std::max(point, getLastUse(result))}});
}

void Sharing::allowInPlace(ValueRange operands, unsigned operand, Value result,
                           int64_t point) {
  int64_t datum = ids.lookup(operands[operand]);
  for (auto [i, other] : llvm::enumerate(operands))
    if (i != operand && ids.lookup(other) == datum)
      return; // read elsewhere, in another order
  std::pair<int64_t, int64_t> pair = {datum, ids.lookup(result)};
  if (inPlace.try_emplace(pair, point).second)
    inPlaceOrder.push_back(pair);
}

void Sharing::addLaunch(plan::LaunchOp launch) {
  addResults(*launch);
  auto kernel = SymbolTable::lookupNearestSymbolFrom<plan::KernelOp>(
      launch, launch.getKernelAttr());
  for (auto [argument, result] : kernel.getInplacePairs())
    allowInPlace(launch.getInputs(), argument, launch->getResult(result),
                 numbers.lookup(launch));
}

void Sharing::addConstant(Operation &op) {
  Attribute value = cast<core::ConstantOp>(op).getValue();
  auto [entry, isNew] = constants.try_emplace(value, 0);
  if (isNew)
    entry->second = addDatum(getBytes(op.getResult(0)), {{-1, numPoints}},
                             Storage::Kind::Constant);
  ids[op.getResult(0)] = entry->second;
  storages[entry->second].isWritable = false;
}

LogicalResult Sharing::addWhile(Operation &op) {
  auto loop = cast<core::WhileOp>(op);
  Block &cond = loop.getCond().front(), &body = loop.getBody().front();
  Operation *yield = body.getTerminator();
  int64_t start = numbers.lookup(&op), end = getEnd(&op, 1);
  for (auto [i, init] : llvm::enumerate(loop.getInits())) {
    Value result = op.getResult(i);
    Value inCond = cond.getArgument(i), inBody = body.getArgument(i);
    if (yield->getOperand(i) == inBody) {
      // Handed through: nothing ever changes.
      for (Value alias : {inCond, inBody, result})
        addAlias(alias, init, start);
      continue;
    }
    // Must outlive the condition, which may end the loop.
    int64_t carried = getLastUse({inCond, inBody}, getEnd(&op, 0));
    int64_t datum = addDatum(
        getBytes(result), {{start, carried}, {end, getLastUse({result}, end)}});
    for (Value value : {inCond, inBody, result})
      ids[value] = datum;
  }
  if (failed(addBlock(cond)) || failed(addBlock(body)))
    return failure();
  for (auto [i, init] : llvm::enumerate(loop.getInits())) {
    Value result = op.getResult(i);
    if (ids.lookup(result) == ids.lookup(init))
      continue;
    allowInPlace(yield->getOperand(i), 0, result, end);
    allowInPlace(init, 0, result, start);
  }
  return success();
}

LogicalResult Sharing::addIf(Operation &op) {
  int64_t ends[] = {getEnd(&op, 0), getEnd(&op, 1)};
  for (Value result : op.getResults())
    ids[result] =
        addDatum(getBytes(result), {{ends[0], ends[0]},
                                    {ends[1], getLastUse({result}, ends[1])}});
  for (unsigned region : {0, 1}) {
    Block &block = op.getRegion(region).front();
    if (failed(addBlock(block)))
      return failure();
    Operation *yield = block.getTerminator();
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      allowInPlace(yield->getOperand(i), 0, result, ends[region]);
  }
  return success();
}

LogicalResult Sharing::addOp(Operation &op) {
  if (auto launch = dyn_cast<plan::LaunchOp>(op)) {
    addLaunch(launch);
  } else if (isa<core::ConstantOp>(op)) {
    addConstant(op);
  } else if (isa<core::WhileOp>(op)) {
    return addWhile(op);
  } else if (isa<core::IfOp>(op)) {
    return addIf(op);
  } else if (isa<core::ReshapeOp, core::BarrierOp>(op)) {
    for (auto [result, operand] : llvm::zip(op.getResults(), op.getOperands()))
      addAlias(result, operand, numbers.lookup(&op));
  } else if (isa<comm::AllReduceOp>(op)) {
    addResults(op);
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      allowInPlace(op.getOperands(), i, result, numbers.lookup(&op));
  } else if (isa<comm::CommDialect>(op.getDialect())) {
    addResults(op);
  } else if (!op.hasTrait<OpTrait::IsTerminator>()) {
    return op.emitError("must be part of a kernel before memory is planned");
  }
  return success();
}

LogicalResult Sharing::addBlock(Block &block) {
  for (Operation &op : block)
    if (failed(addOp(op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

bool Sharing::mayMeet(int64_t a, int64_t b) const {
  auto meetsAt = [&](int64_t first, const LiveRange &range, int64_t second,
                     const LiveRange &other) {
    auto found = inPlace.find({first, second});
    return found != inPlace.end() && range.end == found->second &&
           other.begin == found->second;
  };
  for (const LiveRange &range : data[a].ranges)
    for (const LiveRange &other : data[b].ranges)
      if (range.overlaps(other) && !meetsAt(a, range, b, other) &&
          !meetsAt(b, other, a, range))
        return false;
  return true;
}

bool Sharing::mayJoin(int64_t a, int64_t b) const {
  const Storage &first = storages[a], &second = storages[b];
  if (first.bytes != second.bytes || !first.isWritable || !second.isWritable)
    return false;
  if (first.kind != Storage::Kind::Temporary &&
      second.kind != Storage::Kind::Temporary)
    return false;
  return llvm::all_of(members[a], [&](int64_t one) {
    return llvm::all_of(members[b],
                        [&](int64_t other) { return mayMeet(one, other); });
  });
}

bool Sharing::join(int64_t a, int64_t b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return true;
  if (!mayJoin(a, b))
    return false;
  if (storages[a].kind == Storage::Kind::Temporary)
    std::swap(a, b);
  data[b].storage = a;
  members[a].append(members[b]);
  members[b].clear();
  return true;
}

/// Whether the argument takes the result in the next step, as it lies.
static bool isFedInPlace(func::FuncOp main, unsigned argument,
                         unsigned result) {
  auto alias = main.getArgAttrOfType<IntegerAttr>(argument, kAliasAttrName);
  return alias && alias.getInt() == static_cast<int64_t>(result) &&
         main.getArgumentTypes()[argument] == main.getResultTypes()[result] &&
         main.getArgAttr(argument, kShardingAttrName) ==
             main.getResultAttr(result, kShardingAttrName);
}

void Sharing::joinResults() {
  Operation *end = main.getBody().front().getTerminator();
  int64_t point = numbers.lookup(end);
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    int64_t datum = ids.lookup(value);
    int64_t argument = -1;
    for (unsigned a = 0; a < main.getNumArguments() && argument < 0; ++a)
      if (isFedInPlace(main, a, i) &&
          join(ids.lookup(main.getArgument(a)), datum))
        argument = ids.lookup(main.getArgument(a));
    if (argument < 0) {
      int64_t storage = find(datum);
      if (storages[storage].kind != Storage::Kind::Temporary)
        datum = addDatum(getBytes(value), {{point, point}});
      storages[find(datum)].kind = Storage::Kind::Result;
      storages[find(datum)].number = static_cast<int64_t>(i);
    }
    resultData.push_back(datum);
  }
  // The runtime swaps the memory of an argument and the result that feeds it,
  // so only a result in place may be written there.
  for (BlockArgument argument : main.getArguments()) {
    int64_t storage = find(ids.lookup(argument));
    if (storages[storage].kind == Storage::Kind::Argument &&
        members[storage].size() == 1)
      storages[storage].isWritable = false;
  }
}

void Sharing::joinOps() {
  for (auto [operand, result] : inPlaceOrder)
    join(operand, result);
  main.walk([&](core::WhileOp loop) { joinLoop(*loop); });
}

/// Finds values that a loop's copies would overwrite before they are read.
void Sharing::joinLoop(Operation &op) {
  Operation *yield = op.getRegion(1).front().getTerminator();
  int64_t end = numbers.lookup(yield);
  auto isCopied = [&](unsigned i) {
    return idOf(yield->getOperand(i)) != idOf(op.getResult(i));
  };
  for (unsigned i = 0; i < op.getNumResults(); ++i)
    for (unsigned j = 0; j < op.getNumResults(); ++j) {
      if (i == j || !isCopied(i) || !isCopied(j) ||
          idOf(yield->getOperand(i)) != idOf(op.getResult(j)))
        continue;
      stagings[{yield, i}] = addDatum(getBytes(op.getResult(i)), {{end, end}});
      break;
    }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

int64_t Sharing::getStagingId(Operation *terminator, unsigned operand) const {
  auto found = stagings.find({terminator, operand});
  return found == stagings.end() ? -1 : found->second;
}

/// The union of ranges, in order and apart from one another.
static llvm::SmallVector<LiveRange, 2>
unite(llvm::SmallVector<LiveRange, 2> ranges) {
  llvm::sort(ranges, [](const LiveRange &a, const LiveRange &b) {
    return a.begin < b.begin;
  });
  llvm::SmallVector<LiveRange, 2> united;
  for (const LiveRange &range : ranges) {
    if (!united.empty() && range.begin <= united.back().end)
      united.back().end = std::max(united.back().end, range.end);
    else
      united.push_back(range);
  }
  return united;
}

std::vector<Storage> Sharing::getStorages() const {
  std::vector<Storage> list = storages;
  for (size_t i = 0; i < list.size(); ++i) {
    llvm::SmallVector<LiveRange, 2> ranges;
    for (int64_t datum : members[i])
      ranges.append(data[datum].ranges);
    list[i].ranges = unite(std::move(ranges));
  }
  return list;
}

LogicalResult Sharing::run(func::FuncOp theMain) {
  main = theMain;
  number(main.getBody().front());
  addArguments();
  if (failed(addBlock(main.getBody().front())))
    return failure();
  joinResults();
  joinOps();
  return success();
}

} // namespace partita
