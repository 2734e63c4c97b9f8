//===- Attributes.cpp - Meshes and shardings in IR --------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/attrs/Attributes.h"

#include "ir/attrs/AttributeText.h"
#include "ir/core/Core.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace partita;

#include "ir/attrs/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/attrs/Attributes.cpp.inc"

void core::CoreDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/attrs/Attributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace partita {

static DimShardingAttr fromText(MLIRContext *context, const DimText &text) {
  return DimShardingAttr::get(context,
                              fromText<AxisRefAttr>(context, text.axes),
                              text.isOpen, text.priority);
}

static DimText toText(DimShardingAttr dim) {
  return {toText(dim.getAxes()), dim.getIsOpen(), dim.getPriority()};
}

} // namespace partita

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<MeshAxisAttr> axes;
  SmallVector<int64_t> deviceIds;
  auto parseMeshAxis = [&]() -> ParseResult {
    std::string name;
    int64_t size = 0;
    if (parser.parseString(&name) || parser.parseEqual() ||
        parser.parseInteger(size))
      return failure();
    axes.push_back(MeshAxisAttr::get(parser.getContext(), name, size));
    return success();
  };
  auto parseDevice = [&] {
    return parser.parseInteger(deviceIds.emplace_back());
  };
  if (parser.parseLess() || parser.parseCommaSeparatedList(
                                AsmParser::Delimiter::Square, parseMeshAxis))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("device_ids") || parser.parseEqual() ||
       parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                      parseDevice)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MeshAttr>(parser.getContext(), axes, deviceIds);
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getAxes(), printer, [&](MeshAxisAttr axis) {
    printer.printString(axis.getName());
    printer << "=" << axis.getSize();
  });
  printer << "]";
  if (!getDeviceIds().empty()) {
    printer << ", device_ids=[";
    llvm::interleaveComma(getDeviceIds(), printer);
    printer << "]";
  }
  printer << ">";
}

Attribute AxisRefAttr::parse(AsmParser &parser, Type) {
  AxisText text;
  if (parser.parseLess() || parseAxis(parser, text) || parser.parseGreater())
    return {};
  return fromText<AxisRefAttr>(parser.getContext(), text);
}

void AxisRefAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printAxis(printer, toText(*this));
  printer << ">";
}

Attribute AxesAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisText> axes;
  if (parseAxes(parser, axes))
    return {};
  return AxesAttr::get(parser.getContext(),
                       fromText<AxisRefAttr>(parser.getContext(), axes));
}

void AxesAttr::print(AsmPrinter &printer) const {
  printAxes(printer, toText(getAxes()));
}

Attribute DimShardingAttr::parse(AsmParser &parser, Type) {
  DimText text;
  if (parser.parseLess() || parseDim(parser, text) || parser.parseGreater())
    return {};
  return fromText(parser.getContext(), text);
}

void DimShardingAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printDim(printer, toText(*this));
  printer << ">";
}

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  ShardingText text;
  if (parseSharding(parser, text))
    return {};
  MLIRContext *context = parser.getContext();
  auto kind = symbolizeReductionKindValue(
      text.unreducedKind.empty() ? "sum" : text.unreducedKind);
  if (!kind) {
    parser.emitError(loc) << "unknown reduction kind '" << text.unreducedKind
                          << "'; expected sum, max, min, mul, and, or or xor";
    return {};
  }
  auto dims = llvm::map_to_vector(
      text.dims, [&](const DimText &dim) { return fromText(context, dim); });
  return ShardingAttr::get(context, StringAttr::get(context, text.mesh), dims,
                           fromText<AxisRefAttr>(context, text.replicated),
                           fromText<AxisRefAttr>(context, text.unreduced),
                           *kind);
}

