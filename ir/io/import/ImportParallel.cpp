//===- ImportParallel.cpp - Programs of test programs on a grid -----------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `interpreter.run_parallel` runs a program on each device. It becomes one
// manual computation over a mesh of these devices: what the devices get lies
// stacked, one device's value each, and so does what they give.
//
// Where devices run different programs, each device runs all of them, on zeros
// where the program is not its own, and what it gives then is not looked at.
// That is right as long as devices only talk within their own program, or by
// send and recv, whose partners are known: they become permutes.
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/io/check/Check.h"
#include "ir/io/import/ImportGroups.h"
#include "ir/io/stablehlo/Ops.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace partita::io {

static constexpr StringLiteral kReplicaAxis = "replica";
static constexpr StringLiteral kPartitionAxis = "partition";

namespace {

/// One function and the devices that run it.
struct Program {
  func::FuncOp func;
  SmallVector<int64_t> devices;
  /// Its ops within the manual computation.
  SmallVector<Operation *> ops = {};
  /// What it prints, which it gives as further results, and where.
  SmallVector<std::pair<Type, Location>> prints = {};

  /// What a device that runs it gives.
  SmallVector<Type> getResultTypes() {
    SmallVector<Type> types(func.getResultTypes());
    llvm::append_range(types, llvm::make_first_range(prints));
    return types;
  }
};

class ParallelRun {
public:
  ParallelRun(Importer &theImporter, interpreter::RunParallelOp theOp)
      : importer(theImporter), module(importer.getModule()), op(theOp),
        builder(op) {}

  /// Reads and checks the op, as long as all others are as they were.
  LogicalResult prepare();
  LogicalResult expand();
  /// The functions that only this op names.
  ArrayRef<func::FuncOp> getFunctions() const { return functions; }

private:
  FailureOr<func::FuncOp> findFunction(Attribute name);
  LogicalResult findPrograms();
  LogicalResult checkTypes(StringRef what, TypeRange own,
                           ArrayRef<Type> programs);
  LogicalResult checkOps(func::FuncOp func);
  LogicalResult checkPrograms();
  FailureOr<StringAttr> makeMesh();
  Value stack(Program &program, unsigned argument);
  comm::ManualOp makeManual(StringAttr mesh);
  SmallVector<Value> inlineProgram(OpBuilder &inside, Program &program,
                                   ValueRange arguments);
  void replaceResults(comm::ManualOp manual);
  LogicalResult checkFeed(func::FuncOp func);
  LogicalResult importFeeds(Program &program);
  LogicalResult importTransfers();
  LogicalResult reportDeadlock();
  LogicalResult connect(Operation *send, int64_t source, Operation *recv,
                        int64_t target);

  Importer &importer;
  ModuleOp module;
  interpreter::RunParallelOp op;
  ImportBuilder builder;
  ProcessGrid grid;
  SmallVector<func::FuncOp> functions;
  SmallVector<func::FuncOp> feeds; ///< The infeed queue.
  SmallVector<Program> programs;
  /// By device: its program, and the number of its first operand and result.
  SmallVector<size_t> programOf, firstOperand, firstResult;
};

} // namespace

//===----------------------------------------------------------------------===//
// What runs where
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> ParallelRun::findFunction(Attribute name) {
  auto func = module.lookupSymbol<func::FuncOp>(cast<FlatSymbolRefAttr>(name));
  if (!func || func.isExternal() || !func.getBody().hasOneBlock()) {
    op->emitError() << "'interpreter.run_parallel' names " << name
                    << ", which is no function with a body of one block";
    return failure();
  }
  if (!llvm::is_contained(functions, func))
    functions.push_back(func);
  return func;
}

