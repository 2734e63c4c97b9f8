//===- Report.cpp - What a compilation says about itself ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Report.h"

#include "ir/attrs/ShardingUtils.h"

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

Json makeReport(const CompileResult &result) {
  Json report;
  int64_t devices = 1;
  report["program"] = result.program;
  report["target"] = "cpu";
  report["mesh"] = getMesh(*result.module, devices);
  report["devices"] = devices;
  report["phases"] = Json::array();
  for (const PhaseTime &time : result.phases)
    report["phases"].push_back(
        {{"name", getName(time.phase)}, {"seconds", time.seconds}});
  report["collectives"] = Json::array();
  report["memory"] = Json::object();
  return report;
}

} // namespace partita
