//===- Linker.cpp - Objects to a shared object ----------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/Linker.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace partita::cpu {

bool linkShared(ArrayRef<StringRef> objects, StringRef linker,
                std::string &result, std::string &error) {
  ErrorOr<std::string> program = sys::findProgramByName(linker);
  if (!program)
    program = sys::findProgramByName(linker, {"/usr/lib/llvm-22/bin"});
  if (!program) {
    error =
        ("no program '" + linker + "'; install lld-22 or name another").str();
    return false;
  }
  SmallString<128> directory;
  if (std::error_code code =
          sys::fs::createUniqueDirectory("partita-link", directory)) {
    error = "no temporary directory: " + code.message();
    return false;
  }
  auto getPath = [&](const Twine &name) {
    return (directory + "/" + name).str();
  };
  std::string output = getPath("kernels.so"), log = getPath("log");
  std::vector<std::string> words = {*program, "-shared", "--gc-sections", "-o",
                                    output};
  for (auto [number, object] : enumerate(objects)) {
    words.push_back(getPath(Twine(number) + ".o"));
    std::error_code code;
    raw_fd_ostream(words.back(), code) << object;
  }
  SmallVector<StringRef> arguments(words.begin(), words.end());
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(log),
                                          StringRef(log)};
  int status = sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects,
                                   0, 0, &error);
  if (auto text = MemoryBuffer::getFile(status == 0 ? output : log))
    (status == 0 ? result : error) = (*text)->getBuffer().str();
  sys::fs::remove_directories(directory);
  if (status != 0 && error.empty())
    error = "the linker failed with status " + std::to_string(status);
  return status == 0 && !result.empty();
}

} // namespace partita::cpu
