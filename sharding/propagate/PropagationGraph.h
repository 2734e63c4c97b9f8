//===- PropagationGraph.h - Values and what links them ----------*- C++ -*-===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What propagation works on. A *node* is a value, or several that must lie
// alike: a loop's result and the arguments of its two regions. A *link* is an
// op with its index rule, or one of the edges along which data flows without
// an op: into a loop, around it, out of a branch, out of the function.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_SHARDING_PROPAGATE_PROPAGATIONGRAPH_H
#define PARTITA_SHARDING_PROPAGATE_PROPAGATIONGRAPH_H

#include "ir/attrs/ShardingUtils.h"
#include "ir/comm/Comm.h"
#include "ir/interfaces/IndexRule.h"
#include "mlir/IR/Location.h"
#include "sharding/propagate/ScannedDims.h"
#include "llvm/ADT/BitVector.h"

#include <string>

namespace partita {

/// Where an axis of a node came from.
struct AxisOrigin {
  AxisRef axis;
  int32_t source = 0;             ///< Number of the annotation.
  mlir::Operation *via = nullptr; ///< The op that brought it, if any.
};

struct PropagationNode {
  mlir::RankedTensorType type;
  TensorSharding sharding;
  llvm::SmallVector<AxisOrigin> origins;
  int64_t bytes = 0;
  /// Links that have the node as an operand or result.
  llvm::SmallVector<int32_t> links;
  /// Dimensions that all uses need whole, because the user fixed them so where
  /// the value passes on to.
  llvm::BitVector whole;
  bool staysWhole(size_t d) const { return d < whole.size() && whole.test(d); }
};

struct PropagationLink {
  mlir::Operation *op = nullptr; ///< Null for an edge.
  IndexRule rule;
  llvm::SmallVector<int32_t> operands, results; ///< Nodes.
  /// All tensors have all parallel factors.
  bool isPassThrough = false;
  bool isBroadcast = false;
};

class PropagationGraph {
public:
  /// Reads a function. Reports annotations that do not fit.
  static mlir::FailureOr<PropagationGraph>
  build(mlir::func::FuncOp func, mlir::StringAttr meshName, const Mesh &mesh);

  /// Writes closed shardings, and origins, to all values of the function.
  void write() const;

  const Mesh &getMesh() const { return mesh; }
  llvm::MutableArrayRef<PropagationNode> getNodes() { return nodes; }
  llvm::ArrayRef<PropagationLink> getLinks() const { return links; }

private:
  PropagationGraph(mlir::func::FuncOp theFunc, mlir::StringAttr theMeshName,
                   const Mesh &theMesh)
      : func(theFunc), meshName(theMeshName), mesh(theMesh), scanned(theFunc) {}

  mlir::LogicalResult addFunction();
  mlir::LogicalResult addOp(mlir::Operation *op);
  mlir::LogicalResult addManual(comm::ManualOp op);
  mlir::LogicalResult addConstraint(mlir::Operation *op);
  mlir::LogicalResult addToGroup(mlir::Operation *op);
  int32_t addNode(mlir::RankedTensorType type);
  int32_t getNode(mlir::Value value);
  void addLink(PropagationLink link);
  void addEdge(llvm::ArrayRef<int32_t> from, int32_t to);
  void addControlFlow(mlir::Operation *op);
  /// Finds the nodes' dimensions that stay whole.
  void markWhole();
  /// Gives a node the user's sharding.
  mlir::LogicalResult annotate(int32_t node, ShardingAttr sharding,
                               mlir::Location loc, llvm::StringRef what,
                               std::string source);
  void setFixed(int32_t node, const TensorSharding &sharding, int32_t source);
  mlir::StringAttr describe(const PropagationNode &node) const;

  mlir::func::FuncOp func;
  mlir::StringAttr meshName;
  Mesh mesh;
  ScannedDims scanned;
  std::vector<PropagationNode> nodes;
  std::vector<PropagationLink> links;
  llvm::DenseMap<mlir::Value, int32_t> nodeOf;
  llvm::SmallVector<int32_t> resultNodes;
  /// By group, the op of its first member.
  llvm::DenseMap<mlir::Attribute, mlir::Operation *> groups;
  std::vector<std::string> sources;
};

} // namespace partita

#endif // PARTITA_SHARDING_PROPAGATE_PROPAGATIONGRAPH_H
