//===- Outline.cpp - Clusters to kernels and launches ---------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/fusion/Outline.h"

#include "ir/core/Core.h"

using namespace mlir;

namespace partita {

Outliner::Outliner(ModuleOp module) : module(module), symbols(module) {}

/// "dot_add": what characterises a kernel to a reader of the program.
std::string Outliner::makeName(ArrayRef<Operation *> ops) {
  auto getWeight = [](Operation *op) {
    switch (getFusionKind(op)) {
    case FusionKind::Dot:
    case FusionKind::Alone:
      return 3;
    case FusionKind::RowReduce:
    case FusionKind::Reduce:
    case FusionKind::Move:
      return 2;
    case FusionKind::Pointwise:
      return 1;
    default:
      return 0;
    }
  };
  Operation *heaviest = ops.back();
  for (Operation *op : ops)
    if (getWeight(op) > getWeight(heaviest))
      heaviest = op;
  std::string name = heaviest->getName().stripDialect().str();
  if (heaviest != ops.back() && getWeight(ops.back()) > 0)
    name += "_" + ops.back()->getName().stripDialect().str();
  return name + "_" + std::to_string(known.size());
}

/// The text that two kernels of the same structure share: all but the name and
/// locations.
static std::string getText(plan::KernelOp kernel) {
  std::string name = kernel.getSymName().str(), text;
  kernel.setSymName("kernel");
  llvm::raw_string_ostream stream(text);
  kernel->print(stream, OpPrintingFlags().useLocalScope().printGenericOpForm());
  kernel.setSymName(name);
  return text;
}

plan::KernelOp Outliner::makeKernel(ArrayRef<Operation *> ops,
                                    ArrayRef<Value> inputs,
                                    ArrayRef<Value> outputs) {
  MLIRContext *context = module.getContext();
  auto getTypes = [](ArrayRef<Value> values) {
    return llvm::map_to_vector(values, [](Value v) { return v.getType(); });
  };
  auto type = FunctionType::get(context, getTypes(inputs), getTypes(outputs));
  OpBuilder builder(context);
  auto kernel = plan::KernelOp::create(builder, ops.front()->getLoc(),
                                       makeName(ops), type);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  IRMapping mapping;
  mapping.map(ValueRange(inputs), kernel.getArguments());
  for (Operation *op : ops) {
    Operation *copy = builder.clone(*op, mapping);
    // What earlier phases noted about the value has served its purpose.
    copy->setDiscardableAttrs(DictionaryAttr::get(context));
  }
  SmallVector<Value> results;
  for (Value output : outputs)
    results.push_back(mapping.lookup(output));
  plan::ReturnOp::create(builder, kernel.getLoc(), results);
  SmallVector<Attribute> pairs;
  for (auto [argument, result] : findInplacePairs(kernel))
    pairs.push_back(builder.getDenseI64ArrayAttr({argument, result}));
  if (!pairs.empty())
    kernel.setInplaceAttr(builder.getArrayAttr(pairs));

  auto [entry, isNew] = known.try_emplace(getText(kernel), kernel);
  if (isNew) {
    symbols.insert(kernel, module.getBody()->begin());
    // Kernels stand in the order in which they were made.
    if (known.size() > 1 && last)
      kernel->moveAfter(last);
    last = kernel;
    return kernel;
  }
  kernel.erase();
  return entry->second;
}

/// All ops of the cluster with the inlined ones that they read, in order.
static SmallVector<Operation *> collect(const Clustering &clustering,
                                        const Cluster &cluster) {
  llvm::SetVector<Operation *> ops;
  SmallVector<Operation *> pending(cluster.ops);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!ops.insert(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && clustering.isInlined(source))
        pending.push_back(source);
  }
  SmallVector<Operation *> sorted = ops.takeVector();
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return sorted;
}

