//===- Register.cpp - The text dialects and their passes ------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/io/Register.h"

#include "ir/io/Namespaces.h"
#include "ir/io/Passes.h"
#include "ir/io/check/Check.h"
#include "ir/io/chlo/Chlo.h"
#include "ir/io/sdy/Sdy.h"
#include "ir/io/stablehlo/Dialect.h"

void partita::registerTextDialects(mlir::DialectRegistry &registry) {
  registry
      .insert<stablehlo::StablehloDialect, chlo::ChloDialect, sdy::SdyDialect,
              check::CheckDialect, interpreter::InterpreterDialect,
              io::JaxDialect, io::MhloDialect, io::TfDialect>();
}

void partita::registerTextPasses() { registerIOPasses(); }