LogicalResult ParallelRun::findPrograms() {
  grid.replicas = static_cast<int64_t>(op.getPrograms().size());
  size_t numOperands = 0, numResults = 0;
  for (Attribute row : op.getPrograms()) {
    grid.partitions = static_cast<int64_t>(cast<ArrayAttr>(row).size());
    for (Attribute name : cast<ArrayAttr>(row)) {
      FailureOr<func::FuncOp> func = findFunction(name);
      if (failed(func))
        return failure();
      auto *known = llvm::find_if(
          programs, [&](Program &other) { return other.func == *func; });
      if (known == programs.end()) {
        known = &programs.emplace_back(Program{*func, {}});
        for (auto print : func->getOps<interpreter::PrintOp>())
          known->prints.push_back(
              {print.getOperand().getType(), print.getLoc()});
      }
      known->devices.push_back(static_cast<int64_t>(programOf.size()));
      programOf.push_back(known - programs.begin());
      firstOperand.push_back(numOperands);
      firstResult.push_back(numResults);
      numOperands += func->getNumArguments();
      numResults += func->getNumResults();
    }
  }
  return success();
}

LogicalResult ParallelRun::checkTypes(StringRef what, TypeRange own,
                                      ArrayRef<Type> ofPrograms) {
  if (llvm::equal(own, ofPrograms))
    return success();
  return op->emitError() << "'interpreter.run_parallel' has " << what << " ("
                         << own << "), its programs have (" << ofPrograms
                         << ")";
}

/// Whether an op talks to devices that it lists.
static bool isCollective(Operation *op) {
  return op->hasAttr("replica_groups") ||
         isa<stablehlo::CollectivePermuteOp>(op);
}

/// A function and all that it calls, directly or not.
static llvm::SetVector<func::FuncOp> getCallees(func::FuncOp func) {
  llvm::SetVector<func::FuncOp> callees;
  callees.insert(func);
  for (size_t i = 0; i < callees.size(); ++i) {
    func::FuncOp caller = callees[i];
    caller.walk([&](Operation *inner) {
      auto call = dyn_cast<func::CallOp>(inner);
      auto composite = dyn_cast<stablehlo::CompositeOp>(inner);
      if (!call && !composite)
        return;
      StringRef name = call ? call.getCallee() : composite.getDecomposition();
      auto module = inner->getParentOfType<ModuleOp>();
      if (auto callee = module.lookupSymbol<func::FuncOp>(name))
        callees.insert(callee);
    });
  }
  return callees;
}

