//===- CoreOps.td - All core ops ---------------------------*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "ir/core/ContractionOps.td"
include "ir/core/ControlOps.td"
include "ir/core/IndexingOps.td"
include "ir/core/PointwiseOps.td"
include "ir/core/ShapeOps.td"
