//===- CpuExecution.cpp - Generated code on virtual devices ---------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CpuExecution.h"

#include "runtime/exec/Program.h"
#include "runtime/plan/Convert.h"
#include "support/StatusMacros.h"

namespace partita {

namespace {

class CpuExecution : public Execution {
public:
  explicit CpuExecution(std::unique_ptr<Program> theProgram);

  const Signature &getSignature() const override { return signature; }
  absl::Status setArguments(std::span<const HostTensor> arguments) override {
    return program->setArguments(arguments);
  }
  absl::Status step() override { return program->step(); }
  absl::StatusOr<HostTensor> getResult(int64_t result) override {
    return program->getResult(result);
  }
  Json getCounters() const override { return program->getCountersJson(); }
  std::vector<int64_t> getMeasuredPeakBytes() const override {
    return program->getMeasuredPeakBytes();
  }
  Json getTrace() const override { return program->getTrace(); }

private:
  std::unique_ptr<Program> program;
  Signature signature;
};

ValueInfo describe(const plan::Plan &plan, const std::string &name,
                   uint32_t buffer,
                   const google::protobuf::RepeatedField<int64_t> &shape) {
  ValueInfo info;
  info.name = name;
  info.dtype = getDType(plan.buffers(static_cast<int>(buffer)));
  info.shape.assign(shape.begin(), shape.end());
  return info;
}

} // namespace

CpuExecution::CpuExecution(std::unique_ptr<Program> theProgram)
    : program(std::move(theProgram)) {
  const plan::Plan &plan = program->getPlan();
  for (const plan::Argument &argument : plan.arguments())
    signature.arguments.push_back(describe(
        plan, argument.name(), argument.buffer(), argument.global_shape()));
  for (const plan::Result &result : plan.results()) {
    if (result.has_aliased_argument())
      signature.arguments[result.aliased_argument()].fedBy =
          static_cast<int64_t>(signature.results.size());
    signature.results.push_back(
        describe(plan, result.name(), result.buffer(), result.global_shape()));
  }
}

absl::StatusOr<std::unique_ptr<Execution>> makeCpuExecution(plan::Plan plan,
                                                            bool isTraced) {
  ProgramOptions options;
  options.isTraced = isTraced;
  PARTITA_ASSIGN_OR_RETURN(std::unique_ptr<Program> program,
                           Program::load(std::move(plan), std::move(options)));
  return std::make_unique<CpuExecution>(std::move(program));
}

} // namespace partita
