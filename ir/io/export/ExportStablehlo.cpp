//===- ExportStablehlo.cpp - From core to StableHLO -----------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/export/Exporter.h"

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/io/OpNames.h"
#include "ir/io/Passes.h"

using namespace mlir;

namespace partita::io {

//===----------------------------------------------------------------------===//
// ExportBuilder
//===----------------------------------------------------------------------===//

Operation *ExportBuilder::makeOp(StringRef name, TypeRange types,
                                 ValueRange operands,
                                 ArrayRef<NamedAttribute> attributes,
                                 unsigned numRegions) {
  OperationState state(getLoc(), name);
  state.addTypes(types);
  state.addOperands(operands);
  state.addAttributes(attributes);
  for (unsigned i = 0; i < numRegions; ++i)
    state.addRegion();
  return OpBuilder::create(state);
}

/// Whether constants of i1 would be printed in hexadecimal, which has a bit an
/// element in some versions of MLIR and a byte in others.
static bool isAmbiguous(ElementsAttr value) {
  constexpr int64_t kPrintedInFull = 100;
  return value.getElementType().isInteger(1) && !value.isSplat() &&
         value.getNumElements() > kPrintedInFull;
}

Value ExportBuilder::constant(ElementsAttr value) {
  Type type = value.getType();
  if (isAmbiguous(value)) {
    auto bytes = RankedTensorType::get(
        value.getShapedType().getShape(),
        IntegerType::get(getContext(), 8, IntegerType::Unsigned));
    SmallVector<uint8_t> numbers(value.getValues<bool>());
    return make("stablehlo.convert", type,
                constant(DenseElementsAttr::get(bytes, ArrayRef(numbers))));
  }
  return make("stablehlo.constant", type, {}, getNamedAttr("value", value));
}

static APFloat getIdentityFloat(const llvm::fltSemantics &semantics,
                                ReductionKind kind) {
  // Formats without infinities start from the largest number.
  auto extreme = [&](bool isNegative) {
    return APFloat::semanticsHasInf(semantics)
               ? APFloat::getInf(semantics, isNegative)
               : APFloat::getLargest(semantics, isNegative);
  };
  switch (kind) {
  case ReductionKind::Max:
    return extreme(/*isNegative=*/true);
  case ReductionKind::Min:
    return extreme(/*isNegative=*/false);
  case ReductionKind::Mul:
    return APFloat::getOne(semantics);
  default:
    return APFloat::getZero(semantics);
  }
}

static APInt getIdentityInt(unsigned width, bool isUnsigned,
                            ReductionKind kind) {
  switch (kind) {
  case ReductionKind::Max:
    return isUnsigned ? APInt::getMinValue(width)
                      : APInt::getSignedMinValue(width);
  case ReductionKind::Min:
    return isUnsigned ? APInt::getMaxValue(width)
                      : APInt::getSignedMaxValue(width);
  case ReductionKind::Mul:
    return APInt(width, 1);
  case ReductionKind::And:
    return APInt::getAllOnes(width);
  default:
    return APInt(width, 0);
  }
}

Value ExportBuilder::identity(Type elementType, ReductionKind kind) {
  auto type = RankedTensorType::get({}, elementType);
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    auto &semantics =
        cast<FloatType>(complex.getElementType()).getFloatSemantics();
    std::complex<APFloat> value(getIdentityFloat(semantics, kind),
                                APFloat::getZero(semantics));
    return constant(DenseElementsAttr::get(type, value));
  }
  if (auto floatType = dyn_cast<FloatType>(elementType))
    return constant(DenseElementsAttr::get(
        type, getIdentityFloat(floatType.getFloatSemantics(), kind)));
  return constant(DenseElementsAttr::get(
      type, getIdentityInt(elementType.getIntOrFloatBitWidth(),
                           elementType.isUnsignedInteger(), kind)));
}

Block *ExportBuilder::makeScalarBlock(Region &region, Type elementType) {
  Type scalar = RankedTensorType::get({}, elementType);
  Block &block = region.emplaceBlock();
  block.addArguments({scalar, scalar}, {getLoc(), getLoc()});
  return &block;
}

static StringRef getReducerName(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::Sum:
    return "stablehlo.add";
  case ReductionKind::Max:
    return "stablehlo.maximum";
  case ReductionKind::Min:
    return "stablehlo.minimum";
  case ReductionKind::Mul:
    return "stablehlo.multiply";
  case ReductionKind::And:
    return "stablehlo.and";
  case ReductionKind::Or:
    return "stablehlo.or";
  case ReductionKind::Xor:
    return "stablehlo.xor";
  }
  return "stablehlo.add";
}

