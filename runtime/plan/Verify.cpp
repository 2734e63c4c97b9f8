//===- Verify.cpp - What a plan must fulfil ---------------------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/plan/Verify.h"

#include "runtime/plan/Verifier.h"
#include "support/StatusMacros.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace partita {
namespace {
/// More than any machine has; keeps sums and products far from overflow.
constexpr uint64_t kMaxBytes = uint64_t(1) << 46;
constexpr int64_t kMaxDevices = 1 << 16;
constexpr uint64_t kKernelAlignment = 64;

std::string toString(const Shape &shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
}
std::string quote(const std::string &text) { return "'" + text + "'"; }
} // namespace

absl::Status makePlanError(const std::string &place, const std::string &what) {
  return absl::InvalidArgumentError(place + ": " + what);
}

absl::Status PlanVerifier::run() {
  if (plan.target().kind() != "cpu")
    return makePlanError("target", "unknown kind " +
                                       quote(plan.target().kind()) +
                                       ", expected 'cpu'");
  PARTITA_RETURN_IF_ERROR(verifyMesh());
  PARTITA_RETURN_IF_ERROR(verifyAllocations());
  PARTITA_RETURN_IF_ERROR(verifyBuffers());
  PARTITA_RETURN_IF_ERROR(verifyKernels());
  PARTITA_RETURN_IF_ERROR(verifyArguments());
  PARTITA_RETURN_IF_ERROR(verifyResults());
  PARTITA_RETURN_IF_ERROR(verifyBlocks());
  PARTITA_RETURN_IF_ERROR(verifyNesting());
  return verifyWrittenArguments();
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

absl::Status PlanVerifier::verifyMesh() {
  absl::flat_hash_set<std::string> names;
  for (const plan::Mesh::Axis &axis : plan.mesh().axes()) {
    if (axis.name().empty() || !names.insert(axis.name()).second)
      return makePlanError("mesh", "axis name " + quote(axis.name()) +
                                       " is empty or used twice");
    if (axis.size() < 1 || axis.size() > kMaxDevices / numDevices)
      return makePlanError("mesh",
                           absl::StrCat("axis '", axis.name(), "' has size ",
                                        axis.size(), "; meshes have 1 to ",
                                        kMaxDevices, " devices"));
    numDevices *= axis.size();
  }
  std::vector<bool> isSeen(static_cast<size_t>(numDevices));
  for (int64_t id : plan.mesh().device_ids()) {
    if (id < 0 || id >= numDevices || isSeen[static_cast<size_t>(id)])
      return makePlanError(
          "mesh",
          absl::StrCat("device id ", id, " is out of range or used twice"));
    isSeen[static_cast<size_t>(id)] = true;
  }
  int ids = plan.mesh().device_ids_size();
  if (ids != 0 && ids != numDevices)
    return makePlanError(
        "mesh", absl::StrCat(ids, " device ids for ", numDevices, " devices"));
  mesh = fromPlan(plan.mesh());
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyAllocations() {
  int numArenas = 0;
  for (int i = 0; i < plan.allocations_size(); ++i) {
    const plan::Allocation &allocation = plan.allocations(i);
    std::string place = absl::StrCat("allocation ", i);
    if (allocation.bytes() > kMaxBytes)
      return makePlanError(
          place, absl::StrCat("size of ", allocation.bytes(), " bytes"));
    if (!plan::Allocation::Kind_IsValid(allocation.kind()))
      return makePlanError(
          place, absl::StrCat("unknown kind ", int(allocation.kind())));
    numArenas += allocation.kind() == plan::Allocation::TEMPORARY;
    if (numArenas > 1)
      return makePlanError(place, "a second arena");
    if (allocation.kind() != plan::Allocation::CONSTANT)
      continue;
    uint64_t size = plan.constants().size();
    if (allocation.offset() > size ||
        allocation.bytes() > size - allocation.offset())
      return makePlanError(
          place, absl::StrCat("bytes ", allocation.offset(), " to ",
                              allocation.offset() + allocation.bytes(),
                              " exceed the ", size, " bytes of constants"));
    if (allocation.offset() % kKernelAlignment)
      return makePlanError(place, absl::StrCat("offset ", allocation.offset(),
                                               " is no multiple of ",
                                               kKernelAlignment));
  }
  isWritten.resize(static_cast<size_t>(plan.allocations_size()));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyBuffers() {
  for (int i = 0; i < plan.buffers_size(); ++i) {
    const plan::Buffer &buffer = plan.buffers(i);
    std::string place = absl::StrCat("buffer ", i);
    if (buffer.allocation() >= static_cast<uint32_t>(plan.allocations_size()))
      return makePlanError(place,
                           absl::StrCat("no allocation ", buffer.allocation()));
    if (buffer.dtype() >= kNumDTypes)
      return makePlanError(place,
                           absl::StrCat("no element type ", buffer.dtype()));
    auto width = static_cast<uint64_t>(getByteWidth(getDType(buffer)));
    uint64_t bytes = width;
    for (int64_t size : buffer.shape()) {
      if (size < 0 ||
          (bytes != 0 && static_cast<uint64_t>(size) > kMaxBytes / bytes))
        return makePlanError(place,
                             absl::StrCat("shape ", toString(getShape(buffer)),
                                          " is negative or too large"));
      bytes *= static_cast<uint64_t>(size);
    }
    uint64_t limit =
        plan.allocations(static_cast<int>(buffer.allocation())).bytes();
    if (buffer.offset() > limit || bytes > limit - buffer.offset())
      return makePlanError(
          place, absl::StrCat("bytes ", buffer.offset(), " to ",
                              buffer.offset() + bytes, " exceed the ", limit,
                              " bytes of allocation ", buffer.allocation()));
    if (buffer.offset() % width)
      return makePlanError(place, absl::StrCat("offset ", buffer.offset(),
                                               " is no multiple of ", width));
    bufferBytes.push_back(static_cast<int64_t>(bytes));
  }
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyKernels() {
  for (int i = 0; i < plan.kernels_size(); ++i) {
    const plan::Kernel &kernel = plan.kernels(i);
    if (kernel.symbol().empty() || kernel.num_tiles() < 0)
      return makePlanError(absl::StrCat("kernel ", i),
                           absl::StrCat("symbol '", kernel.symbol(), "' with ",
                                        kernel.num_tiles(), " tiles"));
  }
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifySubAxes(const SubAxes &axes,
                                         std::vector<AxisRef> &used,
                                         const std::string &place) {
  for (const plan::SubAxis &axis : axes) {
    if (axis.axis() >= static_cast<uint32_t>(plan.mesh().axes_size()))
      return makePlanError(
          place, absl::StrCat("no axis ", axis.axis(), " in the mesh"));
    const plan::Mesh::Axis &whole =
        plan.mesh().axes(static_cast<int>(axis.axis()));
    if (axis.pre() < 1 || axis.size() < 1 || axis.pre() > whole.size() ||
        axis.size() > whole.size() || whole.size() % (axis.pre() * axis.size()))
      return makePlanError(place, absl::StrCat("\"", whole.name(), "\":(",
                                               axis.pre(), ")", axis.size(),
                                               " is no factor of the axis of "
                                               "size ",
                                               whole.size()));
    AxisRef ref{static_cast<int32_t>(axis.axis()), axis.pre(), axis.size()};
    for (const AxisRef &other : used)
      if (ref.size > 1 && other.size > 1 && ref.overlaps(other))
        return makePlanError(
            place, absl::StrCat("axis '", whole.name(), "' is used twice"));
    used.push_back(ref);
  }
  return absl::OkStatus();
}

template <typename Value>
absl::Status PlanVerifier::verifyValue(const Value &value,
                                       const std::string &place) {
  PARTITA_RETURN_IF_ERROR(verifyBufferId(value.buffer(), place));
  const plan::Buffer &buffer = plan.buffers(static_cast<int>(value.buffer()));
  const plan::Allocation &allocation =
      plan.allocations(static_cast<int>(buffer.allocation()));
  if (allocation.kind() != plan::Allocation::INPUT_OUTPUT || buffer.offset())
    return makePlanError(
        place, "its buffer does not start an input-output allocation");
  if (value.sharding().dims_size() != value.global_shape_size())
    return makePlanError(
        place, absl::StrCat("sharding of rank ", value.sharding().dims_size(),
                            " for shape of rank ", value.global_shape_size()));
  std::vector<AxisRef> used;
  for (const plan::Sharding::Dim &dim : value.sharding().dims())
    PARTITA_RETURN_IF_ERROR(verifySubAxes(dim.axes(), used, place));
  Shape global(value.global_shape().begin(), value.global_shape().end());
  for (int64_t size : global)
    if (size < 0 || static_cast<uint64_t>(size) > kMaxBytes)
      return makePlanError(place, "negative or too large size in shape " +
                                      toString(global));
  Shape local = getLocalShape(global, fromPlan(value.sharding()));
  if (local != getShape(buffer))
    return makePlanError(place, "shards of shape " + toString(local) +
                                    ", but a buffer of shape " +
                                    toString(getShape(buffer)));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyArguments() {
  absl::flat_hash_set<uint32_t> taken;
  for (int i = 0; i < plan.arguments_size(); ++i) {
    const plan::Argument &argument = plan.arguments(i);
    std::string place =
        absl::StrCat("argument ", i, " ('", argument.name(), "')");
    PARTITA_RETURN_IF_ERROR(verifyValue(argument, place));
    uint32_t allocation =
        plan.buffers(static_cast<int>(argument.buffer())).allocation();
    if (!taken.insert(allocation).second)
      return makePlanError(place, absl::StrCat("allocation ", allocation,
                                               " holds another argument"));
  }
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyAlias(int index) {
  const plan::Result &result = plan.results(index);
  std::string place = absl::StrCat("result ", index);
  uint32_t target = result.aliased_argument();
  if (target >= static_cast<uint32_t>(plan.arguments_size()))
    return makePlanError(place, absl::StrCat("aliases argument ", target,
                                             " of ", plan.arguments_size()));
  const plan::Argument &argument = plan.arguments(static_cast<int>(target));
  const plan::Buffer &to = plan.buffers(static_cast<int>(argument.buffer()));
  const plan::Buffer &from = plan.buffers(static_cast<int>(result.buffer()));
  Shape toShape(argument.global_shape().begin(), argument.global_shape().end());
  Shape fromShape(result.global_shape().begin(), result.global_shape().end());
  if (toShape != fromShape || to.dtype() != from.dtype())
    return makePlanError(place, absl::StrCat("differs in shape or type from "
                                             "argument ",
                                             target, ", which it aliases"));
  if (to.allocation() == from.allocation())
    return absl::OkStatus();
  for (int i = 0; i < plan.arguments_size(); ++i)
    if (plan.buffers(static_cast<int>(plan.arguments(i).buffer()))
            .allocation() == from.allocation())
      return makePlanError(place, absl::StrCat("aliases argument ", target,
                                               " but lies in the memory of "
                                               "argument ",
                                               i));
  bool isSwapped = isSamePlacement(fromPlan(argument.sharding()),
                                   fromPlan(result.sharding()));
  if (isSwapped &&
      plan.allocations(static_cast<int>(to.allocation())).bytes() !=
          plan.allocations(static_cast<int>(from.allocation())).bytes())
    return makePlanError(place, absl::StrCat("its allocation differs in size "
                                             "from that of argument ",
                                             target, ", which it aliases"));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyResults() {
  absl::flat_hash_set<uint32_t> fed, sources;
  for (int i = 0; i < plan.results_size(); ++i) {
    const plan::Result &result = plan.results(i);
    std::string place = absl::StrCat("result ", i);
    PARTITA_RETURN_IF_ERROR(verifyValue(result, place));
    if (!result.has_aliased_argument())
      continue;
    PARTITA_RETURN_IF_ERROR(verifyAlias(i));
    if (!fed.insert(result.aliased_argument()).second)
      return makePlanError(place,
                           absl::StrCat("argument ", result.aliased_argument(),
                                        " is aliased twice"));
    uint32_t allocation =
        plan.buffers(static_cast<int>(result.buffer())).allocation();
    if (!sources.insert(allocation).second)
      return makePlanError(place,
                           absl::StrCat("allocation ", allocation,
                                        " holds another aliased result"));
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

absl::Status PlanVerifier::verifyBlocks() {
  int entries = plan.entry_blocks_size();
  if (entries != 1 && entries != numDevices)
    return makePlanError("plan", absl::StrCat(entries, " entry blocks for ",
                                              numDevices, " devices"));
  for (uint32_t block : plan.entry_blocks())
    PARTITA_RETURN_IF_ERROR(verifyBlockId(block, "plan"));
  for (int b = 0; b < plan.blocks_size(); ++b)
    for (int s = 0; s < plan.blocks(b).steps_size(); ++s)
      PARTITA_RETURN_IF_ERROR(verifyStep(
          plan.blocks(b).steps(s), absl::StrCat("block ", b, ", step ", s)));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyNesting() {
  // Takes away blocks that no remaining block calls, until none is left.
  auto forEachCallee = [&](int block, auto &&action) {
    for (const plan::Step &step : plan.blocks(block).steps()) {
      if (step.has_while_loop()) {
        action(static_cast<int>(step.while_loop().condition()));
        action(static_cast<int>(step.while_loop().body()));
      } else if (step.has_if_else()) {
        action(static_cast<int>(step.if_else().then_block()));
        action(static_cast<int>(step.if_else().else_block()));
      }
    }
  };
  std::vector<int64_t> callers(static_cast<size_t>(plan.blocks_size()));
  for (int b = 0; b < plan.blocks_size(); ++b)
    forEachCallee(b, [&](int callee) { ++callers[callee]; });
  std::vector<int> free;
  for (int b = 0; b < plan.blocks_size(); ++b)
    if (callers[b] == 0)
      free.push_back(b);
  int numTaken = 0;
  while (!free.empty()) {
    int block = free.back();
    free.pop_back();
    ++numTaken;
    forEachCallee(block, [&](int callee) {
      if (--callers[callee] == 0)
        free.push_back(callee);
    });
  }
  if (numTaken != plan.blocks_size())
    return makePlanError("plan", "blocks call one another in a circle");
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyStep(const plan::Step &step,
                                      const std::string &place) {
  switch (step.kind_case()) {
  case plan::Step::kLaunch:
    return verifyLaunch(step.launch(), place);
  case plan::Step::kCollective:
    return verifyCollective(step.collective(), place);
  case plan::Step::kCopy:
    return verifyCopy(step.copy(), place);
  case plan::Step::kAxisIndex:
    return verifyAxisIndex(step.axis_index(), place);
  case plan::Step::kWhileLoop:
    PARTITA_RETURN_IF_ERROR(
        verifyBlockId(step.while_loop().condition(), place));
    PARTITA_RETURN_IF_ERROR(verifyBlockId(step.while_loop().body(), place));
    return verifyPredicate(step.while_loop().predicate(), place);
  case plan::Step::kIfElse:
    PARTITA_RETURN_IF_ERROR(verifyBlockId(step.if_else().then_block(), place));
    PARTITA_RETURN_IF_ERROR(verifyBlockId(step.if_else().else_block(), place));
    return verifyPredicate(step.if_else().predicate(), place);
  case plan::Step::KIND_NOT_SET:
    return makePlanError(place, "no kind of step that is known");
  }
  return makePlanError(place, "no kind of step that is known");
}

absl::Status PlanVerifier::verifyLaunch(const plan::Launch &launch,
                                        const std::string &place) {
  if (launch.kernel() >= static_cast<uint32_t>(plan.kernels_size()))
    return makePlanError(place, absl::StrCat("no kernel ", launch.kernel()));
  const plan::Kernel &kernel = plan.kernels(static_cast<int>(launch.kernel()));
  uint64_t want = uint64_t(kernel.num_operands()) + kernel.num_results();
  if (static_cast<uint64_t>(launch.buffers_size()) != want)
    return makePlanError(
        place, absl::StrCat(launch.buffers_size(), " buffers for kernel '",
                            kernel.symbol(), "', which takes ", want));
  for (int i = 0; i < launch.buffers_size(); ++i) {
    uint32_t id = launch.buffers(i);
    bool isOperand = static_cast<uint32_t>(i) < kernel.num_operands();
    PARTITA_RETURN_IF_ERROR(isOperand ? verifyBufferId(id, place)
                                      : verifyTarget(id, place));
    uint64_t offset = plan.buffers(static_cast<int>(id)).offset();
    if (offset % kKernelAlignment)
      return makePlanError(place, absl::StrCat("buffer ", id, " at offset ",
                                               offset, " is not aligned to ",
                                               kKernelAlignment, " bytes"));
  }
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyCopy(const plan::Copy &copy,
                                      const std::string &place) {
  PARTITA_RETURN_IF_ERROR(verifyBufferId(copy.source(), place));
  PARTITA_RETURN_IF_ERROR(verifyTarget(copy.target(), place));
  if (bufferBytes[copy.source()] != bufferBytes[copy.target()])
    return makePlanError(place,
                         absl::StrCat("copies ", bufferBytes[copy.source()],
                                      " bytes to a buffer of ",
                                      bufferBytes[copy.target()]));
  const plan::Buffer &a = plan.buffers(static_cast<int>(copy.source()));
  const plan::Buffer &b = plan.buffers(static_cast<int>(copy.target()));
  auto size = static_cast<uint64_t>(bufferBytes[copy.source()]);
  if (a.allocation() == b.allocation() && a.offset() != b.offset() &&
      a.offset() < b.offset() + size && b.offset() < a.offset() + size)
    return makePlanError(place, "source and target overlap");
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyAxisIndex(const plan::AxisIndex &index,
                                           const std::string &place) {
  std::vector<AxisRef> used;
  PARTITA_RETURN_IF_ERROR(verifySubAxes(index.axes(), used, place));
  PARTITA_RETURN_IF_ERROR(verifyTarget(index.buffer(), place));
  const plan::Buffer &buffer = plan.buffers(static_cast<int>(index.buffer()));
  DType type = getDType(buffer);
  bool isWide = getBitWidth(type) >= 32;
  if (buffer.shape_size() || !isWide ||
      !(isSignedInt(type) || isUnsignedInt(type)))
    return makePlanError(place, absl::StrCat("buffer ", index.buffer(),
                                             " is no scalar of 32 or 64 bit "
                                             "integers"));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyPredicate(uint32_t id,
                                           const std::string &place) {
  PARTITA_RETURN_IF_ERROR(verifyBufferId(id, place));
  const plan::Buffer &buffer = plan.buffers(static_cast<int>(id));
  if (buffer.shape_size() || getDType(buffer) != DType::Pred)
    return makePlanError(
        place, absl::StrCat("predicate buffer ", id, " is no boolean scalar"));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyBlockId(uint32_t block,
                                         const std::string &place) {
  if (block >= static_cast<uint32_t>(plan.blocks_size()))
    return makePlanError(place, absl::StrCat("no block ", block));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyBufferId(uint32_t buffer,
                                          const std::string &place) {
  if (buffer >= static_cast<uint32_t>(plan.buffers_size()))
    return makePlanError(place, absl::StrCat("no buffer ", buffer));
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyTarget(uint32_t buffer,
                                        const std::string &place) {
  PARTITA_RETURN_IF_ERROR(verifyBufferId(buffer, place));
  uint32_t allocation = plan.buffers(static_cast<int>(buffer)).allocation();
  if (plan.allocations(static_cast<int>(allocation)).kind() ==
      plan::Allocation::CONSTANT)
    return makePlanError(
        place, absl::StrCat("writes buffer ", buffer, ", which is constant"));
  isWritten[allocation] = true;
  return absl::OkStatus();
}

absl::Status PlanVerifier::verifyWrittenArguments() {
  for (int i = 0; i < plan.arguments_size(); ++i) {
    const plan::Argument &argument = plan.arguments(i);
    uint32_t allocation =
        plan.buffers(static_cast<int>(argument.buffer())).allocation();
    if (!isWritten[allocation])
      continue;
    bool isFed = false;
    for (const plan::Result &result : plan.results())
      isFed |= result.has_aliased_argument() &&
               result.aliased_argument() == static_cast<uint32_t>(i) &&
               plan.buffers(static_cast<int>(result.buffer())).allocation() ==
                   allocation;
    if (!isFed)
      return makePlanError(
          absl::StrCat("argument ", i, " ('", argument.name(), "')"),
          "its memory is written, but no result that aliases "
          "it lies there");
  }
  return absl::OkStatus();
}

absl::Status verifyPlan(const plan::Plan &plan) {
  return PlanVerifier(plan).run();
}

} // namespace partita
