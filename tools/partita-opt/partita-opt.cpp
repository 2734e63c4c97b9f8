//===- partita-opt.cpp - Runs passes on a module --------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Registration.h"
#include "ir/io/TextCompat.h"
#include "tools/partita-opt/EveryOp.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// Reads, runs passes and writes as the options say.
static LogicalResult run(llvm::StringRef input, llvm::StringRef output,
                         DialectRegistry &registry,
                         const MlirOptMainConfig &config) {
  std::string message;
  auto file = openInputFile(input, &message);
  auto result = file ? openOutputFile(output, &message) : nullptr;
  if (!result) {
    llvm::errs() << message << "\n";
    return failure();
  }
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
      partita::adaptText(file->getBuffer().str()), file->getBufferIdentifier());
  if (failed(MlirOptMain(result->os(), std::move(buffer), registry, config)))
    return failure();
  result->keep();
  return success();
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  partita::registerAllDialects(registry);
  partita::registerAllPasses();
  if (argc == 2 && llvm::StringRef(argv[1]) == "--every-op")
    return partita::printEveryOp(registry) == 0 ? 0 : 1;
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Partita's pass driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(run(input, output, registry, config));
}
