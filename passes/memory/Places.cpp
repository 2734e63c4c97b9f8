//===- Places.cpp - Where values lie --------------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/memory/Places.h"

#include "ir/core/Core.h"
#include "ir/core/Types.h"

using namespace mlir;

namespace partita {

ArrayAttr toAttribute(MLIRContext *context, ArrayRef<MemoryPlace> places) {
  return ArrayAttr::get(
      context, llvm::map_to_vector(places, [&](const MemoryPlace &place) {
        return Attribute(
            DenseI64ArrayAttr::get(context, {place.allocation, place.offset}));
      }));
}

SmallVector<MemoryPlace> fromAttribute(ArrayAttr attribute) {
  SmallVector<MemoryPlace> places;
  for (auto pair : attribute.getAsRange<DenseI64ArrayAttr>())
    places.push_back({pair[0], pair[1]});
  return places;
}

SmallVector<AllocationInfo> getAllocations(func::FuncOp main) {
  SmallVector<AllocationInfo> allocations;
  if (auto list = main->getAttrOfType<ArrayAttr>(kAllocationsAttrName))
    for (auto pair : list.getAsRange<DenseI64ArrayAttr>())
      allocations.push_back({static_cast<PlaceKind>(pair[0]), pair[1]});
  return allocations;
}

MemoryPlace getPlaceOf(Value value) {
  Operation *owner = nullptr;
  unsigned number = 0;
  if (auto result = dyn_cast<OpResult>(value)) {
    owner = result.getOwner();
    number = result.getResultNumber();
  } else {
    auto argument = cast<BlockArgument>(value);
    owner = argument.getOwner()->getParentOp();
    number = argument.getArgNumber();
  }
  auto places = owner->getAttrOfType<ArrayAttr>(kPlacesAttrName);
  auto pair = cast<DenseI64ArrayAttr>(places[number]);
  return {pair[0], pair[1]};
}

/// Whether the attribute is a list of `count` pairs; those of places name one
/// of `allocations`, or none where `mayLack`.
static bool arePlaces(ArrayAttr list, size_t count, int64_t allocations,
                      bool mayLack = false) {
  return list && list.size() == count &&
         llvm::all_of(list, [&](Attribute attribute) {
           auto pair = dyn_cast<DenseI64ArrayAttr>(attribute);
           return pair && pair.size() == 2 && pair[0] >= (mayLack ? -1 : 0) &&
                  pair[0] < allocations && pair[1] >= 0;
         });
}

LogicalResult verifyPlaces(func::FuncOp main) {
  constexpr int64_t kNumKinds =
      static_cast<int64_t>(PlaceKind::InputOutput) + 1;
  auto allocations = main->getAttrOfType<ArrayAttr>(kAllocationsAttrName);
  int64_t count = allocations ? static_cast<int64_t>(allocations.size()) : 0;
  bool isPlanned =
      allocations && arePlaces(allocations, count, kNumKinds) &&
      arePlaces(main->getAttrOfType<ArrayAttr>(kPlacesAttrName),
                main.getNumArguments(), count) &&
      arePlaces(main->getAttrOfType<ArrayAttr>(kResultPlacesAttrName),
                main.getNumResults(), count);
  main.getBody().walk([&](Operation *op) {
    if (op->getNumResults() != 0)
      isPlanned &= arePlaces(op->getAttrOfType<ArrayAttr>(kPlacesAttrName),
                             op->getNumResults(), count);
    if (op->hasAttr(kStagingAttrName))
      isPlanned &= arePlaces(op->getAttrOfType<ArrayAttr>(kStagingAttrName),
                             op->getNumOperands(), count, /*mayLack=*/true);
  });
  if (isPlanned)
    return success();
  return main.emitError("@main has no memory plan, or a broken one; start at "
                        "--from memory or before");
}

MemoryNeeds getMemoryNeeds(func::FuncOp main) {
  MemoryNeeds needs;
  SmallVector<AllocationInfo> allocations = getAllocations(main);
  llvm::SmallDenseSet<int64_t> ofArguments;
  for (BlockArgument argument : main.getArguments())
    ofArguments.insert(getPlaceOf(argument).allocation);
  for (auto [i, allocation] : llvm::enumerate(allocations)) {
    switch (allocation.kind) {
    case PlaceKind::Temporary:
      needs.arenaBytes += allocation.bytes;
      break;
    case PlaceKind::Constant:
      needs.constantBytes += allocation.bytes;
      break;
    case PlaceKind::InputOutput:
      (ofArguments.contains(static_cast<int64_t>(i)) ? needs.argumentBytes
                                                     : needs.resultBytes) +=
          allocation.bytes;
      break;
    }
  }
  return needs;
}

} // namespace partita
