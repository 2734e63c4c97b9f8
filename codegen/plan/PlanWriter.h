//===- PlanWriter.h - From a planned program to plan.proto ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_CODEGEN_PLAN_PLANWRITER_H
#define PARTITA_CODEGEN_PLAN_PLANWRITER_H

#include "runtime/plan/plan.pb.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace partita {

/// What is no longer in the program once shapes are local.
struct BoundaryValue {
  std::string name;
  std::vector<int64_t> globalShape;
};

struct KernelSpec {
  std::string name; ///< Of the plan.kernel.
  std::string symbol;
  int64_t numTiles = 1;
  double flops = 0;
  double bytes = 0;
};

struct PlanSpec {
  std::string program;
  std::vector<BoundaryValue> arguments, results;
  std::string targetKind = "cpu";
  std::vector<std::string> targetFeatures;
  std::vector<KernelSpec> kernels;
  std::string code; ///< The kernels' shared object.
};

/// Writes the plan of a module after PlanMemoryPass. Fails after reporting an
/// op that the runtime cannot execute.
mlir::FailureOr<plan::Plan> writePlan(mlir::ModuleOp module, PlanSpec spec);

} // namespace partita

#endif // PARTITA_CODEGEN_PLAN_PLANWRITER_H
