//===- Interpreter.cpp - Runs a module on virtual devices -----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All devices run the same program, so they advance op by op in lock step: an
// SSA value is one tensor per device. Control flow must therefore go the same
// way everywhere; a predicate that differs is an error. Values that devices
// share are computed once.
//
//===----------------------------------------------------------------------===//

#include "codegen/ref/Collectives.h"
#include "codegen/ref/Reference.h"
#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace partita {
namespace {

using ref::Shards;
using Values = SmallVector<Shards>;

class Interpreter {
public:
  Interpreter(ModuleOp theModule, int64_t theNumDevices)
      : module(theModule), numDevices(theNumDevices) {}

  /// Runs a function; `arguments` has the shards of each argument.
  FailureOr<Values> call(func::FuncOp func, Values arguments) {
    llvm::DenseMap<Value, Shards> callers;
    std::swap(frame, callers);
    FailureOr<Values> results = runRegion(func.getBody(), std::move(arguments));
    std::swap(frame, callers);
    return results;
  }

  std::map<std::string, CollectiveCount> takeCounts() {
    return std::move(counts);
  }

private:
  /// Runs a region's only block; gives the operands of its terminator.
  FailureOr<Values> runRegion(Region &region, Values arguments) {
    Block &block = region.front();
    for (auto [argument, shards] : llvm::zip(block.getArguments(), arguments))
      frame[argument] = std::move(shards);
    arguments.clear();
    for (Operation &op : block.without_terminator())
      if (failed(run(&op)))
        return failure();
    Values results = read(block.getTerminator()->getOperands());
    for (BlockArgument argument : block.getArguments())
      frame.erase(argument);
    for (Operation &op : block)
      forget(op.getResults());
    return results;
  }

  LogicalResult run(Operation *op) {
    Values operands = read(op->getOperands()), results;
    if (failed(dispatch(op, operands, results)))
      return failure();
    for (auto [result, shards] : llvm::zip(op->getResults(), results))
      frame[result] = std::move(shards);
    for (Value operand : op->getOperands())
      if (isLastUse(op, operand))
        frame.erase(operand);
    return success();
  }

  LogicalResult dispatch(Operation *op, Values &operands, Values &results) {
    if (auto loop = dyn_cast<core::WhileOp>(op))
      return runWhile(loop, operands, results);
    if (auto branch = dyn_cast<core::IfOp>(op))
      return runIf(branch, operands[0], results);
    if (auto call = dyn_cast<func::CallOp>(op))
      return runCall(call, operands, results);
    if (isa<comm::CommDialect>(op->getDialect())) {
      if (failed(ref::runComm(op, numDevices, operands, results)))
        return failure();
      count(op);
      return success();
    }
    if (auto evaluable = dyn_cast<EvaluableOpInterface>(op))
      return evaluate(evaluable, operands, results);
    return op->emitOpError("cannot be run by the reference back-end");
  }

  LogicalResult runWhile(core::WhileOp op, Values &carried, Values &results) {
    while (true) {
      FailureOr<Values> pred = runRegion(op.getCond(), carried);
      if (failed(pred))
        return failure();
      FailureOr<bool> goesOn = getPredicate(op, pred->front());
      if (failed(goesOn))
        return failure();
      if (!*goesOn)
        break;
      FailureOr<Values> next = runRegion(op.getBody(), std::move(carried));
      if (failed(next))
        return failure();
      carried = std::move(*next);
    }
    results = carried;
    return success();
  }

