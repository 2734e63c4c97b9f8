//===- Checks.cpp - What test programs check about themselves -------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Checks.h"

#include "ir/attrs/Places.h"
#include "ir/core/Elements.h"
#include "ir/io/check/Check.h"
#include "support/StatusMacros.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <cstring>
#include <iostream>
#include <sstream>

using namespace mlir;

namespace partita {

//===----------------------------------------------------------------------===//
// From ops to results of @main
//===----------------------------------------------------------------------===//

/// The check that an op asks for; nothing for other ops.
static std::optional<Check> getCheck(Operation &op) {
  Check check;
  bool isCheck = llvm::TypeSwitch<Operation *, bool>(&op)
                     .Case([](check::ExpectEqOp) { return true; })
                     .Case([&](check::ExpectAlmostEqOp almost) {
                       check.kind = Check::Kind::Almost;
                       check.tolerance =
                           almost.getTolerance().convertToDouble();
                       return true;
                     })
                     .Case([&](check::ExpectCloseOp close) {
                       check.kind = Check::Kind::Close;
                       check.minUlps = close.getMinUlpDifference();
                       check.maxUlps = close.getMaxUlpDifference();
                       return true;
                     })
                     .Case([&](interpreter::PrintOp) {
                       check.kind = Check::Kind::Print;
                       return true;
                     })
                     .Default([](Operation *) { return false; });
  if (!isCheck)
    return std::nullopt;
  check.op = op.getName().getStringRef();
  check.place = getPlace(op.getLoc()).getPosition();
  return check;
}

FailureOr<std::vector<Check>> takeChecks(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  std::vector<Check> checks;
  Operation *exit = main.getBody().front().getTerminator();
  SmallVector<Value> results(exit->getOperands());
  auto add = [&](Value value) {
    unsigned index = results.size();
    if (failed(main.insertResult(index, value.getType(), nullptr)))
      llvm_unreachable("a new last result can be added");
    results.push_back(value);
    return index;
  };
  for (Operation &op : llvm::make_early_inc_range(main.getBody().front())) {
    std::optional<Check> check = getCheck(op);
    if (!check)
      continue;
    check->actual = add(op.getOperand(0));
    check->expected = check->kind == Check::Kind::Print ? check->actual
                                                        : add(op.getOperand(1));
    checks.push_back(*std::move(check));
    op.erase();
  }
  exit->setOperands(results);
  WalkResult rest = main.walk([](Operation *op) {
    if (!getCheck(*op))
      return WalkResult::advance();
    op->emitOpError("lies in a loop or a branch, where nothing is checked or "
                    "printed; take the results of the loop or branch instead");
    return WalkResult::interrupt();
  });
  if (rest.wasInterrupted())
    return failure();
  return checks;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

namespace {

template <typename T> bool areEqual(T a, T b) {
  if constexpr (core::eval::kIsComplex<T>)
    return areEqual(a.real(), b.real()) && areEqual(a.imag(), b.imag());
  else if constexpr (std::is_floating_point_v<T>)
    return (std::isnan(a) && std::isnan(b)) ||
           (a == b && std::signbit(a) == std::signbit(b));
  else
    return a == b;
}

template <typename T> bool areAlmostEqual(T a, T b, double tolerance) {
  if constexpr (core::eval::kIsComplex<T>) {
    return areAlmostEqual(a.real(), b.real(), tolerance) &&
           areAlmostEqual(a.imag(), b.imag(), tolerance);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (a == b || (std::isnan(a) && std::isnan(b)))
      return true;
    double off = std::abs(static_cast<double>(a) - static_cast<double>(b));
    double most = std::max(std::abs(a), std::abs(b));
    return std::isfinite(most) && off <= tolerance * std::max(1.0, most);
  } else {
    return a == b;
  }
}

/// The number of a float among all of its type in ascending order, 0 for both
/// zeros. The bits have a sign and ascend with the magnitude.
int64_t getOrdinal(DType type, const std::byte *bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, static_cast<size_t>(getByteWidth(type)));
  uint64_t sign = uint64_t{1} << (getBitWidth(type) - 1);
  auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

/// Whether real floats are as far apart as the check allows.
template <typename T>
bool areClose(const Check &check, DType type, T a, T b, const std::byte *bytesA,
              const std::byte *bytesB) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  int64_t off = getOrdinal(type, bytesA) - getOrdinal(type, bytesB);
  auto distance = static_cast<uint64_t>(std::abs(off));
  return check.minUlps <= distance && distance <= check.maxUlps;
}

template <typename T>
bool holds(const Check &check, DType type, T a, T b, const std::byte *bytesA,
           const std::byte *bytesB) {
  if (check.kind == Check::Kind::Almost)
    return areAlmostEqual(a, b, check.tolerance);
  if (check.kind == Check::Kind::Equal)
    return areEqual(a, b);
  if constexpr (core::eval::kIsComplex<T>) {
    DType part = type == DType::C64 ? DType::F32 : DType::F64;
    int64_t width = getByteWidth(part);
    return areClose(check, part, a.real(), b.real(), bytesA, bytesB) &&
           areClose(check, part, a.imag(), b.imag(), bytesA + width,
                    bytesB + width);
  } else if constexpr (std::is_floating_point_v<T>) {
    return areClose(check, type, a, b, bytesA, bytesB);
  } else {
    return a == b;
  }
}

/// "[1, 2]" of the element at that place in row-major order.
std::string getIndexText(const Shape &shape, int64_t place) {
  std::string text;
  for (size_t i = shape.size(); i-- > 0; place /= shape[i])
    text = std::to_string(place % shape[i]) + (text.empty() ? "" : ", ") + text;
  return "[" + text + "]";
}

/// Writes the elements of the dimensions from `dim` on, the first being number
/// `next`, as "[1, 2]"; all but the last dimension have a line for each part.
template <typename T>
void writeElements(std::ostream &stream, const Shape &shape, size_t dim,
                   const core::eval::Elements<T> &elements, int64_t &next) {
  if (dim == shape.size()) {
    stream << elements[next++];
    return;
  }
  std::string indent((dim + 1) * 2, ' ');
  bool isRow = dim + 1 == shape.size();
  stream << indent << "[";
  for (int64_t i = 0; i < shape[dim]; ++i) {
    stream << (i == 0 ? "" : isRow ? ", " : ",") << (isRow ? "" : "\n");
    writeElements(stream, shape, dim + 1, elements, next);
  }
  stream << (isRow ? "]" : "\n" + indent + "]");
}

} // namespace

std::string toText(const HostTensor &tensor) {
  std::ostringstream text;
  ValueInfo info{"", tensor.getDType(), tensor.getShape(), std::nullopt};
  text << info.getTypeText() << " {";
  core::eval::visitDomain(
      core::eval::All(), tensor.getDType(), [&](auto domain) {
        using T = decltype(domain);
        core::eval::Elements<T> elements(tensor);
        int64_t next = 0;
        bool isScalar = tensor.getShape().empty();
        text.precision(sizeof(T) > 4 ? 17 : 9);
        text << (isScalar ? "" : "\n");
        writeElements(text, tensor.getShape(), 0, elements, next);
        text << (isScalar ? "}\n" : "\n}\n");
      });
  return text.str();
}

std::string findBreach(const Check &check, const HostTensor &actual,
                       const HostTensor &expected) {
  DType type = actual.getDType();
  int64_t count = 0, total = actual.getNumElements();
  std::ostringstream text;
  core::eval::visitDomain(core::eval::All(), type, [&](auto domain) {
    using T = decltype(domain);
    core::eval::Elements<T> a(actual), b(expected);
    int64_t width = getByteWidth(type);
    for (int64_t i = 0; i < total; ++i)
      if (!holds<T>(check, type, a[i], b[i], actual.data() + i * width,
                    expected.data() + i * width) &&
          count++ == 0) {
        text.precision(sizeof(T) > 4 ? 17 : 9);
        text << "at " << getIndexText(actual.getShape(), i) << " " << a[i]
             << " instead of " << b[i];
      }
  });
  if (count > 0)
    text << "; " << count << " of " << total << " elements differ";
  return text.str();
}

//===----------------------------------------------------------------------===//
// CheckedExecution
//===----------------------------------------------------------------------===//

namespace {

class CheckedExecution : public Execution {
public:
  CheckedExecution(std::unique_ptr<Execution> theExecution,
                   std::vector<Check> theChecks)
      : execution(std::move(theExecution)), checks(std::move(theChecks)),
        signature(execution->getSignature()) {
    // The results of checks are the last ones, where the back-end has them.
    size_t own = static_cast<size_t>(checks.front().actual);
    if (signature.results.size() > own)
      signature.results.resize(own);
  }

