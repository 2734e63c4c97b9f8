//===- LowerReshards.cpp - Reshards to collectives --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/comm/Comm.h"
#include "mesh/Permutation.h"
#include "passes/collectives/Passes.h"
#include "passes/collectives/Reason.h"
#include "passes/collectives/TripCount.h"
#include "sharding/partition/LocalBuilder.h"
#include "sharding/reshard/Resharder.h"

using namespace mlir;

namespace partita {
#define GEN_PASS_DEF_LOWERRESHARDSPASS
#include "passes/collectives/Passes.h.inc"
} // namespace partita

using namespace partita;

namespace {

/// Builds the collectives of one reshard.
class StepBuilder {
public:
  StepBuilder(comm::ReshardOp theOp, const Mesh &theMesh)
      : op(theOp), mesh(theMesh), builder(theOp),
        reasons(builder.getStrArrayAttr({describeReason(theOp)})) {}

  /// The value after `step` on `operand`, which lies as `from` says.
  Value build(const ReshardStep &step, Value operand, ShardingAttr from,
              ShardingAttr to) {
    Location loc = op.getLoc();
    Type type = operand.getType();
    MLIRContext *context = op.getContext();
    auto name = FlatSymbolRefAttr::get(from.getMesh());
    AxesAttr axes = AxesAttr::fromAxes(context, mesh, step.axes);
    ArrayAttr before = builder.getArrayAttr({from});
    ArrayAttr after = builder.getArrayAttr({to});
    DenseI64ArrayAttr dim = builder.getDenseI64ArrayAttr({step.dim});
    Operation *made = nullptr;
    switch (step.kind) {
    case ReshardStepKind::Slice:
      made = comm::SliceOp::create(builder, loc, type, operand, name, axes,
                                   builder.getI64IntegerAttr(step.dim), before,
                                   after);
      break;
    case ReshardStepKind::AllGather:
      made = comm::AllGatherOp::create(builder, loc, type, operand, name, axes,
                                       dim, before, after);
      break;
    case ReshardStepKind::AllReduce:
      made =
          comm::AllReduceOp::create(builder, loc, type, operand, name, axes,
                                    getReduction(context, from), before, after);
      break;
    case ReshardStepKind::ReduceScatter:
      made = comm::ReduceScatterOp::create(
          builder, loc, type, operand, name, axes, dim,
          getReduction(context, from), before, after);
      break;
    case ReshardStepKind::AllToAll:
      made = comm::AllToAllOp::create(
          builder, loc, type, operand, name, axes, dim,
          builder.getDenseI64ArrayAttr({step.concatDim}), before, after);
      break;
    case ReshardStepKind::Permute: {
      std::vector<int64_t> sources =
          *getPermutation(mesh, from.toSharding(mesh), to.toSharding(mesh));
      SmallVector<int64_t> targets =
          llvm::to_vector(llvm::seq<int64_t>(0, mesh.getNumDevices()));
      made = comm::PermuteOp::create(builder, loc, type, operand, name, axes,
                                     builder.getDenseI64ArrayAttr(sources),
                                     builder.getDenseI64ArrayAttr(targets),
                                     before, after);
      break;
    }
    case ReshardStepKind::Exchange:
      made = comm::ReshardOp::create(builder, loc, type, operand, from, to);
      break;
    }
    for (NamedAttribute attr : op->getDiscardableAttrs())
      made->setDiscardableAttr(attr.getName(), attr.getValue());
    made->setAttr(kReasonsAttrName, reasons);
    if (step.kind == ReshardStepKind::Exchange)
      made->setAttr(kExchangeAttrName, builder.getUnitAttr());
    setSharding(made->getResult(0), to);
    return made->getResult(0);
  }

private:
  static ReductionAttr getReduction(MLIRContext *context, ShardingAttr from) {
    return ReductionAttr::get(context, from.getReductionKind());
  }

  comm::ReshardOp op;
  const Mesh &mesh;
  OpBuilder builder;
  ArrayAttr reasons;
};

struct LowerReshardsPass
    : partita::impl::LowerReshardsPassBase<LowerReshardsPass> {
  using LowerReshardsPassBase::LowerReshardsPassBase;

  void runOnOperation() override {
    Resharder resharder(getOperation());
    WalkResult result = getOperation().walk([&](comm::ReshardOp op) {
      if (op->hasAttr(kExchangeAttrName))
        return WalkResult::advance();
      return failed(lower(op, resharder)) ? WalkResult::interrupt()
                                          : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult checkLimits(comm::ReshardOp op, const ReshardPlan &plan,
                            const Mesh &mesh);

  LogicalResult lower(comm::ReshardOp op, Resharder &resharder) {
    FailureOr<const ReshardPlan *> plan =
        resharder.plan(op, op.getType(), op.getFrom(), op.getTo());
    if (failed(plan))
      return failure();
    StringAttr meshName = op.getFrom().getMesh();
    const Mesh &mesh = *resharder.getMesh(meshName);
    if (failed(checkLimits(op, **plan, mesh)))
      return failure();
    StepBuilder builder(op, mesh);
    Value value = op.getOperand();
    ShardingAttr from = op.getFrom();
    for (const ReshardStep &step : (*plan)->steps) {
      ShardingAttr to =
          &step == &(*plan)->steps.back()
              ? op.getTo()
              : ShardingAttr::fromSharding(meshName, mesh, step.result);
      value = builder.build(step, value, from, to);
      from = to;
    }
    op.replaceAllUsesWith(value);
    op.erase();
    return success();
  }
};

} // namespace

/// Whether the plan makes the tensor whole on every device although neither end
/// wants it so.
static bool isRemat(comm::ReshardOp op, const ReshardPlan &plan,
                    const Mesh &mesh) {
  auto isWhole = [](const TensorSharding &sharding) {
    return llvm::all_of(
        sharding.dims, [](const DimSharding &dim) { return dim.axes.empty(); });
  };
  return !isWhole(op.getFrom().toSharding(mesh)) &&
         !isWhole(op.getTo().toSharding(mesh)) &&
         llvm::any_of(plan.steps, [&](const ReshardStep &step) {
           return isWhole(step.result);
         });
}

LogicalResult LowerReshardsPass::checkLimits(comm::ReshardOp op,
                                             const ReshardPlan &plan,
                                             const Mesh &mesh) {
  int64_t bytes = plan.wireBytes * getExecutionCount(op);
  if (isRemat(op, plan, mesh)) {
    InFlightDiagnostic diag = failOnRemat ? op.emitError() : op.emitRemark();
    diag << "a reshard from " << op.getFrom() << " to " << op.getTo()
         << " gathers the whole " << op.getType() << " on every device, which "
         << "sends " << bytes << " bytes a step (" << describeReason(op)
         << "); let both shardings split it evenly, or into as many parts";
    if (failOnRemat)
      return diag;
  }
  if (maxReshardBytes >= 0 && bytes > maxReshardBytes)
    return op.emitError() << "by a reshard from " << op.getFrom() << " to "
                          << op.getTo() << " a device sends " << bytes
                          << " bytes a step, more than the limit of "
                          << maxReshardBytes.getValue() << " ("
                          << describeReason(op)
                          << "); annotate one side like the other, or raise "
                          << "--max-reshard-bytes";
  return success();
}
