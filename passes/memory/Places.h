//===- Places.h - Where values lie ------------------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes in which the memory plan is kept; see PlanMemoryPass.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_MEMORY_PLACES_H
#define PARTITA_PASSES_MEMORY_PLACES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace partita {

/// Numbers as in plan.proto.
enum class PlaceKind : int64_t {
  Temporary = 0,   ///< The arena.
  Constant = 1,    ///< Read only, shared by all devices.
  InputOutput = 2, ///< An argument, a result or both.
};

struct AllocationInfo {
  PlaceKind kind = PlaceKind::Temporary;
  int64_t bytes = 0;
};

struct MemoryPlace {
  int64_t allocation = -1;
  int64_t offset = 0;
  friend bool operator==(const MemoryPlace &, const MemoryPlace &) = default;
};

inline constexpr llvm::StringLiteral kPlacesAttrName = "plan.places";
inline constexpr llvm::StringLiteral kResultPlacesAttrName =
    "plan.result_places";
inline constexpr llvm::StringLiteral kAllocationsAttrName = "plan.allocations";
inline constexpr llvm::StringLiteral kStagingAttrName = "plan.staging";
/// Alignment of everything, in bytes.
inline constexpr int64_t kPlaceAlignment = 64;

mlir::ArrayAttr toAttribute(mlir::MLIRContext *context,
                            llvm::ArrayRef<MemoryPlace> places);
llvm::SmallVector<MemoryPlace> fromAttribute(mlir::ArrayAttr attribute);

llvm::SmallVector<AllocationInfo> getAllocations(mlir::func::FuncOp main);
/// Refuses a program without a whole memory plan, as a file may hold it.
llvm::LogicalResult verifyPlaces(mlir::func::FuncOp main);
/// The place of a value of @main; the program must have a memory plan.
MemoryPlace getPlaceOf(mlir::Value value);

/// What a memory plan needs on each device.
struct MemoryNeeds {
  int64_t argumentBytes = 0;
  int64_t resultBytes = 0; ///< Of results that have memory of their own.
  int64_t arenaBytes = 0;
  int64_t constantBytes = 0;
  int64_t getPeakBytes() const {
    return argumentBytes + resultBytes + arenaBytes + constantBytes;
  }
};
MemoryNeeds getMemoryNeeds(mlir::func::FuncOp main);

} // namespace partita

#endif // PARTITA_PASSES_MEMORY_PLACES_H
