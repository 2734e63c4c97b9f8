//===- Passes.td - Memory planning -------------------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_MEMORY_PASSES_TD
#define PARTITA_PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanMemoryPass : Pass<"partita-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Gives every value of a fused program its place in memory";
  let description = [{
    Works on @main after fusion: launches, collectives, constants and control
    flow on local shapes. Values that can share memory do: a launch's result
    with an argument that dies there and that the kernel may overwrite, an
    all-reduce with its operand, what a loop carries with what its body gives
    back, a result of @main with the argument that it feeds. What remains is
    laid out in one arena per device.

    Places are attributes: `plan.places` of an op is a list of [allocation,
    offset], one per result; of @main one per argument; `plan.result_places`
    of @main one per result. `plan.allocations` of @main lists allocations as
    [kind, bytes], kinds as in PlaceKind. `plan.staging` of a core.yield is a
    list of places, [-1, 0] where a value needs none: a value that must be
    copied there before the other copies at the end of a loop body.

    Where the place of a value and that of what it becomes (a loop's carried
    value, a branch's or @main's result) differ, a copy is needed.
  }];
  let options = [
    Option<"memoryLimit", "memory-limit", "int64_t", "-1",
           "Bytes per device above which a program is refused; -1: none">];
}

#endif // PARTITA_PASSES_MEMORY_PASSES_TD
