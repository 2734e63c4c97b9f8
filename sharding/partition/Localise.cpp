//===- Localise.cpp - Turns global shapes into local ones -----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sharding/partition/Localise.h"

#include "sharding/Passes.h"
#include "sharding/propagate/Provenance.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace partita {

#define GEN_PASS_DEF_LOCALISEPASS
#include "sharding/ShardingPasses.h.inc"

namespace {
class Localiser {
public:
  Localiser(func::FuncOp theFunc, StringAttr theMeshName, const Mesh &theMesh)
      : func(theFunc), meshName(theMeshName), mesh(theMesh) {}

  LogicalResult run() {
    // First everything is read, then types change, then ops are made to fit.
    for (BlockArgument arg : func.getArguments())
      read(arg);
    SmallVector<LocalOp> ops;
    func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool isManual = isa<comm::ManualOp>(op); // Its body is local already.
      for (Region &region : op->getRegions())
        for (BlockArgument arg : region.getArguments())
          if (!isManual)
            read(arg);
      LocalOp &self = ops.emplace_back();
      self.op = op;
      for (Value operand : op->getOperands())
        self.operands.push_back(read(operand));
      for (Value result : op->getResults())
        self.results.push_back(read(result));
      return isManual ? WalkResult::skip() : WalkResult::advance();
    });
    annotateFunction();
    for (const auto &[value, place] : places)
      Value(value).setType(place.local);
    for (const LocalOp &self : ops) {
      self.op->removeAttr(kShardingsAttrName);
      // Equal ops must look equal; collectives are explained to the user.
      if (!isa<comm::CommDialect>(self.op->getDialect()))
        self.op->removeAttr(kOriginsAttrName);
      if (failed(localise(self)))
        return failure();
    }
    setFunctionType();
    return success();
  }

private:
  /// The sharding of a value; that of a collective's result is in its `to`.
  static ShardingAttr getPlacement(Value value) {
    if (ShardingAttr sharding = getSharding(value))
      return sharding;
    auto result = dyn_cast<OpResult>(value);
    auto to = result ? result.getOwner()->getAttrOfType<ArrayAttr>("to")
                     : ArrayAttr();
    return to ? dyn_cast<ShardingAttr>(to[result.getResultNumber()])
              : ShardingAttr();
  }

  const LocalValue &read(Value value) {
    auto [it, isNew] = places.try_emplace(value);
    if (isNew) {
      LocalValue &place = it->second;
      place.global = cast<RankedTensorType>(value.getType());
      ShardingAttr sharding = getPlacement(value);
      place.sharding = sharding ? sharding.toSharding(mesh)
                                : getReplicated(place.global.getRank());
      std::vector<int64_t> shape = getLocalShape(
          {place.global.getShape().begin(), place.global.getShape().end()},
          place.sharding);
      place.local = RankedTensorType::get(shape, place.global.getElementType());
    }
    return it->second;
  }

  void annotateFunction() {
    for (BlockArgument arg : func.getArguments())
      func.setArgAttr(arg.getArgNumber(), kGlobalTypeAttrName,
                      TypeAttr::get(arg.getType()));
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      func.setResultAttr(i, kGlobalTypeAttrName, TypeAttr::get(type));
  }

  void setFunctionType() {
    Block &body = func.getBody().front();
    func.setType(FunctionType::get(func.getContext(), body.getArgumentTypes(),
                                   body.getTerminator()->getOperandTypes()));
  }

  /// Puts the body of a manual computation in its place.
  static void inlineBody(comm::ManualOp op) {
    Block &body = op.getBody().front();
    Operation *end = body.getTerminator();
    for (auto [argument, operand] :
         llvm::zip_equal(body.getArguments(), op.getOperands()))
      argument.replaceAllUsesWith(operand);
    op->replaceAllUsesWith(end->getOperands());
    end->erase();
    op->getBlock()->getOperations().splice(op->getIterator(),
                                           body.getOperations());
    op->erase();
  }

  LogicalResult localise(const LocalOp &self) {
    if (auto manual = dyn_cast<comm::ManualOp>(self.op)) {
      inlineBody(manual);
      return success();
    }
    OpBuilder builder(self.op);
    LocalBuilder local(builder, self.op->getLoc(), meshName, mesh);
    if (isa<comm::CommDialect>(self.op->getDialect()))
      return localiseComm(self, local);
    llvm::TypeSwitch<Operation *>(self.op)
        .Case([&](core::ConstantOp) { localiseConstant(self, local); })
        .Case([&](core::IotaOp) { localiseIota(self, local); })
        .Case([&](core::SliceOp) { localiseSlice(self, local); })
        .Case([&](core::PadOp) { localisePad(self, local); })
        .Case([&](core::ReverseOp) { localiseReverse(self, local); })
        .Case([&](core::ConcatenateOp) { localiseConcatenate(self, local); })
        .Case([&](core::ReduceOp) { localiseReduce(self, local); })
        .Case([&](core::DotOp) { localiseDot(self, local); })
        .Case([&](core::DynamicSliceOp) { localiseDynamicSlice(self, local); })
        .Case([&](core::DynamicUpdateSliceOp) {
          localiseDynamicUpdateSlice(self, local);
        })
        .Case([&](core::GatherOp) { localiseGather(self, local); })
        .Case([&](core::ScatterOp) { localiseScatter(self, local); });
    return success();
  }

  func::FuncOp func;
  StringAttr meshName;
  Mesh mesh;
  llvm::DenseMap<Value, LocalValue> places;
};

class LocalisePass : public impl::LocalisePassBase<LocalisePass> {
public:
  void runOnOperation() override {
    StringAttr meshName = getMeshName(getOperation());
    if (!meshName)
      return;
    Mesh mesh = lookupMesh(getOperation(), meshName).toMesh();
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isDeclaration() &&
          failed(Localiser(func, meshName, mesh).run()))
        return signalPassFailure();
  }
};
} // namespace

} // namespace partita