LogicalResult ParallelRun::checkOps(func::FuncOp func) {
  WalkResult result = func.walk([&](Operation *inner) {
    auto refuse = [&](const Twine &what) {
      return WalkResult(importer.reportUnsupported(inner, what));
    };
    if (isa<interpreter::RunParallelOp>(inner))
      return refuse(" within a program that it runs");
    if (inner->getParentOp() != func &&
        isa<stablehlo::SendOp, stablehlo::RecvOp>(inner))
      return refuse(" in a loop or a branch of a program");
    // Devices run the programs of others, too, on zeros.
    if (programs.size() > 1 &&
        (isCollective(inner) || isa<stablehlo::WhileOp>(inner)))
      return refuse(" where devices run different programs");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ParallelRun::checkPrograms() {
  SmallVector<Type> operands, results;
  for (size_t program : programOf) {
    llvm::append_range(operands, programs[program].func.getArgumentTypes());
    llvm::append_range(results, programs[program].func.getResultTypes());
  }
  if (failed(checkTypes("operands", op->getOperandTypes(), operands)) ||
      failed(checkTypes("results", op->getResultTypes(), results)))
    return failure();
  for (Type type : llvm::concat<Type>(operands, results))
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        !tensor || !tensor.hasStaticShape())
      return op->emitError()
             << "'interpreter.run_parallel' passes a value of type " << type
             << "; only tensors of fixed shape are passed on";
  for (Program &program : programs)
    for (func::FuncOp func : getCallees(program.func))
      if (failed(checkOps(func)))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The manual computation
//===----------------------------------------------------------------------===//

/// A mesh with an axis for replicas and one for partitions.
FailureOr<StringAttr> ParallelRun::makeMesh() {
  StringAttr name = getMeshName(module);
  if (name && importer.getGrid() != grid) {
    (void)importer.reportUnsupported(
        op, " in a module with another mesh or grid of programs");
    return failure();
  }
  importer.setGrid(grid);
  if (name)
    return name;
  name = builder.getStringAttr("grid");
  auto front = OpBuilder::atBlockBegin(module.getBody());
  Mesh mesh({{kReplicaAxis.str(), grid.replicas},
             {kPartitionAxis.str(), grid.partitions}});
  auto made = core::MeshOp::create(
      front, op.getLoc(), name, MeshAttr::fromMesh(builder.getContext(), mesh));
  made->setAttr(kFixedMeshAttrName, builder.getUnitAttr());
  SymbolTable(module).insert(made);
  return made.getSymNameAttr();
}

/// One device's value in front of the next one's.
static RankedTensorType getStackedType(Type type, int64_t count) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.insert(shape.begin(), count);
  return tensor.clone(shape);
}

Value ParallelRun::stack(Program &program, unsigned argument) {
  RankedTensorType type =
      getStackedType(program.func.getArgument(argument).getType(), 1);
  SmallVector<Value> parts;
  for (auto [device, own] : llvm::enumerate(programOf))
    parts.push_back(
        &programs[own] == &program
            ? builder.reshape(op->getOperand(firstOperand[device] + argument),
                              type.getShape())
            : builder.splat(type, 0));
  return builder.concatenate(parts, 0);
}

SmallVector<Value> ParallelRun::inlineProgram(OpBuilder &inside,
                                              Program &program,
                                              ValueRange arguments) {
  IRMapping mapping;
  mapping.map(program.func.getArguments(), arguments);
  Block &body = program.func.getBody().front();
  SmallVector<Value> results(body.getTerminator()->getOperands());
  for (Operation &inner : body.without_terminator())
    if (isa<interpreter::PrintOp>(inner))
      results.push_back(inner.getOperand(0));
    else
      program.ops.push_back(inside.clone(inner, mapping));
  return llvm::map_to_vector(
      results, [&](Value result) { return mapping.lookupOrDefault(result); });
}

/// One device's part of a stacked value.
static ShardingAttr getStackedSharding(MLIRContext *context, StringAttr mesh,
                                       Type type) {
  SmallVector<core::AxisRefAttr> axes;
  for (StringRef name : {kReplicaAxis, kPartitionAxis})
    axes.push_back(core::AxisRefAttr::get(context, name, 1, 0));
  auto makeDim = [&](ArrayRef<core::AxisRefAttr> own) {
    return core::DimShardingAttr::get(context, own, /*isOpen=*/false,
                                      /*priority=*/0);
  };
  SmallVector<core::DimShardingAttr> dims(
      cast<RankedTensorType>(type).getRank(), makeDim({}));
  dims.front() = makeDim(axes);
  return ShardingAttr::get(context, mesh, dims, {}, {},
                           static_cast<ReductionKindValue>(ReductionKind::Sum));
}

comm::ManualOp ParallelRun::makeManual(StringAttr mesh) {
  auto count = static_cast<int64_t>(programOf.size());
  MLIRContext *context = builder.getContext();
  SmallVector<Value> operands;
  SmallVector<Type> types;
  SmallVector<Attribute> in, out;
  for (Program &program : programs) {
    for (unsigned i = 0; i < program.func.getNumArguments(); ++i) {
      operands.push_back(stack(program, i));
      in.push_back(
          getStackedSharding(context, mesh, operands.back().getType()));
    }
    for (Type type : program.getResultTypes()) {
      types.push_back(getStackedType(type, count));
      out.push_back(getStackedSharding(context, mesh, types.back()));
    }
  }
  auto manual =
      comm::ManualOp::create(builder, types, operands, builder.getArrayAttr(in),
                             builder.getArrayAttr(out));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&manual.getBody().emplaceBlock());
  SmallVector<Value> results;
  for (Program &program : programs) {
    SmallVector<Value> arguments;
    for (BlockArgument own : program.func.getArguments())
      arguments.push_back(
          builder.reshape(manual.getBody().addArgument(
                              getStackedType(own.getType(), 1), own.getLoc()),
                          cast<RankedTensorType>(own.getType()).getShape()));
    for (Value result : inlineProgram(builder, program, arguments))
      results.push_back(builder.reshape(
          result, getStackedType(result.getType(), 1).getShape()));
  }
  comm::ReturnOp::create(builder, results);
  return manual;
}

void ParallelRun::replaceResults(comm::ManualOp manual) {
  SmallVector<unsigned> first; // result of the manual computation, by program
  unsigned number = 0;
  for (Program &program : programs) {
    first.push_back(number);
    number += program.getResultTypes().size();
  }
  OpBuilder printer(op);
  for (auto [device, own] : llvm::enumerate(programOf)) {
    Program &program = programs[own];
    auto at = static_cast<int64_t>(device);
    for (auto [i, type] : llvm::enumerate(program.getResultTypes())) {
      Value part = builder.reshape(
          builder.slice(manual.getResult(first[own] + i), 0, at, at + 1),
          cast<RankedTensorType>(type).getShape());
      unsigned count = program.func.getNumResults();
      if (i < count)
        op->getResult(firstResult[device] + i).replaceAllUsesWith(part);
      else
        interpreter::PrintOp::create(printer, program.prints[i - count].second,
                                     TypeRange(), ValueRange(part),
                                     ArrayRef<NamedAttribute>());
    }
  }
  op->erase();
}

//===----------------------------------------------------------------------===//
// Talk with the host and between programs
//===----------------------------------------------------------------------===//

/// Puts values and a token, if there is one more result, in an op's place.
static void replaceEffect(Operation *op, ValueRange values) {
  ImportBuilder builder(op);
  SmallVector<Value> results(values);
  if (results.size() < op->getNumResults())
    results.push_back(builder.splat(op->getResults().back().getType(), 0));
  op->replaceAllUsesWith(results);
  op->erase();
}

/// Functions of the queue compute, and do nothing else.
LogicalResult ParallelRun::checkFeed(func::FuncOp func) {
  WalkResult result = func.walk([&](Operation *inner) {
    if (isa<interpreter::RunParallelOp, interpreter::PrintOp>(inner) ||
        isCollective(inner))
      return WalkResult(importer.reportUnsupported(
          inner, " in a function of the infeed queue"));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Each infeed takes what the next function of the queue gives. Nobody listens
/// to an outfeed.
LogicalResult ParallelRun::importFeeds(Program &program) {
  ArrayRef<func::FuncOp> queue = feeds;
  for (Operation *&inner : program.ops) {
    bool isInfeed = isa<stablehlo::InfeedOp>(inner);
    if (!isInfeed && !isa<stablehlo::OutfeedOp>(inner))
      continue;
    SmallVector<Value> values;
    if (isInfeed) {
      if (programOf.size() > 1)
        return importer.reportUnsupported(inner, " on several devices");
      if (queue.empty())
        return inner->emitError() << "'stablehlo.infeed' finds nothing more in "
                                     "the queue that 'infeed' lists";
      func::FuncOp func = queue.front();
      queue = queue.drop_front();
      if (func.getNumArguments() != 0 ||
          !llvm::equal(func.getResultTypes(),
                       TypeRange(inner->getResultTypes()).drop_back()))
        return inner->emitError()
               << "'stablehlo.infeed' takes values of other types than @"
               << func.getName() << " gives";
      OpBuilder inside(inner);
      Program feed{func, {}};
      values = inlineProgram(inside, feed, {});
    }
    replaceEffect(inner, values);
    inner = nullptr;
  }
  return success();
}

namespace {
/// The sends or receives over one channel.
struct Line {
  std::optional<int64_t> device;
  SmallVector<Operation *> ops;
};
} // namespace

/// Adds an op to its channel's line.
static LogicalResult addTo(Line &line, Importer &importer, Operation *op,
                           const Program &program) {
  if (op->hasAttr("source_target_pairs"))
    return importer.reportUnsupported(op, " with pairs of devices");
  if (program.devices.size() > 1 ||
      line.device.value_or(program.devices[0]) != program.devices[0])
    return importer.reportUnsupported(op,
                                      " over one channel on several devices");
  line.device = program.devices[0];
  line.ops.push_back(op);
  return success();
}

LogicalResult ParallelRun::importTransfers() {
  llvm::MapVector<int64_t, std::pair<Line, Line>> channels;
  for (Program &program : programs)
    for (Operation *inner : program.ops) {
      bool isSend = isa_and_nonnull<stablehlo::SendOp>(inner);
      if (!isSend && !isa_and_nonnull<stablehlo::RecvOp>(inner))
        continue;
      auto handle =
          inner->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
      auto &[sends, recvs] = channels[handle.getHandle()];
      if (failed(addTo(isSend ? sends : recvs, importer, inner, program)))
        return failure();
    }
  for (auto &[channel, lines] : channels) {
    auto &[sends, recvs] = lines;
    size_t count = std::min(sends.ops.size(), recvs.ops.size());
    if (count < sends.ops.size())
      return sends.ops[count]->emitError()
             << "'stablehlo.send' sends what no program receives over channel "
             << channel;
    if (count < recvs.ops.size())
      return recvs.ops[count]->emitError()
             << "'stablehlo.recv' waits for what no program sends over channel "
             << channel;
    for (auto [send, recv] : llvm::zip_equal(sends.ops, recvs.ops))
      if (failed(connect(send, *sends.device, recv, *recvs.device)))
        return failure();
  }
  return success();
}

LogicalResult ParallelRun::reportDeadlock() {
  return op->emitError() << "the programs of 'interpreter.run_parallel' wait "
                            "for one another for ever";
}

/// What is sent goes to the device that receives it.
LogicalResult ParallelRun::connect(Operation *send, int64_t source,
                                   Operation *recv, int64_t target) {
  ValueRange values = send->getOperands().drop_back();
  if (!llvm::equal(values.getTypes(),
                   TypeRange(recv->getResultTypes()).drop_back()))
    return recv->emitError() << "'stablehlo.recv' takes values of other types "
                                "than its 'stablehlo.send' sends";
  if (llvm::any_of(values,
                   [&](Value value) { return value.getDefiningOp() == recv; }))
    return reportDeadlock();
  ImportBuilder at(send);
  SmallVector<Value> received(values);
  FailureOr<DeviceGroups> devices = DeviceGroups::getWhole(importer, op);
  if (source != target)
    for (Value &value : received)
      value = devices->permute(at, value, source, target);
  replaceEffect(recv, received);
  replaceEffect(send, {});
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LogicalResult ParallelRun::prepare() {
  if (failed(findPrograms()))
    return failure();
  if (ArrayAttr queue = op.getInfeedAttr())
    for (Attribute name : queue) {
      FailureOr<func::FuncOp> feed = findFunction(name);
      if (failed(feed))
        return failure();
      feeds.push_back(*feed);
      for (func::FuncOp callee : getCallees(*feed))
        if (failed(checkFeed(callee)))
          return failure();
    }
  return checkPrograms();
}

LogicalResult ParallelRun::expand() {
  FailureOr<StringAttr> mesh = makeMesh();
  if (failed(mesh))
    return failure();
  comm::ManualOp manual = makeManual(*mesh);
  for (Program &program : programs)
    if (failed(importFeeds(program)))
      return failure();
  if (failed(importTransfers()))
    return failure();
  if (!sortTopologically(&manual.getBody().front()))
    return reportDeadlock();
  replaceResults(manual);
  return success();
}

LogicalResult expandParallel(Importer &importer) {
  SmallVector<std::unique_ptr<ParallelRun>> runs;
  importer.getModule().walk([&](interpreter::RunParallelOp op) {
    runs.push_back(std::make_unique<ParallelRun>(importer, op));
  });
  for (auto &run : runs)
    if (failed(run->prepare()))
      return failure();
  llvm::SetVector<func::FuncOp> functions;
  for (auto &run : runs) {
    if (failed(run->expand()))
      return failure();
    functions.insert_range(run->getFunctions());
  }
  // On their own the programs are no programs of the whole mesh.
  for (func::FuncOp func : functions)
    if (func.getName() != "main" &&
        SymbolTable::symbolKnownUseEmpty(func, importer.getModule()))
      func.erase();
  return success();
}

} // namespace partita::io
