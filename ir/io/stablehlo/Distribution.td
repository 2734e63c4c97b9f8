//===- Distribution.td - StableHLO: collectives and hosts -----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_STABLEHLO_DISTRIBUTION_TD
#define PARTITA_IR_IO_STABLEHLO_DISTRIBUTION_TD

include "ir/io/stablehlo/Dialect.td"

def OptChannel : OptionalAttr<StableHLO_ChannelHandle>;

def AllGatherOp : StableHLO_Op<"all_gather"> {
  let arguments = (ins Variadic<IO_Tensor>:$operands,
                       IO_NonNegative:$all_gather_dim,
                       StableHLO_ReplicaGroups:$replica_groups,
                       OptChannel:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<IO_Tensor>:$results);
  let hasVerifier = 1;
}

def AllReduceOp : StableHLO_Op<"all_reduce"> {
  let arguments = (ins Variadic<IO_Tensor>:$operands,
                       StableHLO_ReplicaGroups:$replica_groups,
                       OptChannel:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<IO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$computation);
  let hasVerifier = 1;
}

def ReduceScatterOp : StableHLO_Op<"reduce_scatter"> {
  let arguments = (ins IO_Tensor:$operand, IO_NonNegative:$scatter_dimension,
                       StableHLO_ReplicaGroups:$replica_groups,
                       OptChannel:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs IO_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
  let hasVerifier = 1;
}

def AllToAllOp : StableHLO_Op<"all_to_all"> {
  let arguments = (ins Variadic<IO_Tensor>:$operands,
                       IO_NonNegative:$split_dimension,
                       IO_NonNegative:$concat_dimension,
                       IO_Positive:$split_count,
                       StableHLO_ReplicaGroups:$replica_groups,
                       OptChannel:$channel_handle);
  let results = (outs Variadic<IO_Tensor>:$results);
  let hasVerifier = 1;
}

def CollectiveBroadcastOp : StableHLO_Op<"collective_broadcast"> {
  let arguments = (ins Variadic<IO_Tensor>:$operands,
                       StableHLO_ReplicaGroups:$replica_groups,
                       OptChannel:$channel_handle, UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<IO_Tensor>:$results);
  let hasVerifier = 1;
}

def CollectiveReduceOp : StableHLO_Op<"collective_reduce"> {
  let arguments = (ins Variadic<IO_Tensor>:$operands,
                       StableHLO_ReplicaGroups:$replica_groups,
                       OptChannel:$channel_handle,
                       UnitAttr:$use_global_device_ids,
                       UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<IO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$computation);
  let hasVerifier = 1;
}

def CollectivePermuteOp : StableHLO_Op<"collective_permute"> {
  let arguments = (ins IO_Tensor:$operand, IO_Elements:$source_target_pairs,
                       OptChannel:$channel_handle);
  let results = (outs IO_Tensor:$result);
  let hasVerifier = 1;
}

def CrossReplicaSumOp : StableHLO_Op<"cross-replica-sum", [IO_SameType]> {
  let arguments = (ins IO_Tensor:$operand, IO_Elements:$replica_groups);
  let results = (outs IO_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Identities and tokens
//===----------------------------------------------------------------------===//

def PartitionIdOp : StableHLO_Op<"partition_id", [Pure]> {
  let results = (outs IO_ScalarInt:$result);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def ReplicaIdOp : StableHLO_Op<"replica_id", [Pure]> {
  let results = (outs IO_ScalarInt:$result);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def CreateTokenOp : StableHLO_Op<"create_token", [Pure]> {
  let results = (outs StableHLO_Token:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def AfterAllOp : StableHLO_Op<"after_all", [Pure]> {
  let arguments = (ins Variadic<StableHLO_Token>:$inputs);
  let results = (outs StableHLO_Token:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:`
      custom<VariadicOneType>(ref($inputs), type($inputs), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Point to point, and with the host
//===----------------------------------------------------------------------===//

def InfeedOp : StableHLO_Op<"infeed"> {
  let arguments = (ins StableHLO_Token:$token,
                       DefaultValuedOptionalAttr<StrAttr, "\"\"">:$infeed_config,
                       OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<IO_Value>:$results);
}

def OutfeedOp : StableHLO_Op<"outfeed"> {
  let arguments = (ins Variadic<IO_Tensor>:$inputs, StableHLO_Token:$token,
      DefaultValuedOptionalAttr<StrAttr, "\"\"">:$outfeed_config);
  let results = (outs StableHLO_Token:$result);
}

def SendOp : StableHLO_Op<"send"> {
  let arguments = (ins Variadic<IO_Tensor>:$inputs, StableHLO_Token:$token,
                       StableHLO_ChannelHandle:$channel_handle,
                       IO_FalseAttr:$is_host_transfer,
                       OptionalAttr<IO_Elements>:$source_target_pairs);
  let results = (outs StableHLO_Token:$result);
}

def RecvOp : StableHLO_Op<"recv"> {
  let arguments = (ins StableHLO_Token:$token,
                       StableHLO_ChannelHandle:$channel_handle,
                       IO_FalseAttr:$is_host_transfer,
                       OptionalAttr<IO_Elements>:$source_target_pairs);
  let results = (outs Variadic<IO_Value>:$results);
}

#endif // PARTITA_IR_IO_STABLEHLO_DISTRIBUTION_TD