  /// Both branches, on all devices; each keeps the results of its own. Devices
  /// must meet in collectives, so there may be none.
  LogicalResult runBothBranches(core::IfOp op, const Shards &pred,
                                Values &results) {
    WalkResult walked = op->walk([](Operation *inner) {
      return isa<comm::CommDialect>(inner->getDialect())
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return reportDisagreement(op, pred);
    FailureOr<Values> yes = runRegion(op.getThenRegion(), {});
    FailureOr<Values> no = runRegion(op.getElseRegion(), {});
    if (failed(yes) || failed(no))
      return failure();
    results = std::move(*no);
    for (auto [result, other] : llvm::zip_equal(results, *yes))
      for (auto [device, shard] : llvm::enumerate(pred))
        if (*shard.dataAs<bool>())
          result[device] = other[device];
    return success();
  }

  LogicalResult runIf(core::IfOp op, const Shards &pred, Values &results) {
    if (llvm::any_of(pred, [&](const HostTensor &shard) {
          return *shard.dataAs<bool>() != *pred[0].dataAs<bool>();
        }))
      return runBothBranches(op, pred, results);
    FailureOr<bool> holds = getPredicate(op, pred);
    if (failed(holds))
      return failure();
    FailureOr<Values> yielded =
        runRegion(*holds ? op.getThenRegion() : op.getElseRegion(), {});
    if (failed(yielded))
      return failure();
    results = std::move(*yielded);
    return success();
  }

  LogicalResult runCall(func::CallOp op, Values &operands, Values &results) {
    auto callee = module.lookupSymbol<func::FuncOp>(op.getCallee());
    if (!callee || callee.isDeclaration())
      return op.emitOpError()
             << "calls @" << op.getCallee() << ", which has no body";
    FailureOr<Values> called = call(callee, std::move(operands));
    if (failed(called))
      return failure();
    results = std::move(*called);
    return success();
  }

  /// Runs the op's interpreter step on each device, or once if all operands
  /// are shared by all.
  LogicalResult evaluate(EvaluableOpInterface op, Values &operands,
                         Values &results) {
    bool isShared = llvm::all_of(operands, [](const Shards &shards) {
      return llvm::all_of(shards, [&](const HostTensor &shard) {
        return shard.data() == shards[0].data();
      });
    });
    results.resize(op->getNumResults());
    for (int64_t device = 0; device < (isShared ? 1 : numDevices); ++device) {
      SmallVector<HostTensor> own, made;
      for (const Shards &shards : operands)
        own.push_back(shards[device]);
      if (failed(op.evaluate(own, made)))
        return failure();
      for (auto [i, tensor] : llvm::enumerate(made))
        results[i].insert(results[i].end(), isShared ? numDevices : 1, tensor);
    }
    return success();
  }

  static LogicalResult reportDisagreement(Operation *op, const Shards &shards) {
    bool first = *shards[0].dataAs<bool>();
    auto other = llvm::find_if(shards, [&](const HostTensor &shard) {
      return *shard.dataAs<bool>() != first;
    });
    return op->emitOpError()
           << "devices 0 and " << other - shards.begin()
           << " disagree on the predicate; it must be computed from values "
              "that all devices share";
  }

  FailureOr<bool> getPredicate(Operation *op, const Shards &shards) {
    bool first = *shards[0].dataAs<bool>();
    for (const HostTensor &shard : shards)
      if (*shard.dataAs<bool>() != first)
        return reportDisagreement(op, shards);
    return first;
  }

  void count(Operation *op) {
    std::string name = ref::getCollectiveName(op);
    if (name.empty() || op->hasAttr("from"))
      return;
    CollectiveCount &entry = counts[name];
    ++entry.count;
    for (Type type : op->getResultTypes())
      entry.resultBytes += getNumBytes(cast<RankedTensorType>(type));
  }

  Values read(ValueRange values) {
    Values result;
    for (Value value : values)
      result.push_back(frame.find(value)->second);
    return result;
  }

  void forget(ValueRange values) {
    for (Value value : values)
      frame.erase(value);
  }

  /// Whether no later op of the same block uses the value, which the block
  /// itself defines. The last user is looked up once per value.
  bool isLastUse(Operation *op, Value value) {
    Block *block = op->getBlock();
    if (value.getParentBlock() != block)
      return false;
    auto [it, isNew] = lastUsers.try_emplace(value, nullptr);
    if (isNew)
      for (Operation *user : value.getUsers()) {
        Operation *inBlock = block->findAncestorOpInBlock(*user);
        if (!it->second || it->second->isBeforeInBlock(inBlock))
          it->second = inBlock;
      }
    return it->second == op;
  }

  ModuleOp module;
  int64_t numDevices;
  /// Values of the function that runs.
  llvm::DenseMap<Value, Shards> frame;
  llvm::DenseMap<Value, Operation *> lastUsers;
  std::map<std::string, CollectiveCount> counts;
};

/// How an argument or result of @main lies on the devices.
struct Place {
  Shape shape;
  TensorSharding sharding;
};

Place getPlace(const Mesh &mesh, Type local, Attribute global,
               Attribute sharding) {
  auto type = cast<RankedTensorType>(global ? cast<TypeAttr>(global).getValue()
                                            : local);
  Place place{Shape(type.getShape().begin(), type.getShape().end()),
              getReplicated(type.getRank())};
  if (global && sharding)
    place.sharding = cast<ShardingAttr>(sharding).toSharding(mesh);
  return place;
}

/// The mesh of a localised module; one device for any other.
Mesh getDevices(ModuleOp module, func::FuncOp main) {
  bool isLocalised = false;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    isLocalised |= bool(main.getArgAttr(i, kGlobalTypeAttrName));
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    isLocalised |= bool(main.getResultAttr(i, kGlobalTypeAttrName));
  StringAttr name = getMeshName(module);
  return isLocalised && name ? lookupMesh(module, name).toMesh() : Mesh();
}

LogicalResult checkArgument(func::FuncOp main, unsigned i,
                            const HostTensor &argument, const Place &place) {
  auto type = cast<RankedTensorType>(main.getArgumentTypes()[i]);
  if (argument.getShape() == place.shape &&
      argument.getDType() == toDType(type.getElementType()))
    return success();
  return main.emitError() << "argument " << i << " should be "
                          << RankedTensorType::get(place.shape,
                                                   type.getElementType());
}

} // namespace

FailureOr<ReferenceRun> runReference(ModuleOp module,
                                     ArrayRef<HostTensor> arguments) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isDeclaration())
    return module.emitError("the module has no function @main to run");
  if (main.getNumArguments() != arguments.size())
    return main.emitError() << "@main takes " << main.getNumArguments()
                            << " arguments, not " << arguments.size();
  Mesh mesh = getDevices(module, main);
  Values shards;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Place place = getPlace(mesh, main.getArgumentTypes()[i],
                           main.getArgAttr(i, kGlobalTypeAttrName),
                           main.getArgAttr(i, kShardingAttrName));
    if (failed(checkArgument(main, i, argument, place)))
      return failure();
    shards.push_back(ref::cut(argument, mesh, place.sharding));
  }
  Interpreter interpreter(module, mesh.getNumDevices());
  FailureOr<Values> results = interpreter.call(main, std::move(shards));
  if (failed(results))
    return failure();
  ReferenceRun run;
  for (auto [i, parts] : llvm::enumerate(*results)) {
    Place place = getPlace(mesh, main.getResultTypes()[i],
                           main.getResultAttr(i, kGlobalTypeAttrName),
                           main.getResultAttr(i, kShardingAttrName));
    if (auto differ =
            ref::findDifference(parts, place.shape, mesh, place.sharding))
      return main.emitError()
             << "result " << i << " differs between devices " << differ->first
             << " and " << differ->second << ", which should hold copies";
    run.results.push_back(ref::join(parts, place.shape, mesh, place.sharding));
  }
  run.collectives = interpreter.takeCounts();
  return run;
}

} // namespace partita
