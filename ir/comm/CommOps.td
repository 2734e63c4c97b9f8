//===- CommOps.td - Collectives ----------------------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Collectives come in two forms. In the *global* form types are global shapes
// and each operand says its sharding before and after (`from`, `to`), which
// can be checked axis by axis. In the *local* form, after localisation, types
// are what one device holds and `from`, `to` are absent. Both forms name the
// axes of the mesh that they work over; devices that differ only along these
// axes form a group (mesh/Mesh.h, getGroups).
//
// Those that take several operands treat each alike and independently: they are
// several collectives in one launch.

#ifndef PARTITA_IR_COMM_COMMOPS_TD
#define PARTITA_IR_COMM_COMMOPS_TD

include "ir/core/CoreOpBase.td"

def Comm_Dialect : Dialect {
  let name = "comm";
  let cppNamespace = "::partita::comm";
  let summary = "Collectives over the axes of a mesh";
  let dependentDialects = ["::partita::core::CoreDialect"];
}

class Comm_Op<string mnemonic, list<Trait> traits = []>
    : Op<Comm_Dialect, mnemonic, traits # [Pure]>;

/// `from` and `to` hold a #core.sharding per operand, in the global form only.
class Comm_Collective<string mnemonic, dag extra, string format>
    : Comm_Op<mnemonic> {
  let arguments = !con(
    (ins Variadic<Core_Tensor>:$operands, FlatSymbolRefAttr:$mesh,
         Core_AxesAttr:$axes),
    extra,
    (ins OptionalAttr<ArrayAttr>:$from, OptionalAttr<ArrayAttr>:$to));
  let results = (outs Variadic<Core_Tensor>:$results);
  let assemblyFormat = "$operands `over` $mesh $axes " # format # [{
    (`from` $from^ `to` $to)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Comm_ReshardOp : Comm_Op<"reshard", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "The same value under another sharding (global form only)";
  let description = [{
    What the partitioner writes wherever a value is needed other than it lies.
    `from` may be unreduced along axes that `to` is not: then partial values are
    combined. It is lowered to the collectives below.
  }];
  let arguments = (ins Core_Tensor:$operand, Core_ShardingAttr:$from,
                       Core_ShardingAttr:$to);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "$operand `from` $from `to` $to attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Comm_AllReduceOp : Comm_Collective<"all_reduce",
    (ins Core_ReductionAttr:$kind), "$kind"> {
  let summary = "Combines the values of a group; every member gets the result";
}

def Comm_AllGatherOp : Comm_Collective<"all_gather",
    (ins DenseI64ArrayAttr:$dims), "`dims` `=` $dims"> {
  let summary = "Concatenates the group's values along a dimension, on every member";
  let description = [{
    `dims` has one dimension per operand. The value of the member at coordinate
    c along `axes` (the first axis most significant) becomes part c. In the
    global form the axes are the last (minor-most) of the dimension's axes.
  }];
}

def Comm_ReduceScatterOp : Comm_Collective<"reduce_scatter",
    (ins DenseI64ArrayAttr:$dims, Core_ReductionAttr:$kind), "$kind `dims` `=` $dims"> {
  let summary = "Combines the group's values; the member at coordinate c keeps part c";
}

def Comm_AllToAllOp : Comm_Collective<"all_to_all",
    (ins DenseI64ArrayAttr:$split_dims, DenseI64ArrayAttr:$concat_dims),
    "`split` `=` $split_dims `concat` `=` $concat_dims"> {
  let summary = "Each member cuts its value in parts, one per member, and joins what it gets";
  let description = [{
    A member sends part c of its value along the split dimension to the member
    at coordinate c, and concatenates what it receives, in the order of the
    senders' coordinates, along the concat dimension. In the global form the
    axes move from the end of the concat dimension's axes to the end of the
    split dimension's.
  }];
}

def Comm_PermuteOp : Comm_Collective<"permute",
    (ins DenseI64ArrayAttr:$sources, DenseI64ArrayAttr:$targets),
    "`sources` `=` $sources `targets` `=` $targets"> {
  let summary = "Device sources[i] sends its value to device targets[i]";
  let description = [{
    Device ids are those of the whole mesh; `axes` says along which axes pairs
    differ. A device sends at most once and receives at most once; one that
    receives nothing gets zeros.
  }];
}

def Comm_SliceOp : Comm_Op<"slice"> {
  let summary = "Each device keeps its own part of a value that its group shares";
  let description = [{
    Needs no communication. The device at coordinate c along `axes` keeps part c
    along `dim`. In the global form the axes are appended to the dimension's.
  }];
  let arguments = (ins Core_Tensor:$operand, FlatSymbolRefAttr:$mesh,
                       Core_AxesAttr:$axes, I64Attr:$dim,
                       OptionalAttr<ArrayAttr>:$from, OptionalAttr<ArrayAttr>:$to);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = [{
    $operand `over` $mesh $axes `dim` `=` $dim (`from` $from^ `to` $to)? attr-dict
    `:` functional-type($operand, $result)
  }];
  let hasVerifier = 1;
}

def Comm_AxisIndexOp : Comm_Op<"axis_index"> {
  let summary = "The device's coordinate along axes (the first most significant)";
  let arguments = (ins FlatSymbolRefAttr:$mesh, Core_AxesAttr:$axes);
  let results = (outs Core_Tensor:$result);
  let assemblyFormat = "`over` $mesh $axes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Programs of one device
//===----------------------------------------------------------------------===//

def Comm_ManualOp : Op<Comm_Dialect, "manual",
    [RecursiveMemoryEffects, IsolatedFromAbove]> {
  let summary = "A computation that is written for one device";
  let description = [{
    Each device runs the body on its parts of the operands, which lie as `in`
    says, and gives its parts of the results, which lie as `out` says.
    Collectives in the body have the local form. Localisation puts the body in
    the op's place.

    Along axes that `in` and `out` do not name, devices compute the same.
  }];
  let arguments = (ins Variadic<Core_Tensor>:$operands,
                       ArrayAttr:$in_shardings, ArrayAttr:$out_shardings);
  let results = (outs Variadic<Core_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $operands `in` $in_shardings `out` $out_shardings attr-dict
    `:` functional-type(operands, results) $body
  }];
  let hasVerifier = 1;
}

def Comm_ReturnOp : Comm_Op<"return", [Terminator,
                                       HasParent<"ManualOp">]> {
  let summary = "Ends the body of comm.manual";
  let arguments = (ins Variadic<Core_Tensor>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

#endif // PARTITA_IR_COMM_COMMOPS_TD
