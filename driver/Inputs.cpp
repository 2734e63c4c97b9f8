//===- Inputs.cpp - The arguments of a run --------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Inputs.h"

#include "support/Npz.h"
#include "support/StatusMacros.h"

#include <cmath>
#include <cstring>
#include <numbers>

namespace partita {

/// "argument 3 (params['w1'])"
static std::string describe(const Signature &signature, size_t i) {
  return "argument " + std::to_string(i) + " (" + signature.arguments[i].name +
         ")";
}

static std::string getShapeText(const HostTensor &tensor) {
  ValueInfo info;
  info.dtype = tensor.getDType();
  info.shape = tensor.getShape();
  return info.getTypeText();
}

static absl::Status checkCount(const std::string &where, size_t given,
                               const Signature &signature) {
  if (given == signature.arguments.size())
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      where + " holds " + std::to_string(given) + " arrays, but @main takes " +
      std::to_string(signature.arguments.size()) + " arguments");
}

static absl::StatusOr<HostTensor> check(absl::StatusOr<HostTensor> tensor,
                                        const Signature &signature, size_t i) {
  const ValueInfo &info = signature.arguments[i];
  if (!tensor.ok())
    return absl::Status(tensor.status().code(),
                        describe(signature, i) + ": " +
                            std::string(tensor.status().message()));
  if (tensor->getShape() != info.shape)
    return absl::InvalidArgumentError(
        describe(signature, i) + " is a " + getShapeText(*tensor) +
        " in the inputs, but @main takes a " + info.getTypeText());
  return tensor;
}

static absl::StatusOr<std::vector<HostTensor>>
readArchive(const std::string &path, const Signature &signature) {
  PARTITA_ASSIGN_OR_RETURN(NpzReader archive, NpzReader::open(path));
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    std::string name = "a" + std::to_string(i);
    if (!archive.contains(name))
      return absl::InvalidArgumentError(
          path + " holds no array '" + name + "' for " +
          describe(signature, i) + ", a " +
          signature.arguments[i].getTypeText() + "; it holds " +
          std::to_string(archive.getNames().size()) +
          " arrays and @main takes " +
          std::to_string(signature.arguments.size()) + " arguments");
    PARTITA_ASSIGN_OR_RETURN(
        HostTensor input,
        check(archive.read(name, signature.arguments[i].dtype), signature, i));
    inputs.push_back(std::move(input));
  }
  PARTITA_RETURN_IF_ERROR(
      checkCount(path, archive.getNames().size(), signature));
  return inputs;
}

absl::StatusOr<std::vector<HostTensor>>
readInputs(const std::vector<std::string> &paths, const Signature &signature) {
  if (paths.size() == 1 && !paths[0].ends_with(".npy"))
    return readArchive(paths[0], signature);
  PARTITA_RETURN_IF_ERROR(checkCount("--inputs", paths.size(), signature));
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < paths.size(); ++i) {
    PARTITA_ASSIGN_OR_RETURN(
        HostTensor input,
        check(readNpy(paths[i], signature.arguments[i].dtype), signature, i));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Random ones
//===----------------------------------------------------------------------===//

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In (0, 1].
  double uniform() { return (static_cast<double>(next() >> 11) + 1) * 0x1p-53; }
  double normal() {
    double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

private:
  uint64_t state;
};

} // namespace

/// The upper half of an f32, rounded to nearest even.
static uint16_t toBFloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

/// An f16 for values that are normal in it, rounded towards zero; else 0.
static uint16_t toHalf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  int32_t exponent = static_cast<int32_t>((bits >> 23) & 0xff) - 127 + 15;
  if (exponent <= 0 || exponent >= 31)
    return 0;
  return static_cast<uint16_t>(((bits >> 16) & 0x8000) | (exponent << 10) |
                               ((bits >> 13) & 0x3ff));
}

static void fill(HostTensor &tensor, Random &random) {
  int64_t count = tensor.getNumElements();
  switch (tensor.getDType()) {
  case DType::F32:
  case DType::C64:
    for (int64_t i = 0, n = tensor.getNumBytes() / 4; i < n; ++i)
      tensor.dataAs<float>()[i] = static_cast<float>(random.normal());
    return;
  case DType::F64:
  case DType::C128:
    for (int64_t i = 0, n = tensor.getNumBytes() / 8; i < n; ++i)
      tensor.dataAs<double>()[i] = random.normal();
    return;
  case DType::BF16:
  case DType::F16:
    for (int64_t i = 0; i < count; ++i) {
      auto value = static_cast<float>(random.normal());
      tensor.dataAs<uint16_t>()[i] =
          tensor.getDType() == DType::F16 ? toHalf(value) : toBFloat16(value);
    }
    return;
  default:
    break;
  }
  // Integers and booleans: 0 or 1 in the lowest byte. Narrow floats: zero, or
  // the smallest positive number.
  int64_t width = getByteWidth(tensor.getDType());
  for (int64_t i = 0; i < count; ++i)
    tensor.data()[i * width] = static_cast<std::byte>(random.next() >> 63);
}

std::vector<HostTensor> makeRandomInputs(const Signature &signature,
                                         uint64_t seed) {
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const ValueInfo &info = signature.arguments[i];
    Random random(seed * 1000003 + i);
    inputs.emplace_back(info.dtype, info.shape);
    fill(inputs.back(), random);
  }
  return inputs;
}

} // namespace partita
