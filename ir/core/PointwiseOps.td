//===- PointwiseOps.td - Ops on corresponding elements -----*- tablegen -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_CORE_POINTWISEOPS_TD
#define PARTITA_IR_CORE_POINTWISEOPS_TD

include "ir/core/CoreOpBase.td"

def Core_NegOp : Core_UnaryOp<"neg", [{ return scalar::buildNeg(builder, loc, type, args[0]); }]> {
  let summary = "Elementwise negation";
}
def Core_ExpOp : Core_UnaryOp<"exp", [{ return ::mlir::math::ExpOp::create(builder, loc, args[0]); }]> {
  let summary = "Elementwise e to the power of the operand";
}
def Core_AddOp : Core_BinaryOp<"add", [{ return scalar::buildAdd(builder, loc, type, args[0], args[1]); }], [Commutative]> {
  let summary = "Elementwise sum; logical or of i1";
}
def Core_SubOp : Core_BinaryOp<"sub", [{ return scalar::buildSub(builder, loc, type, args[0], args[1]); }]> {
  let summary = "Elementwise difference";
}
def Core_MulOp : Core_BinaryOp<"mul", [{ return scalar::buildMul(builder, loc, type, args[0], args[1]); }], [Commutative]> {
  let summary = "Elementwise product; logical and of i1";
}

#endif // PARTITA_IR_CORE_POINTWISEOPS_TD