void ShardingAttr::print(AsmPrinter &printer) const {
  ShardingText text;
  text.mesh = getMesh().str();
  for (DimShardingAttr dim : getDims())
    text.dims.push_back(toText(dim));
  text.replicated = toText(getReplicated());
  text.unreduced = toText(getUnreduced());
  if (getUnreducedKind() != ReductionKindValue::Sum)
    text.unreducedKind = stringifyReductionKindValue(getUnreducedKind()).str();
  printSharding(printer, text);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<MeshAxisAttr> axes,
                               ArrayRef<int64_t> deviceIds) {
  llvm::StringSet<> names;
  int64_t devices = 1;
  for (MeshAxisAttr axis : axes) {
    if (axis.getName().empty())
      return emitError() << "a mesh axis needs a name";
    if (!names.insert(axis.getName()).second)
      return emitError() << "mesh axis \"" << axis.getName()
                         << "\" is declared twice";
    if (axis.getSize() < 1)
      return emitError() << "mesh axis \"" << axis.getName() << "\" has size "
                         << axis.getSize() << "; it must be at least 1";
    if (devices > (int64_t(1) << 31) / axis.getSize())
      return emitError() << "the mesh has more than 2147483648 devices";
    devices *= axis.getSize();
  }
  if (deviceIds.empty())
    return success();
  if (axes.empty() && deviceIds.size() == 1)
    return deviceIds[0] >= 0 ? success()
                             : emitError() << "device ids must not be negative";
  SmallVector<int64_t> sorted(deviceIds);
  llvm::sort(sorted);
  for (auto [i, id] : llvm::enumerate(sorted))
    if (id != static_cast<int64_t>(i) ||
        static_cast<int64_t>(sorted.size()) != devices)
      return emitError() << "device_ids must be a permutation of 0 to "
                         << devices - 1;
  return success();
}

/// Checks one axis against the mesh, and against those seen before it.
static LogicalResult verifyAxis(AxisRefAttr axis, MeshAttr meshAttr,
                                const Mesh &mesh,
                                SmallVectorImpl<AxisRef> &seen,
                                function_ref<InFlightDiagnostic()> emitError) {
  std::optional<int32_t> index = mesh.findAxis(axis.getName());
  if (!index)
    return emitError() << "axis \"" << axis.getName()
                       << "\" is not in the mesh " << meshAttr;
  if (axis.getSize() != 0) {
    int64_t whole = mesh.getAxisSize(*index);
    int64_t pre = axis.getPre(), size = axis.getSize();
    if (pre < 1 || size < 2 || pre > whole || size > whole ||
        whole % (pre * size) != 0)
      return emitError() << "sub-axis \"" << axis.getName() << "\":(" << pre
                         << ")" << size << " does not divide axis \""
                         << axis.getName() << "\" of size " << whole;
  }
  AxisRef ref = axis.toAxisRef(mesh);
  for (const AxisRef &other : seen)
    if (ref.overlaps(other))
      return emitError() << "axis " << mesh.toString(ref)
                         << " is used twice in one sharding";
  seen.push_back(ref);
  return success();
}

