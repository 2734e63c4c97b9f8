//===- KernelRunner.cpp - Compiles and runs kernels in tests --------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/codegen/cpu/KernelRunner.h"

#include "ir/core/Core.h"
#include "ir/core/Types.h"
#include "ir/plan/Plan.h"
#include "mlir/Parser/Parser.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

namespace partita::cpu {

LoadedKernels::LoadedKernels(const std::string &text, const CpuTarget &target) {
  context.loadDialect<core::CoreDialect, plan::PlanDialect>();
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return;
  CpuOptions options;
  options.keepText = true;
  auto result = compileKernels(*module, target, options);
  if (mlir::failed(result))
    return;
  compiled = std::move(*result);
  if (getenv("PARTITA_KEEP_TEXT"))
    for (const std::string &llvm : compiled.llvmText)
      fputs(llvm.c_str(), stderr);
  int file = memfd_create("kernels", 0);
  size_t size = compiled.sharedObject.size();
  if (write(file, compiled.sharedObject.data(), size) ==
      static_cast<ssize_t>(size))
    handle = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(),
                    RTLD_NOW | RTLD_LOCAL);
  close(file);
}

LoadedKernels::~LoadedKernels() {
  if (handle)
    dlclose(handle);
}

const KernelInfo &LoadedKernels::getInfo(const std::string &name) const {
  for (const KernelInfo &info : compiled.kernels)
    if (info.symbol == name)
      return info;
  static const KernelInfo none;
  return none;
}

void LoadedKernels::runTiles(const std::string &name, void *const *buffers,
                             int64_t begin, int64_t end) {
  using Function = void (*)(void *const *, int64_t, int64_t);
  auto function = reinterpret_cast<Function>(dlsym(handle, name.c_str()));
  function(buffers, begin, end);
}

std::vector<HostTensor>
LoadedKernels::run(const std::string &name,
                   const std::vector<HostTensor> &inputs) {
  auto kernel = module->lookupSymbol<plan::KernelOp>(name);
  std::vector<HostTensor> results;
  std::vector<void *> buffers;
  buffers.reserve(inputs.size() + kernel.getResultTypes().size());
  for (const HostTensor &input : inputs)
    buffers.push_back(const_cast<std::byte *>(input.data()));
  for (mlir::Type type : kernel.getResultTypes()) {
    auto tensor = mlir::cast<mlir::RankedTensorType>(type);
    results.emplace_back(*toDType(tensor.getElementType()),
                         Shape(tensor.getShape()));
    // What is not written shows.
    std::memset(results.back().data(), 0xbb, results.back().getNumBytes());
    buffers.push_back(results.back().data());
  }
  int64_t tiles = getInfo(name).numTiles, half = tiles / 2;
  runTiles(name, buffers.data(), half, tiles);
  runTiles(name, buffers.data(), 0, half);
  return results;
}

std::vector<HostTensor>
LoadedKernels::evaluate(const std::string &name,
                        const std::vector<HostTensor> &inputs) {
  auto kernel = module->lookupSymbol<plan::KernelOp>(name);
  llvm::DenseMap<mlir::Value, HostTensor> values;
  for (auto [argument, input] : llvm::zip(kernel.getArguments(), inputs))
    values[argument] = input;
  std::vector<HostTensor> results;
  for (mlir::Operation &op : kernel.getBody().front()) {
    llvm::SmallVector<HostTensor> operands, computed;
    for (mlir::Value operand : op.getOperands())
      operands.push_back(values[operand]);
    if (mlir::isa<plan::ReturnOp>(op))
      return std::vector<HostTensor>(operands.begin(), operands.end());
    auto evaluable = mlir::dyn_cast<EvaluableOpInterface>(op);
    if (!evaluable || mlir::failed(evaluable.evaluate(operands, computed)))
      return {};
    for (auto [result, tensor] : llvm::zip(op.getResults(), computed))
      values[result] = tensor;
  }
  return {};
}

static float fromBf16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

static uint16_t toBf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

double getElement(const HostTensor &tensor, int64_t i) {
  switch (tensor.getDType()) {
  case DType::F32:
    return tensor.dataAs<float>()[i];
  case DType::F64:
    return tensor.dataAs<double>()[i];
  case DType::BF16:
    return fromBf16(tensor.dataAs<uint16_t>()[i]);
  case DType::S32:
    return tensor.dataAs<int32_t>()[i];
  case DType::U32:
    return tensor.dataAs<uint32_t>()[i];
  case DType::S8:
    return tensor.dataAs<int8_t>()[i];
  case DType::Pred:
    return tensor.dataAs<uint8_t>()[i];
  default:
    return 0;
  }
}

void setElement(HostTensor &tensor, int64_t i, double value) {
  switch (tensor.getDType()) {
  case DType::F32:
    tensor.dataAs<float>()[i] = static_cast<float>(value);
    return;
  case DType::F64:
    tensor.dataAs<double>()[i] = value;
    return;
  case DType::BF16:
    tensor.dataAs<uint16_t>()[i] = toBf16(static_cast<float>(value));
    return;
  case DType::S32:
    tensor.dataAs<int32_t>()[i] = static_cast<int32_t>(value);
    return;
  case DType::U32:
    tensor.dataAs<uint32_t>()[i] = static_cast<uint32_t>(value);
    return;
  case DType::S8:
    tensor.dataAs<int8_t>()[i] = static_cast<int8_t>(value);
    return;
  case DType::Pred:
    tensor.dataAs<uint8_t>()[i] = value > 0;
    return;
  default:
    return;
  }
}

HostTensor makeRandom(DType type, Shape shape, unsigned seed) {
  HostTensor tensor(type, std::move(shape));
  std::mt19937 generator(seed);
  bool isReal = isFloat(type) || type == DType::Pred;
  std::uniform_real_distribution<double> real(-2, 2);
  std::uniform_int_distribution<int> integer(0, 9);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    setElement(tensor, i, isReal ? real(generator) : integer(generator));
  return tensor;
}

} // namespace partita::cpu
