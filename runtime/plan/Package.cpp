//===- Package.cpp - Files of compiled programs -----------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/plan/Package.h"

#include "runtime/plan/Verify.h"
#include "support/Files.h"
#include "support/StatusMacros.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <limits>
#include <zlib.h>

namespace partita {
namespace {

constexpr std::string_view kMagic = "PARTITA\n";
constexpr size_t kHeaderSize = 24;
constexpr size_t kVersionAt = 8, kChecksumAt = 12, kSizeAt = 16;

void appendNumber(std::string &text, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    text += static_cast<char>(value >> (8 * i) & 0xff);
}

uint64_t readNumber(std::string_view text, size_t at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= static_cast<uint64_t>(static_cast<unsigned char>(text[at + i]))
             << (8 * i);
  return value;
}

uint32_t computeChecksum(std::string_view text) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef *>(text.data()), text.size()));
}

/// The same bytes for the same plan: protobuf leaves the order of map entries
/// open, but plans have no maps.
void serialize(const plan::Plan &plan, std::string &text) {
  google::protobuf::io::StringOutputStream stream(&text);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  plan.SerializeWithCachedSizes(&coded);
}

absl::Status dataLoss(const std::string &name, const std::string &what) {
  return absl::DataLossError("cannot read " + name + " as a package: " + what);
}
} // namespace

uint64_t computeFingerprint(const plan::Plan &plan) {
  plan::Plan copy = plan;
  copy.clear_fingerprint();
  std::string text;
  text.reserve(copy.ByteSizeLong());
  serialize(copy, text);
  // FNV-1a.
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

absl::StatusOr<std::string> serializePackage(plan::Plan plan, size_t limit) {
  PARTITA_RETURN_IF_ERROR(verifyPlan(plan));
  plan.set_format_version(kPlanFormatVersion);
  size_t size = plan.ByteSizeLong() + 16;
  if (size > limit)
    return absl::InvalidArgumentError(
        "program '" + plan.program() + "' makes a package of " +
        std::to_string(size) + " bytes, the format ends at " +
        std::to_string(limit) + "; pass large constants as arguments");
  plan.set_fingerprint(computeFingerprint(plan));
  plan.ByteSizeLong();
  std::string body;
  body.reserve(size);
  serialize(plan, body);
  std::string text(kMagic);
  appendNumber(text, kPlanFormatVersion, 4);
  appendNumber(text, computeChecksum(body), 4);
  appendNumber(text, body.size(), 8);
  text += body;
  return text;
}

bool isPackage(std::string_view text) {
  return text.substr(0, kMagic.size()) == kMagic;
}

absl::StatusOr<plan::Plan> parsePackage(std::string_view text,
                                        const std::string &name) {
  if (!isPackage(text))
    return dataLoss(name, "it does not start with \"PARTITA\"");
  if (text.size() < kHeaderSize)
    return dataLoss(name, "truncated within the header");
  uint64_t version = readNumber(text, kVersionAt, 4);
  if (version != kPlanFormatVersion)
    return absl::FailedPreconditionError(
        "cannot read " + name + " as a package: it has format version " +
        std::to_string(version) + ", this program reads " +
        std::to_string(kPlanFormatVersion) + "; compile it again");
  uint64_t size = readNumber(text, kSizeAt, 8);
  std::string_view body = text.substr(kHeaderSize);
  if (body.size() < size)
    return dataLoss(name, "truncated: " + std::to_string(size - body.size()) +
                              " of " + std::to_string(kHeaderSize + size) +
                              " bytes are missing");
  if (body.size() > size)
    return dataLoss(name, std::to_string(body.size() - size) +
                              " bytes follow its end");
  if (computeChecksum(body) != readNumber(text, kChecksumAt, 4))
    return dataLoss(name, "its checksum is wrong; the file was damaged");
  plan::Plan plan;
  if (size > std::numeric_limits<int32_t>::max() ||
      !plan.ParseFromArray(body.data(), static_cast<int>(size)))
    return dataLoss(name, "malformed protocol buffer");
  if (absl::Status status = verifyPlan(plan); !status.ok())
    return absl::Status(status.code(), "cannot use package " + name + ": " +
                                           std::string(status.message()));
  return plan;
}

absl::Status writePackage(const std::string &path, plan::Plan plan) {
  PARTITA_ASSIGN_OR_RETURN(std::string text, serializePackage(std::move(plan)));
  return writeFile(path, {text});
}

absl::StatusOr<plan::Plan> readPackage(const std::string &path) {
  PARTITA_ASSIGN_OR_RETURN(std::string text, readFile(path));
  return parsePackage(text, "'" + path + "'");
}

} // namespace partita
