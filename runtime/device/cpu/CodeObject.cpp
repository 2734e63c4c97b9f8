//===- CodeObject.cpp - Kernels in memory -----------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/device/cpu/CodeObject.h"

#include "support/Files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace partita {

absl::StatusOr<CodeObject> CodeObject::load(std::string_view bytes) {
  CodeObject object;
  object.file = memfd_create("partita", MFD_CLOEXEC);
  if (object.file < 0)
    return absl::ErrnoToStatus(errno, "cannot make a file in memory for code");
  while (!bytes.empty()) {
    ssize_t n = write(object.file, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR)
      return absl::ErrnoToStatus(errno, "cannot write code to memory");
    bytes.remove_prefix(n > 0 ? static_cast<size_t>(n) : 0);
  }
  std::string path = "/proc/self/fd/" + std::to_string(object.file);
  object.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object.handle) {
    const char *reason = dlerror();
    return absl::InvalidArgumentError(
        std::string("cannot load the program's code: ") +
        (reason ? reason : "unknown reason"));
  }
  return object;
}

CodeObject::CodeObject(CodeObject &&other) noexcept {
  *this = std::move(other);
}

CodeObject &CodeObject::operator=(CodeObject &&other) noexcept {
  std::swap(file, other.file);
  std::swap(handle, other.handle);
  return *this;
}

CodeObject::~CodeObject() {
  if (handle)
    dlclose(handle);
  if (file >= 0)
    close(file);
}

absl::StatusOr<KernelFn> CodeObject::find(const std::string &symbol) const {
  void *at = handle ? dlsym(handle, symbol.c_str()) : nullptr;
  if (!at)
    return absl::NotFoundError("the program's code defines no kernel '" +
                               symbol + "'");
  return reinterpret_cast<KernelFn>(at);
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

namespace {
/// Features that decide whether code runs; as /proc/cpuinfo has them when
/// punctuation is left out.
constexpr std::string_view kKnown[] = {
    "sse3",       "ssse3",      "sse41",          "sse42",
    "popcnt",     "avx",        "f16c",           "fma",
    "bmi1",       "bmi2",       "lzcnt",          "movbe",
    "avx2",       "avx512f",    "avx512bw",       "avx512dq",
    "avx512vl",   "avx512cd",   "avx512vnni",     "avx512bf16",
    "avx512fp16", "avx512vbmi", "avx512vbmi2",    "avx512bitalg",
    "avx512ifma", "avxvnni",    "amxtile",        "amxbf16",
    "amxint8",    "amxfp16",    "avx512vpopcntdq"};

std::string normalize(std::string_view feature) {
  std::string text;
  for (char c : feature)
    if (c != '_' && c != '-' && c != '.' && c != '+')
      text += c;
  if (text == "bmi")
    return "bmi1";
  if (text == "abm")
    return "lzcnt";
  if (text == "pni")
    return "sse3";
  return text;
}

std::vector<std::string> readFeatures() {
  std::vector<std::string> features;
  absl::StatusOr<std::string> info = readFile("/proc/cpuinfo");
  size_t at = info.ok() ? info->find("\nflags") : std::string::npos;
  if (at == std::string::npos)
    return features;
  size_t end = info->find('\n', at + 1);
  at = info->find(':', at);
  while (at < end) {
    size_t from = info->find_first_not_of(" :", at);
    size_t to = std::min(info->find_first_of(" \n", from), end);
    features.push_back(normalize(info->substr(from, to - from)));
    at = to;
  }
  return features;
}
} // namespace

const std::vector<std::string> &getCpuFeatures() {
  static const std::vector<std::string> features = readFeatures();
  return features;
}

absl::Status checkCpuFeatures(const std::vector<std::string> &features,
                              const std::vector<std::string> &available) {
  if (available.empty())
    return absl::OkStatus();
  for (const std::string &feature : features) {
    std::string name = normalize(feature);
    bool isKnown = std::find(std::begin(kKnown), std::end(kKnown), name) !=
                   std::end(kKnown);
    if (isKnown &&
        std::find(available.begin(), available.end(), name) == available.end())
      return absl::UnimplementedError(
          "the program was compiled for a processor with '" + feature +
          "', which this one lacks; compile it on this machine");
  }
  return absl::OkStatus();
}

} // namespace partita
