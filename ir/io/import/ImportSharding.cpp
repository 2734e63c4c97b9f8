//===- ImportSharding.cpp - Meshes, shardings, foreign attributes ---------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/ImportSharding.h"

#include "ir/attrs/Groups.h"
#include "ir/attrs/ShardingUtils.h"

#include "ir/comm/Comm.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

static core::MeshAttr importMesh(sdy::MeshAttr mesh) {
  MLIRContext *context = mesh.getContext();
  auto axes = llvm::map_to_vector(mesh.getAxes(), [&](sdy::MeshAxisAttr axis) {
    return core::MeshAxisAttr::get(context, axis.getName(), axis.getSize());
  });
  // The identity order is written as none.
  SmallVector<int64_t> ids(mesh.getDeviceIds());
  bool isIdentity = true;
  for (auto [i, id] : llvm::enumerate(ids))
    isIdentity &= id == static_cast<int64_t>(i);
  if (isIdentity)
    ids.clear();
  return core::MeshAttr::get(context, axes, ids);
}

void importMeshes(ModuleOp module) {
  for (auto mesh : llvm::make_early_inc_range(module.getOps<sdy::MeshOp>())) {
    OpBuilder builder(mesh);
    if (!mesh.getMesh().getAxes().empty())
      core::MeshOp::create(builder, mesh.getLoc(), mesh.getSymNameAttr(),
                           importMesh(mesh.getMesh()));
    mesh.erase();
  }
}