void Outliner::launch(const Clustering &clustering, Cluster &cluster,
                      OpBuilder &builder) {
  SmallVector<Operation *> ops = collect(clustering, cluster);
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!llvm::is_contained(ops, operand.getDefiningOp()))
        inputs.insert(operand);
  // Readers in other kernels may reach a value through inlined ops.
  std::function<bool(Operation *)> isReadOutside = [&](Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      if (user->getBlock() == op->getBlock() && clustering.isInlined(user))
        return isReadOutside(user);
      return clustering.getCluster(user) != &cluster;
    });
  };
  for (Operation *op : cluster.ops)
    if (isReadOutside(op))
      outputs.push_back(op->getResult(0));
  llvm::sort(outputs, [](Value a, Value b) {
    return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
  });
  if (outputs.empty())
    return;
  plan::KernelOp kernel = makeKernel(ops, inputs.getArrayRef(), outputs);
  SmallVector<Location> locations;
  for (Value output : outputs)
    locations.push_back(output.getLoc());
  auto launch = plan::LaunchOp::create(
      builder, builder.getFusedLoc(locations), TypeRange(ValueRange(outputs)),
      kernel.getSymName(), inputs.getArrayRef());
  for (auto [output, result] : llvm::zip(outputs, launch.getResults()))
    replacements.push_back({output, result});
}

void Outliner::outline(Block &block) {
  for (Operation &op : block)
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        outline(inner);
  Clustering clustering(block);
  std::vector<Clustering::Item> order = clustering.getOrder();
  llvm::SetVector<Operation *> fused;
  for (Operation &op : block)
    if (clustering.getCluster(&op) || clustering.isInlined(&op))
      fused.insert(&op);
  // New ops go behind all old ones; then the old ones that stay move along.
  Operation *end = block.getTerminator();
  replacements.clear();
  OpBuilder builder(end);
  for (Clustering::Item &item : order) {
    if (item.outside) {
      if (item.outside != end)
        item.outside->moveBefore(end);
      continue;
    }
    builder.setInsertionPoint(end);
    launch(clustering, *item.cluster, builder);
  }
  for (auto [output, result] : replacements)
    output.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !fused.contains(use.getOwner());
    });
  for (Operation *op : fused)
    op->dropAllUses();
  for (Operation *op : llvm::reverse(fused.getArrayRef()))
    op->erase();
}

//===----------------------------------------------------------------------===//
// Sharing memory
//===----------------------------------------------------------------------===//

/// Whether all reads of `argument` in the slice of `root` are at the index that
/// is being computed: only elementwise ops and reshapes lie between.
static bool isReadInStep(Value argument, Value root) {
  if (argument == root)
    return true;
  SmallVector<Value> pending = {root};
  llvm::DenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(value).second)
      continue;
    bool keepsStep =
        getFusionKind(op) == FusionKind::Pointwise || isa<core::ReshapeOp>(op);
    for (Value operand : op->getOperands()) {
      if (operand == argument && !keepsStep)
        return false;
      // Behind other ops, the argument must not appear at all.
      if (!keepsStep) {
        SmallVector<Value> deep = {operand};
        llvm::DenseSet<Value> visited;
        while (!deep.empty()) {
          Value inner = deep.pop_back_val();
          if (inner == argument)
            return false;
          if (Operation *source = inner.getDefiningOp();
              source && visited.insert(inner).second)
            llvm::append_range(deep, source->getOperands());
        }
        continue;
      }
      pending.push_back(operand);
    }
  }
  return true;
}

SmallVector<std::pair<int64_t, int64_t>>
findInplacePairs(plan::KernelOp kernel) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  OperandRange results =
      kernel.getBody().front().getTerminator()->getOperands();
  for (auto [number, result] : llvm::enumerate(results)) {
    Operation *root = result.getDefiningOp();
    if (!isa_and_present<core::DynamicUpdateSliceOp, core::ScatterOp>(root))
      continue;
    auto argument = dyn_cast<BlockArgument>(root->getOperand(0));
    // Only the part may be read otherwise.
    if (argument && argument.hasOneUse() && results.size() == 1)
      pairs.push_back({argument.getArgNumber(), static_cast<int64_t>(number)});
  }
  bool isLoop = llvm::none_of(kernel.getBody().front(), [](Operation &op) {
    FusionKind kind = getFusionKind(&op);
    return kind == FusionKind::Alone || kind == FusionKind::Dot;
  });
  if (!isLoop)
    return pairs;
  // All of them: the memory plan chooses, for instance where a result has to
  // lie in a certain argument.
  for (BlockArgument argument : kernel.getArguments())
    for (auto [number, result] : llvm::enumerate(results)) {
      bool isSafe = argument.getType() == result.getType() &&
                    llvm::all_of(results, [&](Value other) {
                      return getTensorSize(other) == getTensorSize(result) &&
                             isReadInStep(argument, other);
                    });
      if (isSafe)
        pairs.push_back(
            {argument.getArgNumber(), static_cast<int64_t>(number)});
    }
  llvm::sort(pairs);
  return pairs;
}

} // namespace partita
