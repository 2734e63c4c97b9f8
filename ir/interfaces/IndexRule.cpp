//===- IndexRule.cpp - Dimensions that share a factor -----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/interfaces/IndexRule.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace mlir;

namespace partita {

static ArrayRef<int64_t> getShape(Value value) {
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    return type.getShape();
  return {};
}

int32_t IndexRule::add(int64_t size, FactorKind kind, ReductionKind reduction) {
  Factor factor;
  factor.size = size;
  factor.kind = kind;
  factor.reduction = reduction;
  factors.push_back(factor);
  return static_cast<int32_t>(factors.size() - 1);
}

namespace {
/// Assigns factors to the letters of an index notation.
struct NotationReader {
  IndexRule &rule;
  llvm::DenseMap<char, int32_t> letters{};
  SmallVector<int32_t> ellipsis = {};

  FactorDims readTerm(StringRef term, Value value) {
    FactorDims dims;
    ArrayRef<int64_t> shape = getShape(value);
    if (term.consume_front("...")) {
      size_t leading = shape.size() - term.size();
      while (ellipsis.size() < leading)
        ellipsis.push_back(rule.add(shape[ellipsis.size()]));
      for (size_t i = 0; i < leading; ++i)
        dims.push_back({ellipsis[i]});
    }
    for (char letter : term) {
      auto [it, isNew] = letters.try_emplace(letter, 0);
      if (isNew)
        it->second = rule.add(shape[dims.size()]);
      dims.push_back({it->second});
    }
    return dims;
  }
};
} // namespace

IndexRule IndexRule::parse(StringRef notation, Operation *op,
                           ReductionKind reduction) {
  IndexRule rule;
  NotationReader reader{rule};
  auto [lhs, rhs] = notation.split("->");
  SmallVector<StringRef> ins, outs;
  lhs.split(ins, ',');
  rhs.split(outs, ',');
  for (auto [term, value] : llvm::zip(ins, op->getOperands()))
    rule.operands.push_back(reader.readTerm(term, value));
  for (auto [term, value] : llvm::zip(outs, op->getResults()))
    rule.results.push_back(reader.readTerm(term, value));
  llvm::SmallDenseSet<int32_t> kept;
  for (const FactorDims &dims : rule.results)
    for (const auto &dim : dims)
      kept.insert(dim.begin(), dim.end());
  for (auto [i, factor] : llvm::enumerate(rule.factors))
    if (!kept.contains(static_cast<int32_t>(i))) {
      factor.kind = FactorKind::Reduction;
      factor.reduction = reduction;
    }
  return rule;
}

IndexRule IndexRule::makePointwise(Operation *op) {
  IndexRule rule;
  FactorDims dims;
  for (int64_t size : getShape(op->getResult(0)))
    dims.push_back({rule.add(size)});
  rule.operands.assign(op->getNumOperands(), dims);
  rule.results.assign(op->getNumResults(), dims);
  return rule;
}

IndexRule IndexRule::makeReplicated(Operation *op) {
  IndexRule rule;
  for (Value value : op->getOperands())
    rule.operands.emplace_back(getShape(value).size());
  for (Value value : op->getResults())
    rule.results.emplace_back(getShape(value).size());
  return rule;
}

namespace {
/// Prints a rule: factors are named i, j, k … z, then i1, j1 …
class RulePrinter {
public:
  explicit RulePrinter(const IndexRule &theRule) : rule(theRule), os(text) {}

  std::string print() {
    printSide(rule.operands);
    os << "->";
    printSide(rule.results);
    os << " {";
    llvm::interleaveComma(llvm::enumerate(rule.factors), os, [&](auto it) {
      os << getName(it.index()) << "=" << it.value().size;
    });
    os << "}";
    for (int k = 0; k < kNumReductionKinds; ++k) {
      auto kind = static_cast<ReductionKind>(k);
      std::string label = "reduction";
      if (kind != ReductionKind::Sum)
        label += "." + std::string(partita::getName(kind));
      printList(label, [&](const Factor &f) {
        return f.kind == FactorKind::Reduction && f.reduction == kind;
      });
    }
    printList("replicate",
              [](const Factor &f) { return f.kind == FactorKind::Replicate; });
    printList("window",
              [](const Factor &f) { return f.kind == FactorKind::Window; });
    printList("blocked", [](const Factor &f) { return f.isBlocked; });
    return text;
  }

private:
  static std::string getName(size_t factor) {
    std::string letter(1, static_cast<char>('i' + factor % 18));
    return factor < 18 ? letter : letter + std::to_string(factor / 18);
  }
  void printTensor(const FactorDims &dims) {
    os << "[";
    llvm::interleaveComma(dims, os, [&](const auto &dim) {
      if (dim.empty())
        os << "_";
      for (int32_t factor : dim)
        os << getName(factor);
    });
    os << "]";
  }
  void printSide(ArrayRef<FactorDims> tensors) {
    os << "(";
    llvm::interleaveComma(tensors, os,
                          [&](const FactorDims &dims) { printTensor(dims); });
    os << ")";
  }
  void printList(StringRef label,
                 llvm::function_ref<bool(const Factor &)> matches) {
    bool isFirst = true;
    for (auto [i, factor] : llvm::enumerate(rule.factors)) {
      if (!matches(factor))
        continue;
      if (isFirst)
        os << " " << label << "={";
      else
        os << ", ";
      isFirst = false;
      os << getName(i);
    }
    if (!isFirst)
      os << "}";
  }

  const IndexRule &rule;
  std::string text;
  llvm::raw_string_ostream os;
};
} // namespace

std::string IndexRule::toString() const { return RulePrinter(*this).print(); }

void addReshapeFactors(IndexRule &rule, ArrayRef<int64_t> from,
                       ArrayRef<int64_t> to, FactorDims &fromDims,
                       FactorDims &toDims) {
  fromDims.assign(from.size(), {});
  toDims.assign(to.size(), {});
  if (llvm::is_contained(from, 0))
    return;
  size_t i = 0, j = 0;
  int64_t left = 1, right = 1; // what is left of from[i - 1], to[j - 1]
  auto skipOnes = [](ArrayRef<int64_t> shape, size_t &at, int64_t &rest) {
    while (rest == 1 && at < shape.size())
      rest = shape[at++];
  };
  while (true) {
    skipOnes(from, i, left);
    skipOnes(to, j, right);
    if (left == 1 || right == 1)
      return;
    int64_t common = std::gcd(left, right);
    if (common == 1) {
      // No common factor is left in front: swallow dimensions on both sides
      // until the products agree. What they carry cannot be split.
      int64_t a = left, b = right;
      while (a != b) {
        if (a < b)
          a *= from[i++];
        else
          b *= to[j++];
      }
      left = right = 1;
      continue;
    }
    int32_t factor = rule.add(common);
    fromDims[i - 1].push_back(factor);
    toDims[j - 1].push_back(factor);
    left /= common;
    right /= common;
  }
}

} // namespace partita
