//===- LowerSlices.cpp - Each device's part by its coordinate -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/comm/Comm.h"
#include "passes/simplify/Passes.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace partita {

#define GEN_PASS_DEF_LOWERSLICESPASS
#include "passes/simplify/Passes.h.inc"

namespace {

class LowerSlices : public impl::LowerSlicesPassBase<LowerSlices> {
public:
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](comm::SliceOp op) {
      if (!op.getFrom())
        lower(op, rewriter);
    });
  }

private:
  static void lower(comm::SliceOp op, IRRewriter &rewriter) {
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    auto scalar = RankedTensorType::get({}, rewriter.getI32Type());
    auto makeConstant = [&](int64_t value) -> Value {
      return core::ConstantOp::create(
          rewriter, loc,
          DenseElementsAttr::get(scalar, static_cast<int32_t>(value)));
    };
    auto dim = static_cast<int64_t>(op.getDim());
    Value index = comm::AxisIndexOp::create(rewriter, loc, scalar,
                                            op.getMeshAttr(), op.getAxesAttr());
    Value start = core::MulOp::create(rewriter, loc, index,
                                      makeConstant(type.getDimSize(dim)));
    SmallVector<Value> starts(type.getRank());
    for (int64_t d = 0; d < type.getRank(); ++d)
      starts[d] = d == dim ? start : makeConstant(0);
    rewriter.replaceOpWithNewOp<core::DynamicSliceOp>(op, type, op.getOperand(),
                                                      starts, type.getShape());
  }
};

} // namespace

} // namespace partita
