//===- PlanWriter.cpp - From a planned program to plan.proto --------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/plan/PlanWriter.h"

#include "ir/attrs/Places.h"
#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/core/Types.h"
#include "ir/plan/Plan.h"
#include "passes/memory/Places.h"
#include "runtime/plan/Convert.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <tuple>

using namespace mlir;

namespace partita {

namespace {

class PlanWriter {
public:
  PlanWriter(ModuleOp theModule, PlanSpec theSpec)
      : module(theModule), spec(std::move(theSpec)),
        main(module.lookupSymbol<func::FuncOp>("main")) {}

  FailureOr<plan::Plan> run();

private:
  void writeHeader();
  void writeKernels();
  void writeAllocations();
  void writeConstant(core::ConstantOp constant);
  void writeBoundary();
  void writeSharding(ShardingAttr sharding, int64_t rank,
                     plan::Sharding &message);

  /// Adds a block; its number, or failure.
  FailureOr<uint32_t> writeBlock(Block &block, ValueRange targets);
  LogicalResult writeOp(Operation &op, plan::Block &block);
  void writeLaunch(plan::LaunchOp launch, plan::Block &block);
  LogicalResult writeCollective(Operation &op, plan::Block &block);
  void writePermute(comm::PermuteOp op, plan::Collective &collective);
  LogicalResult writeWhile(core::WhileOp loop, plan::Block &block);
  LogicalResult writeIf(core::IfOp branch, plan::Block &block);
  void writeCopy(uint32_t source, uint32_t target, plan::Block &block);
  /// The copies at the end of a block from its terminator's operands.
  void writeEndCopies(Operation *terminator, ArrayRef<uint32_t> targets,
                      plan::Block &block);

  uint32_t getBuffer(MemoryPlace place, Type type);
  uint32_t getBuffer(Value value) {
    return getBuffer(getPlaceOf(value), value.getType());
  }

