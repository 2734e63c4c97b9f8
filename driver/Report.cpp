//===- Report.cpp - What a compilation says about itself ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Report.h"

#include "ir/attrs/ShardingUtils.h"
#include "passes/memory/Places.h"

using namespace mlir;

namespace partita {

static Json getMesh(ModuleOp module, int64_t &devices) {
  Json axes = Json::array();
  devices = 1;
  StringAttr name = getMeshName(module);
  if (!name)
    return axes;
  Mesh mesh = lookupMesh(module, name).toMesh();
  devices = mesh.getNumDevices();
  for (const MeshAxis &axis : mesh.getAxes())
    axes.push_back(Json::array({axis.name, axis.size}));
  return axes;
}

Json makeCollectiveList(ArrayRef<CollectiveEntry> collectives) {
  Json list = Json::array();
  for (const CollectiveEntry &entry : collectives) {
    Json item;
    item["kind"] = getName(entry.kind);
    item["axes"] = entry.axes;
    item["count"] = entry.count;
    item["exact"] = entry.isExact;
    item["dtype"] = getName(entry.dtype);
    if (entry.reduction)
      item["reduction"] = getName(*entry.reduction);
    item["operands"] = entry.operands;
    item["result_bytes"] = entry.resultBytes;
    item["wire_bytes"] = entry.wireBytes;
    item["seconds"] = entry.seconds;
    item["source"] = entry.source;
    item["value"] = entry.value;
    item["reason"] = entry.reason;
    list.push_back(std::move(item));
  }
  return list;
}

static Json getMemory(ModuleOp module, int64_t devices) {
  Json memory = Json::object();
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || !main->hasAttr(kAllocationsAttrName))
    return memory;
  MemoryNeeds needs = getMemoryNeeds(main);
  auto add = [&](const char *name, int64_t bytes) {
    memory[name] = std::vector<int64_t>(static_cast<size_t>(devices), bytes);
  };
  add("argument_bytes", needs.argumentBytes);
  add("result_bytes", needs.resultBytes);
  add("temporary_bytes", needs.arenaBytes);
  add("constant_bytes", needs.constantBytes);
  add("predicted_peak_bytes", needs.getPeakBytes());
  return memory;
}

/// Names, types and shardings of arguments or results.
static Json describe(const std::vector<ValueInfo> &values,
                     llvm::function_ref<ShardingAttr(unsigned)> getSharding,
                     const Mesh &mesh) {
  Json list = Json::array();
  for (auto [i, value] : llvm::enumerate(values)) {
    Json item = {{"name", value.name}, {"type", value.getTypeText()}};
    if (ShardingAttr sharding = getSharding(i))
      item["sharding"] = toString(mesh, sharding.toSharding(mesh));
    if (value.fedBy)
      item["fed_by"] = *value.fedBy;
    list.push_back(std::move(item));
  }
  return list;
}

static void addBoundary(const CompileResult &result, Json &report) {
  ModuleOp module = result.module.get();
  auto main = module.lookupSymbol<func::FuncOp>("main");
  StringAttr name = getMeshName(module);
  Mesh mesh = name ? lookupMesh(module, name).toMesh() : Mesh();
  report["arguments"] = describe(
      result.signature.arguments,
      [&](unsigned i) {
        return main.getArgAttrOfType<ShardingAttr>(i, kShardingAttrName);
      },
      mesh);
  report["results"] = describe(
      result.signature.results,
      [&](unsigned i) { return getResultSharding(main, i); }, mesh);
}

Json makeReport(const CompileResult &result) {
  Json report;
  int64_t devices = 1;
  report["program"] = result.program;
  report["target"] = "cpu";
  ModuleOp module = result.module.get();
  report["mesh"] = getMesh(module, devices);
  report["devices"] = devices;
  report["phases"] = Json::array();
  for (const PhaseTime &time : result.phases)
    report["phases"].push_back(
        {{"name", getName(time.phase)}, {"seconds", time.seconds}});
  addBoundary(result, report);
  report["collectives"] = result.collectives;
  report["timeline"] = result.timeline;
  report["memory"] = getMemory(module, devices);
  return report;
}

} // namespace partita
