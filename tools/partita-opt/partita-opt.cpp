//===- partita-opt.cpp - Runs passes on a module --------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Registration.h"
#include "tools/partita-opt/EveryOp.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  partita::registerAllDialects(registry);
  partita::registerAllPasses();
  if (argc == 2 && llvm::StringRef(argv[1]) == "--every-op")
    return partita::printEveryOp(registry) == 0 ? 0 : 1;
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Partita's pass driver\n", registry));
}
