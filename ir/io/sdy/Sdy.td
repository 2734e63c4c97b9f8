//===- Sdy.td - Shardy's text form: meshes, shardings, constraints --------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_SDY_SDY_TD
#define PARTITA_IR_IO_SDY_SDY_TD

include "ir/io/Base.td"
include "mlir/IR/SymbolInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::partita::sdy";
  let summary = "Shardy's text form, for import and export";
  let description = [{
    Meshes, shardings of values, constraints, and computations per device.
    Import turns them into the attributes and ops of `core`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def SDY_Direction
    : I32EnumAttr<"PropagationDirection", "where shardings may flow", [
  I32EnumAttrCase<"NONE", 0>, I32EnumAttrCase<"FORWARD", 1>,
  I32EnumAttrCase<"BACKWARD", 2>, I32EnumAttrCase<"BOTH", 3>
]> {
  let cppNamespace = "::partita::sdy";
}

def SDY_Reduction : I32EnumAttr<"ReductionOp", "how values combine", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">,
  I32EnumAttrCase<"Min", 2, "min">
]> {
  let cppNamespace = "::partita::sdy";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class SDY_Attr<string cppName, string theMnemonic, string text>
    : AttrDef<Sdy_Dialect, cppName> {
  let mnemonic = theMnemonic;
  let summary = text;
  let hasCustomAssemblyFormat = 1;
}
class SDY_List<string type> : OptionalArrayRefParameter<type>;

def SDY_MeshAxis : SDY_Attr<"MeshAxis", "mesh_axis", "`\"x\"=4`"> {
  let parameters = (ins StringRefParameter<"name">:$name, "int64_t":$size);
}
def SDY_Mesh
    : SDY_Attr<"Mesh", "mesh", "`<[\"x\"=4, \"y\"=2], device_ids=[…]>`"> {
  let parameters = (ins SDY_List<"MeshAxisAttr">:$axes,
                        SDY_List<"int64_t">:$deviceIds);
  let genVerifyDecl = 1;
}
def SDY_AxisRef : SDY_Attr<"AxisRef", "axis_ref", [{`"x"` or `"x":(2)4`}]> {
  let parameters = (ins StringRefParameter<"name">:$name, "int64_t":$pre,
                        "int64_t":$size);
}
def SDY_DimSharding
    : SDY_Attr<"DimSharding", "dimension_sharding", "`{\"x\", \"y\", ?}p1`"> {
  let parameters = (ins SDY_List<"AxisRefAttr">:$axes, "bool":$isOpen,
                        "int64_t":$priority);
}
def SDY_Sharding
    : SDY_Attr<"Sharding", "sharding",
               "`<@mesh, [{\"x\"}, {?}], replicated={\"y\"}, unreduced={\"z\"}>`"> {
  // The mesh is a symbol, or a #sdy.mesh in place.
  let parameters = (ins "::mlir::Attribute":$mesh,
                        SDY_List<"DimShardingAttr">:$dims,
                        SDY_List<"AxisRefAttr">:$replicated,
                        SDY_List<"AxisRefAttr">:$unreduced,
                        EnumParameter<SDY_Reduction>:$reduction);
}
def SDY_ShardingPerValue
    : SDY_Attr<"ShardingPerValue", "sharding_per_value",
               "`<[<@mesh, [{\"x\"}]>, …]>`"> {
  let parameters = (ins SDY_List<"ShardingAttr">:$shardings);
}
def SDY_ManualAxes : SDY_Attr<"ManualAxes", "manual_axes", "`{\"x\", \"y\"}`"> {
  let parameters = (ins SDY_List<"::mlir::StringAttr">:$axes);
}
def SDY_AxisList : SDY_Attr<"AxisList", "axis_ref_list", "`{\"x\", \"y\":(1)2}`"> {
  let parameters = (ins SDY_List<"AxisRefAttr">:$axes);
}
def SDY_AxisLists
    : SDY_Attr<"AxisLists", "list_of_axis_ref_lists", "`[{\"x\"}, {}]`"> {
  let parameters = (ins SDY_List<"AxisListAttr">:$lists);
}
def SDY_AllToAllParam
    : SDY_Attr<"AllToAllParam", "all_to_all_param", "`{\"x\"}: 0->1`"> {
  let parameters = (ins SDY_List<"AxisRefAttr">:$axes, "int64_t":$source,
                        "int64_t":$target);
}
def SDY_AllToAllParams
    : SDY_Attr<"AllToAllParams", "all_to_all_param_list",
               "`[{\"x\"}: 0->1, {\"y\"}: 2->3]`"> {
  let parameters = (ins SDY_List<"AllToAllParamAttr">:$params);
}

//===----------------------------------------------------------------------===//
// The rule of one op, and how a sharding came about
//===----------------------------------------------------------------------===//

def SDY_DimMapping : SDY_Attr<"DimMapping", "dim_mapping", "`ij`"> {
  let parameters = (ins SDY_List<"int64_t">:$factors);
}
def SDY_TensorMapping
    : SDY_Attr<"TensorMapping", "tensor_mapping", "`[i, jk]`"> {
  let parameters = (ins SDY_List<"DimMappingAttr">:$dims);
}
def SDY_OpShardingRule
    : SDY_Attr<"OpShardingRule", "op_sharding_rule",
               "`<([i, j], [j, k])->([i, k]) {i=8, j=4, k=2} reduction={j}>`"> {
  let parameters = (ins SDY_List<"int64_t">:$factorSizes,
                        SDY_List<"TensorMappingAttr">:$operands,
                        SDY_List<"TensorMappingAttr">:$results,
                        SDY_List<"int64_t">:$reduction,
                        SDY_List<"int64_t">:$needReplication,
                        SDY_List<"int64_t">:$permutation,
                        SDY_List<"int64_t">:$blockedPropagation,
                        "bool":$isCustom);
}
def SDY_EdgeValue : SDY_Attr<"EdgeValue", "edge_value_ref", "`operand-1`"> {
  let parameters = (ins "bool":$isResult, "int64_t":$index);
}
def SDY_AxisEdges
    : SDY_Attr<"AxisEdges", "axis_to_propagation_details",
               "`{\"x\" = operand-0 -> [result-0]}`"> {
  let parameters = (ins "AxisRefAttr":$axis, "EdgeValueAttr":$source,
                        SDY_List<"EdgeValueAttr">:$targets);
}
def SDY_PropagationStep
    : SDY_Attr<"PropagationStep", "propagation_one_step",
               "`{step-2 = [{\"x\" = operand-0 -> [result-0]}]}`"> {
  let parameters = (ins "int64_t":$step, SDY_List<"AxisEdgesAttr">:$axes);
}
def SDY_PropagationEdges
    : SDY_Attr<"PropagationEdges", "propagation_edges", "`<[{step-2 = […]}]>`"> {
  let parameters = (ins SDY_List<"PropagationStepAttr">:$steps);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

class SDY_Op<string mnemonic, list<Trait> traits = []>
    : IO_Op<Sdy_Dialect, mnemonic, traits>;

def MeshOp : SDY_Op<"mesh", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "A named mesh of devices";
  let arguments = (ins SymbolNameAttr:$sym_name, SDY_Mesh:$mesh);
  let assemblyFormat = "$sym_name `=` $mesh attr-dict";
}

/// One operand, a sharding, one result of the operand's type.
class SDY_Constraint<string mnemonic>
    : SDY_Op<mnemonic, [Pure, AllTypesMatch<["input", "result"]>]> {
  let arguments = (ins IO_Value:$input, SDY_Sharding:$sharding);
  let results = (outs IO_Value:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def ShardingConstraintOp : SDY_Constraint<"sharding_constraint"> {
  let summary = "The result lies as the user said";
}
def ReshardOp : SDY_Constraint<"reshard"> {
  let summary = "The same value under another sharding";
}

def ReturnOp : SDY_Op<"return", [Pure, Terminator]> {
  let summary = "Ends a region with its results";
  let arguments = (ins Variadic<IO_Value>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

def ManualComputationOp
    : SDY_Op<"manual_computation", [RecursiveMemoryEffects]> {
  let summary = "A computation per device along its manual axes (shard_map)";
  let arguments = (ins Variadic<IO_Value>:$tensors,
                       SDY_ShardingPerValue:$in_shardings,
                       SDY_ShardingPerValue:$out_shardings,
                       SDY_ManualAxes:$manual_axes);
  let results = (outs Variadic<IO_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` operands `)`
      `in_shardings` `` `=` `` custom<Shardings>($in_shardings)
      `out_shardings` `` `=` `` custom<Shardings>($out_shardings)
      `manual_axes` `` `=` `` $manual_axes custom<Body>($body)
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def NamedComputationOp
    : SDY_Op<"named_computation", [RecursiveMemoryEffects]> {
  let summary = "A computation under a name";
  let arguments = (ins StrAttr:$name, Variadic<IO_Value>:$operands,
                       OptionalAttr<SDY_ShardingPerValue>:$in_shardings,
                       OptionalAttr<SDY_ShardingPerValue>:$out_shardings);
  let results = (outs Variadic<IO_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `<` $name `>` `` `(` $operands `)`
      (`in_shardings` `` `=` `` custom<Shardings>($in_shardings)^)?
      (`out_shardings` `` `=` `` custom<Shardings>($out_shardings)^)?
      custom<Body>($body) attr-dict
      `:` functional-type($operands, results)
  }];
  let hasVerifier = 1;
}

def ShardingGroupOp : SDY_Op<"sharding_group"> {
  let summary = "Values of one group lie alike";
  let arguments = (ins IO_Tensor:$input, I64Attr:$group_id);
  let assemblyFormat =
      "$input `group_id` `` `=` `` $group_id attr-dict `:` type($input)";
}

def ConstantOp : SDY_Op<"constant", [Pure, AllTypesMatch<["value", "output"]>]> {
  let summary = "A constant that is not shared between its uses";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs IO_Tensor:$output);
  let assemblyFormat = "attr-dict $value";
}

/// One operand, one result of the same type.
class SDY_Edge<string mnemonic, dag extra, string format>
    : SDY_Op<mnemonic, [Pure, AllTypesMatch<["input", "result"]>]> {
  let arguments = !con((ins IO_Value:$input), extra);
  let results = (outs IO_Value:$result);
  let assemblyFormat = "$input " # format # " attr-dict `:` type($result)";
}
def DataFlowEdgeOp
    : SDY_Edge<"data_flow_edge", (ins OptionalAttr<SDY_Sharding>:$sharding),
               "(`sharding` `` `=` `` $sharding^)?"> {
  let summary = "Where values meet: loop arguments, branches";
}
def FuncDataFlowEdgeOp : SDY_Edge<"func_data_flow_edge", (ins), ""> {
  let summary = "Where a call's values meet";
}
def PropagationBarrierOp
    : SDY_Edge<"propagation_barrier", (ins SDY_Direction:$allowed_direction),
               "`allowed_direction` `` `=` `` $allowed_direction"> {
  let summary = "Shardings pass in the given directions only";
}

//===----------------------------------------------------------------------===//
// Collectives on global shapes
//===----------------------------------------------------------------------===//

class SDY_Collective<string mnemonic, dag params, string format>
    : SDY_Op<mnemonic, [AllTypesMatch<["tensor", "result"]>]> {
  let arguments = !con((ins IO_Value:$tensor), params,
                       (ins SDY_Sharding:$out_sharding));
  let results = (outs IO_Value:$result);
  let assemblyFormat = format # [{
    $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}
class SDY_Reducing<string mnemonic, Attr axes>
    : SDY_Collective<mnemonic,
        (ins axes:$axes,
             OptionalAttr<SDY_Reduction>:$reduction_op),
        "($reduction_op^)? $axes">;

def AllGatherOp
    : SDY_Collective<"all_gather", (ins SDY_AxisLists:$gathering_axes),
                     "$gathering_axes">;
def AllSliceOp
    : SDY_Collective<"all_slice", (ins SDY_AxisLists:$slicing_axes),
                     "$slicing_axes">;
def AllToAllOp
    : SDY_Collective<"all_to_all", (ins SDY_AllToAllParams:$params), "$params">;
def CollectivePermuteOp : SDY_Collective<"collective_permute", (ins), "">;
def AllReduceOp : SDY_Reducing<"all_reduce", SDY_AxisList>;
def ReduceScatterOp : SDY_Reducing<"reduce_scatter", SDY_AxisLists>;
def ShardedToUnreducedOp
    : SDY_Collective<"sharded_to_unreduced", (ins SDY_AxisLists:$axes),
                     "$axes">;
def ReplicatedToUnreducedOp
    : SDY_Collective<"replicated_to_unreduced", (ins SDY_AxisList:$axes),
                     "$axes">;

#endif // PARTITA_IR_IO_SDY_SDY_TD
