//===- Verifier.h - The state of one verification ---------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Verify.cpp and VerifyCollective.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_RUNTIME_PLAN_VERIFIER_H
#define PARTITA_RUNTIME_PLAN_VERIFIER_H

#include "runtime/plan/Convert.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"

#include <string>
#include <vector>

namespace partita {

class PlanVerifier {
public:
  explicit PlanVerifier(const plan::Plan &thePlan) : plan(thePlan) {}
  absl::Status run();

private:
  using SubAxes = google::protobuf::RepeatedPtrField<plan::SubAxis>;

  // Verify.cpp: the tables.
  absl::Status verifyMesh();
  absl::Status verifyAllocations();
  absl::Status verifyBuffers();
  absl::Status verifyKernels();
  absl::Status verifySubAxes(const SubAxes &axes, std::vector<AxisRef> &used,
                             const std::string &place);
  template <typename Value>
  absl::Status verifyValue(const Value &value, const std::string &place);
  absl::Status verifyArguments();
  absl::Status verifyAlias(int index);
  absl::Status verifyResults();

  // Verify.cpp: the steps.
  absl::Status verifyBlocks();
  absl::Status verifyNesting();
  absl::Status verifyStep(const plan::Step &step, const std::string &place);
  absl::Status verifyLaunch(const plan::Launch &launch,
                            const std::string &place);
  absl::Status verifyCopy(const plan::Copy &copy, const std::string &place);
  absl::Status verifyAxisIndex(const plan::AxisIndex &index,
                               const std::string &place);
  absl::Status verifyPredicate(uint32_t buffer, const std::string &place);
  absl::Status verifyBlockId(uint32_t block, const std::string &place);
  absl::Status verifyBufferId(uint32_t buffer, const std::string &place);
  /// Also notes that the buffer's allocation is written.
  absl::Status verifyTarget(uint32_t buffer, const std::string &place);
  absl::Status verifyWrittenArguments();

  // VerifyCollective.cpp.
  absl::Status verifyCollective(const plan::Collective &collective,
                                const std::string &place);
  absl::Status verifyMembers(const plan::Collective &collective,
                             const std::string &place, int64_t &groupSize);
  absl::Status verifyGroups(const plan::Collective &collective,
                            const std::string &place, int64_t &groupSize);
  absl::Status verifyPairs(const plan::Collective &collective,
                           const std::string &place);
  absl::Status verifyPiece(const plan::Collective &collective,
                           const plan::Collective::Piece &piece,
                           int64_t groupSize, const std::string &place);
  absl::Status verifyOverlaps(const plan::Collective &collective,
                              const std::string &place);
  absl::Status verifySequence(const plan::Collective &collective,
                              const std::string &place);

  const plan::Plan &plan;
  int64_t numDevices = 1;
  Mesh mesh;
  std::vector<int64_t> bufferBytes;
  std::vector<bool> isWritten; // by allocation
  absl::flat_hash_map<uint32_t, const plan::Collective *> sequences;
};

/// InvalidArgument: "PLACE: WHAT".
absl::Status makePlanError(const std::string &place, const std::string &what);

} // namespace partita

#endif // PARTITA_RUNTIME_PLAN_VERIFIER_H
