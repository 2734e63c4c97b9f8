//===- Plan.td - Kernels and their launches ---------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect of a program that has been cut into kernels: what remains in a
// function are launches, collectives and control flow.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_PLAN_PLAN_TD
#define PARTITA_IR_PLAN_PLAN_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def PlanDialect : Dialect {
  let name = "plan";
  let cppNamespace = "::partita::plan";
  let summary = "Kernels and their launches";
  let description = [{
    Fusion groups the computation of a device into `plan.kernel`s, called by
    `plan.launch`. A back-end compiles each kernel once; the runtime executes
    the launches in their order.
  }];
}

class PlanOp<string mnemonic, list<Trait> traits = []> : Op<PlanDialect, mnemonic, traits>;

def KernelOp : PlanOp<"kernel", [FunctionOpInterface, IsolatedFromAbove, SingleBlock]> {
  let summary = "a piece of computation that runs as one unit";
  let description = [{
    The body holds core operations on tensors of static shape and ends with
    `plan.return`. Nothing else is visible inside: constants are either in the
    body or arguments. At run time the kernel gets one buffer for each argument
    and one for each result.

    `inplace` lists pairs [argument, result] that may share their memory: the
    kernel reads each element of the argument before, or when, it writes the
    same element of any result. An argument shares with at most one result. All
    other buffers must be disjoint.

    ```mlir
    plan.kernel @k0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inplace = [array<i64: 0, 0>]} {
      %0 = core.neg %x : tensor<4xf32>
      plan.return %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<ArrayAttr>:$inplace,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    /// The pairs (argument, result) of `inplace`.
    ::llvm::SmallVector<std::pair<int64_t, int64_t>> getInplacePairs();
  }];
}

def LaunchOp : PlanOp<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>, Pure]> {
  let summary = "runs a kernel on values";
  let description = [{
    Every result is a new value; whether it gets memory of its own is decided by
    the memory plan.

    ```mlir
    %1 = plan.launch @k0(%0) : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>);
  let assemblyFormat = "$kernel `(` $inputs `)` attr-dict `:` functional-type($inputs, results)";
}

def ReturnOp : PlanOp<"return", [HasParent<"KernelOp">, Pure, Terminator]> {
  let summary = "ends a kernel with its results";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

#endif // PARTITA_IR_PLAN_PLAN_TD
