//===- SdyOps.cpp - Shardy's ops, and checks of shardings -----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/sdy/Sdy.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Assembly directives
//===----------------------------------------------------------------------===//

namespace partita::sdy {

/// `[<@mesh, …>, …]`: a #sdy.sharding_per_value without its angle brackets.
static ParseResult parseShardings(OpAsmParser &parser,
                                  ShardingPerValueAttr &shardings) {
  SmallVector<ShardingAttr> list;
  auto parseSharding = [&]() -> ParseResult {
    auto sharding = llvm::dyn_cast_or_null<ShardingAttr>(
        ShardingAttr::parse(parser, Type()));
    if (!sharding)
      return failure();
    list.push_back(sharding);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseSharding))
    return failure();
  shardings = ShardingPerValueAttr::get(parser.getContext(), list);
  return success();
}

static void printShardings(OpAsmPrinter &printer, Operation *,
                           ShardingPerValueAttr shardings) {
  printer << '[';
  llvm::interleaveComma(
      shardings.getShardings(), printer,
      [&](ShardingAttr sharding) { sharding.print(printer); });
  printer << ']';
}

/// `(%arg: type, …) { … }`: a region of one block.
static ParseResult parseBody(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseArgumentList(arguments,
                                          OpAsmParser::Delimiter::Paren,
                                          /*allowType=*/true,
                                          /*allowAttrs=*/true) ||
                 parser.parseRegion(body, arguments));
}

static void printBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer << '(';
  llvm::interleaveComma(body.getArguments(), printer, [&](BlockArgument arg) {
    printer.printRegionArgument(arg);
  });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

} // namespace partita::sdy

#include "ir/io/sdy/SdyDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ir/io/sdy/SdyOps.cpp.inc"

namespace partita::sdy {

void SdyDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "ir/io/sdy/SdyOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Checks of shardings
//===----------------------------------------------------------------------===//

std::pair<MeshAttr, MeshOp> lookupMesh(Operation *from, ShardingAttr sharding) {
  if (auto mesh = dyn_cast<MeshAttr>(sharding.getMesh()))
    return {mesh, MeshOp()};
  auto module = dyn_cast<ModuleOp>(from);
  if (!module)
    module = from->getParentOfType<ModuleOp>();
  if (!module)
    return {};
  auto name = cast<FlatSymbolRefAttr>(sharding.getMesh());
  auto meshOp = module.lookupSymbol<MeshOp>(name.getValue());
  return {meshOp ? meshOp.getMesh() : MeshAttr(), meshOp};
}

namespace {
/// Checks one sharding; collects the axes that it uses.
class ShardingVerifier {
public:
  ShardingVerifier(Operation *op, StringRef what, ShardingAttr sharding)
      : op(op), what(what), sharding(sharding) {
    std::tie(mesh, meshOp) = lookupMesh(op, sharding);
  }

  LogicalResult verify(Type type) {
    if (!mesh)
      return op->emitError()
             << what << ": there is no mesh " << sharding.getMesh()
             << "; declare it with 'sdy.mesh'";
    if (failed(verifyRank(type)))
      return failure();
    for (DimShardingAttr dim : sharding.getDims())
      if (failed(verifyAxes(dim.getAxes())))
        return failure();
    return success(succeeded(verifyAxes(sharding.getReplicated())) &&
                   succeeded(verifyAxes(sharding.getUnreduced())));
  }

private:
  InFlightDiagnostic emitError() {
    InFlightDiagnostic diag = op->emitError() << what << ": ";
    if (meshOp)
      diag.attachNote(meshOp.getLoc()) << "the mesh is defined here";
    return diag;
  }

  LogicalResult verifyRank(Type type) {
    // Tuples and tokens, and ops without results, lie as a whole.
    auto tensor = dyn_cast_or_null<RankedTensorType>(type);
    int64_t rank = sharding.getDims().size();
    if (tensor && tensor.getRank() != rank)
      return emitError() << "a sharding of " << rank << " dimensions for "
                         << tensor;
    if (type && !tensor && !isa<TupleType>(type) &&
        (rank != 0 || !sharding.getReplicated().empty() ||
         !sharding.getUnreduced().empty()))
      return emitError() << "a sharding with dimensions or axes for " << type;
    return success();
  }

  LogicalResult verifyAxes(ArrayRef<AxisRefAttr> axes) {
    for (AxisRefAttr axis : axes) {
      const auto *found =
          llvm::find_if(mesh.getAxes(), [&](MeshAxisAttr candidate) {
            return candidate.getName() == axis.getName();
          });
      if (found == mesh.getAxes().end())
        return emitError() << "axis \"" << axis.getName()
                           << "\" is not in the mesh " << mesh;
      if (failed(verifyAxis(axis, found->getSize())))
        return failure();
    }
    return success();
  }

  LogicalResult verifyAxis(AxisRefAttr axis, int64_t meshSize) {
    bool isWhole = axis.getSize() == 0;
    int64_t begin = isWhole ? 1 : axis.getPre();
    int64_t end = isWhole ? meshSize : axis.getPre() * axis.getSize();
    if (!isWhole && (axis.getPre() < 1 || axis.getSize() < 2 ||
                     end > meshSize || meshSize % end != 0))
      return emitError() << "sub-axis \"" << axis.getName() << "\":("
                         << axis.getPre() << ')' << axis.getSize()
                         << " is no factor of axis \"" << axis.getName()
                         << "\" of size " << meshSize;
    for (const Use &use : uses)
      if (use.name == axis.getName() && use.begin < end && begin < use.end)
        return emitError() << "axis \"" << axis.getName() << "\" is used twice";
    uses.push_back({axis.getName(), begin, end});
    return success();
  }

