//===- MeshOption.h - Another mesh than the module's ------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_DRIVER_MESHOPTION_H
#define PARTITA_DRIVER_MESHOPTION_H

#include "mesh/Mesh.h"

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"

#include <string_view>
#include <vector>

namespace partita {

/// What `--mesh` said: `data=4,model=2`, or `none`.
struct MeshOption {
  /// One device; annotations are ignored.
  bool isNone = false;
  std::vector<MeshAxis> axes;
};

/// Parses `none` or `NAME=SIZE,…`. InvalidArgument for anything else: no size,
/// a size below 1, an axis named twice, more than 2^31 devices.
absl::StatusOr<MeshOption> parseMeshOption(std::string_view text);

/// Applies the option to a module of core ops.
///   none   Meshes, shardings and constraints go; the program is for one
///          device. Fails where collectives are written out by hand.
///   else   Gives the named axes of the module's meshes these sizes; the other
///          axes stay. An axis of size 1 stays an axis. A module without a mesh
///          gets this one, and is replicated over it.
/// Reports an error at the mesh when no mesh has an axis of that name, or when
/// a sharding takes a factor of an axis that the new size does not have.
llvm::LogicalResult applyMeshOption(mlir::ModuleOp module,
                                    const MeshOption &option);

} // namespace partita

#endif // PARTITA_DRIVER_MESHOPTION_H
