//===- CoreBase.td - Base classes of core ops --------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_COREBASE_TD
#define PARTITA_IR_CORE_COREBASE_TD

include "mlir/IR/OpBase.td"

def Core_Dialect : Dialect {
  let name = "core";
  let cppNamespace = "::partita::core";
  let summary = "Tensor programs on global shapes";
  let description = [{
    The dialect that every program is imported into. Tensors are ranked and
    static; there are no tuples. Every op carries an index rule, from which its
    sharding follows, and an interpreter step, which defines its meaning.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // PARTITA_IR_CORE_COREBASE_TD
