//===- MeshOption.cpp - Another mesh than the module's --------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/MeshOption.h"

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/core/Core.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace partita {

static constexpr int64_t kMaxDevices = int64_t(1) << 31;

/// NAME=SIZE, where the name may be quoted.
static absl::StatusOr<MeshAxis> parseAxisOption(llvm::StringRef text) {
  auto [name, sizeText] = text.split('=');
  name = name.trim().trim('"');
  sizeText = sizeText.trim();
  int64_t size = 0;
  if (name.empty() || sizeText.getAsInteger(10, size))
    return absl::InvalidArgumentError(
        "'" + text.str() +
        "' is no mesh axis; write NAME=SIZE, as in data=4,model=2");
  if (size < 1)
    return absl::InvalidArgumentError("mesh axis '" + name.str() +
                                      "' has size " + std::to_string(size) +
                                      "; it must be at least 1");
  return MeshAxis{name.str(), size};
}

absl::StatusOr<MeshOption> parseMeshOption(std::string_view text) {
  MeshOption option;
  if (text == "none") {
    option.isNone = true;
    return option;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, ',');
  llvm::StringSet<> names;
  int64_t devices = 1;
  for (llvm::StringRef part : parts) {
    absl::StatusOr<MeshAxis> axis = parseAxisOption(part);
    if (!axis.ok())
      return axis.status();
    if (!names.insert(axis->name).second)
      return absl::InvalidArgumentError("mesh axis '" + axis->name +
                                        "' is given twice");
    if (axis->size > kMaxDevices / devices)
      return absl::InvalidArgumentError(
          "a mesh of more than " + std::to_string(kMaxDevices) + " devices");
    devices *= axis->size;
    option.axes.push_back(*std::move(axis));
  }
  return option;
}

//===----------------------------------------------------------------------===//
// Applying it
//===----------------------------------------------------------------------===//

/// Makes the program one for a single device.
static LogicalResult removeMeshes(ModuleOp module) {
  SmallVector<Operation *> gone;
  LogicalResult result = success();
  module.walk([&](Operation *op) {
    op->removeAttr(kShardingsAttrName);
    if (auto constraint = dyn_cast<core::ShardingConstraintOp>(op)) {
      constraint.replaceAllUsesWith(constraint.getOperand());
      gone.push_back(op);
    } else if (isa<core::MeshOp>(op)) {
      gone.push_back(op);
    } else if (auto func = dyn_cast<func::FuncOp>(op)) {
      for (unsigned i = 0; i < func.getNumArguments(); ++i)
        func.removeArgAttr(i, kShardingAttrName);
      for (unsigned i = 0; i < func.getNumResults(); ++i)
        func.removeResultAttr(
            i, StringAttr::get(op->getContext(), kShardingAttrName));
    } else if (op->hasAttr("mesh") || isa<comm::ManualOp>(op)) {
      result = op->emitError("works over the devices of a mesh, so the program "
                             "cannot run with --mesh none");
    }
  });
  if (failed(result))
    return failure();
  for (Operation *op : gone)
    op->erase();
  module->removeAttr("core.num_partitions");
  return success();
}

/// The mesh with the sizes of the option; `found` collects the axes it has.
static MeshAttr resize(MeshAttr mesh, ArrayRef<MeshAxis> sizes,
                       llvm::StringSet<> &found) {
  MLIRContext *context = mesh.getContext();
  bool isChanged = false;
  SmallVector<MeshAxisAttr> axes;
  for (MeshAxisAttr axis : mesh.getAxes()) {
    const MeshAxis *size = llvm::find_if(sizes, [&](const MeshAxis &candidate) {
      return candidate.name == axis.getName();
    });
    if (size == sizes.end()) {
      axes.push_back(axis);
      continue;
    }
    found.insert(size->name);
    isChanged |= size->size != axis.getSize();
    axes.push_back(MeshAxisAttr::get(context, size->name, size->size));
  }
  return isChanged ? MeshAttr::get(context, axes, {}) : mesh;
}

static void addMesh(ModuleOp module, ArrayRef<MeshAxis> sizes) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<MeshAxisAttr> axes;
  for (const MeshAxis &axis : sizes)
    axes.push_back(
        MeshAxisAttr::get(module.getContext(), axis.name, axis.size));
  core::MeshOp::create(builder, module.getLoc(), "mesh",
                       MeshAttr::get(module.getContext(), axes, {}));
}

LogicalResult applyMeshOption(ModuleOp module, const MeshOption &option) {
  if (option.isNone)
    return removeMeshes(module);
  llvm::StringSet<> found;
  SmallVector<core::MeshOp> meshes(module.getOps<core::MeshOp>());
  for (core::MeshOp mesh : meshes)
    if (mesh->hasAttr(kFixedMeshAttrName))
      return mesh.emitError("the program runs on a grid of devices of its own; "
                            "leave out --mesh");
  for (core::MeshOp mesh : meshes)
    mesh.setMeshAttr(resize(mesh.getMesh(), option.axes, found));
  if (meshes.empty())
    addMesh(module, option.axes);
  for (const MeshAxis &axis : option.axes) {
    if (meshes.empty() || found.contains(axis.name))
      continue;
    std::string names =
        llvm::join(llvm::map_range(meshes.front().getMesh().getAxes(),
                                   [](MeshAxisAttr known) {
                                     return "'" + known.getName().str() + "'";
                                   }),
                   ", ");
    return meshes.front().emitError()
           << "--mesh gives a size for axis '" << axis.name << "', which mesh @"
           << meshes.front().getSymName() << " does not have; its axes are "
           << (names.empty() ? "none" : names);
  }
  Mesh mesh = lookupMesh(module, getMeshName(module)).toMesh();
  module->setAttr("core.num_partitions",
                  IntegerAttr::get(IntegerType::get(module.getContext(), 64),
                                   mesh.getNumDevices()));
  return verify(module);
}

} // namespace partita
