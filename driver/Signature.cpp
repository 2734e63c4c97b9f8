//===- Signature.cpp - What a program takes and gives ---------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Signature.h"

#include "ir/attrs/Places.h"
#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace partita {

std::string ValueInfo::getTypeText() const {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + std::string(partita::getName(dtype)) + ">";
}

/// `global` is set where `type` is that of one device's part.
static ValueInfo describe(Type type, TypeAttr global, std::string name) {
  auto tensor = cast<RankedTensorType>(global ? global.getValue() : type);
  ValueInfo info;
  info.name = std::move(name);
  if (std::optional<DType> dtype = toDType(tensor.getElementType()))
    info.dtype = *dtype;
  info.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return info;
}

Signature getSignature(ModuleOp module) {
  Signature signature;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (BlockArgument argument : main.getArguments()) {
    std::string name = getPlace(argument.getLoc()).name;
    if (name.empty())
      name = "arg" + std::to_string(argument.getArgNumber());
    ValueInfo &info = signature.arguments.emplace_back(
        describe(argument.getType(),
                 main.getArgAttrOfType<TypeAttr>(argument.getArgNumber(),
                                                 kGlobalTypeAttrName),
                 std::move(name)));
    if (auto alias = main.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                        kAliasAttrName))
      info.fedBy = alias.getInt();
  }
  for (auto [i, type] : llvm::enumerate(main.getResultTypes())) {
    auto name = main.getResultAttrOfType<StringAttr>(i, "core.name");
    signature.results.push_back(describe(
        type, main.getResultAttrOfType<TypeAttr>(i, kGlobalTypeAttrName),
        name ? name.str() : "result" + std::to_string(i)));
  }
  return signature;
}

/// Why a result cannot lie in the memory of an argument; empty where it can.
static std::string getAliasFault(const Signature &signature, size_t argument) {
  int64_t number = *signature.arguments[argument].fedBy;
  if (number < 0 || number >= static_cast<int64_t>(signature.results.size()))
    return "of which there are " + std::to_string(signature.results.size());
  const ValueInfo &from = signature.results[static_cast<size_t>(number)];
  const ValueInfo &to = signature.arguments[argument];
  if (from.dtype != to.dtype || from.shape != to.shape)
    return "a " + from.getTypeText() + ", but is a " + to.getTypeText();
  for (size_t other = 0; other < argument; ++other)
    if (signature.arguments[other].fedBy == number)
      return "as is argument " + std::to_string(other);
  return "";
}

LogicalResult verifyAliases(ModuleOp module, const Signature &signature) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (auto [i, info] : llvm::enumerate(signature.arguments)) {
    if (!info.fedBy)
      continue;
    std::string fault = getAliasFault(signature, i);
    if (!fault.empty())
      return emitError(main.getArgument(i).getLoc())
             << "argument " << i << " of @main is to be updated by result "
             << *info.fedBy << ", " << fault
             << "; leave out its tf.aliasing_output, or name another result";
  }
  return success();
}

void matchDonations(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  llvm::DenseSet<int64_t> taken;
  auto getAlias = [&](unsigned i) {
    return main.getArgAttrOfType<IntegerAttr>(i, kAliasAttrName);
  };
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto alias = getAlias(i))
      taken.insert(alias.getInt());
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    if (getAlias(i) || !main.getArgAttr(i, kDonatedAttrName))
      continue;
    for (auto [result, type] : llvm::enumerate(main.getResultTypes())) {
      if (type != main.getArgumentTypes()[i] ||
          !taken.insert(static_cast<int64_t>(result)).second)
        continue;
      main.setArgAttr(
          i, kAliasAttrName,
          IntegerAttr::get(IntegerType::get(module.getContext(), 64), result));
      break;
    }
  }
}

} // namespace partita
