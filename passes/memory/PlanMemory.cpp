//===- PlanMemory.cpp - Places of all values ------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/core/Core.h"
#include "passes/memory/Passes.h"
#include "passes/memory/Places.h"
#include "passes/memory/Sharing.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace partita {

#define GEN_PASS_DEF_PLANMEMORYPASS
#include "passes/memory/Passes.h.inc"

namespace {

class PlanMemory : public impl::PlanMemoryPassBase<PlanMemory> {
public:
  using PlanMemoryPassBase::PlanMemoryPassBase;
  void runOnOperation() override;

private:
  /// The place of each storage, and the list of allocations.
  void allocate(ArrayRef<Storage> storages);
  void write(func::FuncOp main, const Sharing &sharing);
  LogicalResult checkLimit(func::FuncOp main);

  SmallVector<MemoryPlace> places; // by storage
  SmallVector<AllocationInfo> allocations;
};

} // namespace

void PlanMemory::allocate(ArrayRef<Storage> storages) {
  allocations.assign(1, {PlaceKind::Temporary, 0}); // the arena
  places.assign(storages.size(), {});
  SmallVector<size_t> inArena;
  std::vector<ArenaItem> items;
  for (auto [i, storage] : llvm::enumerate(storages)) {
    if (storage.ranges.empty())
      continue;
    if (storage.kind == Storage::Kind::Temporary) {
      inArena.push_back(i);
      items.push_back({storage.bytes, storage.ranges});
      continue;
    }
    places[i] = {static_cast<int64_t>(allocations.size()), 0};
    allocations.push_back({storage.kind == Storage::Kind::Constant
                               ? PlaceKind::Constant
                               : PlaceKind::InputOutput,
                           storage.bytes});
  }
  ArenaLayout layout = layOut(items, kPlaceAlignment);
  allocations[0].bytes = layout.bytes;
  for (auto [item, storage] : llvm::enumerate(inArena))
    places[storage] = {0, layout.offsets[item]};
}

void PlanMemory::write(func::FuncOp main, const Sharing &sharing) {
  MLIRContext *context = &getContext();
  auto getPlaces = [&](ValueRange values) {
    return toAttribute(context, llvm::map_to_vector(values, [&](Value value) {
                         return places[sharing.getStorageId(value)];
                       }));
  };
  main.walk([&](Operation *op) {
    if (op->getNumResults() != 0)
      op->setAttr(kPlacesAttrName, getPlaces(op->getResults()));
    SmallVector<MemoryPlace> staging;
    bool hasStaging = false;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      int64_t id = sharing.getStagingId(op, i);
      staging.push_back(id < 0 ? MemoryPlace() : places[id]);
      hasStaging |= id >= 0;
    }
    if (hasStaging)
      op->setAttr(kStagingAttrName, toAttribute(context, staging));
  });
  main->setAttr(kPlacesAttrName, getPlaces(main.getArguments()));
  SmallVector<MemoryPlace> results;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    results.push_back(places[sharing.getResultStorageId(i)]);
  main->setAttr(kResultPlacesAttrName, toAttribute(context, results));
  SmallVector<Attribute> list;
  for (const AllocationInfo &allocation : allocations)
    list.push_back(DenseI64ArrayAttr::get(
        context, {static_cast<int64_t>(allocation.kind), allocation.bytes}));
  main->setAttr(kAllocationsAttrName, ArrayAttr::get(context, list));
}

LogicalResult PlanMemory::checkLimit(func::FuncOp main) {
  MemoryNeeds needs = getMemoryNeeds(main);
  if (memoryLimit < 0 || needs.getPeakBytes() <= memoryLimit)
    return success();
  InFlightDiagnostic error =
      main.emitError("the program needs ")
      << needs.getPeakBytes() << " bytes per device, above the limit of "
      << int64_t(memoryLimit) << " bytes; split it over more devices, or raise "
      << "--memory-limit";
  error.attachNote() << "arguments take " << needs.argumentBytes << ", results "
                     << needs.resultBytes << ", temporaries "
                     << needs.arenaBytes << ", constants "
                     << needs.constantBytes << " bytes";
  return error;
}

void PlanMemory::runOnOperation() {
  auto main = getOperation().lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return;
  Sharing sharing;
  if (failed(sharing.run(main)))
    return signalPassFailure();
  allocate(sharing.getStorages());
  write(main, sharing);
  if (failed(checkLimit(main)))
    signalPassFailure();
}

} // namespace partita
