//===- Passes.td - Passes that shard a program -------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PASSES_TD
#define PARTITA_SHARDING_PASSES_TD

include "mlir/Pass/PassBase.td"

def PropagatePass : Pass<"partita-propagate", "::mlir::ModuleOp"> {
  let summary = "Gives every value a sharding, from the user's annotations";
  let description = [{
    Carries the shardings of arguments, results and constraints along the index
    rules of ops to a fixpoint. Afterwards every value has a closed sharding
    (`core.shardings`, `core.sharding`), and `core.origins` says for each axis
    which annotation it comes from and which op brought it.

    User priorities come first (p0, then p1, …). Within one, elementwise ops and
    reshapes propagate before ops with factors that not all tensors have, those
    before reductions, and those before broadcasts to more dimensions. Where two
    tensors of an op want an axis for different factors, the one of more bytes
    wins: the other will have to move.
  }];
  let dependentDialects = ["::partita::core::CoreDialect"];
}

def OrderWindowsPass : Pass<"partita-order-windows", "::mlir::ModuleOp"> {
  let summary = "Cuts and pads split dimensions first, and once";
  let description = [{
    Devices exchange elements where a slice or pad shifts a split dimension. One
    that changes other dimensions too becomes one of each split dimension, and
    then one of the others; those of split dimensions go in front. Of the windows
    of a convolution all that differ along whole dimensions alone then share what
    is exchanged. A slice that several others stand beside may so be made of more
    than it needs, but never of more than twice as much.
  }];
  let dependentDialects = ["::partita::core::CoreDialect"];
}

def PartitionPass : Pass<"partita-partition", "::mlir::ModuleOp"> {
  let summary = "Makes the shardings of operands and results fit every op";
  let description = [{
    Chooses for each op the factors to split, by the time that moving operands
    and results and the computation take, and inserts `comm.reshard` where a
    value is needed other than it lies. An op that splits a reduction factor
    leaves an unreduced result. Types stay global.

    Where an op cannot work on a split dimension, a remark names the op and the
    bytes that moving it takes.
  }];
  let options = [Option<"failOnRemat", "fail-on-remat", "bool", "false",
      "An op that needs a split dimension whole is an error">];
  let dependentDialects = ["::partita::comm::CommDialect"];
}

def LocalisePass : Pass<"partita-localise", "::mlir::ModuleOp"> {
  let summary = "Turns global shapes into what one device holds";
  let description = [{
    Every value gets the shape of its shard, ceil(n / k) along a dimension of
    size n that is split k ways. Ops whose meaning depends on where a device
    stands ask for its coordinate: iotas and constants, indexed reads and writes
    of split dimensions, reductions over dimensions with padding. Collectives
    take their local form.

    Arguments and results of functions keep `core.sharding`, and get their
    global type as `core.global`.
  }];
  let dependentDialects = ["::partita::comm::CommDialect"];
}

#endif // PARTITA_SHARDING_PASSES_TD