LogicalResult
ShardingAttr::verifyFor(MeshAttr meshAttr, Type type,
                        function_ref<InFlightDiagnostic()> emitError) const {
  auto tensor = dyn_cast<ShapedType>(type);
  if (!tensor || !tensor.hasRank())
    return emitError() << "only a ranked tensor can have a sharding, not "
                       << type;
  if (tensor.getRank() != getRank())
    return emitError() << "a sharding of " << getRank()
                       << " dimensions does not fit " << type << " of rank "
                       << tensor.getRank();
  Mesh mesh = meshAttr.toMesh();
  SmallVector<AxisRef> seen;
  for (auto [d, dim] : llvm::enumerate(getDims())) {
    for (AxisRefAttr axis : dim.getAxes())
      if (failed(verifyAxis(axis, meshAttr, mesh, seen, emitError)))
        return failure();
    if (dim.getPriority() && dim.getAxes().empty() && !dim.getIsOpen())
      return emitError() << "dimension " << d
                         << " is empty and closed, and cannot have a priority";
  }
  for (AxisRefAttr axis : getReplicated())
    if (failed(verifyAxis(axis, meshAttr, mesh, seen, emitError)))
      return failure();
  for (AxisRefAttr axis : getUnreduced())
    if (failed(verifyAxis(axis, meshAttr, mesh, seen, emitError)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// To and from the algebra of mesh/
//===----------------------------------------------------------------------===//

Mesh MeshAttr::toMesh() const {
  std::vector<MeshAxis> axes;
  for (MeshAxisAttr axis : getAxes())
    axes.push_back({axis.getName().str(), axis.getSize()});
  if (axes.empty()) // a maximal mesh is one device, whatever its number
    return Mesh();
  return Mesh(std::move(axes), getDeviceIds().vec());
}

MeshAttr MeshAttr::fromMesh(MLIRContext *context, const Mesh &mesh) {
  SmallVector<MeshAxisAttr> axes;
  for (const MeshAxis &axis : mesh.getAxes())
    axes.push_back(MeshAxisAttr::get(context, axis.name, axis.size));
  return MeshAttr::get(context, axes,
                       ArrayRef<int64_t>(mesh.getDeviceIds().data(),
                                         mesh.getDeviceIds().size()));
}

AxisRef AxisRefAttr::toAxisRef(const Mesh &mesh) const {
  int32_t axis = *mesh.findAxis(getName());
  if (getSize() == 0)
    return mesh.getWholeAxis(axis);
  return AxisRef{axis, getPre(), getSize()};
}

AxisRefAttr AxisRefAttr::fromAxisRef(MLIRContext *context, const Mesh &mesh,
                                     const AxisRef &ref) {
  StringRef name = mesh.getAxes()[ref.axis].name;
  if (ref == mesh.getWholeAxis(ref.axis))
    return AxisRefAttr::get(context, name, 1, 0);
  return AxisRefAttr::get(context, name, ref.pre, ref.size);
}

static std::vector<AxisRef> toAxisRefs(ArrayRef<AxisRefAttr> axes,
                                       const Mesh &mesh) {
  std::vector<AxisRef> refs;
  for (AxisRefAttr axis : axes)
    refs.push_back(axis.toAxisRef(mesh));
  return refs;
}

static SmallVector<AxisRefAttr>
fromAxisRefs(MLIRContext *context, const Mesh &mesh, ArrayRef<AxisRef> refs) {
  return llvm::map_to_vector(refs, [&](const AxisRef &ref) {
    return AxisRefAttr::fromAxisRef(context, mesh, ref);
  });
}

std::vector<AxisRef> AxesAttr::toAxes(const Mesh &mesh) const {
  return toAxisRefs(getAxes(), mesh);
}

AxesAttr AxesAttr::fromAxes(MLIRContext *context, const Mesh &mesh,
                            ArrayRef<AxisRef> refs) {
  return AxesAttr::get(context, fromAxisRefs(context, mesh, refs));
}

TensorSharding ShardingAttr::toSharding(const Mesh &mesh) const {
  TensorSharding sharding;
  for (DimShardingAttr dim : getDims())
    sharding.dims.push_back({normalize(toAxisRefs(dim.getAxes(), mesh)),
                             dim.getIsOpen(),
                             static_cast<int32_t>(dim.getPriority())});
  sharding.replicated = toAxisRefs(getReplicated(), mesh);
  sharding.unreduced = toAxisRefs(getUnreduced(), mesh);
  sharding.reduction = getReductionKind();
  return sharding;
}

ShardingAttr ShardingAttr::fromSharding(StringAttr meshName, const Mesh &mesh,
                                        const TensorSharding &sharding) {
  MLIRContext *context = meshName.getContext();
  auto dims = llvm::map_to_vector(sharding.dims, [&](const DimSharding &dim) {
    return DimShardingAttr::get(context, fromAxisRefs(context, mesh, dim.axes),
                                dim.isOpen, dim.priority);
  });
  return ShardingAttr::get(context, meshName, dims,
                           fromAxisRefs(context, mesh, sharding.replicated),
                           fromAxisRefs(context, mesh, sharding.unreduced),
                           static_cast<ReductionKindValue>(sharding.reduction));
}
