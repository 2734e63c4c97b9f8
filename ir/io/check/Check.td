//===- Check.td - Assertions in test programs -----------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_IR_IO_CHECK_CHECK_TD
#define PARTITA_IR_IO_CHECK_CHECK_TD

include "ir/io/Base.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::partita::check";
  let summary = "Assertions on results, in StableHLO's test programs";
}

class CHECK_Op<string mnemonic, list<Trait> traits = []>
    : IO_Op<Check_Dialect, mnemonic, traits>;

def ExpectEqOp : CHECK_Op<"expect_eq", [SameTypeOperands]> {
  let summary = "Fails unless both are equal, bit by bit";
  let arguments = (ins IO_Tensor:$lhs, IO_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

def ExpectEqConstOp
    : CHECK_Op<"expect_eq_const", [AllTypesMatch<["lhs", "value"]>]> {
  let summary = "Fails unless the operand equals the constant, bit by bit";
  let arguments = (ins IO_Tensor:$lhs, ElementsAttr:$value);
  let assemblyFormat = "$lhs `,` $value attr-dict";
}

def ExpectAlmostEqOp : CHECK_Op<"expect_almost_eq", [SameTypeOperands]> {
  let summary = "Fails unless both agree to within the tolerance";
  let arguments = (ins IO_FloatOrComplexTensor:$lhs,
                       IO_FloatOrComplexTensor:$rhs,
                       DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance);
  let assemblyFormat = [{
    $lhs `,` $rhs (`,` `tolerance` `=` $tolerance^)? attr-dict `:` type($lhs)
  }];
}

def ExpectAlmostEqConstOp
    : CHECK_Op<"expect_almost_eq_const", [AllTypesMatch<["lhs", "value"]>]> {
  let summary = "Fails unless the operand is near the constant";
  let arguments = (ins IO_FloatOrComplexTensor:$lhs, ElementsAttr:$value,
                       DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance);
  let assemblyFormat =
      "$lhs `,` $value (`,` `tolerance` `=` $tolerance^)? attr-dict";
}

def ExpectCloseOp : CHECK_Op<"expect_close", [SameTypeOperands]> {
  let summary = "Fails unless both are so many units in the last place apart";
  let arguments = (ins IO_FloatOrComplexTensor:$actual,
      IO_FloatOrComplexTensor:$expected,
      DefaultValuedOptionalAttr<UI64Attr, "1">:$max_ulp_difference,
      DefaultValuedOptionalAttr<UI64Attr, "0">:$min_ulp_difference);
  let assemblyFormat = [{
    $actual `,` $expected `,` `max_ulp_difference` `=` $max_ulp_difference
      (`,` `min_ulp_difference` `=` $min_ulp_difference^)? attr-dict
      `:` type($actual) `,` type($expected)
  }];
}

def ExpectSerializedEqOp : CHECK_Op<"expect_serialized_eq"> {
  let summary = "Fails unless a probe saw the expected value";
  let arguments = (ins IO_Tensor:$expected, StrAttr:$probe_id,
                       DefaultValuedOptionalAttr<UI32Attr, "0">:$iteration);
  let assemblyFormat = [{
    $expected `,` `probe_id` `=` $probe_id (`,` `iter` `=` $iteration^)?
      attr-dict `:` type($expected)
  }];
}

#endif // PARTITA_IR_IO_CHECK_CHECK_TD
