//===- Attributes.h - Meshes and shardings in IR ----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_ATTRS_ATTRIBUTES_H
#define PARTITA_IR_ATTRS_ATTRIBUTES_H

#include "mesh/Mesh.h"
#include "mesh/Sharding.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

#include "ir/attrs/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/attrs/Attributes.h.inc"

namespace partita {
using core::AxesAttr;
using core::AxisRefAttr;
using core::ComparisonAttr;
using core::DimShardingAttr;
using core::MeshAttr;
using core::MeshAxisAttr;
using core::ReductionAttr;
using core::ShardingAttr;
} // namespace partita

#endif // PARTITA_IR_ATTRS_ATTRIBUTES_H
