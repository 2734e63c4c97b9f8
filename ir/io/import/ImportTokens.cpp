//===- ImportTokens.cpp - Tokens become values ----------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A token orders effects. Core ops have none, so that a token may be any value:
// it becomes one false. @main neither takes nor gives tokens.
//
//===----------------------------------------------------------------------===//

#include "ir/io/import/Importer.h"
#include "ir/io/stablehlo/Ops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace partita::io {

static constexpr StringLiteral kAliasingOutput = "tf.aliasing_output";

static bool isToken(Type type) { return isa<stablehlo::TokenType>(type); }

/// The bits of a list of types that are set for tokens.
static BitVector findTokens(TypeRange types) {
  BitVector tokens(types.size());
  for (auto [i, type] : llvm::enumerate(types))
    tokens[i] = isToken(type);
  return tokens;
}

/// Results that an argument names move to the front where tokens leave.
static void renumberAliases(func::FuncOp func, const BitVector &erased) {
  Builder builder(func.getContext());
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    auto alias = func.getArgAttrOfType<IntegerAttr>(i, kAliasingOutput);
    if (!alias || alias.getValue().uge(erased.size()))
      continue;
    auto result = static_cast<unsigned>(alias.getValue().getZExtValue());
    unsigned before = 0;
    for (unsigned token : erased.set_bits())
      before += token < result;
    func.setArgAttr(i, kAliasingOutput,
                    builder.getI32IntegerAttr(result - before));
  }
}

/// Takes the tokens out of what a program's caller sees.
static void dropTokens(func::FuncOp main) {
  BitVector results = findTokens(main.getResultTypes());
  if (results.any()) {
    renumberAliases(main, results);
    for (Block &block : main.getBody())
      if (auto exit = dyn_cast<func::ReturnOp>(block.back()))
        exit->eraseOperands(results);
    (void)main.eraseResults(results);
  }
  BitVector arguments = findTokens(main.getArgumentTypes());
  if (arguments.none())
    return;
  auto builder = OpBuilder::atBlockBegin(&main.getBody().front());
  for (unsigned i : arguments.set_bits()) {
    BlockArgument argument = main.getArgument(i);
    auto token = stablehlo::CreateTokenOp::create(
        builder, argument.getLoc(), TypeRange(argument.getType()), ValueRange(),
        ArrayRef<NamedAttribute>());
    argument.replaceAllUsesWith(token->getResult(0));
  }
  (void)main.eraseArguments(arguments);
}

void replaceTokens(ModuleOp module) {
  Type flag =
      RankedTensorType::get({}, IntegerType::get(module.getContext(), 1));
  auto replace = [&](Type type) { return isToken(type) ? flag : type; };
  auto replaceAll = [&](TypeRange types) {
    return llvm::map_to_vector(types, replace);
  };
  for (auto func : module.getOps<func::FuncOp>()) {
    // What calls it passes tokens.
    if (func.getName() == "main" && !func.isExternal() &&
        SymbolTable::symbolKnownUseEmpty(func, module))
      dropTokens(func);
    func.setFunctionType(FunctionType::get(module.getContext(),
                                           replaceAll(func.getArgumentTypes()),
                                           replaceAll(func.getResultTypes())));
  }
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      result.setType(replace(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          argument.setType(replace(argument.getType()));
  });
}

static Imported importToken(Importer &, Operation *op, ImportBuilder &builder) {
  return SmallVector<Value>{builder.splat(op->getResult(0).getType(), 0)};
}

void addTokenImports(ImportTable &table) {
  table.functions["stablehlo.after_all"] = importToken;
  table.functions["stablehlo.create_token"] = importToken;
}

} // namespace partita::io
