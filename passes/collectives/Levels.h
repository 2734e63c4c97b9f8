//===- Levels.h - Ops that may become one ---------------------------------===//
//
// Part of Partita, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Within a block and for one kind of ops, the *level* of an op is the largest
// number of ops of that kind on a path that leads to it. Between two of one
// level there is no path, thus they may be joined; and as every path leads from
// a lower level to a higher one, joining all levels makes no cycle.
//
//===----------------------------------------------------------------------===//

#ifndef PARTITA_PASSES_COLLECTIVES_LEVELS_H
#define PARTITA_PASSES_COLLECTIVES_LEVELS_H

#include "mlir/IR/Operation.h"

namespace partita {

/// Calls `visit` for each level of the ops of one kind in a block, the lowest
/// first, with its ops in block order. `visit` may join them.
void forEachLevel(
    mlir::Block &block, llvm::function_ref<bool(mlir::Operation &)> isMember,
    llvm::function_ref<void(llvm::ArrayRef<mlir::Operation *>)> visit);

/// Moves what lies in front of `joined` and uses a result of `members`, which
/// are in block order, behind it, in the same order.
void moveUsersBehind(mlir::Operation *joined,
                     llvm::ArrayRef<mlir::Operation *> members);

} // namespace partita

#endif // PARTITA_PASSES_COLLECTIVES_LEVELS_H
