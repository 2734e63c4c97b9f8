//===- RunText.h - Runs modules given as text -------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_TESTS_UNIT_REF_RUNTEXT_H
#define PARTITA_TESTS_UNIT_REF_RUNTEXT_H

#include "codegen/ref/Reference.h"
#include "ir/comm/Comm.h"
#include "ir/core/Core.h"
#include "ir/core/Types.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <optional>

namespace partita {

/// Parses and runs modules; keeps the first error message.
class TextRunner {
public:
  TextRunner() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<mlir::func::FuncDialect, core::CoreDialect,
                        comm::CommDialect>();
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
    });
  }

  std::optional<ReferenceRun> run(std::string_view text,
                                  llvm::ArrayRef<HostTensor> arguments = {}) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return std::nullopt;
    mlir::FailureOr<ReferenceRun> result = runReference(*module, arguments);
    if (mlir::failed(result))
      return std::nullopt;
    return *result;
  }

  /// The elements of "dense<…> : tensor<…>".
  HostTensor parse(std::string_view text) {
    return toHostTensor(
        mlir::cast<mlir::ElementsAttr>(mlir::parseAttribute(text, &context)));
  }

  /// A tensor as a dense attribute: readable, and equal for equal bits.
  std::string print(const HostTensor &tensor) {
    auto type = mlir::RankedTensorType::get(
        tensor.getShape(), fromDType(&context, tensor.getDType()));
    std::string text;
    llvm::raw_string_ostream os(text);
    fromHostTensor(type, tensor).print(os);
    return text;
  }

  std::string message;

private:
  mlir::MLIRContext context;
};

} // namespace partita

#endif // PARTITA_TESTS_UNIT_REF_RUNTEXT_H
