//===- EveryRule.cpp - Proves index rules by running them -----------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/partita-equiv/EveryRule.h"

#include "ir/attrs/ShardingUtils.h"
#include "ir/core/Core.h"
#include "ir/core/OpTable.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace partita {
namespace {

/// The example of an op as a module with @main on a mesh of one axis.
class Example {
public:
  Example(MLIRContext &context, const core::OpEntry &entry, int64_t devices) {
    module = parseSourceString<ModuleOp>(entry.example, ParserConfig(&context));
    for (auto old : llvm::make_early_inc_range(module->getOps<core::MeshOp>()))
      old.erase();
    meshName = StringAttr::get(&context, "mesh");
    mesh = Mesh({{"x", devices}});
    OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
    core::MeshOp::create(builder, module->getLoc(), meshName,
                         MeshAttr::fromMesh(&context, mesh));
    for (auto func : module->getOps<func::FuncOp>()) {
      func.setName("main");
      main = func;
    }
    main.walk([&](Operation *op) {
      if (op->getName().getStringRef() == entry.name && !subject)
        subject = dyn_cast<IndexRuleOpInterface>(op);
    });
  }

  /// Splits the dimensions of @main's arguments whose major factor it is.
  /// Returns whether there are any.
  bool split(int32_t factor) {
    bool isAnySplit = false;
    IndexRule rule = subject.getIndexRule();
    for (auto [i, operand] : llvm::enumerate(subject->getOperands())) {
      auto argument = dyn_cast<BlockArgument>(operand);
      TensorSharding sharding =
          getReplicated(static_cast<int64_t>(rule.operands[i].size()));
      bool isSplit = false;
      for (auto [d, factors] : llvm::enumerate(rule.operands[i]))
        if (!factors.empty() && factors[0] == factor) {
          sharding.dims[d].axes = {mesh.getWholeAxis(0)};
          isSplit = true;
        }
      if (!argument || !isSplit)
        continue;
      setSharding(argument,
                  ShardingAttr::fromSharding(meshName, mesh, sharding));
      isAnySplit = true;
    }
    return isAnySplit;
  }

  OwningOpRef<ModuleOp> module;
  IndexRuleOpInterface subject;

private:
  Mesh mesh;
  StringAttr meshName;
  func::FuncOp main;
};

/// What became of an op's factors.
struct Tally {
  int split = 0, failed = 0;
};

Tally checkRule(MLIRContext &context, const core::OpEntry &entry,
                CheckFn check) {
  Tally tally;
  if (!parseSourceString<ModuleOp>(entry.example, ParserConfig(&context))) {
    llvm::outs() << entry.name << ": the example does not parse\n";
    tally.failed = 1;
    return tally;
  }
  Example whole(context, entry, 1);
  if (!whole.subject)
    return tally;
  size_t numFactors = whole.subject.getIndexRule().factors.size();
  for (int64_t devices : {2, 3})
    for (size_t factor = 0; factor < numFactors; ++factor) {
      Example example(context, entry, devices);
      if (!example.split(static_cast<int32_t>(factor)))
        continue;
      ++tally.split;
      if (succeeded(check(*example.module)))
        continue;
      ++tally.failed;
      llvm::outs() << entry.name << ": factor " << factor << " over " << devices
                   << " devices is wrong\n";
    }
  return tally;
}

} // namespace

int checkEveryRule(MLIRContext &context, CheckFn check) {
  Tally total;
  for (const core::OpEntry &entry : core::getOpTable()) {
    Tally tally = checkRule(context, entry, check);
    total.split += tally.split;
    total.failed += tally.failed;
  }
  llvm::outs() << total.split << " splits of factors, " << total.failed
               << " wrong\n";
  return total.failed;
}

} // namespace partita