  const Signature &getSignature() const override { return signature; }
  absl::Status setArguments(std::span<const HostTensor> arguments) override {
    return execution->setArguments(arguments);
  }
  absl::Status step() override;
  absl::StatusOr<HostTensor> getResult(int64_t result) override {
    return execution->getResult(result);
  }
  Json getCounters() const override { return execution->getCounters(); }
  std::vector<int64_t> getMeasuredPeakBytes() const override {
    return execution->getMeasuredPeakBytes();
  }
  Json getTrace() const override { return execution->getTrace(); }

private:
  std::unique_ptr<Execution> execution;
  std::vector<Check> checks;
  Signature signature;
};

} // namespace

absl::Status CheckedExecution::step() {
  PARTITA_RETURN_IF_ERROR(execution->step());
  for (const Check &check : checks) {
    PARTITA_ASSIGN_OR_RETURN(HostTensor actual,
                             execution->getResult(check.actual));
    if (check.kind == Check::Kind::Print) {
      std::cerr << (check.place.empty() ? "" : check.place + ": ")
                << toText(actual);
      continue;
    }
    PARTITA_ASSIGN_OR_RETURN(HostTensor expected,
                             execution->getResult(check.expected));
    std::string breach = findBreach(check, actual, expected);
    if (!breach.empty())
      return absl::FailedPreconditionError(
          (check.place.empty() ? "" : check.place + ": ") + "'" + check.op +
          "' does not hold: " + breach);
  }
  return absl::OkStatus();
}

std::unique_ptr<Execution> makeChecked(std::unique_ptr<Execution> execution,
                                       std::vector<Check> checks) {
  if (checks.empty())
    return execution;
  return std::make_unique<CheckedExecution>(std::move(execution),
                                            std::move(checks));
}

} // namespace partita
