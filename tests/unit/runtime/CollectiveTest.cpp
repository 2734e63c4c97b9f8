//===- CollectiveTest.cpp - Collectives against plain code ------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one collective on every device's own operand and compares with the
// definition, written element by element. Element types, reductions, groups,
// dimensions and sizes vary.
//
//===----------------------------------------------------------------------===//

#include "runtime/exec/Program.h"
#include "support/SmallFloat.h"
#include "tests/unit/runtime/PlanBuilder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <random>

using namespace partita;
using namespace partita::testing;
using plan::Collective;

namespace {

//===----------------------------------------------------------------------===//
// Elements, one at a time
//===----------------------------------------------------------------------===//

/// The value of an element in whichever member its type calls for.
struct Element {
  int64_t integer = 0;
  std::complex<double> number;
};

template <typename T> T loadAs(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

float widenBFloat16(uint16_t bits) {
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

/// Nearest, ties to even, by trying both neighbours.
uint16_t narrowBFloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  auto low = static_cast<uint16_t>(bits >> 16);
  if (std::isnan(value))
    return static_cast<uint16_t>(low | 0x40);
  auto high = static_cast<uint16_t>(low + 1);
  uint32_t rest = bits & 0xffff;
  if (rest == 0x8000)
    return low % 2 ? high : low;
  return rest > 0x8000 ? high : low;
}

Element load(DType type, const std::byte *at) {
  auto width = static_cast<size_t>(getByteWidth(type));
  if (type == DType::Pred || isSignedInt(type) || isUnsignedInt(type)) {
    uint64_t bits = 0;
    std::memcpy(&bits, at, width);
    int unused = 64 - getBitWidth(type);
    auto value = static_cast<int64_t>(bits << unused);
    return {isSignedInt(type)
                ? value >> unused
                : static_cast<int64_t>(static_cast<uint64_t>(value) >> unused),
            {}};
  }
  switch (type) {
  case DType::BF16:
    return {0, widenBFloat16(loadAs<uint16_t>(at))};
  case DType::F16:
    return {0, static_cast<double>(loadAs<_Float16>(at))};
  case DType::F32:
    return {0, loadAs<float>(at)};
  case DType::F64:
    return {0, loadAs<double>(at)};
  case DType::C64:
    return {0, std::complex<double>(loadAs<std::complex<float>>(at))};
  case DType::C128:
    return {0, loadAs<std::complex<double>>(at)};
  default:
    return {0, decodeSmallFloat(type, loadAs<uint8_t>(at))};
  }
}

template <typename T> void storeAs(T value, std::byte *at) {
  std::memcpy(at, &value, sizeof(value));
}

void store(DType type, const Element &element, std::byte *at) {
  if (type == DType::Pred)
    return storeAs<uint8_t>(element.integer != 0, at);
  if (isSignedInt(type) || isUnsignedInt(type)) {
    int unused = 64 - getBitWidth(type);
    uint64_t bits = static_cast<uint64_t>(element.integer) << unused >> unused;
    std::memcpy(at, &bits, static_cast<size_t>(getByteWidth(type)));
    return;
  }
  double real = element.number.real();
  switch (type) {
  case DType::BF16:
    return storeAs(narrowBFloat16(static_cast<float>(real)), at);
  case DType::F16:
    return storeAs(static_cast<_Float16>(static_cast<float>(real)), at);
  case DType::F32:
    return storeAs(static_cast<float>(real), at);
  case DType::F64:
    return storeAs(real, at);
  case DType::C64:
    return storeAs(std::complex<float>(element.number), at);
  case DType::C128:
    return storeAs(element.number, at);
  default:
    return storeAs(encodeSmallFloat(type, static_cast<float>(real)), at);
  }
}

int64_t combineIntegers(ReductionKind kind, int64_t a, int64_t b,
                        bool isUnsigned) {
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  bool isLess = isUnsigned ? ua < ub : a < b;
  switch (kind) {
  case ReductionKind::Sum:
    return static_cast<int64_t>(ua + ub);
  case ReductionKind::Mul:
    return static_cast<int64_t>(ua * ub);
  case ReductionKind::Max:
    return isLess ? b : a;
  case ReductionKind::Min:
    return isLess ? a : b;
  case ReductionKind::And:
    return a & b;
  case ReductionKind::Or:
    return a | b;
  case ReductionKind::Xor:
    return a ^ b;
  }
  return 0;
}

std::complex<double> combineNumbers(ReductionKind kind, std::complex<double> a,
                                    std::complex<double> b) {
  switch (kind) {
  case ReductionKind::Sum:
    return a + b;
  case ReductionKind::Mul:
    return {a.real() * b.real() - a.imag() * b.imag(),
            a.real() * b.imag() + a.imag() * b.real()};
  case ReductionKind::Max:
    return std::isnan(a.real()) || a.real() > b.real() ? a : b;
  default:
    return std::isnan(a.real()) || a.real() < b.real() ? a : b;
  }
}

Element combine(ReductionKind kind, DType type, const Element &a,
                const Element &b) {
  Element result;
  result.integer =
      combineIntegers(kind, a.integer, b.integer, isUnsignedInt(type));
  result.number = combineNumbers(kind, a.number, b.number);
  if (type == DType::Pred)
    result.integer = result.integer != 0;
  // Everything below double precision is combined in single precision; the
  // bits of 64-bit integers wrap by themselves.
  if (isFloat(type) && type != DType::F64)
    result.number = static_cast<float>(result.number.real());
  return result;
}

/// Numbers of which few bits are set, so that sums of complex ones are exact.
void fillRandom(HostTensor &tensor, std::mt19937 &random) {
  DType type = tensor.getDType();
  int64_t width = getByteWidth(type);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    std::byte *at = tensor.data() + i * width;
    Element element;
    element.integer = static_cast<int64_t>(random()) << 32 | random();
    if (type == DType::Pred)
      element.integer = random() % 2;
    int range = isComplex(type) ? 4 : 64;
    auto number = [&] {
      return static_cast<double>(static_cast<int>(random() % (2 * range)) -
                                 range) /
             8;
    };
    element.number = {number(), isComplex(type) ? number() : 0};
    if (isFloat(type) && random() % 64 == 0)
      element.number = NAN;
    store(type, element, at);
  }
}

//===----------------------------------------------------------------------===//
// The definition
//===----------------------------------------------------------------------===//

struct Case {
  Collective::Kind kind;
  DType type;
  Shape shape; // of one device's operand
  std::vector<MeshAxis> mesh;
  Axes axes;
  uint32_t dim = 0, concatDim = 0;
  ReductionKind reduction = ReductionKind::Sum;
  std::vector<std::vector<int64_t>> groups = {}; // instead of axes
  std::vector<std::pair<int64_t, int64_t>> pairs = {};
  std::vector<int64_t> deviceIds = {};
};

Shape getResultShape(const Case &c, int64_t n) {
  Shape shape = c.shape;
  if (c.kind == Collective::REDUCE_SCATTER || c.kind == Collective::ALL_TO_ALL)
    shape[c.dim] /= n;
  if (c.kind == Collective::ALL_GATHER)
    shape[c.dim] *= n;
  if (c.kind == Collective::ALL_TO_ALL)
    shape[c.concatDim] *= n;
  return shape;
}

int64_t flatten(const Shape &index, const Shape &shape) {
  int64_t at = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    at = at * shape[d] + index[d];
  return at;
}

/// The element at `index` of the result of the member at `position`.
Element define(const Case &c, const std::vector<int64_t> &group,
               int64_t position, Shape index, const Shape &resultShape,
               const HostTensor &operands) {
  auto n = static_cast<int64_t>(group.size());
  int64_t size = getNumElements(c.shape), width = getByteWidth(c.type);
  auto read = [&](int64_t member, const Shape &at) {
    return load(c.type,
                operands.data() +
                    (group[member] * size + flatten(at, c.shape)) * width);
  };
  switch (c.kind) {
  case Collective::ALL_GATHER: {
    int64_t member = index[c.dim] / c.shape[c.dim];
    index[c.dim] %= c.shape[c.dim];
    return read(member, index);
  }
  case Collective::ALL_TO_ALL: {
    // Undo the concatenation, then the split.
    int64_t part = resultShape[c.concatDim] / n;
    int64_t member = index[c.concatDim] / part;
    index[c.concatDim] %= part;
    index[c.dim] += position * (c.shape[c.dim] / n);
    return read(member, index);
  }
  case Collective::BROADCAST:
    return read(0, index);
  case Collective::REDUCE_SCATTER:
    index[c.dim] += position * resultShape[c.dim];
    break;
  default:
    break;
  }
  Element element = read(0, index);
  for (int64_t member = 1; member < n; ++member)
    element = combine(c.reduction, c.type, element, read(member, index));
  return element;
}

/// Results of all devices, one after the other.
HostTensor getExpected(const Case &c, const Mesh &mesh,
                       const std::vector<std::vector<int64_t>> &groups,
                       const HostTensor &operands) {
  int64_t n = c.kind == Collective::PERMUTE
                  ? 1
                  : static_cast<int64_t>(groups[0].size());
  Shape shape = getResultShape(c, n), all = shape;
  all.insert(all.begin(), mesh.getNumDevices());
  HostTensor expected(c.type, all);
  int64_t size = getNumElements(shape), width = getByteWidth(c.type);
  for (const std::vector<int64_t> &group : groups)
    for (size_t position = 0; position < group.size(); ++position) {
      bool isPermute = c.kind == Collective::PERMUTE;
      if (isPermute && position == 0)
        continue; // the source of a pair gets nothing by it
      for (int64_t i = 0; i < size; ++i) {
        Shape index(shape.size());
        for (size_t d = shape.size(), rest = static_cast<size_t>(i); d-- > 0;
             rest /= static_cast<size_t>(shape[d]))
          index[d] = static_cast<int64_t>(rest) % shape[d];
        Case copy = c;
        if (isPermute)
          copy.kind = Collective::BROADCAST;
        store(c.type,
              define(copy, group, static_cast<int64_t>(position), index, shape,
                     operands),
              expected.data() + (group[position] * size + i) * width);
      }
    }
  return expected;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

/// A buffer of the same memory without the leading dimension of size 1.
uint32_t addView(PlanBuilder &b, uint32_t buffer) {
  plan::Buffer view = b.plan.buffers(static_cast<int>(buffer));
  view.mutable_shape()->erase(view.shape().begin());
  *b.plan.add_buffers() = view;
  return static_cast<uint32_t>(b.plan.buffers_size() - 1);
}

std::string describe(const Case &c) {
  std::string text(getName(c.kind));
  text += " " + std::string(getName(c.type)) + " " +
          std::string(getName(c.reduction)) + " [";
  for (int64_t size : c.shape)
    text += std::to_string(size) + ",";
  text += "] dims " + std::to_string(c.dim) + "," + std::to_string(c.concatDim);
  for (const std::string &axis : c.axes)
    text += " " + axis;
  return text;
}

/// The collective of a case, without operands.
Collective makeCollective(const Case &c, const Mesh &mesh) {
  Collective made;
  made.set_kind(c.kind);
  for (const std::vector<int64_t> &group : c.groups) {
    Collective::Group *added = made.add_groups();
    for (int64_t device : group)
      added->add_devices(device);
  }
  for (auto [source, target] : c.pairs) {
    made.add_pairs()->set_source(source);
    made.mutable_pairs(made.pairs_size() - 1)->set_target(target);
  }
  std::vector<AxisRef> refs;
  refs.reserve(c.axes.size());
  for (const std::string &name : c.axes)
    refs.push_back(mesh.getWholeAxis(*mesh.findAxis(name)));
  toPlan(refs, *made.mutable_axes());
  return made;
}

/// Expects one device's result to be as wanted; the sign of zero and the bits
/// of NaN may differ.
void expectSame(DType type, const std::byte *got, const std::byte *want,
                int64_t bytes, int64_t device) {
  int64_t width = getByteWidth(type);
  bool isNumber = isFloat(type) || isComplex(type);
  for (int64_t at = 0; at < bytes; at += width) {
    if (std::memcmp(got + at, want + at, static_cast<size_t>(width)) == 0)
      continue;
    Element a = load(type, got + at), e = load(type, want + at);
    bool areNan = std::isnan(a.number.real()) && std::isnan(e.number.real());
    bool isSame = areNan || (isNumber && a.number == e.number);
    ASSERT_TRUE(isSame) << "device " << device << ", byte " << at << ": got "
                        << a.number << a.integer << ", expected " << e.number
                        << e.integer;
  }
}

void check(const Case &c, bool isInPlace = false) {
  SCOPED_TRACE(describe(c));
  PlanBuilder b(c.mesh);
  for (int64_t id : c.deviceIds)
    b.plan.mutable_mesh()->add_device_ids(id);
  Mesh mesh = fromPlan(b.plan.mesh());
  // Arguments are cut along every axis: shard i is that of the device at
  // position i of the mesh.
  Axes every;
  for (const MeshAxis &axis : c.mesh)
    every.push_back(axis.name);

  Collective made = makeCollective(c, mesh);
  std::vector<std::vector<int64_t>> groups = getGroups(mesh, made);
  int64_t n = c.kind == Collective::PERMUTE
                  ? 1
                  : static_cast<int64_t>(groups[0].size());

  Shape whole = c.shape, wholeResult = getResultShape(c, n);
  whole.insert(whole.begin(), mesh.getNumDevices());
  wholeResult.insert(wholeResult.begin(), mesh.getNumDevices());
  uint32_t x = addView(b, b.addArgument("x", c.type, whole, {every}));
  uint32_t y = addView(b, b.addResult(c.type, wholeResult, {every}));
  if (isInPlace) {
    b.copy(x, y);
    x = y;
  }
  Collective &collective =
      b.collective(c.kind, c.axes, {{x, y}}, c.dim, c.concatDim, c.reduction);
  *collective.mutable_groups() = made.groups();
  *collective.mutable_pairs() = made.pairs();

  std::mt19937 random(static_cast<uint32_t>(c.shape.size() + n));
  HostTensor byDevice(c.type, whole), byPosition(c.type, whole);
  fillRandom(byDevice, random);
  int64_t bytes = byDevice.getNumBytes() / mesh.getNumDevices();
  std::vector<AxisRef> everyRef;
  everyRef.reserve(c.mesh.size());
  for (size_t a = 0; a < c.mesh.size(); ++a)
    everyRef.push_back(mesh.getWholeAxis(static_cast<int32_t>(a)));
  for (int64_t id = 0; id < mesh.getNumDevices(); ++id)
    std::memcpy(byPosition.data() + mesh.getCoordinate(id, everyRef) * bytes,
                byDevice.data() + id * bytes, static_cast<size_t>(bytes));
  HostTensor expected = getExpected(c, mesh, groups, byDevice);
  int64_t resultBytes = expected.getNumBytes() / mesh.getNumDevices();

  for (int numWorkers : {1, 3}) {
    ProgramOptions options;
    options.numWorkers = numWorkers;
    auto program = Program::load(b.plan, options);
    ASSERT_TRUE(program.ok()) << program.status();
    ASSERT_TRUE((*program)->setArguments({{byPosition}}).ok());
    ASSERT_TRUE((*program)->step().ok());
    HostTensor result = *(*program)->getResult(0);
    for (int64_t id = 0; id < mesh.getNumDevices(); ++id)
      expectSame(c.type,
                 result.data() + mesh.getCoordinate(id, everyRef) * resultBytes,
                 expected.data() + id * resultBytes, resultBytes, id);
  }
}

constexpr ReductionKind kReductions[] = {ReductionKind::Sum, ReductionKind::Max,
                                         ReductionKind::Min, ReductionKind::Mul,
                                         ReductionKind::And, ReductionKind::Or,
                                         ReductionKind::Xor};

const std::vector<MeshAxis> kMesh = {{"a", 2}, {"b", 3}, {"c", 2}};

TEST(CollectiveTest, ReducesEveryTypeByEveryKind) {
  for (int i = 0; i < kNumDTypes; ++i)
    for (ReductionKind reduction : kReductions) {
      auto type = static_cast<DType>(i);
      if (!isReducible(reduction, type))
        continue;
      Case c{Collective::ALL_REDUCE, type, {3, 47}, kMesh, {"b"}};
      c.reduction = reduction;
      check(c);
      check(c, /*isInPlace=*/true);
      c.kind = Collective::REDUCE_SCATTER;
      check(c);
    }
}

TEST(CollectiveTest, MovesEveryType) {
  for (int i = 0; i < kNumDTypes; ++i)
    for (auto kind : {Collective::ALL_GATHER, Collective::ALL_TO_ALL}) {
      Case c{kind, static_cast<DType>(i), {4, 6}, kMesh, {"b"}};
      c.dim = 1;
      check(c);
    }
}

TEST(CollectiveTest, WorksAlongAnyAxesAndDimensions) {
  for (const Axes &axes :
       {Axes{}, Axes{"b"}, Axes{"c", "a"}, Axes{"a", "b", "c"}})
    for (uint32_t dim : {0u, 1u, 2u}) {
      for (auto kind : {Collective::ALL_REDUCE, Collective::REDUCE_SCATTER,
                        Collective::ALL_GATHER, Collective::BROADCAST})
        check({kind, DType::F32, {12, 12, 12}, kMesh, axes, dim});
      for (uint32_t concatDim : {0u, 1u, 2u})
        check({Collective::ALL_TO_ALL,
               DType::S16,
               {12, 12, 12},
               kMesh,
               axes,
               dim,
               concatDim});
    }
}

TEST(CollectiveTest, FollowsTheOrderOfDevices) {
  for (auto kind : {Collective::ALL_GATHER, Collective::REDUCE_SCATTER,
                    Collective::ALL_TO_ALL}) {
    Case c{kind, DType::F32, {6, 8}, {{"a", 2}, {"b", 2}}, {"b"}};
    c.deviceIds = {3, 1, 0, 2};
    check(c);
    c.axes = {};
    c.groups = {{2, 0}, {1, 3}};
    check(c);
  }
}

TEST(CollectiveTest, SendsAlongPairs) {
  Case c{Collective::PERMUTE, DType::F32, {5, 7}, {{"a", 6}}, {}};
  check(c);
  c.pairs = {{0, 1}, {1, 2}, {2, 0}, {4, 5}};
  check(c);
  c.pairs = {{0, 0}, {1, 3}, {1, 4}};
  check(c);
  c.type = DType::C128;
  c.shape = {100, 99};
  c.pairs = {{5, 4}, {4, 3}, {3, 2}, {2, 1}, {1, 0}};
  check(c);
}

TEST(CollectiveTest, BroadcastsWithinGroupsAlone) {
  Case c{Collective::BROADCAST, DType::U8, {3, 3}, {{"a", 6}}, {}};
  c.groups = {{4, 1}, {2, 3}};
  check(c);
}

TEST(CollectiveTest, SharesLargeOnes) {
  // Sizes that are no multiple of vectors, chunks or pages.
  std::vector<MeshAxis> mesh = {{"a", 4}};
  check({Collective::ALL_REDUCE, DType::BF16, {70003}, mesh, {"a"}});
  check(
      {Collective::REDUCE_SCATTER, DType::F32, {7, 4 * 5003}, mesh, {"a"}, 1});
  check({Collective::ALL_GATHER, DType::C64, {5, 901}, mesh, {"a"}, 1});
  check({Collective::ALL_GATHER, DType::F32, {10007}, mesh, {"a"}});
  check({Collective::ALL_TO_ALL, DType::F64, {40, 503}, mesh, {"a"}, 0, 1});
}

TEST(CollectiveTest, TakesEmptyAndScalarOperands) {
  std::vector<MeshAxis> mesh = {{"a", 2}};
  check({Collective::ALL_REDUCE, DType::F32, {}, mesh, {"a"}});
  for (auto kind : {Collective::ALL_REDUCE, Collective::REDUCE_SCATTER,
                    Collective::ALL_GATHER, Collective::ALL_TO_ALL,
                    Collective::PERMUTE, Collective::BROADCAST})
    check({kind, DType::F32, {2, 0, 4}, mesh, {"a"}});
}

} // namespace