void ExportBuilder::makeReducer(Region &region, Type elementType,
                                ReductionKind kind) {
  OpBuilder::InsertionGuard guard(*this);
  Block *block = makeScalarBlock(region, elementType);
  setInsertionPointToEnd(block);
  Value value = make(getReducerName(kind), block->getArgument(0).getType(),
                     block->getArguments());
  makeOp("stablehlo.return", {}, value);
}

void ExportBuilder::makeReplacer(Region &region, Type elementType) {
  OpBuilder::InsertionGuard guard(*this);
  Block *block = makeScalarBlock(region, elementType);
  setInsertionPointToEnd(block);
  makeOp("stablehlo.return", {}, block->getArgument(1));
}

//===----------------------------------------------------------------------===//
// Meshes and shardings
//===----------------------------------------------------------------------===//

sdy::MeshAttr exportMesh(core::MeshAttr mesh) {
  MLIRContext *context = mesh.getContext();
  auto axes = llvm::map_to_vector(mesh.getAxes(), [&](core::MeshAxisAttr axis) {
    return sdy::MeshAxisAttr::get(context, axis.getName(), axis.getSize());
  });
  return sdy::MeshAttr::get(context, axes, mesh.getDeviceIds());
}

static SmallVector<sdy::AxisRefAttr>
exportAxes(ArrayRef<core::AxisRefAttr> axes) {
  return llvm::map_to_vector(axes, [](core::AxisRefAttr axis) {
    return sdy::AxisRefAttr::get(axis.getContext(), axis.getName(),
                                 axis.getPre(), axis.getSize());
  });
}

sdy::ShardingAttr exportSharding(ShardingAttr sharding) {
  MLIRContext *context = sharding.getContext();
  auto dims =
      llvm::map_to_vector(sharding.getDims(), [&](core::DimShardingAttr dim) {
        return sdy::DimShardingAttr::get(context, exportAxes(dim.getAxes()),
                                         dim.getIsOpen(), dim.getPriority());
      });
  auto reduction = sdy::ReductionOp::Sum;
  if (sharding.getReductionKind() == ReductionKind::Max)
    reduction = sdy::ReductionOp::Max;
  if (sharding.getReductionKind() == ReductionKind::Min)
    reduction = sdy::ReductionOp::Min;
  return sdy::ShardingAttr::get(context,
                                FlatSymbolRefAttr::get(sharding.getMesh()),
                                dims, exportAxes(sharding.getReplicated()),
                                exportAxes(sharding.getUnreduced()), reduction);
}

//===----------------------------------------------------------------------===//
// Exporter
//===----------------------------------------------------------------------===//

Exporter::Exporter(ModuleOp theModule) : module(theModule) {
  for (const OpNames &names : kSameOps)
    table.renamed[names.core] = names.text;
  addOpExports(table);
  addControlExports(table);
  addCollectiveExports(table);
}

/// The attributes of an argument or result, in the text dialects' terms.
static DictionaryAttr exportAttributes(DictionaryAttr old) {
  Builder builder(old.getContext());
  NamedAttrList list;
  for (NamedAttribute attribute : old) {
    StringRef name = attribute.getName();
    if (auto sharding = dyn_cast<ShardingAttr>(attribute.getValue()))
      list.append(sdy::kShardingAttrName, exportSharding(sharding));
    else if (name == kAliasAttrName)
      list.append("tf.aliasing_output",
                  builder.getI32IntegerAttr(
                      cast<IntegerAttr>(attribute.getValue()).getInt()));
    else if (name == kDonatedAttrName)
      list.append("jax.buffer_donor", builder.getBoolAttr(true));
    else if (!name.starts_with("core."))
      list.append(attribute);
  }
  return list.getDictionary(old.getContext());
}

void Exporter::exportFunction(func::FuncOp func) {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (DictionaryAttr old = func.getArgAttrDict(i))
      func.setArgAttrs(i, exportAttributes(old));
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    if (DictionaryAttr old = func.getResultAttrDict(i))
      func.setResultAttrs(i, exportAttributes(old));
  exportRegion(func.getBody());
}

static void removeCoreAttributes(Operation *op) {
  for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
    if (attribute.getName().strref().starts_with("core."))
      op->removeDiscardableAttr(attribute.getName());
}