  struct Use {
    StringRef name;
    int64_t begin, end;
  };

  Operation *op;
  StringRef what;
  ShardingAttr sharding;
  MeshAttr mesh;
  MeshOp meshOp;
  SmallVector<Use> uses;
};
} // namespace

LogicalResult verifySharding(Operation *op, StringRef what,
                             ShardingAttr sharding, Type type) {
  return ShardingVerifier(op, what, sharding).verify(type);
}

static LogicalResult verifyShardings(Operation *op, StringRef what,
                                     ShardingPerValueAttr shardings,
                                     TypeRange types) {
  if (shardings.getShardings().size() != types.size())
    return op->emitError() << "has " << shardings.getShardings().size() << ' '
                           << what << "s for " << types.size() << " values";
  for (auto [i, sharding] : llvm::enumerate(shardings.getShardings()))
    if (failed(verifySharding(op, (what + " " + Twine(i)).str(), sharding,
                              types[i])))
      return failure();
  return success();
}

LogicalResult SdyDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  if (attribute.getName() == kShardingRuleAttrName &&
      !isa<OpShardingRuleAttr>(attribute.getValue()))
    return op->emitError() << "'" << kShardingRuleAttrName
                           << "' must be a #sdy.op_sharding_rule, got "
                           << attribute.getValue();
  if (attribute.getName() != kShardingAttrName)
    return success();
  auto shardings = dyn_cast<ShardingPerValueAttr>(attribute.getValue());
  if (!shardings)
    return op->emitError() << "'" << kShardingAttrName
                           << "' of an op must be a #sdy.sharding_per_value, "
                           << "got " << attribute.getValue();
  // An op without results may have one sharding: where it runs.
  if (op->getNumResults() == 0 && shardings.getShardings().size() == 1)
    return verifySharding(op, "sharding", shardings.getShardings()[0], Type());
  // One tuple result: a sharding per member.
  TypeRange types = op->getResultTypes();
  if (types.size() == 1)
    if (auto tuple = dyn_cast<TupleType>(types[0]))
      return verifyShardings(op, "sharding", shardings, tuple.getTypes());
  return verifyShardings(op, "sharding", shardings, types);
}

static LogicalResult verifyValueSharding(Operation *op, const Twine &what,
                                         NamedAttribute attribute, Type type) {
  if (attribute.getName() != kShardingAttrName)
    return success();
  auto sharding = dyn_cast<ShardingAttr>(attribute.getValue());
  if (!sharding)
    return op->emitError() << "'" << kShardingAttrName << "' of " << what
                           << " must be a #sdy.sharding, got "
                           << attribute.getValue();
  return verifySharding(op, ("sharding of " + what).str(), sharding, type);
}

LogicalResult SdyDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned argument,
                                                   NamedAttribute attribute) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  Type type = func ? func.getArgumentTypes()[argument] : Type();
  return verifyValueSharding(op, "argument " + Twine(argument), attribute,
                             type);
}

LogicalResult SdyDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  Type type = func ? func.getResultTypes()[result] : Type();
  return verifyValueSharding(op, "result " + Twine(result), attribute, type);
}

//===----------------------------------------------------------------------===//
// Checks of ops
//===----------------------------------------------------------------------===//

LogicalResult ShardingConstraintOp::verify() {
  return verifySharding(*this, "sharding", getSharding(),
                        getResult().getType());
}

LogicalResult ReshardOp::verify() {
  return verifySharding(*this, "sharding", getSharding(),
                        getResult().getType());
}

LogicalResult ManualComputationOp::verify() {
  if (failed(io::verifyRegion(*this, "the body", getBody(), getTensors().size(),
                              getNumResults())) ||
      failed(verifyShardings(*this, "in_sharding", getInShardings(),
                             getTensors().getTypes())))
    return failure();
  return verifyShardings(*this, "out_sharding", getOutShardings(),
                         getResultTypes());
}

LogicalResult NamedComputationOp::verify() {
  if (failed(io::verifyRegion(*this, "the body", getBody(),
                              getOperands().size(), getNumResults())))
    return failure();
  if (getInShardings() &&
      failed(verifyShardings(*this, "in_sharding", *getInShardings(),
                             getOperands().getTypes())))
    return failure();
  if (getOutShardings())
    return verifyShardings(*this, "out_sharding", *getOutShardings(),
                           getResultTypes());
  return success();
}

#define PARTITA_VERIFY_OUT_SHARDING(OpName)                                    \
  LogicalResult OpName::verify() {                                             \
    return verifySharding(*this, "out_sharding", getOutSharding(),             \
                          getResult().getType());                              \
  }
PARTITA_VERIFY_OUT_SHARDING(AllGatherOp)
PARTITA_VERIFY_OUT_SHARDING(AllSliceOp)
PARTITA_VERIFY_OUT_SHARDING(AllToAllOp)
PARTITA_VERIFY_OUT_SHARDING(CollectivePermuteOp)
PARTITA_VERIFY_OUT_SHARDING(AllReduceOp)
PARTITA_VERIFY_OUT_SHARDING(ReduceScatterOp)
PARTITA_VERIFY_OUT_SHARDING(ShardedToUnreducedOp)
PARTITA_VERIFY_OUT_SHARDING(ReplicatedToUnreducedOp)
#undef PARTITA_VERIFY_OUT_SHARDING

} // namespace partita::sdy
