//===- ImportGroups.h - The devices of written collectives ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StableHLO lists the devices of each group, by replica, by partition or by
// both; core names the axes along which the devices of a group differ. Groups
// that no axes form exchange their values by permutes.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_IMPORT_IMPORTGROUPS_H
#define PARTITA_IR_IO_IMPORT_IMPORTGROUPS_H

#include "ir/io/import/Importer.h"

namespace partita::io {

/// The devices of each group, in the group's order. Groups may differ in size,
/// and some devices may be in none.
using Groups = std::vector<std::vector<int64_t>>;

/// The devices that an op of one device talks to, as groups within the mesh.
class DeviceGroups {
public:
  /// Those of an op with `replica_groups`; failure after a diagnostic.
  static mlir::FailureOr<DeviceGroups> get(Importer &importer,
                                           mlir::Operation *op);
  /// The whole mesh; failure after a diagnostic where there is none.
  static mlir::FailureOr<DeviceGroups> getWhole(Importer &importer,
                                                mlir::Operation *op);

  mlir::FlatSymbolRefAttr getMesh() const { return name; }
  /// The pairs of a collective_permute as devices; failure after a diagnostic.
  mlir::FailureOr<Groups> getPairs(Importer &importer,
                                   mlir::Operation *op) const;
  /// All axes of the mesh.
  core::AxesAttr getAllAxes(mlir::MLIRContext *context) const;
  /// The axes whose groups are these, in their order if that matters; null
  /// where there are none.
  core::AxesAttr findAxes(mlir::MLIRContext *context, bool isOrdered) const;
  /// The number of devices in the largest group.
  int64_t getWidth() const;
  /// The numbers of devices that groups have, each once, in ascending order.
  std::vector<int64_t> getSizes() const;

  /// The values of all members, stacked in front in the order of the group:
  /// [getWidth(), shape…]. Zeros follow where the group is smaller, and are all
  /// that a device in no group gets.
  mlir::Value gatherMembers(ImportBuilder &builder, mlir::Value value) const;
  /// `sources[i]` gives its value to `targets[i]`; zeros for all others.
  mlir::Value permute(ImportBuilder &builder, mlir::Value value,
                      llvm::ArrayRef<int64_t> sources,
                      llvm::ArrayRef<int64_t> targets) const;
  /// The device's id, a scalar of i32.
  mlir::Value getDevice(ImportBuilder &builder) const;
  /// The device's number within its group, a scalar of i32; -1 in none.
  mlir::Value getPosition(ImportBuilder &builder) const;
  /// The number of devices in the device's group, a scalar of i32.
  mlir::Value getSize(ImportBuilder &builder) const;

private:
  DeviceGroups(mlir::FlatSymbolRefAttr theName, Mesh theMesh)
      : name(theName), mesh(std::move(theMesh)) {}
  /// The device's row of a table with one of `width` numbers for each device
  /// of the mesh; a scalar where the width is 1.
  mlir::Value lookUp(ImportBuilder &builder, llvm::ArrayRef<int32_t> table,
                     int64_t width) const;
  mlir::Value rotate(ImportBuilder &builder, mlir::Value value,
                     size_t distance) const;

  mlir::FlatSymbolRefAttr name;
  Mesh mesh;
  Groups groups;
};

} // namespace partita::io

#endif // PARTITA_IR_IO_IMPORT_IMPORTGROUPS_H
