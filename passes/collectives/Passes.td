//===- Passes.td - Passes on reshards and collectives ------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All work on the partitioned program with global shapes. None lets the number
// of a device's collectives grow, and only partita-widen-partials the bytes.

#ifndef PARTITA_PASSES_COLLECTIVES_PASSES_TD
#define PARTITA_PASSES_COLLECTIVES_PASSES_TD

include "mlir/Pass/PassBase.td"

def SimplifyReshardsPass
    : Pass<"partita-simplify-reshards", "::mlir::ModuleOp"> {
  let summary = "Removes, shares and shortens reshards";
  let description = [{
    A reshard that changes nothing goes; two in a row become one where that is
    not dearer; equal reshards of one value are made once; one that is cheaper
    from another reshard's result (a slice of a gathered value) starts there.
  }];
}

def SinkReshardsPass : Pass<"partita-sink-reshards", "::mlir::ModuleOp"> {
  let summary = "Moves reshards below ops where they then cost less";
  let description = [{
    `add(reshard a, reshard b)` becomes `reshard(add(a, b))`; a gather moves
    below a conversion to a narrower type. A reshard that combines partial values
    passes only ops that are linear for its reduction kind; on its way to an
    addition it also passes ops below which it costs the same.
  }];
}

def SinkAccumulationsPass
    : Pass<"partita-sink-accumulations", "::mlir::ModuleOp"> {
  let summary = "Combines partial values once after a loop that adds them up";
  let description = [{
    Of a carried value to which the body adds partial values and with which it
    does nothing else, the partial values are added up in the loop and combined
    behind it. The carried value then starts from zero, and its start is added at
    the end.
  }];
}

def HoistReshardsPass : Pass<"partita-hoist-reshards", "::mlir::ModuleOp"> {
  let summary = "Moves reshards of loop-invariant values in front of the loop";
  let description = [{
    Carried values that the body yields unchanged count as invariant. A reshard
    of parts that are picked from one moves with what they are picked from, where
    that sends less than all of its iterations.
  }];
}

def WidenPartialsPass : Pass<"partita-widen-partials", "::mlir::ModuleOp"> {
  let summary = "Adds up partial sums of narrow floats in single precision";
  let description = [{
    Of a product or sum whose parts lie on several devices, the parts stay in
    single precision until they are added up: the result is rounded once, as on
    one device. They take twice the bytes of bfloat16. Parts that the program
    converts to single precision before they are added up are made so. Parts
    that meet others on the way are added in the type of the program.
  }];
}

def LowerReshardsPass : Pass<"partita-lower-reshards", "::mlir::ModuleOp"> {
  let summary = "Turns each reshard into the planner's collectives";
  let description = [{
    The collectives are in the global form: global shapes, and the shardings
    before and after. A reshard whose plan is an exchange of boxes keeps its form
    and is marked `comm.exchange`; localisation makes permutes of it.
  }];
  let options = [
    Option<"failOnRemat", "fail-on-remat", "bool", "false",
           "A reshard between two shardings that gathers the whole tensor on "
           "every device in between is an error">,
    Option<"maxReshardBytes", "max-reshard-bytes", "int64_t", "-1",
           "A reshard by which a device sends more in a step is an error; -1: "
           "no limit">
  ];
}

def SimplifyCollectivesPass
    : Pass<"partita-simplify-collectives", "::mlir::ModuleOp"> {
  let summary = "Removes collectives that repeat or undo another";
  let description = [{
    Equal collectives of one value are made once; a slice of a gather over the
    same axes, and a gather of such a slice, are the value itself; an all-reduce
    whose only use is a slice becomes a reduce-scatter.
  }];
}

def CombineCollectivesPass
    : Pass<"partita-combine-collectives", "::mlir::ModuleOp"> {
  let summary = "Makes one launch of independent collectives over the same axes";
  let description = [{
    Of collectives in one block that agree in kind, axes, reduction and element
    type, those with equally many others in front of them on the longest path
    are joined, as long as their results do not exceed the limits.
  }];
  let options = [
    Option<"reduceLimit", "reduce-limit", "int64_t", "32 << 20",
           "most result bytes of a joined all-reduce or reduce-scatter">,
    Option<"gatherLimit", "gather-limit", "int64_t", "1 << 20",
           "most result bytes of a joined all-gather, all-to-all or permute">
  ];
}

def MergePermutesPass : Pass<"partita-merge-permutes", "::mlir::ModuleOp"> {
  let summary = "Makes one permute of several that use different devices";
  let description = [{
    Works on local shapes. Permutes of one type in one block, none of which
    depends on another, become one where no device sends or receives in two of
    them: the last shard that wraps round travels with those that move up.
  }];
  let dependentDialects = ["::partita::core::CoreDialect"];
}

#endif // PARTITA_PASSES_COLLECTIVES_PASSES_TD