void Exporter::exportModule() {
  Builder builder(module.getContext());
  int64_t numPartitions = 1;
  if (auto count = module->getAttrOfType<IntegerAttr>("core.num_partitions"))
    numPartitions = count.getInt();
  for (auto mesh : module.getOps<core::MeshOp>())
    numPartitions =
        std::max(numPartitions, mesh.getMesh().toMesh().getNumDevices());
  removeCoreAttributes(module);
  module->setAttr("mhlo.num_partitions",
                  builder.getI32IntegerAttr(numPartitions));
  module->setAttr("mhlo.num_replicas", builder.getI32IntegerAttr(1));
}

void Exporter::exportOp(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "core" && dialect != "comm") {
    removeCoreAttributes(op);
    return;
  }
  ExportBuilder builder(op);
  Exported values = mlir::failure();
  StringRef name = op->getName().getStringRef();
  if (auto renamed = table.renamed.find(name); renamed != table.renamed.end())
    values = SmallVector<Value>{builder.make(
        renamed->second, op->getResult(0).getType(), op->getOperands())};
  else if (auto function = table.functions.lookup(name))
    values = function(*this, op, builder);
  else
    op->emitError() << "'" << name << "' has no StableHLO form";
  if (mlir::failed(values)) {
    failed = true;
    return;
  }
  op->replaceAllUsesWith(*values);
  op->erase();
}

void Exporter::exportRegion(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block))
      exportOp(&op);
}

LogicalResult Exporter::run() {
  bool local = isLocal();
  if (local && mlir::failed(checkParts()))
    return failure();
  exportModule();
  for (auto func : module.getOps<func::FuncOp>())
    exportFunction(func);
  for (auto mesh : llvm::make_early_inc_range(module.getOps<core::MeshOp>())) {
    ExportBuilder builder(mesh);
    builder.makeOp("sdy.mesh", {}, {},
                   {builder.getNamedAttr("sym_name", mesh.getSymNameAttr()),
                    builder.getNamedAttr("mesh", exportMesh(mesh.getMesh()))});
    mesh.erase();
  }
  if (failed)
    return failure();
  return local ? wrapMain() : success();
}

//===----------------------------------------------------------------------===//
// Programs of one device
//===----------------------------------------------------------------------===//

/// Calls `visit` for the type, the attributes and the place of each argument
/// and result of @main.
static void forEachBoundary(
    func::FuncOp main,
    llvm::function_ref<void(Type, DictionaryAttr, const Twine &)> visit) {
  for (auto [i, type] : llvm::enumerate(main.getArgumentTypes()))
    if (DictionaryAttr attributes = main.getArgAttrDict(i))
      visit(type, attributes, "argument " + Twine(i));
  for (auto [i, type] : llvm::enumerate(main.getResultTypes()))
    if (DictionaryAttr attributes = main.getResultAttrDict(i))
      visit(type, attributes, "result " + Twine(i));
}

/// Refuses parts that are padded: a manual computation takes even ones.
LogicalResult Exporter::checkParts() {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  LogicalResult result = success();
  if (!main)
    return result;
  forEachBoundary(main, [&](Type type, DictionaryAttr attributes,
                            const Twine &what) {
    auto whole = attributes.getAs<TypeAttr>(kGlobalTypeAttrName);
    auto sharding = attributes.getAs<ShardingAttr>(kShardingAttrName);
    MeshAttr mesh =
        sharding ? lookupMesh(main, sharding.getMesh()) : MeshAttr();
    if (!whole || !mesh)
      return;
    TensorSharding parts = sharding.toSharding(mesh.toMesh());
    SmallVector<int64_t> shape(cast<RankedTensorType>(type).getShape());
    for (auto [dim, size] : llvm::enumerate(shape))
      size *= parts.getNumShards(static_cast<int64_t>(dim));
    if (cast<RankedTensorType>(whole.getValue()).getShape() !=
        ArrayRef<int64_t>(shape))
      result = main.emitError()
               << what << " of @main, " << whole << ", is split by " << sharding
               << " into parts of different sizes, which StableHLO "
               << "has no form for; choose a mesh that divides it";
  });
  return result;
}