  ModuleOp module;
  PlanSpec spec;
  func::FuncOp main;
  Mesh mesh;
  plan::Plan plan;
  llvm::StringMap<uint32_t> kernels; // by name of the plan.kernel
  std::map<std::tuple<int64_t, int64_t, int, std::vector<int64_t>>, uint32_t>
      buffers;
  llvm::DenseSet<int64_t> writtenConstants; // by allocation
  uint32_t sequence = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void PlanWriter::writeHeader() {
  plan.set_program(spec.program);
  plan.mutable_target()->set_kind(spec.targetKind);
  for (const std::string &feature : spec.targetFeatures)
    plan.mutable_target()->add_features(feature);
  if (StringAttr name = getMeshName(module))
    mesh = lookupMesh(module, name).toMesh();
  toPlan(mesh, *plan.mutable_mesh());
  plan.set_code(std::move(spec.code));
}

void PlanWriter::writeKernels() {
  for (const KernelSpec &spec : spec.kernels) {
    auto kernel = module.lookupSymbol<plan::KernelOp>(spec.name);
    kernels[spec.name] = static_cast<uint32_t>(plan.kernels_size());
    plan::Kernel &message = *plan.add_kernels();
    message.set_symbol(spec.symbol);
    message.set_num_tiles(spec.numTiles);
    message.set_flops(spec.flops);
    message.set_bytes(spec.bytes);
    message.set_num_operands(kernel.getNumArguments());
    message.set_num_results(kernel.getNumResults());
  }
}

void PlanWriter::writeAllocations() {
  for (const AllocationInfo &allocation : getAllocations(main)) {
    plan::Allocation &message = *plan.add_allocations();
    message.set_kind(static_cast<plan::Allocation::Kind>(allocation.kind));
    message.set_bytes(static_cast<uint64_t>(allocation.bytes));
  }
  main.walk([&](core::ConstantOp constant) {
    if (!constant->getParentOfType<plan::KernelOp>())
      writeConstant(constant);
  });
}

void PlanWriter::writeConstant(core::ConstantOp constant) {
  int64_t allocation = getPlaceOf(constant->getResult(0)).allocation;
  if (!writtenConstants.insert(allocation).second)
    return;
  std::string &bytes = *plan.mutable_constants();
  bytes.resize(llvm::alignTo(bytes.size(), kPlaceAlignment));
  plan.mutable_allocations(static_cast<int>(allocation))
      ->set_offset(bytes.size());
  HostTensor tensor = toHostTensor(cast<ElementsAttr>(constant.getValue()));
  bytes.append(reinterpret_cast<const char *>(tensor.data()),
               static_cast<size_t>(tensor.getNumBytes()));
}

void PlanWriter::writeSharding(ShardingAttr sharding, int64_t rank,
                               plan::Sharding &message) {
  toPlan(sharding ? sharding.toSharding(mesh) : getReplicated(rank), message);
}

void PlanWriter::writeBoundary() {
  for (auto [argument, value] :
       llvm::zip(main.getArguments(), spec.arguments)) {
    plan::Argument &message = *plan.add_arguments();
    message.set_name(value.name);
    message.set_buffer(getBuffer(argument));
    message.mutable_global_shape()->Assign(value.globalShape.begin(),
                                           value.globalShape.end());
    writeSharding(main.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(),
                                                      kShardingAttrName),
                  static_cast<int64_t>(value.globalShape.size()),
                  *message.mutable_sharding());
  }
  SmallVector<MemoryPlace> places =
      fromAttribute(main->getAttrOfType<ArrayAttr>(kResultPlacesAttrName));
  for (auto [i, value] : llvm::enumerate(spec.results)) {
    plan::Result &message = *plan.add_results();
    message.set_name(value.name);
    message.set_buffer(getBuffer(places[i], main.getResultTypes()[i]));
    message.mutable_global_shape()->Assign(value.globalShape.begin(),
                                           value.globalShape.end());
    writeSharding(getResultSharding(main, i),
                  static_cast<int64_t>(value.globalShape.size()),
                  *message.mutable_sharding());
    for (unsigned a = 0; a < main.getNumArguments(); ++a)
      if (auto alias = main.getArgAttrOfType<IntegerAttr>(a, kAliasAttrName);
          alias && alias.getInt() == static_cast<int64_t>(i))
        message.set_aliased_argument(a);
  }
}

uint32_t PlanWriter::getBuffer(MemoryPlace place, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  int dtype = static_cast<int>(*toDType(tensor.getElementType()));
  std::vector<int64_t> shape = tensor.getShape().vec();
  auto [entry, isNew] =
      buffers.try_emplace({place.allocation, place.offset, dtype, shape},
                          static_cast<uint32_t>(plan.buffers_size()));
  if (!isNew)
    return entry->second;
  plan::Buffer &message = *plan.add_buffers();
  message.set_allocation(static_cast<uint32_t>(place.allocation));
  message.set_offset(static_cast<uint64_t>(place.offset));
  message.set_dtype(static_cast<uint32_t>(dtype));
  message.mutable_shape()->Assign(shape.begin(), shape.end());
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void PlanWriter::writeCopy(uint32_t source, uint32_t target,
                           plan::Block &block) {
  const plan::Buffer &from = plan.buffers(static_cast<int>(source));
  const plan::Buffer &to = plan.buffers(static_cast<int>(target));
  if (from.allocation() == to.allocation() && from.offset() == to.offset())
    return;
  plan::Copy &copy = *block.add_steps()->mutable_copy();
  copy.set_source(source);
  copy.set_target(target);
}

void PlanWriter::writeEndCopies(Operation *terminator,
                                ArrayRef<uint32_t> targets,
                                plan::Block &block) {
  SmallVector<uint32_t> sources;
  for (Value value : terminator->getOperands())
    sources.push_back(getBuffer(value));
  if (auto staging = terminator->getAttrOfType<ArrayAttr>(kStagingAttrName))
    for (auto [i, place] : llvm::enumerate(fromAttribute(staging))) {
      if (place.allocation < 0)
        continue;
      uint32_t aside = getBuffer(place, terminator->getOperand(i).getType());
      writeCopy(sources[i], aside, block);
      sources[i] = aside;
    }
  for (auto [source, target] : llvm::zip(sources, targets))
    writeCopy(source, target, block);
}

void PlanWriter::writeLaunch(plan::LaunchOp launch, plan::Block &block) {
  plan::Launch &message = *block.add_steps()->mutable_launch();
  message.set_kernel(kernels.lookup(launch.getKernel()));
  for (Value input : launch.getInputs())
    message.add_buffers(getBuffer(input));
  for (Value result : launch->getResults())
    message.add_buffers(getBuffer(result));
}

static plan::Collective::Kind getKind(Operation &op) {
  return llvm::TypeSwitch<Operation *, plan::Collective::Kind>(&op)
      .Case([](comm::AllReduceOp) { return plan::Collective::ALL_REDUCE; })
      .Case([](comm::ReduceScatterOp) {
        return plan::Collective::REDUCE_SCATTER;
      })
      .Case([](comm::AllGatherOp) { return plan::Collective::ALL_GATHER; })
      .Case([](comm::AllToAllOp) { return plan::Collective::ALL_TO_ALL; })
      .Default([](Operation *) { return plan::Collective::PERMUTE; });
}

/// The dimensions of operand `i`: that of the parts, and all-to-all's second.
static std::pair<int64_t, int64_t> getDims(Operation &op, unsigned i) {
  return llvm::TypeSwitch<Operation *, std::pair<int64_t, int64_t>>(&op)
      .Case([&](comm::ReduceScatterOp scatter) {
        return std::pair(scatter.getDims()[i], int64_t(0));
      })
      .Case([&](comm::AllGatherOp gather) {
        return std::pair(gather.getDims()[i], int64_t(0));
      })
      .Case([&](comm::AllToAllOp exchange) {
        return std::pair(exchange.getSplitDims()[i],
                         exchange.getConcatDims()[i]);
      })
      .Default([](Operation *) { return std::pair(int64_t(0), int64_t(0)); });
}

void PlanWriter::writePermute(comm::PermuteOp op,
                              plan::Collective &collective) {
  for (auto [source, target] : llvm::zip(op.getSources(), op.getTargets())) {
    plan::Collective::Pair &pair = *collective.add_pairs();
    pair.set_source(source);
    pair.set_target(target);
  }
}

LogicalResult PlanWriter::writeCollective(Operation &op, plan::Block &block) {
  plan::Collective &message = *block.add_steps()->mutable_collective();
  message.set_kind(getKind(op));
  if (auto permute = dyn_cast<comm::PermuteOp>(op))
    writePermute(permute, message);
  else
    toPlan(op.getAttrOfType<AxesAttr>("axes").toAxes(mesh),
           *message.mutable_axes());
  if (auto kind = op.getAttrOfType<ReductionAttr>("kind"))
    message.set_reduction(static_cast<uint32_t>(kind.getKind()));
  for (unsigned i = 0; i < op.getNumOperands(); ++i) {
    auto [dim, concatDim] = getDims(op, i);
    plan::Collective::Piece &piece = *message.add_pieces();
    piece.set_operand(getBuffer(op.getOperand(i)));
    piece.set_result(getBuffer(op.getResult(i)));
    piece.set_dim(static_cast<uint32_t>(dim));
    piece.set_concat_dim(static_cast<uint32_t>(concatDim));
  }
  Place place = getPlace(op.getLoc());
  message.set_location(place.getLine());
  message.set_value(place.name);
  message.set_sequence(sequence++);
  return success();
}

LogicalResult PlanWriter::writeWhile(core::WhileOp loop, plan::Block &block) {
  SmallVector<uint32_t> carried;
  for (auto [init, result] : llvm::zip(loop.getInits(), loop.getResults())) {
    carried.push_back(getBuffer(result));
    writeCopy(getBuffer(init), carried.back(), block);
  }
  Block &cond = loop.getCond().front(), &body = loop.getBody().front();
  FailureOr<uint32_t> condition = writeBlock(cond, {});
  FailureOr<uint32_t> bodyBlock = writeBlock(body, loop.getResults());
  if (failed(condition) || failed(bodyBlock))
    return failure();
  plan::While &message = *block.add_steps()->mutable_while_loop();
  message.set_condition(*condition);
  message.set_body(*bodyBlock);
  message.set_predicate(getBuffer(cond.getTerminator()->getOperand(0)));
  return success();
}

LogicalResult PlanWriter::writeIf(core::IfOp branch, plan::Block &block) {
  FailureOr<uint32_t> then =
      writeBlock(branch.getThenRegion().front(), branch.getResults());
  FailureOr<uint32_t> otherwise =
      writeBlock(branch.getElseRegion().front(), branch.getResults());
  if (failed(then) || failed(otherwise))
    return failure();
  plan::If &message = *block.add_steps()->mutable_if_else();
  message.set_predicate(getBuffer(branch.getPred()));
  message.set_then_block(*then);
  message.set_else_block(*otherwise);
  return success();
}

LogicalResult PlanWriter::writeOp(Operation &op, plan::Block &block) {
  if (auto launch = dyn_cast<plan::LaunchOp>(op)) {
    writeLaunch(launch, block);
    return success();
  }
  if (auto loop = dyn_cast<core::WhileOp>(op))
    return writeWhile(loop, block);
  if (auto branch = dyn_cast<core::IfOp>(op))
    return writeIf(branch, block);
  if (auto index = dyn_cast<comm::AxisIndexOp>(op)) {
    plan::AxisIndex &message = *block.add_steps()->mutable_axis_index();
    toPlan(index.getAxes().toAxes(mesh), *message.mutable_axes());
    message.set_buffer(getBuffer(index.getResult()));
    return success();
  }
  if (isa<comm::AllReduceOp, comm::ReduceScatterOp, comm::AllGatherOp,
          comm::AllToAllOp, comm::PermuteOp>(op))
    return writeCollective(op, block);
  if (isa<core::ConstantOp, core::ReshapeOp, core::BarrierOp>(op) ||
      op.hasTrait<OpTrait::IsTerminator>())
    return success();
  return op.emitError("cannot be executed by the runtime: it must be part of "
                      "a kernel or a collective");
}

FailureOr<uint32_t> PlanWriter::writeBlock(Block &block, ValueRange targets) {
  // Blocks inside are added to the plan first, so collect the steps aside.
  plan::Block message;
  for (Operation &op : block)
    if (failed(writeOp(op, message)))
      return failure();
  SmallVector<uint32_t> ends;
  for (Value target : targets)
    ends.push_back(getBuffer(target));
  if (!ends.empty())
    writeEndCopies(block.getTerminator(), ends, message);
  *plan.add_blocks() = std::move(message);
  return static_cast<uint32_t>(plan.blocks_size() - 1);
}

FailureOr<plan::Plan> PlanWriter::run() {
  writeHeader();
  writeKernels();
  writeAllocations();
  writeBoundary();
  Block &block = main.getBody().front();
  FailureOr<uint32_t> entry = writeBlock(block, {});
  if (failed(entry))
    return failure();
  SmallVector<uint32_t> results;
  for (const plan::Result &result : plan.results())
    results.push_back(result.buffer());
  writeEndCopies(block.getTerminator(), results,
                 *plan.mutable_blocks(static_cast<int>(*entry)));
  plan.add_entry_blocks(*entry);
  return std::move(plan);
}

FailureOr<plan::Plan> writePlan(ModuleOp module, PlanSpec spec) {
  return PlanWriter(module, std::move(spec)).run();
}

} // namespace partita