/// The name of a core.mesh like the one written in place.
static StringAttr getNameOf(ModuleOp module, sdy::MeshAttr mesh) {
  core::MeshAttr imported = importMesh(mesh);
  for (auto op : module.getOps<core::MeshOp>())
    if (op.getMesh() == imported)
      return op.getSymNameAttr();
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  unsigned number = 0;
  std::string name = "mesh";
  while (module.lookupSymbol(name))
    name = "mesh_" + std::to_string(number++);
  StringAttr symbol = builder.getStringAttr(name);
  core::MeshOp::create(builder, module.getLoc(), symbol, imported);
  return symbol;
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

static SmallVector<core::AxisRefAttr>
importAxes(ArrayRef<sdy::AxisRefAttr> axes) {
  return llvm::map_to_vector(axes, [](sdy::AxisRefAttr axis) {
    return core::AxisRefAttr::get(axis.getContext(), axis.getName(),
                                  axis.getPre(), axis.getSize());
  });
}

static ReductionKind importKind(sdy::ReductionOp kind) {
  switch (kind) {
  case sdy::ReductionOp::Sum:
    return ReductionKind::Sum;
  case sdy::ReductionOp::Max:
    return ReductionKind::Max;
  case sdy::ReductionOp::Min:
    return ReductionKind::Min;
  }
  return ReductionKind::Sum;
}

ShardingAttr importSharding(ModuleOp module, sdy::ShardingAttr sharding) {
  StringAttr name;
  if (auto mesh = dyn_cast<sdy::MeshAttr>(sharding.getMesh())) {
    if (mesh.getAxes().empty())
      return {};
    name = getNameOf(module, mesh);
  } else {
    name = cast<FlatSymbolRefAttr>(sharding.getMesh()).getAttr();
    // A mesh without axes was not imported: it names one device.
    if (!module.lookupSymbol<core::MeshOp>(name))
      return {};
  }
  MLIRContext *context = sharding.getContext();
  auto dims =
      llvm::map_to_vector(sharding.getDims(), [&](sdy::DimShardingAttr dim) {
        return core::DimShardingAttr::get(context, importAxes(dim.getAxes()),
                                          dim.getIsOpen(), dim.getPriority());
      });
  auto kind =
      static_cast<ReductionKindValue>(importKind(sharding.getReduction()));
  return ShardingAttr::get(context, name, dims,
                           importAxes(sharding.getReplicated()),
                           importAxes(sharding.getUnreduced()), kind);
}

SmallVector<ShardingAttr> importShardings(ModuleOp module,
                                          sdy::ShardingPerValueAttr shardings) {
  SmallVector<ShardingAttr> imported;
  if (shardings)
    for (sdy::ShardingAttr sharding : shardings.getShardings())
      imported.push_back(importSharding(module, sharding));
  return imported;
}

SmallVector<ShardingAttr> importShardings(ModuleOp module, Operation *op) {
  if (auto shardings =
          op->getAttrOfType<sdy::ShardingPerValueAttr>(sdy::kShardingAttrName))
    return importShardings(module, shardings);
  return importXlaShardings(module, op);
}

/// Whether an op is part of a manual computation, whose values each device has
/// for itself: axes that are not manual are not used inside.
static bool isManual(Operation *op) {
  return isa<comm::ManualOp>(op) || op->getParentOfType<comm::ManualOp>();
}

SmallVector<Value> constrainValues(ImportBuilder &builder, ValueRange values,
                                   ArrayRef<ShardingAttr> shardings) {
  SmallVector<Value> constrained(values);
  if (shardings.size() != values.size() ||
      isManual(builder.getInsertionBlock()->getParentOp()))
    return constrained;
  for (auto [value, sharding] : llvm::zip_equal(constrained, shardings))
    if (sharding && isa<RankedTensorType>(value.getType()))
      value = core::ShardingConstraintOp::create(builder, value.getType(),
                                                 value, sharding);
  return constrained;
}

//===----------------------------------------------------------------------===//
// Attributes of functions and ops
//===----------------------------------------------------------------------===//

static bool isForeign(StringRef name) {
  for (StringRef prefix : {"jax.", "mhlo.", "sdy.", "tf."})
    if (name.starts_with(prefix))
      return true;
  return false;
}

std::optional<int64_t> getNumber(Attribute attribute) {
  auto number = dyn_cast_or_null<IntegerAttr>(attribute);
  if (!number || number.getValue().getActiveBits() > 63)
    return std::nullopt;
  return static_cast<int64_t>(number.getValue().getZExtValue());
}

void removeForeignAttributes(Operation *op) {
  for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
    if (isForeign(attribute.getName()))
      op->removeDiscardableAttr(attribute.getName());
}

/// The attributes of an argument or result, in core's terms.
static DictionaryAttr importAttributes(ModuleOp module, DictionaryAttr old,
                                       Type type, Location loc) {
  Builder builder(module.getContext());
  NamedAttrList list;
  for (NamedAttribute attribute : old) {
    StringRef name = attribute.getName();
    Attribute value = attribute.getValue();
    if (auto sharding = dyn_cast<sdy::ShardingAttr>(value)) {
      if (ShardingAttr imported = importSharding(module, sharding))
        list.append(kShardingAttrName, imported);
    } else if (auto text = dyn_cast<StringAttr>(value);
               text && name == kXlaShardingAttrName) {
      if (old.contains(sdy::kShardingAttrName))
        continue; // says the same
      if (ShardingAttr imported = importXlaSharding(module, text, type, loc))
        list.append(kShardingAttrName, imported);
    } else if (name == "tf.aliasing_output") {
      if (std::optional<int64_t> number = getNumber(value))
        list.append(kAliasAttrName, builder.getI64IntegerAttr(*number));
    } else if (name == "jax.buffer_donor") {
      if (auto flag = dyn_cast<BoolAttr>(value); !flag || flag.getValue())
        list.append(kDonatedAttrName, builder.getUnitAttr());
    } else if (name == "jax.result_info" || !isForeign(name)) {
      list.append(attribute);
    }
  }
  return list.getDictionary(module.getContext());
}

void importFunctionAttributes(func::FuncOp func) {
  auto module = func->getParentOfType<ModuleOp>();
  removeForeignAttributes(func);
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (DictionaryAttr old = func.getArgAttrDict(i))
      func.setArgAttrs(i, importAttributes(module, old, type,
                                           func.isExternal()
                                               ? func.getLoc()
                                               : func.getArgument(i).getLoc()));
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    if (DictionaryAttr old = func.getResultAttrDict(i))
      func.setResultAttrs(i,
                          importAttributes(module, old, type, func.getLoc()));
}

//===----------------------------------------------------------------------===//
// Shardy's ops
//===----------------------------------------------------------------------===//

static Imported importConstraint(Importer &importer, Operation *op,
                                 ImportBuilder &builder) {
  auto sharding = op->getAttrOfType<sdy::ShardingAttr>("sharding");
  Value value = op->getOperand(0);
  ShardingAttr imported = importSharding(importer.getModule(), sharding);
  if (!imported || isManual(op))
    return SmallVector<Value>{value};
  return SmallVector<Value>{core::ShardingConstraintOp::create(
      builder, value.getType(), value, imported)};
}

/// An op that only guides propagation: its operand takes its place.
static Imported forwardOperand(Importer &, Operation *op, ImportBuilder &) {
  return SmallVector<Value>{op->getOperand(0)};
}

/// A member of a group stands behind a constraint that leaves it open.
static Imported importGroup(Importer &importer, Operation *op,
                            ImportBuilder &builder) {
  auto group = cast<sdy::ShardingGroupOp>(op);
  StringAttr mesh = getMeshName(importer.getModule());
  if (!mesh) // one device
    return SmallVector<Value>{};
  Value value = group.getInput();
  MLIRContext *context = op->getContext();
  SmallVector<core::DimShardingAttr> dims(
      group.getInput().getType().getRank(),
      core::DimShardingAttr::get(context, {}, /*isOpen=*/true, 0));
  builder.setInsertionPointAfterValue(value);
  auto member = core::ShardingConstraintOp::create(
      builder, value.getType(), value,
      ShardingAttr::get(context, mesh, dims, {}, {}, ReductionKindValue::Sum));
  member->setAttr(kShardingGroupAttrName, group.getGroupIdAttr());
  value.replaceAllUsesExcept(member, member);
  return SmallVector<Value>{};
}

static Imported importBarrier(Importer &, Operation *op, ImportBuilder &) {
  op->emitWarning() << "'sdy.propagation_barrier' is ignored: shardings pass "
                       "it in both directions; constrain the values on its "
                       "sides where they should lie differently";
  return SmallVector<Value>{op->getOperand(0)};
}

static Imported importConstant(Importer &, Operation *op,
                               ImportBuilder &builder) {
  return SmallVector<Value>{
      builder.make("constant", op->getResult(0).getType(), {},
                   builder.getNamedAttr("value", op->getAttr("value")))};
}

/// Puts the ops of an imported body in front of `op`; gives its results.
static Imported takeOutBody(Operation *op, Region &region,
                            ValueRange arguments) {
  Block &body = region.front();
  if (!isa<sdy::ReturnOp>(body.back()))
    return failure();
  Operation *terminator = &body.back();
  SmallVector<Value> results(terminator->getOperands());
  for (auto [argument, value] :
       llvm::zip_equal(body.getArguments(), arguments)) {
    argument.replaceAllUsesWith(value);
    llvm::replace(results, static_cast<Value>(argument), value);
  }
  terminator->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  return results;
}

/// `sdy.named_computation`: its body takes its place.
static Imported importNamed(Importer &importer, Operation *op,
                            ImportBuilder &builder) {
  auto named = cast<sdy::NamedComputationOp>(op);
  importer.importRegion(named.getBody());
  Imported results =
      takeOutBody(op, named.getBody(), SmallVector<Value>(named.getOperands()));
  if (failed(results))
    return failure(); // What the body holds was reported.
  builder.setInsertionPoint(op);
  return constrainValues(
      builder, *results,
      importShardings(importer.getModule(), named.getOutShardingsAttr()));
}

//===----------------------------------------------------------------------===//
// Manual computations
//===----------------------------------------------------------------------===//

/// The sharding with the manual axes only; the body knows of no others.
static ShardingAttr keepAxes(ShardingAttr sharding,
                             sdy::ManualAxesAttr manual) {
  auto keep = [&](ArrayRef<core::AxisRefAttr> axes) {
    SmallVector<core::AxisRefAttr> kept;
    for (core::AxisRefAttr axis : axes)
      if (llvm::any_of(manual.getAxes(), [&](StringAttr name) {
            return name.getValue() == axis.getName();
          }))
        kept.push_back(axis);
    return kept;
  };
  MLIRContext *context = sharding.getContext();
  SmallVector<core::DimShardingAttr> dims;
  for (core::DimShardingAttr dim : sharding.getDims())
    dims.push_back(core::DimShardingAttr::get(context, keep(dim.getAxes()),
                                              /*isOpen=*/false,
                                              /*priority=*/0));
  return ShardingAttr::get(context, sharding.getMesh(), dims, {}, {},
                           static_cast<ReductionKindValue>(ReductionKind::Sum));
}

/// All imported; none where the mesh has no axes.
static FailureOr<SmallVector<Attribute>>
importManualShardings(ModuleOp module, sdy::ShardingPerValueAttr shardings,
                      sdy::ManualAxesAttr manual) {
  SmallVector<Attribute> imported;
  for (sdy::ShardingAttr sharding : shardings.getShardings()) {
    ShardingAttr own = importSharding(module, sharding);
    if (!own)
      return failure();
    imported.push_back(keepAxes(own, manual));
  }
  return imported;
}

/// Within another manual computation a device takes its part of what it has
/// along the inner axes, and gathers the parts of the results.
static Value changePart(ImportBuilder &builder, Value value, Attribute attr,
                        bool isGathered) {
  auto sharding = cast<ShardingAttr>(attr);
  Mesh mesh =
      lookupMesh(builder.getInsertionBlock()->getParentOp(), sharding.getMesh())
          .toMesh();
  auto name = FlatSymbolRefAttr::get(sharding.getMesh());
  for (auto [d, dim] : llvm::enumerate(sharding.toSharding(mesh).dims)) {
    if (dim.axes.empty())
      continue;
    auto axes = core::AxesAttr::fromAxes(builder.getContext(), mesh, dim.axes);
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    int64_t parts = getProduct(dim.axes), number = static_cast<int64_t>(d);
    shape[d] = isGathered ? shape[d] * parts : shape[d] / parts;
    if (isGathered)
      value = comm::AllGatherOp::create(
                  builder, type.clone(shape), value, name, axes,
                  builder.getDenseI64ArrayAttr(number), nullptr, nullptr)
                  ->getResult(0);
    else
      value = comm::SliceOp::create(builder, type.clone(shape), value, name,
                                    axes, builder.getI64IntegerAttr(number),
                                    nullptr, nullptr);
  }
  return value;
}

/// Whether pairs of devices are alike wherever on the free axes they lie.
static bool areAlike(const Mesh &mesh, ArrayRef<AxisRef> manual,
                     ArrayRef<AxisRef> free, comm::PermuteOp permute) {
  std::map<std::pair<int64_t, int64_t>, int64_t> counts;
  for (auto [source, target] :
       llvm::zip(permute.getSources(), permute.getTargets())) {
    if (mesh.getCoordinate(source, free) != mesh.getCoordinate(target, free))
      return false;
    ++counts[{mesh.getCoordinate(source, manual),
              mesh.getCoordinate(target, manual)}];
  }
  return llvm::all_of(counts, [&](const auto &count) {
    return count.second == getProduct(free);
  });
}

/// Along axes that are not manual, devices compute the same: collectives may
/// neither join them nor tell them apart.
static LogicalResult checkManualAxes(Importer &importer, comm::ManualOp manual,
                                     const llvm::StringSet<> &names) {
  StringAttr meshName = getMeshName(importer.getModule());
  if (!meshName)
    return success();
  Mesh mesh = lookupMesh(importer.getModule(), meshName).toMesh();
  std::vector<AxisRef> own, free;
  for (size_t i = 0; i < mesh.getAxes().size(); ++i) {
    bool isManual = names.contains(mesh.getAxes()[i].name);
    (isManual ? own : free)
        .push_back(mesh.getWholeAxis(static_cast<int32_t>(i)));
  }
  WalkResult result = manual.getBody().walk([&](Operation *op) {
    bool isGood = true;
    if (auto permute = dyn_cast<comm::PermuteOp>(op))
      isGood = areAlike(mesh, own, free, permute);
    else if (auto axes = op->getAttrOfType<core::AxesAttr>("axes");
             axes && !isa<comm::AxisIndexOp>(op))
      isGood = llvm::none_of(axes.toAxes(mesh), [&](const AxisRef &axis) {
        return llvm::any_of(
            free, [&](const AxisRef &other) { return axis.overlaps(other); });
      });
    if (isGood)
      return WalkResult::advance();
    op->emitError() << "a collective joins devices along axes that are not "
                       "manual here; add the axes to manual_axes, or leave "
                       "them out of the groups";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static Imported importManual(Importer &importer, Operation *op,
                             ImportBuilder &builder) {
  auto manual = cast<sdy::ManualComputationOp>(op);
  ModuleOp module = importer.getModule();
  llvm::SetVector<Value> outer;
  getUsedValuesDefinedAbove(manual.getBody(), outer);
  if (!outer.empty())
    return importer.reportUnsupported(op, " that uses values from outside");
  auto in = importManualShardings(module, manual.getInShardings(),
                                  manual.getManualAxes());
  auto out = importManualShardings(module, manual.getOutShardings(),
                                   manual.getManualAxes());
  bool isOfOne = failed(in) || failed(out);
  SmallVector<Value> operands(op->getOperands());
  if (isOfOne || isManual(op)) {
    if (!isOfOne)
      for (auto [operand, sharding] : llvm::zip_equal(operands, *in))
        operand = changePart(builder, operand, sharding, /*isGathered=*/false);
    importer.importRegion(manual.getBody());
    Imported results = takeOutBody(op, manual.getBody(), operands);
    if (failed(results))
      return failure();
    builder.setInsertionPoint(op);
    if (!isOfOne)
      for (auto [result, sharding] : llvm::zip_equal(*results, *out))
        result = changePart(builder, result, sharding, /*isGathered=*/true);
    return results;
  }
  auto made = comm::ManualOp::create(builder, op->getResultTypes(), operands,
                                     builder.getArrayAttr(*in),
                                     builder.getArrayAttr(*out));
  llvm::StringSet<> names; // those of nested computations as well
  manual->walk([&](sdy::ManualComputationOp inner) {
    for (StringAttr name : inner.getManualAxes().getAxes())
      names.insert(name.getValue());
  });
  made.getBody().takeBody(manual.getBody());
  importer.importRegion(made.getBody());
  if (failed(checkManualAxes(importer, made, names)))
    return failure();
  Operation *end = &made.getBody().front().back();
  OpBuilder inside(end);
  comm::ReturnOp::create(inside, end->getLoc(), end->getOperands());
  end->erase();
  return SmallVector<Value>(made.getResults());
}

void addShardyImports(ImportTable &table) {
  table.functions["sdy.sharding_constraint"] = importConstraint;
  table.functions["sdy.reshard"] = importConstraint;
  table.functions["sdy.data_flow_edge"] = forwardOperand;
  table.functions["sdy.func_data_flow_edge"] = forwardOperand;
  table.functions["sdy.sharding_group"] = importGroup;
  table.functions["sdy.propagation_barrier"] = importBarrier;
  table.functions["sdy.constant"] = importConstant;
  table.functions["sdy.named_computation"] = importNamed;
  table.functions["sdy.manual_computation"] = importManual;
}

} // namespace partita::io