/// Whether types are what one device holds: the boundary of @main says so, and
/// a collective by having no shardings.
bool Exporter::isLocal() {
  bool isCut = false;
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    forEachBoundary(main, [&](Type, DictionaryAttr attributes, const Twine &) {
      isCut |= attributes.contains(kGlobalTypeAttrName);
    });
  if (isCut)
    return true;
  WalkResult result = module.walk([&](Operation *op) {
    bool isComm = op->getName().getDialectNamespace() == "comm";
    return isComm && !op->hasAttr("from") ? WalkResult::interrupt()
                                          : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// The whole array of which a device holds `type`.
static Type getGlobalType(Type type, sdy::ShardingAttr sharding,
                          sdy::MeshAttr mesh) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  for (auto [size, dim] : llvm::zip(shape, sharding.getDims()))
    for (sdy::AxisRefAttr axis : dim.getAxes())
      size *= axis.getSize() != 0
                  ? axis.getSize()
                  : llvm::find_if(mesh.getAxes(), [&](sdy::MeshAxisAttr a) {
                      return a.getName() == axis.getName();
                    })->getSize();
  return tensor.clone(shape);
}

/// The sharding of an argument or result: all of it on each device where it
/// says nothing; dimensions closed.
static sdy::ShardingAttr getClosed(sdy::ShardingAttr sharding, Type type,
                                   sdy::MeshOp mesh) {
  MLIRContext *context = type.getContext();
  SmallVector<sdy::DimShardingAttr> dims;
  for (int64_t i = 0; i < cast<RankedTensorType>(type).getRank(); ++i)
    dims.push_back(
        sdy::DimShardingAttr::get(context,
                                  sharding ? sharding.getDims()[i].getAxes()
                                           : ArrayRef<sdy::AxisRefAttr>(),
                                  /*isOpen=*/false, /*priority=*/0));
  return sdy::ShardingAttr::get(context,
                                FlatSymbolRefAttr::get(mesh.getSymNameAttr()),
                                dims, {}, {}, sdy::ReductionOp::Sum);
}

/// Puts the body of @main into an sdy.manual_computation over all axes.
LogicalResult Exporter::wrapMain() {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  auto meshes = module.getOps<sdy::MeshOp>();
  if (!main || meshes.empty())
    return module.emitError() << "a program of one device needs @main and a "
                                 "mesh to be exported";
  sdy::MeshOp mesh = *meshes.begin();
  MLIRContext *context = module.getContext();
  SmallVector<sdy::ShardingAttr> in, out;
  SmallVector<Type> inTypes, outTypes;
  for (auto [i, type] : llvm::enumerate(main.getArgumentTypes())) {
    in.push_back(getClosed(
        main.getArgAttrOfType<sdy::ShardingAttr>(i, sdy::kShardingAttrName),
        type, mesh));
    inTypes.push_back(getGlobalType(type, in.back(), mesh.getMesh()));
  }
  for (auto [i, type] : llvm::enumerate(main.getResultTypes())) {
    out.push_back(getClosed(
        main.getResultAttrOfType<sdy::ShardingAttr>(i, sdy::kShardingAttrName),
        type, mesh));
    outTypes.push_back(getGlobalType(type, out.back(), mesh.getMesh()));
  }
  auto axes = llvm::map_to_vector(
      mesh.getMesh().getAxes(), [&](sdy::MeshAxisAttr axis) {
        return StringAttr::get(context, axis.getName());
      });

  // The old body takes local values; a new block of @main takes whole ones.
  Block *body = &main.getBody().front();
  auto *entry = new Block();
  main.getBody().push_front(entry);
  for (auto [type, argument] : llvm::zip_equal(inTypes, body->getArguments()))
    entry->addArgument(type, argument.getLoc());
  ExportBuilder builder(&body->back());
  Operation *terminator = &body->back();
  builder.makeOp("sdy.return", {}, terminator->getOperands());
  terminator->erase();
  builder.setInsertionPointToEnd(entry);
  builder.setLoc(main.getLoc());
  Operation *manual = builder.makeOp(
      "sdy.manual_computation", outTypes, entry->getArguments(),
      {builder.getNamedAttr("in_shardings",
                            sdy::ShardingPerValueAttr::get(context, in)),
       builder.getNamedAttr("out_shardings",
                            sdy::ShardingPerValueAttr::get(context, out)),
       builder.getNamedAttr("manual_axes",
                            sdy::ManualAxesAttr::get(context, axes))},
      /*numRegions=*/1);
  body->moveBefore(&manual->getRegion(0), manual->getRegion(0).end());
  func::ReturnOp::create(builder, manual->getResults());
  main.setFunctionType(FunctionType::get(context, inTypes, outTypes));
  return success();
}

} // namespace partita::io

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace partita {

#define GEN_PASS_DEF_EXPORTSTABLEHLOPASS
#include "ir/io/Passes.h.inc"

namespace {
class ExportStablehlo : public impl::ExportStablehloPassBase<ExportStablehlo> {
public:
  using ExportStablehloPassBase::ExportStablehloPassBase;
  void runOnOperation() override {
    if (failed(io::Exporter(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace

} // namespace partita
