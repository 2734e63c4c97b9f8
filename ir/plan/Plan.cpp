//===- Plan.cpp - Kernels and their launches ------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/plan/Plan.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;

#include "ir/plan/PlanDialect.cpp.inc"

namespace partita::plan {

void PlanDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/plan/PlanOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  Region *body = state.addRegion();
  Block &block = body->emplaceBlock();
  for (Type input : type.getInputs())
    block.addArgument(input, state.location);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  auto isStaticTensor = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  for (Type type :
       llvm::concat<const Type>(getArgumentTypes(), getResultTypes()))
    if (!isStaticTensor(type))
      return emitOpError("takes and gives tensors of static shape only, not ")
             << type;
  std::optional<ArrayAttr> inplace = getInplace();
  if (!inplace)
    return success();
  for (Attribute attribute : *inplace) {
    auto pair = dyn_cast<DenseI64ArrayAttr>(attribute);
    if (!pair || pair.size() != 2)
      return emitOpError(
                 "'inplace' holds pairs of an argument and a result, not ")
             << attribute;
    if (pair[0] < 0 || pair[0] >= getNumArguments() || pair[1] < 0 ||
        pair[1] >= getNumResults())
      return emitOpError("'inplace' pair ")
             << attribute << " is not within " << getNumArguments()
             << " arguments and " << getNumResults() << " results";
  }
  return success();
}

SmallVector<std::pair<int64_t, int64_t>> KernelOp::getInplacePairs() {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  if (std::optional<ArrayAttr> attribute = getInplace())
    for (auto pair : attribute->getAsRange<DenseI64ArrayAttr>())
      pairs.push_back({pair[0], pair[1]});
  return pairs;
}

//===----------------------------------------------------------------------===//
// LaunchOp and ReturnOp
//===----------------------------------------------------------------------===//

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("launches '")
           << getKernel() << "', which is no kernel of this module";
  if (TypeRange(kernel.getArgumentTypes()) ==
          TypeRange(getInputs().getTypes()) &&
      TypeRange(kernel.getResultTypes()) == TypeRange(getResultTypes()))
    return success();
  InFlightDiagnostic error =
      emitOpError("does not match the type of its kernel, ")
      << kernel.getFunctionType();
  error.attachNote(kernel.getLoc()) << "kernel defined here";
  return error;
}

LogicalResult ReturnOp::verify() {
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  if (TypeRange(kernel.getResultTypes()) == TypeRange(getValues().getTypes()))
    return success();
  return emitOpError("returns other types than its kernel, ")
         << kernel.getResultTypes();
}

} // namespace partita::plan

#define GET_OP_CLASSES
#include "ir/plan/PlanOps.cpp.inc"
