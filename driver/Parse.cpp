//===- Parse.cpp - From text to a module ----------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Parse.h"

#include "ir/attrs/Places.h"
#include "ir/io/TextCompat.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace partita {

/// Gives ops without a position that of their text; names stay.
static void addPlaces(const AsmParserState &state,
                      const llvm::SourceMgr &sources, StringRef name) {
  for (const AsmParserState::OperationDefinition &definition :
       state.getOpDefs()) {
    Location location = definition.op->getLoc();
    if (!getPlace(location).file.empty())
      continue;
    auto [line, column] = sources.getLineAndColumn(definition.loc.Start);
    Location place =
        FileLineColLoc::get(location.getContext(), name, line, column);
    if (auto named = dyn_cast<NameLoc>(location))
      place = NameLoc::get(named.getName(), place);
    definition.op->setLoc(place);
  }
}

OwningOpRef<ModuleOp> parseModule(const std::string &text,
                                  const std::string &name,
                                  MLIRContext *context) {
  llvm::SourceMgr sources;
  if (isBytecode(llvm::MemoryBufferRef(text, name))) {
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                               llvm::SMLoc());
    auto module = parseSourceFile<ModuleOp>(sources, context);
    if (!module) // What was found names no file.
      emitError(UnknownLoc::get(context))
          << "the bytecode is damaged, or of a version that is not known";
    return module;
  }
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(adaptText(text), name),
      llvm::SMLoc());
  Block block;
  AsmParserState state;
  if (failed(parseAsmSourceFile(sources, &block, context, &state)))
    return nullptr;
  addPlaces(state, sources, name);
  return mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &block, context, FileLineColLoc::get(context, name, 0, 0));
}

} // namespace partita
